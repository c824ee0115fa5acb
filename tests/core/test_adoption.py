"""Adopting a threshold: a new protocol, and old verdicts as they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core import adoption, audit_check, claim_label_files
from core.adoption import adopt, with_threshold
from core.calibration import Calibration, calibrate
from core.claim_label_files import drawing
from core.desk import Desk
from core.errors import InputError, StoreConflict
from core.gold_sets import gold_sets
from core.protocol import VerifierProtocol, differences
from core.settings import Settings
from core.store import Store
from core.store.records import ClaimFilter
from core.work import Judging, VerifyWork
from tests.core.gold_store import GOLD_ID, Case, I, P, S, made
from tests.core.store.build import PROTOCOL, protocol
from tests.core.test_cli import log

CASES = [Case("supported", S, 0.9), Case("supported", P, 0.6), Case("irrelevant", I, 0.2), Case("partial", P, 0.65)]


def measured(store: Store) -> Calibration:
    """The judge of those claims."""
    return calibrate(store, str(PROTOCOL), GOLD_ID)


def test_it_is_a_new_protocol_of_the_same_judge(tmp_path: Path) -> None:
    """Only the threshold differs, and with it the hash; what was measured is kept with it."""
    with made(tmp_path / "a.duckdb", CASES) as store:
        one = measured(store)
        made_of_it = adopt(store, one, 0.58, "ann")
        (kept,) = store.adoptions.all()
        use = next(use for use in store.protocol_uses() if use.name == str(made_of_it.protocol))

    assert [str(change) for change in differences(PROTOCOL, made_of_it.protocol)] == ["threshold supported: 0.7 → 0.58"]
    assert str(made_of_it.protocol) != str(PROTOCOL)
    assert (kept, made_of_it.name, made_of_it.base) == (made_of_it, "lexical-0.58", str(PROTOCOL))
    assert (kept.gold_id, kept.gold_sha256, kept.who) == (GOLD_ID, one.gold_sha256, "ann")
    assert (use.adopted, use.runs) == ("lexical-0.58", 0)


def test_adopting_twice_is_adopting_once(tmp_path: Path) -> None:
    """The same threshold on the same gold; a name that is taken is refused, and the audit holds."""
    with made(tmp_path / "a.duckdb", CASES) as store:
        one = measured(store)
        first, again = adopt(store, one, 0.58, "ann"), adopt(store, one, 0.58, "bob", "mine")
        assert first == again
        with pytest.raises(StoreConflict, match="Another adopted protocol is called"):
            adopt(store, one, 0.6, "ann", "lexical-0.58")
        assert [each.name for each in store.adoptions.all()] == ["lexical-0.58"]
        assert audit_check.verify(store).fault is None


def test_what_cannot_be_adopted(tmp_path: Path) -> None:
    """The own threshold, a number outside [0, 1], a judge without one."""
    with pytest.raises(InputError, match="already"):
        with_threshold(PROTOCOL, 0.7)
    with pytest.raises(InputError, match="no threshold"):
        with_threshold(PROTOCOL, 1.5)
    without = PROTOCOL.model_copy(update={"verifier": PROTOCOL.verifier.model_copy(update={"thresholds": {}})})
    with pytest.raises(InputError, match="no threshold to set"):
        with_threshold(without, 0.5)
    with made(tmp_path / "a.duckdb", CASES) as store, pytest.raises(InputError, match="none yet"):
        adoption.named(store, "nobody")


def test_partial_never_stays_above_supported() -> None:
    """A verifier would refuse such thresholds."""
    both = protocol()
    both = both.model_copy(
        update={"verifier": both.verifier.model_copy(update={"thresholds": {"supported": 0.7, "partial": 0.5}})}
    )

    assert with_threshold(both, 0.4).verifier.thresholds == {"supported": 0.4, "partial": 0.4}
    assert with_threshold(both, 0.6).verifier.thresholds == {"supported": 0.6, "partial": 0.5}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk on real verdicts of the lexical judge."""
    evidence = [{"id": "C1", "text": "The gate opens at 7 in the morning and shuts at 9 in the evening."}]
    texts = ["The gate opens at 7.", "The gate opens in the morning for dogs and guests.", "Dogs pay at the gate."]
    given = [{"text": text, "citation_ids": ["C1"]} for text in texts]
    path = log(tmp_path / "a.jsonl", {"request_id": "r1", "claims": given, "evidence": evidence})
    opened = Desk.open(Settings(store=tmp_path / "desk.duckdb", verifier="lexical", cache=None))
    opened.import_file(path)
    said = ({"request_id": "r1", "claim_id": f"c{at}", "label": "supported", "labeller": "ann"} for at in (1, 2, 3))
    claim_label_files.take(opened.store, log(tmp_path / "g.jsonl", *said), drawing("census", None), "v1", "ann")
    yield opened
    opened.close()


def of_desk(desk: Desk) -> Calibration:
    """Its one judge against its one gold set."""
    (gold,) = gold_sets(desk.store)
    return calibrate(desk.store, desk.one_protocol(None), gold.gold_id)


def test_judging_again_leaves_old_verdicts_alone(desk: Desk) -> None:
    """Under the adopted protocol claims get verdicts of their own; the rows of before are the same, byte for byte."""
    old = desk.one_protocol(None)
    before = [row.model_dump_json() for row in desk.store.rows(ClaimFilter(protocol=old))]
    made_of_it = adopt(desk.store, of_desk(desk), 0.1, "ann")
    work = VerifyWork(judging=Judging.of(desk.settings), adopted=made_of_it.name)
    report = work.run(desk, lambda done, total: None)
    new = str(made_of_it.protocol)

    assert (report.protocol, report.verdicts_new) == (new, 3)
    assert [row.model_dump_json() for row in desk.store.rows(ClaimFilter(protocol=old))] == before
    labels = [[row.label for row in desk.store.rows(ClaimFilter(protocol=name))] for name in (old, new)]
    assert labels[0] != labels[1]


def test_a_judge_that_changed_since_is_refused(desk: Desk) -> None:
    """The name would be another protocol's."""
    one = of_desk(desk)
    older = VerifierProtocol(**one.configuration.verifier.model_dump() | {"rules": 0})
    changed = one.model_copy(update={"configuration": one.configuration.model_copy(update={"verifier": older})})
    made_of_it = adopt(desk.store, changed, 0.1, "ann")

    with pytest.raises(InputError, match="the judge has changed since \\(rules: 0 →"):
        adoption.checked(desk.settings, made_of_it)
