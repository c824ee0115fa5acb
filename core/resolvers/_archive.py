"""A copy of a missing page in an archive of the web, which is another thing than the page and is named as one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from core.outside import read_of
from core.references import Exists, Reachable, Reason, ReferenceFinding, Substitute
from core.resolvers._shapes import record, text

if TYPE_CHECKING:
    from core.outside import Outside

_CAPTURE = re.compile(r"/web/(\d{4,14})/")


async def with_copy(found: ReferenceFinding, url: str, outside: Outside) -> ReferenceFinding:
    """The finding on a missing page, with the nearest copy where the policy names an archive that has one.

    A copy never says that the work is the one that is meant, and one in no archive is no sign of anything.
    """
    endpoint = outside.policy.endpoints.archive
    if endpoint is None or found.reason not in (Reason.MISSING_ONCE, Reason.NOT_FOUND, Reason.SOFT_NOT_FOUND):
        return found
    _, data, receipt = await outside.ask_json(endpoint, f"wayback/available?url={quote(url, safe='')}", "archive")
    receipts = (*found.receipts, receipt)
    closest = record(record(record(data).get("archived_snapshots")).get("closest"))
    if text(closest.get("status")) != "200":
        return found.model_copy(update={"receipts": receipts})
    copy = text(closest.get("url"))
    # "id_" asks for the page without the archive's own frame; http is how the archive writes its https addresses
    raw = _CAPTURE.sub(r"/web/\1id_/", copy, count=1)
    seen = await outside.open(re.sub(r"\Ahttp://", "https://", raw))
    receipts = (*receipts, *seen.receipts)
    read = read_of(seen) if seen.sign.reason in (Reason.OK, Reason.MOVED) and not seen.sign.absent else None
    if read is None:
        return found.model_copy(update={"receipts": receipts})
    date = text(closest.get("timestamp"))
    on = f"{date[:4]}-{date[4:6]}-{date[6:8]}" if len(date) >= 8 else date
    return found.model_copy(
        update={
            "exists": Exists.YES,
            "reachable": Reachable.ARCHIVED,
            "read": read,
            "substitute": Substitute(kind="archived copy", what=copy, on=on or None),
            "said": f"{found.said} A copy of {on or 'an unknown day'} in an archive was read instead.",
            "receipts": receipts,
        }
    )
