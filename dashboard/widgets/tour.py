"""The tour for a first visit: a few sentences about each page, on Home only, so that it is never in the way of work.

A browser that has not seen it shows it open; closed or gone through to the end it stays away for that person in that
browser, and a small button opens it again.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import streamlit as st

from core.people import Person
from dashboard import navigation
from dashboard.widgets import look


class Stop(NamedTuple):
    """One step of the tour: the page that it is about, and what one does there."""

    page: str
    title: str
    words: str


STOPS = (
    Stop(
        "data",
        "Bring answers",
        "Choose a log or a table of AI answers with the passages they cite. You see how it is read before it goes in. "
        "The sample on Home does as well for a start.",
    ),
    Stop(
        "review",
        "See what fails",
        "Every claim stands there, worst first. Beside it is the passage that it cites, with what supports or "
        "contradicts it marked. The keys j and k move.",
    ),
    Stop(
        "label",
        "Say what is right",
        "One claim and one passage at a time; the keys 1 to 9 label it, z takes that back, and ? lists all keys. "
        "What the judge said stays hidden until you have spoken.",
    ),
    Stop(
        "calibrate",
        "Learn how far to trust the judge",
        "The judge is a program and errs. Held against your labels, the page says how often it passes what is wrong "
        "and how often it flags what is right.",
    ),
    Stop(
        "trends",
        "Watch the rate",
        "The share of unsupported claims over time, with how sure it is and what could not be judged. "
        "A click on a point opens its claims.",
    ),
)

CSS = (
    look.CSS
    + """
.tour{padding:12px 16px}
.tour>*+*{margin-top:6px}
h2{font-size:16px;line-height:1.35;margin:0}
p{margin:0;max-width:76ch}
.go{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-top:10px}
.go button{border:1px solid var(--line);border-radius:8px;padding:3px 12px;background:var(--panel);color:var(--ink)}
.go button:hover{border-color:var(--accent)}
.go .next{background:#2f5d8a;border-color:#2f5d8a;color:#fff;font-weight:600}
.go .end{margin-left:auto}
.again{color:var(--accent);text-decoration:underline;font-size:13.5px}
@media print{:host{display:none}}
"""
)

_mount = st.components.v2.component("citedesk_tour", html="<div class=mount></div>", css=CSS, js=look.script(__file__))


def stops(me: Person) -> list[Stop]:
    """The steps about pages that somebody may open, in order."""
    pages = {entry.name: entry for entry in navigation.entries()}
    return [one for one in STOPS if me.may(pages[one.page].role)]


def tour(me: Person) -> None:
    """Draw the tour, or the button that opens it; a step's own button goes to its page."""
    titles = {entry.name: entry.title for entry in navigation.entries()}
    mine = [one._asdict() | {"name": titles[one.page]} for one in stops(me)]
    owner = hashlib.sha256(f"{me.identity}\n{me.name}".encode()).hexdigest()[:16]
    went = _mount(key="tour", data={"owner": owner, "stops": mine}, on_page_change=lambda: None)
    asked = went.get("page")
    if asked in {one["page"] for one in mine}:
        st.switch_page(f"views/{asked}.py")
