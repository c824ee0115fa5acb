"""The frame around every page: navigation, what is open, and the sentence shown when the store cannot be."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.errors import CitedeskError
from core.store import Store
from dashboard import session
from dashboard.widgets import ago, plain, showable

STYLE = """<style>
[data-testid=stHeader]{background:transparent;height:2.25rem;min-height:0;pointer-events:none}
[data-testid=stHeader] *{pointer-events:auto}
[data-testid=stMainBlockContainer]{padding:.8rem 1.25rem .5rem}
[data-testid=stSidebarHeader]{height:3rem;padding-top:.9rem;margin-bottom:.2rem}
[data-testid=stSidebarHeader]::before{content:"Citedesk";font-weight:700;font-size:1.07rem;letter-spacing:.2px}
[data-testid=stSidebarNavItems]{padding:0}
[data-testid=stSidebarNavLink][aria-current=page]{background:light-dark(#dfe5ea,#272d35)}
[data-testid=stSidebarContent]{--gap:1rem}
[data-testid=stSidebarUserContent]{padding-bottom:5.5rem}
.st-key-foot{position:fixed;bottom:12px;width:176px;gap:.1rem;overflow:hidden}
.st-key-foot [data-testid=stText]{font-size:.77rem;line-height:1.4;opacity:.72;white-space:normal}
</style>"""
"""What the theme cannot say: a small header, little padding, the name above the navigation, the foot at the bottom."""


def foot(store: Store) -> None:
    """Say in the sidebar what is open: the store, how much is in it, how old, and which judge spoke last."""
    summary = store.summary()
    when = f" · {ago(summary.last_write)}" if summary.last_write else ""
    with st.sidebar, st.container(key="foot"):
        st.text(f"store: {showable(Path(summary.path).name)}")
        st.text(f"{summary.claims:,} claims{when}")
        if summary.runs:
            st.text(f"judge {summary.runs[0].protocol}")


def cannot(error: CitedeskError) -> None:
    """Say why there is nothing to look at, and what to do about it."""
    st.subheader(plain(error.title))
    st.warning(plain(f"{error.what}."))
    if error.advice:
        st.text(f"{error.advice[0].upper()}{error.advice[1:]}.")
    st.button("Try again", type="primary")


st.set_page_config(
    page_title="Citedesk",
    page_icon=str(Path(__file__).with_name("icon.png")),
    layout="wide",
    initial_sidebar_state=200,
)
st.html(STYLE)
page = st.navigation(
    [
        st.Page("views/home.py", title="Home", default=True),
        st.Page("views/review.py", title="Review"),
        st.Page("views/label.py", title="Label"),
        st.Page("views/trends.py", title="Trends"),
        st.Page("views/data.py", title="Data"),
    ]
)
try:
    foot(session.desk().store)
    page.run()
except CitedeskError as problem:
    cannot(problem)
