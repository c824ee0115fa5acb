"""Export to the model folders: int8 ONNX graph, tokenizer and config.json, with the parity that was measured.

A BERT base is written out by `graph.py`; any other base is traced with an explicit four-dimensional mask (the tracer
bakes a two-dimensional one in wrong, silently), and both ways must agree with torch to `GRAPH_TOLERANCE` on padded
batches before anything is quantised.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import onnxruntime
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

import graph
from examples import MAX_TOKENS
from training import LABELS, is_trained, load_model

GRAPH_TOLERANCE: Final = 1e-4
Array = np.ndarray[Any, Any]


def checkpoint_model(base: Path, checkpoint: Path, which: str) -> nn.Module:
    """The float32 model of a training checkpoint; `which` is `masters` (the last weights) or `average`."""
    model = load_model(base).float().eval()
    state = torch.load(checkpoint, weights_only=True)
    own = dict(model.named_parameters())
    trained = [name for name in own if is_trained(name)]
    with torch.no_grad():
        for name, values in zip(trained, state[which], strict=True):
            own[name].copy_(values)
    return model


def export_classifier(model: nn.Module, base: Path, out: Path, settings: Mapping[str, object]) -> dict[str, float]:
    """Write model.onnx (int8), tokenizer.json and config.json of the claim judge, and the float32 model in `out`/float.

    `settings` are joined into both configurations. Returns the largest logit difference between the float32 graph and
    torch.

    Raises:
        ValueError: The graph does not give what the model gives.
    """
    whole = out / "float"
    whole.mkdir(parents=True, exist_ok=True)
    names = _write_float(model, whole / "model.onnx")
    difference = graph_difference(model, whole / "model.onnx")
    if difference > GRAPH_TOLERANCE:
        raise ValueError(f"The exported graph differs from the model by {difference:.1e}.")
    graph.quantise(whole / "model.onnx", out / "model.onnx", sensitive=True)
    for folder in (out, whole):
        _write_tokenizer(base, folder)
        config: dict[str, object] = {
            "name": "claim-nli",
            "version": 1,
            "labels": list(LABELS),
            "max_tokens": MAX_TOKENS,
            "inputs": list(names),
            "licence": "Apache-2.0",
            **settings,
            "sha256": sha256(folder / "model.onnx"),
        }
        write_json(folder / "config.json", config)
    return {"graph_max_difference": difference}


def _write_float(model: nn.Module, path: Path) -> Sequence[str]:
    """The float32 graph of `model`; returns its input names."""
    kind = model.config.model_type  # type: ignore[union-attr]
    if kind != "bert":
        return _traced(model, path)
    config: Any = model.config
    weights = {name: values.detach().float().numpy() for name, values in model.state_dict().items()}
    onnx.save(graph.classifier_graph(weights, config.num_attention_heads, config.num_hidden_layers), path)
    return graph.INPUTS


class _FourDimensional(nn.Module):
    """The model behind an additive mask of shape (batch, 1, length, length)."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Logits of a batch without segment ids."""
        mask = (1.0 - attention_mask[:, None, None, :].to(torch.float32)) * -10000.0
        mask = mask.expand(-1, 1, input_ids.shape[1], -1)
        logits: Tensor = self.model(input_ids=input_ids, attention_mask=mask).logits
        return logits


def _traced(model: nn.Module, path: Path) -> Sequence[str]:
    """The traced graph of a model without segment ids (MPNet)."""
    names = ("input_ids", "attention_mask")
    ids = torch.randint(10, 1000, (2, 9))
    axes = {name: {0: "batch", 1: "length"} for name in names}
    torch.onnx.export(
        _FourDimensional(model),
        (ids, torch.ones_like(ids)),
        str(path),
        input_names=list(names),
        output_names=["logits"],
        dynamic_axes={**axes, "logits": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )
    return names


def graph_difference(model: nn.Module, path: Path) -> float:
    """Largest logit difference between torch and the graph on padded batches of three lengths."""
    session = open_session(path)
    wanted = [value.name for value in session.get_inputs()]
    worst = 0.0
    for length in (9, 37, 200):
        generator = torch.Generator().manual_seed(length)
        ids = torch.randint(1000, 20000, (3, length), generator=generator)
        mask, types = torch.ones_like(ids), torch.zeros_like(ids)
        mask[0, length // 2 :] = 0
        ids[0, length // 2 :] = int(model.config.pad_token_id)  # type: ignore[union-attr,arg-type]
        types[:, length // 3 :] = 1
        every = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        given = {name: every[name] for name in wanted}
        with torch.no_grad():
            expected = model(**given).logits.numpy()
        got = session.run(None, {name: values.numpy() for name, values in given.items()})[0]
        worst = max(worst, float(np.abs(got - expected).max()))
    return worst


def export_embedder(base: Path, out: Path, texts: Sequence[str]) -> dict[str, float]:
    """Write the sentence embedder's folder; returns the cosines of its int8 vectors with torch's over `texts`."""
    from transformers import AutoModel

    out.mkdir(parents=True, exist_ok=True)
    model: Any = AutoModel.from_pretrained(base).float().eval()
    weights = {name: values.numpy() for name, values in model.state_dict().items()}
    float_path = out / "model.float.onnx"
    onnx.save(
        graph.encoder_graph(weights, model.config.num_attention_heads, model.config.num_hidden_layers), float_path
    )
    graph.quantise(float_path, out / "model.onnx", sensitive=False)
    float_path.unlink()
    tokenizer = _write_tokenizer(base, out)
    tokenizer.enable_padding()
    encoded = tokenizer.encode_batch(list(texts))
    feed = {
        "input_ids": np.array([item.ids for item in encoded]),
        "attention_mask": np.array([item.attention_mask for item in encoded]),
        "token_type_ids": np.array([item.type_ids for item in encoded]),
    }
    with torch.no_grad():
        expected = model(**{name: torch.tensor(values) for name, values in feed.items()}).last_hidden_state.numpy()
    got = open_session(out / "model.onnx").run(None, feed)[0]
    cosines = (_pooled(got, feed["attention_mask"]) * _pooled(expected, feed["attention_mask"])).sum(1)
    config = {
        "name": "embed",
        "version": 1,
        "base": "sentence-transformers/all-MiniLM-L6-v2",
        "licence": "Apache-2.0",
        "pooling": "mean",
        "normalize": True,
        "max_tokens": MAX_TOKENS,
        "dimensions": int(got.shape[-1]),
        "inputs": list(graph.INPUTS),
        "output": "last_hidden_state",
        "sha256": sha256(out / "model.onnx"),
    }
    write_json(out / "config.json", config)
    return {"texts": len(texts), "mean_cosine": float(cosines.mean()), "min_cosine": float(cosines.min())}


def _pooled(hidden: Array, mask: Array) -> Array:
    """Mean over the real tokens, scaled to unit length."""
    mean = (hidden * mask[..., None]).sum(1) / mask.sum(1)[:, None]
    normed: Array = mean / np.linalg.norm(mean, axis=1, keepdims=True)
    return normed


def _write_tokenizer(base: Path, out: Path) -> Tokenizer:
    """The base's tokenizer without padding or truncation: whoever loads it sets both."""
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def open_session(path: Path, threads: int = 1) -> onnxruntime.InferenceSession:
    """A session on `threads` cores that does not spin while it waits."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_json(path: Path, value: object) -> None:
    """`value` as indented JSON with a final newline."""
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
