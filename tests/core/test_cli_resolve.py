"""``citedesk resolve``: one line a citation with three axes and receipts; it goes on where it was stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core import resolving
from tests.core.reference_desk import ANSWERS, CLAIM, OPEN, SHUT, answer, log, put_pages
from tests.core.resolvers.conftest import servers as servers  # a fixture
from tests.core.resolvers.conftest import web as web  # a fixture
from tests.core.test_cli import Command, Ran
from tests.core.test_cli import citedesk as citedesk  # a fixture
from tests.fakes.web_server import PUBLIC, Web

DOI = "10.5555/loan"


@pytest.fixture
def outside(web: Web, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Web:
    """The command reaches the small web and keeps its answers in a folder of the test's own."""
    put_pages(web)
    monkeypatch.setattr(resolving, "resolve", partial(resolving.resolve, network=web.network()))
    monkeypatch.setenv("CITEDESK_CACHE", str(tmp_path / "verdicts.sqlite"))
    monkeypatch.setenv("CITEDESK_REFERENCES__ROBOTS", "false")
    monkeypatch.setenv("CITEDESK_REFERENCES__LIMITS", '{"per_second": 1000, "patience": 0}')
    return web


def lines(ran: Ran) -> list[dict[str, Any]]:
    """What was printed, by citation."""
    return sorted(map(json.loads, ran.out.splitlines()), key=lambda one: str(one["request_id"]))


def test_a_line_a_citation_with_three_axes_and_receipts(citedesk: Command, outside: Web, tmp_path: Path) -> None:
    """Each work is asked for once; of the text that was read only its proof is printed."""
    ran = citedesk("resolve", log(tmp_path), "--references", "urls", "--json")
    found = lines(ran)

    assert (ran.code, ran.err) == (0, "")
    assert [(one["request_id"], one["cite"], one["claims"]) for one in found] == [
        ("r1", OPEN, ["c1"]),
        ("r2", SHUT, ["c1"]),
        ("r3", "C1", ["c1"]),
    ]
    assert (found[0]["exists"], found[0]["reachable"], found[0]["resolve"], found[0]["label"]) == (
        "yes",
        "live",
        "ok",
        None,
    )
    assert (found[1]["exists"], found[1]["reachable"], found[1]["resolve"], found[1]["label"]) == (
        "unknown",
        "blocked",
        "inaccessible",
        "inaccessible",
    )
    assert [(one["who"], one["status"], one["url"]) for one in found[1]["receipts"]] == [("shut.example", 403, SHUT)]
    assert "text" not in found[0]["read"]
    assert len(found[0]["read"]["sha256"]) == 64
    assert outside.asked(OPEN) == outside.asked(SHUT) == 1


def test_a_second_run_asks_nobody_unless_it_is_told_to(citedesk: Command, outside: Web, tmp_path: Path) -> None:
    """``--recheck`` asks again."""
    file = log(tmp_path)
    for more in ([], [], ["--recheck"]):
        ran = citedesk("resolve", file, "--references", "urls", *more)

    assert (outside.asked(OPEN), outside.asked(SHUT)) == (2, 3), "one of them is cited with a title and without one"
    assert ran.out.splitlines()[0] == "3 references in 3 citations"
    assert sorted(ran.out.splitlines()[1:]) == ["  inaccessible           2", "  ok                     1"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--offline", "--references", "all"], "Not checked: this desk works offline (4)."),
        ([], "Not checked: the policy does not allow to look up links (3)."),
        (["--references", "identifiers"], "Not checked: registries want to know whom to write to"),
    ],
)
def test_who_may_ask_nobody_says_so(
    citedesk: Command, outside: Web, tmp_path: Path, options: list[str], said: str
) -> None:
    """Everything is ``not_checked``, in words; not one look-up leaves the machine."""
    ran = citedesk("resolve", log(tmp_path, [*ANSWERS, answer("r5", CLAIM, DOI)]), *options)

    assert ran.code == 0
    assert ran.out.splitlines()[:2] == ["4 references in 4 citations", "  not_checked            4"]
    assert said in ran.out
    assert (outside.requests, outside.lookups) == ([], [])


def test_a_file_of_lines(citedesk: Command, outside: Web, tmp_path: Path) -> None:
    """``--out`` holds what ``--json`` prints, and the summary stays beside it."""
    out = tmp_path / "found.jsonl"
    ran = citedesk("resolve", log(tmp_path), "--references", "urls", "--out", out)

    assert (ran.code, ran.out) == (0, "")
    assert "3 references in 3 citations" in ran.err
    assert {json.loads(line)["cite"] for line in out.read_text("utf-8").splitlines()} == {OPEN, SHUT, "C1"}


def test_bad_lines_are_told_and_the_rest_is_looked_up(citedesk: Command, outside: Web, tmp_path: Path) -> None:
    """Exit code 1, as everywhere."""
    ran = citedesk("resolve", log(tmp_path, [*ANSWERS[:1], {"request_id": "x"}]), "--references", "urls", "--json")

    assert ran.code == 1
    assert [one["cite"] for one in lines(ran)] == [OPEN]
    assert "neither an answer nor claims" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl"),
        (["a.jsonl", "--references", "everything"], "everything"),
        (["a.jsonl", "--contact", "nobody"], "no e-mail or https address"),
    ],
)
def test_wrong_use_is_one_sentence(
    citedesk: Command, outside: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    """Exit code 2, no traceback."""
    log(tmp_path).rename(tmp_path / "a.jsonl")
    monkeypatch.chdir(tmp_path)
    ran = citedesk("resolve", *words)

    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_an_environment_that_is_no_json_is_one_sentence(
    citedesk: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable is named."""
    monkeypatch.setenv("CITEDESK_REFERENCES__ALSO", "urls")
    ran = citedesk("resolve", log(tmp_path))

    assert (ran.code, ran.out) == (2, "")
    assert "references" in ran.err
    assert "Traceback" not in ran.err


def of_corpora(citedesk: Command, **said: list[str]) -> None:
    """Give corpora policies, in the store of the command."""
    for name, words in said.items():
        assert citedesk("corpus", "references", name, *words).code == 0


def test_answers_of_corpora_are_looked_up_as_these_allow(citedesk: Command, outside: Web, tmp_path: Path) -> None:
    """Without a word of the run the corpus says; a work that two corpora cite has a line for each."""
    of_corpora(citedesk, papers=["--also", "urls"], handbook=["--also", "nothing"], archive=["--offline"])
    cited = [answer(f"r{at}", CLAIM, OPEN, corpus=name) for at, name in enumerate(["papers", "handbook", "archive"])]
    found = lines(citedesk("resolve", log(tmp_path, [*cited, answer("r3", CLAIM, SHUT)]), "--json"))

    assert [(one["request_id"], one["resolve"], one["said"]) for one in found[1:]] == [
        ("r1", "not_checked", "Not checked: the policy does not allow to look up links."),
        ("r2", "not_checked", "Not checked: the corpus archive works offline."),
        ("r3", "not_checked", "Not checked: the policy does not allow to look up links."),
    ]
    assert (found[0]["request_id"], found[0]["resolve"]) == ("r0", "ok")
    assert (outside.asked(OPEN), outside.asked(SHUT)) == (1, 0)


def test_a_run_gets_no_more_than_the_corpus_that_it_names(citedesk: Command, outside: Web, tmp_path: Path) -> None:
    """``--corpus`` speaks for answers that name none."""
    of_corpora(citedesk, papers=["--also", "urls"], handbook=["--also", "nothing"])
    file = log(tmp_path, [answer("r1", CLAIM, OPEN), answer("r2", CLAIM, SHUT, corpus="papers")])
    found = lines(citedesk("resolve", file, "--references", "all", "--corpus", "handbook", "--json"))

    assert [one["resolve"] for one in found] == ["not_checked", "inaccessible"]
    assert (outside.asked(OPEN), outside.asked(SHUT)) == (0, 1)
    ran = citedesk("resolve", file, "--references", "urls")
    assert ran.out.splitlines()[0] == "2 references in 2 citations"
    assert outside.asked(OPEN) == 1


def test_a_corpus_that_no_store_knows(citedesk: Command, outside: Web, tmp_path: Path) -> None:
    """What a file names is nobody's policy then; what a person names is an error, and nobody is asked."""
    file = log(tmp_path, [answer("r1", CLAIM, OPEN, corpus="papers")])
    ran = citedesk("resolve", file, "--references", "urls", "--corpus", "handbook")
    assert (ran.code, outside.requests) == (2, [])
    assert "knows the corpus handbook; name the store with --store." in ran.err

    assert citedesk("resolve", file, "--references", "urls").code == 0
    assert outside.asked(OPEN) == 1
    assert not (tmp_path / "desk.duckdb").exists()


KILLED = """
import sys
from functools import partial
from core import cli, resolving
from core.guarded_network import Network
from tests.fakes.web_server import Web
web = Web()
web.ports = {"http": int(sys.argv.pop(1)), "https": 0}
resolving.resolve = partial(resolving.resolve, network=web.network())
cli.main()
"""
"""The command in a process of its own, led to a web of another one."""


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_killed_run_goes_on(web: Web, tmp_path: Path) -> None:
    """What was answered before the kill is not asked again, and every citation has its line in the end."""
    links = [f"http://h{number}.example/" for number in range(12)]
    for link in links[:6]:
        web.put(link, CLAIM, headers={"content-type": "text/plain"})
    for link in links[6:]:
        web.put(link, "", kind="silent", seconds=60)
    file = log(tmp_path, [answer(f"r{number}", CLAIM, link) for number, link in enumerate(links)])
    given = {
        "CITEDESK_CACHE": str(tmp_path / "verdicts.sqlite"),
        "CITEDESK_REFERENCES__ROBOTS": "false",
        "CITEDESK_REFERENCES__LIMITS": '{"per_second": 1000, "seconds": 60}',
    }
    command = [
        sys.executable,
        "-c",
        KILLED,
        str(web.ports["http"]),
        "resolve",
        str(file),
        "--references",
        "urls",
        "--json",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | given) as process:
        assert process.stdout is not None
        first = [json.loads(process.stdout.readline())["cite"] for _ in range(6)]
        process.send_signal(signal.SIGKILL)
    assert sorted(first) == sorted(links[:6])
    for link in links[6:]:
        web.put(link, CLAIM, headers={"content-type": "text/plain"})

    done = subprocess.run(command, stdout=subprocess.PIPE, env=os.environ | given, check=True, timeout=120)

    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(one["cite"] for one in found) == sorted(links)
    assert {one["resolve"] for one in found} == {"ok"}
    assert {web.asked(link) for link in links[:6]} == {1}
    assert PUBLIC not in {one.url for one in web.requests}
