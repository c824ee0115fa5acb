"""``citedesk guideline``: what the labels mean, version by version."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_options import DONE, json_option, settings_of, store_option
from core.errors import InputError

if TYPE_CHECKING:
    from core.guideline_work import GuidelinesReport, GuidelineWork
    from core.settings import Settings


@click.group()
def guideline() -> None:
    """Add and read the versions of the labelling guideline; one that is there is never rewritten."""


@guideline.command("add")
@click.argument("file", type=click.Path(path_type=Path))
@store_option
@json_option
def add(file: Path, store: Path | None, as_json: bool) -> int:
    """Keep the Markdown of FILE as the next version; 'guideline show v1' prints one to begin with."""
    from core.guideline_work import AddGuidelineWork

    chosen = settings_of(store=store)
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{file} is not in UTF-8", "save it as UTF-8 text") from None
    report = _perform(chosen, AddGuidelineWork(text=text, who=chosen.labeller))
    (added,) = report.guidelines
    if as_json:
        click.echo(added.model_dump_json())
    else:
        click.echo(f"{file.name} is guideline {added.guideline}; make a queue under it to label by it")
    return DONE


@guideline.command("list")
@store_option
@json_option
def list_versions(store: Path | None, as_json: bool) -> int:
    """List the versions, the oldest first."""
    from core.guideline_work import GuidelinesWork

    for one in _perform(settings_of(store=store), GuidelinesWork()).guidelines:
        if as_json:
            click.echo(one.model_dump_json())
        else:
            click.echo(f"{one.guideline}  {one.recorded_at:%Y-%m-%d}  {one.who}  {one.sha256[:12]}")
    return DONE


@guideline.command("show")
@click.argument("version")
@store_option
def show(version: str, store: Path | None) -> int:
    """Print the Markdown of VERSION."""
    from core.guideline_work import GuidelinesWork

    found = _perform(settings_of(store=store), GuidelinesWork()).guidelines
    text = next((one.text for one in found if one.guideline == version), None)
    if text is None:
        raise InputError(f"There is no guideline {version} in this store", "see 'citedesk guideline list'")
    click.echo(text, nl=not text.endswith("\n"))
    return DONE


def _perform(chosen: Settings, work: GuidelineWork) -> GuidelinesReport:
    from core.admin import perform

    return perform(chosen, work, lambda done, total: None)
