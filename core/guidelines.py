"""Labelling guidelines: what each label means, with two examples and its near neighbour; versions are never rewritten.

A version is Markdown: a title and an introduction, then one heading of the second rank per label word (and one
``not_a_claim``) with a definition, at least two list items as examples, and a line ``Near neighbour: …``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.errors import InputError
from core.models import Label, Record
from core.settings import data_path
from core.store import Store
from core.store.guidelines import GuidelineText
from core.store.label_records import LabelKind

FIRST = "v1"
"""The version that ships with the desk: the sample's labels and a queue that names no other are under it."""

WORDS: Sequence[str] = (*Label, LabelKind.NOT_A_CLAIM)
"""What a guideline must define, in the order of the keys."""

SIZE_LIMIT = 200_000
"""Characters of a version."""

_HEADING = re.compile(r"^## +(\S+) *$", re.MULTILINE)
_NEIGHBOUR = "near neighbour:"


class Entry(Record):
    """What one label means."""

    word: str
    """A label, or ``not_a_claim``."""
    definition: str
    examples: tuple[str, ...]
    neighbour: str
    """The label it is most easily taken for, and what tells them apart."""


class Guideline(Record):
    """One version, taken apart."""

    version: str
    introduction: str
    entries: tuple[Entry, ...]


def parse(text: str, version: str = "new") -> Guideline:
    """Take a guideline apart.

    Raises:
        InputError: An entry is missing, doubled or unknown, or lacks its definition, two examples or near neighbour.
    """
    if len(text) > SIZE_LIMIT:
        raise InputError(f"The guideline has more than {SIZE_LIMIT:,} characters", "shorten it")
    head, *parts = _HEADING.split(text.replace("\r\n", "\n"))
    words, bodies = parts[::2], parts[1::2]
    for word in WORDS:
        if words.count(word) != 1:
            raise InputError(
                f"The guideline has {words.count(word)} entries for '{word}'",
                f"write one, under the heading '## {word}'",
            )
    for word in words:
        if word not in WORDS:
            raise InputError(f"The guideline has an entry for '{word}', which is no label", "take it out")
    found = {word: _entry(word, body) for word, body in zip(words, bodies, strict=True)}
    introduction = " ".join(line for line in head.splitlines() if not line.startswith("# "))
    return Guideline(
        version=version, introduction=" ".join(introduction.split()), entries=tuple(found[word] for word in WORDS)
    )


def _entry(word: str, body: str) -> Entry:
    blocks = [" ".join(block.split()) for block in re.split(r"\n\s*\n|\n(?=[-*] )", body) if block.strip()]
    examples = tuple(block[2:] for block in blocks if block.startswith(("- ", "* ")))
    neighbours = [block for block in blocks if block.lower().startswith(_NEIGHBOUR)]
    definition = " ".join(block for block in blocks if not block.startswith(("- ", "* ")) and block not in neighbours)
    lacks = {"a definition": definition, "two examples": len(examples) >= 2, "a near neighbour": neighbours}
    for part, there in lacks.items():
        if not there:
            raise InputError(
                f"The entry '{word}' of the guideline lacks {part}",
                "write a paragraph, two items that begin with '- ', and a line 'Near neighbour: …'",
            )
    return Entry(
        word=word, definition=definition, examples=examples, neighbour=neighbours[0][len(_NEIGHBOUR) :].strip()
    )


def shipped() -> str:
    """The text of the first version."""
    return data_path("guidelines", f"{FIRST}.md").read_text(encoding="utf-8")


def every(store: Store) -> list[GuidelineText]:
    """All versions of a store, the oldest first; the one that ships is put there when there is none."""
    return store.guidelines.list() or [store.guidelines.add(shipped(), "citedesk")]


def of(store: Store, version: str) -> Guideline:
    """A version of a store, taken apart.

    Raises:
        InputError: There is no such version.
    """
    for one in every(store):
        if one.guideline == version:
            return parse(one.text, version)
    raise InputError(f"There is no guideline {version} in this store", "see 'citedesk guideline list'")


def add(store: Store, text: str, who: str) -> GuidelineText:
    """Keep a text as the next version; the text of an earlier one is given back as it is.

    Raises:
        InputError: It is no whole guideline; see ``parse``.
    """
    parse(text)
    every(store)  # the first version is the same in every store
    return store.guidelines.add(text, who)
