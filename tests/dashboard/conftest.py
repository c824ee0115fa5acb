"""Pages run in this process, over a store of the test's own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

import dashboard
from core.desk import Desk
from core.settings import Settings
from dashboard import session

APP = Path(dashboard.__file__).with_name("app.py")


@pytest.fixture(scope="session", autouse=True)
def packages_scanned_once() -> Iterator[None]:
    """Streamlit reads the metadata of every installed package for each page under test; a desk does it once."""
    with pytest.MonkeyPatch.context() as patch:
        once = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", once)
        yield


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the sample; tests read it and leave it as it is."""
    path = tmp_path_factory.mktemp("sample") / "desk.duckdb"
    desk = Desk.open(Settings(store=path))
    desk.load_sample()
    desk.close()
    return path


@pytest.fixture
def store_of(tmp_path: Path) -> Callable[..., Path]:
    """Make a store from answers in the interchange format, judged once."""
    return partial(make_store, tmp_path)


def make_store(folder: Path, *answers: dict[str, Any]) -> Path:
    """Write answers into a folder as a log and import them into a store beside it."""
    log = folder / "answers.jsonl"
    log.write_text("".join(json.dumps(answer) + "\n" for answer in answers), encoding="utf-8")
    path = folder / "desk.duckdb"
    desk = Desk.open(Settings(store=path))
    assert desk.import_file(log).bad_lines == ()
    desk.close()
    return path


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., AppTest]]:
    """Open a page of the desk over a store, with query parameters."""

    def start(store: Path, page: str = "home", /, **params: str | list[str]) -> AppTest:
        monkeypatch.setenv("CITEDESK_STORE", str(store))
        session.close()
        app = AppTest.from_file(str(APP), default_timeout=60)
        for name, value in params.items():
            app.query_params[name] = value
        if page != "home":
            app.switch_page(f"views/{page}.py")
        return app.run()

    yield start
    session.close()
