"""The pipeline: what a verifier is given, in which order, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from core import pipeline
from core.models import Answer, CheckedAnswer, Evidence, GivenClaim, Label, MergePolicy, Stage, Status
from core.protocol import ClaimProtocol
from core.semantic import Judge
from tests.fakes.scripted import ScriptedVerifier

OPEN = "The gate opens at seven."
SHUT = "The gate shuts at nine."


def answer(*claims: GivenClaim, evidence: dict[str, str], **more: Any) -> Answer:
    """An answer that names its claims and has these texts in its registry."""
    entries = tuple(Evidence(id=name, text=text) for name, text in evidence.items())
    return Answer(request_id="r1", claims=claims, evidence=entries, **more)


def claim(text: str, *cites: str, **more: Any) -> GivenClaim:
    """A given claim with its citations."""
    return GivenClaim(text=text, citation_ids=cites, **more)


def run(
    *answers: Answer, labels: dict[str, Label], merge: MergePolicy = MergePolicy.ALL
) -> tuple[list[CheckedAnswer], ScriptedVerifier]:
    """Check answers by a script; also gives the verifier, which knows what it was asked."""
    verifier = ScriptedVerifier(labels)
    judge = Judge(verifier, [])
    protocol = ClaimProtocol(verifier=judge.protocol, merge=merge, splitter="s@1", materiality="m@1")
    return list(pipeline.check(answers, judge, protocol)), verifier


def test_only_what_resolves_reaches_the_verifier() -> None:
    """An id that means nothing is never judged; its later stages are skipped, not failed."""
    (checked,), verifier = run(
        answer(claim("It opens.", "C1", "C9"), evidence={"C1": OPEN}), labels={OPEN: Label.SUPPORTED}
    )

    assert [pair.evidence for pair in verifier.asked] == [OPEN]
    assert checked.rows[0].label is Label.UNRESOLVABLE
    statuses = {(one.cite, one.stage): one.status for one in checked.stages}
    assert statuses["C9", Stage.SUPPORT] is Status.SKIPPED
    assert statuses["C1", Stage.SUPPORT] is Status.JUDGED


def test_a_failed_judge_gives_no_label() -> None:
    """An outage is not a verdict."""
    (checked,), _ = run(answer(claim("It opens.", "C1"), evidence={"C1": OPEN}), labels={})

    assert checked.rows[0].label is None
    assert checked.rows[0].semantic == "failed"


def test_quotations_come_first_then_numbers_then_the_rest() -> None:
    """A budget that ends early ends at the least urgent claims."""
    claims = (
        claim("The gate is green.", "C1"),
        claim("It opens at 7.", "C1"),
        claim("It is open.", "C1", quotes=("The gate opens at seven.",)),
    )
    _, verifier = run(answer(*claims, evidence={"C1": OPEN}), labels={OPEN: Label.SUPPORTED})

    assert [pair.claim for pair in verifier.asked] == ["It is open.", "It opens at 7.", "The gate is green."]


def test_rows_stay_in_claim_order() -> None:
    """The order of judging does not show in the table."""
    claims = (claim("The gate is green.", "C1"), claim("It opens at 7.", "C1"))
    (checked,), _ = run(answer(*claims, evidence={"C1": OPEN}), labels={OPEN: Label.SUPPORTED})

    assert [row.claim_id for row in checked.rows] == ["c1", "c2"]
    assert [row.claim for row in checked.rows] == ["The gate is green.", "It opens at 7."]


def test_the_same_pair_is_judged_once() -> None:
    """Two answers with the same claim and evidence cost one judgement and get the same verdict."""
    one = answer(claim("It opens.", "C1"), evidence={"C1": OPEN})
    checked, verifier = run(one, one.model_copy(update={"request_id": "r2"}), labels={OPEN: Label.SUPPORTED})

    assert len(verifier.asked) == 1
    assert [each.rows[0].label for each in checked] == [Label.SUPPORTED, Label.SUPPORTED]


@pytest.mark.parametrize(
    ("merge", "label"),
    [(MergePolicy.ALL, Label.IRRELEVANT), (MergePolicy.ANY, Label.SUPPORTED), (MergePolicy.JOINT, Label.PARTIAL)],
)
def test_merge_policies_differ_in_the_claim_not_in_the_spans(merge: MergePolicy, label: Label) -> None:
    """Every span keeps its own label; joint judges the spans as one text besides."""
    script = {OPEN: Label.SUPPORTED, SHUT: Label.IRRELEVANT, f"{OPEN}\n\n{SHUT}": Label.PARTIAL}
    (checked,), _ = run(
        answer(claim("It opens.", "C1", "C2"), evidence={"C1": OPEN, "C2": SHUT}), labels=script, merge=merge
    )

    assert checked.rows[0].label is label
    assert [span.label for span in checked.rows[0].spans] == [Label.SUPPORTED, Label.IRRELEVANT]


def test_batches_keep_everything_in_order() -> None:
    """A stream cut into lists loses nothing, the last list is shorter."""
    assert list(pipeline.batches(range(7), 3)) == [[0, 1, 2], [3, 4, 5], [6]]
    assert list(pipeline.batches([], 3)) == []
