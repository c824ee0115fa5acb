"""The navigation: a page is one file, and says itself where it stands and who may open it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.people import Role
from dashboard import navigation


def test_every_file_of_the_views_is_a_page() -> None:
    """None is left out, and titles differ."""
    found = navigation.entries()

    assert {one.name for one in found} == {path.stem for path in navigation.VIEWS.glob("[!_]*.py")}
    assert len({one.title for one in found}) == len(found)
    assert found[0].name == "home"


def test_a_labeller_sees_little() -> None:
    """Pages that show what judges said are for reviewers; bringing data in is for admins."""
    by_role = {role: {one.name for one in navigation.entries() if one.role is role} for role in Role}

    assert by_role[Role.LABELLER] == {"home", "label", "mine"}
    assert by_role[Role.ADMIN] == {"data"}


@pytest.mark.parametrize(
    "text",
    [
        '"""No colon."""\nNAVIGATION = {"section": "", "place": 1, "role": "admin"}',
        '"""Title: and no place."""',
        '"""Title: in no section there is."""\nNAVIGATION = {"section": "Else", "place": 1, "role": "admin"}',
    ],
)
def test_a_file_that_does_not_say_where_it_stands_is_named(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The desk does not start with half a navigation."""
    (tmp_path / "lost.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(navigation, "VIEWS", tmp_path)
    navigation.entries.cache_clear()

    with pytest.raises(ValueError, match=r"views/lost\.py has no title or no NAVIGATION"):
        navigation.entries()
    navigation.entries.cache_clear()
