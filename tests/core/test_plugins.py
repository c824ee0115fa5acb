"""Open sets: listing imports nothing, an unknown member is one sentence."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core import exporters, plugins
from core.errors import InputError


def test_listing_imports_no_member() -> None:
    """Names come from the folder; the members stay unimported."""
    program = (
        "import sys; from core import plugins, exporters; names = plugins.names(exporters);"
        "print(names, [n for n in names if f'core.exporters.{n}' in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert printed.strip() == "['annotation', 'csv', 'html', 'jsonl', 'markdown', 'parquet'] []"


def test_an_unknown_member_names_those_that_exist() -> None:
    """The error says what was asked for and what there is."""
    with pytest.raises(InputError, match="no exporter called 'xls'; choose one of: annotation, csv, html"):
        plugins.load(exporters, "xls", InputError)


def test_a_path_is_not_a_name() -> None:
    """A name that climbs out of the folder is unknown, not imported."""
    with pytest.raises(InputError):
        plugins.load(exporters, "../models", InputError)
