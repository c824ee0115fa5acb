"""Claude: one client for everything that asks it; the only module that imports ``anthropic``, and only when called.

Expected failure is data: a call gives the object that was asked for, or a ``Trouble``. Our own retries count; the
SDK's are off.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from core.asking import Output, Prompt, Question, Setback, Trouble, When, Written
from core.claude_blocks import document
from core.claude_replies import read_message, usage_of, written
from core.errors import VerifierUnavailable
from core.models import Failure
from core.patience import Patience
from core.setbacks import OF_TYPE, of_status
from core.settings import ClaudeSettings
from core.spend import Ledger, Usage, prices

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message
    from anthropic.types.messages import MessageBatchIndividualResponse as BatchLine
    from pydantic import BaseModel

Found = TypeVar("Found")


class Claude:
    """Asks one model; safe from many threads.

    Args:
        settings: Model, retries, concurrency; not the key, which the SDK finds itself.
        ledger: Gets every call, and says when the run's limits are used up.
        purpose: Written beside every call.
        max_tokens: Of an answer, thinking included.

    Raises:
        VerifierUnavailable: There is no key, or a limit in dollars for a model whose price is not known.
    """

    def __init__(self, settings: ClaudeSettings, ledger: Ledger, purpose: str, max_tokens: int = 8192) -> None:
        """Find the key; nothing is sent yet."""
        if settings.limits.cost is not None and settings.model not in prices().models:
            raise VerifierUnavailable(
                f"The price of {settings.model} is not known, so a limit in dollars cannot be kept",
                "limit the calls instead (CITEDESK_CLAUDE__LIMITS__CALLS)",
            )
        self._settings, self._ledger, self._purpose, self._max_tokens = settings, ledger, purpose, max_tokens
        self._client = _connect()
        self._patience = Patience(settings, ledger)

    def ask(self, prompt: Prompt, question: Question[Output]) -> Output | Trouble:
        """Ask until there is an answer that can be used, or attempts, seconds or limits are used up."""
        params = self._params(prompt, _schema_of(question.output))

        def finish(message: Message | None) -> Output | Setback:
            return read_message(message, question)

        return self._persist(lambda seconds: self._stream(params, seconds, finish), counted=True)

    def write(self, prompt: Prompt, schema: Mapping[str, Any] | None, heard: Callable[[], None]) -> Written | Trouble:
        """Ask until there is a whole answer; reading it is the caller's concern.

        Args:
            prompt: What is asked.
            schema: A JSON schema of the object that is asked for; none for prose with the provider's own citations,
                with which it gives no objects.
            heard: Called at the first word of each attempt; the words themselves are kept to the end.
        """
        params = self._params(prompt, schema)
        return self._persist(lambda seconds: self._stream(params, seconds, written, heard), counted=True)

    def ask_all(self, asked: Sequence[tuple[Prompt, Question[Output]]]) -> list[Output | Trouble]:
        """Ask many things at once; begun and answered in their order, so that a limit cuts off the end."""
        with ThreadPoolExecutor(self._settings.concurrency, thread_name_prefix="claude") as pool:
            running = [pool.submit(self.ask, prompt, question) for prompt, question in asked]
            try:
                return [one.result() for one in running]
            except BaseException:  # Ctrl-C too: what was not begun stays so, and nobody sleeps before another attempt
                self._patience.stop()
                pool.shutdown(wait=False, cancel_futures=True)
                self._client.close()
                raise

    def submit(self, prompts: Mapping[str, Prompt], output: type[BaseModel]) -> str | Trouble:
        """Send a message batch, each prompt under its own id; gives the id of the batch."""
        batches = self._client.messages.batches
        requests: Any = [
            {"custom_id": name, "params": self._params(one, _schema_of(output))} for name, one in prompts.items()
        ]
        return self._persist(lambda seconds: batches.create(requests=requests).id)

    def has_ended(self, batch_id: str) -> bool | Trouble:
        """Whether every request of a batch was answered, failed, expired or was cancelled."""
        batches = self._client.messages.batches
        return self._persist(lambda seconds: batches.retrieve(batch_id, timeout=seconds).processing_status == "ended")

    def results(
        self, batch_id: str, questions: Mapping[str, Question[Output]], charge: bool = True
    ) -> dict[str, Output | Trouble] | Trouble:
        """The answers of a batch that has ended, by id, whatever their order; ids that nobody asks for are left out.

        Args:
            batch_id: As ``submit`` gave it.
            questions: By the id of the prompt.
            charge: Whether the calls go into the ledger; not when they are there already.
        """
        batches = self._client.messages.batches
        lines = self._persist(lambda seconds: list(batches.results(batch_id)))
        if isinstance(lines, Trouble):
            return lines
        found: dict[str, Output | Trouble] = {}
        for line in lines:
            question = questions.get(line.custom_id)
            answer = _batch_answer(line, question) if question else None
            if line.result.type == "succeeded" and charge:
                outcome = str(answer.failure) if isinstance(answer, Setback | Trouble) else "ok"
                self._note(outcome, line.result.message, batch=True, call_id=f"{batch_id}/{line.custom_id}")
            if answer is not None:
                found[line.custom_id] = answer.trouble if isinstance(answer, Setback) else answer
        return found

    def _params(self, prompt: Prompt, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        first = [*map(document, prompt.documents), *({"type": "text", "text": text} for text in prompt.user)]
        if kept := len(prompt.documents) + prompt.cached:
            first[kept - 1]["cache_control"] = {"type": "ephemeral"}
        turns = [
            {"role": "user" if number % 2 else "assistant", "content": [{"type": "text", "text": text}]}
            for number, text in enumerate(prompt.turns)
        ]
        return {
            "model": self._settings.model,
            "max_tokens": self._max_tokens,
            "system": [{"type": "text", "text": text} for text in prompt.system],
            "messages": [{"role": "user", "content": first}, *turns],
            **({"output_config": {"format": {"type": "json_schema", "schema": dict(schema)}}} if schema else {}),
        }

    def _persist(self, attempt: Callable[[float], Found | Setback], counted: bool = False) -> Found | Trouble:
        return self._patience.persist(lambda seconds: _held(attempt, seconds), counted)

    def _stream(
        self,
        params: dict[str, Any],
        seconds: float,
        finish: Callable[[Message | None], Found | Setback],
        heard: Callable[[], None] | None = None,
    ) -> Found | Setback:
        """One attempt, in the ledger whatever becomes of it once it has reached the provider."""
        seen: list[Message] = []
        ids: list[str | None] = [None]
        found = _held(lambda _: finish(self._listen(params, seconds, seen, ids, heard)), seconds)
        if isinstance(found, Setback):
            ended = bool(seen) and seen[-1].stop_reason is not None
            found = found._replace(when=When.AFTER if ended else When.DURING if seen else When.BEFORE)
        setback = found if isinstance(found, Setback) else None
        if setback is None or setback.sent:
            outcome = str(setback.failure) if setback else "ok"
            billed = setback is None or setback.billed or bool(seen)
            self._note(
                outcome, seen[-1] if seen else None, billed, request_id=ids[-1] or (setback and setback.request_id)
            )
        return found

    def _listen(
        self,
        params: dict[str, Any],
        seconds: float,
        seen: list[Message],
        ids: list[str | None],
        heard: Callable[[], None] | None,
    ) -> Message | None:
        """Read an answer to its end; ``seen`` and ``ids`` get what is known when it breaks off before."""
        import httpx2

        until = time.monotonic() + seconds
        with self._client.messages.stream(**params, timeout=seconds) as stream:
            ids.append(stream.request_id)
            watch = threading.Timer(seconds, stream.close)  # pings keep the line alive and are not shown to us
            watch.start()
            try:
                for event in stream:
                    if not seen and event.type == "message_start":
                        seen.append(stream.current_message_snapshot)
                    elif heard is not None and event.type == "content_block_delta":
                        heard()
                        heard = None
            finally:
                watch.cancel()
                if time.monotonic() > until:
                    raise httpx2.ReadTimeout(f"no end after {seconds:g} seconds")
        return seen[-1] if seen else None

    def _note(
        self,
        outcome: str,
        message: Message | None,
        billed: bool = True,
        *,
        batch: bool = False,
        call_id: str | None = None,
        request_id: str | None = None,
    ) -> None:
        self._ledger.note(
            message.model if message else self._settings.model,
            self._purpose,
            outcome,
            usage_of(message) if message else None if billed else Usage(),
            whole=not billed or (message is not None and message.stop_reason is not None),
            batch=batch,
            call_id=call_id,
            request_id=request_id,
        )


def _schema_of(output: type[BaseModel]) -> dict[str, Any]:
    from anthropic import transform_schema

    return transform_schema(output)


def _batch_answer(line: BatchLine, question: Question[Output]) -> Output | Setback | Trouble:
    result = line.result
    if result.type == "succeeded":
        return read_message(result.message, question)
    if result.type == "errored":
        kind = str(result.error.error.type)
        return Trouble(failure=OF_TYPE.get(kind, Failure.REJECTED), reason=f"Its place in the batch failed ({kind})")
    word = "expired" if result.type == "expired" else "was cancelled"
    return Trouble(failure=Failure.EXPIRED, reason=f"The batch {word} before it was answered")


def _connect() -> Anthropic:
    """A client with the key and address of the environment, whose own retries are off.

    Raises:
        VerifierUnavailable: There is no key, or it cannot be read.
    """
    import anthropic

    # At the level DEBUG the SDK writes whole requests into the log: sources, and answers that were not served.
    logging.getLogger("anthropic._base_client").setLevel(logging.INFO)
    advice = "set ANTHROPIC_API_KEY, or choose another verifier"
    try:
        client = anthropic.Anthropic(max_retries=0)
    except (anthropic.AnthropicError, ValueError, OSError) as error:
        raise VerifierUnavailable(f"Claude cannot be asked: {str(error).rstrip('. ')}", advice) from error
    if not (client.api_key or client.auth_token or client.credentials):
        raise VerifierUnavailable("Claude cannot be asked without a key", advice)
    return client


def _held(attempt: Callable[[float], Found | Setback], seconds: float) -> Found | Setback:
    """What an attempt gives, or its error as a setback."""
    import anthropic
    import httpx2

    try:
        return attempt(seconds)
    except anthropic.APIStatusError as error:
        return of_status(error.status_code, error.type, error.response.headers, error.request_id)
    except (httpx2.TimeoutException, anthropic.APITimeoutError) as error:
        sent = not isinstance(error.__cause__ or error, httpx2.ConnectTimeout)
        return Setback(Failure.TIMED_OUT, "There was no answer in time", again=True, sent=sent, billed=sent)
    except anthropic.APIConnectionError as error:
        if isinstance(error.__cause__, httpx2.ConnectError):
            reason = "Claude cannot be reached from here"
            return Setback(Failure.NO_NETWORK, reason, again=True, hopeless=True, sent=False)
        return Setback(Failure.CUT_OFF, "The connection broke before the answer", again=True, billed=True)
    except (httpx2.HTTPError, anthropic.AnthropicError, ValueError):  # a broken stream, or one that is not JSON
        return Setback(Failure.CUT_OFF, "The answer broke off before its end", again=True, billed=True)
