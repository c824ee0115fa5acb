"""What is this?: every page of figures explains its words, and no word is asked for that nobody explains."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.models import Label
from dashboard import navigation
from dashboard.widgets import look
from dashboard.widgets.what_is_this import LABELS, TERMS

Open = Callable[..., AppTest]

FILES = [*navigation.VIEWS.glob("*.py"), *navigation.VIEWS.parent.joinpath("widgets").glob("*.py")]


def asked_for(path: Path) -> list[str]:
    """The words that a file asks to be explained."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WORDS":
            assert isinstance(node.value, ast.Tuple)
            return [one.value if isinstance(one, ast.Constant) else LABELS for one in node.value.elts]  # type: ignore[misc]
    return []


def test_every_word_asked_for_is_explained() -> None:
    """And every explanation is asked for somewhere."""
    asked = {word for path in FILES for word in asked_for(path)}

    assert asked - set(TERMS) == {LABELS}


@pytest.mark.parametrize("page", ["home", "review", "trends", "failures", "calibrate", "compare", "queues"])
def test_pages_explain_their_words(sample: Path, open_page: Open, page: str) -> None:
    """Behind one button: what a claim, a judge or a queue is, and what the nine labels mean."""
    app = open_page(sample, page)
    said = {one.value for one in app.text}

    assert not app.exception
    assert said & set(TERMS.values())
    if page in ("home", "review", "failures"):
        assert {f"{look.MEANING[label][0].upper()}{look.MEANING[label][1:]}." for label in Label} <= said
