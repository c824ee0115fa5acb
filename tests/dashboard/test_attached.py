"""Pages over an attached run: chosen in the sidebar, counted, opened, and never labelled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.core.runs import judged, log
from tests.dashboard.test_review import listed

Open = Callable[..., AppTest]


def said(app: AppTest) -> str:
    """Every caption, without the marks that Markdown needs."""
    return "\n".join(one.value for one in app.caption).replace("\\", "")


@pytest.mark.long
def test_pages_show_the_attached_run(
    tmp_path: Path, sample: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Review opens on the store, and on the run once it is chosen; Trends and Failures keep to the choice."""
    judged(log(tmp_path / "log.jsonl"), tmp_path / "november", block_mib=1)
    monkeypatch.setenv("CITEDESK_ATTACH", f"{tmp_path / 'november'}\n{tmp_path / 'gone'}")

    app = open_page(sample, "review")
    assert not app.exception
    assert "Attached" not in said(app)
    assert listed(app)["total"] == 103

    app.sidebar.selectbox(key="answers_of").set_value(1).run()
    assert not app.exception
    assert "Attached, for reading only" in said(app)
    assert "To label or queue these claims, import their answers" in said(app)
    assert listed(app)["total"] == 6

    app.switch_page("views/trends.py").run()
    assert not app.exception
    assert "lexical@1" in app.title[0].value.replace("\\", "")
    assert "Attached, for reading only" in said(app)

    app.switch_page("views/failures.py").run()
    assert not app.exception
    assert "Attached, for reading only" in said(app)

    app.sidebar.selectbox(key="answers_of").set_value(2).run()
    assert not app.exception
    assert "holds no finished verification" in app.warning[0].value.replace("\\", "")
