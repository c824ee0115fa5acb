"""An API over a store of its own, answered by a script; two callers, of whom one sees more than the other."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette

from core import corpora
from core.answering import Question
from core.api import Api
from core.desk import Desk
from core.generators import Tell
from core.outcomes import Ending, Outcome
from core.settings import ApiSettings, Settings
from core.tokens import mint
from tests.core.outcomes_made import outcome


class Script:
    """Answers as it is told to, and remembers what it was asked."""

    def __init__(self) -> None:
        """Answer everything."""
        self.asked: list[Question] = []
        self.answer: Callable[[Question, Tell], Outcome] = lambda asked, tell: outcome(Ending.ANSWERED)

    def __call__(self, desk: Desk, asked: Question, tell: Tell) -> Outcome:
        """Answer."""
        self.asked.append(asked)
        return self.answer(asked, tell)


class Served:
    """The API, its script, and the secrets of its callers: ``ann`` is in the group staff, ``bob`` in none."""

    def __init__(self, folder: Path, **api: Any) -> None:
        """Open a store in a folder, with a source for everyone and one for staff."""
        settings = Settings(store=folder / "desk.duckdb", api=ApiSettings(**({"burst": 1000} | api)))
        self.desk = Desk.open(settings)
        self.script = Script()
        self.api = Api(lambda: self.desk, self.script)
        self.ann, self.bob = self.token("ann", "staff"), self.token("bob")
        for corpus, groups in (("main", ()), ("staff", ("staff",))):
            file = folder / f"{corpus}.txt"
            file.write_text(f"The gate of {corpus} opens at 7 in the morning.\n", encoding="utf-8")
            corpora.add(self.desk.store, corpora.AddRequest(paths=(file,), corpus=corpus, groups=groups), "me")

    def token(self, principal: str, *groups: str) -> str:
        """The secret of a new caller."""
        secret, new = mint(principal, groups)
        self.desk.store.tokens.add(new, "me")
        return secret

    def close(self) -> None:
        """End everything."""
        self.api.stop(5)
        self.desk.close()


def events(text: str) -> list[tuple[str, Any]]:
    """The events of a stream, comments left out."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


@contextmanager
def listening(api: Api) -> Iterator[int]:
    """Serve the routes on a real port of this machine; gives the port."""
    config = uvicorn.Config(Starlette(routes=api.routes()), port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join(10)
