"""Tiny encoders with random weights, built and saved where a test wants them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

TOY_WORDS = ("chase", "help", "visit", "cats", "dogs", "mice", "birds", "park", "house", "quickly",
             "sadly", "in", "the", "Cats", ".", "<s>", "</s>", "<p>", "</p>", "don", "'t", "do",
             "n't", "é")  # fmt: skip


def save_infersent(
    folder: Path, words: Sequence[str] = TOY_WORDS, *, dim: int = 5, states: int = 4, seed: int = 3
) -> tuple[Path, Path]:
    """A state dict with the published names, and a text file of word vectors."""
    import torch

    rng = np.random.default_rng(seed)
    shapes = {
        "weight_ih": (4 * states, dim),
        "weight_hh": (4 * states, states),
        "bias_ih": (4 * states,),
        "bias_hh": (4 * states,),
    }
    state = {
        f"enc_lstm.{kind}_l0{direction}": torch.from_numpy(
            rng.normal(size=shape).astype(np.float32)
        )
        for direction in ("", "_reverse")
        for kind, shape in shapes.items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    model, vectors = folder / "infersent.pkl", folder / "vectors.vec"
    torch.save(state, model)
    lines = [f"{word} {' '.join(f'{x:.6f}' for x in rng.normal(size=dim))}" for word in words]
    vectors.write_text("\n".join([f"{len(words)} {dim}", *lines, ""]), encoding="utf-8")
    return model, vectors


@cache
def infersent_options() -> dict[str, Any]:
    """Return the method's options in the tests of all methods."""
    model, vectors = save_infersent(Path(tempfile.mkdtemp(prefix="compsim-toy-")))
    return {"model": model, "vectors": vectors, "device": "cpu"}


def save_onnx(path: Path, *, column: bool = False, dim: int = 4) -> Path:
    """Strings to vectors: the number of times each toy word occurs, by random weights."""
    import onnx
    from onnx import TensorProto, helper

    shape = ["n", 1] if column else ["n"]
    given = helper.make_tensor_value_info("sentences", TensorProto.STRING, shape)
    vectors = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["n", dim])
    weights = np.random.default_rng(5).normal(size=(len(TOY_WORDS), dim)).astype(np.float32)
    nodes = [
        # To (n,), whatever was given.
        helper.make_node("Reshape", ["sentences", "flat"], ["texts"]),
        helper.make_node("StringSplit", ["texts"], ["tokens", "lengths"]),
        helper.make_node(
            "TfIdfVectorizer",
            ["tokens"],
            ["counts"],
            mode="TF",
            min_gram_length=1,
            max_gram_length=1,
            max_skip_count=0,
            ngram_counts=[0],
            ngram_indexes=list(range(len(TOY_WORDS))),
            pool_strings=[word.encode() for word in TOY_WORDS],
        ),
        helper.make_node("MatMul", ["counts", "weights"], ["vectors"]),
    ]
    constants = [
        onnx.numpy_helper.from_array(np.array([-1], dtype=np.int64), "flat"),
        onnx.numpy_helper.from_array(weights, "weights"),
    ]
    graph = helper.make_graph(nodes, "toy", [given], [vectors], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    return path


def onnx_vector(text: str, dim: int = 4) -> list[float]:
    """The slow twin of the model that ``save_onnx`` builds."""
    weights = np.random.default_rng(5).normal(size=(len(TOY_WORDS), dim)).astype(np.float32)
    vector = [0.0] * dim
    for token in text.split():
        if token in TOY_WORDS:
            for place, weight in enumerate(weights[TOY_WORDS.index(token)].tolist()):
                vector[place] += weight
    return vector


@cache
def use_options() -> dict[str, Any]:
    """Return the method's options in the tests of all methods."""
    return {"model": save_onnx(Path(tempfile.mkdtemp(prefix="compsim-toy-")) / "toy.onnx")}
