"""Which sentences state something about the world that evidence could bear out or refute.

A refusal, a question, a greeting, an offer, a heading, a lead-in, talk about the answer itself and the asker's own
premise state nothing of the kind. English is known best; a sentence in another language is material in doubt.
"""

from __future__ import annotations

import re

from core.flags import flags_of
from core.heads import heads
from core.premises import is_premise
from core.words import words

_SUPPLIED = r"""(?:(?:the|these|those|your|any\sof\sthe|all|my|this|that)\s+)?
    (?:(?:provided|supplied|given|available|retrieved|cited|search|attached|above|listed|manual|text|document|source)\s+)*
    (?:sources?|context|documents?|passages?|excerpts?|materials?|evidence|results|texts?|information|corpus
    |knowledge\sbase)\b(?:\s(?:at\shand|(?:i|we)\s(?:have|was\sgiven|were\sgiven|was\sshown)))?"""
_SAYING = r"""(?:mention|contain|say|state|specif|provide|cover|address|include|give|discuss|describe|answer|tell
    |indicate|reveal|offer|list|refer|name|go\sinto|settle|resolve|touch\son)"""
_SAID = r"""(?:specified|mentioned|stated|given|provided|covered|addressed|included|listed|described|discussed|disclosed
    |reported|found|available)"""
_FINDING = (
    r"""(?:determine|say|tell|confirm|answer|know|establish|verify|identify|conclude|give|provide|judge|assess)"""
)
_NEWS = r"(?:information|details?|context|evidence|data|mention|statement|passage|figures?)"
_LEAD = re.compile(
    rf"""(?:(?:from|in|given|based\son)\s{_SUPPLIED},?\s|i(?:'m|\sam)\safraid,?\s(?:that\s)?
        |(?:unfortunately|sorry|apologies|however|but|still|also|no|and|i(?:'m|\sam)\s(?:very\s|so\s)?sorry
        |i\sapologi[sz]e|(?:based\son|given|from|according\sto)\s[^,;:]{{1,60}}(?=,)|at\s(?:this|the)\s\w+(?=,))\b[\s,;:–—]*
        (?:but\s+)?)""",
    re.X,
)
_OPENER = re.compile(
    r"(?:sure|certainly|of\scourse|absolutely|okay|ok|great|right|alright|well|yes|no|now|so|sorry|overall|finally|lastly"
    r"|in\s(?:conclusion|summary|short|brief)|to\s(?:sum\sup|summari[sz]e|conclude)|(?:with|all)\s(?:that|this)\s(?:being\s)?said)"
    r"\s?[,!.:–—-]+\s+"
)
_REFUSAL = re.compile(
    rf"""(?:
        (?:i|we)\s(?:can(?:no|')t|could(?:\snot|n't)|do(?:\snot|n't)|did(?:\snot|n't)|have(?:\snot|n't)|am\snot|have\sno
            |was(?:\snot|n't)\sable\sto|am\s(?:un|not\s)able\sto|(?:was|were)\sunable\sto)\s(?:\w+\s)?
        (?:find|found|answer|see|know|say|provide|confirm|determine|locate|information|tell|access|verify|help|sure
            |aware|evidence|sources?|data|offer|have|give|any|passage|speculate|guess)\b
    |   i\s(?:would|'d)\s(?:rather|prefer)\snot\b | i(?:\swould|'d)?\sneed\s(?:more|the|a|your|to\s(?:see|know))\b
    |   {_SUPPLIED}\s(?:\w+\s){{0,3}}?(?:do(?:es)?|did)(?:\snot|n't)\s(?:\w+\s)?{_SAYING}
    |   {_SUPPLIED}\s(?:\w+\s){{0,3}}?(?:(?:contain|give|make|offer|provide)s?\sno|ha(?:s|ve)\sno|says?\snothing
            |(?:is|are)\ssilent|leaves?\s(?:this|that|it|the\s\w+)\sopen)\b
    |   there(?:'s|\sis)\sno\sway\sto\s{_FINDING}\b.{{0,40}}\b(?:from|in|with)\s{_SUPPLIED}
    |   (?:this|that|the|your)\s(?:\w+\s){{0,2}}(?:goes\sbeyond|(?:is|lies|falls)\soutside)\s
        .{{0,20}}?{_SUPPLIED}(?!\sof\b)
    |   (?:there\s(?:is|are|was|were)\s)?(?:no|not\senough|insufficient|nothing|none)\b.{{0,90}}?
        \b(?:in|from|by|within|among|of)\s{_SUPPLIED}(?!\sof\b)
    |   (?:there\s(?:is|are|was|were)(?:\snot|n't)?\s)?(?:no|not\senough|insufficient|enough|too\slittle)\s{_NEWS}\s
        (?:(?:is|was|are|were)\s)?(?:(?:provided|given|available|supplied|here)\s)?to\s{_FINDING}\b
    |   it\s(?:is|was)\s(?:not\spossible|impossible|unclear)\b.{{0,60}}?(?:to\s{_FINDING}\b.{{0,80}})?\b(?:from|in|with)
        \s{_SUPPLIED}
    |   [^.;]{{1,90}}?\s(?:(?:is|are|was|were)(?:\snot|n't)|(?:could|can)(?:\snot|n't|not)\sbe)\s(?:\w+\s)?
        (?:{_SAID}|verified|confirmed|determined|established|answered)\s(?:anywhere\s)?(?:in|by|from)\s{_SUPPLIED}(?!\sof\b)
    )""",
    re.X,
)
_NAMES_SOURCES = re.compile(rf"(?:from|in|given|based\son)\s{_SUPPLIED}", re.X)
_OPEN_QUESTION = re.compile(
    r"it\s(?:is|was|remains)\s(?:not\s(?:clear|known|stated|possible)|un(?:clear|known)|impossible)\b"
)
_FOREIGN_REFUSAL = re.compile(
    r"""(?:leider\s)?.{0,60}\b(?:quellen?|unterlagen|dokumenten?|texte?n?|auszüge?n?|kontext)\b.{0,40}
        \b(?:keine?n?\s(?:angaben?|hinweise?|informationen|aussagen?)|nicht\s(?:erwähnt|genannt|angegeben))
    | .{0,20}\b(?:documents|sources|extraits|textes|passages)\b.{0,20}\s(?:ne\s|n')(?:\w+\s){0,2}(?:pas|aucune?)\b
    | .{0,20}\bno\s(?:tengo|dispongo\sde|encontré|encuentro)\s(?:suficiente\s)?información
    | .{0,20}\b(?:documentos|fuentes|textos|pasajes)\b.{0,20}\sno\s(?:mencionan|indican|contienen|especifican)
    | .{0,20}(?:资料|文件|文档|来源|上下文|段落)[^。]{0,8}(?:没有|未)(?:提到|提及|说明|包含|给出)
    | .{0,20}(?:資料|文書|文脈|情報源|抜粋)[^。]{0,10}(?:記載|情報|言及)[がは]?(?:ありません|ない|見つかりません)""",
    re.X,
)
_REFUSES = frozenset({"i", "we", "beyo", "outs"})
_SUPPLIES = frozenset("sour cont docu pass exce mate evid resu text info corp know deta data ment stat figu".split())
_DENIES = frozenset("no not t noth none sile leav insu cann coul impo uncl unkn enou litt".split())
"""A refusal has a word that begins with one of the first, or one with the second and one with the third."""
_FOREIGN_SUPPLIES = frozenset("quel unte doku text ausz kont docu sour extr pass info fuen pasa".split())
_FOREIGN_DENIALS = ("没有", "未", "ありません", "ない", "見つかりません")
_FOREIGN_DENIAL = re.compile(r"keine|nicht|n'|\bn[eo]\s|没有|未|ありません|ない|見つかりません")
"""What every one of them has, and hardly an English sentence."""
_TURN = re.compile(r"[,;–—]\s*(?:but|however|although|though|yet)\b|\b(?:but|however)\b")
_GREETING = re.compile(
    r"""(?:(?:
        hello|hi|hey|dear\s\w+|greetings|welcome|good\s(?:morning|afternoon|evening|day)|thanks?(?:\syou)?
        |you(?:'re|\sare)\swelcome|(?:great|good|excellent|interesting)\squestion|sure|certainly|of\scourse|absolutely
        |okay|ok|yes|no|i\shope\s(?:this|that|it)|(?:have\sa|enjoy\syour)\s(?:nice|great|good)?|good\sluck|best\sof\sluck
        |cheers|take\scare|all\sthe\sbest|(?:it\swas\s)?my\spleasure|no\sproblem(?:\sat\sall)?|glad\si\scould\shelp
        |(?:vielen|besten|herzlichen)\sdank|muchas\sgracias|merci\sbeaucoup|guten\s(?:tag|morgen|abend)|hallo|danke|gerne?|bitte|bonjour|merci|avec\splaisir|hola|gracias|con\sgusto)\b
        (?:[\w\s,']{0,60}(?:asking|question|reaching\sout|there|all|everyone|helps?|helpful|clarifies|you|day|luck))?
        [\s!.,:;🙂😊👋]*){1,3}\Z
    | thank(?:s|\syou)(?:\s(?:so|very)\smuch)?\sfor\s[^.!?,;]{1,60}[.!]*\Z
    | (?:nice|good|great|lovely)\sto\s(?:meet|see|hear\sfrom)\syou\b[^.]{0,20}[.!]*\Z
    | i(?:'m|\sam)\s(?:so\s)?sorry\sto\shear\b
    | congratulations\b[^.]{0,60}!\Z | (?:vielen|besten|herzlichen)\sdank\sfür\b[^.]{0,60}\Z
    | i\sapologi[sz]e(?:\sfor\s[^.,;]{1,60})?[.!]*\Z
    | (?:ich\shoffe|j'espère|espero)\b.{0,60}\b(?:hilft|helfen|aide|aider|ayude|ayuda)\b.{0,40}\Z
    | .{0,20}ありがとうございま(?:す|した)[。!！]*\Z | (?:您好|你好|谢谢|感谢)[^。]{0,12}[。!！]*\Z""",
    re.X,
)
_OFFER = re.compile(
    r"""(?:please\s)?(?:
        let\sme\sknow|feel\sfree|do(?:\snot|n't)\shesitate|just\s(?:ask|say\sthe\sword|let\sme)|would\syou\slike|shall\si
        |i\scan\salso|i(?:'d|\swould)\sbe\s(?:happy|glad)|(?:i(?:'m|\sam)\s)?(?:always\s)?(?:happy|glad)\sto\s
        |if\syou\s(?:need|want|have|would\slike|'d\slike|wish|share|send|tell|give|provide|let)\b.{0,80}?
            (?:\b(?:let\sme\sknow|feel\sfree|please\sask|just\sask|ask\sme|happy\sto)
            |\bi(?:\scan|\scould|\swill|'ll|\swould|'d)\b)
        |ask\saway\b|should\syou\s(?:need|want|have|wish|like)\b|tell\sme\b
        |you(?:'re|\sare)\swelcome\sto\s(?:\w+\s){1,3}me\b|(?:sagen|geben)\ssie\smir\b
        |n'hésitez\spas\b|zögern\ssie\snicht\b|no\sdudes?\sen\b)""",
    re.X,
)
_SOME = r"(?:several|many|various|some|multiple|(?:a\s)?few|a\snumber\sof|two|three|four|five|different|key|main)"
_THINGS = (
    r"(?:reasons?|factors?|points?|things|aspects|ways|caveats|considerations|options|steps|possibilities|differences)"
)
_LEAD_IN = re.compile(
    rf"""here(?:\sis|\sare|'s)\b(?![^:]*:\s*\S+\s\S+\s\S+) | below\s(?:is|are|you|i|we)\b | let(?:'s|\sus|\sme)\s
    | the\sfollowing\s(?:is|are|points|list|table|section|steps)\b
    | (?:first|second|third|finally|next|in\s(?:summary|short|conclusion|other\swords)
        |to\s(?:summari[sz]e|sum\sup|conclude)
        |overall|conclusion|summary|note|answer|details|key\spoints)[\s:.,!–—]*\Z
    | (?:as|see)\s(?:(?:i\s)?(?:shown|listed|described|explained|mentioned|noted|discussed|stated|said)\s)?
        (?:above|below|earlier|before)[\s.:]*\Z
    | (?:please\s)?see\sthe\s(?:\w+\s){{1,3}}(?:below|above)\b
    | there\sare\s(?:\w+\s)?{_SOME}\s(?:\w+\s)?{_THINGS}
        (?:\s(?:for|behind|to|here|involved|at\splay)[\w\s]{{0,30}})?[\s.:]*\Z
    | {_SOME}\s(?:\w+\s)?{_THINGS}\s(?:play\sa\srole|matter|apply|come\sinto\splay|contribute
        |stand\sout|are\sworth\snoting)
        [\w\s]{{0,20}}[\s.:]*\Z
    | (?:moving|turning)\s(?:now\s)?(?:on\s)?to\s(?:the|your)\s(?:\w+\s){{0,3}}
        (?:point|question|part|topic|issue|aspect)s?[\s.:]*\Z
    | (?:first|next|before\s\w+(?:\s\w+)?),?\s(?:a|some)\s(?:\w+\s){{0,2}}
        (?:background|remark|note|word|context)\b[\w\s]{{0,30}}[\s.:]*\Z
    | (?:on|back)\sto\sthe\s\w+[\s.:]*\Z | now\s(?:for|to|on\sto)\s(?:the|your)\b[\w\s]{{0,40}}[\s.:]*\Z
    | the\s(?:details|main\spoints|steps|reasons|facts|options|figures)\sare\s
        (?:as\sfollows|(?:listed\s|given\s)?below)[\s.:]*\Z
    | consider\s(?:this|the\sfollowing|an)(?:\sexample|\scase)?[\s.:]*\Z
    | this\s(?:raises|needs|deserves|calls\sfor|requires|brings\s(?:us|me)\sto)\s(?:an?|some|the)\s(?:\w+\s){{0,2}}
        (?:point|question|explanation|issue|topic|remark|comment|clarification|context)[\s.:]*\Z
    | it(?:'s|\sis)\s(?:worth|useful|helpful)
        \s(?:looking\sat|to\slook\sat|considering|to\sconsider)\b[\w\s]{{0,30}}[\s.:]*\Z
    | (?:the|this)\s(?:picture|situation|issue|question|topic|subject|matter|story)\sis\s(?:\w+\s)?
        (?:complicated|complex|nuanced|multifaceted|tricky|not\s(?:that\s)?simple)[\s.:]*\Z
    | there(?:'s|\sis)\s(?:much\s|a\slot\s)?more\sto\s(?:it|this|say)\b[\w\s]{{0,20}}[\s.:]*\Z
    | (?:some|a\slittle|a\sbit\sof|brief)\s(?:context|background)(?:\sfirst)?[\s.:]*\Z
    | it\sdepends[\s.:]*\Z | hence\sthe\s(?:name|question)[\s.:]*\Z | that'?s\s(?:it|all)[\s.!]*\Z""",
    re.X,
)
_SELF = re.compile(
    r"""as\san\sai\b | i(?:'m|\sam)\san?\s(?:ai|language\smodel|assistant)
    | i(?:'ll|\swill|\swas\sasked|(?:'ve|\shave)?\s(?:listed|summari[sz]ed|used|checked|based|included|tried|searched
        |looked|focus(?:s?ed)?|cited|quoted|marked|grouped|ordered|relied|drawn|kept)\b)
    | (?:this|my|the)\s(?:answer|response|summary|reply|overview)\s(?:\w+\s)?
        (?:is\sbased|is\sdrawn|was\swritten|covers|draws|uses|relies|focuses|will|summari[sz]es)\b
    | (?:this|my)\s(?:answer|response|summary|reply|overview)\s(?:is|was)\b
    | in\sthis\s(?:answer|response|summary),?\si\b
    | my\s(?:knowledge|training\sdata)\s(?:ends|stops|is|was|comes|may|only|goes)\b
    | this\s(?:part|half|section|paragraph|list)\s(?:of\s(?:the|my|this)\s(?:answer|response|reply)\s)?
        (?:deals|looks|covers|explains|lists)\b
    | (?:note:?\s(?:that\s)?)?(?:the|all)\s(?:sources|citations|references|links|quotations|quotes)\s
        (?:below|above|listed|given|cited)\b
    | you\s(?:asked|wanted|want\sto\sknow|would\slike\sto\sknow|are\sasking|mentioned)\b""",
    re.X,
)
_FIRST_PERSON = re.compile(
    r"""I(?:'m|'ve|'ll|'d)?\s(?![A-Z])
        (?!(?:\w+\s){0,3}(?:think|believe|confirm|suggest|recommend|advise|estimate|calculate|expect|assume|say|know|afraid
            |conclude|find|found|see|note|understand|guess|argue)\b)
        (?!.*(?:[“”"«»]|\b(?:said|says|writes|wrote|recalls|recalled|told|tells)\b))""",
    re.X,
)
"""What an answer says of its writer, unless it says something of the world after *I think* or quotes another."""
_DISCLAIMER = re.compile(
    r"""(?:i(?:'d|\swould)?\s(?:recommend|suggest|advise)\s(?:you\s)?(?:to\s)?
        (?:check|consult|verify|contact|speak|seek|look|visit|review|ask|talk)\w*
    | (?:please|(?:it(?:'s|\sis)\s)?(?:always\s)?(?:best|advisable|important|recommended)\sto
        |always|you\sshould|make\ssure\sto)
        \s(?:always\s)?(?:consult|seek|speak\s(?:to|with)|talk\sto|check\swith)\b
        (?!.*\b(?:if|when|within|before\sthe)\b)
    | this\s(?:is|does|should)\snot\s(?:be\s)?(?:(?:constitute|considered|taken\sas|intended\sas)\s)?(?:an?\s)?
        (?:substitute|legal|medical|financial|professional|tax)\s?(?:advice|for)?\b
    | i(?:'m|\sam)\snot\san?\s(?:doctor|lawyer|physician|attorney|expert|professional|financial\sadvis[eo]r)\b)""",
    re.X,
)
_VERB = re.compile(
    r"""\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|may|might|must|shall|should|cannot
        |[a-z]{3,}ed|[a-z]{2,}n't|costs?|opens?|closes?|needs?|takes?|gets?|lies|runs?|works?|gives?|makes?|shows?|means?
        |contains?|holds?)\b
    | (?<=\s)(?:cures?|prevents?|wants?|stimulates?|slows?|originates?|reduces?|helps?|protects?
        |affects?|includes?|requires?|allows?|rose|fell|sold|won|became|began|went|came|sa(?:id|ys)|kills?|lasts?
        |appl(?:y|ies)|grows?|leads?\sto|lowers?)\b""",
    re.I | re.X,
)
_ENDED = re.compile(r"[.!…。！｡।]['\"”’»)\]*_\s]*\Z")
_NUMBERING = re.compile(
    r"(?:(?:step|part|section|chapter|option|phase)\s(?:\d{1,2}|[IVX]+)\b[.:)]?|\d{1,2}[.)])\s*", re.I
)
_LABEL = re.compile(r"(?:table|figure|fig\.|appendix|annex|box)\s(?:\d{1,2}|[a-z])[.:]?\Z")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_MARKUP = " \t\r\n\u00a0#>*_|-"


def is_material(sentence: str, query: str | None) -> bool:
    """Whether a sentence states something that evidence could bear out or refute.

    Args:
        sentence: One sentence, without citation markers.
        query: What was asked. What the asker told there is no claim of the answer when it comes back.
    """
    plain = sentence.strip(_MARKUP).replace("’", "'")
    if not any(map(str.isalnum, plain)) or plain[-1] in "?？؟":
        return False
    lower = plain.lower()
    opener = _OPENER.match(lower)
    if _FIRST_PERSON.match(plain) or _EMPTY.match(lower):
        return False
    if opener and (_FIRST_PERSON.match(plain, opener.end()) or _EMPTY.match(lower[opener.end() :])):
        return False
    begun = heads(sentence)
    if _may_refuse_abroad(lower, begun) and _FOREIGN_DENIAL.search(lower) and _FOREIGN_REFUSAL.match(lower):
        return False
    may_refuse = not _REFUSES.isdisjoint(begun) or not (_SUPPLIES.isdisjoint(begun) or _DENIES.isdisjoint(begun))
    return not (
        (may_refuse and _is_refusal(lower)) or _is_heading(plain, sentence) or (query and is_premise(plain, query))
    )


_EMPTY = re.compile(
    "|".join(f"(?:{one.pattern})" for one in (_GREETING, _OFFER, _LEAD_IN, _SELF, _DISCLAIMER, _LABEL)), re.X
)
"""Matched against lower case: an engine that ignores case tries every alternative, one that does not looks at its first
letter only."""


def _may_refuse_abroad(lower: str, begun: frozenset[str]) -> bool:
    if not _FOREIGN_SUPPLIES.isdisjoint(begun):
        return True
    return not lower.isascii() and any(one in lower for one in _FOREIGN_DENIALS)


def _is_refusal(lower: str) -> bool:
    """An honest "the sources do not say", unless it turns to a statement after all."""
    lead = _LEAD.match(lower)
    if lead and _OPEN_QUESTION.match(lower, lead.end()) and _NAMES_SOURCES.match(lower):
        return True
    found = _REFUSAL.match(lower) or (_REFUSAL.match(lower, lead.end()) if lead else None)
    if not found:
        return False
    turn = _TURN.search(lower, found.end())
    return not (turn and len(words(lower[turn.end() :]).content) >= 2)


def _is_heading(plain: str, sentence: str) -> bool:
    """A title, or a lead-in that ends with a colon and says nothing by itself."""
    if sentence.lstrip().startswith("#"):
        return True
    numbering = _NUMBERING.match(plain)
    plain = plain[numbering.end() :] if numbering else plain
    if not plain:
        return True
    if plain[-1] in ".!":
        return False
    count = len(plain.split())
    if plain.endswith((":", "：")):
        return count <= 12 and not _has_number(plain)
    if count > 6 or not plain[0].isascii() or "|" in sentence or ": " in plain:
        return False
    return not (_ENDED.search(plain) or _VERB.search(plain) or _has_number(plain))


def _has_number(plain: str) -> bool:
    return "number" in flags_of(_YEAR.sub("", plain))
