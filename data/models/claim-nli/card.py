"""The model card, written from measured.json and config.json: no figure in it is typed by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from sources import SOURCES

Figures = Mapping[str, Any]

_LIMITS: Final = (
    "It reads English. Claims and evidence in other languages were not trained on.",
    "It ranks and flags; it does not decide. On real citations (citint, expertqa) it is right far less often than on"
    " claims against one short passage: see the table.",
    "“Partial” cannot be read off its score: supported and partly supported claims overlap.",
    "“Contradicted” is most reliable for swapped numbers, dates and negations, which training made many of.",
    "Numbers, units, names and hedges are better left to Citedesk's qualifiers, which may overrule it.",
    "Training text is news, encyclopaedia, captions, biomedical abstracts and web snippets; law, code, tables and"
    " conversations are out of its range.",
    "The thresholds are fitted on held-out training pairs; on text of another kind they may be wrong.",
    "int8 kernels differ between processors; scores may differ in the second decimal from one to another, and on"
    " processors without VNNI the difference was not measured.",
    "One seed was trained: differences under about 2 points may be chance.",
)


def render(figures: Figures, config: Figures) -> str:
    """The whole card in Markdown."""
    parts = [
        _head(figures, config),
        _recipe(figures),
        _data(figures["training"]),
        _thresholds(figures["export"], config),
        _table(figures["dev"]),
        _quantised(figures),
        _probes(figures["probes"]),
        "## Limits\n\n" + "\n".join(f"- {line}" for line in _LIMITS),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _head(figures: Figures, config: Figures) -> str:
    mean = figures["dev"]["mean"]
    compared = [
        f"{_points(mean[name])} for {title}"
        for name, title in (("lexical", "shared words"), ("cosine", "cosine"))
        if name in mean
    ]
    beside = f" ({', '.join(compared)})" if compared else ""
    return f"""# {config["name"]} {config["version"]}

<!-- Written by card.py from measured.json; change that, not this. -->

A cross-encoder that reads evidence and claim together and gives the probabilities of {", ".join(config["labels"])}.
Base: {config["base"]}. Licence: {config["licence"]} (attributions in NOTICE). Longest input:
{config["max_tokens"]} tokens.

Balanced accuracy of supported against all else, mean over {len(figures["dev"]["sets"])} evaluation sets:
**{_points(mean["nli"])}**{beside}; none of these sets was trained on, and none had a say in the thresholds.
"""


def _recipe(figures: Figures) -> str:
    run = figures["training"]
    digests = ", ".join(f"{epoch}: `{digest[:12]}`" for epoch, digest in run["epoch_digests"].items())
    taught = "with" if run["soft_labels"] else "without"
    return f"""## Recipe

`train.py --base … --tokens {run["tokens"]} --seed {run["seed"]} --workers {run["workers"]}`:
{run["tokens"]:,} tokens, {run["pairs"]:,} pairs, {run["steps"]:,} steps, {run["epochs"]} epochs,
{run["hours"]} hours on CPU cores shared with other work. AdamW, bfloat16 weights with float32 masters, peak
learning rate {run["learning_rate"]}, {run["batch_tokens"]} tokens a batch, no dropout, word embeddings frozen,
averaged weights (decay {run["ema"]}), {taught} a teacher. Mean loss of the last 100 steps: {run["last_loss"]}.
Exported weights: {figures["export"]["weights"]}.
SHA-256 of each epoch's rows: {digests}. {run.get("remark", "")}"""


def _data(run: Figures) -> str:
    lines = [
        "## Data",
        "",
        "Rows whose claim or pair stands in an evaluation set were dropped; 8 % of each set's claims were held out.",
        "",
        "| set | licence | read | dropped | held out | trained on |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for name, tally in run["sets"].items():
        licence = SOURCES[name].licence if name in SOURCES else "of the repository"
        counts = " | ".join(str(tally.get(key, 0)) for key in ("read", "dropped", "held_out", "train"))
        lines.append(f"| {name} | {licence} | {counts} |")
    made = ", ".join(
        f"{name.removeprefix('gen_').replace('_', ' ')} {count}" for name, count in run["generated"].items()
    )
    lines += ["", f"Made from these anew for every epoch (rows of the first): {made}."]
    return "\n".join(lines)


def _thresholds(export: Figures, config: Figures) -> str:
    own = config["thresholds"]
    rows = [
        f"| {name} | {row['n']} | {row['supported']} | {100 * row['balanced_accuracy']:.1f} |"
        for name, row in export["held_out"].items()
    ]
    return "\n".join(
        [
            "## Thresholds",
            "",
            f"One value each for all text: supported from {own['supported']}, contradicted from {own['contradicted']};",
            "fitted on the held-out training pairs, every set weighing the same. Balanced accuracy there, on the very",
            "pairs that the threshold was fitted on:",
            "",
            "| held-out set | n | supported | balanced accuracy |",
            "|---|---:|---:|---:|",
            *rows,
        ]
    )


def _table(dev: Figures) -> str:
    judges = [name for name in ("lexical", "cosine") if name in dev["mean"]]
    lines = [
        "## Evaluation sets",
        "",
        "Supported against all else, in points; 95 % bootstrap intervals, pairs that share a text drawn together.",
        "Judged as Citedesk does (windows and focus of long evidence), without qualifiers. “above”: paired difference.",
        "",
        "| set | n (supported) | nli | AUC |" + "".join(f" {name} | above {name} |" for name in judges),
        "|---|---:|---:|---:|" + "---:|---:|" * len(judges),
    ]
    for name, row in dev["sets"].items():
        beside = "".join(f" {_points(row[judge])} | {_signed(row[f'above_{judge}'])} |" for judge in judges)
        counts = f"{row['n']} ({row['supported']})"
        lines.append(f"| {name} | {counts} | {_points(row['balanced_accuracy'], True)} | {row['auc']:.3f} |{beside}")
    mean = dev["mean"]
    beside = "".join(f" {_points(mean[judge])} | {_signed(mean[f'above_{judge}'])} |" for judge in judges)
    lines.append(f"| **mean** | | {_points(mean['nli'], True)} | {mean['auc']:.3f} |{beside}")
    lines += ["", *_not_won(dev["sets"], judges)]
    return "\n".join(lines)


def _not_won(sets: Figures, judges: Sequence[str]) -> Iterator[str]:
    """Which sets it does not win against each baseline, and where a win may be chance."""
    for judge in judges:
        behind = [name for name, row in sets.items() if row[f"above_{judge}"]["estimate"] <= 0]
        unsure = [
            name
            for name, row in sets.items()
            if row[f"above_{judge}"]["estimate"] > 0 and (row[f"above_{judge}"]["low"] or 0) <= 0
        ]
        yield f"- Not better than {judge}: {', '.join(behind) or 'none'}."
        yield f"- Better than {judge}, but perhaps by chance: {', '.join(unsure) or 'none'}."


def _quantised(figures: Figures) -> str:
    found, speed = figures["parity"], figures.get("speed")
    text = f"""## int8

On {found["pairs"]} pairs of the evaluation sets int8 and float32 fall on the same side of the threshold in
{100 * found["same_side"]:.1f} % of cases (same highest label {100 * found["same_highest"]:.1f} %; mean difference of
the entailment score {found["mean_absolute_difference"]:.3f}); mean balanced accuracy
{100 * found["balanced_accuracy_int8"]:.1f} in int8, {100 * found["balanced_accuracy_float"]:.1f} in float32."""
    if speed:
        text += f"""
Speed on {speed["cores"]} cores, {speed["pairs"]} pairs of {speed["mean_tokens"]} tokens on average, medians of
{speed["rounds"]} rounds in turns: {speed["int8_pairs_per_second"]} pairs/s in int8,
{speed["torch_pairs_per_second"]} with the float32 torch cross-encoder, a ratio of {speed["ratio"]}."""
    return text


def _probes(probes: Sequence[Figures]) -> str:
    lines = [
        "## Behaviour probes",
        "",
        "Share called supported by the model alone, without qualifiers, on pairs made by `core.probes` (not by the",
        "generator of the training rows) from supported pairs of the evaluation sets.",
        "",
        "| probe | made of | n | called supported, % | aim, % |",
        "|---|---|---:|---:|---:|",
    ]
    for one in probes:
        aim = f"{'≥' if one['kind'].startswith('verbatim') else '≤'} {100 * one['target']:.0f}"
        missed = "" if one["met"] in (True, None) else " (missed)"
        lines.append(f"| {one['kind']} | {one['base']} | {one['n']} | {_points(one, True)} | {aim}{missed} |")
    return "\n".join(lines)


def _points(found: Figures, interval: bool = False) -> str:
    """An estimate in points, with its interval if asked for."""
    if found["estimate"] is None:
        return "–"
    text = f"{100 * found['estimate']:.1f}"
    if interval and found["low"] is not None:
        text += f" ({100 * found['low']:.1f}–{100 * found['high']:.1f})"
    return text


def _signed(found: Figures) -> str:
    """A difference in points with sign and interval."""
    if found["estimate"] is None:
        return "–"
    return f"{100 * found['estimate']:+.1f} ({100 * found['low']:+.1f} to {100 * found['high']:+.1f})"
