"""How a question is asked: of which corpus, who writes, who judges, and what must hold; a sentence on each choice."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import streamlit as st

from core import glossary
from core.corpus_policy import CorpusPolicy, own
from core.notebooks import Setup
from core.settings import Settings
from dashboard.widgets import plain, showable
from dashboard.widgets.cell_view import EXTRACTIVE

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
"""Variables of the desk's environment without which Claude is not offered."""

JUDGES = ("nli", "lexical")

GATES = {
    "citations": "every claim cites what the generator was given",
    "quotes": "and every quotation is there word for word",
    "support": "and a judge finds every claim supported",
}

_WRITERS = {
    EXTRACTIVE: "Answers are excerpts: sentences of the sources, word for word. Nothing is written by a model, and "
    "nothing leaves this machine.",
    "claude": "A Claude model at Anthropic writes the answer. The question and the passages are sent there, and every "
    "call costs money.",
}


def choose(
    corpora: Sequence[str], settings: Settings, key: str, start: Setup, said: Mapping[str, CorpusPolicy]
) -> Setup:
    """Ask for the setup of a question, beginning with another one.

    Args:
        corpora: Those that the reader may ask; at least one.
        settings: Of the desk; what it names is offered too.
        key: Of this chooser.
        start: What is chosen until somebody says otherwise.
        said: What corpora let be looked up outside, by name.
    """
    paid = ["claude"] if any(os.environ.get(name) for name in KEYS) else []
    writers = _options(settings.ask.generator, EXTRACTIVE, *paid)
    judges = _options(settings.verifier, *JUDGES, *paid)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        corpus = _one("Corpus", corpora, start.corpus, f"{key}_corpus")
        generator = _one("Written by", writers, start.generator, f"{key}_generator")
        verifier = _one("Judged by", judges, start.verifier, f"{key}_verifier")
        gate = _one("Served only if", list(GATES), start.gate, f"{key}_gate")
        excerpts = st.checkbox(
            "Excerpts would do",
            value=start.excerpts,
            key=f"{key}_excerpts",
            persist_state="session",
            help="When no answer may be served, show passages of the sources instead.",
        )
    writer = _WRITERS.get(generator.partition(":")[0], f"The answer is written by {showable(generator)}.")
    judge = f"Every claim is judged by {showable(verifier)}, {glossary.judge(verifier)}."
    missing = "" if paid else "Claude is not offered: ANTHROPIC_API_KEY is not set where the desk runs."
    held = "An answer is served only if " + " ".join(list(GATES.values())[: list(GATES).index(gate) + 1]) + "."
    outside = _outside(corpus, said)
    st.caption(plain(" ".join(filter(None, (writer, held, judge, outside, missing)))))
    return Setup(corpus=corpus, generator=generator, verifier=verifier, gate=gate, excerpts=excerpts)


def usual(corpora: Sequence[str], settings: Settings) -> Setup:
    """What the settings of the desk say, of the first corpus."""
    return Setup(
        corpus=corpora[0], generator=settings.ask.generator, verifier=settings.verifier, gate=settings.ask.gate
    )


def _outside(corpus: str, said: Mapping[str, CorpusPolicy]) -> str:
    """What is looked up outside, and by which policy; an answer of this desk cites its corpus and nothing else."""
    words = ["While a question is answered, nothing is looked up outside."]
    if corpus in said:
        words.append(own(said, [corpus]))
        if said[corpus].also and not said[corpus].offline:
            words.append("That holds for answers of logs that name it, and when answers are checked again.")
    return " ".join(words)


def _options(*names: str) -> list[str]:
    return list(dict.fromkeys(names))


def _one(label: str, options: Sequence[str], start: str, key: str) -> str:
    place = options.index(start) if start in options else 0
    return st.selectbox(
        plain(label),
        options,
        index=place,
        format_func=showable,
        key=key,
        persist_state="session",
        width=170,
    )
