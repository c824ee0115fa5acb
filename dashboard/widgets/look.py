"""The look of the desk as data: names, colours and shapes of the labels, words for the rest, CSS for components.

Streamlit sets ``color-scheme`` on the app for the theme in force, whether it follows the system or was chosen in the
menu. A component's shadow root inherits it, so ``light-dark()`` gives the right colour without any script.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.models import Action, Label, QuoteState, Resolve, Structural


@dataclass(frozen=True, slots=True)
class LabelLook:
    """How one label is shown."""

    name: str
    light: str
    dark: str
    shape: str
    """``dot``, ``half``, ``square`` or ``ring``: tells labels apart without colour."""
    glyph: str
    """The shape as a character, for places that take only text."""
    hue: str
    """The nearest colour word of Streamlit's Markdown."""


LABELS: Mapping[Label, LabelLook] = {
    Label.SUPPORTED: LabelLook("Supported", "#0f766e", "#2dd4bf", "dot", "●", "green"),
    Label.PARTIAL: LabelLook("Partial", "#a16207", "#eab308", "half", "◐", "yellow"),
    Label.CONTRADICTED: LabelLook("Contradicted", "#b91c1c", "#f87171", "square", "■", "red"),
    Label.IRRELEVANT: LabelLook("Irrelevant", "#57534e", "#a8a29e", "ring", "○", "gray"),
    Label.UNCITED: LabelLook("Uncited", "#7e22ce", "#c084fc", "ring", "○", "violet"),
    Label.UNRESOLVABLE: LabelLook("Unresolvable", "#be185d", "#f472b6", "square", "■", "red"),
    Label.INACCESSIBLE: LabelLook("Inaccessible", "#1d4ed8", "#93c5fd", "half", "◐", "blue"),
    Label.WRONG_SCOPE: LabelLook("Wrong scope", "#c2410c", "#fb923c", "square", "■", "orange"),
    Label.SECONDARY_ONLY: LabelLook("Secondary only", "#0e7490", "#67e8f9", "half", "◐", "blue"),
}
"""In the order of the keys 1-9."""

NO_LABEL = LabelLook("No verdict", "#6b675f", "#a19c92", "ring", "○", "gray")
"""A claim that the judge gave no label."""


HIDDEN = LabelLook("Hidden", "#6b675f", "#a19c92", "half", "◐", "gray")
"""A claim whose label the reader may not know before they have given their own."""


NOT_SUPPORTED = LabelLook("Not supported", "#b91c1c", "#f87171", "square", "■", "red")
"""All that stands against support, where people or figures tell only these two apart."""


def of(label: Label | None) -> LabelLook:
    """How a label, or the absence of one, is shown."""
    return NO_LABEL if label is None else LABELS[label]


def written(label: Label | None) -> str:
    """A label in a table of text: its shape and its name."""
    one = of(label)
    return f"{one.glyph} {one.name}"


MEANING: Mapping[Label, str] = {
    Label.SUPPORTED: "the cited passage says this",
    Label.PARTIAL: "the cited passage says only part of this",
    Label.CONTRADICTED: "the cited passage says otherwise",
    Label.IRRELEVANT: "the cited passage is about something else",
    Label.UNCITED: "no source is cited for this",
    Label.UNRESOLVABLE: "the citation leads to nothing that can be used",
    Label.INACCESSIBLE: "the source exists but cannot be read here",
    Label.WRONG_SCOPE: "the cited passage is about other people, times, units or causes",
    Label.SECONDARY_ONLY: "the cited passage only repeats another source",
}

ACTIONS: Mapping[Action, str] = {
    Action.KEEP: "Keep it",
    Action.SOFTEN: "Soften it",
    Action.CORRECT: "Correct it",
    Action.DROP_CITATION: "Drop the citation",
    Action.ADD_EVIDENCE: "Add evidence",
    Action.RE_RETRIEVE: "Find the source again",
    Action.STATE_LIMIT: "Say that this could not be checked",
    Action.NARROW_SCOPE: "Narrow it to what the source covers",
    Action.CITE_PRIMARY: "Cite the original source",
    Action.NONE: "Nothing to do yet",
}

STRUCTURE: Mapping[str, str] = {
    Structural.OK: "fine",
    Structural.UNCITED: "no citation",
    Structural.MALFORMED: "malformed id",
    Structural.LEAKED_MARKER: "broken marker",
}

RESOLVES: Mapping[str, str] = {
    Resolve.OK: "found",
    Resolve.NOT_IN_REGISTRY: "unknown id",
    Resolve.NOT_RETRIEVED: "never retrieved",
    Resolve.NOT_IN_CONTEXT: "not shown to the model",
    Resolve.INACTIVE: "withdrawn",
    Resolve.DUPLICATE_ID: "one id, two texts",
    Resolve.INACCESSIBLE: "cannot be read",
    Resolve.NOT_CHECKED: "not checked",
}

QUOTES: Mapping[str, str] = {
    QuoteState.VERBATIM: "word for word",
    QuoteState.NEAR_MISS: "not word for word",
    QuoteState.NOT_FOUND: "found nowhere",
    QuoteState.NOT_GIVEN: "none given",
}

FLAGS: Mapping[str, str] = {
    "number": "Number",
    "date": "Date",
    "name": "Name",
    "quotation": "Quotation",
    "causal": "Cause",
    "legal": "Law",
    "medical": "Medicine",
    "from_prose": "Missing from the claim list",
}


def chip(word: str, count: int) -> str:
    """The Markdown of a filter chip, made of our own words only: shape in its colour, name, count.

    Args:
        word: A label's word, or ``none``.
        count: How many claims have it.
    """
    look = LABELS[Label(word)] if word in set(Label) else NO_LABEL
    return f":{look.hue}[{look.glyph}] {look.name} {count:,}"


def label_names() -> dict[str, list[str]]:
    """Per label word, its name and shape, as components draw chips; ``none`` stands for no label."""
    looks = {str(label): look for label, look in LABELS.items()} | {
        "none": NO_LABEL,
        "hidden": HIDDEN,
        "not_supported": NOT_SUPPORTED,
    }
    return {word: [look.name, look.shape] for word, look in looks.items()}


def _tokens() -> str:
    """The colours as CSS custom properties that follow the theme."""
    pairs = {
        "bg": ("#fbfaf7", "#17181a"),
        "panel": ("#ffffff", "#1f2124"),
        "ink": ("#1c1b19", "#ece9e2"),
        "mute": ("#6b675f", "#a19c92"),
        "line": ("#e4e0d8", "#34373b"),
        "accent": ("#2f5d8a", "#8ab4e0"),
        "mark": ("#fde68a", "#5b4a12"),
        "markline": ("#d9a400", "#d9a400"),
    }
    pairs |= {f"label-{label}": (look.light, look.dark) for label, look in LABELS.items()}
    pairs["label-none"] = (NO_LABEL.light, NO_LABEL.dark)
    pairs["label-hidden"] = (HIDDEN.light, HIDDEN.dark)
    pairs["label-not_supported"] = (NOT_SUPPORTED.light, NOT_SUPPORTED.dark)
    return "".join(f"--{name}:light-dark({light},{dark});" for name, (light, dark) in pairs.items())


CSS = (
    f":host{{{_tokens()}}}"
    + "".join(f".l-{label}{{--c:var(--label-{label})}}" for label in (*LABELS, "none", "hidden", "not_supported"))
    + """
*{box-sizing:border-box}
:host{display:block;color:var(--ink);font:14px/1.5 var(--st-font,sans-serif)}
button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:inherit}
button:disabled{opacity:.45;cursor:default}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
.chip{display:inline-flex;gap:6px;align-items:center;border-radius:999px;padding:0 8px;font-size:12.5px;
 line-height:20px;
 font-weight:600;border:1px solid currentColor;color:var(--c);background:var(--panel);white-space:nowrap}
.chip i{width:9px;height:9px;flex:none;border-radius:50%;background:currentColor}
.chip.half i{background:linear-gradient(90deg,currentColor 50%,transparent 50%);border:1px solid currentColor}
.chip.ring i{background:transparent;border:2px solid currentColor}
.chip.square i{border-radius:2px}
.row .chip,.line .chip,.other-claim .chip{font-size:11.5px;line-height:17px;padding:0 7px}
.row.on,.line.on{background:color-mix(in srgb,var(--accent) 12%,transparent)!important;
 box-shadow:inset 3px 0 var(--accent)}
.meta{color:var(--mute);font-size:12.5px}
kbd{font:600 11px/1 var(--st-code-font,monospace);border:1px solid var(--line);border-bottom-width:2px;
 border-radius:4px;
 padding:2px 5px;background:var(--bg);color:var(--mute)}
.card{background:var(--bg);border:1px solid var(--line);border-radius:10px;padding:9px 12px}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:10px}
mark,.k-claim,.k-support{background:var(--mark);color:inherit;border-bottom:2px solid var(--markline);border-radius:2px}
.k-quote{box-shadow:inset 0 -2px var(--label-supported);
 background:color-mix(in srgb,var(--label-supported) 18%,var(--mark))}
.k-near{outline:1.5px dashed var(--label-partial);background:color-mix(in srgb,var(--label-partial) 14%,transparent)}
.k-same{border-bottom:2px dotted var(--label-supported)}
.k-diff{background:color-mix(in srgb,var(--label-contradicted) 26%,transparent);
 border-bottom:2px solid var(--label-contradicted);border-radius:2px;font-weight:600}
@media print{
 :host{color-scheme:light}
 .panel,.rows,.answer,.passage,.text,.diff-text,.detail,.both,.cards{height:auto!important;max-height:none!important;
  overflow:visible!important}
 .card,.row,.line{break-inside:avoid}
 .copy,.recheck,.to-page,.foot,kbd{display:none!important}
}
"""
)
"""Tokens and the parts that every component shares; goes before a component's own CSS."""


def script(file: str) -> str:
    """The script of a component, as one module: what all of them draw with, then the file beside theirs.

    Args:
        file: ``__file__`` of the component; its script has the same name and ends in ``.js``.
    """
    own = Path(file).with_suffix(".js")
    return "".join(path.read_text(encoding="utf-8") for path in (own.with_name("parts.js"), own))
