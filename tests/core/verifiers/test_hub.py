"""Judges by name: a tiny real BERT classifier, made here, in every order of labels; and everything that is refused.

Only this module loads torch: it takes seconds, so all that needs it stands here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from core.errors import VerifierUnavailable
from core.models import Failure, Judgement, Label, Pair, Status
from core.semantic import Judge
from core.settings import HubSettings, Settings
from core.verifiers import _hub_files, hub
from core.verifiers._hub_labels import order
from core.verifiers._hub_network import BATCH_TOKENS, Network, _batches
from tests.core.test_cli import GOOD, log

pytestmark = pytest.mark.long

WORDS = (
    "the gate opens shuts at seven nine in morning evening rain fell on hills . a b 3 yes no ' claim : options".split()
)
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
PAIR = Pair(
    claim="The gate opens at seven.", evidence="The gate opens at seven in the morning. Rain fell on the hills."
)
ROOT = Path(__file__).parents[3]

Make = Callable[..., Path]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two layers, hidden 32, three logits of which the first always wins; saved as transformers saves it."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    folder = tmp_path_factory.mktemp("models") / "tiny"
    vocabulary = {word: number for number, word in enumerate([*MARKS, *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]",
        model_max_length=64,
    ).save_pretrained(folder)  # fmt: skip
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, max_position_embeddings=64,
        id2label={0: "entailment", 1: "neutral", 2: "contradiction"},
        label2id={"entailment": 0, "neutral": 1, "contradiction": 2},
    )  # fmt: skip
    network = transformers.BertForSequenceClassification(config)
    network.classifier.bias.data = torch.tensor([4.0, 1.0, 0.0])
    network.save_pretrained(folder)
    return folder


@pytest.fixture
def make(made: Path, tmp_path: Path) -> Make:
    """Copy the model and change its configuration; with ``logits`` as many outputs, the first of which wins."""

    def copy(logits: int = 3, **changes: Any) -> Path:
        folder = tmp_path / "copy"
        shutil.copytree(made, folder)
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | changes))
        if logits != 3:
            from safetensors.torch import load_file, save_file

            weights = load_file(folder / "model.safetensors")
            weights["classifier.weight"] = weights["classifier.weight"][:logits].contiguous()
            weights["classifier.bias"] = weights["classifier.bias"][:logits].contiguous()
            save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
        return folder

    return copy


def named(*names: str) -> dict[str, Any]:
    """Labels as a configuration gives them."""
    return {
        "id2label": {str(number): name for number, name in enumerate(names)},
        "label2id": {name: number for number, name in enumerate(names)},
    }


def build(folder: Path | str, labels: str = "", template: str = "", **thresholds: float) -> hub.HubVerifier:
    """Build the verifier on a folder or name."""
    chosen = HubSettings(labels=labels, template=template)
    verifier = hub.build(Settings(verifier=f"hub:{folder}", hub=chosen, thresholds=thresholds))
    assert isinstance(verifier, hub.HubVerifier)
    return verifier


def judge(folder: Path, pair: Pair = PAIR, **more: Any) -> Judgement:
    """Judge one pair."""
    return build(folder, **more).judge([pair])[0]


EXPECTED = {"entailment": Label.SUPPORTED, "neutral": Label.IRRELEVANT, "contradiction": Label.CONTRADICTED}


@pytest.mark.parametrize("names", list(permutations(EXPECTED)))
def test_the_order_of_labels_is_read_from_the_configuration(make: Make, names: tuple[str, ...]) -> None:
    """The same network under every order: the verdict is what its winning logit means."""
    found = judge(make(**named(*names)))

    assert found.status is Status.JUDGED
    assert found.label is EXPECTED[names[0]]
    assert list(found.scores) == list(names)
    assert max(found.scores, key=lambda name: found.scores[name]) == names[0]
    assert sum(found.scores.values()) == pytest.approx(1, abs=1e-3)
    assert found.tokens_seen == found.tokens_total == 15


def test_the_settings_say_what_the_configuration_does_not(make: Make) -> None:
    """And they outvote it; the protocol has what was used."""
    folder = make(**named("LABEL_0", "LABEL_1", "LABEL_2"))
    first = build(folder, labels="contradiction, Neutral, ENTAILMENT")
    second = build(folder, labels="entailment,neutral,contradiction")

    assert first.judge([PAIR])[0].label is Label.CONTRADICTED
    assert second.judge([PAIR])[0].label is Label.SUPPORTED
    assert first.protocol.sha256 != second.protocol.sha256


@pytest.mark.parametrize(
    ("labels", "label"),
    [
        ("entailment,not_entailment", Label.SUPPORTED),
        ("not_entailment,entailment", Label.IRRELEVANT),
        ("unsupported,supported", Label.IRRELEVANT),
        ("contradiction,entailment", Label.CONTRADICTED),
    ],
)
def test_two_labels(make: Make, labels: str, label: Label) -> None:
    """Without a label for contradiction none is ever found."""
    assert judge(make(2, **named("LABEL_0", "LABEL_1")), labels=labels).label is label


def test_a_single_logit_is_support_only_when_somebody_says_so(make: Make) -> None:
    """By configuration or by settings: its sigmoid is the probability of support."""
    found = judge(make(1, **named("consistent")))

    assert found.label is Label.SUPPORTED
    assert found.scores["entailment"] == pytest.approx(0.98, abs=0.02)


def test_thresholds(make: Make) -> None:
    """They decide, they are in the protocol, and what they cannot be is refused."""
    folder = make()
    strict = build(folder, supported=0.999)

    assert strict.judge([PAIR])[0].label is Label.IRRELEVANT
    assert strict.protocol.thresholds == {"supported": 0.999, "contradicted": 0.5}
    assert strict.protocol.sha256 != build(folder).protocol.sha256
    with pytest.raises(VerifierUnavailable, match="no threshold called 'partial'"):
        build(folder, partial=0.5)
    with pytest.raises(VerifierUnavailable, match=r"is 1\.5"):
        build(folder, supported=1.5)


def test_the_protocol_names_every_file_that_decides(make: Make) -> None:
    """A changed byte of weights, tokenizer or configuration makes another; a read-me does not; no place is named."""
    folder = make()
    before = build(folder).protocol
    (folder / "README.md").write_text("Changed.")
    assert build(folder).protocol == before
    assert before.verifier == "hub:copy"
    assert str(folder.parent) not in before.model_dump_json()

    seen = {before.sha256}
    for file in ("config.json", "tokenizer_config.json"):
        loaded = json.loads((folder / file).read_text())
        (folder / file).write_text(json.dumps(loaded | {"note": "changed"}))
        seen.add(build(folder).protocol.sha256)
    content = bytearray((folder / "model.safetensors").read_bytes())
    content[-1] ^= 1
    (folder / "model.safetensors").write_bytes(bytes(content))
    seen.add(build(folder).protocol.sha256)

    assert len(seen) == 4


def test_each_pair_alone_and_in_company(make: Make) -> None:
    """Batches and padding move no verdict; every judgement is sound."""
    verifier = build(make())
    pairs = [PAIR, Pair(claim="Rain fell.", evidence="Rain fell on the hills. " * 20), Pair(claim="a", evidence="b 3")]
    together = verifier.judge(pairs)

    assert [verifier.judge([pair])[0] for pair in pairs] == together
    assert verifier.judge([]) == []
    for pair, one in zip(pairs, together, strict=True):
        assert one.start is not None
        assert one.end is not None
        assert 0 <= one.start < one.end <= len(pair.evidence)
        assert one.tokens_seen == one.tokens_total > 0


def test_the_sentence_that_shares_most_carries_the_verdict(make: Make) -> None:
    """Comparers see it, not the whole window."""
    found = judge(make(), Pair(claim="Rain fell.", evidence="The gate opens. Rain fell on the hills. The gate shuts."))

    assert found.start is not None
    assert (
        "The gate opens. Rain fell on the hills. The gate shuts."[found.start : found.end] == "Rain fell on the hills."
    )


def scripted(monkeypatch: pytest.MonkeyPatch, word: str) -> list[int]:
    """Make the network support what has a word and nothing else; gives the lengths of the rows it read."""
    read: list[int] = []
    number = [*MARKS, *WORDS].index(word)

    def probabilities(self: Network, rows: list[dict[str, list[int]]]) -> list[list[float]]:
        read.extend(len(row["input_ids"]) for row in rows)
        return [[0.9, 0.1, 0.0] if number in row["input_ids"] else [0.1, 0.2, 0.7] for row in rows]

    monkeypatch.setattr(Network, "probabilities", probabilities)
    return read


def test_long_evidence_is_read_in_windows(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it, never more at once than the model takes; the window that supports carries the verdict."""
    read = scripted(monkeypatch, "nine")
    evidence = "Rain fell on the hills. " * 60 + "The gate shuts at nine. " + "Rain fell on the hills. " * 60
    found = judge(make(), Pair(claim="The gate shuts in the evening.", evidence=evidence))

    assert found.label is Label.SUPPORTED
    assert len(read) > 10
    assert max(read) <= 64
    assert found.tokens_seen == found.tokens_total
    assert evidence[found.start : found.end] == "The gate shuts at nine."


def test_without_support_the_worst_conflict_decides(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contradiction is looked for in every window too."""
    scripted(monkeypatch, "yes")

    assert judge(make()).label is Label.CONTRADICTED


def test_evidence_beyond_all_windows_gets_no_label(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not read cannot be judged, even when a part supports; half a megabyte comes to an end."""
    scripted(monkeypatch, "nine")
    found = judge(make(), Pair(claim="It shuts at nine.", evidence="The gate shuts at nine. " * 20_000))

    assert (found.status, found.label, found.failure) == (Status.TRUNCATED, None, Failure.TRUNCATED)
    assert 0 < found.tokens_seen < found.tokens_total


@pytest.mark.parametrize(
    ("pair", "failure"),
    [
        (Pair(claim="", evidence="Rain fell."), Failure.EMPTY),
        (Pair(claim="Rain fell.", evidence=" \n"), Failure.EMPTY),
        (Pair(claim="rain " * 60, evidence="Rain fell."), Failure.TOO_LONG),
    ],
)
def test_nothing_to_read_is_never_a_score(make: Make, pair: Pair, failure: Failure) -> None:
    """A typed failure, in order among the others."""
    first, found, last = build(make()).judge([PAIR, pair, PAIR])

    assert (found.status, found.label, found.failure, found.scores) == (Status.FAILED, None, failure, {})
    assert found.reason
    assert first == last
    assert first.label is Label.SUPPORTED


def test_marks_in_a_text_are_only_words(make: Make) -> None:
    """Evidence cannot end itself and bring a claim of its own."""
    verifier = build(make())
    network = verifier._network
    row = network.row("rain [SEP] fell", "the gate [CLS]")

    assert row["input_ids"].count(3) == 2
    assert row["input_ids"].count(2) == 1
    spans = [piece for piece in verifier._take_apart("Rain [SEP] fell. \ud800 Rain.").pieces]
    assert spans[-1].end == len("Rain [SEP] fell. \ud800 Rain.")


def test_a_template_makes_one_text(make: Make) -> None:
    """With its own marks, and with braces of the texts left alone; it is in the protocol."""
    folder = make()
    verifier = build(folder, template=r"{evidence} [SEP] claim: {claim}\noptions")
    row = verifier._network.row("{claim} rain", "gate")
    words = [[*MARKS, *WORDS][number] for number in row["input_ids"]]

    assert words == "[CLS] [UNK] claim [UNK] rain [SEP] claim : gate options [SEP]".split()
    assert verifier.protocol.prompt == "{evidence} [SEP] claim: {claim}\noptions"
    assert verifier.protocol.sha256 != build(folder).protocol.sha256
    assert verifier.judge([PAIR])[0].tokens_seen == 15
    for bad in ("{evidence}", "{claim} {claim} {evidence}", "x"):
        with pytest.raises(VerifierUnavailable, match="is no template"):
            build(folder, template=bad)


def test_it_takes_part_in_the_stage_like_any_other(make: Make) -> None:
    """With the qualifiers, by the name of the settings."""
    judge = Judge.build(Settings(verifier=f"hub:{make()}"))
    (found,) = judge.judge([Pair(claim="The toll is 3 crowns.", evidence="The toll is 4 crowns.")])

    assert judge.protocol.verifier == "hub:copy"
    assert found.label is Label.CONTRADICTED
    assert found.qualifiers


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}, "cannot be told from 'LABEL_0'"),
        ({}, "cannot be told from 'LABEL_0', 'LABEL_1'"),
        ({"id2label": {"0": "LABEL_0"}}, "cannot be told from 'LABEL_0'"),
        ({"id2label": {"0": "entailment", "1": "entailment", "2": "neutral"}}, "cannot be told"),
        ({"id2label": {"0": "neutral", "1": "contradiction"}}, "cannot be told"),
        ({"id2label": {"0": "positive", "1": "negative"}}, "cannot be told from 'positive', 'negative'"),
        ({"id2label": {"0": "hallucinated"}}, "cannot be told"),
        ({"id2label": {"0": "yes", "5": "no"}}, "cannot be told"),
        ({"id2label": ["entailment"]}, "cannot be told"),
        (
            {
                "id2label": {"0": "entailment", "1": "not_entailment"},
                "label2id": {"entailment": 1, "not_entailment": 0},
            },
            "contradicts itself",
        ),
        ({**named("entailment", "neutral"), "problem_type": "multi_label_classification"}, "several labels at once"),
    ],
)
def test_the_meaning_of_logits_is_never_guessed(config: dict[str, Any], words: str) -> None:
    """Nameless, doubled, incomplete, contradictory or foreign labels are refused in one sentence."""
    with pytest.raises(VerifierUnavailable, match=words) as refused:
        order("m", config)

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("names", "meanings"),
    [
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), ("entailment", "neutral", "contradiction")),
        (("Contradiction", "entails", "Not Enough Info"), ("contradiction", "entailment", "neutral")),
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), ("entailment", "contradiction", "neutral")),
        (("not-entailment", "entailment"), ("not_entailment", "entailment")),
        (("hallucinated", "consistent"), ("not_entailment", "entailment")),
        (("Support",), ("entailment",)),
    ],
)
def test_spellings(names: tuple[str, ...], meanings: tuple[str, ...]) -> None:
    """Capitals, blanks and hyphens mean nothing."""
    assert order("m", named(*names)) == meanings


def test_as_many_labels_as_logits() -> None:
    """Settings that name another number are refused."""
    with pytest.raises(VerifierUnavailable, match="names 2 labels, the model 'm' has 3"):
        order("m", named("a", "b", "c"), "entailment,neutral")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"auto_map": {"AutoModel": "modeling.Own"}}, "brings code of its own"),
        ({"architectures": ["T5ForConditionalGeneration"]}, "no cross-encoder or sequence classifier"),
        ({"architectures": None}, "it does not say"),
    ],
)
def test_what_cannot_judge_is_refused(make: Make, changes: dict[str, Any], words: str) -> None:
    """Code of a model is never run, and a model without a trained head is none."""
    folder = make(**changes)
    (folder / "modeling.py").write_text("raise SystemExit('run!')")
    with pytest.raises(VerifierUnavailable, match=words):
        build(folder)


def test_weights_that_do_not_fit_are_refused(make: Make) -> None:
    """A head that was never trained, a file that is cut short, another number of labels."""
    from safetensors.torch import load_file, save_file

    folder = make()
    weights = load_file(folder / "model.safetensors")
    save_file(
        {name: one for name, one in weights.items() if not name.startswith("classifier")},
        folder / "model.safetensors",
        metadata={"format": "pt"},
    )
    with pytest.raises(VerifierUnavailable, match=r"lack classifier\.\w+: it was never trained"):
        build(folder)
    (folder / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(VerifierUnavailable, match="cannot be loaded"):
        build(folder)
    (folder / "model.safetensors").unlink()
    with pytest.raises(VerifierUnavailable, match="cannot be loaded"):
        build(folder)


class Code:
    """Pickled, it makes a file where it is unpickled."""

    def __init__(self, place: Path) -> None:
        """Remember where."""
        self.place = place

    def __reduce__(self) -> tuple[Any, ...]:
        """Run when it is read."""
        return os.mkdir, (str(self.place),)


def test_pickled_weights_are_read_and_pickled_code_is_not_run(make: Make, tmp_path: Path) -> None:
    """Old models have nothing else; tensors are taken, anything more is refused."""
    import torch
    from safetensors.torch import load_file

    folder = make()
    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    torch.save(weights, folder / "pytorch_model.bin")
    assert judge(folder).label is Label.SUPPORTED

    torch.save(weights | {"x": Code(tmp_path / "ran")}, folder / "pytorch_model.bin")
    with pytest.raises(VerifierUnavailable, match="cannot be loaded"):
        build(folder)
    assert not (tmp_path / "ran").exists()


def test_a_configuration_with_other_labels_than_the_weights_is_refused(make: Make) -> None:
    """Three logits under two names."""
    with pytest.raises(VerifierUnavailable, match="cannot be loaded"):
        build(make(**named("entailment", "not_entailment")))


@pytest.mark.parametrize("name", ["", "/no/such/folder", "./none", "~/none", "a/b/c", "..", "org/mo del", "org/mo?del"])
def test_a_name_that_is_none(name: str) -> None:
    """One sentence, no look at the network."""
    with pytest.raises(VerifierUnavailable) as refused:
        build(name)

    assert "\n" not in str(refused.value)


def test_a_folder_without_configuration(tmp_path: Path) -> None:
    """Missing, broken, no object."""
    for content, words in ((None, "no config.json"), ("{", "not JSON"), ("[]", "not an object")):
        if content is not None:
            (tmp_path / "config.json").write_text(content)
        with pytest.raises(VerifierUnavailable, match=words):
            build(tmp_path)


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With what to install."""
    monkeypatch.setattr(_hub_files, "find_spec", lambda name: None if name == "torch" else object())
    with pytest.raises(
        VerifierUnavailable, match=r"needs torch; install what is missing: pip install 'citedesk\[hub\]'"
    ):
        build(tmp_path)


def test_batches_hold_what_they_may() -> None:
    """Each input once, like lengths together, never more padded tokens than allowed."""
    lengths = [500, 3, 70, 9000, 3, 512, 64] * 9
    found = list(_batches(lengths))

    assert sorted(index for batch in found for index in batch) == list(range(len(lengths)))
    assert all(len(one) == 1 or len(one) * max(lengths[at] for at in one) <= BATCH_TOKENS for one in found)
    assert list(_batches([])) == []


def command(tmp_path: Path, name: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Verify one answer with a model of the hub, in a process of its own with an empty cache of models."""
    env = os.environ | {"HF_HOME": str(tmp_path / "hf"), "PYTHONPATH": str(ROOT)} | environment
    words = [sys.executable, "-m", "core", "verify", str(log(tmp_path / "a.jsonl", GOOD)), "--verifier", f"hub:{name}"]
    return subprocess.run(words, env=env, capture_output=True, text=True, check=False, timeout=120)


def test_what_was_fetched_once_needs_no_network(tmp_path: Path, made: Path) -> None:
    """The hub's own cache is enough, though the hub cannot be reached and nothing forbids to ask it."""
    kept = tmp_path / "hf" / "hub" / "models--org--model"
    shutil.copytree(made, kept / "snapshots" / "abc123")
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text("abc123")
    ran = command(tmp_path, "org/model", HF_HUB_OFFLINE="0", HF_ENDPOINT="http://127.0.0.1:9")

    assert ran.returncode == 0
    assert ran.stderr == ""
    assert "judged by hub:org/model@1+" in ran.stdout


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"HF_HUB_OFFLINE": "1"}, "HF_HUB_OFFLINE forbids to fetch it"),
        ({"HF_HUB_OFFLINE": "0", "HF_ENDPOINT": "http://127.0.0.1:9"}, "the hub cannot be reached"),
    ],
)
def test_without_a_network_it_is_one_sentence(tmp_path: Path, environment: dict[str, str], words: str) -> None:
    """Forbidden or broken, from the command line: code 2, nothing on standard output, no traceback."""
    ran = command(tmp_path, "org/model", **environment)

    assert ran.returncode == 2
    assert ran.stdout == ""
    assert len(ran.stderr.strip().splitlines()) == 1
    assert words in ran.stderr
