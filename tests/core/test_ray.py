"""The engine ray: the same files as the local one, from actors that a local Ray runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.large_verification import verify
from tests.core.runs import LEXICAL, judged, log, tree


def test_without_ray_one_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was judged, and the folder can be gone on with."""
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(InputError, match=r"ray is not installed; install it with: pip install 'citedesk\[scale\]'"):
        judged(log(tmp_path / "log.jsonl"), tmp_path / "out", engine="ray")


def test_another_engine_is_refused(tmp_path: Path) -> None:
    """The message names those that there are."""
    from core.engines import Plan

    plan = Plan(settings=LEXICAL, where=str(tmp_path), format="auto")
    with pytest.raises(InputError, match="There is no engine called 'spark'; choose one of: local, ray"):
        verify([], "spark", plan, lambda done, total: None)


@pytest.mark.long
@pytest.mark.parametrize("verifier", ["lexical", "nli"])
def test_both_engines_write_equal_files(tmp_path: Path, verifier: str) -> None:
    """Two actors, several blocks: byte for byte what one process writes; what ray finished, local takes over."""
    pytest.importorskip("ray", reason="the extra scale is not installed")
    file = log(tmp_path / "log.jsonl", days=6)
    local = judged(file, tmp_path / "local", verifier=verifier)
    try:
        spread = judged(file, tmp_path / "ray", engine="ray", verifier=verifier)
    except InputError as error:
        if "could not be started" in str(error):
            pytest.skip(f"this machine is too busy: {error}")
        raise

    assert spread == local
    assert tree(tmp_path / "ray") == tree(tmp_path / "local")
    assert judged(file, tmp_path / "ray", verifier=verifier).resumed == local.blocks
