"""Write ``docs/glossary.md``: words, labels, stages, judges, failures; run as ``python -m docs.glossary.generate``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from core import glossary
from core.metrics.unsupported_rate import UNSUPPORTED
from core.models import ACTION_OF, Label, QuoteState, Resolve, Stage, Structural

HOME = Path(__file__).parent
PAGE = HOME.parent / "glossary.md"

ARISES: Mapping[Label, str] = {
    Label.SUPPORTED: "the cited span says what the claim says, with its qualifiers",
    Label.PARTIAL: "only part of it stands there, a hedge was dropped, or a quotation is not word for word",
    Label.CONTRADICTED: "the span conflicts with the claim; another value for the same quantity counts",
    Label.IRRELEVANT: "the span is about something else",
    Label.UNCITED: "a material claim without a citation",
    Label.UNRESOLVABLE: "the id is not in this request's registry, or what it names may not be used",
    Label.INACCESSIBLE: "the source exists but cannot be read here",
    Label.WRONG_SCOPE: "population, time, unit or causal strength differ",
    Label.SECONDARY_ONLY: "the span only repeats another source",
}
"""When each label is given (the design's table of labels)."""

STAGES: Mapping[Stage, tuple[str, Iterable[str]]] = {
    Stage.STRUCTURAL: ("is there a citation, and is it one?", Structural),
    Stage.RESOLVABILITY: ("was that evidence part of this request, and may it be used?", Resolve),
    Stage.QUOTE: ("does the quotation stand there word for word?", QuoteState),
    Stage.SUPPORT: ("does the span say what the claim says?", ("the labels above",)),
}
"""What each stage asks, and the words it answers with."""


def page() -> str:
    """The page, from its template beside this file and the words of the code."""
    text = (HOME / "template.md").read_text(encoding="utf-8")
    for name, rows in {
        "labels": _labels(),
        "stages": _stages(),
        "judges": (f"| `{name}` | {words} |" for name, words in glossary.JUDGES.items()),
        "qualifiers": (f"| {one.name} (`{kind}`) | {one.differs} |" for kind, one in glossary.QUALIFIERS.items()),
        "failures": (f"| `{word}` | {one.what} | {one.then} |" for word, one in glossary.FAILURES.items()),
    }.items():
        text = text.replace(f"{{{name}}}", "\n".join([*HEADS[name], *rows]))
    return text


HEADS = {
    "labels": ("| label | arises when | what to do | counts as unsupported |", "|---|---|---|---|"),
    "stages": ("| stage | asks | answers |", "|---|---|---|"),
    "judges": ("| `--verifier` | what it is |", "|---|---|"),
    "qualifiers": ("| kind | differs when |", "|---|---|"),
    "failures": ("| word | what happened | what to do |", "|---|---|---|"),
}


def _labels() -> Iterator[str]:
    for label in Label:
        counts = "no"
        if label in UNSUPPORTED["strict"]:
            counts = "yes" if label in UNSUPPORTED["lenient"] else "strictly"
        elif label is Label.INACCESSIBLE:
            counts = "excluded"
        yield f"| `{label}` | {ARISES[label]} | {glossary.ACTIONS[ACTION_OF[label]]} | {counts} |"


def _stages() -> Iterator[str]:
    for stage in Stage:
        asks, words = STAGES[stage]
        yield f"| `{stage}` | {asks} | {', '.join(map(str, words))} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
