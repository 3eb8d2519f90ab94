"""Skip-Thought vectors: the final states of two GRUs that were trained to tell what stands beside.

Source: Kiros et al. 2015, and the files of github.com/ryankiros/skip-thoughts: two archives of
weights, a table of word vectors for each, and the list of words. The vector of a sentence is that
of the one-way encoder beside that of the two-way encoder, each at unit length ("combine-skip")::

    from compsim import load
    method = load("skipthought", model="skip-thoughts")  # the folder with the files
    method.similarity_pairwise(["Cats chase mice."], ["Mice chase cats."])

>>> FILES
('dictionary.txt', 'utable.npy', 'btable.npy', 'uni_skip.npz', 'bi_skip.npz')
"""

from __future__ import annotations

import zipfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from compsim.embeddings.encoders import treebank
from compsim.embeddings.encoders.recurrent import (
    RecurrentMethod,
    final_states,
    gru_of_theano,
    published_file,
    unit_halves,
)
from compsim.errors import DataError
from compsim.method import MethodInfo
from compsim.storage.arrays import map_array, read_array
from compsim.storage.checksums import quick_fingerprint
from compsim.storage.pickled import load_object_rows
from compsim.storage.reading import UNREADABLE, expanded, lines_of, open_plain

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = ["FILES", "SkipThought"]

_URL: Final = "http://www.cs.toronto.edu/~rkiros/models"
FILES: Final = ("dictionary.txt", "utable.npy", "btable.npy", "uni_skip.npz", "bi_skip.npz")
#: What stands for a word that is not in the list.
_UNKNOWN: Final = "UNK"
_LAYER: Final = ("W", "b", "U", "Wx", "bx", "Ux")


class SkipThought(RecurrentMethod):
    """The cosine of Skip-Thought vectors, one-way and two-way side by side.

    - ``model``: the folder with the published files (see ``FILES``), by default ``skipthought`` in
      the user-data folder; ``device``: ``"cpu"``, ``"cuda"``, by default a GPU where there is one;
    - ``batch_size``: sentences at a time; ``normalize``: see ``EmbeddingMethod``.

    Words are looked up as they stand, and "UNK" stands for those that are not in the list. The
    tables have 930,000 words; the published ones, which are pickled, are read into memory (2.3 GB
    each), those that ``numpy.save`` has written as plain numbers are mapped.
    """

    info = MethodInfo(
        name="skipthought",
        summary="cosine of the final states of GRUs, one-way and two-way (Kiros et al. 2015)",
        needs=("transformers",),
    )

    def __init__(
        self,
        model: str | Path | None = None,
        device: str | None = None,
        batch_size: int = 64,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(device, batch_size, normalize)
        folder = None if model is None else expanded(model)
        self._files = {
            name: published_file(
                "SkipThought",
                f"file {name}",
                "model",
                None if folder is None else folder / name,
                name,
                f"{_URL}/{name}",
            )
            for name in FILES
        }
        self.model = self._files[FILES[0]].parent

    @cached_property
    def space(self) -> str:
        """The contents of the files, by their sizes, beginnings and ends."""
        return "skipthought " + " ".join(map(quick_fingerprint, self._files.values()))

    @property
    def width(self) -> int:
        """The length of a sentence vector: the states of all three directions."""
        one, two = self._grus
        return int(one.hidden_size + 2 * two.hidden_size)

    def inputs(self, text: str) -> list[int]:
        """Return the rows of the words in the tables."""
        rows = self._row_of
        return [rows.get(word, rows[_UNKNOWN]) for word in treebank.words(text)]

    def run(self, batch: list[list[int]]) -> npt.NDArray[np.float32]:
        """Return the final states, each encoder's at unit length, float32 (n, width)."""
        halves = [
            final_states(gru, [np.asarray(table[words], np.float32) for words in batch])
            for gru, table in zip(self._grus, self._tables, strict=True)
        ]
        return unit_halves(halves)

    @cached_property
    def _row_of(self) -> dict[str, int]:
        """The row of each word; of a word that comes twice, the last."""
        path = self._files["dictionary.txt"]
        try:
            with open_plain(path) as file:
                words = [line.decode().strip() for line in lines_of(file, path)]
        except (OSError, UnicodeDecodeError) as error:
            raise _damaged(path, error) from error
        rows = {word: row for row, word in enumerate(words)}
        if _UNKNOWN not in rows:
            raise _damaged(path, ValueError(f"it has no word {_UNKNOWN!r}"))
        if any(len(table) < len(words) for table in self._tables):
            raise DataError(
                f"{path} has {len(words)} words, more than a table beside it has vectors: download "
                f"the files again from {_URL}"
            )
        return rows

    @cached_property
    def _tables(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """The word vectors (words, dim) of the one-way encoder and of the two-way encoder."""
        one, two = (_table(self._files[name]) for name in ("utable.npy", "btable.npy"))
        for table, gru, name in zip((one, two), self._grus, FILES[1:3], strict=True):
            if table.ndim != 2 or table.shape[1] != gru.input_size:
                raise DataError(
                    f"{self._files[name]} has an array {table.shape}, and the encoder reads word "
                    f"vectors of {gru.input_size} numbers: download both again from {_URL}"
                )
        return one, two

    @cached_property
    def _grus(self) -> tuple[Any, Any]:
        """The encoders of PyTorch: one direction, and both."""
        device = self.torch_device()
        one, two = (
            _gru(self._files[name], prefixes).to(device).eval()
            for name, prefixes in (
                ("uni_skip.npz", ("encoder",)),
                ("bi_skip.npz", ("encoder", "encoder_r")),
            )
        )
        return one, two


def _gru(path: Path, prefixes: tuple[str, ...]) -> Any:
    """Return the GRU whose weights an archive has under these prefixes."""
    try:
        with zipfile.ZipFile(path) as archive:
            directions = []
            for prefix in prefixes:
                weights = {}
                for name in _LAYER:
                    entry = archive.getinfo(f"{prefix}_{name}.npy")
                    with archive.open(entry) as file:
                        weights[name] = read_array(file, entry.file_size)
                directions.append(weights)
        return gru_of_theano(directions)
    except (*UNREADABLE, zipfile.BadZipFile) as error:
        raise _damaged(path, error) from error


def _table(path: Path) -> npt.NDArray[Any]:
    """Return the word vectors of a file, mapped where it has plain numbers."""
    try:
        return map_array(path)
    except ValueError:
        pass
    except OSError as error:
        raise _damaged(path, error) from error
    try:
        with open_plain(path) as file:
            return load_object_rows(file)
    except UNREADABLE as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> DataError:
    why = str(error) or type(error).__name__
    return DataError(
        f"{path} is not the published file of SkipThought ({why}): download it again from "
        f"{_URL}/{path.name}"
    )
