"""A BERT encoder written out as an ONNX graph of fused operators, from its weights alone.

The graph is built, not traced: no exporter can bake a wrong mask into it, attention and layer norms are the fused
`com.microsoft` operators from the start, and any batch size and length goes in. With a classifier, the last layer is
computed for the first token only (nothing else reaches the logits), an eighth of the work less.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids")
_DOMAIN: Final = "com.microsoft"
_OPSET: Final = 17
_EPSILON: Final = 1e-12
_MEAN: Final = ".mean"
_VARIANCE: Final = ".variance"
_PLAIN: Final = ".intermediate.dense.product"
"""Names of nodes, by their ends."""

Floats = np.ndarray[Any, np.dtype[np.float32]]
Weights = Mapping[str, Floats]


@dataclass
class _Graph:
    """The nodes and initialisers gathered so far."""

    weights: Weights
    fused_norms: bool
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    tensors: dict[str, onnx.TensorProto] = field(default_factory=dict)

    def tensor(self, name: str, values: np.ndarray[Any, Any]) -> str:
        """An initialiser; returns its name."""
        self.tensors[name] = numpy_helper.from_array(np.ascontiguousarray(values), name)
        return name

    def weight(self, name: str) -> str:
        """A weight of the model as an initialiser."""
        return self.tensor(name, self.weights[name])

    def node(self, operator: str, inputs: list[str], output: str, *, domain: str = "", **attributes: Any) -> str:
        """A node with one output; returns the output's name."""
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, domain=domain, **attributes))
        return output

    def dense(self, source: str, name: str, *, bias: bool = True) -> str:
        """The linear layer `name`: source · weightᵀ (+ bias)."""
        weight = self.tensor(f"{name}.weight", self.weights[f"{name}.weight"].T)
        product = self.node("MatMul", [source, weight], f"{name}.product")
        if not bias:
            return product
        return self.node("Add", [product, self.weight(f"{name}.bias")], f"{name}.sum")


def classifier_graph(weights: Weights, heads: int, layers: int) -> onnx.ModelProto:
    """Ids, mask and types, each (batch, length) int64, to `logits` (batch, labels) float32."""
    graph = _Graph(weights, fused_norms=False)
    hidden = _encoder(graph, "bert.", heads, layers, first_only=True)
    pooled = graph.node("Tanh", [graph.dense(hidden, "bert.pooler.dense")], "pooled")
    product = graph.dense(pooled, "classifier", bias=False)
    graph.node("Add", [product, graph.weight("classifier.bias")], "logits")
    return _model(graph, "logits", ["batch", int(weights["classifier.bias"].shape[0])])


def encoder_graph(weights: Weights, heads: int, layers: int) -> onnx.ModelProto:
    """Ids, mask and types, each (batch, length) int64, to `last_hidden_state` (batch, length, width) float32."""
    graph = _Graph(weights, fused_norms=True)
    hidden = _encoder(graph, "", heads, layers, first_only=False)
    graph.node("Identity", [hidden], "last_hidden_state")
    width = int(weights["embeddings.LayerNorm.weight"].shape[0])
    return _model(graph, "last_hidden_state", ["batch", "length", width])


def _encoder(graph: _Graph, prefix: str, heads: int, layers: int, *, first_only: bool) -> str:
    """Embeddings and layers; the name of the last hidden states, (batch, width) if `first_only`."""
    ids, mask, types = (graph.node("Cast", [name], f"{name}_32", to=TensorProto.INT32) for name in INPUTS)
    tables = [
        graph.weight(f"{prefix}embeddings.{kind}_embeddings.weight") for kind in ("word", "position", "token_type")
    ]
    norm = [graph.weight(f"{prefix}embeddings.LayerNorm.{part}") for part in ("weight", "bias")]
    outputs = ["embedded", "embedded_mask"]
    graph.nodes.append(
        helper.make_node(
            "EmbedLayerNormalization",
            [ids, types, *tables, *norm],
            outputs,
            "embedded",
            domain=_DOMAIN,
            epsilon=_EPSILON,
        )
    )
    hidden = "embedded"
    for index in range(layers):
        last = first_only and index == layers - 1
        hidden = _layer(graph, f"{prefix}encoder.layer.{index}.", hidden, mask, heads, first_only=last)
    return hidden


def _layer(graph: _Graph, name: str, hidden: str, mask: str, heads: int, *, first_only: bool) -> str:
    """One transformer layer; with `first_only`, everything after attention is done for the first token alone."""
    parts = [f"{name}attention.self.{part}" for part in ("query", "key", "value")]
    joined = np.concatenate([graph.weights[f"{part}.weight"].T for part in parts], axis=1)
    packed = graph.tensor(f"{name}qkv.weight", joined)
    bias = graph.tensor(f"{name}qkv.bias", np.concatenate([graph.weights[f"{part}.bias"] for part in parts]))
    attended = graph.node("Attention", [hidden, packed, bias, mask], f"{name}attended", domain=_DOMAIN, num_heads=heads)
    if first_only:
        first = graph.tensor("first_token", np.array([0], dtype=np.int64))
        attended = graph.node("Gather", [attended, first], f"{name}attended_first", axis=1)
        hidden = graph.node("Gather", [hidden, first], f"{name}hidden_first", axis=1)
    hidden = _add_and_norm(graph, f"{name}attention.output", attended, hidden)
    wide = graph.dense(hidden, f"{name}intermediate.dense", bias=False)
    wide_bias = graph.weight(f"{name}intermediate.dense.bias")
    active = graph.node("BiasGelu", [wide, wide_bias], f"{name}active", domain=_DOMAIN)
    hidden = _add_and_norm(graph, f"{name}output", active, hidden)
    if first_only:
        axes = graph.tensor("length_axis", np.array([1], dtype=np.int64))
        hidden = graph.node("Squeeze", [hidden, axes], f"{name}first")
    return hidden


def _add_and_norm(graph: _Graph, name: str, source: str, residual: str) -> str:
    """LayerNorm(dense(source) + residual)."""
    product = graph.dense(source, f"{name}.dense", bias=False)
    norm = [graph.weight(f"{name}.LayerNorm.{part}") for part in ("weight", "bias")]
    bias = graph.weight(f"{name}.dense.bias")
    if graph.fused_norms:
        inputs = [product, residual, *norm, bias]
        return graph.node("SkipLayerNormalization", inputs, f"{name}.normed", domain=_DOMAIN, epsilon=_EPSILON)
    added = graph.node("Add", [graph.node("Add", [product, bias], f"{name}.biased"), residual], f"{name}.added")
    return _norm(graph, name, added, norm)


def _norm(graph: _Graph, name: str, source: str, norm: list[str]) -> str:
    """Layer norm in plain steps, its means as products with a column: the fused operator takes twice as long."""
    width = graph.weights[norm[0]].shape[0]
    column = graph.tensor("mean_column", np.full((width, 1), 1 / width, dtype=np.float32))
    epsilon = graph.tensor("epsilon", np.array([_EPSILON], dtype=np.float32))
    mean = graph.node("MatMul", [source, column], f"{name}{_MEAN}")
    centred = graph.node("Sub", [source, mean], f"{name}.centred")
    square = graph.node("Mul", [centred, centred], f"{name}.square")
    variance = graph.node(
        "Add", [graph.node("MatMul", [square, column], f"{name}{_VARIANCE}"), epsilon], f"{name}.spread"
    )
    inverse = graph.node("Reciprocal", [graph.node("Sqrt", [variance], f"{name}.deviation")], f"{name}.inverse")
    scaled = graph.node("Mul", [centred, inverse], f"{name}.scaled")
    weighted = graph.node("Mul", [scaled, norm[0]], f"{name}.weighted")
    return graph.node("Add", [weighted, norm[1]], f"{name}.normed")


def _model(graph: _Graph, output: str, shape: list[str | int]) -> onnx.ModelProto:
    """The finished model with its three inputs and one output."""
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in INPUTS]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
    body = helper.make_graph(graph.nodes, "encoder", inputs, outputs, list(graph.tensors.values()))
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_DOMAIN, 1)]
    return helper.make_model(body, opset_imports=opsets, ir_version=8)


def quantise(source: Path, target: Path, *, sensitive: bool) -> None:
    """int8 weights and activations; with `sensitive`, layers that lose most by it in blocks of 64 instead of whole.

    Plain layers have one scale for all activations of a text. Behind attention and GELU a few large ones would cost all
    others their digits; there both sides are scaled block by block, at a fifth of the speed.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer

    logging.getLogger().setLevel(logging.ERROR)  # importing the quantiser sets it to tell of every node
    model = onnx.load(source)
    products = [node.name for node in model.graph.node if node.op_type == "MatMul"]
    means = [name for name in products if name.endswith((_MEAN, _VARIANCE))]
    if sensitive:
        plain = [name for name in products if name.endswith(_PLAIN)]
        blocks = DefaultWeightOnlyQuantConfig(block_size=64, is_symmetric=True, accuracy_level=4, bits=8)
        quantizer = MatMulNBitsQuantizer(model, algo_config=blocks, nodes_to_exclude=plain + means)
        quantizer.process()
        model = quantizer.model.model
    quantize_dynamic(
        model,
        target,
        op_types_to_quantize=["MatMul", "Attention", "EmbedLayerNormalization"],
        weight_type=QuantType.QInt8,
        per_channel=True,
        nodes_to_exclude=means,
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )
    unsigned(target)


def unsigned(path: Path) -> None:
    """Write signed weights as unsigned ones around 128: the same numbers, and the same sums on every processor.

    Without VNNI, x86 adds products of unsigned activations and signed weights in 16 bits, which overflow silently:
    scores were off by up to 0.12 there. Products of unsigned numbers are added in 32 bits everywhere.
    """
    model = onnx.load(path)
    for one in model.graph.initializer:
        if one.data_type == TensorProto.INT8:
            shifted = numpy_helper.to_array(one).astype("int16") + 128
            one.CopyFrom(numpy_helper.from_array(shifted.astype("uint8"), one.name))
    onnx.save(model, path)
