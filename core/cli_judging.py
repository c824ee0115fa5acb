"""``citedesk protocols`` and ``citedesk models``: under what was judged, and what there is to judge with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli_options import DONE, json_option, judging, settings_of, store_option

if TYPE_CHECKING:
    from core.protocol import ClaimProtocol, Difference
    from core.settings import Settings
    from core.store.protocol_log import ProtocolUse


@click.command()
@store_option
@judging
@json_option
def protocols(store: Path | None, as_json: bool, **judge: Any) -> int:
    """List the protocols of the store and the one that would judge now, and in what they differ.

    Each is compared with the one of the same verifier that came before it; the last line is what judges now.
    """
    from core.errors import VerifierUnavailable
    from core.pipeline import build

    chosen = settings_of(store=store, **judge)
    uses = stored(chosen)
    now: ClaimProtocol | None = None
    trouble = ""
    try:
        _, now = build(chosen)
    except VerifierUnavailable as error:
        trouble = str(error)
    for line in as_rows(uses, now, trouble) if as_json else as_lines(uses, now, trouble):
        click.echo(line)
    return DONE


def stored(settings: Settings) -> Sequence[ProtocolUse]:
    """The protocols of the store, which the desk that has it open is asked for; none when there is no store."""
    from core.admin import perform
    from core.work import ProtocolsWork

    if not settings.store.exists():
        return ()
    return perform(settings, ProtocolsWork(), lambda done, total: None).uses


def changes(uses: Sequence[ProtocolUse], protocol: ClaimProtocol) -> list[Difference] | None:
    """In what a protocol differs from the last one of the same verifier among some; none when there is none."""
    from core.protocol import differences

    same = [use.protocol for use in uses if use.protocol.verifier.verifier == protocol.verifier.verifier]
    return differences(same[-1], protocol) if same else None


def as_rows(uses: Sequence[ProtocolUse], now: ClaimProtocol | None, trouble: str) -> Iterator[str]:
    """One JSON object a protocol, those of the store first; the one of now has ``now`` true."""
    for place, use in enumerate(uses):
        found = changes(uses[:place], use.protocol)
        row = use.model_dump(mode="json") | {
            "verifier_protocol": str(use.protocol.verifier),
            "now": now is not None and str(now) == use.name,
            "changes": None if found is None else [one.model_dump() for one in found],
        }
        yield json.dumps(row)
    if now is None:
        yield json.dumps({"name": None, "now": True, "trouble": trouble})
    elif str(now) not in {use.name for use in uses}:
        found = changes(uses, now)
        row = {
            "name": str(now),
            "protocol": now.model_dump(mode="json"),
            "runs": 0,
            "claims": 0,
            "verdicts": 0,
            "first_used": None,
            "last_used": None,
            "verifier_protocol": str(now.verifier),
            "now": True,
            "changes": None if found is None else [one.model_dump() for one in found],
        }
        yield json.dumps(row)


def as_lines(uses: Sequence[ProtocolUse], now: ClaimProtocol | None, trouble: str) -> Iterator[str]:
    """The same for a person: a line a protocol, and below it what changed."""
    if not uses:
        yield "No verifier has judged anything in this store yet."
    for place, use in enumerate(uses):
        mark = "   (judges now)" if now is not None and str(now) == use.name else ""
        yield f"{use.name}   {_times(use.runs, 'run')}, {_times(use.claims, 'claim')}   {_period(use)}{mark}"
        yield f"    spans under {use.protocol.verifier}"
        if use.adopted:
            yield f"    adopted as {use.adopted}"
        yield from _changed(changes(uses[:place], use.protocol))
    if now is None:
        yield f"Now: {trouble}"
    elif str(now) not in {use.name for use in uses}:
        yield f"{now}   not used yet   (judges now)"
        yield f"    spans under {now.verifier}"
        yield from _changed(changes(uses, now))


def _changed(found: Sequence[Difference] | None) -> Iterator[str]:
    if found is None:
        yield "    the first of this verifier"
    else:
        yield from (f"    {one}" for one in found)


def _times(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _period(use: ProtocolUse) -> str:
    if use.first_used is None or use.last_used is None:
        return "no run"
    first, last = _minute(use.first_used), _minute(use.last_used)
    return f"{first} UTC" if first == last else f"{first} to {last} UTC"


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


@click.group()
def models() -> None:
    """List the models on this machine, or add one."""


@models.command("list")
@json_option
def list_models(as_json: bool) -> int:
    """List the models that come with Citedesk and those that were added, each read and checked."""
    from core.model_catalogue import entries

    found = entries()
    for one in found:
        if as_json:
            click.echo(one.model_dump_json())
            continue
        version = "" if one.version is None else f"@{one.version}"
        licence = f"   {one.licence}" if one.licence else ""
        base = f"   from {one.base}" if one.base else ""
        click.echo(f"{one.name}{version}   {one.kind}, {one.place}   {one.bytes / 1e6:.1f} MB{licence}{base}")
        click.echo(f"    sha256 {one.sha256}" if one.trouble is None else f"    cannot be used: {one.trouble}")
    if not found and not as_json:
        click.echo("There are no models here. Add one with: citedesk models add FOLDER")
    return DONE


@models.command("add")
@click.argument("source", metavar="NAME_OR_FOLDER")
def add_model(source: str) -> int:
    """Add a model folder, whole or in parts, under the name in its config.json; then: --verifier nli:NAME."""
    from core.model_catalogue import add

    entry, changed = add(source)
    if not changed:
        click.echo(f"{entry.name} is there already, in {entry.folder}")
        return DONE
    use = f"; use it with: --verifier nli:{entry.name}" if entry.kind == "classifier" else ""
    click.echo(f"{entry.name} added to {entry.folder} ({entry.bytes / 1e6:.1f} MB){use}")
    return DONE
