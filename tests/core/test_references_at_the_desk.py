"""Works outside, from the import to the store and back: looked up by policy, kept with receipts, supplied by people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core import audit_check
from core.desk import Desk
from core.errors import InputError
from core.models import Label, Resolve
from core.people import Person, Role
from core.reference_lookup import kinds_of, protocol_name
from core.reference_policy import Also, Credential, Endpoint, Endpoints, Lives, ReferencePolicy
from core.reference_work import RecheckWork
from core.references import Reason, Reference
from core.store.records import ClaimFilter
from core.work import Judging, parse
from tests.core import reference_desk
from tests.core.reference_desk import CLAIM, OPEN, PASSAGE, SHUT, opened, rows, settings
from tests.core.resolvers.conftest import PROSE, page
from tests.core.resolvers.conftest import servers as servers  # a fixture
from tests.core.resolvers.conftest import web as web  # a fixture
from tests.fakes.web_server import Web

WORK = ("url", SHUT)


@pytest.fixture
def desk(web: Web, tmp_path: Path) -> Iterator[Desk]:
    """The answers, imported with their links looked up."""
    one = opened(web, tmp_path, Also.URLS)
    assert one.import_file(reference_desk.log(tmp_path)).bad_lines == ()
    yield one
    one.close()


def uid_of(desk: Desk, request_id: str, protocol: str) -> str:
    """The claim of a request."""
    (item,) = desk.store.claim_page(ClaimFilter(protocol=protocol, request_id=request_id)).items
    return item.claim_uid


def nothing(done: int, total: int) -> None:
    """Progress that nobody follows."""


def test_links_are_judged_on_what_was_read(desk: Desk) -> None:
    """The open page supports, the door closes nothing but itself, and what came with the answer is not looked up."""
    (info,) = desk.store.protocols()
    found = rows(desk, info.name)

    assert {name: row.label for name, row in found.items()} == {
        "r1": Label.SUPPORTED,
        "r2": Label.INACCESSIBLE,
        "r3": Label.INACCESSIBLE,
        "r4": Label.SUPPORTED,
    }
    assert found["r1"].notes[0].startswith(f"{OPEN}: fetched now, not supplied then, from open.example on ")
    assert found["r2"].spans[0].reason == found["r3"].spans[0].reason != ""


def test_the_inspector_gets_the_text_and_the_receipts(desk: Desk) -> None:
    """The text stands beside the verdict for good, with who was asked and what came back."""
    (info,) = desk.store.protocols()
    detail = desk.claim(uid_of(desk, "r1", info.name))
    assert detail is not None
    (work,) = detail.works

    assert work.evidence is not None
    assert work.finding is not None
    assert work.finding.read is not None
    assert CLAIM.split(" in 2020")[0] in work.evidence.text == work.finding.read.text
    assert detail.row.excerpt is not None
    assert detail.row.excerpt in work.evidence.text
    assert [(one.who, one.status) for one in work.finding.receipts] == [("open.example", 200)]
    assert detail.answer.evidence == ()
    (past,) = desk.store.references.history(("url", OPEN))
    assert (past.finding, past.who) == (work.finding, None)


def test_the_same_import_again_asks_nobody_and_writes_nothing(desk: Desk, web: Web, tmp_path: Path) -> None:
    """What is kept is used; no verdict moves."""
    asked = len(web.requests)
    again = desk.import_file(reference_desk.log(tmp_path))

    assert (len(web.requests), again.verdicts_new) == (asked, 0)
    assert len(desk.store.references.history(("url", OPEN))) == 1


def test_the_registry_alone_keeps_its_name_and_its_verdicts(web: Web, tmp_path: Path) -> None:
    """By default nobody is asked, and the protocol is the one of before; with links it is another one."""
    desk = opened(web, tmp_path)
    desk.import_file(reference_desk.log(tmp_path))
    plain = desk.store.protocols()[0]
    desk.verify_stored(settings(tmp_path, Also.URLS))
    names = {info.protocol.references is None: info for info in desk.store.protocols()}

    assert (plain.protocol.references, plain.name) == (None, names[True].name)
    assert "references" not in plain.protocol.model_dump(exclude_none=True)
    assert rows(desk, plain.name)["r1"].label is Label.UNRESOLVABLE
    assert rows(desk, names[False].name)["r1"].label is Label.SUPPORTED
    desk.close()


def test_offline_is_not_checked_and_says_so(web: Web, tmp_path: Path) -> None:
    """Nobody is asked, and nobody is accused."""
    desk = opened(web, tmp_path)
    policy = ReferencePolicy(also=frozenset({Also.URLS}), offline=True)
    desk.import_file(reference_desk.log(tmp_path), settings=settings(tmp_path, references=policy))
    row = rows(desk, desk.store.protocols()[0].name)["r1"]

    assert (row.label, row.resolve) == (None, Resolve.NOT_CHECKED)
    assert row.notes == (f"{OPEN}: Not checked: this desk works offline.",)
    assert web.requests == []
    desk.close()


def test_closed_works_wait_with_their_citations(desk: Desk) -> None:
    """A link and the address of an entry are one work; what somebody labels blindly is not listed for them."""
    (info,) = desk.store.protocols()
    (closed,) = desk.store.references.closed(info.name)

    assert (closed.kind, closed.identifier, closed.is_checked, closed.passages) == ("url", SHUT, True, 0)
    assert [one.cite for one in closed.citing] == [SHUT, "C1"]
    assert desk.store.references.closed(info.name, Person(name="ann", role=Role.REVIEWER)) == [closed]


def test_a_supplied_passage_counts_in_a_new_run_only(desk: Desk, web: Web, tmp_path: Path) -> None:
    """Who, when and where are kept and audited; the old row stays, the new one names the passage."""
    (info,) = desk.store.protocols()
    uid = uid_of(desk, "r2", info.name)
    before = rows(desk, info.name)
    given = desk.store.references.supply(WORK, PASSAGE, " page 4 ", "ann")

    assert rows(desk, info.name) == before
    assert desk.store.references.supplied([WORK]) == {WORK: (given,)}
    assert (given.who, given.locator, given.is_whole) == ("ann", "page 4", False)
    assert audit_check.verify(desk.store).fault is None

    asked = len(web.requests)
    supplied = settings(tmp_path, Also.SUPPLIED)
    report = desk.verify_stored(supplied)
    row = rows(desk, report.protocol)["r2"]
    assert (row.label, row.excerpt) == (Label.SUPPORTED, CLAIM)
    assert row.location == "page 4"
    assert row.notes[0].startswith(f"{SHUT}: judged on a passage supplied by ann on ")
    assert rows(desk, report.protocol)["r3"].label is not Label.IRRELEVANT
    assert rows(desk, report.protocol)["r1"].label is Label.UNRESOLVABLE, "nobody was asked about links"
    assert len(web.requests) == asked
    assert rows(desk, info.name) == before
    detail = desk.claim(uid, report.protocol)
    assert detail is not None
    assert [one.evidence and one.evidence.text for one in detail.works] == [PASSAGE]


@pytest.mark.parametrize("text", ["", " \n", "x" * 1_000_001])
def test_an_unusable_passage_is_refused(desk: Desk, text: str) -> None:
    """In one sentence; nothing is kept."""
    with pytest.raises(InputError):
        desk.store.references.supply(WORK, text, "", "ann")
    assert desk.store.references.supplied([WORK]) == {}


def test_a_recheck_adds_to_the_history_and_moves_no_verdict(desk: Desk, web: Web) -> None:
    """The door is open now; that is written down, with who wanted to know."""
    (info,) = desk.store.protocols()
    before = rows(desk, info.name)
    web.put(SHUT, page(text=PROSE))
    web.later(1)

    report = RecheckWork(reference=Reference(text=SHUT), also=frozenset({Also.URLS}), who="ann").run(desk, nothing)

    assert report.finding.reason is Reason.OK
    assert [(one.finding.reason, one.who) for one in desk.store.references.history(WORK)] == [
        (Reason.OK, "ann"),
        *[(Reason.FORBIDDEN, None)] * 2,  # cited with a title and without one
    ]
    assert rows(desk, info.name) == before


def test_a_recheck_that_may_ask_nobody_says_so(desk: Desk) -> None:
    """And writes nothing."""
    with pytest.raises(InputError, match="does not allow to look up links"):
        RecheckWork(reference=Reference(text=SHUT), also=frozenset(), who="ann").run(desk, nothing)
    assert len(desk.store.references.history(WORK)) == 2


def test_the_policy_travels_with_the_work() -> None:
    """An open desk does what the command was told, in the same words."""
    policy = ReferencePolicy(also=frozenset({Also.URLS}), deny=("a.example",))
    judging = Judging.of(settings(Path("/tmp"), references=policy))
    sent = parse("verify", {"judging": judging.model_dump(mode="json")})

    assert sent.judging == judging  # type: ignore[union-attr]
    assert judging.over(settings(Path("/tmp"))).references == policy


def test_a_protocol_names_what_of_a_policy_can_change_a_verdict() -> None:
    """Who may be asked does; how long answers are kept, and a secret's place, do not."""
    base = ReferencePolicy(also=frozenset({Also.URLS, Also.IDENTIFIERS}), contact="a@b.example")
    name = protocol_name(base)

    assert protocol_name(ReferencePolicy(offline=True)) is None
    assert name is not None
    assert name.startswith("identifiers+urls@1+")
    assert kinds_of(name) == base.also
    assert kinds_of(None) == frozenset()
    same = {"contact": "c@d.example", "lives": Lives(read_days=0)}
    assert protocol_name(base.model_copy(update=same)) == name
    for other in (
        {"deny": ("a.example",)},
        {"robots": False},
        {"offline": True},
        {"contact": None},
        {"also": frozenset({Also.URLS})},
        {"endpoints": Endpoints(doi=Endpoint(url="https://mirror.example", per_second=1))},
        {"credentials": (Credential(host="a.example", env="A"),)},
        {"lives": Lives(gone_after_hours=48)},
    ):
        assert protocol_name(base.model_copy(update=other)) != name
