"""Numbers: another value for the same unit, and everything that is no such thing."""

from __future__ import annotations

import pytest

from core.qualifiers.number import compare


@pytest.mark.parametrize(
    ("claim", "evidence", "agrees"),
    [
        # another value for the same unit
        ("Turnout rose by 6 percent.", "Turnout rose from 12% to 18%.", False),
        ("Both plots got 5 kg of lime.", "Plots A and B got 3 and 7 kg of lime respectively.", False),
        ("Exports reached 615 tonnes.", "Exports reached 615 000 t in the 2016–17 season.", False),
        ("The flat has two rooms.", "The flat has 3 rooms.", False),
        ("It grossed $10,000,000.", "It grossed $20.3 million.", False),
        ("About 500 people came.", "Some 900 people came.", False),
        # the same value
        ("The acid is 62% pure.", "The acid is 62 per cent pure.", True),
        ("The boiler costs 1,874 euros.", "Der Kessel kostet 1.874 €.", True),
        ("The bill was 2,318.70 euros.", "Die Rechnung betrug 2.318,70 €.", True),
        ("Some 12% agreed.", "12.3% agreed.", True),  # theirs rounds to ours
        ("The toll is 3 crowns.", "The toll is 3 crowns.", True),
        # nothing that settles it
        ("12.3% agreed.", "12% agreed.", None),  # ours is finer than the source
        ("He took 7 mg.", "Doses were 5–10 mg.", None),
        ("Some 512 people came.", "More than 500 people came.", None),
        ("Over 500 people came.", "512 people came.", True),
        ("About 500 people came.", "512 people came.", None),
        ("They followed 48 patients.", "48 of 60 people completed it.", None),  # the value stands there
        ("They followed 48 adult patients.", "They followed 20 child patients.", None),  # others are counted
        ("The tunnel is 57 km long.", "The tunnel cost 12 million.", None),
        ("The deposit lost 0.35 basis points.", "A deposit of 200,000 returned 199,930.", False),  # 3.5
        ("The deposit lost 3.5 basis points.", "A deposit of 200,000 returned 199,930.", True),
        ("Turnout rose by 6 percentage points.", "Turnout rose from 12% to 18%.", True),
        ("Turnout rose by 50 percent.", "Turnout rose from 12% to 18%.", True),
        ("Staff doubled.", "Staff grew from 150 workers to 300 workers.", None),  # counts have no ends
        ("It warmed by 3 °C.", "The mean was 23.4 °C.", None),  # a change is no level
        ("It is between 3°C and 4°C.", "The mean was 23.4 °C.", False),
        ("It is 3 km away.", "It is 5 miles away.", False),  # neither number nor length
        ("It is 8 km away.", "It is 5 miles away.", True),
        ("It has 5 kg.", "It has not 5 kg but 7 kg.", False),
        ("It has 7 kg.", "It has not 5 kg but 7 kg.", True),
        ("One in four adults smokes.", "25% of adults smoke.", True),
        ("One in five adults smokes.", "25% of adults smoke.", False),
        ("30% of adults smoke.", "25% of children smoke.", None),  # of others
        ("The town has a population of 5,777.", "Its population is 5,737.", False),
        ("They followed 48 patients.", "20 patients died.", None),  # something happened to those
        ("48 patients died.", "20 patients died.", False),
        ("More than 250 books exist.", "More than 300 books exist.", None),  # follows
        ("It will not take 3 years.", "It takes four years.", None),
        ("It is 40%.", "Shares were 10%, 20% and 30%.", None),  # too many to say which is meant
    ],
)
def test_compare(claim: str, evidence: str, agrees: bool | None) -> None:
    """One quantity in the claim, one verdict."""
    (found,) = compare(claim, evidence)

    assert found.agrees is agrees
    assert found.claim in claim
    assert found.evidence is None or found.evidence in evidence


def test_snippets_are_what_the_texts_say() -> None:
    """A reviewer sees both values as written."""
    (found,) = compare("Exports reached 615 tonnes.", "Exports reached 615 000 t.")

    assert (found.kind, found.claim, found.evidence) == ("number", "615 tonnes", "615 000 t")


def test_a_value_that_answers_another_part_of_the_claim_is_not_held_against_it() -> None:
    """The evidence gives one of two values: the other is missing, not wrong."""
    found = compare("It rose from 12% to 18%.", "In May it stood at 12%.")

    assert [one.agrees for one in found] == [True, None]


def test_each_value_of_the_evidence_speaks_once() -> None:
    """The second 5 kg of the claim is not confirmed by the one of the evidence, nor called wrong."""
    found = compare("The first weighs 5 kg and the second weighs 5 kg.", "The first weighs 5 kg.")

    assert [one.agrees for one in found] == [True, None]


def test_bare_numbers_are_not_compared() -> None:
    """Without a unit there is nothing to hold on to."""
    assert compare("The result is 5.", "The result is 7.") == []


def test_another_limit_is_another_value() -> None:
    """A longer limit may follow from a shorter one, but it is not the limit that the source set."""
    (found,) = compare("P1 is acknowledged within 30 minutes.", "P1 is acknowledged within 15 minutes.")

    assert (found.claim, found.evidence, found.agrees) == ("30 minutes", "15 minutes", False)
