"""One question, one figure: the page, the command and the file say the same, for every page that measures."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import failures, trends
from core.calibration import calibrate
from core.comparison import compare
from core.rates_corrected import corrected
from core.scorecard import scorecard
from core.store import open_store
from core.store.records import ClaimFilter, Split
from dashboard.widgets import chart_files, measure_files
from tests.core.gold_store import GOLD_ID, C, Case, I, P, S, judge, made
from tests.core.store import build
from tests.core.store.build import PROTOCOL, protocol
from tests.core.test_cli import Command
from tests.dashboard.test_calibrate import said

Open = Callable[..., AppTest]

OTHER = protocol(0.8)
A, B = str(PROTOCOL), str(OTHER)
FIRST = [Case("supported", S, 0.9), Case("supported", S, 0.8), Case("partial", S, 0.7), Case("contradicted", C, 0.1)]
FIRST += [Case(None, I)]
SECOND = [Case(None, S), Case(None, P), Case(None, P), Case(None, C), Case(None, None)]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two judges on the same five claims, of which people labelled four; tests leave it as it is."""
    file = tmp_path_factory.mktemp("same") / "desk.duckdb"
    with made(file, FIRST) as store:
        judge(store, SECOND, OTHER)
    return file


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], path: Path) -> Command:
    """The command on that store."""
    return Command(monkeypatch, capsys, path)


def table(file: bytes) -> list[dict[str, str]]:
    """A CSV file as it was written."""
    return list(csv.DictReader(io.StringIO(file.decode("utf-8-sig"))))


def shown(app: AppTest) -> str:
    """All words of a page, as a person reads them."""
    assert not app.exception
    return "\n".join(said(app)).replace("\\", "")


def test_calibrate(path: Path, citedesk: Command, open_page: Open, tmp_path: Path) -> None:
    """False pass and raw agreement: page, command, card and the file under the chart."""
    card = tmp_path / "card.md"
    told = json.loads(citedesk("calibrate", "--protocol", A, "--gold", GOLD_ID, "--json", "--card", card).out)
    with open_store(path) as store:
        found = calibrate(store, A, GOLD_ID)
    page = shown(open_page(path, "calibrate", protocols=A, gold=GOLD_ID))

    assert told["figures"] == found.model_dump(mode="json")["figures"]
    rows = {row["figure"]: row for row in table(measure_files.agreement(found))}
    for figure in found.figures:
        if figure.estimate is not None:
            assert float(rows[figure.title]["estimate"]) == figure.estimate
            assert rows[figure.title]["protocol"] == A
            assert "n = 4 claims judged of 4" in rows[figure.title]["caption"]
    assert found.figure("raw_agreement").sentence in page
    assert f"| Raw agreement | {found.figure('raw_agreement').estimate:.3f} |" in card.read_text(encoding="utf-8")


def test_compare(path: Path, citedesk: Command, open_page: Open) -> None:
    """The sentence with its interval, and how many claims changed."""
    told = json.loads(citedesk("compare", A, B, "--gold", GOLD_ID, "--json").out)
    (pair,) = told["pairs"]
    with open_store(path) as store:
        rows = table(measure_files.changes(compare(store, [A, B], None, GOLD_ID).pairs[0]))
    app = open_page(path, "compare", protocols=[A, B])
    page = shown(app)

    assert pair["sentence"] in page
    assert f"{pair['changed']} of {pair['n']} claims got another label." in page
    frame = app.dataframe[0].value
    assert list(frame["Time"]) == [side["latency_said"] for side in told["sides"]]
    assert list(frame["Cost"]) == [side["cost_said"] for side in told["sides"]]
    assert list(frame["Judged"]) == [side["rate"]["judged"] for side in told["sides"]]
    assert [(row["first_label"], row["second_label"], int(row["n"])) for row in rows] == [
        (one["first"], one["second"], one["n"]) for one in pair["changes"]
    ]


def test_check(path: Path, citedesk: Command) -> None:
    """The corrected rate that a build is held against is the one of the calibration, and its difference compare's."""
    words = ("--store", path, "--max-unsupported", "1", "--protocol", B, "--labels", GOLD_ID, "--baseline", A)
    told = json.loads(citedesk("check", *words, "--json").out)
    with open_store(path) as store:
        rate = calibrate(store, B, GOLD_ID).rate.corrected
        (pair,) = compare(store, [A, B], None, GOLD_ID).pairs
    corrected, difference = told["figures"]

    assert rate is not None
    assert [corrected[key] for key in ("estimate", "low", "high", "n")] == [rate.estimate, rate.low, rate.high, rate.n]
    assert [difference[key] for key in ("estimate", "low", "high", "n")] == [
        getattr(pair.difference, key) for key in ("estimate", "low", "high", "n")
    ]


@pytest.mark.parametrize("split", [None, *Split])
def test_trends(path: Path, citedesk: Command, split: Split | None) -> None:
    """Every point of the command is a point of the file, split or whole, from the function that the page calls."""
    words = ["--split", str(split)] if split else []
    told = [json.loads(line) for line in citedesk("trends", "--by", "week", *words, "--json").out.splitlines()]
    with open_store(path) as store:
        points = trends.points(store, [one.name for one in store.protocols()], "week", "UTC", split=split)
    file = table(chart_files.points(points, [], "strict", "UTC", "a caption"))

    assert told or split is Split.FLAG  # no claim here has a flag
    assert [one["row"] for one in told] == [point.model_dump(mode="json")["row"] for point in points]
    assert [_number(row["rate"]) for row in file] == [one["rate"]["estimate"]["estimate"] for one in told]
    assert [row["group"] for row in file] == [one["row"]["group"] or "" for one in told]


def test_one_interval_everywhere(tmp_path: Path) -> None:
    """The raw rate of a judge has one interval: over time, among failures, in a comparison, on the card of a file."""
    # hits per answer 0, 2, 3, 1: design effect 5 · 4/3 / (12 · ¼) = 20/9
    tables = ([S, S, S], [S, C, C], [C, C, C], [S, S, C])
    answers = [build.checked(build.answer(f"r{at}"), labels) for at, labels in enumerate(tables)]
    with open_store(tmp_path / "desk.duckdb") as store:
        store.record(build.batch(*answers))
        store.record(build.batch(*answers, under=OTHER))
        (point,) = trends.points(store, [A], "month", "UTC")
        over_time, why = point.rate.estimate, failures.overview(store, ClaimFilter(protocol=A), "strict").rate
        beside = compare(store, [A, B]).sides[0].rate.estimate
        card = scorecard(store.rows(ClaimFilter(protocol=A))).unsupported.estimate
        own = corrected(store, A).raw.estimate

    assert over_time == why == beside == card == own
    assert (over_time.estimate, over_time.method) == (0.5, "Wilson 95%, 4 clusters, effective n 5")


def test_trends_page(path: Path, citedesk: Command, open_page: Open) -> None:
    """The table under the chart has the command's counts."""
    told = [json.loads(line) for line in citedesk("trends", "--json").out.splitlines()]
    app = open_page(path, "trends", tz="UTC", by="week", protocols=[A, B])
    page = shown(app)

    assert {f"{one['rate']['judged']} of {one['rate']['attempted']} judged" for one in told} <= {
        words for words in _phrases(page) if words.endswith("judged")
    }


def test_failures(path: Path, citedesk: Command, open_page: Open, tmp_path: Path) -> None:
    """The sentence of the page is that of the report, and its numbers are those of the file."""
    out = tmp_path / "why.html"
    assert citedesk("export", "report", out, "--failures", "--protocol", B).code == 0
    with open_store(path) as store:
        found = failures.overview(store, ClaimFilter(protocol=B), "strict")
    page = shown(open_page(path, "failures", protocol=B))
    rows = table(measure_files.reasons(found, B, "all claims"))

    sentence = failures.sentence(found, B)
    assert sentence in page
    assert sentence in out.read_text(encoding="utf-8")
    assert sum(int(row["claims"]) for row in rows) == found.failed == 3
    assert {row["protocol"] for row in rows} == {B}


def test_a_report_of_failures_is_a_page_of_its_own(citedesk: Command, tmp_path: Path) -> None:
    """Lenient counts fewer; another suffix, or lenient without it, is refused in a sentence."""
    out = tmp_path / "why.html"
    ran = citedesk("export", "report", out, "--failures", "--lenient", "--protocol", B)

    assert (ran.code, ran.out) == (0, "")
    assert f"Why 1 claims fail, judged by {B}" in ran.err
    assert "lenient counting" in out.read_text(encoding="utf-8")
    assert out.stat().st_size < 5_000_000
    assert citedesk("export", "report", tmp_path / "why.csv", "--failures", "--protocol", B).code == 2
    assert citedesk("export", "report", tmp_path / "all.html", "--lenient", "--protocol", B).code == 2


def _number(text: str) -> float | None:
    return float(text) if text else None


def _phrases(text: str) -> set[str]:
    parts = [part for line in text.splitlines() for part in re.split(",| · ", line.rstrip("."))]
    return {part.strip().removeprefix("n ") for part in parts}
