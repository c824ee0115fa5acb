"""``citedesk verify --engine …``: the options of a verification into a folder, and what it says."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from core.cli_options import DONE, FINDINGS, print_spend, progress_bar

if TYPE_CHECKING:
    from core.large_verification import Total
    from core.settings import Settings

Command = Callable[..., Any]


def spreading(command: Command) -> Command:
    """Give a command the options that say where a large verification runs."""
    for option in (
        click.option("--block-mib", type=float, metavar="N", help="How large a block of input is.  [default: 16]"),
        click.option("--gpus", type=float, default=0, metavar="N", help="What each judge needs of a GPU, with ray."),
        click.option(
            "--actors", type=int, metavar="N", help="Judges at work at once, with ray.  [default: all there is]"
        ),
        click.option(
            "--engine",
            metavar="NAME",
            help="Judge into a folder with local or ray; a run that was stopped goes on.  [default: local]",
        ),
    ):
        command = option(command)
    return command


def is_folder(out: str | None) -> bool:
    """Whether claims go into a run folder: its name has no suffix, or it is an address."""
    return out is not None and ("://" in out or out.endswith("/") or not PurePath(out).suffix)


def judge_into_folder(
    inputs: Sequence[str],
    out: str,
    settings: Settings,
    fail_on: set[str],
    as_json: bool,
    format: str,
    engine: str | None,
    actors: int | None,
    gpus: float,
    block_mib: float | None,
) -> int:
    """Judge inputs into a folder and say what it holds then; see ``core.large_verification``."""
    from core.engines import Plan
    from core.large_verification import BLOCK_MIB, verify

    if block_mib is not None and not 0.001 <= block_mib <= 1024:
        raise click.UsageError("--block-mib: give a number from 0.001 to 1024")
    if (actors is not None and actors < 1) or gpus < 0:
        raise click.UsageError("--actors needs at least 1, --gpus at least 0")
    plan = Plan(settings=settings, where=out, format=format, actors=actors, gpus=gpus)
    with progress_bar("Judging", "blocks") as progress:
        total = verify(inputs, engine or "local", plan, progress, block_mib or BLOCK_MIB)
    print_total(total, out, as_json)
    return FINDINGS if total.bad_lines or fail_on.intersection(total.labels) else DONE


def print_total(total: Total, out: str, as_json: bool) -> None:
    """Say what a run folder holds: for a person, or as one JSON object."""
    from core.input_blocks import shown

    for bad in total.bad_lines:
        click.echo(f"refused: {bad}", err=True)
    for note in total.notes:
        click.echo(f"note: {note}", err=True)
    print_spend(total.spent)
    if as_json:
        click.echo(json.dumps(total.model_dump(mode="json") | {"out": shown(out)}))
        return
    before = f", {total.resumed} of them finished before" if total.resumed else ""
    click.echo(f"{total.claims} claims in {total.answers} answers, judged by {total.protocol}")
    click.echo(f"{total.blocks} blocks in {shown(out)}{before}\n")
    for label, count in total.labels.items():
        click.echo(f"  {label:<15} {count:>7}")
