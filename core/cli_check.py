"""``citedesk check``: PASS, FAIL or INCONCLUSIVE for a build."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli_options import DONE, FINDINGS, json_option, judging, print_spend, progress_bar, settings_of, store_option

if TYPE_CHECKING:
    from core.check import CheckOutcome
    from core.check_sources import Limits

SHARE = click.FloatRange(0, 1)


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--max-unsupported", "limit", type=SHARE, required=True, metavar="R", help="Highest rate, 0 to 1.")
@click.option("--labels", metavar="GOLD", help="A file of labels of these claims; with --store, a gold set's id.")
@click.option("--design", type=click.Choice(["census", "random"]), help="How the claims of a label file were drawn.")
@click.option("--probability", type=float, help="Of each claim being drawn, with --design random.")
@click.option(
    "--baseline", metavar="PROTOCOL", help="With --store a protocol; with FILE what verify FILE --json printed before."
)
@click.option("--margin", type=SHARE, default=0.0, show_default=True, help="How far above the baseline is allowed.")
@click.option("--lenient", is_flag=True, help="Do not count partial claims as unsupported.")
@click.option("--protocol", metavar="NAME@N+HASH", help="With --store: whose verdicts.  [default: the only one]")
@click.option("--allow-inconclusive", is_flag=True, help="Exit with 0, not 1, when the check is INCONCLUSIVE.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit XML report.")
@click.option("--markdown", type=click.Path(path_type=Path), metavar="FILE", help="Write a Markdown summary.")
@click.option("--format", "format_name", default="auto", show_default=True, help="The format of FILE.")
@store_option
@judging
@json_option
def check(
    file: Path | None,
    limit: float,
    labels: str | None,
    design: str | None,
    probability: float | None,
    baseline: str | None,
    margin: float,
    lenient: bool,
    protocol: str | None,
    allow_inconclusive: bool,
    junit: Path | None,
    markdown: Path | None,
    format_name: str,
    store: Path | None,
    as_json: bool,
    **judge: Any,
) -> int:
    """Hold the answers of FILE, judged now, or those of --store against a limit on unsupported claims.

    FAIL: the rate is above R for sure, or worse than the baseline by more than the margin. PASS: the whole interval is
    within both. INCONCLUSIVE: neither can be said. Without --labels the judge's raw rate is held against R, by its
    bounds.

    Exits with 0 on PASS; 1 on FAIL and on INCONCLUSIVE, unless --allow-inconclusive; 2 when it could not look.
    """
    if (file is None) == (store is None):
        raise click.UsageError("Give a FILE or --store, one of them.")
    if store is not None and (design or probability is not None):
        raise click.UsageError("--design and --probability go with a file of labels.")
    if file is not None and protocol:
        raise click.UsageError("--protocol goes with --store; a FILE is judged now, see --verifier.")
    from core.check_sources import Limits

    limits = Limits(limit=limit, margin=margin, strictness="lenient" if lenient else "strict")
    if file is None:
        found = _of_store(store, limits, protocol, labels, baseline)
    else:
        drawn = (design, probability)
        found = _of_file(file, format_name, limits, labels, drawn, baseline, settings_of(**judge))
    _write(found, junit, markdown)
    click.echo(found.model_dump_json() if as_json else "\n".join(found.sentences))
    passed = found.outcome == "PASS" or (found.outcome == "INCONCLUSIVE" and allow_inconclusive)
    return DONE if passed else FINDINGS


def _of_store(
    store: Path | None, limits: Limits, protocol: str | None, gold: str | None, baseline: str | None
) -> CheckOutcome:
    from core.admin import perform
    from core.measure_work import CheckWork

    work = CheckWork(**limits.model_dump(), protocol=protocol, gold=gold, baseline=baseline)
    with progress_bar("Checking") as progress:
        return perform(settings_of(store=store), work, progress)


def _of_file(
    file: Path,
    format_name: str,
    limits: Limits,
    labels: str | None,
    drawn: tuple[str | None, float | None],
    baseline: str | None,
    chosen: Any,
) -> CheckOutcome:
    from core.check_sources import FileCheck
    from core.claim_label_files import drawing

    with progress_bar(f"Judging {file.name}") as progress:
        run = FileCheck(file, format_name, chosen, progress)
        try:
            return run.check(
                limits, Path(labels) if labels else None, drawing(*drawn), Path(baseline) if baseline else None
            )
        finally:
            print_spend(run.spent())
            for bad in run.bad_lines:
                click.echo(f"refused: {bad}", err=True)


def _write(found: CheckOutcome, junit: Path | None, markdown: Path | None) -> None:
    from core import check_reports

    if junit is not None:
        junit.write_bytes(check_reports.junit(found))
    if markdown is not None:
        markdown.write_text(check_reports.markdown(found), encoding="utf-8")
