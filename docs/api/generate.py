"""Write ``docs/api.md`` and ``docs/commands.md`` from the code; run as ``python -m docs.api.generate``."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from core import metrics, plugins
from core.cli import cli

HOME = Path(__file__).parent
PAGE = HOME.parent / "api.md"
COMMANDS = HOME.parent / "commands.md"

PUBLIC = {
    "core.settings": "Settings",
    "core.importers": "read detect count_rows BadLine",
    "core.models": "Answer GivenClaim Evidence Claim Pair Judgement ClaimRow SpanRow Qualifier Label Action Status",
    "core.extraction": "claims",
    "core.registry": "Registry",
    "core.pipeline": "build check",
    "core.verification": "Verification",
    "core.exporting": "write_claims",
    "core.scorecard": "scorecard",
    "core.serving": "verify_citations",
    "core.gate": "decide Level",
    "core.verifiers": "Verifier",
    "core.protocol": "VerifierProtocol ClaimProtocol",
    "core.desk": "Desk",
    "core.gold_sets": "gold_sets gold_set",
    "core.calibration": "calibrate",
    "core.comparison": "compare",
    "core.trends": "points corrected",
    "core.plugins": "names load",
    "core.metrics": "Estimate",
}
"""What may be imported, by module, in the order of the work."""

COMMANDS_HEAD = """# Commands

Every command with its options, as `--help` behind it says them. `make api` writes this page from the code, and a
test holds it to it. Exit codes: 0 done; 1 bad lines, or findings that were asked for; 2 wrong use, or nothing could be
looked at. `--debug` before the command shows a traceback.
"""


def page() -> str:
    """The page of modules, from its template beside this file."""
    parts = [line for name, public in PUBLIC.items() for line in _module(name, public.split())]
    return (HOME / "template.md").read_text(encoding="utf-8").replace("{modules}", "\n".join([*parts, *_statistics()]))


def commands() -> str:
    """The page of commands."""
    return COMMANDS_HEAD + "\n".join(_command("citedesk", cli)) + "\n"


def _module(name: str, public: list[str]) -> Iterator[str]:
    module = import_module(name)
    yield f"## `{name}`\n"
    yield f"{_text(module).splitlines()[0]}\n"
    for member in public:
        yield from _member(getattr(module, member))


def _member(thing: Any) -> Iterator[str]:
    if not inspect.isclass(thing):
        yield f"### `{thing.__name__}`\n\n```text\n{_signature(thing)}\n```\n\n{_text(thing)}\n"
        return
    yield f"### `{thing.__name__}`\n\n{_text(thing)}\n"
    if issubclass(thing, Enum):
        yield f"{', '.join(f'`{one.value}`' for one in thing)}\n"
    elif issubclass(thing, BaseModel):
        yield from _fields(thing)
    for name, method in vars(thing).items():
        method = method.__func__ if isinstance(method, classmethod) else method
        if inspect.isfunction(method) and not name.startswith("_") and inspect.getdoc(method):
            yield f"- `{_signature(method)}`: {_flat(_text(method).splitlines()[0])}"
    yield ""


def _fields(record: type[BaseModel]) -> Iterator[str]:
    """A table of fields; what a field means is the text that follows it in the code."""
    (tree,) = ast.parse(inspect.getsource(record)).body
    assert isinstance(tree, ast.ClassDef)
    said = {
        one.target.id: after.value.value
        for one, after in zip(tree.body, tree.body[1:], strict=False)
        if isinstance(one, ast.AnnAssign)
        and isinstance(one.target, ast.Name)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
    }
    types = {
        one.target.id: ast.unparse(one.annotation)
        for one in tree.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    }
    yield "| field | type | |\n|---|---|---|"
    for name, kind in types.items():
        if name in record.model_fields:
            yield f"| `{name}` | `{_flat(kind)}` | {_flat(str(said.get(name, '')))} |"
    yield ""


def _statistics() -> Iterator[str]:
    """One line a statistic: each file of ``core.metrics`` is one."""
    yield "### Statistics, one file each\n"
    yield "| module | what it is |\n|---|---|"
    for name in plugins.names(metrics):
        yield f"| `core.metrics.{name}` | {_flat(_text(plugins.load(metrics, name)).splitlines()[0])} |"


def _command(path: str, command: click.Command) -> Iterator[str]:
    if isinstance(command, click.Group):
        for name, one in sorted(command.commands.items()):
            yield from _command(f"{path} {name}", one)
        return
    context = click.Context(command, info_name=path)
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"\n## `{path}`\n\n`{path} {usage}`\n\n{_flat_paragraphs(command.help or '')}\n"
    rows = [record for one in command.params if (record := one.get_help_record(context))]
    if rows:
        yield "| option | |\n|---|---|"
        yield from (f"| `{_flat(option)}` | {_flat(words)} |" for option, words in rows)


def _signature(function: Any) -> str:
    found = inspect.signature(function)
    own = [one for name, one in found.parameters.items() if name not in ("self", "cls")]
    written = f"{function.__name__}{found.replace(parameters=own)}"
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", written)  # annotations are strings here


def _text(thing: Any) -> str:
    """A docstring as Markdown: double back quotes single, sections as paragraphs with their entries as a list."""
    lines = re.sub(r"``", "`", inspect.getdoc(thing) or "").splitlines()
    return "\n".join(f"- {line.strip()}" if re.match(r"    \w[^ ]*: ", line) else line.rstrip() for line in lines)


def _flat(text: str) -> str:
    return " ".join(text.replace("``", "`").split()).replace("|", "\\|")


def _flat_paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(text).split("\n\n"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    COMMANDS.write_text(commands(), encoding="utf-8")
