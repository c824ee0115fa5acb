"""Whether the claims of a served answer lean on what they cite, tried when somebody asks; see ``core.faithfulness``."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import CitedeskError
from core.faithfulness import Probe
from core.models import GivenClaim
from core.notebook_reading import ShownRun
from dashboard.widgets import plain, showable

Attempt = Callable[[str, str], Probe]
"""Asks the generator of a request again about one of its claims, by their ids."""

_HELP = (
    "The same generator is asked twice more for each claim: without the passages that it cites, and with another fact "
    "in them. A claim that stays as it was did not come from them. It is a report of what was tried and changes no "
    "label; a paid model costs two calls a claim."
)


@st.fragment
def button(shown: ShownRun, attempt: Attempt) -> None:
    """Offer to try it, where an answer was served, and say claim by claim what was tried and what came of it."""
    request_id = shown.run.end.request_id if shown.run.end else None
    if not shown.is_served or shown.answer is None or request_id is None:
        return
    place = f"reliance_{shown.run.run_id}"
    claims = shown.answer.claims or ()
    if st.button("Does it lean on its passages?", key=f"lean_{shown.run.run_id}", type="tertiary", help=plain(_HELP)):
        _try(request_id, claims, attempt, st.session_state.setdefault(place, {}))
    for claim in claims:
        if (found := st.session_state.get(place, {}).get(claim.claim_id)) is not None:
            st.text(f"“{showable(claim.text)}” {showable(found.told)}")


def _try(request_id: str, claims: tuple[GivenClaim, ...], attempt: Attempt, found: dict[str | None, Probe]) -> None:
    """Try one claim after the other; what came of those before stays when one cannot be tried."""
    bar = st.progress(0.0, "Asking again…")
    try:
        for number, claim in enumerate(claims, 1):
            found[claim.claim_id] = attempt(request_id, claim.claim_id or "")
            bar.progress(number / len(claims), plain(f"Asked again about {number} of {len(claims)} claims…"))
    except CitedeskError as error:
        st.warning(plain(str(error)))
    finally:
        bar.empty()
