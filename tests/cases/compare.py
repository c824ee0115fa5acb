"""Expected against observed, by the rules of shared/cases/README.md; the one place that knows the cases' grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.cases.meanings import mean_the_same

Seen = Mapping[str, Any]

_WORDS = frozenset("status kind reason near_miss_kind source_status import_status citations_to_it".split())
"""Fields whose value is a word: its meaning counts."""
_AT_LEAST = frozenset({"separate_units", "warnings"})
"""Lists that must be there, among others."""
_UNORDERED = frozenset({"findings"})
_AVOIDED = {"not_citations": ("markers", "citations"), "not_claims": ("claims",)}
"""Stretches that none of these may touch."""


def differences(given: Seen, expected: Seen, observed: Seen) -> list[str]:
    """What is not as it must be, one sentence each; empty when the case passes."""
    comparison = _Comparison(given, expected, observed)
    return [fault for key, value in comparison.expected.items() for fault in comparison.check(key, value)]


class _Comparison:
    """One case being compared."""

    def __init__(self, given: Seen, expected: Seen, observed: Seen) -> None:
        self.given = given
        self.tolerance = expected.get("tolerance", 1e-9)
        self.expected = {key: value for key, value in expected.items() if key != "tolerance"}
        self.whole = expected
        self.observed = observed
        if expected.get("near_miss") == "optional":
            self._loosen_hint()

    def _loosen_hint(self) -> None:
        """An optional hint need not be given; where it is, it must touch the place that the case names."""
        del self.expected["near_miss"]
        self.expected.pop("near_miss_kind", None)
        nearest = self.expected.pop("nearest", None)
        if nearest and self.observed.get("nearest"):
            self.expected["hint_touches"] = nearest

    def check(self, key: str, value: Any) -> list[str]:
        """One field of what is expected."""
        for pattern, rule in _RULES:
            if found := re.fullmatch(pattern, key):
                subject = found.groupdict().get("subject") or key
                return rule(self, subject, value)
        return _equal(self, key, value)

    def text_of(self, path: str) -> Any:
        """The string that ``of`` names."""
        at: Any = self.whole if path.startswith("expected.") else self.given
        for step in path.removeprefix("expected.").split("."):
            at = at[step]
        return at

    def matches(self, value: Any, found: Any, key: str) -> bool:
        """Whether what was found is what was expected; of an object at least its expected fields."""
        if isinstance(value, Mapping):
            return isinstance(found, Mapping) and all(
                self._field_matches(name, each, value, found) for name, each in value.items()
            )
        if isinstance(value, list):
            return isinstance(found, list | tuple) and self._list_matches(value, found, key)
        if isinstance(value, float) and isinstance(found, int | float):
            return bool(abs(value - found) <= self.tolerance)
        if key in _WORDS and isinstance(value, str):
            return isinstance(found, str) and mean_the_same(value, found)
        return isinstance(value, bool) == isinstance(found, bool) and bool(value == found)

    def _field_matches(self, name: str, each: Any, value: Seen, found: Seen) -> bool:
        if name == "of":
            return bool(self.text_of(each)[value["start"] : value["end"]] == value["text"])
        if name == "text" and "of" in value:
            return True  # said by the offsets, which "of" has checked
        if name == "contains":
            return str(each) in str(found["text"])
        return name in found and self.matches(each, found[name], name)

    def _list_matches(self, value: list[Any], found: Sequence[Any], key: str) -> bool:
        at_least = key in _AT_LEAST or any(isinstance(each, Mapping) and "contains" in each for each in value)
        if not at_least and len(value) != len(found):
            return False
        if not at_least and key not in _UNORDERED:
            return all(self.matches(each, one, key) for each, one in zip(value, found, strict=True))
        left = list(found)
        for each in value:
            index = next((index for index, one in enumerate(left) if self.matches(each, one, key)), None)
            if index is None:
                return False
            del left[index]
        return True


def _equal(case: _Comparison, key: str, value: Any) -> list[str]:
    if key not in case.observed:
        return [f"{key}: nothing observed"]
    found = case.observed[key]
    return [] if case.matches(value, found, key) else [f"{key}: expected {value!r}, found {found!r}"]


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _one_of(case: _Comparison, key: str, value: Any) -> list[str]:
    found = case.observed.get(key)
    return [] if found in value else [f"{key}: expected one of {value!r}, found {found!r}"]


def _none_of(case: _Comparison, key: str, value: Any) -> list[str]:
    if key not in case.observed:
        return [f"{key}: nothing observed"]
    bad = [found for found in _listed(case.observed[key]) if found in value]
    return [f"{key}: {bad!r} must not appear"] if bad else []


def _includes(case: _Comparison, key: str, value: Any) -> list[str]:
    if key not in case.observed:
        return [f"{key}: nothing observed"]
    found = [str(one) for one in _listed(case.observed[key] or [])]
    missing = [word for word in value if not any(mean_the_same(word, one) for one in found)]
    return [f"{key}: {missing!r} missing from {found!r}"] if missing else []


def _contains(case: _Comparison, key: str, value: Any) -> list[str]:
    text = case.observed.get(key)
    return [f"{key}: {part!r} missing from {text!r}" for part in value if text is None or part not in text]


def _lacks(case: _Comparison, key: str, value: Any) -> list[str]:
    text = case.observed.get(key)
    if text is None:
        return [f"{key}: nothing observed"]
    return [f"{key}: {part!r} must not be in {text!r}" for part in value if part in text]


def _fits(case: _Comparison, key: str, value: Any) -> list[str]:
    text = case.observed.get(key)
    return [f"{key}: {part!r} does not fit {text!r}" for part in value if text is None or not re.search(part, text)]


def _counted(case: _Comparison, key: str) -> int | None:
    found = case.observed.get({"match": "matches"}.get(key, f"{key}s"))
    return None if found is None else len(found)


def _count(case: _Comparison, key: str, value: Any) -> list[str]:
    found = _counted(case, key)
    return [] if found == value else [f"number of {key}: expected {value}, found {found}"]


def _count_at_least(case: _Comparison, key: str, value: Any) -> list[str]:
    found = _counted(case, key)
    return [] if found is not None and found >= value else [f"number of {key}: at least {value}, found {found}"]


def _at_most(case: _Comparison, key: str, value: Any) -> list[str]:
    found = case.observed.get(key)
    return [] if found is not None and found <= value else [f"{key}: at most {value}, found {found}"]


def _avoids(case: _Comparison, key: str, value: Any) -> list[str]:
    looked_at = [name for name in _AVOIDED[key] if name in case.observed]
    if not looked_at:
        return [f"{key}: nothing observed"]
    others = [one for name in looked_at for one in case.observed[name] if one["start"] is not None]
    return [f"{key}: {each!r} was taken for one" for each in value for one in others if _touch(each, one)]


def _hint(case: _Comparison, key: str, value: Any) -> list[str]:
    found = case.observed["nearest"]
    return [] if _touch(value, found) else [f"nearest: expected about {value!r}, found {found!r}"]


def _touch(one: Seen, other: Seen) -> bool:
    return bool(one["start"] < other["end"] and other["start"] < one["end"])


def _every(case: _Comparison, key: str, value: Any) -> list[str]:
    found = case.observed.get("each")
    if not found:
        return ["each: nothing observed"]
    return [f"each: expected {value!r}, found {one!r}" for one in found if not case.matches(value, one, "each")]


def _claims_include(case: _Comparison, key: str, value: Any) -> list[str]:
    texts = [claim["text"] for claim in case.observed.get("claims") or []]
    missing = [words for words in value if not any(all(word in text for word in words) for text in texts)]
    return [f"no claim has {words!r} among {texts!r}" for words in missing]


def _claims_link(case: _Comparison, key: str, value: Any) -> list[str]:
    """A claim must hold the words, and what its references stand for either in its text or linked to it."""
    claims = case.observed.get("claims") or []
    faults = []
    for want in value:
        having = [claim for claim in claims if all(word in claim["text"] for word in want["claim_has"])]
        if not any(all(_linked(claim, said) for said in want["resolved"].values()) for claim in having):
            faults.append(f"no claim has {want!r} among {claims!r}")
    return faults


def _linked(claim: Seen, said: str) -> bool:
    return any(said in text for text in (claim["text"], *claim.get("linked", ())))


_RULES: tuple[tuple[str, Callable[[_Comparison, str, Any], list[str]]], ...] = (
    ("not_citations|not_claims", _avoids),
    ("hint_touches", _hint),
    ("each", _every),
    ("max_(?P<subject>.+)", _at_most),
    ("claims_each_include", _claims_include),
    ("claims_each_include_or_link", _claims_link),
    ("(?P<subject>.+)_must_not_contain", _lacks),
    ("(?P<subject>.+?)(?:_must_contain|_contains)", _contains),
    ("(?P<subject>.+)_must_match", _fits),
    ("(?P<subject>.+)_count_min", _count_at_least),
    ("(?P<subject>.+)_count", _count),
    ("(?P<subject>.+)_include", _includes),
    ("(?P<subject>label|status)_in", _one_of),
    ("(?P<subject>.+)_not", _none_of),
)
"""Names of expected fields, as patterns, with the rule that holds for them; all others are equal to what is seen."""
