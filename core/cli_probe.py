"""``citedesk probe``: do the claims of an answer rely on what they cite?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_options import COULD_NOT_LOOK, DONE, json_option, progress_bar, settings_of, store_option

if TYPE_CHECKING:
    from core.probe_work import ProbeReport


@click.command()
@click.argument("request_id")
@click.option("--claim", "claim_id", metavar="ID", help="Only this claim, for example c1.")
@store_option
@json_option
def probe(request_id: str, claim_id: str | None, store: Path | None, as_json: bool) -> int:
    """Ask the generator of an answer again: without the evidence of a claim, and with another fact in it.

    A claim that stays as it was did not come from what it cites. It is a report of what was tried and changes no label;
    a paid model costs two calls a claim. An imported answer cannot be asked for again: of it you are told where another
    passage supports a claim, while what it cites does not.
    """
    from core.admin import perform
    from core.probe_work import ProbeWork

    with progress_bar("Asking again", "claims") as progress:
        report = perform(settings_of(store=store), ProbeWork(request_id=request_id, claim_id=claim_id), progress)
    click.echo(report.model_dump_json() if as_json else "\n".join(lines(report)))
    return COULD_NOT_LOOK if report.broken_off else DONE


def lines(report: ProbeReport) -> Iterator[str]:
    """Each claim with what came of it."""
    from core.probe_work import NOT_ASKED_HERE

    asked = f"{report.generator} was asked again." if report.asked_here else NOT_ASKED_HERE
    yield f"{asked} Judged by {report.judge}." if report.judge else asked
    for one in report.claims:
        yield ""
        yield f"{one.claim_id}  {' '.join(one.claim.split())}"
        yield f"    {one.told}"
    if report.broken_off:
        yield ""
        yield f"The claims after these were not tried: {report.broken_off}"
