"""The stage that judges support: a verifier, and qualifiers that may veto what it grants."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from core import plugins, qualifiers, verifiers
from core.errors import VerifierUnavailable
from core.models import Judgement, Label, Pair, Qualifier, Status
from core.protocol import VerifierProtocol
from core.settings import Settings
from core.verifiers import Verifier

JOINT_GAP = "\n\n"
"""What stands between the texts of a claim's spans when they are judged as one (merge policy ``joint``)."""

_VETO_ORDER = (Label.CONTRADICTED, Label.WRONG_SCOPE, Label.IRRELEVANT, Label.PARTIAL)
"""When several qualifiers disagree, the first of these wins."""


class Judge:
    """A verifier with its qualifiers; the one way in which support is judged.

    Args:
        verifier: What compares claim and evidence.
        comparers: Modules of ``core.qualifiers``.
    """

    def __init__(self, verifier: Verifier, comparers: Sequence[ModuleType]) -> None:
        """Keep both; there is no other state."""
        self._verifier = verifier
        self._comparers = tuple(comparers)

    @classmethod
    def build(cls, settings: Settings) -> Judge:
        """Build the verifier that the settings name (``hub:MODEL`` names the file ``hub``), with every qualifier.

        Raises:
            VerifierUnavailable: No such verifier, or it cannot be built here.
        """
        module = plugins.load(verifiers, settings.verifier.partition(":")[0], VerifierUnavailable)
        return cls(module.build(settings), plugins.load_all(qualifiers))

    @property
    def protocol(self) -> VerifierProtocol:
        """The verifier's protocol with the qualifiers that may veto it."""
        names = sorted(f"{module.__name__.rpartition('.')[2]}@{module.VERSION}" for module in self._comparers)
        # Built afresh: copying a record would carry over the hash it has cached.
        return VerifierProtocol(**{**self._verifier.protocol.model_dump(), "qualifiers": tuple(names)})

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair, in order; the same pair twice is judged once.

        An empty text on either side is a failure, never a score. Evidence that was not read to its end gets no label,
        whatever the verifier said. A qualifier that disagrees turns ``supported`` or ``partial`` into its own label.

        Raises:
            VerifierUnavailable: The verifier did not answer for every pair.
        """
        distinct = [pair for pair in dict.fromkeys(pairs) if pair.claim.strip() and pair.evidence.strip()]
        judgements = self._verifier.judge(distinct)
        if len(judgements) != len(distinct):
            raise VerifierUnavailable(
                f"The verifier answered {len(judgements)} of {len(distinct)} pairs", "report this with the protocol"
            )
        done = {pair: self._finish(pair, one) for pair, one in zip(distinct, judgements, strict=True)}
        return [done[pair] if pair in done else _empty(pair) for pair in pairs]

    def _finish(self, pair: Pair, judgement: Judgement) -> Judgement:
        """Hold a judgement to its contract, then let the qualifiers speak."""
        broken = _broken(pair, judgement)
        if broken:
            return Judgement(
                status=Status.FAILED,
                tokens_seen=judgement.tokens_seen,
                tokens_total=judgement.tokens_total,
                reason=broken,
            )
        if judgement.status is not Status.JUDGED:
            return judgement.model_copy(update={"label": None})
        if judgement.tokens_seen < judgement.tokens_total:
            reason = f"Only {judgement.tokens_seen} of {judgement.tokens_total} tokens of the cited text were read"
            return judgement.model_copy(update={"status": Status.TRUNCATED, "label": None, "reason": reason})
        return self._qualify(pair, judgement)

    def _qualify(self, pair: Pair, judgement: Judgement) -> Judgement:
        if judgement.start is None or judgement.end is None:
            return judgement
        stretch = pair.evidence[judgement.start : judgement.end]
        found: list[Qualifier] = []
        vetoes: list[tuple[Label, Qualifier]] = []
        for module in self._comparers:
            compared = module.compare(pair.claim, stretch)
            found += compared
            vetoes += [(module.LABEL, one) for one in compared if one.agrees is False]
        update: dict[str, object] = {"qualifiers": (*judgement.qualifiers, *found)}
        if vetoes and judgement.label in (Label.SUPPORTED, Label.PARTIAL):
            label, one = min(vetoes, key=lambda veto: _VETO_ORDER.index(veto[0]))
            reason = f"The claim says “{one.claim}”, the cited text “{one.evidence}”"
            update |= {"label": label, "reason": reason}
        return judgement.model_copy(update=update)


def _broken(pair: Pair, judgement: Judgement) -> str | None:
    """How a judgement breaks its contract, or none when it keeps it."""
    if judgement.status is Status.JUDGED and judgement.label is None:
        return "The verifier gave no label"
    if any(not 0 <= score <= 1 for score in judgement.scores.values()):
        return "The verifier gave a score outside 0 to 1"
    start, end = judgement.start, judgement.end
    if (start is None) != (end is None):
        return "The verifier named half a stretch of the cited text"
    if start is not None and end is not None and not 0 <= start < end <= len(pair.evidence):
        return "The verifier pointed outside the cited text"
    return None


def _empty(pair: Pair) -> Judgement:
    what = "cited text" if pair.claim.strip() else "claim"
    return Judgement(status=Status.FAILED, reason=f"The {what} is empty, so nothing could be judged")
