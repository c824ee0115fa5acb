"""What is kept beside a row for filters, rates and the review list."""

from __future__ import annotations

import pytest

from core.models import ClaimRow, Evidence, Label, QuoteState, Stage, StageVerdict, Status
from core.store import Store
from core.store.records import ClaimFilter
from core.store.verdicts import deciding_span
from tests.core.rows import claim_row, span_row
from tests.core.store import build

UNSUPPORTED = {"contradicted", "irrelevant", "wrong_scope", "uncited", "unresolvable"}


@pytest.mark.parametrize("label", [*Label, None])
@pytest.mark.parametrize("quote", [QuoteState.NOT_GIVEN, QuoteState.NOT_FOUND])
def test_unsupported_by_label_and_quote(store: Store, label: Label | None, quote: QuoteState) -> None:
    """DESIGN §2: strict counts six labels, lenient five; a lost quotation counts wherever anything was judged."""
    one = build.checked(build.answer(), [label], quote=quote)
    store.record(build.batch(one))
    found = {
        word: store.claim_page(ClaimFilter(protocol=str(build.PROTOCOL), unsupported=word)).total
        for word in ("strict", "lenient")
    }

    judged = label is not None and label is not Label.INACCESSIBLE
    lost = judged and quote is QuoteState.NOT_FOUND
    assert found == {
        "strict": int(lost or str(label) in UNSUPPORTED | {"partial"}),
        "lenient": int(lost or str(label) in UNSUPPORTED),
    }


def test_attempted_are_material_or_citing(store: Store) -> None:
    """A claim that is neither material nor citing is listed but never counts."""
    claims = [
        build.claim(1),
        build.claim(2, material=False),
        build.claim(3, cites=()),
        build.claim(4, cites=(), material=False),
    ]
    store.record(build.batch(build.checked(build.answer(), [Label.CONTRADICTED] * 4, claims)))
    wanted = ClaimFilter(protocol=str(build.PROTOCOL))

    assert store.claim_page(wanted).total == 4
    for filtered in ({"attempted_only": True}, {"unsupported": "strict"}):
        page = store.claim_page(wanted.model_copy(update=filtered))
        assert [item.claim_id for item in page.items] == ["c1", "c2", "c3"]


def spans(*states: tuple[str, Label | None, Status]) -> ClaimRow:
    """A row over spans, labelled as its second one."""
    made = tuple(span_row(cite=cite, label=label, status=status) for cite, label, status in states)
    return claim_row(spans=made, label=made[1].label)


def test_the_deciding_span() -> None:
    """The first span with the claim's label; without a label, the first that could not be judged."""
    partial = spans(("C1", Label.SUPPORTED, Status.JUDGED), ("C2", Label.PARTIAL, Status.JUDGED))
    failed = spans(("C1", None, Status.JUDGED), ("C2", None, Status.TRUNCATED))

    assert [found.cite for found in map(deciding_span, (partial, failed)) if found] == ["C2", "C2"]
    assert deciding_span(claim_row(spans=(), cites=())) is None
    joint = claim_row(label=Label.CONTRADICTED)
    assert deciding_span(joint) == joint.spans[0]


def shown(store: Store, row: ClaimRow, *stages: StageVerdict, evidence: tuple[Evidence, ...]) -> tuple[str, str]:
    """The why and the source that the list shows for a row."""
    one = build.checked(build.answer(evidence=evidence), [row.label])
    row = row.model_copy(update={"claim": one.claims[0].text})
    store.record(build.batch(one.model_copy(update={"rows": (row,), "stages": stages})))
    item = store.claim_page(ClaimFilter(protocol=str(build.PROTOCOL))).items[0]
    return item.why, item.source


def test_why_is_the_spans_reason_and_source_its_title(store: Store) -> None:
    """The reason that the deciding span carries is shown, with the title of what it cites."""
    row = claim_row(spans=(span_row(reason="half of it"),))

    assert shown(store, row, evidence=(Evidence(id="C1", text="x", title="Rules", locator="p1"),)) == (
        "half of it",
        "Rules",
    )


def test_why_falls_back_on_the_stages(store: Store) -> None:
    """Without a reason of its own the failed stage of that citation speaks; without a title the locator names it."""
    stages = (
        StageVerdict(
            claim_id="c1", cite="C1", stage=Stage.STRUCTURAL, status=Status.JUDGED, outcome="ok", reason="fine"
        ),
        StageVerdict(
            claim_id="c1", cite="C1", stage=Stage.QUOTE, status=Status.JUDGED, outcome="near_miss", reason="letter case"
        ),
    )

    assert shown(store, claim_row(), *stages, evidence=(Evidence(id="C1", text="x", locator="p1"),)) == (
        "letter case",
        "p1",
    )


def test_an_unresolvable_citation_is_named_by_its_id(store: Store) -> None:
    """Of an id that cannot be used, the id itself is shown, even when an entry has it."""
    row = claim_row(label=Label.UNRESOLVABLE, spans=(span_row(label=Label.UNRESOLVABLE, reason="not retrieved"),))

    assert shown(store, row, evidence=(Evidence(id="C1", text="x", title="Rules"),)) == ("not retrieved", "C1")


def test_an_uncited_claim_has_no_source(store: Store) -> None:
    """The structural stage says why, and the source is empty."""
    row = claim_row(label=Label.UNCITED, spans=(), cites=())
    stage = StageVerdict(
        claim_id="c1", cite=None, stage=Stage.STRUCTURAL, status=Status.JUDGED, outcome="uncited", reason="no citation"
    )

    assert shown(store, row, stage, evidence=()) == ("no citation", "")
