"""What calls to a paid model cost: tokens, prices with a date, the calls of a run and the limits that they keep to."""

from __future__ import annotations

import threading
import time
import tomllib
from collections.abc import Iterable
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from uuid import uuid4

from pydantic import Field

from core.models import Record, utc_now


class Usage(Record):
    """The tokens of one call as the provider counted them; each kind has its own price."""

    input: int = 0
    """Read anew, neither from a cache nor into one."""
    output: int = 0
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0

    @property
    def prompt(self) -> int:
        """All that was read, from wherever."""
        return self.input + self.cache_read + self.cache_write_5m + self.cache_write_1h


class Rates(Record):
    """US dollars per million tokens of each kind."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float = Field(ge=0)
    cache_write_5m: float = Field(ge=0)
    cache_write_1h: float = Field(ge=0)


class LongRates(Rates):
    """The rates for every token of a call with a long prompt."""

    above: int = Field(gt=0)
    """Tokens of prompt, caches included, beyond which they hold."""


class ModelPrice(Rates):
    """The price of one model."""

    long: LongRates | None = None


class PriceTable(Record):
    """What ``core/prices.toml`` holds."""

    as_of: date
    batch: float = Field(gt=0, le=1)
    """The share of the price that a call in a batch costs."""
    models: dict[str, ModelPrice]

    def cost(self, model: str, usage: Usage, batch: bool = False) -> float | None:
        """US dollars for one call; none when the model has no known price."""
        price = self.models.get(model)
        if price is None:
            return None
        rates = price.long if price.long and usage.prompt > price.long.above else price
        dollars: float = sum(getattr(usage, kind) * getattr(rates, kind) for kind in Usage.model_fields) / 1e6
        return round(dollars * (self.batch if batch else 1.0), 9)


@cache
def prices() -> PriceTable:
    """The price table that this version ships."""
    return PriceTable.model_validate(tomllib.loads(files("core").joinpath("prices.toml").read_text("utf-8")))


class Call(Record):
    """One attempt at a call of a paid model, also one that failed."""

    call_id: str
    """Names the attempt for ever; for a call in a batch made of the batch's id and its place in it."""
    at: datetime
    """When it was answered, in UTC."""
    model: str
    """The one that answered, or, when none did, the one that was asked."""
    purpose: str
    """What it was for, such as ``judge``."""
    outcome: str
    """``ok``, or the word of ``core.models.Failure``."""
    batch: bool = False
    usage: Usage | None
    """None when the call broke before the provider had counted."""
    cost: float | None
    """US dollars; none when the tokens or the price are not known. Refused requests cost 0."""
    priced_on: date | None
    """The date of the price table."""
    request_id: str | None
    """The provider's name for the request: what its support asks for."""


class CostLine(Record):
    """The calls of one model on one day."""

    day: date
    model: str
    calls: int
    failed: int
    batch_calls: int
    input: int
    output: int
    cache_read: int
    cache_write: int
    cost: float
    """US dollars, of the calls whose cost is known."""
    unknown: int
    """Calls whose cost is not known, and that ``cost`` leaves out."""


class Limits(Record):
    """What one run may use at most; none means no limit."""

    cost: float | None = Field(default=None, ge=0)
    """US dollars, counted when a call is answered: calls on their way may go beyond it."""
    calls: int | None = Field(default=None, ge=0)
    """Attempts, repeated ones too."""
    seconds: float | None = Field(default=None, ge=0)
    """From the first call on."""


class Ledger:
    """The calls of one run, counted as they happen, and its limits; safe from many threads."""

    def __init__(self, limits: Limits | None = None) -> None:
        """Begin at nothing."""
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._taken = 0
        self._cost = 0.0
        self._began: float | None = None
        self._calls: list[Call] = []

    def begin(self) -> str | None:
        """Count a call that is about to be made; or, when a limit is used up, say which, and count nothing."""
        with self._lock:
            self._began = time.monotonic() if self._began is None else self._began
            used_up = self._used_up()
            self._taken += used_up is None
            return used_up

    def out_of_time(self) -> str | None:
        """Whether the seconds of the run, which begin with the first question, are over: in words, or none."""
        with self._lock:
            self._began = time.monotonic() if self._began is None else self._began
            return self._out_of_time()

    def left(self) -> tuple[int | None, float | None]:
        """Calls and US dollars that are left; none where there is no limit."""
        with self._lock:
            calls = None if self._limits.calls is None else max(self._limits.calls - self._taken, 0)
            dollars = None if self._limits.cost is None else max(self._limits.cost - self._cost, 0.0)
            return calls, dollars

    def add(self, call: Call) -> None:
        """Keep what a call turned out to be."""
        with self._lock:
            self._calls.append(call)
            self._cost += call.cost or 0.0

    def note(
        self,
        model: str,
        purpose: str,
        outcome: str,
        usage: Usage | None,
        *,
        whole: bool = True,
        batch: bool = False,
        call_id: str | None = None,
        request_id: str | None = None,
    ) -> None:
        """Keep a call that was answered just now, with its cost; that of one that is not ``whole`` is not known."""
        nothing = usage is not None and not any(dict(usage).values())
        known = usage if whole else None
        cost = 0.0 if nothing and whole else prices().cost(model, known, batch) if known else None
        self.add(
            Call(
                call_id=call_id or uuid4().hex,
                at=utc_now(),
                model=model,
                purpose=purpose,
                outcome=outcome,
                batch=batch,
                usage=usage,
                cost=cost,
                priced_on=prices().as_of if cost is not None else None,
                request_id=request_id,
            )
        )

    def take(self) -> list[Call]:
        """Hand over the calls since this was asked last."""
        with self._lock:
            taken, self._calls = self._calls, []
            return taken

    def _used_up(self) -> str | None:
        limits = self._limits
        if limits.calls is not None and self._taken >= limits.calls:
            return f"the {limits.calls} calls of this run are used up"
        if limits.cost is not None and self._cost >= limits.cost:
            return f"the {limits.cost:g} dollars of this run are used up"
        return self._out_of_time()

    def _out_of_time(self) -> str | None:
        seconds = self._limits.seconds
        if seconds is not None and self._began is not None and time.monotonic() - self._began >= seconds:
            return f"the {seconds:g} seconds of this run are used up"
        return None


def totals(calls: Iterable[Call]) -> list[CostLine]:
    """Sum calls by day (UTC) and model, sorted by both."""
    groups: dict[tuple[date, str], list[Call]] = {}
    for call in calls:
        groups.setdefault((call.at.date(), call.model), []).append(call)
    return [_line(day, model, group) for (day, model), group in sorted(groups.items())]


def _line(day: date, model: str, calls: list[Call]) -> CostLine:
    usages = [call.usage for call in calls if call.usage is not None]
    return CostLine(
        day=day,
        model=model,
        calls=len(calls),
        failed=sum(call.outcome != "ok" for call in calls),
        batch_calls=sum(call.batch for call in calls),
        input=sum(usage.input for usage in usages),
        output=sum(usage.output for usage in usages),
        cache_read=sum(usage.cache_read for usage in usages),
        cache_write=sum(usage.cache_write_5m + usage.cache_write_1h for usage in usages),
        cost=round(sum(call.cost for call in calls if call.cost is not None), 6),
        unknown=sum(call.cost is None for call in calls),
    )


def merged(lines: Iterable[CostLine]) -> list[CostLine]:
    """Lines of several runs with one for each day and model, in the order of ``totals``."""
    sums: dict[tuple[date, str], CostLine] = {}
    counted = CostLine.model_fields.keys() - {"day", "model"}
    for line in lines:
        known = sums.get((line.day, line.model))
        more = {name: getattr(known, name) + getattr(line, name) for name in counted} if known else {}
        sums[line.day, line.model] = line.model_copy(update=more)
    return [sums[key] for key in sorted(sums)]


def sentence(lines: Iterable[CostLine]) -> str:
    """What some calls cost, for a person; empty when there were none."""
    found = list(lines)
    if not found:
        return ""
    calls, unknown = sum(line.calls for line in found), sum(line.unknown for line in found)
    tokens = f"{sum(line.input + line.cache_read + line.cache_write for line in found):,} tokens read"
    written = f"{sum(line.output for line in found):,} written"
    known = f"${sum(line.cost for line in found):,.4f}"
    price = known if not unknown else f"{known} and an unknown amount for {unknown} of them"
    models = ", ".join(sorted({line.model for line in found}))
    return f"{calls:,} calls of {models}: {tokens}, {written}, {price if unknown < calls else 'cost unknown'}"
