"""Start the dashboard as a process of its own, by name: nothing here imports Streamlit."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

import click

from core import sign_in
from core.errors import CitedeskError, InputError
from core.settings import Settings, in_checkout
from core.sign_in import SignIn

START_SECONDS = 90.0
"""How long the desk may take to answer; a cold disk needs many times what a warm one does."""


def serve(settings: Settings, host: str, port: int, open_browser: bool) -> int:
    """Run the desk until it is stopped; returns its exit code.

    Raises:
        InputError: Strangers could reach the desk, the sign-in file is no good, or the port is taken.
        CitedeskError: The dashboard is not installed, or it ended before it answered.
    """
    check_address(host, port, settings.sign_in)
    signing_in = sign_in.read(settings.sign_in) if settings.sign_in else None
    # -P: a folder called "core" where the desk is started must not stand before the package.
    server = str(dashboard_path() / "server.py")
    command = [sys.executable, "-P", "-m", "streamlit", "run", server, *flags(host, port, signing_in)]
    environment = os.environ | {
        "CITEDESK_STORE": str(settings.store.absolute()),
        "CITEDESK_ATTACH": "\n".join(settings.attach),
    }
    process = subprocess.Popen(command, env=environment)  # nosec B603 # our own words, no shell
    forward_stop(process)
    url = own_url(host, port)
    if not answers(f"{url}/api/health", process):
        process.terminate()
        raise CitedeskError(f"The desk did not start on {url}", "read the lines above, or run: citedesk doctor")
    place = signing_in.redirect_uri.removesuffix(sign_in.CALLBACK) if signing_in else url
    click.echo(f"Citedesk is open at {place}   (store: {settings.store}; stop with Ctrl+C)", err=True)
    if open_browser:
        with suppress(webbrowser.Error):  # a machine without a browser still serves
            webbrowser.open(url)
    return process.wait()


def own_url(host: str, port: int) -> str:
    """Where a desk that listens on a host is reached from this machine."""
    near = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{near}:{port}"


def check_address(host: str, port: int, sign_in_file: Path | None = None) -> None:
    """Refuse an address that strangers could reach without signing in, and a port that is taken."""
    sign_in.check_host(host, sign_in_file)
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        # As the server itself does: a port that a stopped server leaves in TIME_WAIT is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise InputError(
                f"Port {port} on {host} cannot be used ({error.strerror})",
                f"choose another, for example --port {port + 1}, or stop what listens there",
            ) from error


def dashboard_path() -> Path:
    """The folder of the dashboard package, found without importing it."""
    spec = find_spec("dashboard")
    if spec is None or not spec.submodule_search_locations:
        raise CitedeskError("The dashboard is not installed", "install the whole package again: pip install citedesk")
    return Path(next(iter(spec.submodule_search_locations)))


def flags(host: str, port: int, signing_in: SignIn | None = None) -> list[str]:
    """Every Streamlit setting as a command-line flag: an installed desk finds no config file where it is started."""
    home = dashboard_path()
    path = home.parent / ".streamlit" / "config.toml" if in_checkout() else home / "config.toml"
    config = tomllib.loads(path.read_text(encoding="utf-8"))
    config.setdefault("server", {}).update({"address": host, "port": port, "headless": True})
    if signing_in is not None:
        config["secrets"] = {"files": [str(signing_in.path)]}
        config["server"]["allowedHosts"] = [*config["server"]["allowedHosts"], signing_in.host]
    return list(_flags(config, ""))


def _flags(values: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flags(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            for item in value:
                yield f"--{prefix}{name}={item}"
        else:
            yield f"--{prefix}{name}={str(value).lower() if isinstance(value, bool) else value}"


def forward_stop(process: subprocess.Popen[bytes]) -> None:
    """Pass a polite stop on to the desk, which then closes its store; Ctrl+C reaches it by itself."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        process.terminate()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, lambda _number, _frame: None)


def answers(url: str, process: subprocess.Popen[bytes]) -> bool:
    """Wait until the desk answers; False when it ended or took too long."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(url, timeout=5) as reply:  # nosec B310 # http
            return bool(reply.status == 200)
        time.sleep(0.1)
    return False
