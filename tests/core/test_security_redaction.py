"""What logs may say: no secret, no words of a source, nothing that names a person; and still where it went wrong."""

from __future__ import annotations

import io
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from core import redaction
from core.errors import InputError
from core.tokens import mint

SOURCE = "SECRET words of a source"


@pytest.fixture
def log() -> Iterator[Callable[[], str]]:
    """A logger called ``test`` behind the redaction; gives what it wrote."""
    factory, hooks = logging.getLogRecordFactory(), (threading.excepthook, sys.unraisablehook)
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    logging.setLogRecordFactory(logging.LogRecord)
    threading.excepthook, sys.unraisablehook = threading.__excepthook__, sys.__unraisablehook__
    redaction.install()
    root = logging.getLogger()
    root.addHandler(handler)
    yield written.getvalue
    root.removeHandler(handler)
    logging.setLogRecordFactory(factory)
    threading.excepthook, sys.unraisablehook = hooks


def stumble() -> None:
    """Raise what quotes a source, because of what quotes a token."""
    try:
        raise KeyError(mint("ann")[0])
    except KeyError as error:
        raise ValueError(f"cannot read {SOURCE}") from error


@pytest.mark.parametrize(
    "secret",
    [
        pytest.param(mint("ann")[0], id="a token of ours"),  # another one in each process
        "sk-ant-api03-AbCdEfGh_123",
        "hf_AbCdEfGhIjKl",
        "eyJhbGciOi.eyJzdWIi.c2ln",
        "Bearer abcDEF123",
        "authorization: abcDEF123",
        '"client_secret": "abcDEF123"',
        "cookie_secret=abcDEF123",
        "ANTHROPIC_API_KEY=abcDEF123",
        "Cookie: abcDEF123",
        "Authorization: Bearer abcDEF123",
        "{'authorization': 'Basic abcDEF123'}",
        "Cookie: theme=dark; user=abcDEF123",
        "[(b'cookie', b'user=abcDEF123'), (b'accept', b'*/*')]",
        r'"{\"api_key\": \"abcDEF123\"}"',
        "x-citedesk-line: abcDEF123",
        "ann@example.org",
    ],
)
def test_secrets_are_not_written(log: Callable[[], str], secret: str) -> None:
    """In the message, in an argument, in a path; what stands around them stays."""
    logging.getLogger("test").error("before %s after", secret)
    logging.getLogger("test").error(f"before {secret} after")
    logging.getLogger("uvicorn.access").error('%s - "%s %s" %d', "127.0.0.1", "GET", f"/x?{secret}", 200)

    assert secret not in log()
    assert "abcDEF123" not in log()
    assert log().count("before") == log().count("after") == 2


def test_an_exception_is_told_by_kind_and_place(log: Callable[[], str]) -> None:
    """Its words are left out wherever they stand, those of its cause too; our own sentences are for people and stay."""
    try:
        stumble()
    except ValueError as error:
        logging.getLogger("test").exception("Could not: %s", error)
        logging.getLogger("test").error(f"Could not: {error}", exc_info=True)
        logging.getLogger("test").error("Could not: %(why)s", {"why": error})
    logging.getLogger("test").error("%s", InputError("There is no file x", "check the name"))

    assert SOURCE not in log()
    assert "cdk_" not in log()
    assert log().count("KeyError\n  core/test_security_redaction.py, line ") == 2
    assert "ValueError\n  core/test_security_redaction.py, line " in log()
    assert "in stumble" in log()
    assert "InputError: There is no file x; check the name." in log()


def test_what_a_thread_raises_is_told_alike(log: Callable[[], str], capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing reaches standard error by another way."""
    thread = threading.Thread(target=stumble)
    thread.start()
    thread.join()

    assert "A thread ended with an error" in log()
    assert "in stumble" in log()
    assert SOURCE not in log() + capfd.readouterr().err


def test_a_message_is_cut_and_a_wrong_one_is_still_written(log: Callable[[], str]) -> None:
    """A log is no place for a text; and a mistake in a format is no reason to lose the line."""
    logging.getLogger("test").error("x" * 100_000)
    logging.getLogger("test").error("%d of %d", 1)
    logging.getLogger("test").error("100 %")

    long, wrong, percent = log().splitlines()
    assert len(long) == redaction.LONGEST + 1
    assert (wrong, percent) == ("%d of %d", "100 %")


def test_a_fault_at_the_command_line_quotes_nothing() -> None:
    """Kind and place; the words only with ``--debug``."""
    code = (
        "import sys\nfrom core import cli\n"
        f"def broken(standalone_mode): raise ValueError({SOURCE!r})\n"
        "cli.cli.main = broken\ncli.main()\n"
    )
    plain, debug = (
        subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
        for words in ([], ["--debug"])
    )

    assert (plain.returncode, plain.stdout) == (1, "")
    assert "ValueError" in plain.stderr
    assert SOURCE not in plain.stderr
    assert f"ValueError: {SOURCE}" in debug.stderr
