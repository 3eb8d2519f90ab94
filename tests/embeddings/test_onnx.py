"""Sentence transformers by ONNX Runtime: vectors as by torch, and what is said of other models."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from new_process import in_a_new_process
from tiny_models import sentence_transformer

from compsim import DataError, InputError, load
from compsim.embeddings.sentence_transformer import SentenceTransformerMethod
from compsim.transformers.onnx_states import OnnxStates

for package in ("onnx", "onnxruntime", "sentence_transformers"):
    pytest.importorskip(package)

SENTENCES = ["cats chase mice", "", "Dogs help birds in the park.", "caf\u00e9", "cats " * 60]


def exported(folder: Path, kind: str, pooling: str = "mean") -> Path:
    """A tiny model with its ONNX files, in a folder of its own."""
    from compsim.transformers.onnx_export import export_onnx

    export_onnx(sentence_transformer(kind, pooling), folder, int8=kind == "bert")
    return folder


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(tmp_path_factory.mktemp("bert"), "bert")


@pytest.mark.parametrize(("kind", "pooling"), [("mpnet", "max"), ("roberta", "cls")])
def test_vectors_are_those_of_torch(kind: str, pooling: str, tmp_path: Path) -> None:
    loaded = load("sbert", model=exported(tmp_path / kind, kind, pooling), backend="onnx")
    plain = load("sbert", model=sentence_transformer(kind, pooling))
    vectors = plain.encode(SENTENCES).vector
    np.testing.assert_allclose(loaded.encode(SENTENCES).vector, vectors, atol=1e-5)


def test_words_and_prompts_are_those_of_torch(bert: Path) -> None:
    for prompt in (None, "represent the "):
        loaded = load("sbert", model=bert, backend="onnx", prompt=prompt)
        plain = load("sbert", model=sentence_transformer("bert"), prompt=prompt)
        vectors = plain.encode(SENTENCES).vector
        np.testing.assert_allclose(loaded.encode(SENTENCES).vector, vectors, atol=1e-5)
        result, twin = (one.explain(SENTENCES[0], SENTENCES[2]).words for one in (loaded, plain))
        assert result.first == twin.first
        np.testing.assert_allclose(result.values, twin.values, atol=1e-5)


def test_int8_is_near(bert: Path) -> None:
    loaded = load("sbert", model=bert, backend="onnx-int8")
    plain = load("sbert", model=bert, backend="onnx")
    assert loaded.space != plain.space
    a, b = loaded.encode(SENTENCES).unit, plain.encode(SENTENCES).unit
    assert (a * b).sum(axis=1)[[0, 2, 3, 4]].min() > 0.9


def test_states_of_tokens(bert: Path) -> None:
    states = OnnxStates(bert)
    (part,) = states.read(["cats chase", "cats"], 8)
    assert part.places == [0, 1]
    assert part.kept.sum(axis=1).tolist() == [2, 1]
    assert part.spans[0, 1:3].tolist() == [[0, 4], [5, 10]]
    assert part.states.shape == (2, part.mask.shape[1], states.dim)


def test_bertscore_is_that_of_torch(bert: Path) -> None:
    plain = load("bertscore", model=sentence_transformer("bert"), idf=SENTENCES)
    found = load("bertscore", model=bert, backend="onnx", idf=SENTENCES)
    first, second = SENTENCES, [*SENTENCES[1:], "Cats chase dogs."]
    scores = found.similarity_pairwise(first, second)
    np.testing.assert_allclose(scores, plain.similarity_pairwise(first, second), atol=1e-5)
    np.testing.assert_allclose(
        found.similarity(first, second), plain.similarity(first, second), atol=1e-5
    )
    told, twin = (each.explain(SENTENCES[0], SENTENCES[2]) for each in (found, plain))
    assert [row.first for row in told.rows] == [row.first for row in twin.rows]
    assert found.space != plain.space
    less = load("bertscore", model=bert, backend="onnx-int8").similarity("cats chase", "dogs chase")
    assert 0 < less < 1


def test_what_bertscore_cannot_do_by_onnx(bert: Path) -> None:
    with pytest.raises(InputError, match='layer=1 needs backend="torch"'):
        load("bertscore", model=bert, backend="onnx", layer=1)
    with pytest.raises(InputError, match="device='cuda' needs backend=\"torch\""):
        load("bertscore", model=bert, backend="onnx", device="cuda")
    with pytest.raises(InputError, match="backend='jax'"):
        load("bertscore", model=bert, backend="jax")


def test_torch_is_not_imported(bert: Path) -> None:
    program = (
        "import sys\nfrom compsim import load\n"
        "for name in ('sbert', 'bertscore'):\n"
        "    load(name, model=sys.argv[1], backend='onnx').similarity(['cats'], ['dogs'])\n"
        "print(sorted({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    assert in_a_new_process(program, str(bert)).strip() == "[]"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tokenizer.json", "has no tokenizer.json"),
        ("onnx/model.onnx", "compsim export-onnx"),
        ("onnx/model_int8.onnx", "--int8"),
    ],
)
def test_files_that_are_missing(bert: Path, tmp_path: Path, name: str, message: str) -> None:
    folder = Path(shutil.copytree(bert, tmp_path / "model"))
    (folder / name).unlink()
    with pytest.raises(DataError, match=message):
        load("sbert", model=folder, backend="onnx-int8" if "int8" in name else "onnx")


@pytest.mark.parametrize("name", ["tokenizer.json", "onnx/model.onnx", "modules.json"])
def test_files_that_are_damaged(bert: Path, tmp_path: Path, name: str) -> None:
    folder = Path(shutil.copytree(bert, tmp_path / "model"))
    (folder / name).write_bytes(b"nothing")
    with pytest.raises(DataError, match=Path(name).name):
        load("sbert", model=folder, backend="onnx")


def test_layers_and_poolings_that_are_not_known(bert: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(bert, tmp_path / "model"))
    pooling = folder / "1_Pooling" / "config.json"
    pooling.write_text(json.dumps({"pooling_mode_lasttoken": True}))
    with pytest.raises(DataError, match='use backend="torch"'):
        load("sbert", model=folder, backend="onnx")
    modules = json.loads((folder / "modules.json").read_text())
    modules.append({"idx": 2, "name": "2", "path": "2_Dense", "type": "models.Dense"})
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(DataError, match="Transformer, Pooling, Dense"):
        load("sbert", model=folder, backend="onnx")


def test_models_with_other_outputs(bert: Path, tmp_path: Path) -> None:
    import onnx

    folder = Path(shutil.copytree(bert, tmp_path / "model"))
    path = str(folder / "onnx" / "model.onnx")
    model = onnx.load(path)
    identity = onnx.helper.make_node("Identity", [model.graph.output[0].name], ["logits"])
    model.graph.node.append(identity)
    model.graph.output[0].name = "logits"
    onnx.save(model, path)
    with pytest.raises(DataError, match="gives logits"):
        load("sbert", model=folder, backend="onnx")


def test_devices_and_presets_that_need_torch(bert: Path) -> None:
    with pytest.raises(InputError, match="run on the CPU"):
        load("sbert", model=bert, backend="onnx", device="cuda")
    with pytest.raises(InputError, match='use backend="torch"'):
        load("simcse", model=bert, backend="onnx")
    assert isinstance(load("mpnet", model=bert, backend="onnx"), SentenceTransformerMethod)
