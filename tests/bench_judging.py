"""Speeds of the bundled judge: beside float32 torch, from a cold start, and on many pairs; called by ``make bench``."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from core import importers, sample
from core.inference import PairClassifier, cores, load_classifier
from core.model_folder import TOKENIZER, locate
from core.models import Answer
from core.verifiers.nli import DEFAULT

Row = tuple[str, str, str, str]

LENGTHS = (15, 40, 70, 130)
"""Words of the evidence, in turns: captions, sentences, paragraphs, windows of pages."""

CLAIM_WORDS = 14

_SHAPE = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
"""Of all-MiniLM-L6-v2, for a float32 model of random weights: as slow as one that was trained."""

_KILLED_AT = 0.4
"""The share of the answers after whose rows a run is killed."""


def rows(pairs: int, float_model: Path | None) -> Iterator[Row]:
    """All of them; ``pairs`` is how many are judged in one run, ``float_model`` a trained float32 checkpoint."""
    yield beside_float(float_model)
    with tempfile.TemporaryDirectory() as folder:
        yield cold_start(Path(folder))
        yield from many_pairs(Path(folder), pairs)


def texts(count: int) -> list[tuple[str, str]]:
    """So many different pairs of (evidence, claim), evidence of mixed lengths, out of the sample."""
    answers = [row for row in importers.read(sample.answers_path()) if isinstance(row, Answer)]
    stream = cycle([word for one in answers for entry in one.evidence for word in entry.text.split()])
    found = []
    for number, length in zip(range(count), cycle(LENGTHS), strict=False):
        evidence = " ".join(islice(stream, length))
        found.append((f"{evidence} Copy {number}.", " ".join(islice(stream, CLAIM_WORDS))))
    return found


def beside_float(folder: Path | None, count: int = 256) -> Row:
    """The bundled int8 model beside ``CrossEncoder.predict`` in float32, tokenization included in both."""
    import torch
    from sentence_transformers import CrossEncoder

    model = load_classifier(locate(DEFAULT))
    mixed = [pair for pair in texts(2 * count) if _fits(model, pair)][:count]
    torch.set_num_threads(cores())
    with tempfile.TemporaryDirectory() as scratch:
        what = "trained" if folder else "random weights"
        other = CrossEncoder(str(folder or _random_model(Path(scratch))), device="cpu", max_length=256)
        ours = theirs = float("inf")
        for _ in range(3):
            began = time.perf_counter()
            model.probabilities(mixed)
            between = time.perf_counter()
            other.predict(mixed, batch_size=32, show_progress_bar=False)
            ours, theirs = min(ours, between - began), min(theirs, time.perf_counter() - between)
    return (
        f"nli, {len(mixed)} pairs of mixed lengths, int8",
        f"{len(mixed) / ours:,.0f} pairs/s",
        f"torch float32 ({what}) {len(mixed) / theirs:,.0f} pairs/s",
        f"{theirs / ours:.1f}× as fast",
    )


def cold_start(folder: Path) -> Row:
    """``citedesk verify`` on one pair, from nothing to its row, beside a Python that does nothing."""
    log = write_log(folder / "one.jsonl", 1)
    command = [sys.executable, "-m", "core", "verify", str(log), "--verifier", "nli", "--no-cache", "--json"]
    ours, floor = (min(_seconds(words) for _ in range(3)) for words in (command, [sys.executable, "-c", "pass"]))
    return "first verdict of a cold verify, nli", f"{ours:.2f} s", f"bare Python {floor:.2f} s", f"{ours / floor:.0f}×"


def many_pairs(folder: Path, count: int) -> Iterator[Row]:
    """Judge many pairs from a log, once undisturbed and once killed and begun again; rows must be the same bytes."""
    log = write_log(folder / "many.jsonl", count)
    whole, seconds, peak = _verify(log, folder / "whole", folder / "whole.sqlite")
    yield f"verify {count:,} pairs, nli", f"{count / seconds:,.0f} pairs/s", f"peak memory {peak:.0f} MiB", ""
    killed = _verify_and_kill(log, folder / "cache.sqlite", int(count * _KILLED_AT))
    again, rest, _ = _verify(log, folder / "again", folder / "cache.sqlite")
    same = "the same bytes" if again.read_bytes() == whole.read_bytes() else "OTHER ROWS"
    yield f"the same, killed after {killed:,} rows and resumed", f"{rest:.1f} s", f"whole run {seconds:.1f} s", same
    once_more, rerun, _ = _verify(log, folder / "rerun", folder / "cache.sqlite")
    same = "the same bytes" if once_more.read_bytes() == whole.read_bytes() else "OTHER ROWS"
    yield "the same, rerun", f"{rerun:.1f} s", f"whole run {seconds:.1f} s", same
    yield "progress bar of a long run at a terminal", "shown" if _shows_a_bar(log) else "MISSING", "", ""


def write_log(path: Path, count: int) -> Path:
    """A log with so many claims, each citing an evidence text of its own, eight an answer."""
    pairs = texts(count)
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, count, 8):
            group = pairs[start : start + 8]
            answer = {
                "request_id": f"r{start}",
                "query": "What is there?",
                "claims": [{"text": claim, "citation_ids": [f"C{at}"]} for at, (_, claim) in enumerate(group)],
                "evidence": [{"id": f"C{at}", "text": evidence} for at, (evidence, _) in enumerate(group)],
            }
            file.write(json.dumps(answer) + "\n")
    return path


def _fits(model: PairClassifier, pair: tuple[str, str]) -> bool:
    return sum(map(len, model.encode(pair))) <= model.room


def _random_model(folder: Path) -> Path:
    """A float32 checkpoint of the small base's shape with the bundled tokenizer."""
    import transformers

    library: Any = transformers  # its own types refuse what it takes
    names = {f"{kind}_token": f"[{kind.upper()}]" for kind in ("cls", "sep", "pad", "unk", "mask")}
    tokenizer = library.PreTrainedTokenizerFast(tokenizer_file=str(locate(DEFAULT) / TOKENIZER), **names)
    config = library.BertConfig(vocab_size=len(tokenizer), num_labels=3, **_SHAPE)
    library.BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _command(log: Path) -> list[str]:
    return [sys.executable, "-m", "core", "verify", str(log), "--verifier", "nli", "--json"]


def _environment(cache: Path) -> Mapping[str, str]:
    return os.environ | {"CITEDESK_CACHE": str(cache)}


def _verify(log: Path, out: Path, cache: Path) -> tuple[Path, float, float]:
    """Run to the end; rows, seconds, and the peak memory of the process in MiB."""
    began = time.perf_counter()
    with out.open("wb") as rows_out, subprocess.Popen(_command(log), stdout=rows_out, env=_environment(cache)) as run:
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        raise SystemExit(f"verify ended with {run.returncode}")
    return out, time.perf_counter() - began, used.ru_maxrss / 1024


def _verify_and_kill(log: Path, cache: Path, after: int) -> int:
    """Kill a run with SIGKILL once it has printed so many rows; how many there were."""
    seen = 0
    with subprocess.Popen(_command(log), stdout=subprocess.PIPE, env=_environment(cache)) as run:
        assert run.stdout is not None
        for _line in run.stdout:
            seen += 1
            if seen >= after:
                break
        run.send_signal(signal.SIGKILL)
    return seen


def _shows_a_bar(log: Path) -> bool:
    """Whether standard error has a bar when it is a terminal."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))  # a new one has no columns, and a bar needs some
    text = b""
    with subprocess.Popen([*_command(log), "--no-cache"], stdout=subprocess.DEVNULL, stderr=theirs) as run:
        os.close(theirs)
        try:
            while b"%|" not in text and (piece := os.read(ours, 4096)):
                text += piece
        except OSError:  # what a terminal says when its other end is closed
            pass
        run.kill()
    os.close(ours)
    return b"%|" in text


def _seconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began
