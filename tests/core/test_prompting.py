"""What a prompt is made of: files cut into sections, and data that cannot get out of its string."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.prompting import as_data, prompt_file, readable


@pytest.mark.parametrize(
    ("package", "name", "sections"),
    [
        ("core.verifiers", "claude_1", {"policy", "output", "question"}),
        ("core.generators", "answer_1", {"policy", "output", "question", "repair"}),
    ],
)
def test_every_section_has_words(package: str, name: str, sections: set[str]) -> None:
    """The sections are those that are sent; none is empty, and none holds the heading of the next."""
    found = prompt_file(package, name)

    assert set(found.sections) == sections
    assert all(text.strip() and not text.startswith("# ") for text in found.sections.values())
    assert len(found.sha256) == 64


def test_a_prompt_that_is_not_there() -> None:
    """No prompt is sent in place of another."""
    with pytest.raises(FileNotFoundError):
        prompt_file("core.verifiers", "claude_0")


@given(st.lists(st.text(st.characters(), max_size=30), max_size=3))
def test_data_is_one_line_of_json_that_utf8_carries(texts: list[str]) -> None:
    """What is read back is what went in, lone surrogates replaced one by one."""
    encoded = as_data("passages", texts)

    assert encoded.encode("utf-8")
    assert "\n" not in encoded
    assert json.loads(encoded) == {"passages": [readable(text) for text in texts]}
    assert [len(readable(text)) for text in texts] == [len(text) for text in texts]
