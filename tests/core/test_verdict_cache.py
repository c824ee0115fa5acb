"""The verdict cache: what was judged once costs nothing again, and nothing wrong ever comes out of it."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import VerifierUnavailable
from core.models import Judgement, Label, Pair, Qualifier, Status
from core.protocol import VerifierProtocol
from core.verdict_cache import KEPT_AT_ONCE, CacheTrouble, RememberingJudge, VerdictCache, key_of
from core.verifiers.lexical import LexicalVerifier
from tests.core.test_cli import GOOD, Command, log

PROTOCOL = VerifierProtocol(verifier="counting", version=1, thresholds={}, windowing="whole")
ROOT = Path(__file__).parents[2]


class Counting:
    """A judge that supports everything, and counts what it is asked.

    Args:
        protocol: Under which it judges.
        said: What it says of each pair, unless it should fail after ``until`` pairs.
    """

    def __init__(
        self, protocol: VerifierProtocol = PROTOCOL, said: Judgement | None = None, until: int = 10**9
    ) -> None:
        self.protocol = protocol
        self.said = said
        self.until = until
        self.asked: list[Pair] = []

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge, and count."""
        if len(self.asked) + len(pairs) > self.until:
            raise VerifierUnavailable("The power went")
        self.asked += pairs
        return [self.said or supported(pair) for pair in pairs]


def supported(pair: Pair, **changes: Any) -> Judgement:
    """Supported by the whole text."""
    values: dict[str, Any] = {
        "status": Status.JUDGED,
        "label": Label.SUPPORTED,
        "scores": {"zeta": 0.1 + 0.2, "alpha": 1 / 3},
        "start": 0,
        "end": len(pair.evidence),
        "tokens_seen": 3,
        "tokens_total": 3,
        "qualifiers": (Qualifier(kind="number", claim="3", evidence=None, agrees=None),),
        "reason": f"“{pair.claim}” \ud800 stands there",
    }
    return Judgement(**(values | changes))


def pairs(count: int, prefix: str = "c") -> list[Pair]:
    """So many pairs."""
    return [Pair(claim=f"{prefix}{number}", evidence=f"text {number}") for number in range(count)]


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command, on an empty store."""
    return Command(monkeypatch, capsys, tmp_path / "desk.duckdb")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a cache may lie."""
    return tmp_path / "deep" / "verdicts.sqlite"


def test_a_second_run_asks_nobody_and_says_the_same(path: Path) -> None:
    """Every field comes back, scores to the last bit and in their order, in another process's cache object too."""
    first, second = Counting(), Counting()
    asked = [*pairs(3), pairs(3)[0]]
    fresh = RememberingJudge(first, VerdictCache(path)).judge(asked)
    again = RememberingJudge(second, VerdictCache(path)).judge(asked)

    assert len(first.asked) == 3
    assert second.asked == []
    assert again == fresh
    assert [json.dumps(one.model_dump()) for one in again] == [json.dumps(one.model_dump()) for one in fresh]


def test_only_what_is_missing_is_judged(path: Path) -> None:
    """Known and unknown pairs mixed keep their order."""
    RememberingJudge(Counting(), VerdictCache(path)).judge(pairs(4)[::2])
    judge = Counting()
    found = RememberingJudge(judge, VerdictCache(path)).judge(pairs(4))

    assert judge.asked == pairs(4)[1::2]
    assert [one.reason for one in found] == [supported(pair).reason for pair in pairs(4)]


@pytest.mark.parametrize(
    "change",
    [
        {"thresholds": {"supported": 0.6}},
        {"rules": 99},
        {"weights": "00"},
        {"prompt_sha256": "00"},
        {"qualifiers": ("number@2",)},
        {"windowing": "other"},
        {"version": 2},
        {"verifier": "other"},
    ],
)
def test_another_protocol_knows_nothing_of_it(path: Path, change: dict[str, Any]) -> None:
    """Whatever may move a verdict is part of the key."""
    RememberingJudge(Counting(), VerdictCache(path)).judge(pairs(1))
    judge = Counting(VerifierProtocol(**(PROTOCOL.model_dump() | change)))
    RememberingJudge(judge, VerdictCache(path)).judge(pairs(1))

    assert judge.asked == pairs(1)


@given(st.tuples(st.text(), st.text()), st.tuples(st.text(), st.text()))
def test_no_two_pairs_share_a_key(one: tuple[str, str], two: tuple[str, str]) -> None:
    """Also where a character moves from the claim to the evidence."""
    first, second = (Pair(claim=claim, evidence=evidence) for claim, evidence in (one, two))

    assert (key_of(first, "00") == key_of(second, "00")) == (one == two)


def test_what_lies_between_claim_and_evidence_counts() -> None:
    """The border is part of what the verifier was given."""
    assert key_of(Pair(claim="ab", evidence="c"), "00") != key_of(Pair(claim="a", evidence="bc"), "00")
    assert key_of(Pair(claim="a\ud800", evidence="c"), "00") != key_of(Pair(claim="a", evidence="c"), "00")


@pytest.mark.parametrize(
    "said",
    [
        Judgement(status=Status.FAILED, reason="time-out"),
        Judgement(status=Status.TRUNCATED, tokens_seen=1, tokens_total=2, reason="only 1 of 2"),
        Judgement(status=Status.SKIPPED),
    ],
)
def test_what_was_not_judged_is_asked_again(path: Path, said: Judgement) -> None:
    """An outage of today is no verdict of tomorrow."""
    RememberingJudge(Counting(said=said), VerdictCache(path)).judge(pairs(1))
    judge = Counting()

    assert RememberingJudge(judge, VerdictCache(path)).judge(pairs(1)) == [supported(pairs(1)[0])]
    assert judge.asked == pairs(1)


@pytest.mark.parametrize("snippet", ["word " * 26, "字" * 251])
def test_long_stretches_of_a_text_are_not_kept(path: Path, snippet: str) -> None:
    """The cache outlives a source's retention, so it holds no more than an excerpt."""
    long = supported(pairs(1)[0], qualifiers=(Qualifier(kind="x", claim="y", evidence=snippet, agrees=True),))
    RememberingJudge(Counting(said=long), VerdictCache(path)).judge(pairs(1))
    judge = Counting()
    RememberingJudge(judge, VerdictCache(path)).judge(pairs(1))

    assert judge.asked == pairs(1)


def test_neither_claim_nor_evidence_is_in_the_file(path: Path) -> None:
    """Only their hash, and what the judge said."""
    said = supported(pairs(1)[0], reason="so")
    secret = Pair(claim="The patient is called Okoro.", evidence="Okoro was admitted on Monday.")
    RememberingJudge(Counting(said=said), VerdictCache(path)).judge([secret])
    content = b"".join(file.read_bytes() for file in path.parent.iterdir())

    assert content
    assert b"Okoro" not in content


def test_a_judge_that_gives_up_loses_at_most_one_group(path: Path) -> None:
    """Whole groups before the trouble are kept; the trouble is the judge's own."""
    judge = Counting(until=KEPT_AT_ONCE)
    with pytest.raises(VerifierUnavailable, match="The power went"):
        RememberingJudge(judge, VerdictCache(path)).judge(pairs(KEPT_AT_ONCE + 5))
    later = Counting()
    RememberingJudge(later, VerdictCache(path)).judge(pairs(KEPT_AT_ONCE + 5))

    assert later.asked == pairs(KEPT_AT_ONCE + 5)[KEPT_AT_ONCE:]


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
def test_the_file_is_its_owners_alone(path: Path) -> None:
    """From its first moment, its companions too; a file that others could read is closed to them."""
    RememberingJudge(Counting(), VerdictCache(path)).judge(pairs(1))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("select count(*) from judgements").fetchone()
        VerdictCache(path).find([b"x"])
        assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir() if file == path} == {0o600}


def damaged(path: Path, how: str) -> None:
    """A file that is no sound cache."""
    path.parent.mkdir(exist_ok=True)
    if how == "folder":
        path.mkdir()
        return
    RememberingJudge(Counting(), VerdictCache(path)).judge(pairs(300))
    if how == "others can write it":
        path.chmod(0o622)
    elif how == "text":
        path.write_bytes(b"not a database, whatever its name says, for more than a hundred bytes" * 3)
    elif how == "cut short":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    elif how == "overwritten":
        content = bytearray(path.read_bytes())
        content[4096:] = b"\xa5" * (len(content) - 4096)
        path.write_bytes(bytes(content))
    else:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(
                {
                    "another program's": "pragma application_id = 1",
                    "newer": "pragma user_version = 99",
                    "without its table": "drop table judgements",
                }[how]
            )


TROUBLES = "folder|others can write it|text|cut short|overwritten|another program's|newer|without its table".split("|")


@pytest.mark.parametrize("how", TROUBLES)
def test_trouble_with_the_file_is_one_sentence(path: Path, how: str, caplog: pytest.LogCaptureFixture) -> None:
    """Everything is judged as if there were no cache, and the file is left as it is."""
    if how == "others can write it" and os.name != "posix":
        pytest.skip("modes are a matter of POSIX")
    damaged(path, how)
    before = path.read_bytes() if path.is_file() else None
    judge = Counting()
    remembering = RememberingJudge(judge, VerdictCache(path))

    assert remembering.judge(pairs(300)) == [supported(pair) for pair in pairs(300)]
    assert remembering.judge(pairs(2)) == [supported(pair) for pair in pairs(2)]
    assert len(judge.asked) == 302
    (said,) = [record.getMessage() for record in caplog.records]
    assert str(path) in said
    assert said.endswith("judging goes on without it.")
    assert (path.read_bytes() if path.is_file() else None) == before
    with pytest.raises(CacheTrouble):
        VerdictCache(path).look()


@pytest.mark.parametrize(
    "sql",
    [
        """update judgements set judgement = replace(judgement, 'supported', 'contradicted')""",
        """update judgements set judgement = '{}'""",
        """update judgements set judgement = ''""",
        """update judgements set seal = zeroblob(32)""",
        """update judgements set judgement = cast(judgement as blob)""",
    ],
)
def test_a_row_that_was_changed_is_judged_again(path: Path, sql: str) -> None:
    """And written anew: no wrong verdict comes out of a changed file."""
    RememberingJudge(Counting(), VerdictCache(path)).judge(pairs(2))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql)
    judge, later = Counting(), Counting()

    assert RememberingJudge(judge, VerdictCache(path)).judge(pairs(2)) == [supported(pair) for pair in pairs(2)]
    assert judge.asked == pairs(2)
    RememberingJudge(later, VerdictCache(path)).judge(pairs(2))
    assert later.asked == []


def test_a_row_copied_to_another_key_is_judged_again(path: Path) -> None:
    """The seal covers the key."""
    RememberingJudge(Counting(), VerdictCache(path)).judge(pairs(1))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update judgements set key = ?", [key_of(pairs(2)[1], PROTOCOL.sha256)])
    judge = Counting()
    RememberingJudge(judge, VerdictCache(path)).judge(pairs(2)[1:])

    assert judge.asked == pairs(2)[1:]


def test_it_stays_within_its_size_and_forgets_the_oldest(path: Path) -> None:
    """The newest are known, the first ones are not."""
    cache = VerdictCache(path, largest=300_000)
    for number in range(20):
        RememberingJudge(Counting(), cache).judge(pairs(100, f"{number}-"))
    oldest, newest = Counting(), Counting()
    RememberingJudge(newest, cache).judge(pairs(100, "19-"))
    RememberingJudge(oldest, cache).judge(pairs(100, "0-"))

    assert newest.asked == []
    assert len(oldest.asked) == 100
    assert path.stat().st_size < 400_000


def test_looking_makes_nothing(path: Path) -> None:
    """A cache that is not there has no judgements; one that is, says how many."""
    assert VerdictCache(path).look().judgements == 0
    assert not path.parent.exists()
    RememberingJudge(Counting(), VerdictCache(path)).judge(pairs(7))
    kept = VerdictCache(path).look()

    assert kept.judgements == 7
    assert kept.bytes >= path.stat().st_size


def test_threads_share_a_file(tmp_path: Path, threads_that_change_often: None) -> None:
    """Eight writers that make a file at the same moment lose nothing, time after time."""
    for time_after_time in range(20):
        path = tmp_path / str(time_after_time) / "verdicts.sqlite"
        threads = [
            Thread(target=RememberingJudge(Counting(), VerdictCache(path)).judge, args=(pairs(5, f"{number}-"),))
            for number in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert VerdictCache(path).look().judgements == 40


@pytest.fixture
def threads_that_change_often() -> Iterator[None]:
    """The interpreter goes from thread to thread a hundred times as often as it would, so that races are met."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 100)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.long
def test_processes_share_a_file(path: Path) -> None:
    """Four processes that make the file at the same moment and write different judgements lose nothing."""
    program = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[3])\n"
        "from tests.core.test_verdict_cache import Counting, RememberingJudge, VerdictCache, pairs\n"
        "for part in range(5):\n"
        "    RememberingJudge(Counting(), VerdictCache(Path(sys.argv[1]))).judge(pairs(40, f'{sys.argv[2]}-{part}-'))"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(path), str(number), str(ROOT)], stderr=subprocess.PIPE)
        for number in range(4)
    ]

    assert [process.communicate()[1] for process in running] == [b""] * 4
    assert VerdictCache(path).look().judgements == 800


class Counted:
    """How many pairs the lexical verifier was given."""

    count = 0


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, path: Path) -> Counted:
    """Count what reaches the verifier of a command, and let commands remember."""
    asked = Counted()
    judge = LexicalVerifier.judge

    def counting(self: LexicalVerifier, pairs: Sequence[Pair]) -> list[Judgement]:
        asked.count += len(pairs)
        return judge(self, pairs)

    monkeypatch.setattr(LexicalVerifier, "judge", counting)
    monkeypatch.setenv("CITEDESK_CACHE", str(path))
    return asked


def answers(count: int) -> list[dict[str, Any]]:
    """So many answers, each with a claim of its own."""
    return [
        GOOD | {"request_id": f"r{number}", "claims": [{"text": f"Gate {number} opens at 7.", "citation_ids": ["C1"]}]}
        for number in range(count)
    ]


def test_a_rerun_of_the_command_costs_nothing(citedesk: Command, counted: Counted, tmp_path: Path, path: Path) -> None:
    """Byte-equal rows, and the verifier is asked nothing the second time; import and verify share what is known."""
    file = log(tmp_path / "a.jsonl", *answers(30))
    words: list[str | Path] = ["verify", file, "--json", "--verifier", "lexical"]
    first = citedesk(*words)
    asked = counted.count
    second = citedesk(*words)
    citedesk("import", file, "--verifier", "lexical")
    citedesk("verify", "--verifier", "lexical")

    assert (first.code, asked) == (0, 30)
    assert second.out == first.out
    assert first.out.count("\n") == 30
    assert counted.count == 30
    assert path.exists()


@pytest.mark.parametrize("words", [["--no-cache"], ["--threshold", "supported=0.99"]])
def test_a_rerun_judges_again_when_it_must(
    citedesk: Command, counted: Counted, tmp_path: Path, words: list[str]
) -> None:
    """When it is told to, and under another protocol; without a cache none is made or read."""
    file = log(tmp_path / "a.jsonl", *answers(3))
    citedesk("verify", file, "--json", "--verifier", "lexical")
    citedesk("verify", file, "--json", "--verifier", "lexical", *words)

    assert counted.count == 6


def test_no_cache_makes_no_file(citedesk: Command, tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither with the option nor with an empty setting."""
    file = log(tmp_path / "a.jsonl", GOOD)
    citedesk("verify", file)
    monkeypatch.setenv("CITEDESK_CACHE", str(path))
    citedesk("verify", file, "--no-cache")
    citedesk("import", file, "--no-cache")

    assert not path.exists()
    citedesk("verify", file)
    assert path.exists()


def test_the_command_says_that_a_cache_is_damaged(tmp_path: Path, path: Path) -> None:
    """One sentence on standard error, the same rows, the same exit code."""
    file = log(tmp_path / "a.jsonl", GOOD)
    damaged(path, "text")
    command = [sys.executable, "-m", "core", "verify", str(file), "--json"]
    bare = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"CITEDESK_CACHE": ""}, check=True)
    ran = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"CITEDESK_CACHE": str(path)}, check=True
    )

    assert ran.stdout == bare.stdout
    assert len(ran.stderr.strip().splitlines()) == 1
    assert "is not used (file is not a database); judging goes on without it." in ran.stderr


SLOW = """
import sys, time
from core.verifiers.lexical import LexicalVerifier
from core import cli
judge = LexicalVerifier.judge

def slowly(self, pairs):
    with open(PLACE, "a") as file:
        file.write("".join(f"{pair.claim}\\n" for pair in pairs))
    time.sleep(0.2)
    return judge(self, pairs)

PLACE = sys.argv[1]
LexicalVerifier.judge = slowly
sys.argv = ["citedesk", *sys.argv[2:]]
cli.main()
"""


@pytest.mark.long
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, path: Path) -> None:
    """After SIGKILL what was judged is not judged again, but for the group at hand; the rows are those of one run."""
    count = 600
    file = log(tmp_path / "a.jsonl", *answers(count))
    asked = tmp_path / "asked.txt"
    environment = os.environ | {"CITEDESK_CACHE": str(path), "PYTHONPATH": str(ROOT)}
    words = ["verify", str(file), "--json", "--verifier", "lexical"]
    command = [sys.executable, "-c", SLOW, str(asked), *words]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        while not asked.exists() or asked.read_text().count("\n") < count // 3:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    before = asked.read_text().count("\n")
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    whole = subprocess.run(
        [sys.executable, "-m", "core", *words, "--no-cache"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert before < count
    assert asked.read_text().count("\n") <= count + KEPT_AT_ONCE
    assert ran.stdout == whole.stdout


def test_doctor_says_how_the_cache_is(citedesk: Command, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None, empty, filled, damaged: a damaged one is a thing to mend, with what to do."""

    def said() -> str:
        return next(line for line in citedesk("doctor", "--port", "0").out.splitlines() if "verdict cache" in line)

    assert "none: everything is judged anew" in said()
    monkeypatch.setenv("CITEDESK_CACHE", str(path))
    assert "nothing kept yet" in said()
    RememberingJudge(Counting(), VerdictCache(path)).judge(pairs(3))
    assert f"{path}: 3 judgements" in said()
    damaged(path, "text")
    assert said().startswith("MEND")
    assert "delete it" in said()
