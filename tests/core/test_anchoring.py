"""Minds that changed after a verdict was shown, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.anchoring import NOBODY, count, measure
from core.cli import cli
from core.models import Label
from core.store import open_store
from core.store.label_records import LabelEvent, LabelKind
from core.store.reveals import Mind
from tests.core.store import build

SUPPORTED, PARTIAL, IRRELEVANT = Label.SUPPORTED, Label.PARTIAL, Label.IRRELEVANT
NAME = str(build.PROTOCOL)


def mind(before: Label, now: Label) -> Mind:
    """What somebody said of a span that the judge calls partial."""
    return Mind(before=before, now=now, judge=PARTIAL)


def test_towards_away_and_elsewhere_are_counted_apart() -> None:
    """2 of 4 that differed came over, one went elsewhere; 1 of 5 that agreed left. Wilson bounds by hand: z = 1.96."""
    differed = [mind(SUPPORTED, PARTIAL)] * 2 + [mind(SUPPORTED, SUPPORTED), mind(SUPPORTED, IRRELEVANT)]
    agreed = [mind(PARTIAL, PARTIAL)] * 4 + [mind(PARTIAL, SUPPORTED)]

    found = count([*differed, *agreed], NAME)

    assert (found.towards.estimate, found.towards.n, found.elsewhere) == (0.5, 4, 1)
    assert (found.away.estimate, found.away.n) == (0.2, 5)
    assert found.towards.low is not None
    assert found.away.high is not None
    assert (round(found.towards.low, 3), round(found.away.high, 3)) == (0.15, 0.624)


def test_the_figures_are_said_in_one_sentence() -> None:
    """With n and interval for each direction; a direction without labels says so."""
    differed = [mind(SUPPORTED, PARTIAL)] * 2 + [mind(SUPPORTED, SUPPORTED), mind(SUPPORTED, IRRELEVANT)]

    assert count(differed, NAME).sentence == (
        f"After people were shown what {NAME} said: 2 of 4 labels that differed from it were changed to its word "
        "(50%, 95% interval 15% to 85%); 1 went to a third label; there were no labels that agreed with it."
    )


def test_the_command_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a store where nobody was shown anything: that; a JSON object a judge with ``--json``, here none."""
    with open_store(tmp_path / "desk.duckdb") as store:
        store.record(build.batch(build.checked(build.answer(), [PARTIAL])))
    where = ["--store", str(tmp_path / "desk.duckdb")]
    codes = [cli.main(["labels", "anchoring", *where], standalone_mode=False)]
    said = capsys.readouterr().out
    codes.append(cli.main(["labels", "anchoring", "--json", *where], standalone_mode=False))

    assert (codes, said, capsys.readouterr().out) == ([0, 0], f"{NOBODY}\n", "")


def test_without_minds_there_is_no_share() -> None:
    """No data is said, never 0."""
    assert count([], NAME).towards.estimate is None


def test_blind_and_later_labels_are_paired_span_by_span(tmp_path: Path) -> None:
    """Only people who were shown the verdict count; taking a label back and giving another is a changed mind too."""
    claims = [build.claim(number) for number in (1, 2, 3)]
    with open_store(tmp_path / "desk.duckdb") as store:
        store.record(build.batch(build.checked(build.answer(), [PARTIAL] * 3, claims)))
        uids = [build.uid(build.answer(), one) for one in claims]

        def say(number: int, of: int, label: Label | None, undoes: str | None = None, who: str = "ana") -> None:
            span = store.labels.span(uids[of], "C1")
            assert span is not None
            event = LabelEvent(
                event_id=f"e{number}",
                kind=LabelKind.UNDO if undoes else LabelKind.LABEL,
                claim_uid=uids[of],
                cite="C1",
                labeller=who,
                label=label,
                undoes=undoes,
                guideline="v1",
                seen_sha256=span.seen_sha256,
            )
            store.labels.add([event])

        say(1, 0, IRRELEVANT)
        say(2, 0, None, undoes="e1")
        say(3, 0, SUPPORTED)  # what counts as blind
        say(4, 1, PARTIAL)
        say(5, 2, SUPPORTED)  # ana is never shown what the judge said of it
        say(6, 0, SUPPORTED, who="ben")  # nor is ben
        store.reveals.note("ana", uids[:2], "review")
        say(7, 0, None, undoes="e3")
        say(8, 0, PARTIAL)

        found = measure(store, NAME)

    assert (found.towards.estimate, found.towards.n) == (1.0, 1)
    assert (found.away.estimate, found.away.n) == (0.0, 1)
