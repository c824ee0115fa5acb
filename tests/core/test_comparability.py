"""What stands against comparing two texts, and which language is plainly not English."""

from __future__ import annotations

import pytest

from core.comparability import obstacle, other_language
from core.models import Failure
from core.words import words

KNOWN = frozenset("reported losses grossed million won weakened forces weaken described symptoms running race".split())
"""Words that a reader of English knows."""


@pytest.mark.parametrize(
    ("claim", "evidence", "told"),
    [
        ("It is so.", ["The station closed."], "The claim has no word"),
        ("", ["The station closed."], "The claim has no word"),
        ("The station closed.", [], "The cited text has no word"),
        ("The station closed.", ["…", "It is so."], "The cited text has no word"),
        ("The station closed.", ["駅は閉鎖された。"], "another script"),
        ("Станция закрыта.", ["The station closed."], "another script"),
    ],
)
def test_nothing_to_compare_is_said(claim: str, evidence: list[str], told: str) -> None:
    """As a typed failure with one sentence."""
    found = obstacle(words(claim), [words(part) for part in evidence])

    assert found is not None
    assert found.failure is Failure.UNREADABLE
    assert told in found.reason


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The station closed.", ["駅は閉鎖された。", "The café opened."]),
        ("In 2019", ["2018"]),
        ("駅は閉鎖された。", ["駅は2019年に閉鎖された。"]),
    ],
)
def test_one_comparable_part_is_enough(claim: str, evidence: list[str]) -> None:
    """A text in two scripts has a part in that of the claim; numbers have no script."""
    assert obstacle(words(claim), [words(part) for part in evidence]) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Die Rechnung wurde am 3. Mai von der Firma bezahlt und ist nicht mehr offen.", "German"),
        ("La commission a adopté le règlement en 2019 et il est entré en vigueur dans tous les États.", "French"),
        ("El museo cierra a las cinco de la tarde en invierno.", "Spanish"),
        ("Il museo chiude alle cinque del pomeriggio e non è aperto nel mese di maggio.", "Italian"),
        ("A comissão adotou o regulamento em 2019 e não foi possível entrar em vigor.", "Portuguese"),
        ("Het museum sluit om vijf uur in de winter en is op maandag gesloten.", "Dutch"),
        ("The museum closes at five in the afternoon and is not open on Mondays.", None),
        ("Georges Gilles de la Tourette described symptoms in 1884.", None),
        ("Friends running a race handing off a baton.", None),
        ("Der Kessel kostet 1.874 €.", "German"),
        ("Die Brücke ist in Berlin.", "German"),
        ("Das Museum schließt um 17 Uhr.", "another language"),  # Portuguese has "das" and "um" too
        ("Le musée ferme à 17 heures.", "French"),
        ("El museo cierra a las cinco.", "Spanish"),
        ("Het museum sluit om vijf uur.", "Dutch"),
        ("Museet är stängt på måndagar.", "Swedish"),
        ("Muzeum jest zamknięte w poniedziałki.", "Polish"),
        ("Die Rechnung betrug 2.318,70 €.", "another language"),  # German and Dutch have "die"
        ("The Kessel kostet 1.874 €.", None),
        ("Der Spiegel reported losses.", None),
        ("Les Misérables grossed $441 million.", None),
        ("Los Angeles Lakers won.", None),
        ("El Niño weakened.", None),
        ("Van der Waals forces weaken.", None),
        ("Staphylococcus aureus colonises nares de novo.", None),
        ("Vitamin C in vitro, Staphylococcus aureus, Escherichia coli de novo in situ.", None),
        ("", None),
    ],
)
def test_a_language_is_named_only_when_it_is_plain(text: str, language: str | None) -> None:
    """Names raise no false alarm; a short text is one only where most of its words are unknown in English."""
    assert other_language(text, KNOWN.__contains__) == language
