"""Compare: two judges on the same claims only; a count opens as many claims as it names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.comparison import Pairing, compare
from core.desk import Desk, ImportReport
from core.errors import VerifierUnavailable
from core.people import Role
from core.store import open_store
from core.store.records import ClaimFilter
from core.verification import Progress
from core.work import VerifyWork
from dashboard import jobs, session
from dashboard.widgets import address, plain
from dashboard.widgets import change_words as words
from tests.core.gold_store import GOLD_ID, C, Case, I, P, S, judge, made
from tests.core.store import build
from tests.core.store.build import PROTOCOL, protocol
from tests.dashboard.conftest import make_store
from tests.dashboard.test_calibrate import ME, items, said
from tests.dashboard.test_review import component
from tests.dashboard.test_trends import answer

Open = Callable[..., AppTest]

OTHER = protocol(0.8)
A, B = str(PROTOCOL), str(OTHER)
FIRST = [Case("supported", S), Case("supported", S), Case("partial", S), Case("contradicted", C), Case(None, I)]
SECOND = [Case(None, S), Case(None, P), Case(None, P), Case(None, C), Case(None, None)]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both judges on the same five claims, of which people labelled four; tests leave it as it is."""
    file = tmp_path_factory.mktemp("two") / "desk.duckdb"
    with made(file, FIRST) as store:
        judge(store, SECOND, OTHER)
    return file


def pairing(path: Path, **changes: Any) -> Pairing:
    """What the core says."""
    with open_store(path) as store:
        return compare(store, [A, B], gold_id=GOLD_ID, **changes).pairs[0]


def test_figures_are_those_of_the_core(path: Path, open_page: Open) -> None:
    """The sentence, the difference with its interval, and what changed."""
    pair = pairing(path)
    texts = said(open_page(path, "compare", protocols=[A, B]))

    tile = words.difference(pair)
    assert {plain(pair.sentence), plain(tile.value), plain(tile.below), words.moved(pair), words.standing(pair)} <= set(
        texts
    )
    assert tile.value.startswith("+50.0 points")
    assert tile.sentence.startswith("The later judge calls more unsupported.")
    assert words.moved(pair).startswith("3 of 5 claims got another label.")


def test_a_count_opens_as_many_claims(path: Path, open_page: Open) -> None:
    """Every cell: in the list below, and as a link in Review."""
    changes = pairing(path).changes
    app = open_page(path, "compare", protocols=[A, B])
    for change in changes:
        app.query_params["cell"] = f"{change.first}/{change.second}"
        shown = component(app.run(), "citedesk_matrix")
        at, place = shown["rows"].index(change.first), shown["columns"].index(change.second)

        assert (shown["counts"][at][place], items(app)["total"]) == (change.n, change.n)
        assert shown["chosen"] == [change.first, change.second]
    review = open_page(path, "review", **address.review_params(changes[0].wanted))
    assert component(review, "citedesk_claim_list")["total"] == changes[0].n


def test_the_largest_change_is_open_with_both_verdicts(path: Path, open_page: Open) -> None:
    """One claim, what either judge says of it, the passage once."""
    data = items(open_page(path, "compare", protocols=[A, B]))

    assert data["total"] == 2
    assert [(side["who"], side["word"]) for side in data["detail"]["sides"]] == [(A, "supported"), (B, "partial")]
    assert [side["excerpt"] for side in data["detail"]["sides"]] == ["", ""]


def test_which_judge_people_agree_with() -> None:
    """PASS, FAIL or INCONCLUSIVE stands first, as a check prints it."""
    pair = Pairing.model_validate(GOLD_PAIR)
    worse = pair.model_copy(update={"gold": pair.gold and pair.gold.model_copy(update=swapped(pair))})
    unsure = pair.model_copy(
        update={
            "gold": pair.gold and pair.gold.model_copy(update={"test": pair.gold.test.model_copy(update={"p": 0.3})})
        }
    )

    assert words.standing(pair).startswith("PASS: of 40 claims with a label b alone is right on 20 and a alone on 2")
    assert words.standing(worse).startswith("FAIL: ")
    assert words.standing(unsure).startswith("INCONCLUSIVE: ")
    assert words.standing(pair.model_copy(update={"gold": None})) == (
        "INCONCLUSIVE: no labelled overlap; label 60 to start."
    )


def test_different_claims_are_refused_with_the_number_that_matches(tmp_path: Path, open_page: Open) -> None:
    """And compared on those when somebody says so."""
    with made(tmp_path / "desk.duckdb", FIRST) as store:
        judge(store, SECOND[:3], OTHER)
    app = open_page(tmp_path / "desk.duckdb", "compare", protocols=[A, B])
    assert "3 are the same" in app.title[0].value.replace("\\", "")
    next(one for one in app.button if one.label == "Compare on the 3 claims that all of them judged").click().run()

    assert any("of 3 claims got another label" in one for one in said(app))


def test_nobody_has_to_know_which_judges_share_claims(tmp_path: Path, open_page: Open) -> None:
    """Without an address the usual judge stands beside the one that judged most of its claims, not the latest one."""
    latest = protocol(0.9)
    with made(tmp_path / "desk.duckdb", FIRST) as store:
        judge(store, SECOND[:3], OTHER)
        store.record(build.batch(build.checked(build.answer("elsewhere"), [S]), under=latest))
        assert store.comparisons.overlaps() == {(A, B): 3}
    app = open_page(tmp_path / "desk.duckdb", "compare")

    assert any("of 3 claims got another label" in one for one in said(app))
    assert f"Not compared, for not all of these judges judged them: 2 claims of {A}." in [
        one.value.replace("\\", "") for one in app.caption
    ]


def test_judges_that_share_nothing_say_what_to_do(tmp_path: Path, open_page: Open) -> None:
    """One sentence and the command."""
    with made(tmp_path / "desk.duckdb", FIRST) as store:
        store.record(build.batch(build.checked(build.answer("elsewhere"), [S]), under=OTHER))
    app = open_page(tmp_path / "desk.duckdb", "compare")

    assert "have no claim in common" in app.title[0].value.replace("\\", "")
    assert [one.value for one in app.code] == ["citedesk verify --verifier nli"]


def test_one_judge_has_nothing_to_be_compared_with(tmp_path: Path, open_page: Open) -> None:
    """The page says so, and proposes a judge that has not judged yet."""
    made(tmp_path / "desk.duckdb", FIRST).close()
    app = open_page(tmp_path / "desk.duckdb", "compare")

    assert any(A in one for one in said(app))
    assert [one.value for one in app.code] == ["citedesk verify --verifier nli"]


def test_another_judge_is_let_loose_from_the_page(
    tmp_path: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is chosen, judges every answer in a job, and the two stand side by side."""
    monkeypatch.setenv("CITEDESK_CACHE", str(tmp_path / "verdicts.sqlite"))
    make_store(tmp_path, answer(1, None))
    app = open_page(tmp_path / "desk.duckdb", "compare")
    used, proposed = app.text[1].value.split("only ")[1].split("@")[0], app.selectbox[0].value
    next(one for one in app.button if one.label == "Let it judge every answer here").click().run()
    for job in jobs.going():
        assert job.wait(60)
    app.run()

    assert not app.exception
    assert [one.protocol.verifier.verifier for one in session.desk().store.protocols()] == [proposed, used]
    assert proposed != used
    assert app.dataframe[0].value["Judge"].str.partition("@")[0].tolist() == [used, proposed]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (
            jobs.Stopped(),
            "Stopped before the end. What was judged by then stays, in whole answers; begin it again for the rest.",
        ),
        (VerifierUnavailable("The judge is gone", "add it again"), "The judge is gone; add it again."),
    ],
)
def test_a_judge_that_ends_early_is_told_of(
    tmp_path: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch, fault: Exception, told: str
) -> None:
    """Why, and what stays; once."""
    seen = Event()

    def ends(work: VerifyWork, desk: Desk, progress: Progress) -> ImportReport:
        assert seen.wait(60)
        raise fault

    monkeypatch.setattr(VerifyWork, "run", ends)
    make_store(tmp_path, answer(1, None))
    app = open_page(tmp_path / "desk.duckdb", "compare")
    next(one for one in app.button if one.label == "Let it judge every answer here").click().run()
    seen.set()
    for job in jobs.going():
        assert job.wait(60)
    app.run()
    once = [*app.info, *app.warning]
    app.run()

    assert not app.exception
    assert [one.value for one in once] == [plain(told)]
    assert not [*app.info, *app.warning]


def test_who_may_not_judge_is_told_who_may(tmp_path: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reviewer has no button."""
    made(tmp_path / "desk.duckdb", FIRST).close()
    monkeypatch.setattr("core.people.Person.may", lambda person, role: role is not Role.ADMIN)
    app = open_page(tmp_path / "desk.duckdb", "compare")

    assert "An admin of this desk lets another judge judge the answers." in [one.value for one in app.text]
    assert not [one for one in app.button if "judge" in one.label]


def test_the_order_of_the_address_is_kept(path: Path, open_page: Open) -> None:
    """The other way round every change goes the other way."""
    data = component(open_page(path, "compare", protocols=[B, A]), "citedesk_matrix")

    assert data["rows"] == ["supported", "partial", "contradicted", "none"]
    assert data["columns"] == ["supported", "contradicted", "irrelevant"]


def test_cells_survive_the_address() -> None:
    """Claims picked one by one, and what other judges say of them, come back from a link as they were."""
    wanted = ClaimFilter(
        protocol=A, claim_uids=("0" * 16, "f" * 16), beside=((B, (S, None)), ("hub:org/x@1+00aa11bb", ())), reader=ME
    )
    nothing = wanted.model_copy(update={"claim_uids": ()})
    with_infos = [_Info(A)]

    assert address.review_filter(address.review_params(wanted), with_infos, ME) == wanted  # type: ignore[arg-type]
    assert address.review_filter(address.review_params(nothing), with_infos, ME) == nothing  # type: ignore[arg-type]


class _Info:
    """As much of a protocol's facts as the address needs."""

    def __init__(self, name: str) -> None:
        self.name = name


def swapped(pair: Pairing) -> dict[str, int]:
    """The first judge does as well as the second did."""
    assert pair.gold is not None
    return {"first_only": pair.gold.second_only, "second_only": pair.gold.first_only}


TEST = {"p": 0.0001, "statistic": None, "degrees": None, "n": 40, "differing": 22, "method": "McNemar, exact mid-p"}
GOLD_PAIR = {
    "first": "a",
    "second": "b",
    "n": 40,
    "changed": 22,
    "changes": [],
    "first_only": 0,
    "second_only": 0,
    "difference": {"estimate": 0.1, "low": 0.0, "high": 0.2, "n": 40, "method": "m"},
    "labels": TEST,
    "labels_p_holm": None,
    "gold": {
        "n": 40,
        "both_right": 10,
        "first_only": 2,
        "second_only": 20,
        "neither": 8,
        "test": TEST,
        "p_holm": None,
    },
    "gold_why_not": "",
    "sentence": "",
}
