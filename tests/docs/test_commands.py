"""Every command in the documentation runs as it stands there, or says why it is not run and still exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks, pages, spoken
from tests.docs.shell import Shell, matches, step, unknown

PAGES = pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
_TYPED = re.compile(r"(\$ |(citedesk|make|python3?|pip|curl|export|\.venv/bin/\w+) )")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was judged for one page need not be judged for another."""
    return tmp_path_factory.mktemp("verdicts") / "verdicts.sqlite"


@PAGES
def test_its_commands_do_what_it_says(page: Path, tmp_path: Path, cache: Path) -> None:
    """In order, in an empty folder: each ends as the page says and prints what the page shows."""
    shell = Shell(tmp_path, cache)
    for block in blocks(page):
        shell.provide(block)
        if block.language == "python" and not block.orders.keys() & {"file", "not run"}:
            shell.think(block)
        for one in () if "not run" in block.orders else block.steps():
            ran = step(shell, block, one)
            assert one.shown is None or matches(one.shown, ran.printed), (
                f"{block.place}: {one.command}\nprints something else (make docs writes it there):\n{ran.printed}"
            )


@PAGES
def test_what_it_names_exists(page: Path) -> None:
    """Commands, options and targets, also in prose and where they are not run."""
    typed = [(block.place, one.command) for block in blocks(page) for one in block.steps()]
    said = [(str(page.relative_to(ROOT)), command) for command in spoken(page)]

    assert [f"{place}: {name}" for place, command in typed + said for name in unknown(command)] == []


@PAGES
def test_no_command_hides(page: Path) -> None:
    """A fence of commands says so, and one that is not run gives its reason."""
    hidden = [
        block.place
        for block in blocks(page)
        if block.language in ("", "sh", "shell", "text", "zsh") and any(map(_TYPED.match, block.text.splitlines()))
    ]
    without = [block.place for block in blocks(page) if len(block.orders.get("not run", "some reason")) < 10]

    assert hidden == []
    assert without == []


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (["a  b"], "a b\n\n", True),
        (["a…c", "…", "d"], "abbc\nx\ny\nd\n", True),
        (["a"], "a\nb\n", False),
        (["nli@1+00c0ffee"], "nli@1+12345678\n", True),
        (["rate 0.5"], "rate 0.6\n", False),
    ],
)
def test_what_counts_as_the_same_output(shown: list[str], printed: str, same: bool) -> None:
    """Blanks and hashes do not; a figure does, and so does a line too many."""
    assert matches(shown, printed) is same


def test_a_command_that_is_gone_is_found() -> None:
    """In a pipe, behind a variable, in a group."""
    assert list(unknown("cat x | citedesk verify --jsn && A=1 citedesk corpus lost")) == [
        "citedesk verify --jsn",
        "citedesk corpus lost",
    ]
    assert list(unknown("make nothing ARGS=--x")) == ["make nothing"]
    assert list(unknown("citedesk labels export|import")) == []
