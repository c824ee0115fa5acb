"""A page on paper: itself alone, whole, dark on light, whatever the theme on the screen. No Streamlit here."""

from __future__ import annotations

GONE = (
    "stSidebar",
    "stHeader",
    "stToolbar",
    "stElementToolbar",
    "stStatusWidget",
    "stButton",
    "stDownloadButton",
    "stPopover",
    "stSelectbox",
    "stMultiSelect",
    "stButtonGroup",
    "stTextInput",
    "stNumberInput",
    "stSlider",
    "stCheckbox",
    "stForm",
    "stFileUploader",
    "stChatInput",
    "stExpander",
)
"""What is there to be pressed, and says nothing on paper."""

CSS = """
@page{margin:12mm}
:root,body,.stApp{color-scheme:light!important;background:#fff!important}
html,body,#root{overflow:visible!important;height:auto!important}
.stApp,.stApp [data-testid]:not([data-testid=stColumn],[data-testid=stHorizontalBlock],canvas)
{position:static;overflow:visible;max-height:none}
.stApp,[data-testid=stAppViewContainer],[data-testid=stMain]{display:block;height:auto;background:none}
.stApp,.stApp [data-testid] *{color:#1c1b19!important}
.stApp svg text{fill:#1c1b19!important}
[data-testid=stMainBlockContainer]{padding:0}
[data-testid=stPlotlyChart],[data-testid=stDataFrame],[class*=st-key-tiles_],h1,h2,h3{break-inside:avoid}
h1,h2,h3{break-after:avoid-page}
.modebar-container,[class*=st-key-files_]{display:none!important}
.main-svg{background:none!important}
.main-svg .bglayer rect,.main-svg rect.bg{fill:none!important}
[data-testid=stLayoutWrapper]:has(>.st-key-rate_line){margin:0!important}
.st-key-halves [data-testid=stHorizontalBlock]{display:flex;flex-direction:column-reverse}
.st-key-halves [data-testid=stColumn]{width:100%!important;min-width:100%!important;flex:none!important}
.st-key-unseen{position:static;width:auto;height:auto;clip-path:none}
"""

FROM_DARK = "[data-testid=stDataFrame] canvas{filter:invert(1) hue-rotate(180deg) brightness(1.1)}"
"""Tables are painted in the colours of the screen; of a dark one they are turned round."""


def style(theme: str | None) -> str:
    """The style element for paper.

    Args:
        theme: ``light`` or ``dark``, as the page is on the screen; none when it is not known.
    """
    gone = ",".join(f"[data-testid={name}]" for name in GONE)
    return f"<style>@media print{{{CSS}{gone}{{display:none!important}}{FROM_DARK if theme == 'dark' else ''}}}</style>"
