"""``citedesk token``: who may ask over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_options import DONE, json_option, settings_of, store_option
from core.errors import InputError

if TYPE_CHECKING:
    from core.settings import Settings
    from core.tokens import Token
    from core.work import TokenWork


@click.group()
def token() -> None:
    """Make, list, rotate and revoke the tokens with which programs ask over HTTP; an open desk heeds it at once."""


@token.command()
@click.option("--principal", required=True, metavar="NAME", help="Who asks with it.")
@click.option("--group", multiple=True, metavar="NAME", help="A group whose sources they may read; may be repeated.")
@click.option("--expires", metavar="DATE", help="The day, in UTC, from which on it is refused: 2027-01-31.  [never]")
@store_option
@json_option
def new(principal: str, group: tuple[str, ...], expires: str | None, store: Path | None, as_json: bool) -> int:
    """Make a token. Its secret is printed once, to standard output, and kept nowhere."""
    from core.tokens import mint
    from core.work import NewTokenWork

    chosen = settings_of(store=store)
    secret, written = mint(principal, group, _moment(expires))
    (made,) = _perform(chosen, NewTokenWork(token=written, who=chosen.labeller))
    _print_once(made, secret, as_json)
    return DONE


@token.command()
@click.argument("token_id", metavar="ID")
@click.option(
    "--overlap",
    type=click.FloatRange(min=0, max=24 * 366),
    default=24.0,
    show_default=True,
    metavar="HOURS",
    help="How long the old secret is still taken; 0 ends it at once.",
)
@click.option("--expires", metavar="DATE", help="The new one's last day, as of new.  [never]")
@store_option
@json_option
def rotate(token_id: str, overlap: float, expires: str | None, store: Path | None, as_json: bool) -> int:
    """Put a new token, with a new secret, in the place of one: the same caller, the same groups."""
    from core.tokens import mint
    from core.work import RotateTokenWork, TokensWork

    chosen = settings_of(store=store)
    known = _perform(chosen, TokensWork()) if chosen.store.exists() else ()
    old = next((one for one in known if one.token_id == token_id), None)
    if old is None:
        raise InputError(f"There is no token {token_id!r}", "list them with: citedesk token list")
    secret, written = mint(old.principal, old.groups, _moment(expires))
    ends = datetime.now(UTC) + timedelta(hours=overlap)
    (made,) = _perform(chosen, RotateTokenWork(token_id=token_id, token=written, ends_at=ends, who=chosen.labeller))
    _print_once(made, secret, as_json)
    when = f"until {ends:%Y-%m-%d %H:%M} (UTC)" if overlap else "no longer"
    click.echo(f"token {token_id} is taken {when}", err=True)
    return DONE


@token.command()
@click.argument("token_id", metavar="ID")
@store_option
@json_option
def revoke(token_id: str, store: Path | None, as_json: bool) -> int:
    """End a token for good, by the id that the list shows."""
    from core.work import RevokeTokenWork

    chosen = settings_of(store=store)
    (ended,) = _perform(chosen, RevokeTokenWork(token_id=token_id, who=chosen.labeller))
    if as_json:
        click.echo(ended.model_dump_json())
    else:
        click.echo(f"token {ended.token_id} of {ended.principal} is refused from now on", err=True)
    return DONE


@token.command("list")
@store_option
@json_option
def list_tokens(store: Path | None, as_json: bool) -> int:
    """List every token there ever was, and whether it is good."""
    from core.work import TokensWork

    chosen = settings_of(store=store)
    found: Sequence[Token] = _perform(chosen, TokensWork()) if chosen.store.exists() else ()
    for line in [one.model_dump_json() for one in found] if as_json else as_lines(found, datetime.now(UTC)):
        click.echo(line)
    return DONE


def as_lines(found: Sequence[Token], now: datetime) -> list[str]:
    """One line a token, for a person."""
    if not found:
        return ["There are no tokens."]
    rows = [
        (
            one.token_id,
            one.principal,
            ", ".join(one.groups) or "–",
            f"{one.created_at:%Y-%m-%d}",
            f"{one.last_used_at:%Y-%m-%d %H:%M}" if one.last_used_at else "never",
            f"{one.expires_at:%Y-%m-%d}" if one.expires_at else "never",
            one.standing(now) + (f", now {one.successor}" if one.successor else ""),
        )
        for one in found
    ]
    table = [("id", "principal", "groups", "created", "used", "expires", "state"), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    return ["  ".join(cell.ljust(widths[n]) for n, cell in enumerate(row)).rstrip() for row in table]


def _print_once(made: Token, secret: str, as_json: bool) -> None:
    """Print a secret, the only time that it is known."""
    if as_json:
        import json

        click.echo(json.dumps({**made.model_dump(mode="json"), "secret": secret}))
        return
    click.echo(secret)
    until = f"until {made.expires_at:%Y-%m-%d} (UTC)" if made.expires_at else "for ever"
    reads = f"sources of {', '.join(made.groups)} and of everyone" if made.groups else "sources of everyone"
    click.echo(f"token {made.token_id} of {made.principal}: reads {reads}, {until}; keep it now", err=True)


def _moment(day: str | None) -> datetime | None:
    """The beginning of a day that is still to come, in UTC."""
    if day is None:
        return None
    try:
        moment = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise InputError(f"--expires {day} is no date", "write it as 2027-01-31") from None
    if moment <= datetime.now(UTC):
        raise InputError(f"--expires {day} lies in the past", "name a day to come")
    return moment


def _perform(settings: Settings, work: TokenWork) -> Sequence[Token]:
    from core.admin import perform

    return perform(settings, work, lambda done, total: None).tokens
