"""What a claim speaks of: number, date, name, quotation, causal, legal, medical.

Flags order the work and fill filters; none of them decides a label. English words, digits of every script.
"""

from __future__ import annotations

import re

from core.heads import heads
from core.quotations import marked_spans
from core.words import STOP_WORDS

ORDER = ("number", "date", "name", "quotation", "causal", "legal", "medical")

_NUMBER = re.compile(
    r"""\b(?:
        two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen
        |nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?
        |half|twice|double[sd]?|percent|per\scent)\b""",
    re.I | re.X,
)
_DATE = re.compile(
    r"""\b(?:January|February|April|June|July|August|September|October|November|December)\b
    | \b(?:in|on|since|until|till|by|of|early|late|mid)\s+(?:March|May)\b | \b(?:March|May)\s+\d
    | \b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b""",
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
        patients?|dos(?:e[sd]?|age|ing)|tablets?|inhal\w+|diseases?|syndromes?|symptoms?|therap\w+
        |treat(?:ed|ments?)|drugs?|medic\w+|clinical\w*|diagnos\w+|infect\w+|vaccin\w+|cancers?|tumou?rs?|asthma\w*
        |diabet\w+|blood|surg\w+|pregnan\w+|placebo|side\seffects?|mortality|prescri\w+|cardi\w+|hypertens\w+
        |antibiotics?|doctors?|physicians?|health)\b""",
    re.I | re.X,
)
_PATTERNS = {"number": _NUMBER, "date": _DATE, "causal": _CAUSAL, "legal": _LEGAL, "medical": _MEDICAL}
_HEADS = {
    "number": "two thre four five six seve eigh nine ten elev twel thir fift sixt twen fort hund thou mill bill "
    "doze half twic doub perc per",
    "date": "janu febr marc apri may june july augu sept octo nove dece mond tues wedn thur frid satu sund",
    "causal": "as beca caus due owin than lead led resu ther henc cons cont attr trig indu prev redu lowe impr incr "
    "so effe infl",
    "legal": "law laws lawf ille lega legi stat regu cour cont liab plai defe copy trad pate lice comp proh obli "
    "enti shal righ tax taxa taxe pena fine gdpr juri sue sued sues arti sect dire act",
    "medical": "pati dose dosa dosi tabl inha dise synd symp ther trea drug medi clin diag infe vacc canc tumo "
    "asth diab bloo surg preg plac side mort pres card hype anti doct phys heal",
}
_FLAGS_AT = {
    head: [flag for flag in _HEADS if head in _HEADS[flag].split()] for head in " ".join(_HEADS.values()).split()
}
"""Which patterns may begin at a word, by its first four letters (``core.heads``); no other word is tried."""
_GOES_ON = {"as": "resu", "so": "that", "per": "cent"}
"""How an expression goes on that begins with a word too frequent to be looked at."""
_MONTHS = frozenset({"marc", "may"})
"""Months that are also words: they are dates behind other words, which are looked for only here."""
_AT_DIGITS = {
    "number": re.compile(r"(?<![A-Za-zÀ-ɏΑ-ӿ_\d])(?<![A-Za-zÀ-ɏΑ-ӿ]-)\d", re.I),
    "date": re.compile(
        r"""(?<![\d.,])(?:1[5-9]\d\d|20\d\d)s?(?![\d,]*\d) | \d+\s+(?:March|May)\b
        | \b\d{1,2}(?:st|nd|rd|th)[\s-]centur | \d+\s?[年月日] | \b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b""",
        re.X,
    ),
    "medical": re.compile(r"\b\d+\s?m[gl]\b", re.I),
}
"""What figures say, tried where one begins; the patterns above begin with letters or a sign."""
_DIGITS, _ASCII_DIGITS = re.compile(r"\d+"), re.compile("[0-9]+")
_FRACTION = re.compile("[½⅓⅔¼¾⅛]")
_ASCII_LOWER = {capital: capital + 32 for capital in range(ord("A"), ord("Z") + 1)}
_CAPITAL = re.compile(r"[^\W\d_a-z][\w'’-]*")
_LETTER = re.compile(r"[^\W\d_]")


def flags_of(text: str) -> tuple[str, ...]:
    """The flags of a claim's text, in the order of ``ORDER``; any quotation marks set ``quotation``."""
    found = _by_words(text)
    is_ascii = text.isascii()
    for digits in (_ASCII_DIGITS if is_ascii else _DIGITS).finditer(text):
        for flag, pattern in _AT_DIGITS.items():
            if flag not in found and pattern.match(text, digits.start()):
                found.add(flag)
    if not is_ascii and _FRACTION.search(text):
        found.add("number")
    if "§" in text:
        found.add("legal")
    if _has_name(text):
        found.add("name")
    if marked_spans(text):
        found.add("quotation")
    return tuple([flag for flag in ORDER if flag in found]) if found else ()


def _by_words(text: str) -> set[str]:
    """The flags that a word sets."""
    begun = heads(text)
    hits = begun & _FLAGS_AT.keys()
    if not hits:
        return set()
    found = {"date"} if hits & _MONTHS and _DATE.search(text) else set()
    lower = text.lower()
    if len(lower) != len(text):  # a capital that is two characters in lower case
        lower = text.translate(_ASCII_LOWER)
    for head in hits:
        if head in _GOES_ON and _GOES_ON[head] not in begun and text.isascii():
            continue
        for flag in _FLAGS_AT[head]:
            if flag not in found and _is_at(_PATTERNS[flag], text, lower, head):
                found.add(flag)
    return found


def _is_at(pattern: re.Pattern[str], text: str, lower: str, head: str) -> bool:
    """Whether a pattern matches where a head stands in the same text in lower case."""
    at = lower.find(head)
    while at >= 0:
        if pattern.match(text, at):
            return True
        at = lower.find(head, at + 1)
    return False


def _has_name(text: str) -> bool:
    """A capital that no sentence start explains, two at a start, or an acronym."""
    if text[1:].islower() and (text[1].isalpha() or text[1].isspace()):
        return False
    opened = -1
    """Where a capital ends that opens a sentence."""
    for found in _CAPITAL.finditer(text):
        word = found.group()
        if not word[0].isupper() or _is_within_word(text, found.start()):
            continue
        before = text[max(0, found.start() - 9) : found.start()].rstrip(" \t\r\n\"'“”‘’«»([*_#|-–")
        starts = not before or before[-1] in ".!?:。！？"
        capital = word.lower() not in STOP_WORDS and not _DATE.fullmatch(word)
        follows = opened >= 0 and not _LETTER.search(text, opened, found.start())
        if capital and (not starts or follows or (len(word) > 1 and word.isupper())):
            return True
        opened = found.end() if capital and starts else -1
    return False


def _is_within_word(text: str, at: int) -> bool:
    """Whether a letter stands before a place with nothing between them but what words are made of."""
    while at and ((before := text[at - 1]).isalnum() or before in "_'’-"):
        if before.isalnum() and not before.isdecimal():
            return True
        at -= 1
    return False
