"""Draws: repeatable, enlarged without bias, with probabilities that are true."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable

import pytest

from core import sampling
from core.sampling import Unit

Draw = dict[str, float]
PEOPLE = [Unit(f"u{number:03}") for number in range(60)]


def value(uid: str) -> float:
    """What is measured of a unit: something that differs from unit to unit."""
    return float(int(uid[1:]) % 7 + (10 if int(uid[1:]) >= 60 else 0))


def total(found: Draw) -> float:
    """The Horvitz-Thompson estimate of the sum."""
    return sum(value(uid) / chance for uid, chance in found.items())


def assert_unbiased(estimates: list[float], truth: float) -> None:
    """The mean over the seeds is the truth, within four standard errors, and the estimates do differ."""
    error = statistics.stdev(estimates) / len(estimates) ** 0.5

    assert error > 0
    assert abs(statistics.mean(estimates) - truth) < 4 * error


def test_a_simple_sample_is_the_smallest_numbers() -> None:
    """Each with the probability n/N."""
    found = sampling.draw(PEOPLE, 15, seed=3)
    smallest = sorted(PEOPLE, key=lambda unit: sampling.fraction(3, unit.claim_uid))[:15]

    assert set(found) == {unit.claim_uid for unit in smallest}
    assert list(found.values()) == pytest.approx([15 / 60] * 15)


def test_a_draw_is_repeated_by_its_seed() -> None:
    """Whatever the order of the population; another seed draws others."""
    first = sampling.draw(PEOPLE, 15, seed=3)

    assert sampling.draw(PEOPLE[::-1], 15, seed=3) == first
    assert set(sampling.draw(PEOPLE, 15, seed=4)) != set(first)


def test_more_than_there_are_is_all_of_them() -> None:
    """With certainty."""
    assert sampling.draw(PEOPLE, 100, seed=1) == {unit.claim_uid: 1.0 for unit in PEOPLE}


def test_every_stratum_gets_as_many_as_the_others() -> None:
    """Or as many as it has."""
    units = [Unit(f"u{n:03}", "rare" if n < 4 else "some" if n < 24 else "most") for n in range(100)]
    found = sampling.draw(units, 30, seed=1, equal_strata=True)

    assert sampling.strata_of(units, found) == {"most": (76, 13), "rare": (4, 4), "some": (20, 13)}
    assert found["u000"] == 1.0
    assert [found[unit.claim_uid] for unit in units[4:24] if unit.claim_uid in found] == pytest.approx([13 / 20] * 13)


def test_a_number_is_shared_out_by_weight_within_bounds() -> None:
    """By hand: 10 over the weights 1, 1, 2 is 2.5, 2.5, 5; the first remainder wins. Bounds push the rest elsewhere."""
    assert sampling.allocate(10, [1, 1, 2], [0, 0, 0], [9, 9, 9]) == [3, 2, 5]
    assert sampling.allocate(10, [1, 1, 2], [0, 0, 0], [9, 9, 2]) == [4, 4, 2]
    assert sampling.allocate(10, [1, 1, 2], [6, 0, 0], [9, 9, 9]) == [6, 1, 3]
    assert sampling.allocate(1, [1, 1], [1, 1], [5, 5]) == [1, 1]
    assert sampling.allocate(99, [1, 1], [0, 0], [5, 4]) == [5, 4]


def unequal(size: int = 60) -> list[Unit]:
    """A fifth of the units five times as large as the others."""
    return [Unit(f"u{n:03}", size=5.0 if n % 5 == 0 else 1.0) for n in range(size)]


def test_larger_units_are_drawn_as_much_more_often_as_is_said() -> None:
    """Over 2,000 seeds the share of draws with a unit is its probability, to about two points in a hundred."""
    seen: Counter[str] = Counter()
    for seed in range(2000):
        found = sampling.draw(unequal(), 12, seed)
        assert len(found) == 12
        seen.update(found.keys())
    large = statistics.mean(seen[unit.claim_uid] for unit in unequal() if unit.size > 1) / 2000
    small = statistics.mean(seen[unit.claim_uid] for unit in unequal() if unit.size == 1) / 2000
    # 12 units over 12·5 + 48·1 = 108 of size: 5/9 and 1/9
    assert large == pytest.approx(5 / 9, abs=0.01)
    assert small == pytest.approx(1 / 9, abs=0.01)


def test_a_unit_too_large_is_certain() -> None:
    """And the rest share what is left: 3 of 4 places over nine equal ones."""
    found = sampling.draw([Unit("u000", size=50.0), *(Unit(f"u{n:03}") for n in range(1, 10))], 4, seed=2)

    assert found.pop("u000") == 1.0
    assert list(found.values()) == pytest.approx([3 / 9] * 3)


GROWN = [Unit(f"u{number:03}", wave=1) for number in range(60, 90)]


def simple_then_more(seed: int) -> Draw:
    """Fifteen, then ten more."""
    first = sampling.draw(PEOPLE, 15, seed)
    second = sampling.draw(PEOPLE, 25, seed, drawn=first)
    assert set(first) < set(second)
    assert len(second) == 25
    return second


def simple_then_grown(seed: int) -> Draw:
    """Fifteen of sixty; then thirty others come, of other values, and five more are drawn."""
    first = sampling.draw(PEOPLE, 15, seed)
    second = sampling.draw([*PEOPLE, *GROWN], 20, seed, drawn=first)
    assert set(first) < set(second)
    assert len(second) == 20
    return second


def stratified_then_grown(seed: int) -> Draw:
    """Two strata; one of them grows."""
    units = [unit._replace(stratum="a" if value(unit.claim_uid) < 2 else "b") for unit in PEOPLE]
    first = sampling.draw(units, 12, seed, equal_strata=True)
    grown = [*units, *(unit._replace(stratum="b") for unit in GROWN)]
    second = sampling.draw(grown, 24, seed, drawn=first, equal_strata=True)
    assert set(first) < set(second)
    return second


def unequal_then_grown(seed: int) -> Draw:
    """By size; then ten more, with others that came."""
    first = sampling.draw(unequal(), 12, seed)
    grown = [unit._replace(wave=int(at >= 60)) for at, unit in enumerate(unequal(90))]
    second = sampling.draw(grown, 22, seed, drawn=first)
    assert set(first) <= set(second)
    return second


@pytest.mark.parametrize(
    ("design", "there"),
    [(simple_then_more, 60), (simple_then_grown, 90), (stratified_then_grown, 90), (unequal_then_grown, 90)],
)
def test_an_enlarged_sample_is_unbiased(design: Callable[[int], Draw], there: int) -> None:
    """Over 400 seeds the estimate of the sum is the sum, also when the population grew between two draws."""
    truth = sum(value(f"u{number:03}") for number in range(there))

    assert_unbiased([total(design(seed)) for seed in range(400)], truth)


def test_forgetting_that_the_population_grew_would_be_seen() -> None:
    """The check above can fail: with the probability of one big pot, the old units stand for too much."""
    wrong = [dict.fromkeys(simple_then_grown(seed), 20 / 90) for seed in range(400)]
    truth = sum(value(f"u{number:03}") for number in range(90))

    with pytest.raises(AssertionError):
        assert_unbiased([total(found) for found in wrong], truth)


def test_the_place_says_nothing_of_the_probability() -> None:
    """Places of those drawn first are no earlier than those of the rest."""
    units = [Unit(f"u{number:04}") for number in range(4000)]
    found = sampling.draw(units, 1000, seed=5)
    places = [sampling.place(5, uid) / 2**64 for uid in found]

    assert statistics.mean(places) == pytest.approx(0.5, abs=0.04)


def test_a_share_gets_one_labeller_more() -> None:
    """About that share, the same claims every time, and other ones than those drawn first."""
    units = [f"u{number:04}" for number in range(4000)]
    double = {uid for uid in units if sampling.is_double(7, uid, 0.25)}
    first = sampling.draw([Unit(uid) for uid in units], 1000, seed=7)

    assert len(double) == pytest.approx(1000, abs=110)
    assert len(double & set(first)) == pytest.approx(250, abs=60)
    assert not any(sampling.is_double(7, uid, 0.0) for uid in units)
    assert all(sampling.is_double(7, uid, 1.0) for uid in units)


def test_the_margin_of_a_simple_sample_is_the_usual_one() -> None:
    """By hand: 1.96 · ½ / √100 · √(1 − 100/10,000) = 0.0975; a census has none."""
    assert sampling.margin([0.01] * 100, 10_000) == pytest.approx(0.0975, abs=0.0001)
    assert sampling.margin([1.0] * 50, 50) == 0.0
    assert sampling.margin([], 50) is None
