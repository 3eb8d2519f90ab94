from __future__ import annotations

import io
import sys
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_encoders import TOY_WORDS, onnx_vector, save_onnx

from compsim.embeddings.encoders.use import UniversalSentenceEncoder
from compsim.errors import DataError, InputError, MissingExtraError, ServiceError
from compsim.registry import load

texts = st.lists(
    st.lists(st.sampled_from((*TOY_WORDS, "zzyzx", "\U0001f600", " ")), max_size=6).map(" ".join),
    max_size=6,
)


def open_method(model: str | Path | None, **options: Any) -> UniversalSentenceEncoder:
    method = load("use", model=model, **options)
    assert isinstance(method, UniversalSentenceEncoder)
    return method


@pytest.fixture(scope="module")
def onnx_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    return save_onnx(tmp_path_factory.mktemp("use") / "toy.onnx")


# --- ONNX ----------------------------------------------------------------------------------------


@given(sentences=texts, batch_size=st.integers(1, 4))
@settings(deadline=None, max_examples=30)
def test_onnx_vectors_are_the_naive_ones(
    onnx_file: Path, sentences: list[str], batch_size: int
) -> None:
    vector = open_method(onnx_file, batch_size=batch_size).encode(sentences).vector
    assert vector.shape == (len(sentences), 4)
    for text, row in zip(sentences, vector, strict=True):
        np.testing.assert_allclose(row, onnx_vector(text), atol=1e-5)


def test_a_column_of_strings_does_too(onnx_file: Path, tmp_path: Path) -> None:
    column = save_onnx(tmp_path / "column.onnx", column=True)
    sentences = ["cats chase mice", "dogs help birds", "cats"]
    np.testing.assert_array_equal(
        open_method(column).encode(sentences).vector,
        open_method(onnx_file).encode(sentences).vector,
    )


def test_odd_sentences_have_defined_results(onnx_file: Path) -> None:
    method = open_method(onnx_file)
    batch = method.encode(["", " \n", "\ud800", "cats " * 1_000, "cats"])
    assert batch.vector.any(axis=1).tolist() == [False, False, False, True, True]
    assert method.similarity_pairwise(["cats " * 1_000], ["cats"])[0] == pytest.approx(1)
    assert method.similarity([], ["cats"]).shape == (0, 1)


def test_the_default_folder_and_the_space(onnx_file: Path, isolated_home: Path) -> None:
    folder = isolated_home / "use"
    with pytest.raises(DataError) as caught:
        open_method(None)
    assert str(folder) in str(caught.value)
    assert "download" in str(caught.value)
    folder.mkdir()
    try:
        save_onnx(folder / "model.onnx")
        assert open_method(None).space == open_method(onnx_file).space
        save_onnx(folder / "model.onnx", dim=3)
        assert open_method(folder).space != open_method(onnx_file).space
    finally:
        (folder / "model.onnx").unlink()
        folder.rmdir()


def test_a_model_that_is_none_is_told_apart(tmp_path: Path, onnx_file: Path) -> None:
    from onnx import TensorProto, helper, save

    broken = tmp_path / "broken.onnx"
    broken.write_bytes(onnx_file.read_bytes()[:50])
    with pytest.raises(DataError, match="does not load"):
        open_method(broken).encode(["cats"])

    def identity(kind: int, name: str, *nodes: Any, to: int | None = None) -> Path:
        given = helper.make_tensor_value_info("x", kind, ["n"])
        result = helper.make_tensor_value_info("y", to or kind, None)
        graph = helper.make_graph(
            list(nodes) or [helper.make_node("Identity", ["x"], ["y"])], "g", [given], [result]
        )
        path = tmp_path / name
        opsets = [helper.make_opsetid("", 20), helper.make_opsetid("nowhere", 1)]
        save(helper.make_model(graph, opset_imports=opsets, ir_version=9), str(path))
        return path

    with pytest.raises(DataError, match="not one tensor of strings"):
        open_method(identity(TensorProto.INT64, "numbers.onnx")).encode(["cats"])
    with pytest.raises(DataError, match="not one vector for each"):
        open_method(identity(TensorProto.STRING, "same.onnx")).encode(["cats"])
    odd = helper.make_node("Odd", ["x"], ["y"], domain="nowhere")
    with pytest.raises(DataError, match="onnxruntime-extensions"):
        open_method(identity(TensorProto.STRING, "odd.onnx", odd)).encode(["cats"])
    cast = helper.make_node("Cast", ["x"], ["y"], to=TensorProto.FLOAT)
    with pytest.raises(DataError, match="fails on sentences"):
        open_method(identity(TensorProto.STRING, "cast.onnx", cast, to=TensorProto.FLOAT)).encode(
            ["cats"]
        )
    value = helper.make_tensor("value", TensorProto.FLOAT, [1], [float("nan")])
    nodes = [
        helper.make_node("Shape", ["x"], ["n"]),
        helper.make_node("ConstantOfShape", ["n"], ["flat"], value=value),
        helper.make_node("Constant", [], ["shape"], value_ints=[-1, 1]),
        helper.make_node("Reshape", ["flat", "shape"], ["y"]),
    ]
    path = identity(TensorProto.STRING, "nan.onnx", *nodes, to=TensorProto.FLOAT)
    with pytest.raises(DataError, match="NaN"):
        open_method(path).encode(["cats"])


# --- what is missing -----------------------------------------------------------------------------


def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.onnx").write_bytes(b"")
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "saved_model.pb").write_bytes(b"")
    for package in ("onnxruntime", "tensorflow", "tensorflow_hub"):
        monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delenv("COMPSIM_OFFLINE", raising=False)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    for model, extra in (
        (tmp_path / "model.onnx", r"\.\[use\]"),
        (tmp_path / "saved", r"\.\[use-tf\]"),
        ("http://127.0.0.1:9/use/1", r"\.\[use-tf\]"),
    ):
        with pytest.raises(MissingExtraError, match=extra):
            open_method(model).encode(["cats"])


def test_what_is_no_address_is_said() -> None:
    for address in ("http://[", "https://user:secret@example.org/use"):
        with pytest.raises(DataError, match="no address of a model") as caught:
            open_method(address)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize("variable", ["COMPSIM_OFFLINE", "HF_HUB_OFFLINE"])
def test_offline_nothing_is_fetched(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "1")
    with pytest.raises(ServiceError, match=variable):
        open_method("https://tfhub.dev/google/universal-sentence-encoder/4")
    assert open_method("http://127.0.0.1:9/use/1").space == "use http://127.0.0.1:9/use/1"


def test_wrong_options(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="batch_size=0"):
        open_method(tmp_path, batch_size=0)
    for nothing in (tmp_path, tmp_path / "x.onnx", str(tmp_path / "x")):
        with pytest.raises(DataError, match="no saved_model"):
            open_method(nothing)


# --- TensorFlow ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def saved_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tf = pytest.importorskip("tensorflow")

    class Toy(tf.Module):  # type: ignore[misc, name-defined]
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])  # type: ignore[untyped-decorator]
        def __call__(self, sentences: Any) -> Any:
            sizes = tf.cast(tf.strings.length(sentences), tf.float32)
            return tf.stack([sizes, tf.ones_like(sizes)], axis=1)

    folder = tmp_path_factory.mktemp("saved") / "toy"
    tf.saved_model.save(Toy(), str(folder))
    return folder


def test_a_saved_model(saved_model: Path) -> None:
    method = open_method(saved_model, batch_size=2)
    sentences = ["abc", "", "a", "abcdefg", "é"]
    expected = [[3, 1], [0, 0], [1, 1], [7, 1], [2, 1]]
    assert method.encode(sentences).vector.tolist() == expected
    assert open_method(str(saved_model)).space == method.space


def test_a_saved_model_with_a_signature_only(tmp_path: Path) -> None:
    tf = pytest.importorskip("tensorflow")
    module = tf.Module()

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])  # type: ignore[untyped-decorator]
    def encode(sentences: Any) -> Any:
        sizes = tf.cast(tf.strings.length(sentences), tf.float32)
        return {"default": tf.stack([sizes, sizes], axis=1)}

    module.encode = encode
    tf.saved_model.save(module, str(tmp_path / "named"), signatures={"default": encode})
    assert open_method(tmp_path / "named").encode(["abc"]).vector.tolist() == [[3, 3]]
    tf.saved_model.save(tf.Module(), str(tmp_path / "none"))
    with pytest.raises(DataError, match="can not be called"):
        open_method(tmp_path / "none").encode(["abc"])
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "saved_model.pb").write_bytes(b"none")
    with pytest.raises(DataError, match="does not load"):
        open_method(tmp_path / "broken").encode(["abc"])


@contextmanager
def hub(content: bytes) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}/toy/1"
    finally:
        http.shutdown()
        http.server_close()


def test_a_model_of_a_hub(
    saved_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tensorflow_hub")
    monkeypatch.setenv("TFHUB_CACHE_DIR", str(tmp_path))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(saved_model, arcname=".")
    with hub(packed.getvalue()) as url:
        assert open_method(url).encode(["abc"]).vector.tolist() == [[3, 1]]
    with hub(b"no archive") as url, pytest.raises(DataError, match="can not be had"):
        open_method(url).encode(["abc"])
