"""The six metrics, worked by hand on small tables."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models import ClaimRow, Label, QuoteRow, QuoteState, Structural
from core.scorecard import Metric, scorecard
from tests.core.rows import claim_row, span_row


def cited(label: Label | None, *spans: Label | None, **more: Any) -> ClaimRow:
    """A claim with this label and one span for each further label."""
    return claim_row(label=label, spans=tuple(span_row(label=one) for one in spans), **more)


def uncited(**more: Any) -> ClaimRow:
    """A claim without citations."""
    values: dict[str, Any] = {"label": Label.UNCITED, "structural": Structural.UNCITED, "cites": (), "spans": ()}
    return claim_row(**(values | more))


def quoted(*states: QuoteState, **more: Any) -> ClaimRow:
    """A claim with one quotation in each of these states."""
    quotes = tuple(QuoteRow(text="q", start=None, end=None, match=state) for state in states)
    return claim_row(quotes=quotes, **more)


def figures(metric: Metric) -> tuple[int, int, int, int]:
    """Numerator, denominator, attempted, excluded."""
    return metric.numerator, metric.denominator, metric.attempted, metric.excluded


TABLE = [
    cited(Label.SUPPORTED, Label.SUPPORTED),
    cited(Label.SECONDARY_ONLY, Label.SECONDARY_ONLY, Label.SUPPORTED),
    cited(Label.PARTIAL, Label.PARTIAL),
    cited(Label.UNRESOLVABLE, Label.SUPPORTED, Label.UNRESOLVABLE),
    cited(Label.INACCESSIBLE, Label.INACCESSIBLE),
    cited(None, None),
    cited(Label.IRRELEVANT, Label.IRRELEVANT, material=False),
    uncited(),
    uncited(material=False, label=None, structural=Structural.OK),  # says nothing that needs a source: not counted
    claim_row(label=Label.UNRESOLVABLE, structural=Structural.MALFORMED, spans=(span_row(label=Label.UNRESOLVABLE),)),
]


def test_hand_worked_table() -> None:
    """Nine claims count; ten spans, one inaccessible, one without a verdict."""
    card = scorecard(TABLE)

    assert figures(card.structurally_cited) == (7, 9, 9, 0)  # not: one uncited, one malformed
    assert figures(card.citations_resolvable) == (7, 9, 10, 1)  # not: two unresolvable
    assert figures(card.citation_support) == (4, 8, 10, 2)  # three supported and one secondary
    assert figures(card.uncited_material) == (1, 8, 8, 0)
    assert figures(card.unsupported) == (5, 7, 9, 2)  # partial, 2 unresolvable, irrelevant, uncited
    assert figures(card.unsupported_lenient) == (4, 7, 9, 2)
    assert card.secondary_only == 1
    assert card.unsupported.estimate.estimate == 5 / 7
    assert (card.unsupported.lowest, card.unsupported.highest) == (5 / 9, 7 / 9)


@given(st.permutations([row.model_copy(update={"request_id": f"r{at % 4}"}) for at, row in enumerate(TABLE * 2)]))
def test_the_order_of_the_rows_decides_nothing(rows: list[ClaimRow]) -> None:
    """Figures and intervals are those of the same answers, whatever claim of theirs comes when."""
    assert scorecard(rows) == scorecard(sorted(rows, key=lambda row: row.request_id))
    assert "4 clusters" in scorecard(rows).unsupported.estimate.method


def test_quotations_are_counted_one_by_one() -> None:
    """A near miss and an invention fail; one that could not be looked for is left out."""
    card = scorecard(
        [
            quoted(QuoteState.VERBATIM, QuoteState.NEAR_MISS, quote=QuoteState.NEAR_MISS),
            quoted(QuoteState.NOT_FOUND, quote=QuoteState.NOT_FOUND),
            quoted(QuoteState.NOT_GIVEN),
        ]
    )

    assert figures(card.quote_failures) == (2, 3, 4, 1)
    assert figures(card.unsupported_lenient) == (1, 3, 3, 0)  # the invented one, though its label is supported


def test_every_figure_names_its_judge() -> None:
    """Verifier and protocol stand with the rates, in the record and in print."""
    card = scorecard(TABLE)

    assert (card.verifier, card.protocol) == ("lexical", "lexical@1+00000000")
    assert card.lines()[-1] == "judged by lexical under lexical@1+00000000"
    assert len(card.lines()) == len(card.metrics()) + 1


def test_nothing_is_no_rate() -> None:
    """No rows, or none that was judged: no data instead of 0 per cent."""
    assert scorecard([]).unsupported.estimate.estimate is None
    assert scorecard([]).protocol is None
    unjudged = scorecard([cited(None, None)]).unsupported
    assert (unjudged.estimate.estimate, unjudged.lowest, unjudged.highest) == (None, 0.0, 1.0)
    assert "no data" in unjudged.line()
    assert "0.0%" in unjudged.line()


def test_two_protocols_have_no_common_rate() -> None:
    """Averaging across them would hide which judge said what."""
    with pytest.raises(ValueError, match="protocol"):
        scorecard([claim_row(), claim_row(protocol="lexical@1+11111111")])


def test_a_leaked_marker_counts_as_an_attempt_to_cite() -> None:
    """Also where the claim is not material."""
    leaked = uncited(material=False, structural=Structural.LEAKED_MARKER, label=Label.UNRESOLVABLE)

    assert figures(scorecard([leaked]).unsupported) == (1, 1, 1, 0)


def test_a_line_says_share_interval_and_counts() -> None:
    """What a terminal shows; 5 of 10 has the Wilson interval 23.7 to 76.3 per cent."""
    line = Metric.of("uncited material", "material claims", 5, 12, 2).line()

    assert line == (
        "uncited material                50.0%  [23.7%, 76.3%]     "
        "5 of 10 material claims; 2 of 12 not judged: 41.7% to 58.3%"
    )
