"""Judges by name: any cross-encoder or sequence classifier for entailment, from a folder or Hugging Face's hub.

Evidence first, claim second, or both in a template of the settings. Long evidence is read in overlapping windows of
whole sentences, and the window that supports most decides, as the makers of such models do it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.errors import VerifierUnavailable
from core.models import Failure, Judgement, Label, Pair, Status
from core.protocol import VerifierProtocol
from core.settings import Settings
from core.text import Span, sha256
from core.verifiers import Verifier
from core.verifiers._hub_files import HubModel, find, weights_of
from core.verifiers._hub_labels import CONTRADICTION, ENTAILMENT, order
from core.verifiers._hub_network import Network

if TYPE_CHECKING:
    from core.windows import EvidenceText
    from core.words import Words

VERSION = 1

THRESHOLDS = {"supported": 0.5, "contradicted": 0.5}
"""Least probability for the label: the makers' own cut, not fitted by us."""

MOST_WINDOWS = 64
"""Windows that are read of one text; a longer one is not read to its end, and gets no label."""

MARGIN = 8
"""Tokens kept free, since a window may have a few more than its sentences one by one."""

AT_ONCE = 64
"""Pairs whose batches are shared."""

PLACES = ("{evidence}", "{claim}")


class _Row(NamedTuple):
    """One input of the model."""

    window: range
    """Pieces of the evidence."""
    tokens: dict[str, list[int]]


class HubVerifier:
    """Reads with a model of somebody else; see the module.

    Args:
        model: Where it comes from.
        labels: What its logits mean, in their order.
        thresholds: ``supported`` and ``contradicted``, each in [0, 1].
        template: How evidence and claim become one text; empty for a pair.
    """

    def __init__(self, model: HubModel, labels: tuple[str, ...], thresholds: dict[str, float], template: str) -> None:
        """Load the model.

        Raises:
            VerifierUnavailable: It cannot be loaded, or does not fit its configuration.
        """
        self._labels = labels
        self._thresholds = thresholds
        self._network = Network(model, template)
        self._protocol = VerifierProtocol(
            verifier=f"hub:{model.name}",
            version=VERSION,
            model=f"{model.name} ({', '.join(labels)})",
            weights=weights_of(model.folder),
            prompt=template or None,
            prompt_sha256=sha256(template) if template else None,
            thresholds=dict(thresholds),
            windowing=f"best window of whole sentences, {self._network.longest} tokens, at most {MOST_WINDOWS}",
        )

    @property
    def protocol(self) -> VerifierProtocol:
        """Model, files, order of labels, thresholds, template and windowing."""
        return self._protocol

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair on its own; pairs share batches, and a text that several pairs cite is taken apart once."""
        groups = (pairs[start : start + AT_ONCE] for start in range(0, len(pairs), AT_ONCE))
        return [one for group in groups for one in self._judge_group(group)]

    def _judge_group(self, pairs: Sequence[Pair]) -> list[Judgement]:
        from core.words import words

        texts = {text: self._take_apart(text) for text in dict.fromkeys(pair.evidence for pair in pairs)}
        claims = {claim: words(claim) for claim in dict.fromkeys(pair.claim for pair in pairs)}
        rows = [self._rows(pair, texts[pair.evidence]) for pair in pairs]
        scores = iter(
            self._network.probabilities([row.tokens for found in rows if isinstance(found, list) for row in found])
        )
        judged = []
        for pair, found in zip(pairs, rows, strict=True):
            text = texts[pair.evidence]
            if isinstance(found, Judgement):
                judged.append(found)
            else:
                judged.append(self._conclude(text, claims[pair.claim], found, [next(scores) for _ in found]))
        return judged

    def _take_apart(self, text: str) -> EvidenceText:
        from core.sentences import sentences
        from core.windows import take_apart

        network = self._network
        longest = network.longest // 2 - MARGIN
        return take_apart(text, sentences(text), network.encode, network.encode_with_places, longest)

    def _rows(self, pair: Pair, text: EvidenceText) -> list[_Row] | Judgement:
        """What the model reads of a pair, or why it reads nothing."""
        from core.windows import windows

        if not text.pieces or not pair.claim.strip():
            what = "claim" if text.pieces else "cited text"
            return Judgement(status=Status.FAILED, failure=Failure.EMPTY, reason=f"The {what} has nothing to read")
        longest = self._network.longest
        room = longest - MARGIN - len(self._network.row("", pair.claim)["input_ids"])
        if room < max(len(piece.ids) for piece in text.pieces):
            reason = f"The claim is too long for a model that reads {longest} tokens"
            return Judgement(status=Status.FAILED, failure=Failure.TOO_LONG, tokens_total=text.total, reason=reason)
        found = windows([len(piece.ids) for piece in text.pieces], room)
        rows = []
        for window in found[:MOST_WINDOWS]:
            start, end = _hull(text, window)
            rows.append(_Row(window, self._network.row(pair.evidence[start:end], pair.claim)))
        return [row for row in rows if len(row.tokens["input_ids"]) <= longest]

    def _conclude(
        self, text: EvidenceText, claim: Words, rows: Sequence[_Row], scores: Sequence[Sequence[float]]
    ) -> Judgement:
        seen = sum(len(text.pieces[at].ids) for at in {at for row in rows for at in row.window})
        if seen < text.total:
            return Judgement(
                status=Status.TRUNCATED,
                failure=Failure.TRUNCATED,
                tokens_seen=seen,
                tokens_total=text.total,
                reason=f"Only {seen} of {text.total} tokens of the cited text were read",
            )
        by_label = [dict(zip(self._labels, (round(score, 4) for score in one), strict=True)) for one in scores]
        best = max(range(len(rows)), key=lambda at: by_label[at][ENTAILMENT])
        worst = max(range(len(rows)), key=lambda at: by_label[at].get(CONTRADICTION, 0.0))
        support, conflict = by_label[best][ENTAILMENT], by_label[worst].get(CONTRADICTION, 0.0)
        if support >= self._thresholds["supported"]:
            label, deciding, reason = Label.SUPPORTED, best, f"The model finds support ({support:.2f})"
        elif CONTRADICTION in self._labels and conflict >= self._thresholds["contradicted"]:
            label, deciding, reason = Label.CONTRADICTED, worst, f"The model finds a contradiction ({conflict:.2f})"
        else:
            label, deciding, reason = Label.IRRELEVANT, best, f"The model finds no support ({support:.2f})"
        start, end = _carrying(text, claim, rows[deciding].window)
        return Judgement(
            status=Status.JUDGED,
            label=label,
            scores=by_label[deciding],
            start=start,
            end=end,
            tokens_seen=seen,
            tokens_total=text.total,
            reason=reason,
        )


def build(settings: Settings) -> Verifier:
    """Find and load the model that the settings name.

    Raises:
        VerifierUnavailable: It is not to be had or cannot be judged with, or a setting means nothing; one sentence.
    """
    template = settings.hub.template.replace("\\n", "\n")
    if template and any(template.count(place) != 1 for place in PLACES):
        raise VerifierUnavailable(
            "CITEDESK_HUB__TEMPLATE is no template", "write {evidence} and {claim} into it, once each"
        )
    thresholds = _thresholds(settings.thresholds)
    model = find(settings.verifier.partition(":")[2])
    return HubVerifier(model, order(model.name, model.config, settings.hub.labels), thresholds, template)


def _thresholds(overrides: dict[str, float]) -> dict[str, float]:
    for name, value in overrides.items():
        if name not in THRESHOLDS:
            raise VerifierUnavailable(
                f"The verifier hub has no threshold called {name!r}", f"set one of: {', '.join(THRESHOLDS)}"
            )
        if not 0 <= value <= 1:
            raise VerifierUnavailable(f"The threshold {name!r} is {value}", "give a number from 0 to 1")
    return THRESHOLDS | overrides


def _carrying(text: EvidenceText, claim: Words, window: range) -> Span:
    """The sentences of a window that share most with the claim; all of it when none shares a word."""
    from core.windows import EvidenceText, focus

    part = EvidenceText(text.pieces[window.start : window.stop], text.words[window.start : window.stop])
    return _hull(part, focus(claim, part, 2, part.total) or range(len(part.pieces)))


def _hull(text: EvidenceText, indexes: Sequence[int]) -> Span:
    return min(text.pieces[at].start for at in indexes), max(text.pieces[at].end for at in indexes)
