"""The table of ``make bench``: how a figure grew from size to size."""

from __future__ import annotations

import pytest

from tests.bench import Row, instructions, page, sections, with_growth


@pytest.mark.parametrize(
    ("small", "large", "growth"),
    [
        ("12 ms", "36 ms", "10× data: 3.0×"),
        ("p50 2.0, p95 9.0 ms", "p50 5.0, p95 9.1 ms", "10× data: 2.5×"),
        ("500 events: p50 2.0, p95 9.0 ms", "5,000 events: p50 2.0, p95 9.1 ms", "10× data: 1.0×"),
        ("0.10 s CPU, 9.00 s", "1.00 s CPU, 9.10 s", "10× data: 10.0×"),
        ("2,000 claims/s", "1,000 claims/s", "10× data: 0.5×"),
        ("no browser here", "no browser here", "10× data: ?"),
    ],
)
def test_a_figure_is_compared_with_itself_on_less_data(small: str, large: str, growth: str) -> None:
    """By its median or its first number with a unit; the largest size is what is shown."""
    found: list[list[Row]] = [[("read", text, "floor 1 ms", "2×")] for text in (small, large)]

    assert with_growth((100, 1_000), found) == [("read", large, "floor 1 ms", "2×", growth)]


def test_one_size_has_no_growth_and_three_have_two() -> None:
    """A row for each step."""
    rows: list[list[Row]] = [[("read", f"{number} ms", "", "")] for number in (1, 2, 8)]

    assert with_growth((10,), rows[:1]) == [("read", "1 ms", "", "", "")]
    assert with_growth((10, 20, 40), rows)[0][4] == "2× data: 2.0×, 2× data: 4.0×"


def test_every_size_is_larger_than_the_one_before() -> None:
    """In every section, for every choice."""
    for name, section in sections(None).items():
        for sizes in section[1:]:
            assert list(sizes) == sorted(set(sizes)), name


def test_the_page_has_every_figure_and_says_how_it_is_made() -> None:
    """A row a measurement; a bar in a cell is no column."""
    text = page([("read a | b", "1 ms", "floor 2 ms", "0.5×", "10× data: 1.0×")])

    assert text.startswith("# Speeds\n\n`make performance` writes this page")
    assert "| what | measured | beside it | ratio | growth |\n|---|---|---|---|---|\n" in text
    assert text.endswith("| read a \\| b | 1 ms | floor 2 ms | 0.5× | 10× data: 1.0× |\n")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("model name\t: X\nflags\t\t: fpu avx2 avx512_vnni sse\n", "avx2, avx512_vnni"),
        ("flags : fpu sse\n", "instructions not told"),
        ("", "instructions not told"),
    ],
)
def test_the_page_names_what_int8_depends_on(told: str, said: str) -> None:
    """Whoever compares ratios of two machines sees why they differ."""
    assert instructions(told) == said
