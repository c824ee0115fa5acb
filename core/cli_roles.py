"""``citedesk role``: what people who sign in may do, and whose sources they may read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_options import DONE, json_option, settings_of, store_option

if TYPE_CHECKING:
    from core.people_work import RolesReport, RoleWork
    from core.settings import Settings
    from core.store.roles import Known


@click.group()
def role() -> None:
    """List who signed in at the desk, and say what they may do; an open desk heeds it at once."""


@role.command()
@click.argument("person")
@click.argument("name", metavar="ROLE", type=click.Choice(["labeller", "reviewer", "admin"]))
@store_option
@json_option
def give(person: str, name: str, store: Path | None, as_json: bool) -> int:
    """Let PERSON, who signed in once, do what a labeller, reviewer or admin may."""
    from core.people import Role
    from core.people_work import GiveRoleWork

    chosen = settings_of(store=store)
    report = _perform(chosen, GiveRoleWork(person=person, role=Role(name), who=chosen.labeller))
    _print(report.people, as_json)
    return DONE


@role.command()
@click.argument("person")
@click.argument("names", metavar="[GROUP]...", nargs=-1)
@store_option
@json_option
def groups(person: str, names: tuple[str, ...], store: Path | None, as_json: bool) -> int:
    """Let PERSON, who signed in once, read the sources of these access groups and no others; without any, of none."""
    from core.people_work import GiveGroupsWork

    chosen = settings_of(store=store)
    report = _perform(chosen, GiveGroupsWork(person=person, groups=names, who=chosen.labeller))
    _print(report.people, as_json)
    return DONE


@role.command("list")
@store_option
@json_option
def list_people(store: Path | None, as_json: bool) -> int:
    """List everybody who ever signed in, with their role."""
    from core.people_work import RolesWork

    chosen = settings_of(store=store)
    found = _perform(chosen, RolesWork()).people if chosen.store.exists() else ()
    if not found and not as_json:
        click.echo("Nobody has signed in yet.")
    _print(found, as_json)
    return DONE


def _print(people: tuple[Known, ...], as_json: bool) -> None:
    for one in people:
        role = one.role or "labeller (unless CITEDESK_ADMINS names them)"
        groups = f"  reads {', '.join(one.groups)}" if one.groups else ""
        words = f"{one.name}  {role}{groups}  since {one.since:%Y-%m-%d}  {one.issuer}"
        click.echo(one.model_dump_json() if as_json else words)


def _perform(settings: Settings, work: RoleWork) -> RolesReport:
    from core.admin import perform

    return perform(settings, work, lambda done, total: None)
