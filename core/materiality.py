"""Which sentences state something about the world that evidence could bear out or refute.

A refusal, a question, a greeting, an offer, a heading, a lead-in, talk about the answer itself and the asker's own
premise state nothing of the kind. English is known best; a sentence in another language is material in doubt.
"""

from __future__ import annotations

import re

from core.flags import flags_of
from core.words import words

_SUPPLIED = r"""(?:(?:the|these|those|your|any\sof\sthe|all|my|this|that)\s+)?
    (?:(?:provided|supplied|given|available|retrieved|cited|search|attached|above|listed)\s+)*
    (?:sources?|context|documents?|passages?|excerpts?|materials?|evidence|results|texts?|information|corpus
    |knowledge\sbase)\b"""
_SAYING = r"""(?:mention|contain|say|state|specif|provide|cover|address|include|give|discuss|describe|answer|tell
    |indicate|reveal|offer|list|refer|name)"""
_REFUSAL = re.compile(
    rf"""(?:(?:unfortunately|sorry|however|i(?:'m|\sam)\s(?:very\s|so\s)?sorry|i\sapologi[sz]e)\b[\s,;:–—]*(?:but\s+)?)?
    (?:
        (?:i|we)\s(?:can(?:no|')t|could(?:\snot|n't)|do(?:\snot|n't)|did(?:\snot|n't)|have(?:\snot|n't)|am\snot|have\sno
            |was(?:\snot|n't)\sable\sto|am\s(?:un|not\s)able\sto|(?:was|were)\sunable\sto)\s(?:\w+\s)?
        (?:find|found|answer|see|know|say|provide|confirm|determine|locate|information|tell|access|verify|help|sure
            |aware|evidence|sources?|data|offer|have|give|any)\b
    |   {_SUPPLIED}\s(?:\w+\s){{0,3}}?(?:do(?:es)?|did)(?:\snot|n't)\s(?:\w+\s)?{_SAYING}
    |   {_SUPPLIED}\s(?:\w+\s){{0,3}}?(?:(?:contain|give|make|offer|provide)s?\sno|ha(?:s|ve)\sno|says?\snothing
            |(?:is|are)\ssilent)\b
    |   (?:there\s(?:is|are|was|were)\s)?(?:no|not\senough|insufficient|nothing|none)\b.{{0,90}}?
        \b(?:in|from|by|within|among|of)\s{_SUPPLIED}(?!\sof\b)
    )""",
    re.I | re.X,
)
_TURN = re.compile(r"[,;–—]\s*(?:but|however|although|though|yet)\b|\b(?:but|however)\b", re.I)
_GREETING = re.compile(
    r"""(?:(?:
        hello|hi|hey|dear\s\w+|greetings|welcome|good\s(?:morning|afternoon|evening|day)|thanks?(?:\syou)?
        |you(?:'re|\sare)\swelcome|(?:great|good|excellent|interesting)\squestion|sure|certainly|of\scourse|absolutely
        |okay|ok|yes|no|i\shope\s(?:this|that|it)|guten\s(?:tag|morgen|abend)|hallo|danke|bonjour|merci|hola)\b
        (?:[\w\s,']{0,60}(?:asking|question|reaching\sout|there|all|everyone|helps?|helpful|clarifies|you))?
        [\s!.,:;🙂😊👋]*){1,3}\Z""",
    re.I | re.X,
)
_OFFER = re.compile(
    r"""(?:please\s)?(?:
        let\sme\sknow|feel\sfree|do(?:\snot|n't)\shesitate|just\sask|would\syou\slike|shall\si|i\scan\salso
        |i(?:'d|\swould)\sbe\s(?:happy|glad)|i(?:'m|\sam)\s(?:happy|glad)\sto
        |if\syou\s(?:need|want|have|would\slike|'d\slike|wish)\b.{0,80}\b
            (?:let\sme\sknow|feel\sfree|please\sask|just\sask|i\scan|ask\sme|happy\sto))""",
    re.I | re.X,
)
_LEAD_IN = re.compile(
    r"""here(?:\sis|\sare|'s)\b | below\s(?:is|are|you)\b | let(?:'s|\sus|\sme)\s
    | the\sfollowing\s(?:is|are|points|list|table|section|steps)\b
    | (?:first|second|third|finally|next|in\s(?:summary|short|conclusion)|to\ssummari[sz]e|overall|conclusion|summary
        |note|answer|details|key\spoints)[\s:.,!–—]*\Z
    | (?:as|see)\s(?:(?:shown|listed|described|explained)\s)?(?:above|below)[\s.:]*\Z""",
    re.I | re.X,
)
_SELF = re.compile(
    r"""as\san\sai\b | i(?:'m|\sam)\san?\s(?:ai|language\smodel|assistant)
    | i(?:'ll|\swill|\swas\sasked|(?:'ve|\shave)?\s(?:listed|summari[sz]ed|used|checked|based|included|tried|searched
        |looked|focus(?:s?ed)?))\b
    | (?:this|my|the)\s(?:answer|response|summary|reply|overview)\s
        (?:is|was|covers|draws|uses|relies|focuses|will|summari[sz]es)\b
    | in\sthis\s(?:answer|response|summary),?\si\b
    | you\s(?:asked|wanted|want\sto\sknow|would\slike\sto\sknow|are\sasking|mentioned)\b""",
    re.I | re.X,
)
_VERB = re.compile(
    r"""\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|may|might|must|shall|should|cannot
        |[a-z]{3,}(?:ed|n't)|costs?|opens?|closes?|needs?|takes?|gets?|lies|runs?|works?|gives?|makes?|shows?|means?
        |contains?|holds?)\b""",
    re.I | re.X,
)
_NEGATION = re.compile(r"\b(?:not|no|never|none|cannot|without)\b|n't\b", re.I)
_ENDED = re.compile(r"[.!…。！｡।]['\"”’»)\]*_\s]*\Z")
_MARKUP = " \t\r\n\u00a0#>*_|-"


def is_material(sentence: str, query: str | None) -> bool:
    """Whether a sentence states something that evidence could bear out or refute.

    Args:
        sentence: One sentence, without citation markers.
        query: What was asked. What the asker told there is no claim of the answer when it comes back.
    """
    plain = sentence.strip(_MARKUP).replace("’", "'")
    if not any(char.isalnum() for char in plain) or plain[-1] in "?？؟":
        return False
    if any(pattern.match(plain) for pattern in (_GREETING, _OFFER, _LEAD_IN, _SELF)):
        return False
    return not (_is_refusal(plain) or _is_heading(plain, sentence) or _is_premise(plain, query))


def _is_refusal(plain: str) -> bool:
    """An honest "the sources do not say", unless it turns to a statement after all."""
    found = _REFUSAL.match(plain)
    if not found:
        return False
    turn = _TURN.search(plain, found.end())
    return not (turn and len(words(plain[turn.end() :]).content) >= 2)


def _is_heading(plain: str, sentence: str) -> bool:
    """A title, or a lead-in that ends with a colon and says nothing by itself."""
    if sentence.lstrip().startswith("#"):
        return True
    count = len(plain.split())
    has_number = count <= 12 and "number" in flags_of(plain)
    if plain.endswith((":", "：")):
        return count <= 12 and not has_number
    if count > 6 or not plain[0].isascii() or "|" in sentence:
        return False
    return not (has_number or _ENDED.search(plain) or _VERB.search(plain))


def _is_premise(plain: str, query: str | None) -> bool:
    """Whether a sentence only says again what the asker told, which is not what they asked."""
    if not query or _NEGATION.search(plain):
        return False
    told = [part for part in re.findall(r"[^.!?？。！؟]+[.!。！]", query) if not _NEGATION.search(part)]
    said, known = words(plain), words(" ".join(told))
    return bool(said.content) and said.content <= known.content and said.numbers <= known.numbers
