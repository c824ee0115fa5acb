"""A page of a PDF as a picture, with the cited stretch marked where its characters stand, at any width."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import streamlit as st

from core.page_images import PageImage
from dashboard.widgets import look

CSS = (
    look.CSS
    + """
.page-view{max-width:100%}
.page-view .meta{display:flex;gap:4px 12px;flex-wrap:wrap;justify-content:space-between;margin-bottom:6px}
.page-view .title{overflow-wrap:anywhere;min-width:0}
.sheet{position:relative;border:1px solid var(--line);border-radius:4px;overflow:hidden;line-height:0;background:#fff}
.sheet img{width:100%;height:auto;display:block}
.sheet i{position:absolute;background:#ffd54a;mix-blend-mode:multiply;border-radius:1px;pointer-events:none;
 outline:2px solid #b26a00;scroll-margin:40px}
"""
)
"""Paper is white and its marks are yellow in the dark too, or a drawing would show other colours than it has."""

_mount = st.components.v2.component(
    "citedesk_page_view",
    html='<figure class="page-view" style="margin:0"></figure>',
    css=CSS,
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
)


def view(found: PageImage) -> dict[str, Any]:
    """What the browser draws: the picture as a data URL, marks in shares of it, and words for who cannot see it."""
    place = f"page {found.page} of {found.pages}" if found.pages > 1 else "the only page"
    return {
        "picture": f"data:image/png;base64,{b64encode(found.png).decode()}",
        "width": found.width,
        "height": found.height,
        "title": found.title,
        "place": place,
        "alt": f"{found.title}, {place}, with the cited passage marked",
        "marks": [list(one) for one in found.rectangles],
    }


def page_view(found: PageImage | str, *, key: str) -> None:
    """Draw a page, or say in a sentence why there is none."""
    if isinstance(found, str):
        st.text(found)
        st.text("The passage beside it is the text of the page as it was read.")
    else:
        _mount(key=key, data=view(found))


@st.dialog("The page that is cited", width="large")
def page_dialog(found: PageImage | str) -> None:
    """The same above the page of the desk, until a person closes it."""
    page_view(found, key="page_dialog_view")


def ask_for(cite: str) -> None:
    """Have the page of a citation shown when the page of the desk is drawn next."""
    st.session_state["page_asked_for"] = cite


def asked_for() -> str | None:
    """The citation whose page was asked for, once."""
    cite: str | None = st.session_state.pop("page_asked_for", None)
    return cite
