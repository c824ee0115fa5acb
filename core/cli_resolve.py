"""``citedesk resolve``: what the outside says of every work that the answers of a file cite."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from core.cli_options import DONE, FINDINGS, json_option, looking_up, progress_bar, settings_of, store_option
from core.errors import InputError

if TYPE_CHECKING:
    from core.cited_works import Citation
    from core.corpus_policy import CorpusPolicy
    from core.importers import BadLine
    from core.reference_policy import ReferencePolicy
    from core.references import Reference, ReferenceFinding
    from core.settings import Settings
    from core.verification import Progress

Cited = dict["Reference", list["Citation"]]
"""References with the citations that name them."""


@click.command("resolve")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", "format_name", default="auto", show_default=True, help="The file's format.")
@click.option("--recheck", is_flag=True, help="Ask everybody again, also about what was answered before.")
@click.option("--offline", is_flag=True, help="Ask nobody; everything is said to be not checked.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the lines of --json to a file.")
@click.option("--corpus", "corpus_name", metavar="NAME", help="The corpus of answers that name none.")
@looking_up
@store_option
@json_option
def resolve(
    file: Path,
    format_name: str,
    recheck: bool,
    offline: bool,
    out: Path | None,
    corpus_name: str | None,
    store: Path | None,
    references: str | None,
    contact: str | None,
    as_json: bool,
) -> int:
    """Look up every link, DOI and arXiv id that answers cite: does it exist, is it the work meant, can it be read?

    Nobody is asked unless --references or the policy of a corpus says so, and none whom the policy of an answer's
    corpus leaves out. What was answered is kept: a run that was stopped goes on.
    """
    from core.reference_policy import Lives

    chosen = settings_of(store=store, references=references, contact=contact)
    policy = chosen.references.model_copy(update={"offline": offline or chosen.references.offline})
    if recheck:
        lives = Lives(read_days=0, missing_days=0, refused_hours=0, gone_after_hours=policy.lives.gone_after_hours)
        policy = policy.model_copy(update={"lives": lives})
    cited, bad = cited_in(file, format_name, chosen.segmenter)
    parts = by_policy(cited, policy, corpus_name, policies_of(chosen, cited, corpus_name))
    found: Counter[tuple[str, str]] = Counter()
    with progress_bar("Looking up", "references") as show, writing(out, as_json) as lines:
        for finding, cites in look_up(parts, chosen.references_cache, show):
            found[str(finding.resolve), finding.said if finding.at is None else ""] += 1
            if lines is not None:
                lines.write("".join(f"{line}\n" for line in lines_of(finding, cites)))
                lines.flush()
    for told in summary(found, sum(map(len, cited.values()))) if not as_json else ():
        click.echo(told, err=out is not None)
    for one in bad:
        click.echo(f"refused: {one}", err=True)
    return FINDINGS if bad else DONE


def look_up(
    parts: Sequence[tuple[ReferencePolicy, Cited]], cache: Path, show: Progress
) -> Iterator[tuple[ReferenceFinding, list[Citation]]]:
    """What is found of each reference, policy by policy, with the citations that name it."""
    from core import resolving

    total, before = sum(len(part) for _, part in parts), 0
    for policy, part in parts:
        for finding in resolving.resolve(part, policy, partial(_further, show, before, total), cache):
            yield finding, part[finding.reference]
        before += len(part)


def _further(show: Progress, before: int, total: int, done: int) -> None:
    show(before + done, total)


def policies_of(settings: Settings, cited: Cited, corpus: str | None) -> dict[str, CorpusPolicy]:
    """What corpora let be asked, by name; a file that names none needs no store.

    Raises:
        InputError: A corpus was named, and there is no store that could know it.
        StoreError: The store cannot be read.
    """
    if corpus is None and all(one.corpus is None for cites in cited.values() for one in cites):
        return {}
    if not settings.store.exists():
        if corpus is None:
            return {}
        raise InputError(f"No store at {settings.store} knows the corpus {corpus}", "name the store with --store")
    from core.admin import perform
    from core.corpus_work import CorpusPolicyWork

    return perform(settings, CorpusPolicyWork(), lambda done, total: None).policies


def by_policy(
    cited: Cited, policy: ReferencePolicy, corpus: str | None, said: dict[str, CorpusPolicy]
) -> list[tuple[ReferencePolicy, Cited]]:
    """The references of a file apart by the policy that holds for the answers which cite them.

    Args:
        cited: All of them.
        policy: Of the run; for answers whose corpus has no policy of its own.
        corpus: That of answers that name none.
        said: The policies of corpora, by name.
    """
    from core.corpus_policy import of_corpora

    parts: dict[str | None, Cited] = {}
    for reference, cites in cited.items():
        for one in cites:
            name = one.corpus or corpus
            parts.setdefault(name if name in said else None, {}).setdefault(reference, []).append(one)
    return [(of_corpora(policy, said, [name] if name else []), part) for name, part in parts.items()]


def cited_in(file: Path, format: str, segmenter: str) -> tuple[Cited, list[BadLine]]:
    """Every reference of a file's answers with the citations that name it, in their order; and the lines refused.

    Raises:
        ImportFormatError: The file cannot be read at all.
    """
    from core import extraction, importers
    from core.cited_works import citations
    from core.importers import BadLine

    cited: Cited = {}
    bad = []
    for row in importers.read(file, format):
        if isinstance(row, BadLine):
            bad.append(row)
            continue
        for one in citations(row, {claim.claim_id: claim.cites for claim in extraction.claims(row, segmenter)}):
            cited.setdefault(one.reference, []).append(one)
    return cited, bad


def writing(out: Path | None, as_json: bool) -> nullcontext[TextIO] | nullcontext[None] | TextIO:
    """Where lines of JSON go; a file is written anew, line by line."""
    if out is not None:
        return out.open("w", encoding="utf-8", newline="\n")
    return nullcontext(sys.stdout) if as_json else nullcontext(None)


def lines_of(finding: ReferenceFinding, cited: Iterable[Citation]) -> Iterator[str]:
    """One object of JSON for each citation of a work: the three axes, why, and every receipt; no text that was read."""
    import json

    dump = finding.model_dump(mode="json", exclude={"read": {"text"}})
    said = {
        "resolve": str(finding.resolve),
        "label": finding.label,
        "flags": list(finding.flags),
        "asked_at": finding.at.isoformat() if finding.at else None,
    }
    for one in cited:
        where = {"request_id": one.request_id, "cite": one.cite, "claims": list(one.claims)}
        yield json.dumps(where | dump | said, ensure_ascii=False)


def summary(found: Counter[tuple[str, str]], citations: int) -> Iterator[str]:
    """How many references stand how, and why nobody was asked."""
    nothing = "" if found else ": the answers cite no link, DOI or arXiv id"
    yield f"{sum(found.values())} references in {citations} citations{nothing}"
    for word in dict.fromkeys(word for word, _ in found):
        yield f"  {word:<16} {sum(count for (one, _), count in found.items() if one == word):>7}"
    for (_, why), count in found.items():
        if why:
            yield f"{why.rstrip('.')} ({count})."
