"""What a corpus lets be asked of the outside for its answers, and how that is put together with what else was said.

Three may say something: whoever runs the desk, the corpus, and the person who asks for a run. Putting one policy within
another never lets anybody be asked whom the outer one forbids, and doing it twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, TypeVar

from pydantic import Field, field_validator

from core.models import Answer, Record
from core.reference_policy import Also, Credential, Limits, ReferencePolicy, covers, hosts

NOBODY = ("nobody.invalid",)
"""The list of hosts when no host is on both of two lists: a name that no host can have (RFC 2606)."""

WORDS = {Also.URLS: "links", Also.IDENTIFIERS: "DOIs, arXiv ids and titles"}
"""What may be looked up, for a person."""

_ASKS_NOBODY = frozenset({Also.SUPPLIED})

T = TypeVar("T")


class CorpusPolicy(Record):
    """What one corpus lets be asked for its answers; the default is its registries only."""

    also: frozenset[Literal[Also.URLS, Also.IDENTIFIERS]] = frozenset()
    """Beyond the registry of the request. It holds where a run does not say, and no run gets more."""
    allow: tuple[str, ...] = ()
    """Hosts that pages may be opened at; empty: all that are not denied."""
    deny: tuple[str, ...] = ()
    credentials: tuple[Credential, ...] = Field(default=())
    """Sent for this corpus only; where the secret is, never the secret."""
    offline: bool = False

    @field_validator("allow", "deny")
    @classmethod
    def _are_hosts(cls, named: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(set(hosts(named))))

    def __str__(self) -> str:
        """In words that go on from the corpus's name: ``asks nobody: registry only``."""
        if self.offline:
            return "asks nobody: it works offline"
        if not self.also:
            return "asks nobody: registry only"
        return f"looks up {looked_up(self.also)}{''.join(self._bounds())}"

    def _bounds(self) -> Iterator[str]:
        if self.allow:
            yield f", pages only at {', '.join(self.allow)}"
        if self.deny:
            yield f", never at {', '.join(self.deny)}"
        if self.credentials:
            yield f", with a credential for {', '.join(dict.fromkeys(one.host for one in self.credentials))}"


def looked_up(also: Iterable[Also]) -> str:
    """What may be looked up, in words; empty for nothing."""
    return " and ".join(WORDS[one] for one in Also if one in WORDS and one in set(also))


def corpus_of(answer: Answer) -> str | None:
    """The corpus that an answer names: the one it was asked of, or what its log says; none when it names none."""
    named = answer.meta.get("corpus")
    return named.strip() or None if isinstance(named, str) else None


def of_corpora(policy: ReferencePolicy, said: Mapping[str, CorpusPolicy], named: Iterable[str]) -> ReferencePolicy:
    """The policy under which something is looked up for some corpora: as far as every one of them allows.

    Args:
        policy: Of the desk or the run.
        said: The policies that corpora have, by name.
        named: The corpora; those without a policy of their own change nothing.
    """
    for name in sorted(set(named) & said.keys()):
        policy = of_corpus(policy, name, said[name])
    return policy


def own(said: Mapping[str, CorpusPolicy], named: Iterable[str]) -> str:
    """What corpora say of their own, a sentence each, as in ``The corpus handbook asks nobody: registry only``."""
    return " ".join(f"The corpus {name} {said[name]}." for name in sorted(set(named) & said.keys()))


def of_corpus(policy: ReferencePolicy, name: str, said: CorpusPolicy) -> ReferencePolicy:
    """The policy under which the answers of a corpus are looked up.

    What may be asked is what the corpus says; where a person said it for this very run, it is what both allow. Of
    everything else the narrower counts, and pace, contact and registries stay the desk's.
    """
    asked = policy.also if policy.chosen else said.also | (policy.also & _ASKS_NOBODY)
    theirs = {(one.host.lower(), one.header.lower()) for one in said.credentials}
    kept = [one for one in policy.credentials if (one.host.lower(), one.header.lower()) not in theirs]
    return _with(
        policy,
        also=asked & (said.also | _ASKS_NOBODY),
        chosen=True,
        offline=policy.offline or said.offline,
        works_offline=policy.works_offline if policy.offline or not said.offline else f"the corpus {name}",
        allow=_both(policy.allow, said.allow),
        deny=_either(policy.deny, said.deny),
        credentials=(*kept, *said.credentials),
    )


def within(outer: ReferencePolicy, inner: ReferencePolicy) -> ReferencePolicy:
    """What a run may do at a desk that somebody else runs: what the run wants, as far as the desk lets it.

    Which kinds of works are asked about is the run's to say. Offline, hosts, ports, robots.txt and limits are the
    narrower of both; registries and credentials are the desk's.

    Args:
        outer: The desk's policy.
        inner: The run's.
    """
    return _with(
        inner,
        offline=outer.offline or inner.offline,
        works_offline=outer.works_offline if outer.offline else inner.works_offline,
        contact=inner.contact or outer.contact,
        allow=_both(outer.allow, inner.allow),
        deny=_either(outer.deny, inner.deny),
        ports=tuple(port for port in outer.ports if port in inner.ports),
        robots=outer.robots or inner.robots,
        credentials=outer.credentials,
        limits=Limits(**{name: min(value, getattr(inner.limits, name)) for name, value in outer.limits}),
        lives=inner.lives.model_copy(
            update={"gone_after_hours": max(outer.lives.gone_after_hours, inner.lives.gone_after_hours)}
        ),
        endpoints=outer.endpoints,
    )


def _with(policy: ReferencePolicy, **update: Any) -> ReferencePolicy:
    return policy.model_copy(update=update)


def _either(one: tuple[T, ...], other: tuple[T, ...]) -> tuple[T, ...]:
    return (*one, *(each for each in other if each not in one))


def _both(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns of hosts that two lists allow; an empty list allows all."""
    if not one or not other:
        return one or other
    narrower = [a for a in one if any(covers(b, a) for b in other)]
    narrower += [b for b in other if b not in narrower and any(covers(a, b) for a in one)]
    return tuple(narrower) or NOBODY
