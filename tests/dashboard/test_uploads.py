"""Chosen files: an upload lies in a folder of its own and is gone when it is put away; names lead nowhere."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from dashboard import uploads


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Uploads of this test go here."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_an_upload_is_kept_for_its_owner_and_put_away_whole(tmp_path: Path) -> None:
    """Its folder is closed to others and goes with it."""
    chosen = uploads.upload("my answers.jsonl", b"{}")

    assert uploads.get(chosen.file_id) == chosen
    assert (chosen.name, chosen.size, chosen.path.read_bytes()) == ("my answers.jsonl", 2, b"{}")
    assert chosen.path.parent.parent == tmp_path
    assert chosen.path.parent.stat().st_mode & 0o777 == 0o700
    uploads.put_away(chosen.file_id)
    assert list(tmp_path.iterdir()) == []
    assert uploads.get(chosen.file_id) is None


def test_what_was_released_is_deleted_by_who_took_it(tmp_path: Path) -> None:
    """Only one of two clicks gets it."""
    chosen = uploads.upload("a.jsonl", b"{}")

    assert uploads.release(chosen.file_id) == chosen
    assert uploads.release(chosen.file_id) is None
    uploads.put_away(chosen.file_id)
    assert chosen.path.exists()
    uploads.delete(chosen)
    assert list(tmp_path.iterdir()) == []


def test_old_uploads_go(tmp_path: Path) -> None:
    """Those that nobody imported for so long; all of them at the end."""
    chosen = uploads.upload("a.jsonl", b"{}")
    uploads.put_away_old()
    assert uploads.get(chosen.file_id) == chosen
    uploads.put_away_old(0.0)

    assert uploads.get(chosen.file_id) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="only there a process can be asked whether it runs")
def test_what_a_killed_desk_left_goes(tmp_path: Path) -> None:
    """Folders named after a process that is no more; those of a running one, and other people's files, stay."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = tmp_path / f"citedesk-upload-{ended.pid}-abc"
    others = [tmp_path / name for name in ("citedesk-upload-x-1", f"citedesk-upload-{os.getpid()}-a", "citedesk")]
    for folder in (left, *others):
        folder.mkdir()
        (folder / "a.jsonl").touch()
    uploads.put_away_left()

    assert sorted(tmp_path.iterdir()) == sorted(others)


def test_a_large_upload_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With another way to bring it; nothing of it is kept."""
    monkeypatch.setattr(uploads, "LARGEST_MB", 1)

    with pytest.raises(InputError, match=r"a\.jsonl is larger than 1 MB; give its path on this machine instead"):
        uploads.upload("a.jsonl", b"x" * (2**20 + 1))
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_this_machine_stays_where_it_is(tmp_path: Path) -> None:
    """Putting it away forgets it, and deletes nothing; quotation marks of a shell do no harm."""
    file = tmp_path / "my answers.jsonl"
    file.write_text("{}")
    chosen = uploads.on_this_machine(f" '{file}' ")
    uploads.put_away(chosen.file_id)
    uploads.delete(chosen)

    assert (chosen.path, chosen.name, chosen.uploaded) == (file, "my answers.jsonl", False)
    assert file.exists()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("answers.jsonl", "give the whole path"),
        ("../answers.jsonl", "give the whole path"),
        ("/nowhere/answers.jsonl", "There is no file"),
        ("/", "There is no file"),
        ("/dev/null", "There is no file"),
        ("/a\0b", "There is no file|cannot be read"),
        ("~nobody-of-that-name/a", "cannot be read|give the whole path"),
        ("/" + "x" * 5000, "There is no file|cannot be read"),
    ],
)
def test_a_path_that_is_no_file_is_one_sentence(typed: str, words: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(InputError, match=words):
        uploads.on_this_machine(typed)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("answers.jsonl", "answers.jsonl"),
        ("../../etc/passwd", "passwd"),
        ("C:\\fakepath\\a b.csv", "a b.csv"),
        ("/abs/ä ö.xlsx", "ä ö.xlsx"),
        ("", "upload"),
        ("..", "upload"),
        (".", "upload"),
        ("/", "upload"),
        (".bashrc", "bashrc"),
        ("a\nb\x1b[31m.csv", "a_b__31m.csv"),
        ("<img src=x>.csv", "_img src=x_.csv"),
        ("x" * 300 + ".jsonl", "x" * 94 + ".jsonl"),
        ("a\ud800.csv", "a_.csv"),
    ],
)
def test_names_are_made_harmless(name: str, kept: str) -> None:
    """The last part only, printable, short, with its ending."""
    assert uploads.safe_name(name) == kept


@given(st.text())
def test_no_name_leads_out_of_its_folder(name: str) -> None:
    """Whatever a browser sends is one name that a file system takes."""
    kept = uploads.safe_name(name)

    assert kept == os.path.basename(kept)
    assert kept not in {"", ".", ".."}
    assert "\0" not in kept
    assert len(kept.encode()) <= uploads.LONGEST_NAME
