"""Whether the claims of one answer rely on what they cite, as a piece of work; see ``core.faithfulness``."""

from __future__ import annotations

from collections.abc import Sequence

from core.desk import Desk
from core.errors import CitedeskError, InputError
from core.faithfulness import Probe, Sign
from core.models import Record
from core.store.records import ClaimFilter, Sort
from core.verification import Progress

NOT_ASKED_HERE = (
    "This answer was imported, so its generator cannot be asked again. What can be told is whether a passage that a "
    "claim does not cite supports it, while what it cites does not."
)


class ProbedClaim(Record):
    """What came of one claim; never a label."""

    claim_id: str
    claim: str
    probe: Probe | None
    """None for an imported answer."""
    sign: Sign | None
    """None for one that was asked here."""

    @property
    def told(self) -> str:
        """The same in sentences."""
        return " ".join(one.told for one in (self.probe, self.sign) if one is not None)


class ProbeReport(Record):
    """What was tried with one answer."""

    request_id: str
    asked_here: bool
    generator: str | None
    """Who was asked again; none for an imported answer."""
    judge: str | None
    """Under which protocol it was judged what supports the claims of an imported answer; none for one asked here."""
    claims: tuple[ProbedClaim, ...]
    broken_off: str | None = None
    """Why the claims after these were not tried, in a sentence; what was tried before is paid for and kept."""


class ProbeWork(Record):
    """Ask the generator of an answer again without its evidence, and with another fact in it."""

    request_id: str
    claim_id: str | None = None
    """None: every claim."""

    def run(self, desk: Desk, progress: Progress) -> ProbeReport:
        """Do it; progress is told in claims.

        Raises:
            InputError: There is no such answer or claim, or a source of it may not be used any more.
            VerifierUnavailable: Generator or verifier cannot be had.
        """
        row = desk.store.queries.get(self.request_id)
        if row is None:
            return self._of_import(desk, progress)
        answer = desk.store.queries.answer(row.request_uid)
        claims = [one for one in (answer.claims if answer else None) or () if self._wants(one.claim_id or "")]
        self._refuse_none(claims)
        found: list[ProbedClaim] = []
        broken_off = None
        for claim in claims:
            name = claim.claim_id or ""
            try:
                probe = desk.answering.probe(self.request_id, name)
            except CitedeskError as error:
                if not found:
                    raise
                broken_off = str(error)
                break
            found.append(ProbedClaim(claim_id=name, claim=claim.text, probe=probe, sign=None))
            progress(len(found), len(claims))
        generator = " ".join(filter(None, (row.generator, row.model)))
        return ProbeReport(
            request_id=self.request_id,
            asked_here=True,
            generator=generator,
            judge=None,
            claims=tuple(found),
            broken_off=broken_off,
        )

    def _of_import(self, desk: Desk, progress: Progress) -> ProbeReport:
        answers = desk.store.answers_named(self.request_id)
        if len(answers) > 1:
            raise InputError(
                f"There are {len(answers)} answers with the request id {self.request_id}",
                "give each answer an id of its own, and import them again",
            )
        if not answers:
            raise InputError(f"There is no answer with the request id {self.request_id}", "Review lists them")
        for info in desk.store.protocols():
            wanted = ClaimFilter(protocol=info.name, request_id=self.request_id, sort=Sort.AS_IMPORTED)
            if rows := list(desk.store.rows(wanted)):
                break
        else:
            raise InputError(f"No claim of {self.request_id} was judged yet", "give: citedesk verify")
        rows = [one for one in rows if self._wants(one.claim_id)]
        self._refuse_none(rows)
        protocol, signs = desk.answering.signs(answers[0], rows)
        progress(len(rows), len(rows))
        return ProbeReport(
            request_id=self.request_id,
            asked_here=False,
            generator=None,
            judge=str(protocol),
            claims=tuple(
                ProbedClaim(claim_id=one.claim_id, claim=one.claim, probe=None, sign=signs[one.claim_id])
                for one in rows
            ),
        )

    def _wants(self, claim_id: str) -> bool:
        return self.claim_id is None or claim_id == self.claim_id

    def _refuse_none(self, claims: Sequence[object]) -> None:
        if not claims:
            which = f"a claim {self.claim_id}" if self.claim_id else "claims"
            raise InputError(f"The answer {self.request_id} does not have {which}", "see its claims on Review or Ask")
