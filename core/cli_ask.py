"""``citedesk ask``: one question of a corpus, its answer with footnotes, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli_options import COULD_NOT_LOOK, DONE, FINDINGS, json_option, progress_bar, settings_of, store_option

if TYPE_CHECKING:
    from core.ask_work import AskReport
    from core.store.cards import RetrievalCard


@click.command()
@click.argument("question")
@click.option("--corpus", "corpus_name", metavar="NAME", help="The corpus to ask.  [default: main]")
@click.option("--generator", metavar="NAME", help="Who writes the answer: extractive, claude, claude:MODEL.")
@click.option(
    "--gate",
    type=click.Choice(["citations", "quotes", "support"]),
    help="What must hold for an answer to be shown.  [default: quotes]",
)
@click.option("--verifier", metavar="NAME", help="Who judges support.")
@click.option("--excerpts", is_flag=True, help="Show passages when no answer may be shown.")
@store_option
@json_option
def ask(
    question: str,
    corpus_name: str | None,
    generator: str | None,
    gate: str | None,
    verifier: str | None,
    excerpts: bool,
    store: Path | None,
    as_json: bool,
) -> int:
    """Ask a question of a corpus; what passes the gate is shown with its footnotes, nothing else is.

    Exit code 0: an answer, or that there is none in the sources; 1: an answer was stopped by the gate; 2: nobody could
    look.
    """
    from core.admin import perform
    from core.ask_work import AskWork
    from core.one_question import Question
    from core.sources import CORPUS

    said: dict[str, Any] = {"gate": gate, "accept": ("excerpts",) if excerpts else ()}
    asked = Question(query=question, corpus=corpus_name or CORPUS, generator=generator, verifier=verifier, **said)
    with progress_bar("Reading the corpus", "passages") as progress:
        report = perform(settings_of(store=store), AskWork(question=asked), progress)
    if as_json:
        click.echo(report.model_dump_json())
    else:
        click.echo("\n".join(lines(report)))
    return DONE if report.status == 200 else FINDINGS if report.status == 422 else COULD_NOT_LOOK


def lines(report: AskReport) -> Iterator[str]:
    """What a person reads: the answer with its footnotes, then what happened, how long it took and what it cost."""
    body = report.body
    for claim in body.get("claims") or ():
        yield f"{claim['text']} {''.join(f'[{label}]' for label in claim['citations'])}"
    if body.get("answer") and not body.get("claims"):
        yield body["answer"]
    for note in (*(body.get("citations") or ()), *(body.get("excerpts") or ())):
        yield ""
        yield f"[{note['label']}] {' · '.join(filter(None, (note['locator'], note['source_version'])))}"
        if note["quote"]:
            yield f"    “{' '.join(note['quote'].split())}”"
    if report.status == 200:
        yield ""
    yield from told(report)


def told(report: AskReport) -> Iterator[str]:
    """The outcome in plain words."""
    yield f"{report.words}."
    writer = " · ".join(filter(None, (report.generator.name, report.generator.model)))
    yield f"Written by {writer}, judged by {report.protocol}; request {report.request_id}."
    if report.card:
        yield retrieved(report.card)
    for note in report.notes:
        yield f"Note: {note}."
    spent = report.spent
    if spent.calls:
        cost = "cost not known" if spent.cost is None else f"${spent.cost:.4f}"
        yield f"{report.timings.total:.1f} s, {spent.calls} calls, {spent.input + spent.output:,} tokens, {cost}."
    if report.draft_id:
        yield f"What was not shown is kept for reviewers as draft {report.draft_id}."


def retrieved(card: RetrievalCard) -> str:
    """What was found, in a sentence."""
    nearest = card.nearest_cut
    cut = len(card.passages) - len(card.packed)
    where = f" (nearest: {nearest.locator or nearest.chunk_id}, {nearest.cosine:.2f})" if nearest else ""
    return (
        f"Searched {card.searched:,} passages of {card.corpus}, looked at {len(card.passages)}, gave "
        f"{len(card.packed)}; {cut} were left out{where}."
    )
