"""The frame around every page: navigation, what is open, and the sentence shown when the store cannot be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.errors import CitedeskError
from core.people import Person
from core.store import Store
from dashboard import identity, navigation, session
from dashboard.widgets import ago, paper, plain, showable, who

STYLE = """<style>
[data-testid=stHeader]{background:transparent;height:2.25rem;min-height:0;pointer-events:none}
[data-testid=stHeader] *{pointer-events:auto}
[data-testid=stMainBlockContainer]{padding:.8rem 1.25rem .5rem}
[data-testid=stSidebarHeader]{height:3rem;padding-top:.9rem;margin-bottom:.2rem}
[data-testid=stSidebarHeader]::before{content:"Citedesk";font-weight:700;font-size:1.07rem;letter-spacing:.2px}
[data-testid=stElementToolbarButton]:has([aria-label^="Download as CSV"]){display:none}
[data-testid=stSidebarNavItems]{padding:0;gap:0}
[data-testid=stSidebarNavItems] li{margin:0}
[data-testid=stSidebarNavLink]{height:24px;min-height:0;margin:0}
[data-testid=stNavSectionHeader]{margin:.25rem 0 0;padding-block:.1rem;min-height:0}
[data-testid=stSidebarNavLink][aria-current=page]{background:light-dark(#dfe5ea,#272d35)}
[data-testid=stSidebarContent]{--gap:1rem}
[data-testid=stSidebarUserContent]{padding-bottom:5.5rem}
.st-key-foot{position:fixed;bottom:12px;width:176px;gap:.1rem;overflow:hidden}
.st-key-foot [data-testid=stText]{font-size:.77rem;line-height:1.4;opacity:.8;white-space:normal}
[data-testid=stLayoutWrapper]:has(>.st-key-unseen){position:absolute}
.st-key-headed{flex-wrap:nowrap}
.st-key-unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
[data-testid=stLayoutWrapper]:has(>.st-key-rate_line){margin:-.65rem 0}
[class*=st-key-tiles_],[class*=st-key-cards_]{padding:.6rem .85rem .7rem}
[data-variant=segmented_control]{min-height:2.5rem}
[data-testid=stMetricLabel] p{white-space:normal}
[data-selected=true],[data-selected=true] p{color:light-dark(#2f5d8a,#8ab4e0)!important}
:focus-visible:not(input,textarea){outline:2px solid light-dark(#2f5d8a,#8ab4e0)!important;outline-offset:-2px}
[data-testid=stMetricValue]{font-size:1.45rem;line-height:1.35;font-weight:600;padding:0}
[data-testid=stMetricValue]>div{white-space:normal}
[data-testid=stMetricLabel]{color:light-dark(#6b675f,#a19c92)}
[data-testid=stCaptionContainer]{color:light-dark(#6b675f,#a19c92);opacity:1}
</style>"""
"""What the theme cannot say: a small header, little padding, the name above the navigation, the foot at the bottom,
captions that can be read."""


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
    st.title(plain(error.title), anchor=False)
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
st.html(paper.style(st.context.theme.type))


def open_page(me: Person) -> None:
    """Run the page that the address names, if the person may open it; the navigation shows those only."""
    pages = {
        entry: st.Page(
            f"views/{entry.name}.py",
            title=plain(entry.title),
            default=entry.name == "home",
            visibility="visible" if me.may(entry.role) else "hidden",
        )
        for entry in navigation.entries()
    }
    sections: dict[str, list[StreamlitPage]] = {}
    for entry, page in pages.items():
        sections.setdefault(entry.section, []).append(page)
    chosen = st.navigation(sections, expanded=True)
    asked = next(entry for entry, page in pages.items() if page is chosen)
    who.who(me, session.settings().labeller, by_name=asked.by_name)
    if not asked.by_name:  # there the sidebar holds the name instead
        foot(session.desk().store)
    identity.require(me, asked.role)
    chosen.run()


def instead(show: Callable[[], None], title: str) -> None:
    """Show one thing at the address of every page, so that the address is still there when the page can be shown."""
    doors = [
        st.Page(show, title=plain(title), url_path=one.name, default=one.name == "home") for one in navigation.entries()
    ]
    st.navigation(doors, position="hidden").run()


try:
    visitor = session.person()
except identity.NotSignedIn:
    instead(who.sign_in, "Sign in")
except CitedeskError as problem:
    said = problem
    instead(lambda: cannot(said), "Citedesk")
else:
    try:
        open_page(visitor)
    except CitedeskError as problem:
        cannot(problem)
