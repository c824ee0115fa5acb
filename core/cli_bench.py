"""``citedesk bench``: how well does a judge agree with people, beside baselines?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_options import DONE, FINDINGS, print_spend, progress_bar, settings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.benchmark import Benchmark
    from core.gold_pairs import Gold
    from core.minimal_pairs import Rates
    from core.settings import Settings


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--verifier", metavar="NAME", help="Who is measured.  [default: the one that judges]")
@click.option("--threshold", multiple=True, metavar="NAME=VALUE", help="Set one of the verifier's thresholds.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="At most N pairs a data set, and N probes.")
@click.option("--seed", default=0, show_default=True, help="Of the sample, the probes and the intervals.")
@click.option("--no-baselines", is_flag=True, help="Leave out what the verifier is measured beside.")
@click.option("--probes/--no-probes", default=True, help="Judge altered pairs too.  [default: --probes]")
@click.option("--minimal-pairs", is_flag=True, help="Measure the qualifiers on our minimal pairs too; needs no FILES.")
@click.option("--retrieval", is_flag=True, help="Only measure how well passages are found; needs no FILES.")
@click.option("--fit", metavar="SCORE", help="Only find the threshold of one of the verifier's scores that fits best.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def bench(
    files: tuple[Path, ...],
    verifier: str | None,
    threshold: tuple[str, ...],
    sample: int | None,
    seed: int,
    no_baselines: bool,
    probes: bool,
    minimal_pairs: bool,
    retrieval: bool,
    fit: str | None,
    as_json: bool,
) -> int:
    """Measure a verifier against people's labels.

    FILES hold one JSON object a line: claim, evidence, label.

    Prints Markdown. Nothing is stored, and nothing that was judged before is used.
    """
    if retrieval:
        if files or fit or minimal_pairs:
            raise click.UsageError("--retrieval measures passages, not a verifier: give it alone.")
        click.echo(passages_found(seed, as_json))
        return DONE
    if not files and (fit or not minimal_pairs):
        raise click.UsageError("Give FILES to measure on, or --minimal-pairs, or --retrieval.")
    from core import gold_pairs
    from core.minimal_pairs import folder, rates, read

    pairs = rates(read(folder())) if minimal_pairs else []
    if not files:
        click.echo(qualifiers_alone(pairs, as_json), nl=as_json)
        return DONE
    settings = settings_of(verifier=verifier, threshold=threshold)
    gold = gold_pairs.load(files, sample, seed)
    if fit:
        click.echo(fitted(gold, settings, fit, as_json))
    else:
        found = measured(gold, settings, not no_baselines, seed, (sample or 0) if probes else None)
        click.echo(said(found.model_copy(update={"minimal_pairs": tuple(pairs)}), as_json), nl=as_json)
    for bad in gold.bad_lines:
        click.echo(f"refused: {bad}", err=True)
    for file in gold.files:
        for label, count in file.set_aside.items():
            click.echo(f"note: {file.name}: {count} pairs set aside, no verifier says {label}", err=True)
    return FINDINGS if gold.bad_lines else DONE


def measured(gold: Gold, settings: Settings, baselines: bool, seed: int, probing: int | None) -> Benchmark:
    """Run the benchmark with at most ``probing`` probes a kind, 0 for as many as usual, none for no probes."""
    from core import bench_judges, benchmark
    from core.probes import PER_KIND

    judges = bench_judges.Judges.build(settings, bench_judges.BASELINES if baselines else ())
    probes = 0 if probing is None else min(PER_KIND, probing or PER_KIND)
    with progress_bar("Judging", "pairs") as progress:
        return benchmark.run(gold, judges, progress, seed, probes)


def said(found: Benchmark, as_json: bool) -> str:
    """A benchmark as one object, or in words."""
    from core import benchmark_json, benchmark_report

    if as_json:
        return json.dumps(benchmark_json.to_json(found), ensure_ascii=False)
    return benchmark_report.markdown(found)


def qualifiers_alone(pairs: Sequence[Rates], as_json: bool) -> str:
    """The rates of the qualifiers as one object, or in words."""
    from core import benchmark_report

    if as_json:
        return json.dumps({"minimal_pairs": [one.model_dump(mode="json") for one in pairs]}, ensure_ascii=False)
    return "\n".join(benchmark_report.minimal(pairs, "#")) + "\n"


def passages_found(seed: int, as_json: bool) -> str:
    """How well passages are found with the embedder of the settings, as one object, or in words."""
    from core import retrieval_bench

    with progress_bar("Reading", "passages, then questions") as progress:
        found = retrieval_bench.run(settings_of(), seed=seed, progress=progress)
    return found.model_dump_json() if as_json else retrieval_bench.markdown(found)


def fitted(gold: Gold, settings: Settings, score: str, as_json: bool) -> str:
    """The threshold that fits best, in words."""
    from core import fitting, plugins, spend, verifiers
    from core.errors import VerifierUnavailable

    module = plugins.load(verifiers, settings.verifier.partition(":")[0], VerifierUnavailable)
    verifier = module.build(settings)
    try:
        with progress_bar("Judging", "pairs") as progress:
            found = fitting.fit(gold, verifier, score, progress)
    finally:
        print_spend(spend.totals(verifiers.spent(verifier)))
    if as_json:
        return found.model_dump_json()
    return (
        f"{found.score} ≥ {found.threshold}: mean balanced accuracy {found.mean_balanced_accuracy:.3f} over the "
        f"{found.sets} data sets it was fitted on ({found.pairs} pairs, {found.unscored} without that score)"
    )
