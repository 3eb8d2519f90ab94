"""Tables that the package model2vec has made, read without it.

A folder holds ``tokenizer.json`` and ``model.safetensors``, whose tensor ``embeddings`` has a row
for each token; ``weights`` may say how much each token counts, and ``mapping`` which row each token
has, where several share one. Texts are cut as model2vec cuts them: no special tokens, none that
the tokenizer does not know, and no more than 512 of them.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from compsim.embeddings.static.pieces import Place
from compsim.embeddings.static.table import StaticTable
from compsim.errors import DataError
from compsim.missing import missing
from compsim.storage.files import file_sha256

if TYPE_CHECKING:
    from tokenizers import Encoding

__all__ = ["open_model2vec", "read_safetensors"]

_MODEL: Final = "model.safetensors"
_TOKENIZER: Final = "tokenizer.json"
#: Tokens of a text that count.
_LONGEST: Final = 512
#: The longest header of a file of tensors.
_HEADER: Final = 100_000_000
_TYPES: Final = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I8": "<i1", "I32": "<i4", "I64": "<i8"}


def open_model2vec(folder: Path) -> StaticTable:
    """Open the table in a folder.

    Raises ``MissingExtraError`` without the package tokenizers, ``DataError`` for a folder that
    lacks one of the files, or whose files are damaged or do not fit together.
    """
    for name in (_MODEL, _TOKENIZER):
        if not (folder / name).is_file():
            raise DataError(
                f"{folder} has no {name}: give the folder of a model that model2vec has saved"
            )
    try:
        tensors = read_safetensors(folder / _MODEL)
    except (OSError, ValueError) as error:
        raise _damaged(folder / _MODEL, str(error)) from error
    tokenizer = _Tokens(folder / _TOKENIZER)
    matrix, weights = _per_token(tensors, tokenizer.size, folder / _MODEL)
    digest = file_sha256(folder / _MODEL)[:8] + file_sha256(folder / _TOKENIZER)[:8]
    return StaticTable(matrix, weights, tokenizer, f"model2vec {folder.resolve().name}-{digest}")


def read_safetensors(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Read the tensors of a file by their names, each as a memory map.

    Raises ``ValueError`` for another file, and for a tensor of a type that numpy does not have.
    """
    with path.open("rb") as file:
        head = file.read(8)
        length = struct.unpack("<Q", head)[0] if len(head) == 8 else _HEADER
        if length >= _HEADER:
            raise ValueError("it is no file of tensors")
        header = json.loads(file.read(length))
    content = np.memmap(path, dtype=np.uint8, mode="r")[8 + length :]
    result = {}
    try:
        for name, results in header.items():
            if name != "__metadata__":
                kind = np.dtype(_TYPES[results["dtype"]])
                start, stop = results["data_offsets"]
                result[name] = content[start:stop].view(kind).reshape(results["shape"])
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"its header cannot be read ({error})") from error
    return result


class _Tokens:
    """The tokens of a ``tokenizer.json``, read by the package tokenizers."""

    def __init__(self, path: Path) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise missing("tokenizers", "static", error) from error
        try:
            text = path.read_text(encoding="utf-8")
            self._tokenizer = Tokenizer.from_str(text)
            unknown = json.loads(text)["model"].get("unk_token")
        except Exception as error:  # the package raises Exception itself
            raise _damaged(path, str(error)) from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._unknown = None if unknown is None else self._tokenizer.token_to_id(unknown)
        self.size = self._tokenizer.get_vocab_size()

    def rows(self, texts: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the rows of all tokens, and where those of each text end: (n + 1,) from 0."""
        read = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        results = [self._counted(encoding) for encoding in read]
        ends = np.array([0, *accumulate(map(len, results))], dtype=np.int64)
        return np.array(list(chain.from_iterable(results)), dtype=np.int64), ends

    def places(self, text: str) -> list[Place]:
        """Return the rows of a text and the characters that each stands for."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        places = map(Place, encoding.ids, encoding.offsets)
        return [place for place in places if place.row != self._unknown][:_LONGEST]

    def name(self, row: int) -> str:
        """Return the token of a row."""
        return str(self._tokenizer.id_to_token(row))

    def _counted(self, encoding: Encoding) -> list[int]:
        return [row for row in encoding.ids if row != self._unknown][:_LONGEST]


def _per_token(
    tensors: Mapping[str, npt.NDArray[Any]], tokens: int, path: Path
) -> tuple[npt.NDArray[Any], npt.NDArray[np.float32]]:
    """Return the vectors (tokens, dim) and the weights (tokens,)."""
    matrix = tensors.get("embeddings")
    if matrix is None or matrix.ndim != 2:
        raise _damaged(path, f"it has no embeddings, but {', '.join(tensors) or 'nothing'}")
    mapping = tensors.get("mapping")
    if mapping is not None:
        inside = (mapping >= 0) & (mapping < len(matrix))
        if mapping.ndim != 1 or not inside.all():
            raise _damaged(path, "its mapping leads beyond its embeddings")
        matrix = matrix[mapping]
    weights = np.asarray(tensors.get("weights", np.ones(len(matrix))), dtype=np.float32)
    if len(matrix) < tokens or weights.shape != matrix.shape[:1]:
        raise _damaged(
            path, f"{len(matrix)} vectors and {weights.shape[0]} weights for {tokens} tokens"
        )
    if not np.isfinite(weights).all() or not np.isfinite(matrix).all():
        raise _damaged(path, "it has NaN or infinity")
    return matrix, weights


def _damaged(path: Path, why: str) -> DataError:
    return DataError(f"{path} cannot be read ({why}): fetch all files of the model again")
