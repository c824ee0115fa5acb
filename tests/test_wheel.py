"""The wheel: works away from the checkout, with its own sample and its own settings."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from dashboard.widgets import label_queue
from tests import release

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    return release.build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """A folder with the wheel's contents, as installed; the packages it needs come from this environment."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(wheel.parent / "site")
    return wheel.parent / "site"


def test_it_carries_what_it_needs_and_nothing_else(wheel: Path, installed: Path) -> None:
    """Sample, models, migrations, component scripts, settings and licences are inside; tests and secrets are not."""
    names = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}

    assert release.faults(wheel) == []
    assert any(name.startswith("core/store/migrations/0001") for name in names)
    assert {f"dashboard/widgets/label_{part}.js" for part in label_queue.PARTS} <= names


def test_what_must_not_be_given_away_is_found(tmp_path: Path) -> None:
    """By its name or by what stands in it; and what is not there is missed."""
    spoilt = tmp_path / "citedesk-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(spoilt, "w") as archive:
        for name in release.NEEDED[1:]:
            archive.writestr(name, b"")
        archive.writestr("citedesk-0.1.0.dist-info/METADATA", "Name: citedesk\nVersion: 0.1.0\n")
        for name in ("tests/test_x.py", "core/data/local/demo.duckdb", "core/.env"):
            archive.writestr(name, b"")
        archive.writestr("core/x.py", b"KEY = 'sk-ant-" + b"a" * 40 + b"'")

    assert release.faults(spoilt) == [
        f"missing: {release.NEEDED[0]}",
        "missing: LICENSE",
        "missing: License-Expression",
        "does not belong here: tests/test_x.py",
        "does not belong here: core/data/local/demo.duckdb",
        "does not belong here: core/.env",
        "looks like a secret: core/x.py",
    ]


def test_it_judges_its_own_sample_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    """The installed command finds the sample inside the wheel."""
    sample = installed / "core" / "data" / "samples" / "answers.jsonl"
    ran = subprocess.run(
        [sys.executable, "-m", "core", "verify", str(sample), "--json"],
        cwd=tmp_path,
        env=release.environment(tmp_path, PYTHONPATH=str(installed)),
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) > 40


def test_the_demo_opens_from_an_empty_folder_and_calls_nobody(installed: Path, tmp_path: Path) -> None:
    """``citedesk demo --no-browser`` serves; every Streamlit setting came along, telemetry is off."""
    home = release.environment(tmp_path, PYTHONPATH=str(installed))
    with release.running([sys.executable, "-m", "core", "demo"], tmp_path, home) as (url, process):
        release.opened(url)
        arguments = child_arguments(process.pid)

    assert "--browser.gatherUsageStats=false" in arguments
    assert any(argument.startswith("--theme.dark.") for argument in arguments)
    assert list(tmp_path.glob("*.toml")) == []


def child_arguments(parent: int) -> list[str]:
    """The command line of the process that the demo started."""
    if not Path("/proc/self").exists():
        pytest.skip("reads process arguments from /proc")
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == parent:
                return (folder / "cmdline").read_text().split("\0")
    return []
