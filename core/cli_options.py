"""What commands share: options, the settings made of them, the open desk, a progress bar, exit codes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.errors import InputError

if TYPE_CHECKING:
    from core.desk import Desk
    from core.settings import Settings
    from core.verification import Progress

DONE, FINDINGS, COULD_NOT_LOOK = 0, 1, 2
"""Exit codes: done; bad lines or findings that were asked for; wrong use or could not look."""

store_option = click.option("--store", type=click.Path(path_type=Path), metavar="FILE", help="The store to use.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line, and nothing else.")


def settings_of(
    store: Path | None = None, verifier: str | None = None, merge: str | None = None, threshold: tuple[str, ...] = ()
) -> Settings:
    """The settings of the environment, with what the command line says put over them."""
    from pydantic import ValidationError

    from core.settings import Settings

    said = {"store": store, "verifier": verifier, "merge": merge, "thresholds": thresholds_of(threshold) or None}
    try:
        return Settings(**{name: value for name, value in said.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        name = f"CITEDESK_{first['loc'][0]}".upper() if first["loc"] else "the environment"
        raise InputError(f"{name} has a value that cannot be used ({first['msg']})", "correct or unset it") from error


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
