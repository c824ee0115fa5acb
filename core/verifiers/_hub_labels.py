"""What the logits of a foreign model mean: read from its configuration or from the settings, never guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.errors import VerifierUnavailable

ENTAILMENT, NEUTRAL, CONTRADICTION, NOT_ENTAILMENT = "entailment", "neutral", "contradiction", "not_entailment"

_SPELLINGS = {
    ENTAILMENT: "entailment entail entails entailed support supports supported consistent factual grounded",
    NEUTRAL: "neutral unknown nei notenoughinfo notenoughinformation",
    CONTRADICTION: "contradiction contradict contradicts contradicted contradictory refute refutes refuted",
    NOT_ENTAILMENT: "notentailment nonentailment notentailed notsupport notsupported unsupported inconsistent "
    "notconsistent nonfactual ungrounded notgrounded hallucination hallucinated",
}
_MEANING = {spelling: meaning for meaning, spellings in _SPELLINGS.items() for spelling in spellings.split()}

_KNOWN = (
    {ENTAILMENT, NEUTRAL, CONTRADICTION},
    {ENTAILMENT, NOT_ENTAILMENT},
    {ENTAILMENT, CONTRADICTION},
    {ENTAILMENT},
)
"""The sets of meanings that verdicts can be made of; a single logit is the log-odds of support."""

_NAMELESS = re.compile(r"(?:label|class)?_?\d+", re.I)


def order(name: str, config: Mapping[str, Any], said: str = "") -> tuple[str, ...]:
    """The meaning of each logit, in their order.

    Args:
        name: The model, for messages.
        config: Its ``config.json``.
        said: Their meaning as the settings give it, separated by commas; empty when they do not.

    Raises:
        VerifierUnavailable: It cannot be known; the message says what to set.
    """
    by_config = _names(name, config)
    if said.strip():
        names = [part.strip() for part in said.split(",")]
        if len(names) != len(by_config):
            raise VerifierUnavailable(
                f"CITEDESK_HUB__LABELS names {len(names)} labels, the model {name!r} has {len(by_config)}",
                "name one for each, in the order of its logits",
            )
    else:
        names = by_config
    meanings = tuple(_MEANING.get(re.sub(r"[\W_]", "", one).casefold(), "") for one in names)
    if len(set(meanings)) != len(meanings) or set(meanings) not in _KNOWN:
        raise VerifierUnavailable(
            f"What the logits of the model {name!r} mean cannot be told from {_listed(names)}",
            "set CITEDESK_HUB__LABELS to their meaning in order, for example entailment,neutral,contradiction",
        )
    return meanings


def _names(name: str, config: Mapping[str, Any]) -> list[str]:
    """The labels of a configuration, by the number of their logit."""
    if config.get("problem_type") == "multi_label_classification":
        raise VerifierUnavailable(
            f"The model {name!r} gives several labels at once", "choose one that decides between them"
        )
    by_number = config.get("id2label")
    if not isinstance(by_number, dict):
        count = config.get("num_labels", 2)  # what the library makes of a configuration that does not say
        return [f"LABEL_{number}" for number in range(count if isinstance(count, int) and 0 < count < 100 else 2)]
    names = [str(by_number.get(str(number), by_number.get(number))) for number in range(len(by_number))]
    by_label = config.get("label2id") or {}
    told = isinstance(by_label, dict) and not all(_NAMELESS.fullmatch(str(one)) for one in by_label)
    if told and any(by_label.get(one) != number for number, one in enumerate(names)):
        raise VerifierUnavailable(
            f"The config.json of the model {name!r} contradicts itself: id2label says {_listed(names)}, "
            f"label2id {by_label}",
            "ask its makers, or choose another model",
        )
    return names


def _listed(names: list[str]) -> str:
    return ", ".join(repr(one) for one in names[:5]) + (" …" if len(names) > 5 else "")
