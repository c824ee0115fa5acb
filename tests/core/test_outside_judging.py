"""Works outside the registry: judged on what was really read; nothing that is closed counts against a claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import pipeline
from core.cited_works import Found, LookedAnswer, SuppliedPassage, citations, work_of
from core.metrics.unsupported_rate import counts
from core.models import Answer, ClaimRow, Evidence, GivenClaim, Label, MergePolicy, Resolve
from core.protocol import ClaimProtocol
from core.references import (
    NOT_CHECKED,
    Exists,
    Field,
    Matches,
    Reachable,
    Read,
    Reason,
    Reference,
    ReferenceFinding,
    Scope,
    Substitute,
)
from core.semantic import Judge
from core.text import sha256
from tests.fakes.scripted import ScriptedVerifier

LINK = "https://a.example/loan"
TEXT = "The bank lent the town four million crowns in 2020."
QUOTE = "all of it was paid back"
AT = datetime(2026, 11, 30, 9, 5, tzinfo=UTC)


class Told:
    """Works of which a test says what was found."""

    def __init__(self, found: Mapping[str, Found]) -> None:
        """By the text of the reference."""
        self.found, self.asked = found, list[Reference]()

    def find(self, references: Sequence[Reference]) -> dict[Reference, Found]:
        """What the test says."""
        self.asked += references
        return {one: self.found[one.text] for one in references if one.text in self.found}


def read(scope: Scope = Scope.WHOLE, text: str = TEXT) -> Read:
    """A text that was read."""
    return Read(text=text, sha256=sha256(text), at=AT, locator=LINK, scope=scope, title="The loan")


def finding(reason: Reason = Reason.OK, **more: Any) -> ReferenceFinding:
    """A finding on the link."""
    given: dict[str, Any] = {
        "reference": Reference(text=LINK),
        "kind": "url",
        "identifier": LINK,
        "said": "So it stands.",
    }
    return ReferenceFinding(**(given | {"reason": reason} | more))


def live(**more: Any) -> ReferenceFinding:
    """One whose text was read."""
    given: dict[str, Any] = {"exists": Exists.YES, "reachable": Reachable.LIVE, "read": read()}
    return finding(**(given | more))


def passage(text: str = TEXT, is_whole: bool = False, who: str = "ann") -> SuppliedPassage:
    """What somebody supplied."""
    return SuppliedPassage(
        passage_id="p", kind="url", identifier=LINK, text=text, locator="p. 4", is_whole=is_whole, who=who, at=AT
    )


def found(one: ReferenceFinding | None = None, *passages: SuppliedPassage) -> dict[str, Found]:
    """What is known of the link."""
    return {LINK: Found(kind="url", identifier=LINK, finding=one, passages=passages)}


def row(
    works: Mapping[str, Found],
    label: Label = Label.SUPPORTED,
    quote: str | None = None,
    merge: MergePolicy = MergePolicy.ALL,
    evidence: tuple[Evidence, ...] = (),
    cites: tuple[str, ...] = (LINK,),
    whole: Label = Label.SUPPORTED,
) -> ClaimRow:
    """The row of one claim that cites the link, when the judge says ``label`` of whatever it reads there."""
    claim = GivenClaim(text="The bank lent the town money.", citation_ids=cites, quotes=(quote,) if quote else ())
    judge = Judge(ScriptedVerifier({TEXT: label, "The registry's own text.": whole}), [])
    protocol = ClaimProtocol(verifier=judge.protocol, merge=merge, splitter="s@1", materiality="m@1")
    answer = Answer(request_id="r1", claims=(claim,), evidence=evidence)
    (checked,) = pipeline.check([answer], judge, protocol, Told(works))
    (made,) = checked.rows
    return made


OWN = Evidence(id="C1", text="The registry's own text.")


def test_the_text_that_was_read_is_judged_and_named() -> None:
    """The row says that it was fetched now, from where and when."""
    made = row(found(live()))

    assert (made.label, made.resolve, made.spans[0].label) == (Label.SUPPORTED, Resolve.OK, Label.SUPPORTED)
    assert made.excerpt == TEXT
    assert made.notes == (f"{LINK}: fetched now, not supplied then, from a.example on 30 November 2026 09:05 UTC",)


def test_what_a_whole_page_says_may_contradict() -> None:
    """It was read to its end."""
    assert row(found(live()), Label.CONTRADICTED).label is Label.CONTRADICTED


@pytest.mark.parametrize("label", [one for one in Label if one is not Label.SUPPORTED])
@pytest.mark.parametrize("merge", MergePolicy)
def test_a_part_refutes_nothing(label: Label, merge: MergePolicy) -> None:
    """Of an abstract only support counts; under every policy, and also in the words of the judge."""
    made = row(found(live(read=read(Scope.ABSTRACT))), label, merge=merge)

    assert (made.label, made.resolve, made.semantic) == (Label.INACCESSIBLE, Resolve.INACCESSIBLE, "skipped")
    assert made.spans[0].label is Label.INACCESSIBLE
    assert "only its abstract could be read, so only support counts" in made.notes[1]


@pytest.mark.parametrize("merge", MergePolicy)
def test_a_part_can_support(merge: MergePolicy) -> None:
    """What stands in it, stands in the work."""
    assert row(found(live(read=read(Scope.ABSTRACT))), merge=merge).label is Label.SUPPORTED


def test_a_quotation_that_an_abstract_lacks_may_stand_in_the_rest() -> None:
    """Neither a near miss nor a fabrication; a whole page settles it."""
    assert row(found(live(read=read(Scope.ABSTRACT))), quote=QUOTE).label is Label.INACCESSIBLE
    assert row(found(live(read=read(Scope.ABSTRACT))), quote=QUOTE).quote == "not_given"
    assert row(found(live()), quote=QUOTE).quote == "not_found"


def test_joint_reads_only_whole_texts_together() -> None:
    """A part beside a whole text neither adds to it nor takes from it."""
    works = found(live(read=read(Scope.PARTIAL)))
    made = row(works, Label.IRRELEVANT, merge=MergePolicy.JOINT, evidence=(OWN,), cites=("C1", LINK))

    assert [span.label for span in made.spans] == [Label.SUPPORTED, Label.INACCESSIBLE]
    assert made.label is Label.SUPPORTED


def test_not_checked_has_no_label_and_says_so() -> None:
    """Nobody was asked: neither unresolvable nor counted."""
    made = row(found(finding(Reason.OFFLINE, said="Not checked: this desk works offline.")))

    assert (made.label, made.resolve, made.semantic, made.action) == (None, Resolve.NOT_CHECKED, "skipped", "none")
    assert made.notes == (f"{LINK}: Not checked: this desk works offline.",)
    assert made.spans[0].reason == "Not checked: this desk works offline."


def test_without_works_nothing_changes() -> None:
    """The registry alone: a link that it lacks is unresolvable, as ever; nobody is asked about what it has."""
    assert row({}).label is Label.UNRESOLVABLE
    told = Told({})
    judge = Judge(ScriptedVerifier({}), [])
    protocol = ClaimProtocol(verifier=judge.protocol, splitter="s@1", materiality="m@1")
    cited = GivenClaim(text="It is.", citation_ids=("C1", "9f2c1a7b4e10:p4.0-812", "javascript:alert(1)"))
    entry = Evidence(id="C1", text="The registry's own text.", uri=LINK)
    list(pipeline.check([Answer(request_id="r", claims=(cited,), evidence=(entry,))], judge, protocol, told))

    assert told.asked == []


def test_a_source_that_the_log_could_not_read_is_looked_up_by_its_address() -> None:
    """And judged under its own id; the registry's entry keeps its name."""
    shut = Evidence(id="C1", text="", uri=LINK, title="The loan", accessible=False)
    made = row(found(live()), evidence=(shut,), cites=("C1",))

    assert (made.label, made.cites) == (Label.SUPPORTED, ("C1",))
    assert row({}, evidence=(shut,), cites=("C1",)).label is Label.INACCESSIBLE


def test_a_mismatch_and_a_substitute_stand_beside_the_label() -> None:
    """They never change it."""
    copy = Substitute(kind="archived copy", what="https://archive.example/1")
    made = row(found(live(matches=Matches.DIFFERS, differs=(Field.TITLE, Field.YEAR), substitute=copy)))

    assert made.label is Label.SUPPORTED
    assert made.notes[1:] == (
        f"{LINK}: archived copy was read instead of the cited source: https://archive.example/1",
        f"{LINK}: what the answer says of the work differs in title, year",
    )


@pytest.mark.parametrize(
    ("label", "part", "whole"),
    [
        (Label.SUPPORTED, Label.SUPPORTED, Label.SUPPORTED),
        (Label.CONTRADICTED, Label.CONTRADICTED, Label.CONTRADICTED),
        (Label.IRRELEVANT, Label.INACCESSIBLE, Label.IRRELEVANT),
        (Label.PARTIAL, Label.INACCESSIBLE, Label.PARTIAL),
    ],
)
def test_supplied_passages_show_what_stands_in_them(label: Label, part: Label, whole: Label) -> None:
    """What a passage lacks may stand in the rest, unless it is the whole text; who supplied it is said."""
    made = row(found(None, passage()), label)

    assert made.label is part
    assert made.notes[0].startswith(f"{LINK}: judged on a passage supplied by ann on 30 November 2026")
    assert row(found(None, passage(is_whole=True)), label).label is whole


def test_every_work_of_an_answer_is_found_once_a_citation() -> None:
    """By the address of evidence, or as cited; chunk ids, scripts and files are no works."""
    entries = (
        Evidence(id="C1", text="x", uri=LINK),
        Evidence(id="C2", text="x"),
        Evidence(id="C3", text="", uri="f.pdf"),
    )
    answer = Answer(request_id="r", claims=(), evidence=entries)
    cites = {"c1": ("C1", "10.5555/abc"), "c2": ("10.5555/abc", "file:///etc/passwd", "af12:p1.0-9")}

    assert [(one.cite, one.claims, work_of(one.reference)) for one in citations(answer, cites)] == [
        ("C1", ("c1",), ("url", LINK)),
        ("10.5555/abc", ("c1", "c2"), ("doi", "10.5555/abc")),
    ]


READS = st.one_of(st.none(), st.builds(read, st.sampled_from(Scope), st.sampled_from([TEXT, " "])))
FINDINGS = st.builds(
    finding,
    st.sampled_from(Reason),
    exists=st.sampled_from(Exists),
    matches=st.sampled_from(Matches),
    reachable=st.sampled_from(Reachable),
    read=READS,
)
CLOSED = (Reachable.BLOCKED, Reachable.UNKNOWN)


@pytest.mark.parametrize("merge", MergePolicy)
def test_a_part_without_the_quoted_words_supports_nothing(merge: MergePolicy) -> None:
    """They may stand in the rest, which nobody read: under every policy the claim is as its citation is."""
    made = row(found(live(read=read(Scope.PARTIAL))), Label.SUPPORTED, "words that are not in the part", merge)

    assert (made.label, made.spans[0].label) == (Label.INACCESSIBLE, Label.INACCESSIBLE)


@given(
    one=FINDINGS,
    label=st.sampled_from(Label),
    quote=st.sampled_from([None, QUOTE, "the town"]),
    merge=st.sampled_from(MergePolicy),
    own=st.booleans(),
)
def test_nothing_closed_counts_against_a_claim(
    one: ReferenceFinding, label: Label, quote: str | None, merge: MergePolicy, own: bool
) -> None:
    """Whatever was found and whatever a judge would say: closed or unasked is never a fault, nor part of the rate."""
    made = row(found(one), label, quote, merge, (OWN,) if own else ())
    (span,) = made.spans
    closed = one.label is Label.INACCESSIBLE or (
        one.reachable in CLOSED and one.exists is not Exists.NO and not one.read
    )

    if one.reason in NOT_CHECKED - {Reason.MALFORMED}:
        assert (span.label, made.label) == (None, None)
    elif closed and one.reason is not Reason.MALFORMED and one.label is not Label.UNRESOLVABLE:
        assert (span.label, made.label) == (Label.INACCESSIBLE, Label.INACCESSIBLE)
    elif (
        one.reason is not Reason.MALFORMED
        and one.read
        and not one.read.is_whole
        and not one.label
        and span.label is not Label.SUPPORTED
    ):
        assert made.label is Label.INACCESSIBLE
    else:
        return
    for strictness in ("strict", "lenient"):
        assert not counts(made.label, made.quote, strictness)


def test_what_was_looked_at_travels_with_the_answer() -> None:
    """So that the store can keep it beside the verdict."""
    judge = Judge(ScriptedVerifier({TEXT: Label.SUPPORTED}), [])
    protocol = ClaimProtocol(verifier=judge.protocol, splitter="s@1", materiality="m@1")
    claims = (GivenClaim(text="It did.", citation_ids=(LINK,)), GivenClaim(text="It did so.", citation_ids=(LINK,)))
    (checked,) = pipeline.check([Answer(request_id="r", claims=claims)], judge, protocol, Told(found(live())))

    assert isinstance(checked, LookedAnswer)
    (looked,) = checked.looked
    assert looked.evidence is not None
    assert (looked.cite, looked.evidence.text, looked.evidence.meta["origin"]) == (
        LINK,
        TEXT,
        "fetched now, not supplied then",
    )
