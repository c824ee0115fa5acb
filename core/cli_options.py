"""What commands share: options, the settings made of them, the open desk, a progress bar, exit codes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.errors import InputError

if TYPE_CHECKING:
    from core.desk import Desk
    from core.settings import Settings
    from core.spend import CostLine
    from core.verification import Progress

DONE, FINDINGS, COULD_NOT_LOOK = 0, 1, 2
"""Exit codes: done; bad lines or findings that were asked for; wrong use or could not look."""

Command = Callable[..., Any]

store_option = click.option("--store", type=click.Path(path_type=Path), metavar="FILE", help="The store to use.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line, and nothing else.")


REFERENCES = {
    "registry": (),
    "supplied": ("supplied",),
    "urls": ("urls",),
    "identifiers": ("identifiers",),
    "all": ("urls", "identifiers"),
}
"""What ``--references`` may say, and what of a policy's ``also`` it stands for."""


def looking_up(command: Command) -> Command:
    """Give a command the options that choose what may be looked up outside."""
    for option in (
        click.option("--contact", metavar="MAIL", help="Whom registries may write to; they are not asked without it."),
        click.option(
            "--references",
            type=click.Choice(list(REFERENCES)),
            help="What may be looked up outside: nothing (registry), passages that people supplied, links (urls), "
            "DOIs and arXiv ids (identifiers), or both (all); for answers over a corpus never more than it allows.  "
            "[default: what their corpus says, else registry]",
        ),
    ):
        command = option(command)
    return command


def judging(command: Command) -> Command:
    """Give a command the options that choose how claims are judged."""
    command = looking_up(command)
    for option in (
        click.option("--budget", type=float, metavar="DOLLARS", help="What a paid judge may cost at most."),
        click.option("--batch", is_flag=True, help="Let claude judge in batches: half the price, within a day."),
        click.option("--no-cache", is_flag=True, help="Judge everything, also what was judged before."),
        click.option("--threshold", multiple=True, metavar="NAME=VALUE", help="Set one of the verifier's thresholds."),
        click.option("--merge", type=click.Choice(["all", "any", "joint"]), help="How a claim's spans become one."),
        click.option("--verifier", metavar="NAME", help="Who judges support.  [default: nli]"),
    ):
        command = option(command)
    return command


def settings_of(
    store: Path | None = None,
    verifier: str | None = None,
    merge: str | None = None,
    threshold: tuple[str, ...] = (),
    no_cache: bool = False,
    batch: bool = False,
    budget: float | None = None,
    references: str | None = None,
    contact: str | None = None,
    attach: tuple[str, ...] = (),
) -> Settings:
    """The settings of the environment, with what the command line says put over them."""
    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from core.settings import Settings

    said: dict[str, Any] = {
        "store": store,
        "verifier": verifier,
        "merge": merge,
        "attach": tuple(one if "://" in one else str(Path(one).absolute()) for one in attach) or None,
        "thresholds": thresholds_of(threshold) or None,
    }
    claude = ({"batch": True} if batch else {}) | ({"limits": {"cost": budget}} if budget is not None else {})
    outside = ({"also": REFERENCES[references], "chosen": True} if references else {}) | (
        {"contact": contact} if contact else {}
    )
    try:
        said = {name: value for name, value in (said | {"references": outside or None}).items() if value is not None}
        return Settings(**said | ({"cache": None} if no_cache else {}) | ({"claude": claude} if claude else {}))
    except ValidationError as error:
        first = error.errors()[0]
        name = f"CITEDESK_{first['loc'][0]}".upper() if first["loc"] else "the environment"
        raise InputError(f"{name} has a value that cannot be used ({first['msg']})", "correct or unset it") from error
    except SettingsError as error:
        raise InputError("A variable CITEDESK_… that should hold JSON does not", f"correct it ({error})") from error


def thresholds_of(options: tuple[str, ...]) -> dict[str, float]:
    """Read ``NAME=VALUE`` options."""
    thresholds = {}
    for option in options:
        name, _, value = option.partition("=")
        try:
            thresholds[name.strip()] = float(value)
        except ValueError:
            raise click.UsageError(f"--threshold {option}: write NAME=VALUE, for example supported=0.8") from None
    return thresholds


@contextmanager
def desk_of(settings: Settings) -> Iterator[Desk]:
    """Open the desk on its store and close it again."""
    from core.desk import Desk

    desk = Desk.open(settings)
    try:
        yield desk
    finally:
        desk.close()


@contextmanager
def progress_bar(what: str, unit: str = "answers") -> Iterator[Progress]:
    """A bar on standard error, only at a terminal and only when the work takes over a second."""
    from tqdm import tqdm

    with tqdm(desc=what, unit=f" {unit}", delay=1, disable=not sys.stderr.isatty(), file=sys.stderr) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total or None
            bar.update(done - bar.n)

        yield show


def print_spend(found: Sequence[CostLine]) -> None:
    """Say on standard error what a run cost; nothing when it cost nothing."""
    if found:
        from core.spend import sentence

        click.echo(f"spent: {sentence(found)}", err=True)
