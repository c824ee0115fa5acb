"""A check for build systems: JUnit XML, which they all read, and a Markdown summary."""

from __future__ import annotations

import re
from xml.etree import ElementTree  # nosec B405 # written, never parsed

from core.check import CheckOutcome, Outcome

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ACTIVE = re.compile(r"([\\`*_\[\]<>|])")


def junit(found: CheckOutcome) -> bytes:
    """One test case a figure; what failed is a failure, what is INCONCLUSIVE an error.

    A check that nothing can pass for another reason, such as lines that could not be read, has a case for that.
    """
    failed = [one for one in found.figures if one.outcome is Outcome.FAIL]
    open_ = [one for one in found.figures if one.outcome is Outcome.INCONCLUSIVE]
    whole = not (failed or open_) and found.outcome is not Outcome.PASS
    counts = {
        "name": f"citedesk check {found.protocol}",
        "tests": str(len(found.figures) + whole),
        "failures": str(len(failed)),
        "errors": str(len(open_) + whole),
    }
    suite = ElementTree.Element("testsuite", {name: _clean(value) for name, value in counts.items()})
    for one in found.figures:
        _case(suite, one.name, one.outcome, one.sentence)
    if whole:
        _case(suite, "everything could be read", found.outcome, found.sentences[-1])
    root = ElementTree.Element("testsuites")
    root.append(suite)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def markdown(found: CheckOutcome) -> str:
    """The outcome, the figures as a table, and the sentences."""
    lines = [
        f"## Citedesk: {found.outcome}",
        "",
        "| figure | value | 95 % | n | limit | outcome |",
        "| --- | ---: | --- | ---: | ---: | --- |",
    ]
    for one in found.figures:
        value = "none" if one.estimate is None else f"{one.estimate:.1%}"
        interval = "" if one.low is None or one.high is None else f"{one.low:.1%} to {one.high:.1%}"
        lines.append(f"| {one.name} | {value} | {interval} | {one.n:,} | {one.limit:.1%} | {one.outcome} |")
    return "\n".join([*lines, "", *(f"- {_escaped(one)}" for one in found.sentences), ""])


def _case(suite: ElementTree.Element, name: str, outcome: Outcome, sentence: str) -> None:
    case = ElementTree.SubElement(suite, "testcase", {"classname": "citedesk.check", "name": name})
    if outcome is Outcome.PASS:
        ElementTree.SubElement(case, "system-out").text = _clean(sentence)
        return
    kind = "failure" if outcome is Outcome.FAIL else "error"
    ElementTree.SubElement(case, kind, {"type": str(outcome), "message": _clean(sentence)})


def _escaped(text: str) -> str:
    return _ACTIVE.sub(r"\\\1", text)


def _clean(text: str) -> str:
    """Without what XML has no place for."""
    return _NOT_XML.sub("\ufffd", text)
