"""How long judges take: counted where the time goes, kept with the run, told beside what they cost."""

from __future__ import annotations

from pathlib import Path

from core.comparison import compare
from core.judge_time import JudgeTime, Stopwatch
from core.models import Label, Pair
from core.semantic import Judge
from core.store import Store
from core.verdict_cache import RememberingJudge, VerdictCache
from tests.core.gold_store import Case, P, S, judge, made
from tests.core.store.build import PROTOCOL, protocol
from tests.fakes.scripted import ScriptedVerifier

PAIRS = [Pair(claim="The gate is open.", evidence=text) for text in ("It is open.", "It is shut.", "It is open.")]
OTHER = protocol(0.8)
A, B = str(PROTOCOL), str(OTHER)


def scripted() -> Judge:
    """A judge that knows both texts."""
    return Judge(ScriptedVerifier({"It is open.": Label.SUPPORTED, "It is shut.": Label.CONTRADICTED}), ())


def test_a_judge_counts_what_it_judges() -> None:
    """The same pair twice is judged once; what was handed over is not told again."""
    one = scripted()
    one.judge(PAIRS)
    (took,) = one.took()

    assert (took.judged, took.cached) == (2, 0)
    assert took.seconds > 0
    assert one.took() == []


def test_what_was_kept_took_no_time(tmp_path: Path) -> None:
    """Told apart from what was judged."""
    remembering = RememberingJudge(scripted(), VerdictCache(tmp_path / "cache.sqlite"))
    remembering.judge(PAIRS[:1])
    remembering.took()
    remembering.judge(PAIRS)
    judged, kept = remembering.took()

    assert (judged.judged, judged.cached) == (1, 0)
    assert (kept.judged, kept.cached, kept.seconds) == (0, 1, 0.0)


def test_a_stopwatch_that_saw_nothing_says_nothing() -> None:
    """Else a run without spans would have a time of 0."""
    assert Stopwatch().take() is None


def timed(store: Store, protocol: str, *times: JudgeTime) -> None:
    """Keep times of the run of a protocol."""
    store.add_judge_times(times, next(one.run_id for one in store.summary().runs if one.protocol == protocol))


def test_compare_says_seconds_a_span(tmp_path: Path) -> None:
    """8 spans in 2 s are 0.25 s each; a time that is said twice counts once; all from the cache is no time at all."""
    with made(tmp_path / "desk.duckdb", [Case("supported", S), Case("partial", P)]) as store:
        judge(store, [Case(None, S), Case(None, S)], OTHER)
        assert {side.latency_said for side in compare(store, [A, B]).sides} == {"not recorded"}

        once = JudgeTime(time_id="1", judged=6, cached=1, seconds=1.5)
        timed(store, A, once, JudgeTime(time_id="2", judged=2, cached=0, seconds=0.5))
        timed(store, A, once)
        timed(store, B, JudgeTime(time_id="3", judged=0, cached=2, seconds=0.0))
        first, second = compare(store, [A, B]).sides

    assert (first.seconds_a_span, first.spans_timed, first.spans_cached) == (0.25, 8, 1)
    assert first.latency_said == "250 ms a span (8 spans, 1 more from the cache)"
    assert (second.seconds_a_span, second.latency_said) == (None, "from the cache (2 spans)")
