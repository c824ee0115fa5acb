"""Is everything here that Citedesk needs? One line a thing: ok, or what to do."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

from packaging.requirements import Requirement

from core import launch, model_folder
from core.errors import CitedeskError
from core.models import Record
from core.settings import Settings, data_path
from core.verdict_cache import CacheTrouble, VerdictCache

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox", "msedge", "safari", "open", "xdg-open")


class Finding(Record):
    """One thing looked at."""

    what: str
    ok: bool
    detail: str
    """What was found, or what to do."""


def look(settings: Settings, host: str, port: int) -> list[Finding]:
    """Look at everything; nothing is changed."""
    checks: list[Callable[[], Iterator[Finding]]] = [
        _python,
        _packages,
        _data,
        lambda: _store(settings.store),
        lambda: _cache(settings.cache),
        lambda: _port(host, port),
        _browser,
    ]
    return [finding for check in checks for finding in check()]


def _python() -> Iterator[Finding]:
    found = ".".join(map(str, sys.version_info[:3]))
    ok = sys.version_info >= (3, 11)
    yield Finding(what="Python", ok=ok, detail=found if ok else f"{found} is too old; install Python 3.11 or newer")


def _packages() -> Iterator[Finding]:
    try:
        needed = [Requirement(line) for line in requires("citedesk") or ()]
    except PackageNotFoundError:
        yield Finding(what="packages", ok=False, detail="citedesk itself is not installed; run: make setup")
        return
    for need in needed:
        if need.marker and not need.marker.evaluate({"extra": ""}):
            continue
        try:
            found = version(need.name)
        except PackageNotFoundError:
            yield Finding(what=need.name, ok=False, detail=f"missing; run: pip install '{need}'")
            continue
        fits = need.specifier.contains(found, prereleases=True)
        advice = f"{found} does not fit; run: pip install '{need}'"
        yield Finding(what=need.name, ok=fits, detail=found if fits else advice)


def _data() -> Iterator[Finding]:
    sample = data_path("samples", "answers.jsonl")
    yield Finding(
        what="sample data",
        ok=sample.is_file(),
        detail=str(sample.parent) if sample.is_file() else f"{sample} is missing; install citedesk again",
    )
    for name in ("claim-nli", "embed"):
        try:
            files = model_folder.read(model_folder.locate(name))
        except CitedeskError as error:
            yield Finding(what=f"model {name}", ok=False, detail=str(error))
        else:
            detail = f"version {files.config.version}, {len(files.weights) / 1e6:.0f} MB, undamaged"
            yield Finding(what=f"model {name}", ok=True, detail=detail)


def _store(path: Path) -> Iterator[Finding]:
    from core.store import open_store

    if not path.exists():
        home = next(parent for parent in path.absolute().parents if parent.exists())
        writable = os.access(home, os.W_OK)
        advice = f"{home} cannot be written; choose another place with --store"
        yield Finding(what="store", ok=writable, detail=f"{path} will be made" if writable else advice)
        return
    try:
        with open_store(path) as store:
            summary = store.summary()
    except CitedeskError as error:
        yield Finding(what="store", ok=False, detail=str(error))
    else:
        yield Finding(what="store", ok=True, detail=f"{path}: {summary.requests} answers, {summary.claims} claims")


def _cache(path: Path | None) -> Iterator[Finding]:
    what = "verdict cache"
    if path is None:
        yield Finding(what=what, ok=True, detail="none: everything is judged anew (CITEDESK_CACHE is empty)")
        return
    try:
        kept = VerdictCache(path).look()
    except CacheTrouble as trouble:
        advice = f"{path} is not used ({trouble}); delete it, or set CITEDESK_CACHE to another place"
        yield Finding(what=what, ok=False, detail=advice)
        return
    held = f"{kept.judgements} judgements, {kept.bytes / 1e6:.1f} MB" if kept.judgements else "nothing kept yet"
    yield Finding(what=what, ok=True, detail=f"{path}: {held}")


def _port(host: str, port: int) -> Iterator[Finding]:
    try:
        launch.check_address(host, port)
    except CitedeskError as error:
        yield Finding(what="port", ok=False, detail=str(error))
    else:
        yield Finding(what="port", ok=True, detail=f"{port} on {host} is free")


def _browser() -> Iterator[Finding]:
    found = next((name for name in BROWSERS if shutil.which(name)), None)
    yield Finding(
        what="browser",
        ok=found is not None or sys.platform in {"win32", "darwin"},
        detail=found or "none found on this machine; open the printed address from another, through an SSH tunnel",
    )
    yield Finding(
        what="dashboard",
        ok=find_spec("streamlit") is not None and find_spec("dashboard") is not None,
        detail="streamlit and the pages are there" if find_spec("streamlit") else "run: pip install citedesk",
    )
