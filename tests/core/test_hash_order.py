"""The same input gives the same output in every process: nothing depends on the order of a set, which no two share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from core.models import Answer, Evidence, GivenClaim
from core.settings import data_path

ROOT = Path(__file__).parents[2]

WORDS = (
    "ferry harbour ticket captain island lighthouse passenger timetable winter storm bridge fare crossing deck anchor"
).split()


def sentence(random: Random, length: int) -> str:
    """Words that many other sentences have as well."""
    return f"The {' '.join(random.sample(WORDS, length))} is there."


def tied(number: int) -> Answer:
    """A claim, and a passage too long for the model in which many sentences share as much with it."""
    random = Random(number)
    claim = GivenClaim(text=sentence(random, 11), citation_ids=("C1",))
    text = " ".join(sentence(random, 7) for _ in range(50))
    return Answer(request_id=f"r{number}", claims=(claim,), evidence=(Evidence(id="C1", text=text),))


def printed(seed: int, *words: str | Path) -> bytes:
    """What the command prints in a process with another order of sets."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("CITEDESK_") and name != "PYTHONHASHSEED"
    } | {"PYTHONHASHSEED": str(seed), "CITEDESK_CACHE": "", "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-m", "core", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize("verifier", ["nli", "lexical"])
def test_verdicts_are_those_of_every_process(tmp_path: Path, verifier: str) -> None:
    """The sample, and passages in which much is tied: byte for byte, whatever order sets have."""
    file = tmp_path / "tied.jsonl"
    file.write_text("\n".join(json.dumps(tied(number).model_dump(mode="json")) for number in range(12)), "utf-8")
    for log in (file, data_path("samples") / "answers.jsonl"):
        first, *others = [
            printed(seed, "verify", log, "--verifier", verifier, "--no-cache", "--json") for seed in (1, 2, 3)
        ]
        assert first
        assert all(other == first for other in others)
