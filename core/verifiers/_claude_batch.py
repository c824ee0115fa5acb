"""The judge ``claude`` by message batches: half the price, answered within a day, and collected again after a kill.

What was sent is noted in one small file per batch, with hashes of the pairs and nothing of their texts. Pairs that an
earlier run has sent are not sent again but waited for; once collected, a batch is kept until the next pairs are judged.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from core.asking import Prompt, Question, Trouble
from core.claude import Claude
from core.models import Failure, Pair, Record, digest, utc_now
from core.settings import ClaudeSettings, local_path
from core.spend import Ledger, Usage, prices
from core.verifiers._claude_prompt import Decision, prompt

MAX_REQUESTS, MAX_BYTES = 10_000, 100_000_000
"""Of one batch: a tenth of the requests and less than half of the bytes that the provider takes."""

KEPT = timedelta(days=28)
"""The provider keeps results for 29 days."""

GUESSED_OUTPUT = 700
"""Tokens of an answer, thinking included, when it must be guessed what a batch will cost."""

Found = dict[str, Decision | Trouble]
Asked = Mapping[str, tuple[Pair, Question[Decision]]]


class Sent(Record):
    """One batch that was sent, as its file holds it."""

    batch_id: str
    sent_at: datetime
    names: tuple[str, ...]
    """Of the pairs in it."""
    charged: bool = False
    """Whether its answers were collected once, and its cost noted."""


class Batches:
    """Judges pairs by message batches.

    Args:
        claude: Who is asked.
        ledger: What the run may use.
        settings: How often to look at a batch.
        protocol: Sha256 of the verifier protocol: batches of another one are none of ours.
    """

    def __init__(self, claude: Claude, ledger: Ledger, settings: ClaudeSettings, protocol: str) -> None:
        """Nothing is sent yet."""
        self._claude, self._ledger, self._settings = claude, ledger, settings
        self._folder = local_path("batches", protocol[:16])

    def ask(self, pairs: Sequence[Pair], questions: Sequence[Question[Decision]]) -> list[Decision | Trouble]:
        """Judge pairs, in order; those that the limits of the run do not cover are the last ones."""
        names = [name_of(pair) for pair in pairs]
        asked: Asked = dict(zip(names, zip(pairs, questions, strict=True), strict=True))
        found: Found = {}
        for sent in self._earlier(asked):
            found |= self._collect(sent, asked, again=True)
        missing = {name: prompt(pair) for name, (pair, _) in asked.items() if name not in found}
        for sent in self._send(missing, found):
            found |= self._collect(sent, asked)
        return [found[name] for name in names]

    def _earlier(self, asked: Asked) -> list[Sent]:
        """The batches that hold some of these pairs; those that are done with are forgotten."""
        kept = []
        for path in sorted(self._folder.glob("*.json")):
            try:
                sent = Sent.model_validate_json(path.read_bytes())
            except (ValidationError, OSError):
                continue
            if utc_now() - sent.sent_at > KEPT or (sent.charged and not asked.keys() & set(sent.names)):
                path.unlink(missing_ok=True)
            elif asked.keys() & set(sent.names):
                kept.append(sent)
        return kept

    def _send(self, missing: Mapping[str, Prompt], found: Found) -> list[Sent]:
        """Send what is missing and can be afforded; the rest is found to be in trouble."""
        sent = []
        affordable = self._affordable(missing, found)
        for chunk in _chunks(affordable):
            batch_id = self._claude.submit(chunk, Decision)
            if isinstance(batch_id, Trouble):
                found |= dict.fromkeys(chunk, batch_id)
                continue
            one = Sent(batch_id=batch_id, sent_at=utc_now(), names=tuple(chunk))
            self._write(one)
            sent.append(one)
        return sent

    def _affordable(self, missing: Mapping[str, Prompt], found: Found) -> dict[str, Prompt]:
        """Those that the limits cover, the cost guessed from the length of the texts."""
        _, dollars = self._ledger.left()
        affordable: dict[str, Prompt] = {}
        stopped: str | None = None
        for name, asked in missing.items():
            usage = Usage(input=_size(asked) // 3, output=GUESSED_OUTPUT)
            cost = prices().cost(self._settings.model, usage, batch=True)
            if dollars is not None and stopped is None:
                dollars -= cost or 0.0
                stopped = "it would take the batch beyond the dollars of this run" if dollars < 0 else None
            stopped = stopped or self._ledger.begin()
            if stopped is None:
                affordable[name] = asked
            else:
                found[name] = Trouble(failure=Failure.BUDGET, reason=f"Not asked: {stopped}")
        return affordable

    def _collect(self, sent: Sent, asked: Asked, again: bool = False) -> Found:
        """Wait for a batch and read it; with ``again``, what can be sent once more is left out."""
        names = [name for name in sent.names if name in asked]
        ended = self._wait(sent)
        questions = {name: asked[name][1] for name in names}
        read = ended or self._claude.results(sent.batch_id, questions, charge=not sent.charged)
        if isinstance(read, Trouble):
            if again and read.failure is Failure.REJECTED:  # the provider does not know the batch any more
                self._path(sent).unlink(missing_ok=True)
                return {}
            return dict.fromkeys(names, read)
        self._write(sent.model_copy(update={"charged": True}))
        if again:
            return {name: one for name, one in read.items() if isinstance(one, Decision)}
        lost = Trouble(failure=Failure.BAD_OUTPUT, reason="The batch came back without this pair")
        return {name: read.get(name, lost) for name in names}

    def _wait(self, sent: Sent) -> Trouble | None:
        """Look again and again until a batch has ended; gives why it cannot be waited for any longer."""
        while True:
            ended = self._claude.has_ended(sent.batch_id)
            if isinstance(ended, Trouble):
                return ended
            if ended:
                return None
            if out_of_time := self._ledger.out_of_time():
                reason = f"The batch is not answered yet, and {out_of_time}; the same command collects it later"
                return Trouble(failure=Failure.BUDGET, reason=reason)
            time.sleep(self._settings.poll_seconds)

    def _write(self, sent: Sent) -> None:
        path = self._path(sent)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(sent.model_dump_json(), encoding="utf-8")
        part.replace(path)

    def _path(self, sent: Sent) -> Path:
        return self._folder / f"{sha256(sent.batch_id.encode()).hexdigest()[:32]}.json"


def name_of(pair: Pair) -> str:
    """The name of a pair in a batch: 32 hex over both texts."""
    return digest([pair.claim, pair.evidence])[:32]


def _chunks(prompts: Mapping[str, Prompt]) -> Iterator[dict[str, Prompt]]:
    chunk: dict[str, Prompt] = {}
    size = 0
    for name, asked in prompts.items():
        length = 4 * _size(asked)
        if chunk and (len(chunk) == MAX_REQUESTS or size + length > MAX_BYTES):
            yield chunk
            chunk, size = {}, 0
        chunk[name] = asked
        size += length
    if chunk:
        yield chunk


def _size(asked: Prompt) -> int:
    return sum(map(len, (*asked.system, *asked.user)))
