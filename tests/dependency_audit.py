"""Look up the versions in ``constraints.txt`` in the advisories of PyPI, or say that nobody did.

Run as ``make security``. Ends with 1 when a version has a known weakness or could not be looked up, with 0 when none
has, and with 0 and a sentence on standard error where the advisories cannot be reached at all: never in silence.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

SERVICE = "https://pypi.org/pypi/pip/25.0/json"
"""The advisories of one version, as pip-audit asks for those of each; a mirror of packages has none."""

CONSTRAINTS = Path(__file__).parents[1] / "constraints.txt"

ACCEPTED: dict[str, str] = {}
"""Advisories that do not touch Citedesk, by id, each with the reason."""


def main(service: str = SERVICE, seconds: float = 10) -> int:
    """Do it; gives the exit code."""
    if why := unreachable(service, seconds):
        sys.stderr.write(f"Dependencies were NOT checked: {service} cannot be reached ({why}).\n")
        return 0
    ignored = [word for advisory in ACCEPTED for word in ("--ignore-vuln", advisory)]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip_audit", "--requirement", str(CONSTRAINTS), "--no-deps", "--disable-pip"),
            *("--format", "json", "--progress-spinner", "off", *ignored),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    return report(done.stdout, done.stderr)


def unreachable(service: str, seconds: float) -> str:
    """Why the advisories cannot be had, in a few words; empty when they can."""
    try:
        reply = httpx.get(service, timeout=seconds, follow_redirects=True)
        return "" if "vulnerabilities" in reply.json() else f"it answers {reply.status_code} without advisories"
    except (httpx.HTTPError, ValueError) as error:
        return type(error).__name__


def report(found: str, said: str) -> int:
    """Tell what ``pip-audit`` found; gives the exit code."""
    try:
        packages: list[dict[str, Any]] = json.loads(found)["dependencies"]
    except (ValueError, LookupError, TypeError):
        sys.stderr.write(f"Dependencies were NOT checked: pip-audit failed.\n{said}\n")
        return 1
    weak = [(one["name"], one["version"], each["id"]) for one in packages for each in one.get("vulns", ())]
    skipped = [f"{one['name']} ({one['skip_reason']})" for one in packages if "skip_reason" in one]
    if packages and len(skipped) == len(packages):
        sys.stderr.write(
            f"Dependencies were NOT checked: none of {len(packages)} is known there, {skipped[0]} first.\n"
        )
        return 0
    for name, version, advisory in weak:
        sys.stderr.write(f"{name} {version}: {advisory}\n")
    for one in skipped:
        sys.stderr.write(f"Not looked up: {one}\n")
    sys.stdout.write(f"{len(packages) - len(skipped)} dependencies looked up, {len(weak)} known weaknesses.\n")
    return 1 if weak or skipped else 0


if __name__ == "__main__":
    sys.exit(main())
