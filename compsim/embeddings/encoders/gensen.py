"""GenSen: the final states of a GRU in both directions, trained on several tasks at once.

Source: Subramanian et al. 2018, and the files of github.com/Maluuba/gensen: a state dict of PyTorch
beside a pickled vocabulary. The authors join the vectors of two models. ``vectors`` extends the
vocabulary as they do: a linear map from other word vectors to the model's, fitted on the words that
both have::

    from compsim import load
    method = load("gensen", model="nli_large_bothskip_parse.model+nli_large_bothskip.model",
                  vectors="glove.840B.300d.txt")
    method.similarity_pairwise(["Cats chase mice."], ["Mice chase cats."])

>>> DEFAULT.split("+")
['nli_large_bothskip_parse.model', 'nli_large_bothskip.model']
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.embeddings.encoders import treebank
from compsim.embeddings.encoders.recurrent import (
    RecurrentMethod,
    final_states,
    published_file,
    read_state_dict,
)
from compsim.errors import DataError
from compsim.method import MethodInfo
from compsim.storage.checksums import quick_fingerprint
from compsim.storage.pickled import load_plain
from compsim.storage.reading import UNREADABLE, expanded, open_plain
from compsim.vectors.token_vectors import TokenVectors

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = ["DEFAULT", "GenSen"]

Array = npt.NDArray[np.float32]

_URL: Final = "https://genseniclr2018.blob.core.windows.net/models"
#: The two models that the authors join for the last row of their table.
DEFAULT: Final = "nli_large_bothskip_parse.model+nli_large_bothskip.model"
_START, _END, _UNKNOWN = "<s>", "</s>", "<unk>"
_KINDS: Final = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


class _Encoder(NamedTuple):
    """A model: its GRU, its word vectors (words, dim) and their rows by word."""

    gru: Any
    table: Array
    rows: dict[str, int]


class GenSen(RecurrentMethod):
    """The cosine of GenSen vectors: the last states of a GRU in both directions.

    - ``model``: the state dict ``NAME.model``, beside which ``NAME_vocab.pkl`` lies; several joined
      by ``+``; by default the two that the authors join, in ``gensen`` in the user-data folder;
    - ``vectors``: a text file of word vectors (the authors': ``glove.840B.300d.txt``) from which
      words that a model does not know are mapped; by default they are the unknown word;
    - ``device``: ``"cpu"``, ``"cuda"``, by default a GPU where there is one; ``batch_size``:
      sentences at a time; ``normalize``: see ``EmbeddingMethod``.

    Sentences are written in lower case, since the models know no other.
    """

    info = MethodInfo(
        name="gensen",
        summary="cosine of the final states of a GRU trained on several tasks "
        "(Subramanian et al. 2018)",
        needs=("transformers",),
    )

    def __init__(
        self,
        model: str | Path | None = None,
        vectors: str | Path | None = None,
        device: str | None = None,
        batch_size: int = 64,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(device, batch_size, normalize)
        parts = DEFAULT.split("+") if model is None else _parts(model)
        self.models = [
            published_file(
                "GenSen",
                "encoder",
                "model",
                None if model is None else part,
                part,
                f"{_URL}/{part}",
            )
            for part in parts
        ]
        self._vocabularies = [
            published_file("GenSen", "vocabulary", "model", path, path.name, f"{_URL}/{path.name}")
            for path in map(_beside, self.models)
        ]
        self._vectors = None if vectors is None else TokenVectors(vectors)

    @cached_property
    def space(self) -> str:
        """The contents of the files, by their sizes, beginnings and ends."""
        files = [*self.models, *self._vocabularies]
        more = "" if self._vectors is None else f" {self._vectors.fingerprint}"
        return "gensen " + " ".join(map(quick_fingerprint, files)) + more

    @property
    def width(self) -> int:
        """The length of a sentence vector: the states of all models in both directions."""
        return sum(2 * int(encoder.gru.hidden_size) for encoder in self._encoders)

    def inputs(self, text: str) -> list[str]:
        """Return the words of a sentence in lower case, with markers around them."""
        words = treebank.words(text.lower())
        return [_START, *words, _END] if words else []

    def run(self, batch: list[list[str]]) -> Array:
        """Return the final states of each model, backward before forward, float32 (n, width)."""
        joined = []
        for encoder, extend in zip(self._encoders, self._maps, strict=True):
            states = final_states(
                encoder.gru, [self._looked_up(words, encoder, extend) for words in batch]
            )
            forward, backward = np.split(states, 2, axis=1)
            joined += [backward, forward]
        return np.concatenate(joined, axis=1)

    def _looked_up(self, words: list[str], encoder: _Encoder, extend: Array | None) -> Array:
        """Return the word vectors, float32 (words, dim), of a sentence for a model."""
        unknown = encoder.rows[_UNKNOWN]
        rows = encoder.table[[encoder.rows.get(word, unknown) for word in words]]
        if self._vectors is None or extend is None:
            return rows
        others = self._vectors.get(word for word in words if word not in encoder.rows)
        for place, word in enumerate(words):
            if word in others:
                rows[place] = np.append(others[word], np.float32(1)) @ extend
        return rows

    @cached_property
    def _encoders(self) -> list[_Encoder]:
        device = self.torch_device()
        both = zip(self.models, self._vocabularies, strict=True)
        return [_open(model, vocabulary, device) for model, vocabulary in both]

    @cached_property
    def _maps(self) -> list[Array | None]:
        """The linear map (dim of the vectors + 1, dim of the words) of each model."""
        if self._vectors is None:
            return [None] * len(self._encoders)
        return [_linear_map(self._vectors, encoder) for encoder in self._encoders]


def _parts(model: str | Path) -> list[str]:
    """Return the files that an option names, joined by "+" where that is no file itself."""
    if isinstance(model, Path) or expanded(model).exists():
        return [str(model)]
    return model.split("+")


def _beside(model: Path) -> Path:
    return model.with_name(f"{model.stem}_vocab.pkl")


def _open(path: Path, vocabulary: Path, device: str) -> _Encoder:
    """Return the model of a state dict and its vocabulary."""
    import torch

    state = read_state_dict(path, "a GenSen encoder", _URL)
    mend = f"download {path.name} and {vocabulary.name} again from {_URL}"
    layers = 0
    while f"encoder.weight_ih_l{layers}" in state:
        layers += 1
    try:
        table = state["src_embedding.weight"].numpy()
        names = [
            f"{kind}_l{layer}{direction}"
            for layer in range(layers)
            for direction in ("", "_reverse")
            for kind in _KINDS
        ]
        weights = {name: state[f"encoder.{name}"] for name in names}
        states = weights["weight_hh_l0"].shape[1]
        gru = torch.nn.GRU(
            table.shape[1], states, num_layers=layers, batch_first=True, bidirectional=True
        )
        gru.load_state_dict(weights)
    except (KeyError, IndexError, RuntimeError) as error:
        why = " ".join(str(error).split())[:200]
        raise DataError(f"{path} is not a GenSen encoder ({why}): {mend}") from error
    rows = _words(vocabulary, mend)
    if any(row >= len(table) for row in rows.values()):
        raise DataError(f"{vocabulary} has words beyond the {len(table)} of {path}: {mend}")
    return _Encoder(gru.to(device).eval(), table, rows)


def _words(path: Path, mend: str) -> dict[str, int]:
    """Return the row of each word of a pickled vocabulary."""
    try:
        with open_plain(path) as file:
            content = load_plain(file, encoding="utf-8")
    except UNREADABLE as error:
        raise DataError(f"{path} cannot be read ({error}): {mend}") from error
    rows = content.get("word2id") if isinstance(content, dict) else None
    if not isinstance(rows, dict) or not all(
        isinstance(word, str) and type(row) is int and row >= 0 for word, row in rows.items()
    ):
        raise DataError(f"{path} has no numbers of words under 'word2id': {mend}")
    for word in (_START, _END, _UNKNOWN):
        if word not in rows:
            raise DataError(f"{path} does not have {word!r}, which sentences need: {mend}")
    return rows


def _linear_map(vectors: TokenVectors, encoder: _Encoder) -> Array:
    """Return the map, with an intercept in its last row, from word vectors to those of a model.

    It is fitted by least squares on the words that both have. Raises ``DataError`` where there is
    none.
    """
    others = vectors.get(encoder.rows)
    if not others:
        raise DataError(
            f"{vectors.path} has none of the words of the encoder, from which the map is fitted: "
            "give vectors of English words"
        )
    source = np.stack([np.append(vector, np.float32(1)) for vector in others.values()])
    target = encoder.table[[encoder.rows[word] for word in others]]
    result = np.linalg.lstsq(source.astype(np.float64), target.astype(np.float64), rcond=None)[0]
    return result.astype(np.float32)
