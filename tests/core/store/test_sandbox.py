"""Questions of strangers: one SELECT over a copy of the views, and nothing else whatever they try."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core import pipeline
from core.errors import InputError
from core.models import Evidence, GivenClaim, Label
from core.people import Person, Role
from core.settings import Settings
from core.store import Store, claim_uid, open_store
from core.store.label_records import BetterEvidence
from core.store.records import ClaimFilter
from core.store.sandbox import NAMES_SOURCES, VIEWS, check
from tests.core.store import build

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two claims, one of which fails."""
    with open_store(tmp_path_factory.mktemp("asked") / "desk.duckdb") as opened:
        opened.record(build.batch(build.checked(build.answer(), [Label.SUPPORTED, Label.CONTRADICTED])))
        yield opened


def test_the_views_can_be_asked(asked: Store) -> None:
    """Values come as numbers, truth and text."""
    found = asked.sandbox.ask(
        "select label, unsupported_strict, cite_count, source, asked_at "
        "from v_verdicts join v_claims using (claim_uid) order by label",
        None,
    )

    assert found.columns == ("label", "unsupported_strict", "cite_count", "source", "asked_at")
    assert found.rows[0] == ("contradicted", True, 1, "Gate rules", "2026-11-02 09:00:00+00:00")
    assert not found.cut


def test_no_view_says_a_claim_by_number(asked: Store) -> None:
    """What concealment is read from stays in the store."""
    tables = asked.sandbox.ask("select table_name, column_name from duckdb_columns() where not internal", None)

    assert {name for name, _ in tables.rows} == set(VIEWS)
    assert not {column for _, column in tables.rows} & {"claim_no", "row_json", "why"}


def test_one_view_alone_holds_words_of_a_source(tmp_path: Path) -> None:
    """Who may see a kept result is decided by whether its question reads that view."""
    word = "Zanzibar"
    source = Evidence(
        id="C1",
        text=f"The gate opens at 9 in {word}.",
        title=f"{word} rules",
        locator=f"{word}.txt:p1",
        uri=f"file:///{word}.txt",
        source_version=f"2026-01-01 {word}",
        groups=(word,),
    )
    given = [
        GivenClaim(text="The gate opens at 9.", citation_ids=("C1",)),
        GivenClaim(text="The gate opens at 8.", citation_ids=("C1",), quotes=("The gate opens at 9 in",)),
        GivenClaim(text="The gate opens at 9.", citation_ids=("C2",)),
    ]
    judge, protocol = pipeline.build(Settings(store=tmp_path / "desk.duckdb", verifier="lexical", cache=None))
    answer = build.answer(answer=None, claims=tuple(given), evidence=(source,))
    (checked,) = pipeline.check([answer], judge, protocol)
    with open_store(tmp_path / "desk.duckdb") as store:
        store.record(build.batch(checked, under=protocol))
        marked = BetterEvidence(cite="C1", start=0, end=len(source.text), text=source.text)
        label = build.event("e1", claim_uid(answer.uid, protocol.splitter, checked.claims[0]))
        store.labels.add([label.model_copy(update={"note": word, "better": (marked,)})])
        words = {view: str(store.sandbox.ask(f"select * from {view}", None).rows) for view in VIEWS}

    assert all(len(said) > len("()") for said in words.values())
    assert [view for view, said in words.items() if word.lower() in said.lower()] == [NAMES_SOURCES]


@pytest.mark.parametrize(
    "sql",
    [
        "attach '/tmp/x.duckdb'",
        "copy v_claims to '/tmp/x.csv'",
        "install httpfs",
        "load httpfs",
        "pragma database_list",
        "set memory_limit = '64GB'",
        "reset memory_limit",
        "call enable_logging()",
        "select 1; select 2",
        "select 1; drop table v_claims",
        "create table t as select 1",
        "delete from v_claims",
        "insert into v_claims select * from v_claims",
        "update v_claims set claim = 'x'",
        "export database '/tmp/x'",
        "explain analyze select 1",
        "begin",
        "prepare x as select 1",
        "use memory",
        "select * from query('select 1')",
        "select * from query_table('v_claims')",
        "selekt 1",
        "select '\ud800'",
        "",
        "select " + "1," * 20_000 + "1",
    ],
)
def test_everything_but_one_select_is_refused(sql: str) -> None:
    """By DuckDB's own parser, before anything is copied."""
    with pytest.raises(InputError):
        check(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_csv('{file}')",
        "select * from '{file}'",
        "select * from read_text('{file}')",
        "select * from glob('{folder}/*')",
        "select * from read_parquet('https://example.com/a.parquet')",
        "select * from enable_logging('QueryLog', storage = 'file', storage_path = '{folder}/log')",
    ],
)
def test_no_file_and_no_network(asked: Store, tmp_path: Path, sql: str) -> None:
    """What passes the parser ends at the copy's own walls, in one sentence."""
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n")

    with pytest.raises(InputError, match="cannot be answered"):
        asked.sandbox.ask(sql.format(file=secret, folder=tmp_path), None)

    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


@pytest.mark.parametrize(
    "sql",
    [
        "select count(*) from range(1000000000) a, range(1000000000) b where a.range + b.range = 7",
        "select length(repeat('x', 2000000000) || repeat('y', 2000000000))",
        "select max(repeat('x', 1000000) || range::varchar) from range(10000000)",
    ],
)
def test_what_takes_too_much_is_ended(asked: Store, sql: str) -> None:
    """Time and memory are those of a process of its own; the store answers on."""
    with pytest.raises(InputError):
        asked.sandbox.ask(sql, None, seconds=1)

    assert asked.claim_page(ClaimFilter(protocol=str(build.PROTOCOL))).total == 2


def test_rows_and_texts_are_cut(asked: Store) -> None:
    """And the result says so."""
    found = asked.sandbox.ask("select range, repeat('x', 5000) as long from range(100)", None, rows=10)

    assert (len(found.rows), found.cut) == (10, True)
    assert len(str(found.rows[0][1])) == 2001


def test_only_reviewers_may_ask(asked: Store) -> None:
    """A labeller gets a sentence."""
    with pytest.raises(InputError, match="Only reviewers"):
        asked.sandbox.ask("select 1", Person(name="ann", role=Role.LABELLER))


def test_a_copy_is_as_new_as_the_store(store: Store) -> None:
    """After a write the next question sees it."""
    count = "select count(*) from v_claims"
    assert store.sandbox.ask(count, None).rows == ((0,),)

    store.record(build.batch(build.checked(build.answer(), [Label.SUPPORTED])))

    assert store.sandbox.ask(count, None).rows == ((1,),)


def test_one_protocol_alone(store: Store) -> None:
    """The same question as if nobody else had judged."""
    checked = build.checked(build.answer(), [Label.SUPPORTED])
    store.record(build.batch(checked))
    store.record(build.batch(checked, under=build.protocol(0.9)))
    count = "select count(*) from v_verdicts"

    assert store.sandbox.ask(count, None).rows == ((2,),)
    assert store.sandbox.ask(count, None, only=str(build.PROTOCOL)).rows == ((1,),)
