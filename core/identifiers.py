"""DOIs and arXiv ids in all the ways people write them, in the one spelling under which a registry knows them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

from core.models import Record

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_DOI_HOSTS = frozenset({"doi.org", "dx.doi.org", "www.doi.org"})
_DOI_PREFIX = re.compile(r"doi(?!\.org)\s*[:=]?\s*|(?:urn:|info:)doi[:/]", re.I)
_ARXIV_HOSTS = frozenset({"arxiv.org", "www.arxiv.org", "export.arxiv.org", "xxx.lanl.gov"})
_HOSTS = tuple(f"{host}/" for host in (*sorted(_DOI_HOSTS), *sorted(_ARXIV_HOSTS)))
_ARXIV_PATH = re.compile(r"/(?:abs|pdf|html|format|src|e-print)/(?P<id>.+?)(?:\.pdf)?/?")
_ARXIV_PREFIX = re.compile(r"arxiv\s*[:.]?\s*", re.I)
_ARXIV_NEW = re.compile(r"(?P<id>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})(?:v(?P<version>[1-9]\d{0,2}))?", re.I)
_ARXIV_OLD = re.compile(
    r"(?P<archive>[a-z]+(?:-[a-z]+)?)(?:\.[a-z]{2}|\.[a-z]+-[a-z]+)?/(?P<number>\d{2}(?:0[1-9]|1[0-2])\d{3})"
    r"(?:v(?P<version>[1-9]\d{0,2}))?",
    re.I,
)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(?P<id>.+)", re.I)
_ARCHIVES = frozenset(
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga "
    "funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph "
    "q-alg q-bio quant-ph solv-int supr-con".split()
)

_TRAILING = ".,;:!?'’‘”“\"…*_~"
_PAIRS: Mapping[str, str] = {")": "(", "]": "[", "}": "{", ">": "<", "»": "«", "）": "（"}


class Identifier(Record):
    """A DOI or an arXiv id."""

    kind: str
    """``doi`` or ``arxiv``."""
    id: str
    """In lower case; of arXiv without the version and the subject class."""
    version: int | None = None


def identify(text: str) -> Identifier | None:
    """The identifier that a reference writes, as a whole; none for addresses of other places, and for titles.

    A DOI that arXiv gives its own papers stays a DOI; ``arxiv_of`` says which paper it means.
    """
    text = trimmed(text.strip())
    bare = text[found.end() :] if (found := _DOI_PREFIX.match(text)) else text
    if _DOI.fullmatch(bare):
        return Identifier(kind="doi", id=bare.lower())
    if "://" in bare or bare.lower().startswith(_HOSTS):
        return _in_address(bare if "://" in bare else f"https://{bare}")
    prefix = _ARXIV_PREFIX.match(text)
    return _arxiv(text[prefix.end() :] if prefix else text)


def _in_address(url: str) -> Identifier | None:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https"):
        return None
    if host in _DOI_HOSTS:
        doi = trimmed(unquote(parts.path.lstrip("/")))
        return Identifier(kind="doi", id=doi.lower()) if _DOI.fullmatch(doi) else None
    if host in _ARXIV_HOSTS and (found := _ARXIV_PATH.fullmatch(parts.path)):
        return _arxiv(found["id"])
    return None


def _arxiv(text: str) -> Identifier | None:
    text = re.sub(r"\s*\[[a-z.-]+\]\Z", "", text.strip(), flags=re.I)  # arXiv:2101.00001 [cs.CL]
    if found := _ARXIV_NEW.fullmatch(text):
        return Identifier(kind="arxiv", id=found["id"], version=_number(found["version"]))
    found = _ARXIV_OLD.fullmatch(text)
    if found and found["archive"].lower() in _ARCHIVES:
        return Identifier(
            kind="arxiv", id=f"{found['archive'].lower()}/{found['number']}", version=_number(found["version"])
        )
    return None


def arxiv_of(doi: str) -> Identifier | None:
    """The arXiv paper that a DOI of arXiv means; none for other DOIs."""
    found = _ARXIV_DOI.fullmatch(doi)
    return _arxiv(found["id"]) if found else None


def trimmed(text: str) -> str:
    """A reference without the punctuation of the sentence around it; brackets that it opens itself stay."""
    while text and (text[-1] in _TRAILING or _is_too_many(text, text[-1])):
        text = text[:-1]
    while text and text[0] in "([{<«（\"'“‘" and not text.endswith(tuple(_PAIRS)):
        text = text[1:]
    if len(text) > 1 and _PAIRS.get(text[-1]) == text[0]:
        return trimmed(text[1:-1])
    return text


def _is_too_many(text: str, bracket: str) -> bool:
    return bracket in _PAIRS and text.count(bracket) > text.count(_PAIRS[bracket])


def _number(text: str | None) -> int | None:
    return int(text) if text else None
