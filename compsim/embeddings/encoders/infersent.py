"""InferSent: a bidirectional LSTM over word vectors, its states pooled by their maximum.

Source: Conneau et al. 2017. Two encoders are published, as state dicts of PyTorch: version 1, over
GloVe vectors, and version 2, over those of fastText::

    from compsim import load
    method = load("infersent", model="infersent2.pkl", vectors="crawl-300d-2M.vec")
    method.similarity_pairwise(["Cats chase mice."], ["Mice chase cats."])

>>> from compsim.embeddings.encoders.infersent import tokens
>>> tokens("Cats don't bark.", 1), tokens("Cats don't bark.", 2)
(['Cats', 'do', "n't", 'bark', '.'], ['Cats', 'don', "'t", 'bark', '.'])
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import numpy.typing as npt

from compsim.embeddings.encoders import treebank
from compsim.embeddings.encoders.recurrent import (
    RecurrentMethod,
    published_file,
    read_state_dict,
)
from compsim.errors import DataError, InputError
from compsim.method import MethodInfo
from compsim.storage.files import file_sha256
from compsim.vectors.token_vectors import TokenVectors

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = ["InferSent", "tokens"]

_ENCODERS: Final = "https://dl.fbaipublicfiles.com/infersent"
_VECTORS: Final = {
    1: ("glove.840B.300d.txt", "https://nlp.stanford.edu/data/glove.840B.300d.zip"),
    2: (
        "crawl-300d-2M.vec",
        "https://dl.fbaipublicfiles.com/fasttext/vectors-english/crawl-300d-2M.vec.zip",
    ),
}
#: What stands around every sentence.
_MARKERS: Final = {1: ("<s>", "</s>"), 2: ("<p>", "</p>")}
_NAMES: Final = tuple(
    f"{kind}_l0{direction}"
    for direction in ("", "_reverse")
    for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
)


class InferSent(RecurrentMethod):
    """The cosine of the maximum, over the words, of a BiLSTM's states in both directions.

    - ``version``: 1 or 2, which says how sentences are tokenised and marked; ``model``: the
      encoder's state dict, by default ``infersent/infersent<version>.pkl`` in the user-data folder;
    - ``vectors``: the text file of word vectors that the encoder was trained with, by default
      beside it; ``device``: ``"cpu"``, ``"cuda"``, by default a GPU where there is one;
    - ``batch_size``: sentences at a time; ``normalize``: see ``EmbeddingMethod``.

    Words are looked up as they stand, and those without a vector left out; a sentence without any
    has no vector. The padding of a batch does not count, so a sentence's vector is its own.
    """

    info = MethodInfo(
        name="infersent",
        summary="cosine of a BiLSTM's states, max-pooled (Conneau et al. 2017)",
        needs=("transformers",),
    )

    def __init__(
        self,
        model: str | Path | None = None,
        vectors: str | Path | None = None,
        version: Literal[1, 2] = 2,
        device: str | None = None,
        batch_size: int = 64,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(device, batch_size, normalize)
        if version not in (1, 2):
            raise InputError(f"there is no version {version!r} of InferSent: give 1 or 2")
        self.version = version
        encoder, (table, table_url) = f"infersent{version}.pkl", _VECTORS[version]
        self.model = _file("encoder", "model", model, encoder, f"{_ENCODERS}/{encoder}")
        path = _file("file of word vectors", "vectors", vectors, table, f"{table_url} (unpack it)")
        self._vectors = TokenVectors(path)

    @cached_property
    def space(self) -> str:
        """The version, the encoder's content, the word vectors."""
        digest = file_sha256(self.model)[:16]
        return f"infersent {self.version} {digest} {self._vectors.fingerprint}"

    @property
    def width(self) -> int:
        """The length of a sentence vector: the LSTM's states in both directions."""
        return 2 * int(self._lstm.hidden_size)

    def inputs(self, text: str) -> npt.NDArray[np.float32]:
        """Return the word vectors, float32 (words, dim), with markers around them."""
        markers = self._vectors.get(_MARKERS[self.version])
        before, after = (markers.get(marker) for marker in _MARKERS[self.version])
        words = tokens(text, self.version)
        table = self._vectors.get(words)
        rows = [table[token] for token in words if token in table]
        if not rows:
            return np.empty((0, self._vectors.dim), dtype=np.float32)
        return np.stack([row for row in (before, *rows, after) if row is not None])

    def run(self, batch: list[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
        """Return the maximum of the states over the words, float32 (n, width)."""
        return _pool(self._lstm, batch)

    @cached_property
    def _lstm(self) -> Any:
        device = self.torch_device()
        return _load(self.model, self._vectors).to(device).eval()


def tokens(text: str, version: int) -> list[str]:
    """The tokens of a sentence; version 2 has Moses' "don 't" for the Treebank's "do n't"."""
    words = treebank.words(text)
    if version == 2:
        return " ".join(words).replace(" n't ", "n 't ").split()
    return words


def _pool(lstm: Any, inputs: list[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
    """The maximum of the states over the words of each sentence, float32 (n, 2 x states)."""
    import torch

    device = next(lstm.parameters()).device
    with torch.inference_mode():
        rows = [torch.from_numpy(rows).to(device) for rows in inputs]
        packed = torch.nn.utils.rnn.pack_sequence(rows, enforce_sorted=False)
        states, _ = torch.nn.utils.rnn.pad_packed_sequence(
            lstm(packed)[0], batch_first=True, padding_value=-torch.inf
        )
        pooled: npt.NDArray[np.float32] = states.amax(dim=1).float().cpu().numpy()
    return pooled


def _load(path: Path, vectors: TokenVectors) -> Any:
    """Return the LSTM of a published state dict."""
    import torch

    what = "an InferSent encoder"
    state = read_state_dict(path, what, _ENCODERS)
    try:
        weights = {name: state[f"enc_lstm.{name}"] for name in _NAMES}
        (_, states), (_, dim) = weights["weight_hh_l0"].shape, weights["weight_ih_l0"].shape
    except (KeyError, ValueError) as error:
        raise DataError(
            f"{path} is not the state dict of {what} ({error}): download it again from {_ENCODERS}"
        ) from error
    if dim != vectors.dim:
        raise DataError(
            f"the encoder {path} reads word vectors of {dim} numbers and those of {vectors.path} "
            f"have {vectors.dim}: give the file that it was trained with"
        )
    lstm = torch.nn.LSTM(dim, states, bidirectional=True, batch_first=True)
    try:
        lstm.load_state_dict(weights)
    except RuntimeError as error:
        raise DataError(
            f"the weights of {path} do not fit together: download it again from {_ENCODERS}"
        ) from error
    return lstm


def _file(what: str, option: str, given: str | Path | None, name: str, url: str) -> Path:
    return published_file("InferSent", what, option, given, name, url)
