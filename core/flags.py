"""What a claim speaks of: number, date, name, quotation, causal, legal, medical.

Flags order the work and fill filters; none of them decides a label. English words, digits of every script.
"""

from __future__ import annotations

import re

from core.quotations import marked_spans
from core.words import STOP_WORDS

ORDER = ("number", "date", "name", "quotation", "causal", "legal", "medical")

_NUMBER = re.compile(
    r"""(?<![A-Za-zÀ-ɏΑ-ӿ_\d])(?<![A-Za-zÀ-ɏΑ-ӿ]-)\d | [½⅓⅔¼¾⅛] | \b(?:
        two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen
        |nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?
        |half|twice|double[sd]?|percent|per\scent)\b""",
    re.I | re.X,
)
_DATE = re.compile(
    r"""(?<![\d.,])(?:1[5-9]\d\d|20\d\d)s?(?![\d,]*\d)
    | \b(?:January|February|April|June|July|August|September|October|November|December)\b
    | \b(?:in|on|since|until|till|by|of|early|late|mid)\s+(?:March|May)\b | \b(?:March|May)\s+\d | \d+\s+(?:March|May)\b
    | \b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b | \b\d{1,2}(?:st|nd|rd|th)[\s-]centur | \d+\s?[年月日]
    | \b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b""",
    re.X,
)
_CAUSAL = re.compile(
    r"""\b(?:
        because|caus(?:e[sd]?|ing|al(?:ly)?)|(?:due|owing|thanks)\sto|(?:leads?|leading|led)\sto|result(?:s|ed|ing)?\sin
        |as\sa\sresult|therefore|hence|consequently|thereby|contribut(?:e[sd]?|ing)\sto|attribut(?:ed|able)\sto
        |trigger(?:s|ed)?|induc(?:e[sd]?|ing)|prevent(?:s|ed)?|reduces|lowers|improves|increases\sthe|so\sthat
        |effects?\sof|influenc(?:e[sd]?|ing))\b""",
    re.I | re.X,
)
_LEGAL = re.compile(
    r"""§ | \b(?:
        laws?|lawful(?:ly)?|(?:il)?legal(?:ly)?|legislation|statut\w+|regulations?|regulatory|courts?|contracts?
        |contractual\w*|liab\w+|plaintiffs?|defendants?|copyright\w*|trade\s?marks?|patent(?:s|ed)?|licen[cs]e[sd]?
        |complian\w+|prohibit\w*|obligat\w+|entitle[sd]?|shall|rights?|tax(?:es|able)?|penalt\w+|fines?|GDPR
        |jurisdiction\w*|sue[sd]?|(?:Article|Section|Directive|Act)\s\d\w*)\b""",
    re.I | re.X,
)
_MEDICAL = re.compile(
    r"""\b(?:
        patients?|dos(?:e[sd]?|age|ing)|\d+\s?m[gl]|tablets?|inhal\w+|diseases?|syndromes?|symptoms?|therap\w+
        |treat(?:ed|ments?)|drugs?|medic\w+|clinical\w*|diagnos\w+|infect\w+|vaccin\w+|cancers?|tumou?rs?|asthma\w*
        |diabet\w+|blood|surg\w+|pregnan\w+|placebo|side\seffects?|mortality|prescri\w+|cardi\w+|hypertens\w+
        |antibiotics?|doctors?|physicians?|health)\b""",
    re.I | re.X,
)
_PATTERNS = {"number": _NUMBER, "date": _DATE, "causal": _CAUSAL, "legal": _LEGAL, "medical": _MEDICAL}
_HEADS = {
    "number": "two thre four five six seve eigh nine ten elev twel thir fift sixt twen fort hund thou mill bill "
    "doze half twic doub perc per 0 ½ ⅓ ⅔ ¼ ¾ ⅛",
    "date": "in on sinc unti till by of earl late mid "
    "janu febr marc apri may june july augu sept octo nove dece mond tues wedn thur frid satu sund 0",
    "causal": "as beca caus due owin than lead led resu ther henc cons cont attr trig indu prev redu lowe impr incr "
    "so effe infl",
    "legal": "law laws lawf ille lega legi stat regu cour cont liab plai defe copy trad pate lice comp proh obli "
    "enti shal righ tax taxa taxe pena fine gdpr juri sue sued sues arti sect dire act §",
    "medical": "pati dose dosa dosi tabl inha dise synd symp ther trea drug medi clin diag infe vacc canc tumo "
    "asth diab bloo surg preg plac side mort pres card hype anti doct phys heal 0",
}
_FLAGS_AT = {
    head: [flag for flag in _HEADS if head in _HEADS[flag].split()] for head in " ".join(_HEADS.values()).split()
}
"""Which patterns may begin at a word, by its first four letters (``0``: at a number): no other place is tried."""
_PLACE = re.compile(r"[A-Za-z]+|(?P<number>\d+)|[½⅓⅔¼¾⅛§]")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def flags_of(text: str) -> tuple[str, ...]:
    """The flags of a claim's text, in the order of ``ORDER``; any quotation marks set ``quotation``."""
    found = set()
    for place in _PLACE.finditer(text):
        head = "0" if place.lastgroup else place.group()[:4].lower()
        for flag in _FLAGS_AT.get(head, ()):
            if flag not in found and _PATTERNS[flag].match(text, place.start()):
                found.add(flag)
    if _has_name(text):
        found.add("name")
    if marked_spans(text):
        found.add("quotation")
    return tuple(flag for flag in ORDER if flag in found)


def _has_name(text: str) -> bool:
    """A capital that no sentence start explains, two at a start, or an acronym."""
    if text[1:].islower() and (text[1].isalpha() or text[1].isspace()):
        return False
    first_was_capital = False
    for found in _WORD.finditer(text):
        word = found.group()
        if not word[0].isupper():
            first_was_capital = False
            continue
        before = text[max(0, found.start() - 9) : found.start()].rstrip(" \t\r\n\"'“”‘’«»([*_#|-–")
        starts = not before or before[-1] in ".!?:。！？"
        capital = word.lower() not in STOP_WORDS and not _DATE.fullmatch(word)
        if capital and (not starts or first_was_capital or (len(word) > 1 and word.isupper())):
            return True
        first_was_capital = capital and starts
    return False
