"""Transformers by layer, against the same model run one sentence at a time without padding."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import KNOWN, transformer

from compsim import load
from compsim.embeddings.transformer_layer import Ernie, TransformerLayer
from compsim.errors import DataError, InputError

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

#: Tokens that each reads; RoBERTa and MPNet have positions that stand before the first token's.
LONGEST = {"roberta": 39, "mpnet": 38, "bart": 60, "t5": 512, "xlnet": 512}
KINDS = ("bert", "roberta", "ernie", "mpnet", "mistral", "t5", "bart", "xlnet")


@cache
def opened(folder: Path) -> tuple[Any, Any]:
    """The tokenizer and the model of the twin."""
    from transformers import AutoTokenizer, BartModel, T5EncoderModel

    tokenizer = AutoTokenizer.from_pretrained(folder)
    if folder.name == "t5":
        return tokenizer, T5EncoderModel.from_pretrained(folder).eval()
    if folder.name == "bart":
        return tokenizer, BartModel.from_pretrained(folder).get_encoder().eval()
    return tokenizer, load("transformer", model=folder).encoder.model


def plainly(folder: Path, text: str, layer: int, pooling: str) -> Any:
    """The twin: one sentence, no padding, plain sums."""
    tokenizer, model = opened(folder)
    read = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        out = model(input_ids=read["input_ids"], output_hidden_states=True)
    rows = out.hidden_states[layer][0].tolist()
    if pooling == "cls":
        return rows[-1 if folder.name == "xlnet" else 0]
    if pooling == "max":
        return [max(column) for column in zip(*rows, strict=True)]
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pooling", ["mean", "max", "cls"])
@pytest.mark.parametrize("layer", [0, 1, 2])
def test_a_batch_is_each_sentence_without_padding(kind: str, pooling: str, layer: int) -> None:
    folder = transformer(kind)
    sentences = ["cats", "the dogs visit birds in the park", "mice help", "zzyzx chase cats sadly"]
    method = load("transformer", model=folder, layer=layer, pooling=pooling, batch_size=3)
    expected = [plainly(folder, text, layer, pooling) for text in sentences]
    np.testing.assert_allclose(method.encode(sentences).vector, expected, atol=2e-5)


@given(st.lists(st.lists(st.sampled_from(KNOWN), max_size=12).map(" ".join), max_size=6))
@settings(max_examples=25)
def test_the_batch_does_not_matter(sentences: list[str]) -> None:
    method = ernie()
    vectors = method.encode(sentences).vector
    assert vectors.shape == (len(sentences), 16)
    for text, vector in zip(sentences, vectors, strict=True):
        np.testing.assert_allclose(method.encode([text]).vector[0], vector, atol=2e-5)
        assert vector.any() == bool(text.strip())


_kept: list[Ernie] = []


def ernie() -> Ernie:
    if not _kept:
        _kept.append(Ernie(transformer("ernie"), layer=1))
    return _kept[0]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_too_long_is_cut(kind: str) -> None:
    method = TransformerLayer(transformer(kind))
    assert method.encoder.longest == LONGEST.get(kind, 40)
    short, *_, long = method.encode(["cats", "", "cats " * 10_000]).vector
    assert np.isfinite(long).all()
    assert long.any()
    np.testing.assert_allclose(method.encode(["cats"]).vector[0], short, atol=1e-5)
    np.testing.assert_allclose(method.encode(["cats " * 600]).vector[0], long, atol=1e-5)


def test_the_last_layer_is_the_default() -> None:
    folder = transformer("bert")
    default, last, first = (load("transformer", model=folder, layer=k) for k in (None, 2, 0))
    text = ["cats chase mice"]
    np.testing.assert_array_equal(default.encode(text).vector, last.encode(text).vector)
    assert not np.allclose(default.encode(text).vector, first.encode(text).vector)
    assert len({method.space for method in (default, last, first)}) == 2
    with pytest.raises(InputError, match="encoded differently"):
        default.similarity(first.encode(text), text)


def test_options_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = transformer("bert")
    for layer in (3, -1, True, 1.0):
        with pytest.raises(InputError, match="from 0, the embeddings, to 2, the last"):
            load("transformer", model=folder, layer=layer)
    for layer in ("first+third", "1+9", "+", ""):
        with pytest.raises(InputError, match=r"several with a plus between"):
            load("transformer", model=folder, layer=layer)
    with pytest.raises(InputError, match="one of mean, max, cls, pooler"):
        load("transformer", model=folder, pooling="sum")
    with pytest.raises(InputError, match="device='abacus'"):
        load("transformer", model=folder, device="abacus")
    with pytest.raises(InputError, match="needs a model"):
        load("transformer")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(DataError, match="hf download nghuyong/ernie"):
        load("ernie")


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlnet"])
def test_layers_are_averaged(kind: str) -> None:
    folder, text = transformer(kind), "cats chase the mice sadly"
    layers = {k: np.array(plainly(folder, text, k, "mean")) for k in range(3)}
    for name, numbers in {"first+last": (1, 2), "0+1+2": (0, 1, 2), "last": (2,)}.items():
        method = load("transformer", model=folder, layer=name)
        expected = sum(layers[k] for k in numbers) / len(numbers)
        result = method.encode([text, "dogs"]).vector[0]
        np.testing.assert_allclose(result, expected, atol=2e-5)
    spaces = {load("transformer", model=folder, layer=k).space for k in ("first+last", "1+2", "2")}
    assert len(spaces) == 2


@pytest.mark.parametrize("kind", ["bert", "roberta", "ernie"])
def test_the_pooling_layer_is_the_models(kind: str) -> None:
    folder, text = transformer(kind), "cats chase the mice"
    method = load("transformer", model=folder, pooling="pooler")
    dense = method.encoder.model.pooler.dense
    first = torch.tensor(plainly(folder, text, 2, "cls"), dtype=torch.float32)
    expected = torch.tanh(dense.weight @ first + dense.bias).detach().numpy()
    vector = method.encode(["", text]).vector
    assert not vector[0].any()
    np.testing.assert_allclose(vector[1], expected, atol=2e-5)
    assert method.explain(text, "dogs").words is None


def test_a_pooling_layer_must_be_there_and_trained() -> None:
    with pytest.raises(InputError, match="not the last layer"):
        load("transformer", model=transformer("bert"), pooling="pooler", layer=1)
    with pytest.raises(InputError, match="has no pooling layer"):
        load("transformer", model=transformer("mistral"), pooling="pooler")
    # The weights of its pooling layer would be random; its token states are not.
    folder = transformer("masked")
    with pytest.raises(DataError, match="no weights of the pooling layer"):
        load("transformer", model=folder, pooling="pooler")
    with pytest.raises(DataError, match="no weights of the pooling layer"):
        load("simcse", model=folder)
    assert load("transformer", model=folder).encode(["cats"]).vector.any()


@pytest.mark.parametrize("name", ["transformer", "ernie", "sbert", "defsent", "bertscore"])
def test_weights_that_are_missing_are_named(name: str, tmp_path: Path) -> None:
    # A DPR context encoder is opened as a question encoder, with every weight drawn at random.
    with pytest.raises(DataError, match=r"the weights question_encoder\.\S+ and \d+ more|, quest"):
        load(name, model=transformer("dpr"))
    shutil.copytree(transformer("bert"), tmp_path / "bert")
    config = tmp_path / "bert" / "config.json"
    held = json.loads(config.read_text())
    config.write_text(json.dumps({**held, "num_hidden_layers": 1}))
    with pytest.raises(DataError, match=r"encoder\.layer\.1\.\S+.* layers that config.json leaves"):
        load(name, model=tmp_path / "bert")
    config.write_text(json.dumps({**held, "num_hidden_layers": 3}))
    with pytest.raises(DataError, match=r"the weights encoder\.layer\.2\.\S+.* are missing"):
        load(name, model=tmp_path / "bert")
