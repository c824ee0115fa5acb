"""What the address of a page says: its query parameters and the records they stand for. No Streamlit here.

The address is the only state of Review and Trends: a link opens what its sender saw, and a value that means nothing is
left out rather than refused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import Literal
from zoneinfo import available_timezones

from core.metrics.unsupported_rate import Strictness
from core.models import Failure, Label, Record, Structural
from core.people import Person
from core.store.records import AGES, MANY_CITES, ClaimFilter, ProtocolInfo, Sort, Split

PAGE_SIZE = 50
"""Claims on one page of the review list."""

CITE_COUNTS = tuple(map(str, range(MANY_CITES + 1)))
NAMED = ("generator", "corpus", "source")
"""Fields that may ask for claims that have none: those are listed in the parameter ``without``."""

STRICTNESSES = ("strict", "lenient")
BUCKETS = ("day", "week", "month")


def usual_protocol(infos: Sequence[ProtocolInfo]) -> str:
    """The judge to show when nobody chose: the one with most claims, of several the one that ran last."""
    return max(infos, key=lambda info: (info.claims, info.last_run)).name


def review_filter(params: Mapping[str, str], infos: Sequence[ProtocolInfo], reader: Person) -> ClaimFilter:
    """Read what the review list shall show to a reader; ``infos`` holds at least one protocol."""
    wanted = params.get("protocol")
    known = {info.name for info in infos}
    return ClaimFilter(
        protocol=wanted if wanted in known else usual_protocol(infos),
        labels=_labels(params.get("labels", "")),
        request_id=params.get("request") or None,
        flags=tuple(filter(None, params.get("flag", "").split(","))),
        structural=tuple(
            Structural(word) for word in params.get("structure", "").split(",") if word in set(Structural)
        ),
        text=params.get("q", ""),
        bucket=_bucket(params.get("bucket", "")),
        undated=params.get("undated") == "1",
        attempted_only=params.get("counted") == "1",
        unsupported=params["unsupported"] if params.get("unsupported") in STRICTNESSES else None,
        generator=_named(params, "generator"),
        failures=tuple(Failure(word) for word in params.get("failure", "").split(",") if word in set(Failure)),
        claim_uids=tuple(filter(None, params["only"].split(","))) if "only" in params else None,
        beside=_beside(params.get("beside", "")),
        judged_only=params.get("judged") == "1",
        reason=params.get("reason") or None,
        differs=tuple(filter(None, params.get("differs", "").split(","))),
        source=_named(params, "source"),
        corpus=_named(params, "corpus"),
        cite_count=int(params["cites"]) if params.get("cites") in CITE_COUNTS else None,
        age=params["age"] if params.get("age") in AGES else None,
        topic=params.get("topic") or None,
        terms=tuple(filter(None, params.get("terms", "").split(","))),
        sort=Sort(params["sort"]) if params.get("sort") in set(Sort) else Sort.WORST_FIRST,
        reader=reader,
        concealed=params.get("hidden") == "1",
    )


def review_params(wanted: ClaimFilter) -> dict[str, str]:
    """Write a filter as the query parameters that ``review_filter`` reads back; what is usual is left out."""
    params = {
        "protocol": wanted.protocol,
        "labels": ",".join(label or "none" for label in wanted.labels),
        "request": wanted.request_id or "",
        "flag": ",".join(wanted.flags),
        "structure": ",".join(wanted.structural),
        "q": wanted.text,
        "bucket": "/".join(moment.isoformat() for moment in wanted.bucket or ()),
        "undated": "1" if wanted.undated else "",
        "counted": "1" if wanted.attempted_only else "",
        "unsupported": wanted.unsupported or "",
        "generator": wanted.generator or "",
        "failure": ",".join(wanted.failures),
        "only": "" if wanted.claim_uids is None else ",".join(wanted.claim_uids) or ",",
        "beside": ";".join(f"{name}~{','.join(label or 'none' for label in some)}" for name, some in wanted.beside),
        "judged": "1" if wanted.judged_only else "",
        "reason": wanted.reason or "",
        "differs": ",".join(wanted.differs),
        "source": wanted.source or "",
        "corpus": wanted.corpus or "",
        "cites": "" if wanted.cite_count is None else str(wanted.cite_count),
        "age": wanted.age or "",
        "topic": wanted.topic or "",
        "terms": ",".join(wanted.terms),
        "without": ",".join(name for name in NAMED if getattr(wanted, name) == ""),
        "hidden": "1" if wanted.concealed else "",
        "sort": "" if wanted.sort is Sort.WORST_FIRST else wanted.sort,
    }
    return {name: value for name, value in params.items() if value}


def page_number(params: Mapping[str, str]) -> int:
    """The page asked for, from 1."""
    digits = params.get("page", "")
    return max(1, int(digits)) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 1


class TrendChoice(Record):
    """What the trend page shows."""

    protocols: tuple[str, ...]
    strictness: Strictness
    bucket: str
    time_zone: str
    generator: str | None
    flags: tuple[str, ...] = ()
    corpus: str | None = None
    source: str | None = None
    text: str = ""
    split: Split | None = None
    corrected: bool = False
    """Whether corrected rates stand beside the raw ones."""
    picture: Literal["png", "svg"] = "png"
    """What charts are saved as."""

    def wanted(self, reader: Person | None) -> ClaimFilter:
        """Which claims, for whose eyes; the protocol is any."""
        chosen = self.model_dump(include={"generator", "flags", "corpus", "source", "text"})
        return ClaimFilter(protocol="", reader=reader, **chosen)


def trend_choice(
    protocols: Collection[str], params: Mapping[str, str], infos: Sequence[ProtocolInfo], browser_zone: str | None
) -> TrendChoice:
    """Read what the trend page shall show.

    Args:
        protocols: The protocols of the address; unknown ones are left out, none means all.
        params: The other query parameters.
        infos: The protocols of the store.
        browser_zone: The browser's time zone, taken when the address names none.
    """
    known = [info.name for info in infos]
    return TrendChoice(
        protocols=tuple(name for name in known if name in protocols) or tuple(known),
        strictness="lenient" if params.get("strictness") == "lenient" else "strict",
        bucket=params["by"] if params.get("by") in BUCKETS else "week",
        time_zone=time_zone(params.get("tz"), browser_zone),
        generator=_named(params, "generator"),
        flags=tuple(filter(None, params.get("flag", "").split(","))),
        corpus=_named(params, "corpus"),
        source=_named(params, "source"),
        text=params.get("q", ""),
        split=Split(params["split"]) if params.get("split") in set(Split) else None,
        corrected=params.get("corrected") == "1",
        picture="svg" if params.get("picture") == "svg" else "png",
    )


@cache
def time_zones() -> tuple[str, ...]:
    """The time zones there are, sorted; looked up once, for it reads a folder."""
    return tuple(sorted(available_timezones()))


def time_zone(*asked: str | None) -> str:
    """The first of these names that is a time zone, else UTC."""
    return next((zone for zone in asked if zone in time_zones()), None) or "UTC"


def _named(params: Mapping[str, str], name: str) -> str | None:
    return "" if name in params.get("without", "").split(",") else params.get(name) or None


def _labels(words: str) -> tuple[Label | None, ...]:
    known = set(Label)
    return tuple(
        None if word == "none" else Label(word) for word in words.split(",") if word in known or word == "none"
    )


def _beside(value: str) -> tuple[tuple[str, tuple[Label | None, ...]], ...]:
    """Read ``protocol~label,label;…``: other judges, and what they say of the claims that are wanted."""
    pairs = (part.rpartition("~") for part in value.split(";"))
    return tuple((name, _labels(words)) for name, _, words in pairs if name)


def _bucket(value: str) -> tuple[datetime, datetime] | None:
    """Read ``start/end``, two moments with their offset from UTC; anything else is no bucket."""
    with suppress(ValueError):
        start, end = (datetime.fromisoformat(part) for part in value.split("/"))
        if start.tzinfo and end.tzinfo and start < end:
            return start, end
    return None
