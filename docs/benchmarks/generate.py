"""Write ``docs/benchmarks.md``: judges against people's labels; run as ``python -m docs.benchmarks.generate``."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from core import bench_judges, benchmark, benchmark_report, gold_pairs, importers, minimal_pairs, probes, sample
from core.cli_options import progress_bar
from core.inference import cores
from core.models import Answer
from core.settings import Settings

HOME = Path(__file__).parent
PAGE = HOME.parent / "benchmarks.md"
SHARED = HOME.parents[2] / "shared" / "gold" / "dev"
SAMPLE = 400

SETS = (
    "Pairs: the `dev` files of the project's gold data, labelled by people for public data sets (the name of the split "
    "stands beside each). They serve for choosing and reporting, never for training or fitting a threshold; the "
    "official test splits are kept back. They are not part of this repository."
)
OURS = (
    "Pairs: **only the few that come with Citedesk** (`data/samples`), because the public data sets were not at hand. "
    "They were written beside the product and say nothing about the world."
)


def page(verifiers: Sequence[str], size: int | None, seed: int = 0, folder: Path = SHARED) -> str:
    """The page, from its template beside this file, with a report a verifier on at most ``size`` pairs a set."""
    with tempfile.TemporaryDirectory() as scratch:
        files = sorted(folder.glob("*.jsonl"))
        where = SETS if files else OURS
        gold = gold_pairs.load(files or [write_sample(Path(scratch, "samples.jsonl"))], size, seed)
    if gold.bad_lines:
        sys.exit(f"{gold.bad_lines[0]}; a page must not hide what it could not read")
    pairs = minimal_pairs.rates(minimal_pairs.read(minimal_pairs.folder()))
    reports = [report(name, gold, seed, size) for name in verifiers]
    reports.append("\n".join(benchmark_report.minimal(pairs, "##")))
    return (
        (HOME / "template.md")
        .read_text(encoding="utf-8")
        .replace("{where}", where)
        .replace("{cores}", str(cores()))
        .replace("{reports}", "\n".join(reports).rstrip())
    )


def report(verifier: str, gold: gold_pairs.Gold, seed: int, size: int | None) -> str:
    """One verifier's report."""
    judges = bench_judges.Judges.build(Settings(verifier=verifier))
    probing = min(probes.PER_KIND, size or probes.PER_KIND)
    with progress_bar(f"Judging by {verifier}", "pairs") as progress:
        found = benchmark.run(gold, judges, progress, seed, probing)
    return benchmark_report.markdown(found, level=2)


def write_sample(path: Path) -> Path:
    """Write the labelled claims of the sample with the texts they cite; claims that cite nothing stay out."""
    rows = importers.read(sample.answers_path())
    texts = {
        (one.request_id, entry.id): entry.text for one in rows if isinstance(one, Answer) for entry in one.evidence
    }
    labelled = sample.answers_path().with_name("gold.jsonl").read_text(encoding="utf-8")
    with path.open("w", encoding="utf-8") as file:
        for label in map(json.loads, labelled.splitlines()):
            evidence = texts.get((label["request_id"], label["cite"]))
            if evidence and evidence.strip():
                kept = {name: label[name] for name in ("request_id", "claim", "label")}
                file.write(json.dumps(kept | {"evidence": evidence, "dataset": "samples"}, ensure_ascii=False) + "\n")
    return path


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verifier", action="append", help="who is measured; may be given again (the default judge)")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="pairs a data set at most, 0 for all (%(default)s)")
    options = parser.parse_args()
    verifiers = options.verifier or [Settings().verifier]
    PAGE.write_text(page(verifiers, options.sample or None), encoding="utf-8")


if __name__ == "__main__":
    main()
