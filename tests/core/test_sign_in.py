"""Who may reach a desk: this machine, or people who sign in by a file that is whole and safe."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import launch, sign_in
from core.errors import InputError
from core.settings import Settings

GOOD = {
    "redirect_uri": "https://desk.example.org/oauth2callback",
    "cookie_secret": "c" * 32,
    "client_id": "citedesk",
    "client_secret": "s",
    "server_metadata_url": "https://id.example.org/.well-known/openid-configuration",
}


def written(folder: Path, **changes: str | None) -> Path:
    """A sign-in file, with some values changed or left out."""
    path = folder / "sign-in.toml"
    values = {name: value for name, value in (GOOD | changes).items() if value is not None}
    path.write_text("[auth]\n" + "".join(f'{name} = "{value}"\n' for name, value in values.items()), encoding="utf-8")
    return path


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_without_sign_in_only_this_machine(host: str) -> None:
    """Loopback needs nothing."""
    sign_in.check_host(host, None)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.4", "desk.example.org", "", None])
def test_beyond_it_only_with_sign_in(host: str | None, tmp_path: Path) -> None:
    """A name is never trusted to lead here; no address at all means all of them."""
    with pytest.raises(InputError, match="without sign-in"):
        sign_in.check_host(host, None)
    sign_in.check_host(host, written(tmp_path))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        *(({name: None}, f"has no {name}") for name in GOOD),
        ({"cookie_secret": "short"}, "shorter than 32"),
        ({"redirect_uri": "http://desk.example.org/oauth2callback"}, "no https address"),
        ({"server_metadata_url": "http://id.example.org/x"}, "no https address"),
        ({"redirect_uri": "https://desk.example.org/"}, "does not end with /oauth2callback"),
        ({"redirect_uri": "https://[broken/oauth2callback"}, "no https address"),
    ],
)
def test_a_file_that_is_not_safe_is_refused(tmp_path: Path, changes: dict[str, str | None], words: str) -> None:
    """One sentence says which value, also on loopback."""
    with pytest.raises(InputError, match=words):
        sign_in.check_host("127.0.0.1", written(tmp_path, **changes))


@pytest.mark.parametrize(
    ("text", "words"), [("auth = ", "not TOML"), ("[other]\n", "no section"), (None, "cannot be read")]
)
def test_a_file_that_says_nothing_is_refused(tmp_path: Path, text: str | None, words: str) -> None:
    """Never is a desk opened because its sign-in could not be read."""
    path = tmp_path / "sign-in.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=words):
        sign_in.check_host("0.0.0.0", path)


def test_the_server_is_told_of_the_file_and_of_its_host(tmp_path: Path) -> None:
    """People reach the desk under the name that the issuer sends them back to."""
    path = written(tmp_path)
    flags = launch.flags("0.0.0.0", 8501, sign_in.read(path))

    assert f"--secrets.files={path}" in flags
    assert "--server.allowedHosts=desk.example.org" in flags
    assert "--server.address=0.0.0.0" in flags
    assert launch.own_url("0.0.0.0", 8501) == "http://127.0.0.1:8501"


def test_admins_are_named_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blanks and empty names do no harm."""
    monkeypatch.setenv("CITEDESK_ADMINS", "ana@example.org, ,sub-7,")

    assert Settings().admins == ("ana@example.org", "sub-7")
