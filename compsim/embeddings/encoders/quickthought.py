"""Quick-Thought vectors: two encoders that were trained to tell which sentence stands beside.

Source: Logeswaran and Lee 2018, and the files of github.com/lajanugen/S2V: a configuration in JSON,
which names the checkpoint of TensorFlow and the words with their vectors. The vector of a sentence
is that of the encoder of sentences beside that of the encoder of neighbours, each at unit length; a
configuration with several models joins theirs. TensorFlow is not needed::

    from compsim import load
    method = load("quickthought", model="s2v/eval.json")  # its paths start from its own folder
    method.similarity_pairwise(["Cats chase mice."], ["Mice chase cats."])

>>> GATES.fullmatch("encoder_out/fw/gru_cell/gates/kernel").group("side", "direction", "part")
('_out', 'fw', 'gates')
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.embeddings.encoders import treebank
from compsim.embeddings.encoders.recurrent import (
    RecurrentMethod,
    TensorFlowGru,
    final_states_of_cell,
    published_file,
    unit_halves,
)
from compsim.embeddings.encoders.tensor_bundle import Checkpoint, open_checkpoint
from compsim.errors import DataError
from compsim.method import MethodInfo
from compsim.storage.arrays import map_array
from compsim.storage.checksums import quick_fingerprint
from compsim.storage.reading import UNREADABLE, lines_of, open_plain, parse_json, read_text

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = ["GATES", "QuickThought"]

Array = npt.NDArray[np.float32]

_URL: Final = "https://github.com/lajanugen/S2V"
#: The variables of an encoder; before TensorFlow 1.2 kernels were called weights.
GATES: Final = re.compile(
    r"encoder(?P<side>|_out)/(?:\w+/)*?(?:(?P<direction>fw|bw)/)?gru_cell/"
    r"(?P<part>gates|candidate)/(?P<kind>kernel|weights|bias|biases)"
)
_SIDES: Final = ("", "_out")
_UNKNOWN: Final = "<unk>"


class _Words(NamedTuple):
    """Word vectors (words, dim) and the row of each word."""

    table: npt.NDArray[Any]
    rows: dict[str, int]


class _Encoder(NamedTuple):
    """One of a model's two encoders: its cells by direction, none where words are summed."""

    words: _Words
    cells: tuple[TensorFlowGru, ...]
    lower: bool

    @property
    def width(self) -> int:
        return sum(cell.states for cell in self.cells) or int(self.words.table.shape[1])


class QuickThought(RecurrentMethod):
    """The cosine of Quick-Thought vectors, those of both encoders side by side.

    - ``model``: the configuration (an ``eval.json``); its ``checkpoint_path``, ``vocab_file`` and
      ``embs_file`` start from its folder; by default ``quickthought/eval.json`` in the user-data
      folder;
    - ``device``: ``"cpu"``, ``"cuda"``, by default a GPU where there is one; ``batch_size``:
      sentences at a time; ``normalize``: see ``EmbeddingMethod``.

    Encoders are GRUs in one direction or both, or sums of words. "<unk>" stands for words that a
    model does not know.
    """

    info = MethodInfo(
        name="quickthought",
        summary="cosine of the final states of two encoders (Logeswaran, Lee 2018)",
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
        what = "the models (README of the repository)"
        self.model = published_file(
            "QuickThought", "configuration", "model", model, "eval.json", f"{what} of {_URL}"
        )

    @cached_property
    def space(self) -> str:
        """The contents of the files, by their sizes, beginnings and ends."""
        _, files = self._opened
        return "quickthought " + " ".join(map(quick_fingerprint, files))

    @property
    def width(self) -> int:
        """The length of a sentence vector: the states of all encoders."""
        return sum(encoder.width for encoder in self._encoders)

    def inputs(self, text: str) -> list[str]:
        """Return the words of a sentence as they stand."""
        return treebank.words(text)

    def run(self, batch: list[list[str]]) -> Array:
        """Return the final states, each encoder's at unit length, float32 (n, width)."""
        device = self.torch_device()
        return unit_halves([_encode(encoder, batch, device) for encoder in self._encoders])

    @property
    def _encoders(self) -> list[_Encoder]:
        return self._opened[0]

    @cached_property
    def _opened(self) -> tuple[list[_Encoder], list[Path]]:
        """The encoders of all models, and the files that they are read from."""
        content = parse_json(read_text(self.model), str(self.model), "give a model configuration")
        models = content if isinstance(content, list) else [content]
        encoders: list[_Encoder] = []
        files = [self.model]
        for settings in models:
            if not isinstance(settings, dict):
                raise _unlike(self.model, "it has no settings by name")
            opened, of = _open(self.model, settings)
            encoders += opened
            files += of
        if not encoders:
            raise _unlike(self.model, "it names no model")
        return encoders, list(dict.fromkeys(files))


def _open(path: Path, settings: dict[str, Any]) -> tuple[list[_Encoder], list[Path]]:
    """Return the two encoders of a model, and the files that they are read from."""
    kind = settings.get("encoder")
    if kind not in ("gru", "bow"):
        raise _unlike(path, f"its encoder {kind!r} is neither 'gru' nor 'bow'")
    for name in ("checkpoint_path", "vocab_configs"):
        if not settings.get(name):
            raise _unlike(path, f"it has no {name!r}")
    # The authors' code reads further vocabularies of a model; its encoders use the first.
    vocabulary = settings["vocab_configs"][0]
    checkpoint = open_checkpoint(path.parent / str(settings["checkpoint_path"]))
    lower = not settings.get("case_sensitive", False)
    encoders, files = [], checkpoint.files
    for side in _SIDES:
        words, of = _words(path, vocabulary, checkpoint, side)
        cells = _cells(checkpoint, side, bool(settings.get("bidir"))) if kind == "gru" else ()
        if any(len(cell.gates) != words.table.shape[1] + cell.states for cell in cells):
            raise _unlike(
                path, f"its words have {words.table.shape[1]} numbers, as no encoder reads"
            )
        encoders.append(_Encoder(words, cells, lower))
        files += of
    return encoders, files


def _words(
    path: Path, vocabulary: dict[str, Any], checkpoint: Checkpoint, side: str
) -> tuple[_Words, list[Path]]:
    """Return the words of an encoder with their vectors, and the files that they are read from."""
    mode: Literal["fixed", "trained", "expand"] | None = vocabulary.get("mode")
    name, listed = (vocabulary.get(key) for key in ("name", "vocab_file"))
    if mode not in ("fixed", "trained", "expand") or not name or not listed:
        raise _unlike(path, "its vocabulary has no mode, name and vocab_file")
    file = path.parent / str(listed)
    if mode != "expand":
        table = checkpoint.tensor(name if mode == "fixed" else f"{name}{side}")
        return _Words(table, _rows(file, len(table))), [file]
    file = file.with_name(f"{file.name}{side}.txt")
    array = path.parent / f"{vocabulary.get('embs_file') or listed}{side}.npy"
    try:
        table = map_array(array)
    except UNREADABLE as error:
        why = getattr(error, "strerror", None) or str(error)
        raise DataError(
            f"the word vectors {array} cannot be read ({why}): put the files of the model where "
            f"{path} says"
        ) from error
    return _Words(table, _rows(file, len(table))), [file, array]


def _rows(path: Path, count: int) -> dict[str, int]:
    """Return the row of each word of a file, a word a line; at most ``count``, as vectors are."""
    try:
        with open_plain(path) as file:
            words = [line.decode().strip() for line in lines_of(file, path)]
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise DataError(f"the words {path} cannot be read ({why}): give a word a line") from error
    rows = {word: row for row, word in enumerate(words[:count])}
    if _UNKNOWN not in rows:
        raise DataError(f"{path} has no word {_UNKNOWN!r}, which stands for others: mend the list")
    return rows


def _cells(checkpoint: Checkpoint, side: str, both: bool) -> tuple[TensorFlowGru, ...]:
    """Return the cells of an encoder: forward and backward, or the only one."""
    weights: dict[tuple[str, str, str], npt.NDArray[Any]] = {}
    for name in checkpoint.names:
        match = GATES.fullmatch(name)
        if match and match["side"] == side:
            kind = "bias" if match["kind"].startswith("bias") else "kernel"
            key = match["direction"] or "", match["part"], kind
            weights[key] = checkpoint.tensor(name)
    try:
        cells = tuple(
            TensorFlowGru(
                *(
                    weights[direction, part, kind]
                    for part in ("gates", "candidate")
                    for kind in ("kernel", "bias")
                )
            )
            for direction in (("fw", "bw") if both else ("",))
        )
    except KeyError as error:
        raise DataError(
            f"the checkpoint {checkpoint.path} has no weights of the GRU 'encoder{side}': give a "
            "checkpoint of Quick-Thought whose configuration says bidir as it was trained"
        ) from error
    for cell in cells:
        rows, states = len(cell.gates), cell.states
        shapes = [(rows, 2 * states), (2 * states,), (rows, states), (states,)]
        if [one.shape for one in cell] != shapes:
            raise DataError(
                f"the weights of 'encoder{side}' in {checkpoint.path} do not fit together: get the "
                "checkpoint again"
            )
    return cells


def _encode(encoder: _Encoder, batch: list[list[str]], device: str) -> Array:
    """Return the final states of both directions, or the sums of words, float32 (n, width)."""
    table, known = encoder.words
    unknown = known[_UNKNOWN]
    rows = []
    for words in batch:
        written = [word.lower() for word in words] if encoder.lower else words
        rows.append(np.asarray(table[[known.get(word, unknown) for word in written]], np.float32))
    if not encoder.cells:
        return np.stack([one.sum(axis=0) for one in rows])
    ways = [rows, [one[::-1] for one in rows]]
    states = [
        final_states_of_cell(cell, way, device)
        for cell, way in zip(encoder.cells, ways, strict=False)
    ]
    return np.concatenate(states, axis=1)


def _unlike(path: Path, why: str) -> DataError:
    return DataError(f"{path} is not a configuration of Quick-Thought ({why}): see {_URL}")
