"""Is the wheel fit to be given away? Run as ``make release-check``.

It is built, looked through, installed with everything it needs into a fresh environment outside of the checkout, and
opened there: ``citedesk demo`` must answer, show its page and hold the sample. The tests do the same with the packages
of this environment, which needs no network.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
START_SECONDS = 120.0
"""A cold disk on a busy machine needs many times what a warm one does."""

NEEDED = (
    "core/data/guidelines/v1.md",
    "core/data/models/claim-nli/MODEL_CARD.md",
    "core/data/models/claim-nli/NOTICE",
    "core/data/models/claim-nli/model.onnx",
    "core/data/models/embed/NOTICE",
    "core/data/models/embed/model.onnx",
    "core/data/samples/answers.jsonl",
    "core/generators/prompts/answer_1.md",
    "core/prices.toml",
    "core/py.typed",
    "core/verifiers/prompts/claude_1.md",
    "dashboard/config.toml",
    "dashboard/py.typed",
)
"""Files that a desk needs and that no import would miss, and those that a licence asks for."""

_FOREIGN = re.compile(
    r"^(?!core/|dashboard/|citedesk-[^/]+\.dist-info/)"
    r"|(^|/)(tests?|docs|local|__pycache__|secrets?|\.[^/]+)/"
    r"|(\.env|\.pem|\.key|\.duckdb|\.wal|\.sqlite|secrets\.toml|train\.py|\.pyc|~)$"
)
_SECRET = re.compile(
    rb"-----BEGIN [A-Z ]*PRIVATE KEY|sk-ant-[\w-]{20,}|sk-[A-Za-z0-9]{32,}|AKIA[0-9A-Z]{16}|ghp_\w{36}|hf_[A-Za-z]{30,}"
)


def main() -> None:
    """Build, look, install, open; stop with one sentence at the first thing that is wrong."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        wheel = build(folder)
        if wrong := faults(wheel):
            sys.exit("The wheel is not fit to be given away:\n" + "\n".join(wrong))
        sys.stdout.write(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, nothing missing, nothing too much\n")
        began = time.monotonic()
        python = install(wheel, folder / "venv")
        sys.stdout.write(f"installed into a fresh environment in {time.monotonic() - began:.0f} s\n")
        home = folder / "home"
        home.mkdir()
        began = time.monotonic()
        with running([str(python.with_name("citedesk")), "demo"], home, environment(home)) as (url, _process):
            health, page = opened(url)
        sys.stdout.write(
            f"citedesk demo answers after {time.monotonic() - began:.0f} s: {health['claims']} claims, "
            f"a page of {len(page):,} bytes\n"
        )


def build(folder: Path) -> Path:
    """Build the wheel of this checkout into a folder, with the tools of this environment."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode:
        raise AssertionError(f"the wheel cannot be built:\n{built.stdout}{built.stderr}")
    (wheel,) = folder.glob("*.whl")
    return wheel


def faults(wheel: Path) -> list[str]:
    """What a wheel lacks, what does not belong into it, and what looks like a secret in it; one line each."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        secret = [name for name in names if _SECRET.search(archive.read(name))]
        (metadata,) = (archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
    told = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version = metadata.partition("\nVersion: ")[2].split("\n")[0]
    return [
        *(f"missing: {name}" for name in NEEDED if name not in names),
        *(["missing: LICENSE"] if not any(name.endswith(".dist-info/licenses/LICENSE") for name in names) else []),
        *(["missing: License-Expression"] if "\nLicense-Expression: Apache-2.0\n" not in metadata else []),
        *(f"does not belong here: {name}" for name in names if _FOREIGN.search(name)),
        *(f"looks like a secret: {name}" for name in secret),
        *([f"the changelog has no {version}"] if f"\n## {version}" not in told else []),
    ]


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel and what it needs, as pinned, into a fresh environment; gives the environment's Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    ran = subprocess.run([*pip, "--constraint", str(ROOT / "constraints.txt"), str(wheel)], check=False)
    if ran.returncode:
        sys.exit("The wheel could not be installed; this needs a package index, read the lines above.")
    return python


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of somebody who never had Citedesk: no setting and no folder of this user."""
    left_out = ("CITEDESK_", "STREAMLIT_", "PYTHON", "VIRTUAL_ENV", "XDG_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return kept | {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CACHE_HOME": str(home / "cache")} | more


@contextmanager
def running(
    command: Sequence[str], folder: Path, variables: Mapping[str, str]
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run a desk's command on a free port until the block ends; gives its address once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen(
        [*command, "--no-browser", "--port", str(port)], cwd=folder, env=variables, stderr=subprocess.PIPE, text=True
    )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(f"{url}/api/health"):
            if process.poll() is not None:
                raise AssertionError(f"the desk ended: {process.communicate()[1]}")
            assert time.monotonic() < deadline, "the desk did not answer"
            time.sleep(0.1)
        yield url, process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def opened(url: str) -> tuple[dict[str, Any], bytes]:
    """What an open desk says of its health, and its page.

    Raises:
        AssertionError: It holds no claims, or its page is none.
    """
    with urllib.request.urlopen(f"{url}/api/health", timeout=30) as reply:
        health: dict[str, Any] = json.load(reply)
    with urllib.request.urlopen(url, timeout=30) as reply:
        page: bytes = reply.read()
    assert health["status"] == "ok", health
    assert health["claims"] > 40, health
    assert b"<script" in page, page[:200]
    return health, page


def _answers(url: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(url, timeout=5) as reply:
        return bool(reply.status == 200)
    return False


if __name__ == "__main__":
    main()
