"""A page on paper is light whatever the screen is; see ``tests/browser/test_paper.py`` for how it looks."""

from __future__ import annotations

import pytest

from dashboard.widgets import paper


@pytest.mark.parametrize("theme", ["light", "dark", None])
def test_only_a_dark_screen_is_turned_round(theme: str | None) -> None:
    """Tables are painted by Streamlit in the colours of the screen; nothing of the style is for the screen itself."""
    style = paper.style(theme)

    assert style.startswith("<style>@media print{")
    assert style.count("{") == style.count("}")
    assert ("invert" in style) == (theme == "dark")
