"""Train the bundled claim judge: mix, train, export, fit thresholds, evaluate, write the card.

    python data/models/claim-nli/train.py --gold ../shared/gold --base minilm --tokens 10500000 --seed 1 --out DIR
    python data/models/claim-nli/train.py --smoke

A run that was interrupted goes on with `--resume`. Needs the extra `train` and the package of the base model.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[2]
sys.path[:0] = [path for path in (str(HERE), str(ROOT)) if path not in sys.path]
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import mix  # noqa: E402
import smoke  # noqa: E402
import sources  # noqa: E402
from bases import find_base  # noqa: E402
from recipe import Epochs, Recipe, note  # noqa: E402

TOKENS: Final = 10_500_000
HELD_OUT: Final = 300
"""Held-out pairs of a set that are scored, at most."""
STAGES: Final = ("train", "export", "evaluate", "card", "embed")


def train(recipe: Recipe) -> None:
    """Train with `recipe.workers` processes that share each batch."""
    import torch.multiprocessing

    if recipe.checkpoint.exists() and not recipe.resume:
        raise SystemExit(f"{recipe.checkpoint} is there already; give --resume to go on, or remove it.")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    if recipe.workers == 1:
        _work(0, recipe, port)
    else:
        torch.multiprocessing.spawn(_work, args=(recipe, port), nprocs=recipe.workers)


def _work(rank: int, recipe: Recipe, port: int) -> None:
    """One worker's part of the training; the first writes the log and the checkpoints."""
    import torch

    from examples import read_soft_labels
    from training import Settings, Trainer

    torch.set_num_threads(recipe.threads)
    if recipe.workers > 1:
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
        torch.distributed.init_process_group("gloo", rank=rank, world_size=recipe.workers)

    def log(line: str) -> None:
        if rank == 0:
            print(time.strftime("%H:%M:%S"), line, flush=True)

    epochs = Epochs(recipe)
    soft = read_soft_labels(recipe.soft_labels) if recipe.soft_labels else None
    trainer = Trainer(Settings(recipe.base, recipe.tokens, recipe.seed), epochs.rows, soft)
    if recipe.resume and recipe.checkpoint.exists():
        trainer.load(recipe.checkpoint)
        log(f"going on at {trainer.tokens} tokens")
    trainer.run(recipe.work, log)
    if rank == 0:
        note(recipe, {"training": _what_was_trained(recipe, trainer, epochs)})
    if recipe.workers > 1:
        torch.distributed.destroy_process_group()


def _what_was_trained(recipe: Recipe, trainer: Any, epochs: Epochs) -> dict[str, Any]:
    """Figures of the run for the card."""
    from examples import tokenise

    settings = trainer.settings
    first = epochs.rows(0)
    one_epoch = sum(len(example.ids) for example in tokenise(first, trainer.tokenizer))
    digests = {str(epoch): mix.digest(epochs.rows(epoch)) for epoch in range(trainer.epoch + 1)}
    made = Counter(row.source for row in first if row.source.startswith("gen_"))
    return {
        "base": recipe.title,
        "seed": recipe.seed,
        "tokens": trainer.tokens,
        "pairs": trainer.pairs,
        "steps": trainer.steps,
        "epochs": round(trainer.tokens / one_epoch, 2),
        "hours": round(trainer.seconds / 3600, 2),
        "workers": recipe.workers,
        "learning_rate": settings.learning_rate,
        "batch_tokens": settings.batch_tokens,
        "ema": settings.ema,
        "soft_labels": recipe.soft_labels is not None,
        "last_loss": round(sum(trainer.losses) / len(trainer.losses), 4),
        "epoch_digests": digests,
        "sets": {name: dict(tally) for name, tally in sorted(epochs.mix.counts.items())},
        "generated": dict(sorted(made.items())),
    }


def export(recipe: Recipe) -> None:
    """Write the model folder, with the weights (last or averaged) and thresholds that held-out pairs prefer."""
    from core.gold_pairs import sampled

    import evaluation
    from export import checkpoint_model, export_classifier

    held = [sampled(data, HELD_OUT, 1) for data in evaluation.held_out_sets(mix.read_mix(recipe.gold).held_out)]
    best: tuple[float, str, dict[str, float], Path] | None = None
    tried: dict[str, Any] = {}
    for which in ("average", "masters"):
        folder = recipe.work / which
        model = checkpoint_model(recipe.base, recipe.checkpoint, which)
        settings = {"temperature": 1.0, "thresholds": {"supported": 0.5, "contradicted": 0.5}, "base": recipe.title}
        difference = export_classifier(model, recipe.base, folder, settings)
        scored, _ = evaluation.score_all(folder, held)
        thresholds, reached = evaluation.fit_thresholds(scored)
        tried[which] = {"held_out_balanced_accuracy": reached, "thresholds": thresholds, **difference}
        print(which, tried[which], flush=True)
        if best is None or reached > best[0]:
            best = reached, which, thresholds, folder
            per_set = evaluation.held_out_table(scored, thresholds["supported"])
    assert best is not None
    _, which, thresholds, folder = best
    for name in ("model.onnx", "tokenizer.json"):
        shutil.copy(folder / name, recipe.out / name)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["thresholds"] = thresholds
    (recipe.out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    note(recipe, {"export": {"weights": which, "tried": tried, "held_out": per_set}})


def evaluate(recipe: Recipe) -> None:
    """Measure the exported model: table of the dev sets, int8 parity, probes, speed."""
    import evaluation
    import speed

    thresholds = json.loads((recipe.out / "config.json").read_text(encoding="utf-8"))["thresholds"]
    sets = evaluation.evaluation_sets(recipe.gold / "dev", None)
    scored, seconds = evaluation.score_all(recipe.out, sets)
    evaluation.save_scores(scored, recipe.work / "scores.json")
    embed = HERE.parent / "embed"
    judges = evaluation.baselines(embed) if (embed / "model.onnx").exists() else {}
    figures: dict[str, Any] = {"dev": evaluation.table(scored, thresholds["supported"], judges), "dev_seconds": seconds}
    note(recipe, figures)
    which = json.loads((recipe.out / "measured.json").read_text(encoding="utf-8"))["export"]["weights"]
    size = 40 if recipe.smoke else 150
    float_folder = recipe.work / which / "float"
    note(recipe, {"parity": evaluation.parity(scored, float_folder, thresholds["supported"], size)})
    note(recipe, {"probes": evaluation.probe(recipe.out, thresholds, sets, 20 if recipe.smoke else 200)})
    note(recipe, {"speed": speed.measure(recipe, sets, which)})


def card(recipe: Recipe) -> None:
    """Write MODEL_CARD.md and NOTICE from what was measured."""
    from card import render

    figures = note(recipe, {})
    config = json.loads((recipe.out / "config.json").read_text(encoding="utf-8"))
    (recipe.out / "MODEL_CARD.md").write_text(render(figures, config), encoding="utf-8")
    used = sorted(figures["training"]["sets"])
    (recipe.out / "NOTICE").write_text(sources.notice(recipe.title, used), encoding="utf-8")


def embed(recipe: Recipe) -> None:
    """Write the sentence embedder beside the model folder: the base as it is, in int8."""
    from export import export_embedder

    pairs = mix.read_mix(recipe.gold).held_out[:200]
    found = export_embedder(
        recipe.base, recipe.out.parent / "embed", [text for pair in pairs for text in (pair.evidence, pair.claim)]
    )
    print("embed", found, flush=True)


def arguments(given: list[str] | None = None) -> tuple[Recipe, list[str]]:
    """The recipe and the stages asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--gold", type=Path, default=ROOT.parent / "shared" / "gold", help="folder with train/ and dev/"
    )
    parser.add_argument("--base", default="minilm", help="minilm, mpnet, or a folder")
    parser.add_argument("--tokens", type=int, default=TOKENS, help="tokens to train on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="processes that share each batch")
    parser.add_argument("--threads", type=int, default=1, help="threads of each process")
    parser.add_argument("--out", type=Path, help="the model folder to write (default: data/local/claim-nli/model)")
    parser.add_argument("--work", type=Path, help="checkpoints and logs (default: data/local/claim-nli/run)")
    parser.add_argument("--soft-labels", type=Path, help="a teacher's distributions, see soft_labels.py")
    parser.add_argument(
        "--stage", choices=STAGES, action="append", help="only this stage (may be repeated); embed runs only so"
    )
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--smoke", action="store_true", help="everything once, tiny, from the repository alone")
    asked = parser.parse_args(given)
    local = ROOT / "data" / "local" / "claim-nli"
    work = asked.work or local / ("smoke" if asked.smoke else "run")
    out = asked.out or (work / "model" if asked.smoke else local / "model")
    gold, tokens, workers = asked.gold, asked.tokens, asked.workers
    if asked.smoke:
        shutil.rmtree(work, ignore_errors=True)
        gold = smoke.write_gold(ROOT / "data", work / "gold")
        base, title = smoke.write_base(HERE / "tokenizer.json", work / "base"), "a random model, for the smoke run"
        tokens, workers = min(tokens, smoke.SMOKE_TOKENS), 1
    else:
        base, title = find_base(asked.base, local / "bases")
    recipe = Recipe(
        gold, base, title, tokens, asked.seed, workers, asked.threads, out, work, asked.soft_labels, asked.smoke,
        asked.resume,
    )  # fmt: skip
    return recipe, asked.stage or list(STAGES[:-1])


def main() -> None:
    """Run the stages asked for, in their order."""
    recipe, stages = arguments()
    if not any((recipe.gold / "train").glob("*.jsonl")):
        raise SystemExit(f"There are no training sets in {recipe.gold}; give --gold, or --smoke for a trial.")
    for stage, run in zip(STAGES, (train, export, evaluate, card, embed), strict=True):
        if stage in stages:
            run(recipe)


if __name__ == "__main__":
    main()
