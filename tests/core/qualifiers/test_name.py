"""Names: another one in the same place, and everything that is no such thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.qualifiers.name import compare


@pytest.mark.parametrize(
    ("claim", "evidence", "ours", "theirs"),
    [
        ("The hall was built by Elena Marsh.", "The hall was built by Victor Holm.", "Elena Marsh", "Victor Holm"),
        ("Anna Cole won the title in Riga.", "Magnus Dahl won the title in Riga.", "Anna Cole", "Magnus Dahl"),
        ("The pact was signed by Norway.", "The pact was signed by Finland.", "Norway", "Finland"),
        ("Rashes were treated with losartan.", "Rashes were treated with ramipril.", "losartan", "ramipril"),
        ("Durham College hired her as dean.", "Keele College hired her as dean.", "Durham College", "Keele College"),
        ("He is a German film critic.", "He is an Italian film critic and poet.", "German", "Italian"),
        (
            "The first concert of the Bergen Philharmonic took place in 1765.",
            "The first concert of the Oslo Symphony took place in 1765.",
            "Bergen Philharmonic",
            "Oslo Symphony",
        ),
    ],
)
def test_another_name(claim: str, evidence: str, ours: str, theirs: str) -> None:
    """After the same words, before the same verb, or in the same place of nearly the same sentence."""
    (found,) = [one for one in compare(claim, evidence) if one.agrees is False]

    assert (found.kind, found.claim, found.evidence) == ("name", ours, theirs)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The World Health Organization approved it.", "The WHO approved it."),
        ("The WHO approved it.", "The World Health Organization approved it."),
        ("The hall was designed by Elena Marsh.", "The hall was designed by Marsh."),
        ("Darwin's theory won.", "The theory of Charles Darwin won."),
        ("The pact was signed by Norway.", "The pact was signed by the Norwegian government."),
        ("The U.S. signed the pact.", "The United States signed the pact."),
        ("She met René there.", "There she met Rene."),
    ],
)
def test_a_name_in_another_form(claim: str, evidence: str) -> None:
    """Acronyms, surnames, possessives, what belongs to a country, accents."""
    assert [one.agrees for one in compare(claim, evidence)] == [True]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Critics praised the film.", "Reviewers praised the film."),  # capitals of the beginning
        ("The pianist was born in Graz.", "She was born there."),
        ("She studied law in Sweden.", "She studied law at Lund."),  # a place at another scale
        ("The pact was signed by Norway.", "The pact was not signed by Finland."),
        ("Tchaikovsky wrote the ballet.", "Tchaikovskij wrote the ballet."),  # another spelling
        ("The fund is run by Ana Ruiz.", "The fund grew. Ben Okafor swims."),  # no role in common
        ("ALL CAPITALS SAY NOTHING.", "ALL LETTERS SAY NOTHING."),
    ],
)
def test_no_other_name(claim: str, evidence: str) -> None:
    """Where nothing settles it, nothing is held against the claim."""
    assert not any(one.agrees is False for one in compare(claim, evidence))


@given(st.text(alphabet="Anna Bo of the and met. “U.S.” 's", max_size=60))
def test_snippets_are_exact(text: str) -> None:
    """Whatever the letters, each snippet stands in its text, and no text disagrees with itself."""
    other = "Anna Bo of the U.S. met Carl and the Dutch."

    for ours, theirs in ((text, other), (other, text)):
        for one in compare(ours, theirs):
            assert one.claim in ours
            assert one.evidence is None or one.evidence in theirs
    assert not any(one.agrees is False for one in compare(text, text))
