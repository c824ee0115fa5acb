"""Calibrate: the page says what the core says, and a count opens as many claims as it names."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.calibration import Calibration, calibrate
from core.desk import Desk
from core.metrics import Estimate, labels_needed
from core.people import Person, Role
from core.settings import Settings
from core.store import open_store
from core.store.queue_records import Draw, DrawnClaim, QueueSpec
from dashboard import identity, session
from dashboard.widgets import BARRED, address, charts, plain, reliability, threshold_view
from dashboard.widgets import calibration_words as words
from tests.core.gold_store import BAD, GOLD_ID, C, Case, I, P, S, judge, labels, made, uids
from tests.core.store.build import PROTOCOL, protocol
from tests.dashboard.test_review import component

Open = Callable[..., AppTest]

NAME = str(PROTOCOL)
ME = Person(name="me", role=Role.ADMIN)
CASES = [
    Case("supported", S, 0.95),
    Case("supported", S, 0.9),
    Case("supported", P, 0.6),  # a false strip
    Case("partial", S, 0.8),  # a false pass
    Case("contradicted", C, 0.1),
    Case("irrelevant", I, 0.2),
    Case("irrelevant", P, 0.5),
    Case("supported", None),  # the judge failed
]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of these claims with a census of gold; tests leave it as it is."""
    file = tmp_path_factory.mktemp("gold") / "desk.duckdb"
    made(file, CASES).close()
    return file


@pytest.fixture
def path(kept: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copy(kept, tmp_path / "desk.duckdb"))


def measured(path: Path, **changes: Any) -> Calibration:
    """What the core says of that store."""
    with open_store(path) as store:
        return calibrate(store, NAME, GOLD_ID, **changes)


def said(app: AppTest) -> list[str]:
    """All texts of a page."""
    assert not app.exception
    return [one.value for kind in (app.text, app.caption, app.title, app.header, app.metric) for one in kind]


def items(app: AppTest) -> dict[str, Any]:
    """What the list of claims was given."""
    return component(app, "citedesk_comparison")


def test_figures_are_those_of_the_core(path: Path, open_page: Open) -> None:
    """The sentence above all, the tiles with their number and n, and the corrected rate."""
    found = measured(path)
    app = open_page(path, "calibrate")
    texts = said(app)

    assert plain(words.headline(found)) in texts
    for key in ("false_pass", "false_strip", "balanced_accuracy"):
        figure = found.figure(key)
        assert {plain(words.value(figure)), figure.sentence, plain(words.below(figure))} <= set(texts)
    assert found.rate.sentence in texts
    assert "passes about 25" in words.headline(found)
    assert f"judge {NAME}" in words.headline(found)
    assert "Download the card" in [one.proto.label for one in app.get("download_button")]


def test_a_count_opens_as_many_claims(path: Path, open_page: Open) -> None:
    """Every cell of the table: in the list below, and as a link in Review."""
    found = measured(path)
    assert found.labels is not None
    app = open_page(path, "calibrate")
    shown = component(app, "citedesk_matrix")
    counts = {
        (row, column): shown["counts"][at][place]
        for at, row in enumerate(shown["rows"])
        for place, column in enumerate(shown["columns"])
        if shown["counts"][at][place]
    }

    assert counts == {(cell.gold, cell.said): cell.n for cell in found.labels.cells}
    for cell in found.labels.cells:
        app.query_params["cell"] = f"{cell.gold}/{cell.said}"
        below = items(app.run())
        assert below["total"] == cell.n
        assert {tuple(item["words"]) for item in below["items"]} == {(cell.gold, cell.said)}
    review = open_page(path, "review", **address.review_params(cell.wanted))
    assert component(review, "citedesk_claim_list")["total"] == cell.n


def test_disagreements_stand_worst_first(path: Path, open_page: Open) -> None:
    """Without a cell the list holds what the core lists, the first one with both sides beside it."""
    found = measured(path)
    data = items(open_page(path, "calibrate"))

    assert [item["uid"] for item in data["items"]] == [one.claim_uid for one in found.disagreements]
    assert data["selected"] == found.disagreements[0].claim_uid
    assert [side["who"] for side in data["detail"]["sides"]] == ["People", NAME]
    assert [side["word"] for side in data["detail"]["sides"]] == ["partial", "supported"]


def test_what_is_to_be_labelled_blind_is_counted_only(path: Path, open_page: Open) -> None:
    """It stands in the figures, in no list, and in no detail."""
    worst = measured(path).disagreements[0].claim_uid
    desk = Desk.open(Settings(store=path))
    item = DrawnClaim(claim_uid=worst, place=1, probability=1.0, stratum="all", wanted=1)
    draw = Draw(items=(item,), population=1, newest=99, strata={"all": (1, 1)})
    desk.store.queues.create(QueueSpec(name="blind"), draw, "keeper")
    desk.close()
    app = open_page(path, "calibrate", claim=worst)
    data = items(app)

    assert worst not in [one["uid"] for one in data["items"]]
    assert data["selected"] != worst
    assert any("1 claim is not counted here" in one.replace("\\", "") for one in said(app))
    app.query_params["cell"] = "partial/supported"
    cell = items(app.run())
    assert (cell["total"], cell["items"], cell["detail"]) == (0, [], None)


def test_several_judges_stand_beside_one_another(path: Path, open_page: Open) -> None:
    """One line each; everything else is of the one that was chosen."""
    other = protocol(0.8)
    alone = words.value(measured(path).figure("false_pass"))
    with open_store(path) as store:
        judge(store, [case._replace(said=S) for case in CASES], other)
    app = open_page(path, "calibrate", protocols=[NAME, str(other)], judge=str(other))
    table = app.dataframe[0].value

    assert table["Judge"].tolist() == [NAME, str(other)]
    assert table["False pass"].tolist()[0] == alone
    assert f"judge {other}" in app.title[0].value.replace("\\", "")


def test_a_threshold_is_adopted_after_asking(path: Path, open_page: Open) -> None:
    """Nothing is made before; the judge's own threshold cannot be adopted, for the judge has it already."""
    app = open_page(path, "calibrate")
    slider = next(one for one in app.select_slider if one.label == "Threshold")
    slider.set_value(0.9).run()
    next(one for one in app.button if one.label == "Adopt 0.9 as a new protocol").click().run()
    assert any(one.startswith("A new protocol is made") and "stay as they are" in one for one in said(app))
    assert [one.label for one in app.button][-1] == "Adopt it"
    assert session.desk().store.adoptions.all() == []
    next(one for one in app.select_slider if one.label == "Threshold").set_value(0.7).run()
    assert next(one for one in app.button if one.label == "Adopt 0.7 as a new protocol").disabled


def test_a_threshold_says_what_it_costs(path: Path) -> None:
    """At the judge's own: one of four bad claims passes, one of three good ones is stripped; cost 2 · ¼ + ⅓."""
    own = next(point for point in measured(path).thresholds if point.own)

    assert threshold_view.sentence(own, 2).startswith(
        "At 0.7 (the judge's own), of 100 unsupported claims 25 would pass"
    )
    assert "Cost: 2 × 0.25 + 0.33 = 0.83." in threshold_view.sentence(own, 2)


def test_without_gold_it_says_how_to_begin(tmp_path: Path, open_page: Open) -> None:
    """Label 60 claims, or bring labels."""
    with open_store(tmp_path / "desk.duckdb") as store:
        judge(store, CASES)
    app = open_page(tmp_path / "desk.duckdb", "calibrate")

    assert any(one.startswith("Label 60 claims to begin") for one in said(app))
    assert [one.label for one in app.button] == ["Make a queue of 60 claims"]
    assert [one.value for one in app.code] == ["citedesk labels import FILE"]


def test_an_empty_store_leads_home(tmp_path: Path, open_page: Open) -> None:
    """There is nothing to label yet."""
    open_store(tmp_path / "desk.duckdb").close()
    app = open_page(tmp_path / "desk.duckdb", "calibrate")

    assert not app.exception
    assert [one.label for one in app.button] == ["Load the sample, or bring your own answers"]


def test_coarse_gold_has_two_rows(tmp_path: Path, open_page: Open) -> None:
    """Supported and not supported; the table of nine labels says why it is not there."""
    cases = [Case("supported", S, 0.9), Case(BAD, S, 0.8), Case(BAD, C, 0.1), Case("supported", P, 0.6)]
    made(tmp_path / "desk.duckdb", cases).close()
    app = open_page(tmp_path / "desk.duckdb", "calibrate")

    assert component(app, "citedesk_matrix")["rows"] == ["supported", BAD]
    assert any(one.startswith("This gold tells only supported from not supported") for one in said(app))


def test_people_among_themselves_are_the_ceiling(path: Path) -> None:
    """One pair of people, who agree on one of two claims."""
    second = [Case("supported", None), *[Case(None, None)] * 2, Case("supported", None)]
    with open_store(path) as store:
        labels(store, [*second, *[Case(None, None)] * 4], labeller="second")
    found = measured(path)

    assert found.people is not None
    assert "Two people say the same of about 50 of 100" in words.ceiling(found)
    drawn = reliability.ceiling(found.figures, found.people, charts.looks([found.protocol])[found.protocol])
    bands = [one for one in drawn.layout.shapes if one.type == "rect"]
    raw = found.people.raw
    assert (bands[0].x0, bands[0].x1, bands[0].layer) == (raw.low, raw.high, "below")
    assert [one.x0 for one in drawn.layout.shapes if one.type == "line"] == [raw.estimate, found.people.ac1.estimate]
    assert drawn.layout.annotations[0].text == "people 0.50"
    assert len(uids(CASES)) == found.n + 1


@pytest.mark.parametrize(
    ("rate", "population", "words_said"),
    [
        (Estimate(estimate=0.3, low=0.2, high=0.4, n=80, method="m"), 10_000, "would tell the unsupported rate within"),
        (Estimate(estimate=0.3, low=0.2, high=0.4, n=80, method="m"), 80, "Every claim there is has a label"),
        (Estimate(estimate=0.3, low=0.299, high=0.301, n=80, method="m"), 10_000, "There are enough labels"),
    ],
)
def test_how_many_more_labels(rate: Estimate, population: int, words_said: str) -> None:
    """The first margin that is open; none where nothing is left to label."""
    needed = [labels_needed.estimate(rate, within, population) for within in (0.01, 0.02)]

    assert words_said in words.needed_sentence(needed)


def test_claims_that_somebody_may_not_read_are_counted_and_not_shown(
    path: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence stands in the place of each; figures are those of everybody."""
    before = items(open_page(path, "calibrate", gold=GOLD_ID))
    session.close()
    with open_store(path) as store, store._connection.write() as writing:
        writing.run("update registry_entries set groups = '[\"legal\"]'")
    ben = Person(name="ben", role=Role.REVIEWER)
    monkeypatch.setattr(identity, "person", lambda _desk: ben)
    barred = items(open_page(path, "calibrate", gold=GOLD_ID))
    monkeypatch.setattr(identity, "person", lambda _desk: ben.model_copy(update={"groups": ("legal",)}))
    read = items(open_page(path, "calibrate", gold=GOLD_ID))

    assert {one["claim"] for one in barred["items"]} == {BARRED}
    assert (barred["total"], barred["detail"]) == (before["total"], None)
    assert [one["claim"] for one in read["items"]] == [one["claim"] for one in before["items"]]
    assert read["detail"] == before["detail"]
