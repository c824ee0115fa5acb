"""Types the commands of a page: ``citedesk`` in this process, a few harmless programs in a shell, nothing else."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import click
from click.testing import CliRunner

from core.cli import cli, main
from tests.docs.pages import ROOT, Block, Step, given

HARMLESS = frozenset("cat cd citedesk cp echo head ls mkdir printf tail wc".split())
"""Programs that a page's test may run; others need a reason why they are not run."""

_OPERATOR = re.compile(r"[();<>|&]+")
_HEX = re.compile(r"[0-9a-f]{8,64}")


class Ran(NamedTuple):
    """What a command did: exit code, and what it printed on both streams in order."""

    code: int
    printed: str


class Shell:
    """A folder, an environment and a place in it, for the commands of one page.

    Args:
        folder: Where the reader is, and where the store is.
        cache: Verdicts of this run, so that no two pages judge the same pair.
    """

    def __init__(self, folder: Path, cache: Path) -> None:
        """Forget the settings of whoever runs this; the judge is the one that readers get."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("CITEDESK_")}
        self.environment = own | {
            "CITEDESK_STORE": str(folder / "desk.duckdb"),
            "CITEDESK_CACHE": str(cache),
            "HOME": str(folder),
            "COLUMNS": "120",
            "PATH": os.pathsep.join((str(Path(sys.executable).parent), own.get("PATH", ""))),
        }
        self.place = folder

    def provide(self, block: Block) -> None:
        """Put the files there that a block holds, or says that the reader has."""
        for name, ours in given(block):
            (self.place / name).parent.mkdir(parents=True, exist_ok=True)
            if ours.is_dir():
                shutil.copytree(ours, self.place / name)
            else:
                shutil.copyfile(ours, self.place / name)
        if file := block.orders.get("file"):
            (self.place / file).parent.mkdir(parents=True, exist_ok=True)
            (self.place / file).write_text(block.text, encoding="utf-8")

    def type(self, command: str) -> Ran:
        """Run one command.

        Raises:
            LookupError: It calls a program that is not harmless.
        """
        words = shlex.split(command.replace("\\\n", " "), comments=True)
        if words[0] == "export":
            for assignment in words[1:]:
                name, _, value = assignment.partition("=")
                self.environment[name] = value
            return Ran(0, "")
        if words[0] == "cd":
            self.place = (self.place / words[1]).resolve()
            return Ran(0, "")
        if called := [word for word in programs(command) if word not in HARMLESS]:
            raise LookupError(f"{', '.join(called)}: say <!-- not run: why --> before the fence")
        if words[0] == "citedesk" and not any(map(_OPERATOR.fullmatch, words)) and len(parts(command)) == 1:
            return self._citedesk(words[1:])
        ran = subprocess.run(
            ["bash", "-c", command], cwd=self.place, env=self.environment, stdout=-1, stderr=-2, text=True, check=False
        )
        return Ran(ran.returncode, ran.stdout)

    def think(self, block: Block) -> None:
        """Run a fence of Python, where the reader is."""
        with (
            mock.patch.dict(os.environ, self.environment, clear=True),
            _inside(self.place),
            redirect_stdout(StringIO()),
        ):
            exec(compile(block.text, block.place, "exec"), {})

    def _citedesk(self, words: Sequence[str]) -> Ran:
        with mock.patch.dict(os.environ, self.environment, clear=True), _inside(self.place), dropped_in(self.place):
            hook = mock.patch.object(sys, "excepthook", sys.excepthook)  # the command sets its own
            typed = mock.patch.object(sys, "argv", ["citedesk", *words])
            with CliRunner().isolation() as (_out, _err, both), hook, typed:
                try:
                    main()
                except SystemExit as stop:
                    code = int(stop.code or 0)
                sys.stdout.flush()
                sys.stderr.flush()
                return Ran(code, both.getvalue().decode("utf-8"))


def parts(command: str) -> list[list[str]]:
    """The words of the commands that a line joins with pipes, semicolons and the like; comments are left out."""
    lexer = shlex.shlex(command.replace("\\\n", " "), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    found: list[list[str]] = [[]]
    for word in lexer:
        if _OPERATOR.fullmatch(word) and not set(word) <= set("<>"):
            found.append([])
        else:
            found[-1].append(word)
    return found


def programs(command: str) -> list[str]:
    """The programs that a line calls, variables set for them left out."""
    called = ([word for word in words if not re.match(r"[A-Z_]+=", word)] for words in parts(command))
    return [words[0] for words in called if words]


def unknown(command: str) -> Iterator[str]:
    """What a command names that does not exist: commands and options of ``citedesk``, targets of ``make``."""
    for joined in parts(command):
        words = " ".join(joined).split()
        if "citedesk" in (names := [Path(word).name for word in words]):
            yield from _unknown_options(words[names.index("citedesk") + 1 :])
        if words[:1] == ["make"]:
            targets = (ROOT / "Makefile").read_text(encoding="utf-8")
            for word in words[1:]:
                if re.fullmatch(r"[a-z-]+", word) and not re.search(rf"^{word}:", targets, re.MULTILINE):
                    yield f"make {word}"


def _unknown_options(words: Sequence[str]) -> Iterator[str]:
    command: click.Command = cli
    path = "citedesk"
    for word in words:
        if isinstance(command, click.Group) and not word.startswith("-"):
            names = re.sub(r"[…\[\]]", "", word).split("|")  # `corpus list|show`
            for name in names:
                if name not in command.commands:
                    yield f"{path} {name}"
                    return
            command, path = command.commands[names[0]], f"{path} {names[0]}"
        elif word.startswith("--"):
            name = re.sub(r"[…\[\]=|].*|[.,;:)]+$", "", word)
            known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
            if name not in known | {"--help"}:
                yield f"{path} {name}"


def matches(shown: Sequence[str], printed: str) -> bool:
    """Whether the output is what a page shows.

    White space, blank lines and hashes do not count; ``…`` in a line stands for anything, and alone for any lines.
    """
    lines = filter(str.strip, shown)
    pattern = "".join("(?:.*\n)*?" if line.strip() == "…" else _pattern(line) for line in lines)
    actual = "".join(f"{_plain(line)}\n" for line in printed.splitlines() if line.strip())
    return re.fullmatch(pattern, actual) is not None


def _pattern(line: str) -> str:
    return ".*".join(re.escape(part) for part in _plain(line).split("…")) + "\n"


def _plain(line: str) -> str:
    return _HEX.sub("#", " ".join(line.split()))


def step(shell: Shell, block: Block, one: Step) -> Ran:
    """Run one command of a block, or say where it stands and what is wrong with it.

    Raises:
        AssertionError: It calls something that it may not, or ends otherwise than the page says.
    """
    try:
        ran = shell.type(one.command)
    except LookupError as error:
        raise AssertionError(f"{block.place}: {error}") from error
    wanted = int(block.orders.get("exit", "0").split()[0])
    assert ran.code == wanted, f"{block.place}: {one.command}\nended with {ran.code}:\n{ran.printed}"
    return ran


@contextmanager
def dropped_in(folder: Path) -> Iterator[None]:
    """Let open sets have the files that a page told its reader to put into them, until the block ends."""
    before = set(sys.modules)
    with ExitStack() as stack:
        for added in (folder / "core").glob("*/"):
            package = import_module(f"core.{added.name}")
            stack.enter_context(mock.patch.object(package, "__path__", [*package.__path__, str(added)]))
        yield
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
