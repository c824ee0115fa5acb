"""The wheel: works away from the checkout, with its own sample and its own settings."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's contents, as installed; the packages it needs come from this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(build, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def environment(installed: Path, home: Path) -> dict[str, str]:
    """Only the installed packages are importable as ours, and nothing of the user's own folders is used."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CITEDESK_", "STREAMLIT_"))}
    return kept | {"PYTHONPATH": str(installed), "HOME": str(home), "XDG_DATA_HOME": str(home / "data")}


def test_it_carries_what_it_needs(installed: Path) -> None:
    """Sample, migrations, component scripts, settings and licence are inside; tests are not."""
    names = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}

    assert "core/data/samples/answers.jsonl" in names
    assert any(name.startswith("core/store/migrations/0001") for name in names)
    assert {"core/data/models/claim-nli/model.onnx", "core/data/models/embed/model.onnx"} <= names
    assert {"core/prices.toml", "core/verifiers/prompts/claude_1.md", "core/generators/prompts/answer_1.md"} <= names
    assert not [name for name in names if name.endswith("train.py")]
    assert "dashboard/config.toml" in names
    assert "dashboard/widgets/label_queue.js" in names
    assert "core/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "docs"))]
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_it_judges_its_own_sample_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    """The installed command finds the sample inside the wheel."""
    sample = installed / "core" / "data" / "samples" / "answers.jsonl"
    ran = subprocess.run(
        [sys.executable, "-m", "core", "verify", str(sample), "--json"],
        cwd=tmp_path,
        env=environment(installed, tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) > 40


def test_the_demo_opens_from_an_empty_folder_and_calls_nobody(installed: Path, tmp_path: Path) -> None:
    """``citedesk demo --no-browser`` serves; every Streamlit setting came along, telemetry is off."""
    with demo(installed, tmp_path) as (port, process):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=10) as reply:
            health = json.load(reply)
        arguments = child_arguments(process.pid)

    assert health["status"] == "ok"
    assert health["claims"] > 40
    assert "--browser.gatherUsageStats=false" in arguments
    assert any(argument.startswith("--theme.dark.") for argument in arguments)
    assert list(tmp_path.glob("*.toml")) == []


@contextmanager
def demo(installed: Path, home: Path) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """Run the demo on a free port until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen(
        [sys.executable, "-m", "core", "demo", "--no-browser", "--port", str(port)],
        cwd=home,
        env=environment(installed, home),
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/api/health", process)
        yield port, process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def wait_for(url: str, process: subprocess.Popen[str], seconds: float = 120.0) -> None:
    """Wait until the address answers."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"the demo ended: {process.communicate()[1]}")
        with suppress(OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(0.2)
    pytest.fail("the demo did not answer")


def child_arguments(parent: int) -> list[str]:
    """The command line of the process that the demo started."""
    if not Path("/proc/self").exists():
        pytest.skip("reads process arguments from /proc")
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == parent:
                return (folder / "cmdline").read_text().split("\0")
    return []
