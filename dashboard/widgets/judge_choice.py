"""Who judges: asked where a file is looked at, or another judge is wanted; why one cannot be had is said."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core import adoption, glossary, intake
from core.adoption import AdoptedProtocol
from core.settings import Settings
from dashboard.widgets import plain, showable

KINDS = ("nli", "lexical", "claude", "hub")
"""Those that are offered; whatever else the settings name is offered before them."""

HUB = "hub"


def ask(place: str, settings: Settings, adopted: Sequence[AdoptedProtocol] = (), first: str = "") -> Settings | None:
    """Ask for the judge, which is the one of the settings unless a person says otherwise.

    Args:
        place: Where it is asked; each remembers its own choice.
        settings: Those of the desk.
        adopted: Protocols that were made of calibrations; offered by their names.
        first: The kind that is proposed; empty for that of the settings.

    Returns:
        The settings with that judge; none while it is not named.
    """
    usual = settings.verifier
    own = HUB if usual.startswith("hub:") else usual
    by_name = {one.name: one for one in adopted}
    options = list(dict.fromkeys((own, *KINDS, *by_name)))
    kind = st.selectbox(
        "Judge",
        options,
        index=options.index(first) if first in options else 0,
        format_func=lambda name: f"{name}:MODEL" if name == HUB else showable(name),
        key=f"judge_{place}",
        persist_state="session",
        width=160,
    )
    if kind in by_name and kind not in (own, *KINDS):
        return adoption.over(settings, by_name[kind])
    if kind != HUB:
        return over(settings, kind)
    model = st.text_input(
        "Model",
        value=usual.partition(":")[2] if own == HUB else "",
        placeholder="organisation/model, or ./folder",
        key=f"model_{place}",
        persist_state="session",
        width=230,
    )
    return over(settings, f"hub:{model.strip()}") if model.strip() else None


def over(settings: Settings, verifier: str) -> Settings:
    """The settings with another verifier, without thresholds that were meant for the usual one."""
    if verifier == settings.verifier:
        return settings
    return settings.model_copy(update={"verifier": verifier, "thresholds": {}})


def describe(settings: Settings | None) -> None:
    """Say in a sentence who will judge, or that a model has to be named."""
    if settings is None:
        st.caption(plain(f"{HUB}:MODEL is {glossary.judge(HUB)}. Name the model."))
        return
    name = showable(settings.verifier)
    limit = settings.thresholds.get("supported")
    if limit is not None:
        name += f" with “supported” from a score of {limit:g}"
    merged = f"Several citations of one claim are merged by “{settings.merge}”."
    st.caption(plain(f"Every claim will be judged by {name}, {glossary.judge(settings.verifier)}. {merged}"))


def can_be_had(settings: Settings) -> bool:
    """Whether the judge can work here; why not is said, with what to do. A judge that was had is not tried again."""
    had = st.session_state.setdefault("judges_had", set())
    if settings.verifier in had:
        return True
    error = intake.trouble_with_judge(settings)
    if error is None:
        had.add(settings.verifier)
        return True
    st.warning(plain(f"{showable(error.what)}."))
    if error.advice:
        st.text(showable(f"{error.advice[0].upper()}{error.advice[1:]}."))
    return False


def is_near(settings: Settings) -> bool:
    """Whether a judge is on this machine, so that it may be tried before anybody asks it to judge."""
    return not settings.verifier.startswith("hub:")
