"""The stage that judges support: a verifier, and qualifiers that may veto what it grants."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from types import ModuleType

from core import fields, plugins, qualifiers, verifiers
from core.errors import VerifierUnavailable
from core.judge_time import JudgeTime, Stopwatch
from core.models import Failure, Judgement, Label, Pair, Qualifier, Status
from core.protocol import VerifierProtocol
from core.settings import Settings
from core.spend import Call
from core.text import Span
from core.verifiers import Verifier
from core.windows import shared
from core.words import words

JOINT_GAP = "\n\n"
"""What stands between the texts of a claim's spans when they are judged as one (merge policy ``joint``)."""

SURROUNDINGS = 300
"""Code points on either side of the carrying stretch in which a disagreement must hold too."""

_VETO_ORDER = (Label.CONTRADICTED, Label.WRONG_SCOPE, Label.IRRELEVANT, Label.PARTIAL, Label.SECONDARY_ONLY)
"""When several qualifiers disagree, the first of these wins."""

_VETOED_BY: Mapping[Label, tuple[Label, ...]] = {
    Label.SUPPORTED: _VETO_ORDER,
    Label.PARTIAL: _VETO_ORDER[:3],
    Label.IRRELEVANT: _VETO_ORDER[:1],
}
"""What each label may become. Only a span that supports the whole claim can be one that merely repeats it; one that
addresses the claim and names another value conflicts with it, also where nothing is entailed."""

ADDRESSED = 0.6
"""Share of a claim's words, long ones weighing more, that a stretch has when it addresses the claim. On training pairs
with a disagreement of the contradicting kind and at least this share, 26 of 34 were contradicted, 1 supported."""


class Judge:
    """A verifier with its qualifiers; the one way in which support is judged.

    Args:
        verifier: What compares claim and evidence.
        comparers: Modules of ``core.qualifiers``.
    """

    def __init__(self, verifier: Verifier, comparers: Sequence[ModuleType]) -> None:
        """Keep both; the only other state is how long judging took."""
        self._watch = Stopwatch()
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

    @property
    def answers_at_once(self) -> int | None:
        """How many answers' pairs the verifier wants together; none when it does not mind."""
        return verifiers.answers_at_once(self._verifier)

    def spent(self) -> list[Call]:
        """The paid calls of the verifier since this was asked last."""
        return verifiers.spent(self._verifier)

    def took(self) -> list[JudgeTime]:
        """How long judging took since this was asked last."""
        return [one] if (one := self._watch.take()) else []

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair, in order; the same pair twice is judged once.

        An empty text on either side is a failure, never a score. Evidence that was not read to its end gets no label,
        whatever the verifier said. A qualifier that disagrees turns ``supported`` or ``partial`` into its own label.

        Raises:
            VerifierUnavailable: The verifier did not answer for every pair.
        """
        distinct = [pair for pair in dict.fromkeys(pairs) if pair.claim.strip() and pair.evidence.strip()]
        began = time.perf_counter()
        judgements = self._verifier.judge(distinct)
        if len(judgements) != len(distinct):
            raise VerifierUnavailable(
                f"The verifier answered {len(judgements)} of {len(distinct)} pairs", "report this with the protocol"
            )
        done = {pair: self._finish(pair, one) for pair, one in zip(distinct, judgements, strict=True)}
        self._watch.note(judged=len(distinct), seconds=time.perf_counter() - began)
        return [done[pair] if pair in done else _empty(pair) for pair in pairs]

    def _finish(self, pair: Pair, judgement: Judgement) -> Judgement:
        """Hold a judgement to its contract, then let the qualifiers speak."""
        broken = _broken(pair, judgement)
        if broken:
            return Judgement(
                status=Status.FAILED,
                failure=Failure.BAD_OUTPUT,
                tokens_seen=judgement.tokens_seen,
                tokens_total=judgement.tokens_total,
                reason=broken,
            )
        if judgement.status is not Status.JUDGED:
            return judgement.model_copy(update={"label": None})
        if judgement.tokens_seen < judgement.tokens_total:
            reason = f"Only {judgement.tokens_seen} of {judgement.tokens_total} tokens of the cited text were read"
            update = {"status": Status.TRUNCATED, "label": None, "failure": Failure.TRUNCATED, "reason": reason}
            return judgement.model_copy(update=update)
        return self._qualify(pair, judgement)

    def _qualify(self, pair: Pair, judgement: Judgement) -> Judgement:
        if judgement.start is None or judgement.end is None:
            return judgement
        found: list[Qualifier] = []
        vetoes: list[tuple[Label, Qualifier]] = []
        for module in self._comparers:
            compared = _compared(module, pair, (judgement.start, judgement.end))
            found += compared
            vetoes += [(module.LABEL, one) for one in compared if one.agrees is False]
        update: dict[str, object] = {"qualifiers": (*judgement.qualifiers, *found)}
        allowed = _VETOED_BY.get(judgement.label, ()) if judgement.label else ()
        if judgement.label is Label.IRRELEVANT and vetoes and not _addresses(pair, judgement):
            # the answer of a field is compared only with a claim that is about the field
            vetoes = [veto for veto in vetoes if veto[1].evidence and fields.find(veto[1].evidence)]
        vetoes = [veto for veto in vetoes if veto[0] in allowed]
        if vetoes:
            label, one = min(vetoes, key=lambda veto: _VETO_ORDER.index(veto[0]))
            update |= {"label": label, "reason": _reason(label, one)}
        return judgement.model_copy(update=update)


def _compared(module: ModuleType, pair: Pair, carrying: Span) -> list[Qualifier]:
    """Compare with the carrying stretch; where it disagrees and its surroundings do not, nothing is settled.

    What a sentence lacks may stand in the one beside it: asking both took away 3 of 17 false alarms on 463 supported
    training pairs of several sentences, and 1 of 13 hits on 160 contradicted ones.
    """
    start, end = carrying
    found: list[Qualifier] = module.compare(pair.claim, pair.evidence[start:end])
    if all(one.agrees is not False for one in found):
        return found
    around = pair.evidence[max(0, start - SURROUNDINGS) : end + SURROUNDINGS]
    still = {one.claim for one in module.compare(pair.claim, around) if one.agrees is False}
    return [
        one if one.agrees is not False or one.claim in still else one.model_copy(update={"agrees": None})
        for one in found
    ]


def _addresses(pair: Pair, judgement: Judgement) -> bool:
    claim = words(pair.claim)._replace(numbers=frozenset())
    return shared(claim, words(pair.evidence[judgement.start : judgement.end])) >= ADDRESSED


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
    reason = f"The {what} is empty, so nothing could be judged"
    return Judgement(status=Status.FAILED, failure=Failure.EMPTY, reason=reason)


def _reason(label: Label, found: Qualifier) -> str:
    """A veto in words."""
    if label is Label.SECONDARY_ONLY:
        return f"The cited text takes this from another source: “{found.evidence}”"
    theirs = f"the cited text “{found.evidence}”" if found.evidence else "the cited text does not"
    return f"The claim says “{found.claim}”, {theirs}"
