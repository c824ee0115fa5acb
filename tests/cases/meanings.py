"""When two words for a state, a flag, a warning or a reason mean the same.

The cases fix few words; of the others only the meaning counts (shared/cases/README.md), and Citedesk says most of them
in a sentence that a reviewer reads.
"""

from __future__ import annotations

import re

FIXED = frozenset(
    "supported partial contradicted irrelevant wrong_scope secondary_only uncited unresolvable inaccessible".split()
)
"""Words that are compared as they are."""

_SAYINGS = {
    "ambiguous_match": r"ambiguous",
    "canonical_variant": r"accents composed",
    "case_or_whitespace": r"case or white ?space",
    "case_variant": r"letter case",
    "compatibility_variant": r"ligature|compatibility",
    "dash_variant": r"punctuation|dash",
    "duplicate_id_conflict": r"different texts|duplicate_id",
    "ellipsis": r"ellipsis|words left out",
    "empty": r"\bempty\b|no text",
    "failed": r"\bfailed\b|no row|nothing",
    "fullwidth_variant": r"ligature|compatibility",
    "hyphenation": r"hyphen",
    "invisible_character": r"invisible",
    "line_break_hyphen": r"hyphen",
    "ligature": r"ligature|compatibility",
    "no_text": r"no_text|no text",
    "number_changed": r"another number",
    "page_furniture": r"words? left out|words changed|page",
    "placeholder_value": r"placeholder|stands? for (?:a )?missing|means? missing",
    "punctuation_variant": r"punctuation|curly quotes",
    "quote_variant": r"curly quotes|punctuation",
    "span_text_mismatch": r"\bnot\b.*text|differ|mismatch|other text",
    "stale_source_version": r"no longer active|stale|older version",
    "whitespace_inserted": r"white space inserted",
    "words_changed": r"words changed|another number|words? left out|words added",
}
_EMPTY = frozenset({"variant", "changed", "kind", "form"})


def mean_the_same(expected: str, ours: str) -> bool:
    """Whether our word or sentence reports what the case's word stands for.

    An unlisted word must have the stem of each of its parts in ours, but for those that say nothing.
    """
    if expected in FIXED or expected == ours:
        return expected == ours
    if pattern := _SAYINGS.get(expected):
        return re.search(pattern, ours, re.I) is not None
    stems = [part[:5].lower() for part in expected.split("_") if part not in _EMPTY]
    return bool(stems) and all(stem in ours.lower() for stem in stems)
