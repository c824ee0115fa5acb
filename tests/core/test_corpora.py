"""Corpora: files in, what of them could not be read, chunks out as evidence, and what happens to old answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from core import corpora
from core.corpora import AddReport, AddRequest
from core.errors import InputError, StoreError
from core.loaders._bytes import Decoded, text_of
from core.models import Evidence, utc_now
from core.sources import Chunk
from core.store import Store, open_store
from core.store.source_log import Taken
from tests.core.loaders.made_pdf import PICTURE, Sheet, pdf, words

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_store(tmp_path / "store" / "desk.duckdb") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file of every kind, and some of none."""
    home = tmp_path / "handbook"
    (home / "deep").mkdir(parents=True)
    (home / ".git").mkdir()
    (home / "fees.md").write_text("# Fees\n\nThe toll is 3 crowns.", encoding="utf-8")
    (home / "deep" / "boats.HTML").write_text("<title>Boats</title><p>Boats pay twice.", encoding="utf-8")
    (home / "deep" / "cars.txt").write_text("Cars pay once.", encoding="utf-8")
    (home / "scan.pdf").write_bytes(pdf(words("Page one."), Sheet(PICTURE), title="A scan"))
    (home / "photo.png").write_bytes(b"\x89PNG")
    (home / ".git" / "config.txt").write_text("hidden", encoding="utf-8")
    return home


def add(store: Store, *paths: Path, **wanted: object) -> AddReport:
    """Add files and folders to the corpus ``main``."""
    return corpora.add(store, AddRequest.model_validate({"paths": paths, **wanted}), "ann")


def seen(store: Store, groups: tuple[str, ...] = ()) -> list[Chunk]:
    """What a new request sees."""
    return list(store.corpora.chunks("main", groups, utc_now()))


def test_a_folder_is_read_with_all_that_is_in_it(store: Store, folder: Path) -> None:
    """Each file by its ending, in order; what no loader reads is told, what is hidden is not looked at."""
    done: list[tuple[int, int]] = []
    report = corpora.add(store, AddRequest(paths=(folder,)), "ann", lambda *now: done.append(now))

    assert [(Path(file.path).name, file.taken, file.source.media) for file in report.files] == [
        ("fees.md", Taken.NEW, "markdown"),
        ("scan.pdf", Taken.NEW, "pdf"),
        ("boats.HTML", Taken.NEW, "html"),
        ("cars.txt", Taken.NEW, "text"),
    ]
    assert [file.source.title for file in report.files] == ["Fees", "A scan", "Boats", "Cars pay once."]
    assert [Path(one.path).name for one in report.passed_over] == ["photo.png"]
    assert report.refused == ()
    assert done == [(1, 4), (2, 4), (3, 4), (4, 4)]
    scan = report.files[1].source
    assert (scan.pages, scan.unread, scan.notes) == (2, (2,), ("page 2: No text on this page: a scan, or empty",))


def test_the_same_folder_again_adds_nothing(store: Store, folder: Path) -> None:
    """A file that was written anew becomes a version, the others are known."""
    add(store, folder)
    before = [chunk.chunk_id for chunk in seen(store)]
    again = add(store, folder, folder / "fees.md")
    assert {file.taken for file in again.files} == {Taken.KNOWN}
    assert len(again.files) == 4
    assert [chunk.chunk_id for chunk in seen(store)] == before

    (folder / "fees.md").write_text("# Fees\n\nThe toll is 4 crowns.", encoding="utf-8")
    assert [file.taken for file in add(store, folder).files].count(Taken.NEW_VERSION) == 1


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.exe", b"MZ", "is of no kind that is read; convert it to one of: .adoc .docx"),
        ("a.pdf", b"%PDF-1.7 cut", "is no PDF that can be read"),
        ("a.txt", b"\0\1", "looks like binary data"),
        ("a.txt", b" \n", "has no text; check that it was written to its end."),
        ("a.html", b"<script>1</script>", "has no text"),
    ],
)
def test_what_cannot_be_read_is_refused_and_the_others_are_taken(
    name: str, content: bytes, said: str, store: Store, folder: Path
) -> None:
    """In one sentence with the name of the file; nothing of it is stored."""
    (folder / name).write_bytes(content)
    report = add(store, folder / name, folder / "fees.md")

    assert len(report.files) == 1
    (refused,) = report.refused
    assert said in refused.reason
    assert refused.reason.startswith(str(folder / name))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_not_waited_for(store: Store, folder: Path) -> None:
    """A file that never ends would hold everything up."""
    os.mkfifo(folder / "endless.txt")

    assert "is no ordinary file" in add(store, folder).refused[0].reason


def test_a_file_that_is_written_meanwhile_is_refused(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its text and the hash of its bytes would not belong together."""

    def slow(path: Path) -> Decoded:
        found = text_of(path)
        path.write_text("longer than before", encoding="utf-8")
        return found

    monkeypatch.setattr("core.loaders.text.text_of", slow)

    assert "was written while it was read" in add(store, folder / "deep" / "cars.txt").refused[0].reason


def test_names_of_files_may_be_any_bytes(store: Store, folder: Path) -> None:
    """The report can be written as JSON, and the source is found again."""
    path = Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9 \xf0\x9f\x9a\xa2.txt"))
    try:
        path.write_text("Ships.", encoding="utf-8")
    except OSError:
        pytest.skip("this file system wants UTF-8")
    report = add(store, path)

    assert "caf\\udce9" in report.model_dump_json().replace("\\\\", "\\")
    assert add(store, path).files[0].taken is Taken.KNOWN


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"corpus": " "}, "is no name for a corpus"),
        ({"corpus": "a\nb"}, "is no name for a corpus"),
        ({"groups": ["hr", "x" * 201]}, "is no name for a group"),
        ({"title": "One for all"}, "A title was given for 4 files"),
        ({"paths": ["/no/such/file"]}, "is not there"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_taken(
    wanted: dict[str, object], said: str, store: Store, folder: Path
) -> None:
    """Also what could have been taken."""
    with pytest.raises(InputError, match=said):
        corpora.add(store, AddRequest.model_validate({"paths": [folder], **wanted}), "ann")

    assert store.corpora.sources() == []


def test_a_full_disk_ends_the_work(store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no fault of the file."""

    def full(*_: object) -> None:
        raise StoreError("The store cannot be used: the disk is full", "free some space")

    monkeypatch.setattr(type(store.corpora), "add", full)

    with pytest.raises(StoreError, match="disk is full"):
        add(store, folder)


def test_a_chunk_becomes_evidence(store: Store, folder: Path) -> None:
    """Under the label of its request, with all that is needed to find it again."""
    add(store, folder / "fees.md", groups=["hr"], title="The fees")
    (chunk,) = seen(store, ("hr",))
    entry = corpora.evidence(chunk, "E1")

    assert (entry.id, entry.text, entry.locator) == ("E1", chunk.text, "fees.md, § Fees, paragraph 1")
    assert (entry.source_version, entry.title, entry.groups) == ("v1", "The fees", ("hr",))
    assert entry.uri == (folder / "fees.md").as_uri()
    assert entry.meta == {"chunk_id": chunk.chunk_id, "corpus": "main", "sha256": chunk.sha256, "page": 1}


def entries(store: Store, groups: tuple[str, ...] = ()) -> list[Evidence]:
    """What a request sees, as its registry, and an entry that came from elsewhere."""
    own = [corpora.evidence(chunk, f"E{at}") for at, chunk in enumerate(seen(store, groups), 1)]
    return [*own, Evidence(id="C1", text="from a log", uri=own[0].uri, meta={"chunk_id": 3, "corpus": "main"})]


def test_what_was_taken_out_of_use_is_hidden_in_old_answers(store: Store, folder: Path) -> None:
    """With the reason; the record stays in the registry, and what came from elsewhere is shown."""
    add(store, folder / "fees.md", folder / "deep" / "cars.txt")
    old = entries(store)
    assert corpora.hidden(store, old, ()) == {}

    doc_id = old[0].meta["chunk_id"].partition(":")[0]
    store.corpora.deactivate(doc_id, "main", "ann")
    assert corpora.hidden(store, old, None) == {"E1": "This source was taken out of use"}
    store.corpora.activate(doc_id, "main", "ann")
    assert corpora.hidden(store, old, ()) == {}
    store.corpora.retain(doc_id, None, utc_now() + timedelta(days=1), "ann")
    assert corpora.hidden(store, old, ()) == {}
    late = utc_now() + timedelta(days=2)
    assert corpora.hidden(store, old, (), late) == {"E1": "This source may not be kept any longer"}
    store.corpora.allow(doc_id, None, ["hr"], "ann")
    assert corpora.hidden(store, old, ("it",)) == {"E1": "You may not see this source"}
    assert corpora.hidden(store, old, ("hr",)) == {}
    assert corpora.hidden(store, [old[0].model_copy(update={"meta": {"chunk_id": "x", "corpus": "y"}})], ()) == {}


def test_old_answers_say_that_their_source_has_changed(store: Store, folder: Path) -> None:
    """They go on showing what they cited; a text that is as it was is no change."""
    add(store, folder / "fees.md", folder / "deep" / "cars.txt")
    old = entries(store)
    assert corpora.changed_since(store, old) == {}

    before = (folder / "fees.md").read_bytes()
    (folder / "fees.md").write_text("# Fees\n\nThe toll is 4 crowns.", encoding="utf-8")
    newer = add(store, folder / "fees.md").files[0].source
    assert corpora.changed_since(store, old) == {"E1": newer}
    assert corpora.hidden(store, old, ()) == {}
    chunk = store.corpora.chunk(old[0].meta["chunk_id"], "main")
    assert chunk is not None
    assert chunk.text == old[0].text

    (folder / "fees.md").write_bytes(before)
    add(store, folder / "fees.md")
    assert corpora.changed_since(store, old) == {}


KILLED = """
import sys, time
from pathlib import Path
from core import corpora
from core.store import open_store
def slowly(done, total):
    print(done, flush=True)
    time.sleep(0.02)
with open_store(Path(sys.argv[1])) as store:
    corpora.add(store, corpora.AddRequest(paths=(Path(sys.argv[2]),)), "ann", slowly)
"""


@pytest.mark.long
def test_a_killed_run_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """Killed twice half-way, then run to its end: each file is there once, whole, with the same ids as ever."""
    home, path = tmp_path / "many", tmp_path / "desk.duckdb"
    home.mkdir()
    for number in range(24):
        (home / f"{number:02}.txt").write_text(f"File {number}.\n\n" + f"Line of {number}. " * 90, encoding="utf-8")
    acknowledged = 0
    for kill_after in (3, 4):
        words = [sys.executable, "-c", KILLED, str(path), str(home)]
        with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            said = [int(line) for line, _ in zip(child.stdout, range(kill_after + acknowledged), strict=False)]
            child.send_signal(signal.SIGKILL)
        acknowledged = max(said)
        with open_store(path) as store:
            assert acknowledged <= len(store.corpora.sources()) <= acknowledged + 1

    with open_store(path) as store, open_store(tmp_path / "other.duckdb") as other:
        report = add(store, home)
        add(other, home)
        assert acknowledged <= [file.taken for file in report.files].count(Taken.KNOWN) <= acknowledged + 1
        assert len(store.corpora.sources()) == 24
        assert [chunk.chunk_id for chunk in seen(store)] == [chunk.chunk_id for chunk in seen(other)]
        assert len({chunk.chunk_no for chunk in seen(store)}) == len(seen(store)) == 24 * 3
