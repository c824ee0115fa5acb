"""``citedesk corpus``: the whole way, without a desk and through an open one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.corpus_work import CorpusAddWork
from core.desk import Desk
from core.retrieval import Retriever
from core.settings import Settings
from core.store import open_store
from tests.browser.conftest import Desktop
from tests.core.test_cli import Command
from tests.core.test_corpora import folder as folder  # a fixture
from tests.dashboard.test_admin import citedesk as through_desk


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command, on a store of its own."""
    return Command(monkeypatch, capsys, tmp_path / "desk.duckdb")


def test_a_folder_goes_in_and_is_listed(citedesk: Command, folder: Path) -> None:
    """In numbers for a person, a line a file as JSON; what was passed over is said."""
    ran = citedesk("corpus", "add", folder)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "main: 4 new; 5 pages, 4 chunks",
        "  scan.pdf: 1 of 2 pages have no text (2)",
        "passed over, for no loader reads them: 1 .png (--json names them)",
    ]
    again = [json.loads(line) for line in citedesk("corpus", "add", folder, "--json").out.splitlines()]
    assert [row["taken"] for row in again] == ["known"] * 4 + ["passed_over"]

    listed = citedesk("corpus", "list").out.splitlines()
    assert len(listed) == 4
    assert listed[2].endswith("main, fees.md, v1   1 page   in use   Fees")
    rows = [json.loads(line) for line in citedesk("corpus", "list", "--corpus", "main", "--json").out.splitlines()]
    assert {row["state"] for row in rows} == {"in use"}
    assert citedesk("corpus", "list", "--corpus", "other", "--json").out == ""


def test_what_is_doubtful_of_a_file_is_said_at_once(citedesk: Command, folder: Path) -> None:
    """A guess, and how to be sure; once, for a file that was there already says nothing new."""
    file = folder / "latin.txt"
    file.write_bytes("Die Fähre fährt täglich.".encode("latin-1"))
    said = "latin.txt: Its encoding was guessed to be Windows-1252: to be sure, save it as UTF-8"

    assert citedesk("corpus", "add", file).out.splitlines()[1:] == [f"  {said}"]
    assert citedesk("corpus", "add", file).out.splitlines()[1:] == []


def test_a_source_has_a_story(citedesk: Command, folder: Path) -> None:
    """Versions, states, who may see it, how long it is kept."""
    file = folder / "fees.md"
    citedesk("corpus", "add", file, "--group", "hr", "--retain-until", "2099-01-31")
    file.write_text("# Fees\n\nThe toll is 4 crowns.", encoding="utf-8")
    assert "v2 of fees.md" in citedesk("corpus", "add", file).out
    new = json.loads(citedesk("corpus", "list", "--json").out.splitlines()[1])
    assert (new["version"], new["state"]) == ("v2", "in use for hr until 2099-01-31")

    name = new["doc_id"]
    assert citedesk("corpus", "deactivate", name).err.endswith("v2   deactivated for hr\n")
    assert "stays out of use; to use it: citedesk corpus activate" in citedesk("corpus", "add", file).out
    assert citedesk("corpus", "activate", f"{name}:p1.0-3").code == 0
    assert citedesk("corpus", "retain", name, "2020-01-01").err.endswith("expired for hr\n")
    assert citedesk("corpus", "retain", name, "forever").err.endswith("in use for hr\n")
    assert citedesk("corpus", "allow", name, "--everyone").err.endswith("v2   in use\n")
    shown = citedesk("corpus", "show", name).out
    assert "superseded for hr until 2099-01-31" not in shown
    assert "v1   1 page   superseded for hr" in shown
    done = [" ".join(line.split()[3:-2]) for line in shown[shown.index("Done about it:") :].splitlines()[1:]]
    assert done == [
        "main v2 added",
        "main v2 allowed to hr",
        "main v2 retained until 2099-01-31",
        "main v2 deactivated",
        "main v2 activated",
        "main v2 retained until 2020-01-01",
        "main v2 retained for ever",
        "main v2 allowed to everyone",
    ]
    assert json.loads(citedesk("corpus", "show", name, "--json").out)["chunks"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["add", "/no/such/file"], "citedesk: /no/such/file is not there; check the name."),
        (["show", "nothing"], "citedesk: There is no source nothing; see: citedesk corpus list."),
        (["deactivate", "nothing"], "citedesk: No source nothing is in any corpus; see: citedesk corpus list."),
        (["retain", "nothing", "31.1.2027"], "31.1.2027 is no day; write it as 2027-01-31"),
        (["allow", "nothing"], "Give --group, once or more, or --everyone."),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(citedesk: Command, words: list[str], said: str) -> None:
    """Exit code 2."""
    ran = citedesk("corpus", *words)

    assert ran.code == 2
    assert said in ran.err


def test_what_a_corpus_lets_be_looked_up(citedesk: Command, folder: Path) -> None:
    """Each call replaces what was said; it is listed and shown with the sources, and all of it is kept."""
    citedesk("corpus", "add", folder / "fees.md", "--corpus", "handbook")
    said = ["--also", "urls", "--allow", "*.Example.org", "--deny", "bad.example.org"]
    ran = citedesk("corpus", "references", "handbook", *said, "--credential", "a.example.org/X-Key=env:DESK_KEY")
    words = "looks up links, pages only at *.example.org, never at bad.example.org, with a credential for a.example.org"
    assert (ran.code, ran.err, ran.out) == (0, "", f"handbook {words}\n")

    assert citedesk("corpus", "list").out.splitlines()[-1] == f"References: handbook {words}"
    (row,) = [json.loads(line) for line in citedesk("corpus", "list", "--json").out.splitlines()]
    assert row["references"] == {
        "also": ["urls"],
        "allow": ["*.example.org"],
        "deny": ["bad.example.org"],
        "credentials": [{"host": "a.example.org", "header": "X-Key", "env": "DESK_KEY", "file": None}],
        "offline": False,
    }
    assert f"References: handbook {words}\nDone about it:" in citedesk("corpus", "show", row["doc_id"]).out
    assert json.loads(citedesk("corpus", "show", row["doc_id"], "--json").out)["policies"]["handbook"]["also"] == [
        "urls"
    ]

    nobody = citedesk("corpus", "references", "handbook", "--also", "nothing").out.splitlines()
    assert nobody[0] == "handbook asks nobody: registry only"
    offline = json.loads(citedesk("corpus", "references", "handbook", "--offline", "--json").out)
    assert (set(offline["policy"]["also"]), offline["policy"]["offline"]) == ({"urls", "identifiers"}, True)
    assert [one["who"] for one in offline["history"]] == ["me"] * 3

    cleared = "handbook has no policy of its own: what the desk and the run say holds"
    assert citedesk("corpus", "references", "handbook", "--clear").out == f"{cleared}\n"
    assert "References:" not in citedesk("corpus", "list").out
    shown = citedesk("corpus", "references", "handbook").out.splitlines()
    assert shown[0] == cleared
    assert [line.partition(" UTC   ")[2] for line in shown[1:]] == [
        f"handbook {words}   by me",
        "handbook asks nobody: registry only   by me",
        "handbook asks nobody: it works offline   by me",
        "left it to the desk   by me",
    ]


def test_a_corpus_that_holds_nothing_here_is_told(citedesk: Command) -> None:
    """Logs may name it all the same; a slip of the keyboard is seen."""
    ran = citedesk("corpus", "references", "handbok", "--also", "nothing")

    assert (ran.code, ran.err) == (0, "handbok holds no source at this desk; check the name.\n")
    assert citedesk("corpus", "references", "handbok").err == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--clear", "--offline"], "Give --clear alone."),
        (["--deny", "a.example"], "Say with --also what may be looked up."),
        (["--also", "nothing", "--also", "urls"], "--also nothing leaves nothing to look up; give it alone."),
        (["--also", "everything"], "'everything' is not one of"),
        (["--also", "urls", "--allow", "http://a.example"], "'http://a.example' is no host"),
        (["--also", "urls", "--credential", "a.example=Bearer abc"], "the secret itself is never stored"),
        (["--also", "urls", "--credential", "a.example/Host=env:KEY"], "'Host' is no header"),
    ],
)
def test_what_a_corpus_cannot_say_of_references(citedesk: Command, words: list[str], said: str) -> None:
    """Exit code 2, nothing is stored, and no secret is repeated."""
    ran = citedesk("corpus", "references", "handbook", *words)

    assert ran.code == 2
    assert said in ran.err
    assert "Bearer" not in ran.err
    assert json.loads(citedesk("corpus", "references", "handbook", "--json").out)["history"] == []


def test_a_file_that_cannot_be_read_is_a_finding(citedesk: Command, folder: Path) -> None:
    """Exit code 1; the others went in."""
    ran = citedesk("corpus", "add", folder / "photo.png", folder / "fees.md")

    assert ran.code == 1
    assert ran.out.startswith("main: 1 new; 1 pages, 1 chunks")
    assert ran.err.startswith(f"refused: {folder / 'photo.png'} is of no kind that is read")


def test_a_terminal_shows_names_and_does_not_obey_them(citedesk: Command, tmp_path: Path) -> None:
    """A title may hold what moves the cursor or sets the window's name."""
    (tmp_path / "a.md").write_text("# Fees\x1b]0;owned\x07\n\nText.", encoding="utf-8")
    citedesk("corpus", "add", tmp_path / "a.md")

    for words in (["list"], ["list", "--json"]):
        assert "owned" in citedesk("corpus", *words).out
        assert not set("\x1b\x07") & set(citedesk("corpus", *words).out)


def test_options_that_contradict_each_other(citedesk: Command, folder: Path) -> None:
    """Nothing is taken."""
    assert citedesk("corpus", "add", folder, "--group", "hr", "--everyone").code == 2
    assert citedesk("corpus", "add", folder, "--title", "All").code == 2
    assert citedesk("corpus", "list").out == "There are no sources. Add some with: citedesk corpus add PATH\n"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """A desk on an empty store, in a process of its own."""
    home = tmp_path_factory.mktemp("desk")
    desktop = Desktop(home / "desk.duckdb", home)
    desktop.start()
    yield desktop
    desktop.stop()


@pytest.mark.long
def test_an_open_desk_does_it(desk: Desktop, folder: Path) -> None:
    """The same words, and what it refuses comes back as a sentence."""
    ran = through_desk(desk, "corpus", "add", folder, "--retain-until", "2099-01-31")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "main: 4 new; 5 pages, 4 chunks")
    rows = [json.loads(line) for line in through_desk(desk, "corpus", "list", "--json").out.splitlines()]
    assert len(rows) == 4
    gone = through_desk(desk, "corpus", "deactivate", rows[0]["doc_id"])
    assert (gone.code, gone.err.strip().endswith("deactivated")) == (0, True)
    assert "deactivated" in through_desk(desk, "corpus", "show", rows[0]["doc_id"]).out
    missing = through_desk(desk, "corpus", "activate", "nothing")
    assert (missing.code, missing.err) == (
        2,
        "citedesk: No source nothing is in any corpus; see: citedesk corpus list.\n",
    )


def test_what_is_added_can_be_asked_at_once(citedesk: Command, folder: Path, tmp_path: Path) -> None:
    """The vectors are there: whoever asks first computes none, and adding again computes none."""
    citedesk("corpus", "add", folder)
    with open_store(tmp_path / "desk.duckdb") as store:
        assert Retriever.open(store, Settings()).prepare("main") == 0
    assert citedesk("corpus", "add", folder).code == 0


def test_passages_that_were_not_reached_are_read_next_time(
    citedesk: Command, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broken off between files and passages, or among the passages: adding the same again does the rest, once."""
    monkeypatch.setattr("core.retrieval.EMBED_AT_ONCE", 1)
    work = CorpusAddWork(paths=(folder,))
    told: list[tuple[int, int]] = []

    def stop(done: int, of: int) -> None:
        told.append((done, of))
        if len(told) == 6:  # four files, then two of four passages
            raise KeyboardInterrupt

    with closing(Desk.open(Settings(store=tmp_path / "desk.duckdb"))) as desk:
        with pytest.raises(KeyboardInterrupt):
            work.run(desk, stop)
        assert told[-2:] == [(1, 4), (2, 4)]
        work.run(desk, lambda done, of: told.append((done, of)))
        assert told[-2:] == [(1, 2), (2, 2)]
        assert desk.answering.retriever.prepare("main") == 0


def test_an_embedder_that_is_missing_is_said_and_the_files_are_in(
    citedesk: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2; with another embedder the same command makes them ready."""
    monkeypatch.setenv("CITEDESK_EMBEDDER", "./nowhere")
    ran = citedesk("corpus", "add", folder)
    assert ran.code == 2
    assert "the files are in, but cannot be asked yet: There is no embedder './nowhere'" in ran.err
    assert len(citedesk("corpus", "list").out.splitlines()) == 4
    monkeypatch.delenv("CITEDESK_EMBEDDER")
    assert citedesk("corpus", "add", folder).code == 0


@pytest.mark.long
def test_an_open_desk_says_it_of_a_corpus(desk: Desktop) -> None:
    """The same words, kept by the desk that holds the store."""
    ran = through_desk(desk, "corpus", "references", "papers", "--also", "urls", "--allow", "example.org")

    assert (ran.code, ran.out.splitlines()[0]) == (0, "papers looks up links, pages only at example.org")
    assert "References: papers looks up links, pages only at example.org" in through_desk(desk, "corpus", "list").out
    assert through_desk(desk, "corpus", "references", "papers", "--clear").out.startswith("papers has no policy")
