"""What the words of a page mean, behind one button that stands on every page of figures."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.models import Label
from dashboard.widgets import look, plain

TERMS: Mapping[str, str] = {
    "Claim": "One checkable statement of an answer. Rates count claims, not answers.",
    "Cited passage": "The text behind one citation of a claim, as the model was given it. A claim may cite several.",
    "Judge": "A program that says what a cited passage makes of a claim: a small language model, a word count, or a "
    "model that you pay for. It errs; Calibrate says how often.",
    "The judge's name": "As in nli@1+ce6d357c: its kind, its version, and a short code of everything that can change "
    "what it says (model, thresholds, rules). Another code is another judge, and no figure is of two.",
    "Verdict": "What a judge says of a claim, one of nine labels. “No verdict” is not a good or a bad one: nothing was "
    "concluded.",
    "Label": "What a person says of a claim and a cited passage, with the same nine words.",
    "Unsupported": "The claim is not carried by what it cites: Contradicted, Irrelevant, Uncited, Unresolvable, Wrong "
    "scope and, when counted strictly, Partial; also a quotation that stands nowhere.",
    "Strict and lenient": "Strict counts Partial as unsupported, lenient lets it through.",
    "Claims that count": "Claims that state something checkable, and every claim that cites. Greetings do not count.",
    "Judged and not judged": "Rates are of judged claims. Not judged are those whose source is closed or that the "
    "judge could not conclude on; beside a rate stands how far they could move it.",
    "n": "How many claims a figure is made of. A small n makes a wide interval.",
    "95 % interval": "The numbers in brackets, and the bars of charts: where the true share would lie in 95 of 100 "
    "such samples. Claims of one answer tend to be right or wrong together, so many claims of few answers give a wide "
    "one. Two figures whose intervals overlap widely may be the same.",
    "Raw and corrected": "Raw is what the judge says, its errors included. Corrected is what people would say, "
    "estimated from the claims that they labelled.",
    "Borrowed calibration": "For claims of which people labelled none: the judge's share, corrected by its errors on "
    "claims that they labelled elsewhere. It holds only while the judge errs here as it did there.",
    "Gold set": "Labels of people that a judge is measured against: of one queue or one file, under one guideline.",
    "Guideline": "The text that says when to give which label. Labels under another version are another gold set.",
    "Queue": "A set of claims that people label, drawn by chance or picked, with how many people each claim gets.",
    "Blind": "Whoever labels has not seen what the judge said of the claim.",
    "False pass": "An unsupported claim that the judge calls supported: it would be served.",
    "False strip": "A supported claim that the judge calls unsupported: a good sentence would be cut.",
    "Balanced accuracy": "How often the judge is right, were there as many good claims as bad ones. Guessing gives 50.",
    "κ, α, AC1": "Agreement beyond what chance gives: 1 is always the same, 0 is chance.",
    "Score and threshold": "A judge gives a score from 0 to 1; from its threshold upwards it says Supported.",
    "Clusters, effective n, design effect": "Claims of one answer fail together, so they tell less than as many claims "
    "of different answers. Intervals are widened for that; the effective n says to how many it comes.",
    "Bootstrap": "An interval read from figures of many samples, redrawn from the claims there are.",
    "p and q": "How often chance alone would do at least this much. Under 0.05 is called more than chance. q is p "
    "after correcting for how many comparisons were made; so is Holm's.",
    "PASS, FAIL, INCONCLUSIVE": "Held against people's labels, the later judge is right more often, less often, or "
    "nobody can tell yet.",
    "Slice": "A part of the claims: of one source, one topic, one kind of claim.",
    "Anchor set": "Claims drawn once that every new judge judges too, so that a step in the rate can be told from a "
    "change of judge.",
    "Corpus": "Your own sources, brought in to be asked questions.",
}
"""In the order in which they are explained."""

LABELS = "The nine labels"
"""Asks for what each of them means."""


def what_is_this(*names: str) -> None:
    """Draw the button; behind it stands what these words mean, in the order of ``TERMS``.

    Args:
        names: Of ``TERMS``, or ``LABELS``.
    """
    with st.popover("What is this?", type="tertiary", width="content"), st.container(gap="xsmall", width=520):
        for name, words in TERMS.items():
            if name in names:
                _entry(name, words)
        if LABELS in names:
            for label in Label:
                _entry(look.written(label), f"{look.MEANING[label][0].upper()}{look.MEANING[label][1:]}.")


def _entry(name: str, words: str) -> None:
    with st.container(gap=None):
        st.caption(plain(name))
        st.text(words)
