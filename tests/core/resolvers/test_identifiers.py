"""DOIs and arXiv ids are read in all spellings, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.identifiers import Identifier, arxiv_of, identify, trimmed

_SUFFIX = st.text("abcdefghijklmnopqrstuvwxyz0123456789.-_;/", min_size=1, max_size=20).filter(
    lambda text: trimmed(f"10.5555/{text}") == f"10.5555/{text}"
)
_DOIS = st.builds("10.{}/{}".format, st.integers(1000, 999_999_999), _SUFFIX).filter(lambda text: "//" not in text)
_SPELLINGS = [
    "{}", " {} ", "doi:{}", "DOI: {}", "doi {}", "https://doi.org/{}", "http://dx.doi.org/{}", "doi.org/{}",
    "https://www.doi.org/{}", "({})", "{}.", "{},", "<{}>", "[{}]", "“{}”", "urn:doi:{}", "info:doi/{}",
    "(https://doi.org/{}).", "doi:https://doi.org/{}",
]  # fmt: skip
_NUMBERS = st.builds("{:02d}{:02d}.{:05d}".format, st.integers(7, 99), st.integers(1, 12), st.integers(0, 99_999))


@given(_DOIS, st.sampled_from(_SPELLINGS), st.booleans())
def test_every_spelling_names_the_same_doi(doi: str, spelling: str, shouts: bool) -> None:
    """Prefixes, addresses, brackets, the sentence's punctuation and letter case change nothing."""
    written = spelling.format(doi.upper() if shouts else doi)

    assert identify(written) == Identifier(kind="doi", id=doi)


@given(_NUMBERS, st.none() | st.integers(1, 99))
def test_every_spelling_names_the_same_paper(id: str, version: int | None) -> None:
    """With and without version, prefix, address and class."""
    tail = f"v{version}" if version else ""
    expected = Identifier(kind="arxiv", id=id, version=version)

    for spelling in (
        "{}",
        "arXiv:{}",
        "arxiv {}.",
        "https://arxiv.org/abs/{}",
        "http://arxiv.org/pdf/{}.pdf",
        "{} [cs.CL]",
    ):
        assert identify(spelling.format(id + tail)) == expected


@given(st.text(max_size=60))
def test_nothing_makes_it_fail(text: str) -> None:
    """Any text is an identifier or none; reading an identifier again gives the same."""
    found = identify(text)

    if found and found.kind == "doi":
        assert identify(found.id) is not None


@given(st.text("()[]{}.,;ab", max_size=20))
def test_balanced_brackets_stay(text: str) -> None:
    """What is cut from the end is punctuation or a bracket that was never opened."""
    cut = trimmed(f"10.5555/x(1){text}")

    assert f"10.5555/x(1){text}".startswith(cut)
    assert cut.startswith("10.5555/x(1)") or cut == "10.5555/x(1"[: len(cut)]


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("10.1016/S0140-6736(20)30183-5", "10.1016/s0140-6736(20)30183-5"),
        ("(see 10.1016/S0140-6736(20)30183-5)"[5:], "10.1016/s0140-6736(20)30183-5"),
        ("10.1002/(SICI)10(1998)49:8<6::AID-A4>3.0.CO;2-O", "10.1002/(sici)10(1998)49:8<6::aid-a4>3.0.co;2-o"),
        ("https://doi.org/10.1000%2Fabc?utm_source=x", "10.1000/abc"),
    ],
)  # fmt: skip
def test_brackets_of_a_doi_are_its_own(text: str, id: str) -> None:
    """As long as they are balanced."""
    assert identify(text) == Identifier(kind="doi", id=id)


@pytest.mark.parametrize(
    "text",
    [
        "", "10.5555", "10.5555/", "11.5555/abc", "10.55/abc", "https://pub.example/doi/10.5555/abc", "2113.00001",
        "cs/0001", "foo/0309136", "https://doi.org/", "http://[doi.org/10.5555/x", "javascript:10.5555/x",
        "a 10.5555/x",
    ],
)  # fmt: skip
def test_other_things_are_none(text: str) -> None:
    """Addresses of other places, numbers that are no month, archives that never were."""
    assert identify(text) is None


def test_old_ids_of_arxiv() -> None:
    """The subject class is no part of the id."""
    assert identify("math.GT/0309136v2") == Identifier(kind="arxiv", id="math/0309136", version=2)
    assert identify("cond-mat.mes-hall/0211022") == Identifier(kind="arxiv", id="cond-mat/0211022")


def test_dois_that_arxiv_gives() -> None:
    """They stay DOIs, and say which paper they mean."""
    assert identify("10.48550/arXiv.2101.00001") == Identifier(kind="doi", id="10.48550/arxiv.2101.00001")
    assert arxiv_of("10.48550/arxiv.2101.00001") == Identifier(kind="arxiv", id="2101.00001")
    assert arxiv_of("10.5555/abc") is None
