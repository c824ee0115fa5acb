"""Claim rows: one label, one action, one deciding citation for what the stages found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from core import quotes, resolvability, structural
from core.claim_table import WORST_RESOLVE, CheckedClaim, build_row, stage_verdicts
from core.models import (
    Action,
    Answer,
    Claim,
    ClaimRow,
    Evidence,
    Judgement,
    Label,
    MergePolicy,
    Qualifier,
    QuoteState,
    Resolve,
    Stage,
    Status,
    Structural,
)
from core.protocol import ClaimProtocol, VerifierProtocol
from core.registry import Registry

TEXT = "Cars stop here. The toll is 3 crowns."
OTHER = "The toll is 4 crowns."
EVIDENCE = (
    Evidence(id="A", text=TEXT, locator="toll.txt:p1"),
    Evidence(id="B", text=OTHER, title="Tolls"),
    Evidence(id="shut", text="", accessible=False),
    Evidence(id="old", text=TEXT, active=False),
    Evidence(id="unseen", text=TEXT, in_context=False),
    Evidence(id="blank", text=" "),
    Evidence(id="two", text="one"),
    Evidence(id="two", text="other"),
)


def judged(label: Label | None = Label.SUPPORTED, **changes: Any) -> Judgement:
    """A judgement carried by the second sentence of TEXT."""
    values: dict[str, Any] = {
        "status": Status.JUDGED if label else Status.FAILED,
        "label": label,
        "scores": {"coverage": 1.0} if label else {},
        "start": 16 if label else None,
        "end": 37 if label else None,
        "tokens_seen": 8,
        "tokens_total": 8,
        "reason": "so it says" if label else "time-out",
    }
    return Judgement(**(values | changes))


def check(
    *cites: str,
    judgements: Mapping[str, Judgement] | None = None,
    joint: Judgement | None = None,
    policy: MergePolicy = MergePolicy.ALL,
    **claim: Any,
) -> CheckedClaim:
    """Run the stages before the verifier, and add what it said."""
    one = Claim(claim_id="c1", text="The toll is 3 crowns.", cites=cites, **claim)
    registry = Registry.build(EVIDENCE)
    structure = structural.check(one, registry.ids)
    resolutions = resolvability.check(one, structure, registry)
    finding = quotes.check(one, resolutions, registry, policy)
    return CheckedClaim(
        claim=one,
        structure=structure,
        resolutions=resolutions,
        quotes=finding,
        judgements=dict(judgements or {}),
        joint=joint,
    )


def protocol(policy: MergePolicy = MergePolicy.ALL) -> ClaimProtocol:
    """Any protocol with this policy."""
    verifier = VerifierProtocol(verifier="scripted", version=1, thresholds={}, windowing="whole")
    return ClaimProtocol(verifier=verifier, merge=policy, splitter="s@1", materiality="m@1")


def row(*cites: str, policy: MergePolicy = MergePolicy.ALL, **more: Any) -> ClaimRow:
    """The final row of a claim with these citations."""
    answer = Answer(request_id="r1", answer="The toll is 3 crowns.", evidence=EVIDENCE)
    return build_row(answer, check(*cites, policy=policy, **more), protocol(policy))


def test_a_supported_claim() -> None:
    """Every field of the row comes from the deciding citation."""
    found = row("A", judgements={"A": judged()}, flags=("number",), notes=("a remark",))

    assert (found.label, found.action, found.semantic) == (Label.SUPPORTED, Action.KEEP, "supported")
    assert (found.structural, found.resolve, found.quote) == (Structural.OK, Resolve.OK, QuoteState.NOT_GIVEN)
    assert found.location == "toll.txt:p1"
    assert found.excerpt == "The toll is 3 crowns."
    assert (found.excerpt_start, found.excerpt_end) == (16, 37)
    assert TEXT[16:37] == found.excerpt
    assert (found.verifier, found.protocol) == ("scripted", str(protocol()))
    assert (found.flags, found.notes) == (("number",), ("a remark",))
    (span,) = found.spans
    assert (span.cite, span.label, span.action, span.status) == ("A", Label.SUPPORTED, Action.KEEP, Status.JUDGED)
    assert (span.start, span.end, span.tokens_seen, span.tokens_total) == (16, 37, 8, 8)
    assert span.scores == {"coverage": 1.0}


def test_the_deciding_citation_is_the_one_that_made_the_label() -> None:
    """The worst span under ``all``, the best under ``any``; spans stay in citation order with labels of their own."""
    other = Qualifier(kind="number", claim="3 crowns", evidence="4 crowns", agrees=False)
    verdicts = {"A": judged(), "B": judged(Label.CONTRADICTED, start=0, end=21, qualifiers=(other,))}
    worst = row("A", "B", judgements=verdicts)
    best = row("A", "B", judgements=verdicts, policy=MergePolicy.ANY)

    assert (worst.label, worst.location, worst.excerpt) == (Label.CONTRADICTED, "Tolls", OTHER)
    assert worst.qualifiers == (other,)
    assert (best.label, best.location, best.qualifiers) == (Label.SUPPORTED, "toll.txt:p1", ())
    assert [span.label for span in worst.spans] == [span.label for span in best.spans]


@pytest.mark.parametrize(
    ("cite", "resolve", "label", "action"),
    [
        ("C9", Resolve.NOT_IN_REGISTRY, Label.UNRESOLVABLE, Action.RE_RETRIEVE),
        ("two", Resolve.DUPLICATE_ID, Label.UNRESOLVABLE, Action.RE_RETRIEVE),
        ("old", Resolve.INACTIVE, Label.UNRESOLVABLE, Action.RE_RETRIEVE),
        ("unseen", Resolve.NOT_IN_CONTEXT, Label.UNRESOLVABLE, Action.RE_RETRIEVE),
        ("a:b:c", Resolve.NOT_CHECKED, Label.UNRESOLVABLE, Action.RE_RETRIEVE),
        ("shut", Resolve.INACCESSIBLE, Label.INACCESSIBLE, Action.STATE_LIMIT),
    ],
)
def test_what_does_not_resolve_is_skipped_not_scored(cite: str, resolve: Resolve, label: Label, action: Action) -> None:
    """No verifier label, no score, no tokens, no excerpt: nothing was read."""
    found = row(cite)

    assert (found.resolve, found.label, found.action, found.semantic) == (resolve, label, action, "skipped")
    assert (found.excerpt, found.excerpt_start, found.excerpt_end) == (None, None, None)
    (span,) = found.spans
    assert (span.status, span.label, span.action, span.scores) == (Status.SKIPPED, label, action, {})
    assert (span.tokens_seen, span.tokens_total, span.start, span.excerpt) == (0, 0, None, None)
    assert span.reason


def test_the_row_shows_the_worst_resolution() -> None:
    """In the order of DESIGN §4's words, whatever the order of the citations."""
    assert row("A", "shut", "C9", judgements={"A": judged()}).resolve is Resolve.NOT_IN_REGISTRY
    assert row("shut", "old", judgements={}).resolve is Resolve.INACTIVE
    assert set(WORST_RESOLVE) == set(Resolve)


def test_an_uncited_claim() -> None:
    """Nothing is resolved, nothing judged; the label says what to add."""
    found = row()

    assert (found.label, found.action) == (Label.UNCITED, Action.ADD_EVIDENCE)
    assert (found.structural, found.resolve, found.semantic) == (Structural.UNCITED, Resolve.NOT_CHECKED, "skipped")
    assert (found.spans, found.location) == ((), None)


def test_a_claim_that_is_not_material_needs_no_citation() -> None:
    """No label, nothing to do; if it cites, the citation is judged like any other."""
    found = row(material=False)

    assert (found.label, found.action, found.structural) == (None, Action.NONE, Structural.OK)
    assert row("C9", material=False).label is Label.UNRESOLVABLE


def test_a_leaked_marker_without_a_usable_citation_is_unresolvable() -> None:
    """The marker names nothing; beside a citation that can be judged it is noted."""
    alone = row(leaked=("citeturn0search1",))
    beside = row("A", leaked=("citeturn0search1",), judgements={"A": judged()})

    assert (alone.structural, alone.label) == (Structural.LEAKED_MARKER, Label.UNRESOLVABLE)
    assert row("shut", leaked=("x",)).label is Label.UNRESOLVABLE
    assert (beside.structural, beside.label) == (Structural.LEAKED_MARKER, Label.SUPPORTED)
    assert any("citeturn0search1" in note for note in beside.notes)


def test_a_failed_judge_gives_no_label() -> None:
    """Neither the span nor the claim; what is worse than any verdict still shows."""
    found = row("A", judgements={"A": judged(None)})

    assert (found.label, found.action, found.semantic) == (None, Action.NONE, "failed")
    assert (found.spans[0].status, found.spans[0].label, found.spans[0].reason) == (Status.FAILED, None, "time-out")
    assert row("A", "C9", judgements={"A": judged(None)}).label is Label.UNRESOLVABLE
    assert row("A", "B", judgements={"A": judged(None), "B": judged()}).label is None


def test_a_citation_that_was_not_reached_has_no_label() -> None:
    """A budget that ended is no verdict."""
    found = row("A")

    assert (found.label, found.semantic, found.spans[0].status) == (None, "skipped", Status.SKIPPED)


def test_a_quotation_that_is_not_verbatim_makes_support_partial() -> None:
    """The gate takes; the verifier's own word stays readable, and its worse label stands."""
    near = row("A", judgements={"A": judged()}, quotes=("the toll is 3 crowns",))
    worse = row("A", judgements={"A": judged(Label.IRRELEVANT)}, quotes=("the toll is 3 crowns",))
    exact = row("A", judgements={"A": judged()}, quotes=("The toll is 3 crowns.",))
    failed = row("A", judgements={"A": judged(None)}, quotes=("the toll is 3 crowns",))

    assert (near.quote, near.label, near.semantic) == (QuoteState.NEAR_MISS, Label.PARTIAL, "supported")
    assert near.spans[0].reason.endswith("so it says")
    assert worse.label is Label.IRRELEVANT
    assert (exact.quote, exact.label) == (QuoteState.VERBATIM, Label.SUPPORTED)
    assert failed.label is None


def test_under_any_one_verbatim_span_is_enough() -> None:
    """The span without the quotation is partial, the claim is supported."""
    verdicts = {"A": judged(), "B": judged(start=0, end=21)}
    quote = ("The toll is 3 crowns.",)

    assert row("A", "B", judgements=verdicts, quotes=quote).label is Label.PARTIAL
    found = row("A", "B", judgements=verdicts, quotes=quote, policy=MergePolicy.ANY)
    assert (found.label, found.quote) == (Label.SUPPORTED, QuoteState.VERBATIM)
    assert [span.label for span in found.spans] == [Label.SUPPORTED, Label.PARTIAL]


def test_joint_points_into_the_text_that_carries_it() -> None:
    """Offsets of the joined texts become offsets of one of them; a stretch over the border is cut at it."""
    at = len(TEXT) + 2
    verdicts = {"A": judged(Label.PARTIAL), "B": judged(Label.PARTIAL, start=0, end=21)}
    second = row("A", "B", judgements=verdicts, joint=judged(start=at, end=at + 21), policy=MergePolicy.JOINT)
    over = row("A", "B", judgements=verdicts, joint=judged(start=16, end=at + 21), policy=MergePolicy.JOINT)

    assert (second.label, second.semantic, second.location, second.excerpt) == (
        Label.SUPPORTED,
        "supported",
        "Tolls",
        OTHER,
    )
    assert (over.location, over.excerpt_start, over.excerpt_end) == ("toll.txt:p1", 16, 37)
    assert [span.label for span in second.spans] == [Label.PARTIAL, Label.PARTIAL]


def test_joint_without_a_readable_span() -> None:
    """There is nothing to join."""
    assert row("C9", "shut", policy=MergePolicy.JOINT).label is Label.UNRESOLVABLE
    assert row("shut", policy=MergePolicy.JOINT).label is Label.INACCESSIBLE


def test_an_excerpt_is_short() -> None:
    """At most 25 words by ``str.split`` and 160 characters, also of a long carrying stretch."""
    long = " ".join(["toll"] * 200)
    answer = Answer(request_id="r1", answer="x", evidence=(Evidence(id="A", text=long),))
    checked = check("A", judgements={"A": judged(start=0, end=len(long))})
    source = checked.resolutions[0].model_copy(update={"evidence": answer.evidence[0]})
    found = build_row(answer, checked.model_copy(update={"resolutions": (source,)}), protocol())

    assert found.excerpt is not None
    assert len(found.excerpt.split()) == 25
    assert len(found.excerpt) <= 160
    assert (found.spans[0].start, found.spans[0].end) == (0, len(long))


def outcomes(checked: CheckedClaim) -> list[tuple[str | None, str, str, str]]:
    """Cite, stage, status and outcome of every stage verdict."""
    return [(one.cite, one.stage.value, one.status.value, one.outcome) for one in stage_verdicts(checked)]


def test_stages_of_a_citation_that_was_judged() -> None:
    """Four verdicts, each in the words of its own stage; a stage with nothing to do is skipped."""
    assert outcomes(check("A", judgements={"A": judged()})) == [
        ("A", "structural", "judged", "ok"),
        ("A", "resolvability", "judged", "ok"),
        ("A", "quote", "skipped", "not_given"),
        ("A", "support", "judged", "supported"),
    ]


def test_a_failed_stage_leaves_the_later_ones_skipped() -> None:
    """For that citation, and for no other."""
    assert outcomes(check("C9", "a:b:c", "A", judgements={"A": judged(None)})) == [
        ("C9", "structural", "judged", "ok"),
        ("C9", "resolvability", "judged", "not_in_registry"),
        ("C9", "quote", "skipped", "none"),
        ("C9", "support", "skipped", "none"),
        ("a:b:c", "structural", "judged", "malformed"),
        ("a:b:c", "resolvability", "skipped", "not_checked"),
        ("a:b:c", "quote", "skipped", "none"),
        ("a:b:c", "support", "skipped", "none"),
        ("A", "structural", "judged", "ok"),
        ("A", "resolvability", "judged", "ok"),
        ("A", "quote", "skipped", "not_given"),
        ("A", "support", "failed", "none"),
    ]


def test_stages_of_a_claim_without_citations() -> None:
    """The structural verdict stands for the claim, the later ones are skipped."""
    assert outcomes(check()) == [
        (None, "structural", "judged", "uncited"),
        (None, "resolvability", "skipped", "none"),
        (None, "quote", "skipped", "none"),
        (None, "support", "skipped", "none"),
    ]


def test_a_leaked_marker_has_a_verdict_of_its_own() -> None:
    """It is not held against the citation beside it."""
    found = outcomes(check("A", leaked=("citeturn0search1",), judgements={"A": judged()}))

    assert found[:2] == [(None, "structural", "judged", "leaked_marker"), ("A", "structural", "judged", "ok")]
    assert found[-1] == ("A", "support", "judged", "supported")
    assert len(found) == 5


def test_a_failed_quote_gate_does_not_hide_the_verifier() -> None:
    """Both verdicts are there."""
    found = stage_verdicts(check("A", judgements={"A": judged()}, quotes=("the toll is 3 crowns",)))

    assert {one.stage: one.outcome for one in found}[Stage.QUOTE] == "near_miss"
    assert {one.stage: one.outcome for one in found}[Stage.SUPPORT] == "supported"
