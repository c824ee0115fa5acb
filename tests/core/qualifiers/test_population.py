"""Population and scope: other people, animals, preparations, countries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.qualifiers.population import compare


@pytest.mark.parametrize(
    ("claim", "evidence", "ours", "theirs"),
    [
        ("The syrup calms coughs in adults.", "The syrup calmed coughs in children.", "adults", "children"),
        ("The drug lowers blood pressure in people.", "In mice the drug lowered blood pressure.", "people", "mice"),
        ("The enzyme heals skin in humans.", "The enzyme healed skin in vitro.", "humans", "in vitro"),
        ("Iron cut fatigue in men.", "Iron cut fatigue in women.", "men", "women"),
        ("Clinics opened in rural areas.", "Clinics opened in urban areas.", "rural", "urban"),
        ("Wages doubled in Spain.", "Wages doubled in Portugal.", "Spain", "Portugal"),
        ("Most Dutch farmers use the app.", "Most Danish farmers use the app.", "Dutch", "Danish"),
        ("Half of adult owls nest in barns.", "Half of young owls nest in barns.", "adult", "young"),
        (
            "Memory improved in adults after a walk.",
            "Memory improved in the elderly after a walk.",
            "adults",
            "elderly",
        ),
    ],
)
def test_another_group(claim: str, evidence: str, ours: str, theirs: str) -> None:
    """The text speaks of others only, and of the same matter."""
    (found,) = [one for one in compare(claim, evidence) if one.agrees is False]

    assert found.kind == "population"
    assert ours in found.claim
    assert found.evidence is not None
    assert theirs in found.evidence


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The drug lowers blood pressure.", "In mice the drug lowered blood pressure."),  # the claim names no group
        ("The syrup calms coughs in adults.", "It calmed coughs in children, and the syrup calmed adults."),
        ("The syrup calms coughs in animals.", "The syrup calmed coughs in rats."),  # within
        ("Memory improved in the elderly after a walk.", "Memory improved in adults after a walk."),
        ("Wages doubled in Europe.", "Wages doubled in Portugal."),
        ("Wages doubled in Portugal and Spain.", "Wages doubled in Spain."),
        ("The poet was born in Spain.", "The poet was born in Portugal."),  # where something is, not a scope
        ("Adult owls nest in barns.", "Young foxes hide in barns where owls nest."),  # another head
        ("The Beastie Boys played the hall.", "A girl group, Little Women, played the hall."),  # parts of names
        ("Children need sleep.", "Adults pay taxes in the spring."),  # another matter
        ("A boy feeds a dog.", "A girl feeds a cat."),  # single ones are no population
    ],
)
def test_no_other_group(claim: str, evidence: str) -> None:
    """Nothing excludes the group of the claim, or nothing says that both speak of the same matter."""
    assert not any(one.agrees is False for one in compare(claim, evidence))


def test_a_condition_with_one_word_replaced() -> None:
    """Patients with another disease are other patients; with other words for it, nobody knows."""
    claim = "The scan finds lesions in patients with migraine."

    (found,) = [one for one in compare(claim, "The scan finds lesions in patients with sciatica.") if not one.agrees]
    assert (found.claim, found.evidence, found.agrees) == (
        "patients with migraine",
        "patients with sciatica",
        False,
    )
    longer = compare(claim, "The scan finds lesions in patients with severe recurring headaches.")
    assert not any(one.agrees is False for one in longer)


def test_the_same_group_is_confirmed() -> None:
    """Another word for it will do."""
    (found,) = compare("Sleep improved in teenagers.", "Sleep improved in adolescents.")[1:]

    assert (found.claim, found.evidence, found.agrees) == ("teenagers", "adolescents", True)


@given(st.text(alphabet="adults children in mice. France, men women with", max_size=60))
def test_snippets_are_exact(text: str) -> None:
    """Whatever the letters, each snippet stands in its text."""
    other = "In France adults and men with asthma fear mice."

    for one in [*compare(text, other), *compare(other, text)]:
        assert one.claim in text or one.claim in other
        assert one.evidence is None or one.evidence in text or one.evidence in other


def test_patients_are_not_healthy_volunteers() -> None:
    """What was seen in the one may not be claimed of the other; a text that names both settles nothing."""
    claim = "Fever was seen in a third of the healthy volunteers on admission."

    (healthy,) = [one for one in compare(claim, claim.replace("healthy volunteers", "patients")) if one.agrees is False]
    assert (healthy.claim, healthy.evidence) == ("healthy volunteers", "patients")
    assert not [one for one in compare(claim, claim) if one.agrees is False]
    both = "Fever was seen in a third of the patients and of the healthy volunteers on admission."
    assert not [one for one in compare(claim, both) if one.agrees is False]
