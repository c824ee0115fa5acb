"""``citedesk calibrate``: a judge, or with ``--gate`` both errors of the gate, against labels given in a store."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from core.desk import Desk
from core.guidelines import FIRST
from core.metrics.wilson import interval
from core.models import Label
from core.settings import Settings
from core.store.label_records import LabelEvent, LabelKind
from core.store.records import ClaimFilter
from tests.core.test_cli import Command, log

EVIDENCE = [{"id": "C1", "text": "The gate opens at 7 in the morning and shuts at 9 in the evening."}]
OPENS, SHUTS, DOGS = "The gate opens at 7 in the morning.", "The gate shuts at 9 in the evening.", "Dogs pay."


def asked(number: int, *claims: tuple[str, str]) -> dict[str, Any]:
    """An answer of claims, each citing one id."""
    given = [{"text": text, "citation_ids": [cite]} for text, cite in claims]
    return {"request_id": f"r{number}", "claims": given, "evidence": EVIDENCE}


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command, on a store of its own."""
    monkeypatch.setenv("CITEDESK_VERIFIER", "lexical")
    return Command(monkeypatch, capsys, tmp_path / "desk.duckdb")


def label(store: Path, said: dict[tuple[str, str], str]) -> None:
    """Label claims of a store by request and text."""
    with closing(Desk.open(Settings(store=store))) as desk:
        wanted = ClaimFilter(protocol=desk.one_protocol(None))
        for item in desk.store.claim_page(wanted, 50).items:
            if (value := said.get((item.request_id, item.claim))) is None:
                continue
            detail = desk.store.claim(item.claim_uid)
            assert detail is not None
            cite = detail.row.cites[0]
            span = desk.store.labels.span(item.claim_uid, cite)
            assert span is not None
            event = LabelEvent(
                event_id=str(uuid4()),
                kind=LabelKind.LABEL,
                claim_uid=item.claim_uid,
                cite=cite,
                labeller="ann",
                label=Label(value),
                guideline=FIRST,
                seen_sha256=span.seen_sha256,
            )
            assert len(desk.store.labels.add([event])) == 1


def test_both_errors_by_length(citedesk: Command, tmp_path: Path) -> None:
    """Counted by hand: a leak of one claim, a false block of one, one right of each, one answer half labelled."""
    answers = [
        asked(1, (OPENS, "C1")),  # sound, passes
        asked(2, (DOGS, "C1")),  # unsound, passes: a leak
        asked(3, (SHUTS, "C9")),  # people call it sound, the id is unknown: a false block
        asked(4, (OPENS, "C1"), (DOGS, "C9")),  # unsound, stopped
        asked(5, (OPENS, "C1"), (SHUTS, "C1")),  # one claim without a label
        {"request_id": "r6", "answer": f"{OPENS[:-1]} [C1].", "evidence": EVIDENCE},  # prose alone: sound, passes
    ]
    assert citedesk("import", log(tmp_path / "a.jsonl", *answers)).code == 0
    good = {("r1", OPENS), ("r3", SHUTS), ("r4", OPENS), ("r5", OPENS), ("r6", OPENS)}
    bad = {("r2", DOGS), ("r4", DOGS)}
    label(tmp_path / "desk.duckdb", dict.fromkeys(good, "supported") | dict.fromkeys(bad, "irrelevant"))
    ran = citedesk("calibrate", "--gate", "--json")
    found = json.loads(ran.out)
    every, one, more = found["errors"]

    assert (ran.code, found["level"], found["gold"], found["protocol"][:10]) == (0, "quotes", 7, "lexical@1+")
    assert [part["length"] for part in (every, one, more)] == ["all", "1 claim", "2 to 3 claims"]
    assert (every["answers"], every["unlabelled"], every["leaks"], every["false_blocks"]) == (6, 1, 1, 1)
    assert every["leak_rate"] == interval(1, 2).model_dump(mode="json")
    assert every["false_block_rate"] == interval(1, 3).model_dump(mode="json")
    assert (one["leaks"], one["false_blocks"], one["leak_rate"]["n"]) == (1, 1, 1)
    assert (more["answers"], more["unlabelled"], more["leak_rate"]["estimate"]) == (2, 1, 0.0)

    said = citedesk("calibrate", "--gate").out
    assert "Gate at level quotes, verdicts of lexical@1+" in said
    assert "(1 of 3)" in said
    assert "none to measure on" in said


def test_a_stricter_level_leaks_less(citedesk: Command, tmp_path: Path) -> None:
    """What the judge does not support is stopped at the level that asks it."""
    citedesk("import", log(tmp_path / "a.jsonl", asked(1, (DOGS, "C1"))))
    label(tmp_path / "desk.duckdb", {("r1", DOGS): "irrelevant"})

    def leaks(level: str) -> int:
        return int(json.loads(citedesk("calibrate", "--gate", "--level", level, "--json").out)["errors"][0]["leaks"])

    assert [leaks(level) for level in ("citations", "quotes", "support")] == [1, 1, 0]


def test_it_says_what_is_missing(citedesk: Command, tmp_path: Path) -> None:
    """Nothing to measure, a store that judged nothing, a protocol that is not there."""
    assert "No verifier has judged anything" in citedesk("calibrate").err
    assert "No verifier has judged anything" in citedesk("calibrate", "--gate").err
    citedesk("import", log(tmp_path / "a.jsonl", asked(1, (OPENS, "C1"))))
    assert citedesk("calibrate", "--gate", "--protocol", "nobody@1+00000000").code == 2
    every = json.loads(citedesk("calibrate", "--gate", "--json").out)["errors"][0]
    assert (every["answers"], every["unlabelled"], every["leak_rate"]["estimate"]) == (1, 1, None)


def gold(path: Path, answers: int, bad: set[int]) -> Path:
    """Labels of whole claims, one an answer."""
    said = (
        {"request_id": f"r{at}", "claim_id": "c1", "label": "irrelevant" if at in bad else "supported"}
        for at in range(answers)
    )
    return log(path, *({**one, "labeller": "ann"} for one in said))


@pytest.fixture
def judged(citedesk: Command, tmp_path: Path) -> Command:
    """A store of 80 answers: half say something else; people call 12 of these and 2 others unsupported."""
    answers = [asked(at, (OPENS if at % 2 else DOGS, "C1")) for at in range(80)]
    assert citedesk("import", log(tmp_path / "a.jsonl", *answers)).code == 0
    bad = set(range(0, 24, 2)) | {1, 3}
    assert citedesk("labels", "import", gold(tmp_path / "g.jsonl", 80, bad), "--design", "census").code == 0
    return citedesk


def test_a_judge_is_measured(judged: Command) -> None:
    """14 bad claims, of which 2 pass; 66 good ones, of which 28 are stripped; each number has its sentence."""
    ran = judged("calibrate", "--json")
    found = json.loads(ran.out)
    figures = {one["key"]: one for one in found["figures"]}

    assert (ran.code, found["n"], found["judged"]) == (0, 80, 80)
    assert figures["false_pass"]["estimate"] == pytest.approx(2 / 14)
    assert figures["false_strip"]["estimate"] == pytest.approx(28 / 66)
    assert found["rate"]["corrected"]["estimate"] == pytest.approx(14 / 80)
    assert found["rate"]["raw"]["estimate"]["estimate"] == 0.5
    assert "items" not in found

    said = judged("calibrate").out
    assert all(one["sentence"] in said for one in found["figures"])
    assert found["rate"]["sentence"] in said
    assert "Nobody labelled a claim that somebody else labelled too" in said


def test_the_command_says_what_the_page_says(judged: Command, tmp_path: Path) -> None:
    """The same record, from the same function."""
    from core.calibration import calibrate
    from core.gold_sets import gold_sets

    printed = json.loads(judged("calibrate", "--json").out)
    with closing(Desk.open(Settings(store=tmp_path / "desk.duckdb"))) as desk:
        (one,) = gold_sets(desk.store)
        found = calibrate(desk.store, desk.one_protocol(None), one.gold_id)

    assert printed == found.model_dump(mode="json")


def test_gold_sets_are_listed_and_chosen(judged: Command, tmp_path: Path) -> None:
    """With two, one must be named."""
    (one,) = (json.loads(line) for line in judged("calibrate", "--list", "--json").out.splitlines())
    assert (one["n"], one["design"], one["feeds_rates"]) == (80, "census", True)
    assert "80 claims, census, feeds rates" in judged("calibrate", "--list").out
    judged("labels", "import", gold(tmp_path / "other.jsonl", 10, {1}))
    refused = judged("calibrate")

    assert refused.code == 2
    assert f"choose with --gold: {one['gold_id']}" in refused.err
    assert judged("calibrate", "--gold", one["gold_id"]).code == 0


def test_a_threshold_is_adopted_and_judges(judged: Command) -> None:
    """It is listed, judges the store again under its own name, and is refused under another."""
    adopted = judged("calibrate", "--adopt", "--threshold", "0.05", "--name", "kind")
    assert adopted.code == 0
    assert "Adopted as kind: lexical@1+" in adopted.err
    assert "adopted as kind" in judged("protocols").out
    ran = judged("verify", "--stored", "--adopted", "kind")
    first, second, *_ = [json.loads(line) for line in judged("protocols", "--json").out.splitlines()]

    assert ran.code == 0
    assert f"80 claims judged by {second['name']}" in ran.out
    assert (first["claims"], second["claims"], second["adopted"]) == (80, 80, "kind")
    assert judged("verify", "--adopted", "nobody").code == 2
    assert "leave the files out" in judged("verify", "a.jsonl", "--adopted", "kind").err


def test_a_record_card_is_written(judged: Command, tmp_path: Path) -> None:
    """What was measured, on what, with its sha256, how far people disagree, and what that leaves open."""
    assert judged("calibrate", "--card", tmp_path / "card.md").code == 0
    found = json.loads(judged("calibrate", "--json").out)
    card = (tmp_path / "card.md").read_text(encoding="utf-8")

    assert card.startswith("# Judge lexical@1\\+")
    for part in ("## Configuration", "thresholds: supported 0.61", f"sha256: {found['gold_sha256']}", "## Limits"):
        assert part in card
    assert "| False pass | 0.143 |" in card
    assert "on 80 of 80 claims that people labelled" in card


def test_options_that_do_not_go_together(judged: Command) -> None:
    """A name without adopting, a weight of nothing."""
    assert "go with --adopt" in judged("calibrate", "--name", "x").err
    assert "worth more than nothing" in judged("calibrate", "--weight", "0").err


def test_two_protocols_are_compared(judged: Command) -> None:
    """What changed first; with gold, who is right; unmatched sets are refused with the number that would match."""
    judged("calibrate", "--adopt", "--threshold", "0.05", "--name", "kind")
    judged("verify", "--adopted", "kind")
    first, second, *_ = [json.loads(line)["name"] for line in judged("protocols", "--json").out.splitlines()]
    gold_id = json.loads(judged("calibrate", "--list", "--json").out)["gold_id"]
    ran = judged("compare", first, second, "--gold", gold_id, "--json")
    (pair,) = json.loads(ran.out)["pairs"]
    said = judged("compare", first, second, "--gold", gold_id).out

    assert ran.code == 0
    assert pair["sentence"] in said
    assert (pair["n"], pair["gold"]["n"]) == (80, 80)
    assert "80 claims of 80 answers, the same for all" in said
    assert said.count("itself calls between ") == 2
    assert "Labels as a whole: " in said
    assert said.count("more than chance explains (") + said.count("chance may explain it (") == 2
    assert " ms a span (4 spans)" in said
    assert judged("compare", first).code == 2


def test_trends_are_printed(judged: Command) -> None:
    """The raw rate, named raw, and beside it the one that labels correct; a line a bucket."""
    ran = judged("trends", "--json")
    (point,) = map(json.loads, ran.out.splitlines())

    assert (ran.code, point["rate"]["estimate"]["estimate"], point["row"]["bucket"]) == (0, 0.5, None)
    assert point["corrected"]["corrected"]["estimate"] == pytest.approx(14 / 80)
    said = judged("trends").out
    assert "unsupported rate by week (UTC): raw, judged, and corrected by labels" in said
    assert f"Undated: {point['corrected']['sentence']}" in said
    assert point["corrected"]["sentence"].startswith("Between ")
    assert judged("trends", "--time-zone", "Nowhere").code == 2


def test_trends_without_labels_say_why_nothing_is_corrected(citedesk: Command, tmp_path: Path) -> None:
    """The raw rate in a sentence, named the judge's, and what is missing."""
    answers = [asked(at, (OPENS if at % 2 else DOGS, "C1")) for at in range(4)]
    assert citedesk("import", log(tmp_path / "a.jsonl", *answers)).code == 0
    said = citedesk("trends").out

    assert "Undated: The judge lexical@1" in said
    assert "this raw share holds the judge's errors" in said
    assert "No corrected rate: No gold set was drawn with known chances" in said
