"""What is made from the code is made from this code, every figure has a command, and no link leads nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core import glossary
from core.models import ACTION_OF, Label
from docs.api import generate as api
from docs.glossary import generate as words
from tests.browser import screenshots
from tests.docs.pages import ROOT, blocks, pages, read

_FIGURE = re.compile(r"(?<![\w.+])(?:0\.\d{2,}|\d+(?:\.\d+)? ?%|[\d,.]+ (?:ms|(?:rows|pairs|claims) a second))")
_MADE = re.compile(r"`make ([a-z-]+)")
_RUN = re.compile(r"`python -m (tests\.\w+)")
_EXCUSED = re.compile(r"<!-- figures: .{10,}? -->", re.DOTALL)
DATED = ROOT / "docs" / "decisions"
"""A decision says what was known on its day, and is not rewritten."""

LARGEST = 150_000
"""Bytes of a picture."""

HAND = [page for page in pages() if DATED not in page.parents]


def test_the_reference_is_of_this_code() -> None:
    """``make api`` was run after the last change of a command or of what may be imported."""
    assert api.PAGE.read_text(encoding="utf-8") == api.page()
    assert api.COMMANDS.read_text(encoding="utf-8") == api.commands()


def test_the_glossary_is_of_this_code() -> None:
    """``make glossary`` was run after the last change of a word; README and glossary have the same labels."""
    assert words.PAGE.read_text(encoding="utf-8") == words.page()
    table = read(ROOT / "README.md").partition("## The nine labels")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in table.splitlines() if line.startswith("| ")]
    shown = {name.replace(" ", "_"): action for name, _, action in rows[1:]}
    assert list(shown) == list(Label)
    for label, action in shown.items():
        assert glossary.ACTIONS[ACTION_OF[Label(label)]].startswith(action)


@pytest.mark.parametrize("page", HAND, ids=lambda page: str(page.relative_to(ROOT)))
def test_its_figures_have_a_command(page: Path) -> None:
    """A page with measured figures names the command that makes them, or says whose they are."""
    text = read(page)
    made = {
        target for target in _MADE.findall(text) if re.search(rf"^{target}:", read(ROOT / "Makefile"), re.MULTILINE)
    }
    run = {module for module in _RUN.findall(text) if (ROOT / f"{module.replace('.', '/')}.py").exists()}
    if run or made & {
        "docs",
        "bench",
        "performance",
        "benchmarks",
        "reading",
        "references",
        "retrieval",
        "soak",
        "coverage-sim",
    }:
        return
    assert _EXCUSED.search(text) or _figures(page) == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_its_links_lead_somewhere(page: Path) -> None:
    """Files and pictures of the repository; addresses of the web are not opened."""
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", re.sub(r"```.*?```|`[^`\n]*`", "", read(page), flags=re.DOTALL))
    gone = [link for link in links if "://" not in link and not (page.parent / link).exists()]

    assert gone == []


def test_pictures_are_made_small_and_shown() -> None:
    """``make pictures`` makes every one, some page shows it, and none weighs more than a page should."""
    made = sorted(f"{name}.png" for name in screenshots.SHOWN)
    there = sorted(path.name for path in screenshots.PICTURES.glob("*"))

    assert there == made
    assert [name for name in made if not any(f"pictures/{name}" in read(page) for page in pages())] == []
    assert [name for name in made if (screenshots.PICTURES / name).stat().st_size > LARGEST] == []


def test_the_files_of_the_guides_are_the_same() -> None:
    """What a reader copies in the first guide is what the others use."""
    guide = ROOT / "docs" / "guides" / "first-ten-minutes.md"
    (block,) = (block for block in blocks(guide) if block.orders.get("file") == "answers.jsonl")

    assert block.text == read(guide.with_name("library.jsonl"))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("it finds 0.87 of them", ["0.87"]),
        ("wrong in 3.5 % of cases", ["3.5 %"]),
        ("takes 12 ms", ["12 ms"]),
        ("the 95 % interval, version 0.28", []),
        ("`0.91` is an example", []),
    ],
)
def test_what_counts_as_a_figure(line: str, found: list[str]) -> None:
    """Shares, percentages and speeds in prose; not the name of an interval, a version, or code."""
    assert _in_prose(line) == found


def _figures(page: Path) -> list[str]:
    """The measured figures in the prose and tables of a page."""
    return _in_prose(re.sub(r"```.*?```", "", read(page), flags=re.DOTALL))


def _in_prose(text: str) -> list[str]:
    found = _FIGURE.findall(re.sub(r"`[^`]*`|<!--.*?-->|version [\d.]+|\b9[05] ?%", "", text, flags=re.DOTALL))
    return [one.strip() for one in found]
