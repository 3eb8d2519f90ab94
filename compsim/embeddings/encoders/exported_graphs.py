"""Models that take sentences as strings and give vectors: an ONNX file, or a SavedModel folder.

Each ``open_...`` returns a function from a list of sentences to what the model gives for them::

    from compsim.embeddings.encoders.exported_graphs import open_onnx
    vectors = open_onnx(Path("model.onnx"))(["Cats sleep."])
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError, MissingExtraError
from compsim.missing import incomplete, install_command

__all__ = ["Graph", "open_onnx", "open_saved_model", "resolve_hub"]

Graph: TypeAlias = Callable[[list[str]], npt.NDArray[Any]]


def open_onnx(path: Path) -> Graph:
    """An ONNX model whose input is a tensor of strings, (n,) or (n, 1).

    Raises ``MissingExtraError`` without onnxruntime, ``DataError`` for any other model.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise _missing("onnxruntime", "use", error) from error
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # what goes wrong is raised, and need not be printed too
    try:
        # Exports of tokenisers use its operators.
        from onnxruntime_extensions import get_library_path
    except ImportError:
        pass
    else:
        options.register_custom_ops_library(get_library_path())
    try:
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # the errors of onnxruntime have no base class of their own
        raise DataError(
            f"the ONNX model {path} does not load ({_first_line(error)}): export it again, or run "
            "pip install onnxruntime-extensions if it needs other operators"
        ) from error
    inputs = session.get_inputs()
    if len(inputs) != 1 or inputs[0].type != "tensor(string)":
        text = ", ".join(f"{given.name}: {given.type}" for given in inputs)
        raise DataError(
            f"the ONNX model {path} takes {text or 'nothing'} and not one tensor of strings: "
            "export the model together with its tokeniser"
        )
    column = len(inputs[0].shape) == 2

    def run(sentences: list[str]) -> npt.NDArray[Any]:
        texts = np.array(sentences, dtype=object)
        try:
            outputs = session.run(None, {inputs[0].name: texts[:, None] if column else texts})
        except Exception as error:
            raise _fails(path, error) from error
        return np.asarray(outputs[0])

    return run


def open_saved_model(folder: Path) -> Graph:
    """A SavedModel that is called with a tensor of strings, or has a signature for one.

    Raises ``MissingExtraError`` without TensorFlow, ``DataError`` for any other model.
    """
    try:
        import tensorflow as tf
    except ImportError as error:
        raise _missing("tensorflow", "use-tf", error) from error
    try:
        model = tf.saved_model.load(str(folder))
    except Exception as error:  # TensorFlow's errors are of many kinds
        raise DataError(
            f"the SavedModel {folder} does not load ({_first_line(error)}): download it again"
        ) from error
    signatures = getattr(model, "signatures", {})
    named = signatures.get("serving_default") or signatures.get("default")
    call = model if callable(model) else named
    if call is None:
        raise DataError(f"the SavedModel {folder} can not be called: give a sentence encoder")

    def run(sentences: list[str]) -> npt.NDArray[Any]:
        texts = tf.constant(sentences, dtype=tf.string)
        try:
            given = call(texts)
        except Exception as error:
            raise _fails(folder, error) from error
        if isinstance(given, dict):
            given = given[min(given)]
        return np.asarray(given)

    return run


def resolve_hub(url: str) -> Path:
    """The folder into which TensorFlow Hub has unpacked the model of an address.

    Raises ``MissingExtraError`` without tensorflow-hub, ``DataError`` where it can not be had.
    """
    try:
        import tensorflow_hub
    except ImportError as error:
        raise _missing("tensorflow-hub", "use-tf", error) from error
    try:
        return Path(tensorflow_hub.resolve(url))
    except Exception as error:
        raise DataError(
            f"the model {url} can not be had ({_first_line(error)}): download it elsewhere, unpack "
            "it, and give its folder"
        ) from error


def _missing(package: str, extra: str, error: ImportError) -> MissingExtraError:
    return incomplete("method 'use'", error) or MissingExtraError(
        f"method 'use' needs {package} for this model, which is not installed ({error}): run "
        f"{install_command(extra)}",
        name=error.name,
    )


def _fails(path: Path, error: Exception) -> DataError:
    return DataError(
        f"the model {path} fails on sentences ({_first_line(error)}): give a sentence encoder that "
        "takes strings"
    )


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__
