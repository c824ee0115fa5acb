"""Corpora: files and folders in, with what of them could not be read; chunks out as evidence of a request."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from types import ModuleType

from pydantic import AwareDatetime

from core import chunking, loaders, originals, plugins
from core.errors import InputError, StoreConflict
from core.loaders import Document, SourceStatus
from core.models import Evidence, Record, utc_now
from core.sources import CORPUS, Chunk, Source, origin_of
from core.store import Store
from core.store.source_log import NewSource, Taken

Progress = Callable[[int, int], None]
"""Called with how many files are done and how many there are."""

LONGEST_NAME = 200
_LONGEST_TITLE = 300


class Refused(Record):
    """A file that was not taken."""

    path: str
    reason: str
    """One sentence."""


class TakenFile(Record):
    """A file that was taken, or was there already."""

    path: str
    taken: Taken
    source: Source
    chunks: int


class AddReport(Record):
    """What adding files did; every file that was found is in one of the three."""

    corpus: str
    files: tuple[TakenFile, ...]
    refused: tuple[Refused, ...]
    """Files that could not be read though a loader reads their kind, or that were named one by one."""
    passed_over: tuple[Refused, ...]
    """Files of folders that no loader reads."""
    trouble: str = ""
    """Why the files, which are in, were not made ready to be asked; one sentence, empty when they were."""


class AddRequest(Record):
    """What to add, and under what conditions."""

    paths: tuple[Path, ...]
    """Files, and folders with all that is in them; absolute, for another process may read them."""
    corpus: str = CORPUS
    groups: tuple[str, ...] | None = None
    """Who may see it, empty for everyone; none: for a new version those of the one before, else everyone."""
    title: str | None = None
    """Instead of the one that the file says; only for a single file."""
    retain_until: AwareDatetime | None = None
    """From when on it is withheld; none: as the version before."""


def add(store: Store, request: AddRequest, who: str, progress: Progress | None = None) -> AddReport:
    """Take files into a corpus, one transaction each: who kills this loses no file and doubles none.

    What ``progress`` raises ends the work between two files.

    Raises:
        InputError: A path is not there, the corpus or a group has no proper name, or a title is given for several
            files; nothing was taken.
    """
    corpus = named(request.corpus, "corpus")
    groups = None if request.groups is None else tuple(sorted({named(group, "group") for group in request.groups}))
    if missing := next((path for path in request.paths if not path.exists()), None):
        raise InputError(f"{missing} is not there", "check the name")
    found, passed_over = _found(request.paths)
    if request.title is not None and len(found) != 1:
        raise InputError(f"A title was given for {len(found)} files", "add one file at a time, or leave the title out")
    files: list[TakenFile] = []
    refused: list[Refused] = []
    for done, (path, loader) in enumerate(found, start=1):
        try:
            document, file_sha256 = _read(path, loader)
            if path.suffix.lower() == originals.SUFFIX:
                _keep(store, path, file_sha256)
            new = NewSource(
                corpus=corpus,
                uri=Path(os.path.abspath(path)).as_uri(),
                title=_title(request.title or document.title),
                media="" if loader is None else loader.__name__.rpartition(".")[2],
                file_sha256=file_sha256,
                groups=groups,
                retain_until=request.retain_until,
            )
            files.append(take(store, new, document, who, _shown(path)))
        except (InputError, StoreConflict) as error:
            refused.append(Refused(path=_shown(path), reason=_shown(str(error))))
        if progress:
            progress(done, len(found))
    return AddReport(corpus=corpus, files=tuple(files), refused=tuple(refused), passed_over=tuple(passed_over))


def take(store: Store, new: NewSource, document: Document, who: str, path: str) -> TakenFile:
    """Take one document that was read into a corpus, in one transaction.

    Raises:
        InputError: There is nothing in it, not even a page that could not be read.
        StoreError: It cannot be stored; nothing of it was.
    """
    if document.status is SourceStatus.NO_TEXT and not any(page.notes for page in document.pages):
        raise InputError(f"{path} has no text", "check that it was written to its end")
    pieces = chunking.pieces(document.pages)
    added = store.corpora.add(new, document.pages, pieces, chunking.name_of(), who)
    return TakenFile(path=path, taken=added.taken, source=added.source, chunks=len(pieces))


def evidence(chunk: Chunk, label: str) -> Evidence:
    """A chunk as an entry of a request's registry, under the label that it has there."""
    return Evidence(
        id=label,
        text=chunk.text,
        locator=chunk.locator,
        source_version=chunk.source_version,
        uri=chunk.uri,
        title=chunk.title,
        groups=chunk.groups,
        meta={"chunk_id": chunk.chunk_id, "corpus": chunk.corpus, "sha256": chunk.sha256, "page": chunk.page},
    )


def hidden(
    store: Store, entries: Sequence[Evidence], groups: Collection[str] | None, now: datetime | None = None
) -> dict[str, str]:
    """Which entries of an old request must not be shown any more, by label, and why in a sentence.

    A source that was taken out of use or is past its retention is hidden from everyone, also where it stands in answers
    of before; the record that it was cited stays. Entries that came from no corpus are not hidden.

    Args:
        store: Where the corpora are.
        entries: Of one request.
        groups: Those of the caller; none stands for whoever keeps the desk.
        now: The present moment.
    """
    return dict(store.corpora.hidden(entries, groups, now or utc_now()))


def changed_since(store: Store, entries: Sequence[Evidence]) -> dict[str, Source]:
    """By label, the source that stands now where an entry was read from, if that is another text by now."""
    uris: dict[str, set[str]] = {}
    for entry in entries:
        if (wanted := origin_of(entry)) is not None and entry.uri:
            uris.setdefault(wanted[0], set()).add(entry.uri)
    standing = {corpus: store.corpora.standing(corpus, places) for corpus, places in uris.items()}
    found: dict[str, Source] = {}
    for entry in entries:
        wanted = origin_of(entry)
        now = standing.get(wanted[0], {}).get(entry.uri or "") if wanted else None
        if wanted and now is not None and now.doc_id != wanted[1]:
            found[entry.id] = now
    return found


def named(name: str, what: str) -> str:
    """The name of a corpus or a group, trimmed.

    Raises:
        InputError: It is empty, too long, or has characters that cannot be seen or typed.
    """
    trimmed = name.strip()
    if not trimmed or len(trimmed) > LONGEST_NAME or not trimmed.isprintable():
        raise InputError(f"{name!r} is no name for a {what}", f"use 1 to {LONGEST_NAME} characters on one line")
    return trimmed


def _found(paths: Sequence[Path]) -> tuple[list[tuple[Path, ModuleType | None]], list[Refused]]:
    """Each file once, with its loader; and those of folders that none reads."""
    by_suffix = {suffix: one for one in plugins.load_all(loaders) for suffix in one.SUFFIXES}
    found: dict[Path, ModuleType | None] = {}
    passed_over: list[Refused] = []
    for path in paths:
        if not path.is_dir():
            found.setdefault(path, by_suffix.get(path.suffix.lower()))
            continue
        for file in _files(path):
            if loader := by_suffix.get(file.suffix.lower()):
                found.setdefault(file, loader)
            else:
                ending = f"end in {file.suffix}" if file.suffix else "have no ending"
                passed_over.append(Refused(path=_shown(file), reason=f"No loader reads files that {ending}."))
    return list(found.items()), passed_over


def _files(folder: Path) -> Iterator[Path]:
    """The files of a folder and of those in it, sorted; nothing that is hidden, and no folder through a link."""

    def refuse(error: OSError) -> None:
        raise InputError(f"{error.filename} cannot be read ({error.strerror})", "change its permissions") from error

    for place, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(files) if not name.startswith("."))


def _kinds() -> str:
    return " ".join(sorted(suffix for one in plugins.load_all(loaders) for suffix in one.SUFFIXES))


def _read(path: Path, loader: ModuleType | None) -> tuple[Document, str]:
    """A file as a document, and the sha256 of the bytes that it was read from."""
    if loader is None:
        raise InputError(f"{path} is of no kind that is read", f"convert it to one of: {_kinds()}")
    try:
        before = path.stat()
        document: Document = loader.load(path)
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        after = path.stat()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror or error})", "check the name") from error
    if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
        raise InputError(f"{path} was written while it was read", "add it again")
    return document, sha256


def _keep(store: Store, path: Path, sha256: str) -> None:
    """Keep the file that page images are drawn from; before its source, so that a source without its file is rare."""
    try:
        originals.keep(store.path, path, sha256)
    except OSError as error:
        raise InputError(f"{path} cannot be kept beside the store ({error.strerror or error})", "make room") from error


def _title(title: str | None) -> str | None:
    """On one line, and no longer than a line may be."""
    return " ".join((title or "").split())[:_LONGEST_TITLE] or None


def _shown(text: str | Path) -> str:
    """Fit for JSON: bytes of a file name that are no character are written out."""
    return str(text).encode("utf-8", "backslashreplace").decode()
