"""What of an HTML page its reader does not see, by attributes, inline styles and the page's own style sheets.

Rules are taken in the order of the sheets, the last one wins, and an inline style wins over them; how specific a
selector is and what stands in conditions such as ``@media`` is not weighed. Colours and positions are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

MOST_RULES = 2000
"""Rules about visibility that are applied; a page has hundreds at most."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.S)
_RULE = re.compile(r"[{};]")
_PROPERTIES = frozenset({"display", "visibility", "opacity", "font-size", "content-visibility"})
_ZERO = re.compile(r"[+-]?0*\.?0*(?:px|pt|em|rem|ex|ch|vh|vw|cm|mm|in|pc|q|%)?")
_INLINE = frozenset({"inline", "contents", "inline-block", "ruby", "initial", "unset", "revert", "inherit"})

Declared = dict[str, str]


class Look(NamedTuple):
    """How text looks inside an element."""

    hidden: bool = False
    """``visibility`` is not visible; descendants may show themselves again."""
    tiny: bool = False
    """The letters have no size; descendants may give themselves one."""
    block: bool = False
    """A style makes the element a block of its own."""
    preformatted: bool = False
    """White space stands as it is written."""

    @property
    def seen(self) -> bool:
        """Whether text can be read here."""
        return not (self.hidden or self.tiny)


class Styles:
    """What the page's style sheets and attributes say of its elements."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        """Apply the rules about visibility of every sheet in the page."""
        self._of: dict[int, Declared] = {}
        sheets = [
            style.text() for style in tree.css("style") if style.attributes.get("media") in (None, "", "all", "screen")
        ]
        rules = [(one, found) for sheet in sheets for one, body in rules_of(sheet) if (found := declared(body))]
        for selector, found in rules[:MOST_RULES]:
            for node in _selected(tree, selector):
                self._of.setdefault(node.mem_id, {}).update(found)

    def look(self, node: LexborNode, outer: Look) -> Look | None:
        """How text looks inside an element; none when nothing of it is shown.

        Args:
            node: The element.
            outer: How text looks around it.
        """
        attributes = node.attributes
        style = {**self._of.get(node.mem_id, {}), **declared(attributes.get("style") or "")}
        display = style.get("display", "none" if "hidden" in attributes else "")
        closed = node.tag == "dialog" and "open" not in attributes and not display
        gone = style.get("content-visibility") == "hidden" or _ZERO.fullmatch(style.get("opacity") or "1")
        if display == "none" or closed or gone:
            return None
        visibility = style.get("visibility")
        size = style.get("font-size")
        return Look(
            hidden=visibility in ("hidden", "collapse") if visibility else outer.hidden,
            tiny=bool(_ZERO.fullmatch(size)) if size else outer.tiny,
            block=bool(display) and display not in _INLINE,
        )


def _selected(tree: LexborHTMLParser, selector: str) -> list[LexborNode]:
    try:
        return tree.css(selector)
    except SelectolaxError:
        return []  # a selector that the parser does not know, such as ::before, selects no element


def rules_of(sheet: str) -> Iterator[tuple[str, str]]:
    """The selector and the declarations of each rule that holds without a condition, in order."""
    sheet = _COMMENT.sub(" ", sheet)
    depth, start, selector = 0, 0, ""
    for found in _RULE.finditer(sheet):
        if found.group() == "{":
            if depth == 0:
                selector, start = sheet[start : found.start()].strip(), found.end()
            depth += 1
        elif found.group() == "}":
            depth = max(0, depth - 1)
            if depth == 0:
                if selector and not selector.startswith("@"):
                    yield selector, sheet[start : found.start()]
                selector, start = "", found.end()
        elif depth == 0:
            start = found.end()


def declared(body: str) -> Declared:
    """The declarations about visibility, by property, in lower case."""
    pairs = (each.partition(":") for each in body.split(";"))
    found = {name.strip().lower(): value.partition("!")[0].strip().lower() for name, _, value in pairs}
    return {name: value for name, value in found.items() if name in _PROPERTIES and value}
