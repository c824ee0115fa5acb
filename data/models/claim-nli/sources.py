"""The training sets: where each comes from, under which licence, and how it must be named."""

from __future__ import annotations

from typing import Final, NamedTuple


class Source(NamedTuple):
    """One set of human-labelled pairs."""

    title: str
    origin: str
    licence: str
    text: str
    """Where its sentences come from, with their licence, where that differs."""


_WIKIPEDIA: Final = "Wikipedia, CC BY-SA 3.0"
_SEMI_AUTOMATIC: Final = "https://github.com/nyu-mll/semi-automatic-nli"
_BEGIN: Final = "https://github.com/google/BEGIN-dataset"

SOURCES: Final = {
    "begin_cmu": Source("BEGIN (CMU-DoG part)", _BEGIN, "CC BY 4.0", ""),
    "begin_wow": Source("BEGIN (Wizard of Wikipedia part)", _BEGIN, "CC BY 4.0", ""),
    "cad_nli": Source(
        "Counterfactually augmented NLI",
        "https://github.com/acmi-lab/counterfactually-augmented-data",
        "Apache-2.0",
        "captions of SNLI, CC BY-SA 4.0",
    ),
    "checkcovid": Source(
        "Check-COVID", "https://github.com/posuer/Check-COVID", "MIT", "abstracts of scientific papers"
    ),
    "citint": Source(
        "Citation Integrity (Sarol et al. 2024)",
        "https://github.com/jedick/MLE-capstone-project",
        "MIT",
        "open-access biomedical papers",
    ),
    "conjnli": Source("ConjNLI", "https://github.com/swarnaHub/ConjNLI", "MIT", _WIKIPEDIA),
    "factcheckgpt": Source("Factcheck-GPT", "https://github.com/yuxiaw/Factcheck-GPT", "Apache-2.0", "web snippets"),
    "fever_rte": Source("FEVER (dev, as claim and evidence)", "https://fever.ai", "CC BY-SA 3.0", _WIKIPEDIA),
    "fever_symmetric": Source(
        "FEVER Symmetric (dev)", "https://github.com/TalSchuster/FeverSymmetric", "CC BY-SA 3.0", _WIKIPEDIA
    ),
    "fm2": Source("Fool Me Twice (dev)", "https://github.com/google-research/fool-me-twice", "Apache-2.0", _WIKIPEDIA),
    "san_base_wiki": Source("Semi-automatic NLI, base", _SEMI_AUTOMATIC, "CC BY-SA 3.0", _WIKIPEDIA),
    "san_sim_wiki": Source("Semi-automatic NLI, similar", _SEMI_AUTOMATIC, "CC BY-SA 3.0", _WIKIPEDIA),
    "san_translate_wiki": Source("Semi-automatic NLI, translated", _SEMI_AUTOMATIC, "CC BY-SA 3.0", _WIKIPEDIA),
    "snli": Source("SNLI (dev)", "https://nlp.stanford.edu/projects/snli", "CC BY-SA 4.0", "Flickr30k captions"),
    "wice_subclaim_tokens": Source(
        "WiCE (sub-claims, train)",
        "https://github.com/ryokamoi/wice",
        "ODC-BY (annotations)",
        "Wikipedia, CC BY-SA; web pages of Common Crawl, under its terms of use",
    ),
}
"""By the name a set has in its rows."""


def notice(base: str, used: list[str]) -> str:
    """The NOTICE of a model trained from `base` on the sets `used`."""
    lines = [
        "claim-nli, a claim verifier for Citedesk",
        "Licensed under the Apache License, Version 2.0: https://www.apache.org/licenses/LICENSE-2.0",
        "",
        f"It was trained from {base} (sentence-transformers; Apache License, Version 2.0).",
        "",
        "It was trained on the following sets; none of their text is part of this package.",
        "Where a set is under CC BY or CC BY-SA, this is its attribution: its rows were used as training pairs,",
        "unchanged and edited (numbers, names, negation, joined or removed sentences).",
        "",
    ]
    for name in used:
        if name in SOURCES:
            source = SOURCES[name]
            text = f"; text: {source.text}" if source.text else ""
            lines.append(f"- {source.title}, {source.origin}, {source.licence}{text}")
    return "\n".join(lines) + "\n"
