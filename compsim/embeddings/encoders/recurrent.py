"""Sentence encoders that are recurrent networks: batches by length, final states, state dicts.

A GRU in three forms stands behind the published encoders. PyTorch's own is run by PyTorch; that of
Theano differs in names alone (:func:`gru_of_theano`); that of TensorFlow resets the state before it
is multiplied and not after, so it has a loop of its own (:class:`TensorFlowGru`).

>>> import numpy as np
>>> cell = TensorFlowGru(np.zeros((3, 4)), np.zeros(4), np.ones((3, 2)), np.zeros(2))
>>> final_states_of_cell(cell, [np.ones((1, 1), np.float32)], "cpu").astype(float).round(3).tolist()
[[0.381, 0.381]]
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.embeddings.method import EmbeddingMethod, rows_of
from compsim.errors import DataError, MissingExtraError
from compsim.missing import install_command
from compsim.storage.places import home
from compsim.storage.reading import expanded
from compsim.transformers import hub
from compsim.transformers.token_states import check_batch_size

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = [
    "RecurrentMethod",
    "TensorFlowGru",
    "final_states",
    "final_states_of_cell",
    "gru_of_theano",
    "published_file",
    "read_state_dict",
    "unit_halves",
]

Array = npt.NDArray[np.float32]


class RecurrentMethod(EmbeddingMethod):
    """The cosine of sentence vectors that a recurrent network makes of the tokens of a sentence.

    A subclass says what the network reads of a sentence (:meth:`inputs`) and runs it on a batch of
    sentences (:meth:`run`). Sentences of like length are run together; a sentence of which nothing
    is read has no vector.
    """

    #: A text that no vocabulary holds, which a masked word is replaced by.
    unknown_word: ClassVar[str] = "\ufffd"

    def __init__(
        self, device: str | None, batch_size: int, normalize: str | Path | Normalizer
    ) -> None:
        super().__init__(normalize)
        self.device, self.batch_size = device, check_batch_size(batch_size)

    @property
    @abstractmethod
    def width(self) -> int:
        """The length of a sentence vector."""

    @abstractmethod
    def inputs(self, text: str) -> Sequence[Any] | npt.NDArray[Any]:
        """Return what the network reads of a sentence, a step an entry."""

    @abstractmethod
    def run(self, batch: list[Any]) -> Array:
        """Return the vectors, float32 (n, width), of n inputs that are not empty."""

    def embed(self, sentences: list[str]) -> Array:
        """The vector of each sentence, float32 (n, width)."""
        inputs = {text: self.inputs(text) for text in dict.fromkeys(sentences)}
        # Like lengths together: the least padding. Equal lengths are ordered too.
        order = sorted(
            (text for text, steps in inputs.items() if len(steps)),
            key=lambda text: (len(inputs[text]), text),
        )
        vectors: dict[str, Array] = {}
        for start in range(0, len(order), self.batch_size):
            texts = order[start : start + self.batch_size]
            vectors.update(zip(texts, self.run([inputs[text] for text in texts]), strict=True))
        return rows_of(sentences, vectors, self.width)

    def torch_device(self) -> str:
        """Return the device to run on; raises ``MissingExtraError`` without PyTorch."""
        try:
            import torch
        except ImportError as error:
            raise MissingExtraError(
                f"method {self.info.name!r} needs PyTorch, which is not installed: run "
                f"{install_command('transformers')}",
                name="torch",
            ) from error
        chosen = hub.check_device(self.device)
        return chosen or ("cuda" if torch.cuda.is_available() else "cpu")


def final_states(gru: Any, rows: Sequence[Array]) -> Array:
    """Return the last layer's final states of a ``torch.nn.GRU``, float32 (n, directions * states).

    ``rows`` are the word vectors of each of n sentences; the forward state stands first.
    """
    import torch

    device = next(gru.parameters()).device
    with torch.inference_mode():
        inputs = [torch.from_numpy(np.array(one, np.float32)).to(device) for one in rows]
        packed = torch.nn.utils.rnn.pack_sequence(inputs, enforce_sorted=False)
        _, states = gru(packed)
        directions = 2 if gru.bidirectional else 1
        joined: Array = torch.cat(list(states[-directions:]), 1).float().cpu().numpy()
    return joined


def gru_of_theano(directions: Sequence[Mapping[str, npt.NDArray[Any]]]) -> Any:
    """Return the ``torch.nn.GRU`` of one direction or two of Kiros' layers.

    Each has ``W`` (dim, 2 states), ``b`` and ``U`` (states, 2 states) of reset and update
    gates, and ``Wx`` (dim, states), ``bx`` and ``Ux`` (states, states) of its candidate. Raises
    ``ValueError`` where they do not fit together.
    """
    import torch

    (dim, states) = directions[0]["Wx"].shape
    gru = torch.nn.GRU(dim, states, batch_first=True, bidirectional=len(directions) == 2)
    weights = {}
    for suffix, of in zip(("", "_reverse"), directions, strict=False):
        joined = {
            "weight_ih": np.concatenate([of["W"], of["Wx"]], axis=1).T,
            "weight_hh": np.concatenate([of["U"], of["Ux"]], axis=1).T,
            "bias_ih": np.concatenate([of["b"], of["bx"]]),
            "bias_hh": np.zeros(3 * states),
        }
        for name, values in joined.items():
            weights[f"{name}_l0{suffix}"] = torch.tensor(np.ascontiguousarray(values)).float()
    try:
        gru.load_state_dict(weights)
    except RuntimeError as error:
        raise ValueError("the weights do not fit together") from error
    return gru


class TensorFlowGru(NamedTuple):
    """TensorFlow's ``GRUCell``, whose state is reset before it is multiplied.

    Attributes:
        gates: Weights (dim + states, 2 states) of the reset and update gates, inputs first.
        gate_bias: Their biases (2 states,).
        candidate: Weights (dim + states, states) of what is proposed.
        candidate_bias: Its biases (states,).
    """

    gates: npt.NDArray[Any]
    gate_bias: npt.NDArray[Any]
    candidate: npt.NDArray[Any]
    candidate_bias: npt.NDArray[Any]

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.candidate_bias)


def final_states_of_cell(cell: TensorFlowGru, rows: Sequence[Array], device: str) -> Array:
    """Return the final states, float32 (n, states), of a cell that reads n sentences in order."""
    import torch

    with torch.inference_mode():
        weights = [torch.tensor(np.asarray(one), dtype=torch.float32).to(device) for one in cell]
        inputs = torch.nn.utils.rnn.pad_sequence(
            [torch.from_numpy(np.array(one, np.float32)) for one in rows], batch_first=True
        ).to(device)
        lengths = torch.tensor([len(one) for one in rows], device=device)
        state = torch.zeros(len(rows), cell.states, device=device)
        for step in range(inputs.shape[1]):
            now = inputs[:, step]
            gates = torch.sigmoid(torch.cat([now, state], 1) @ weights[0] + weights[1])
            reset, update = gates.chunk(2, 1)
            proposed = torch.tanh(torch.cat([now, reset * state], 1) @ weights[2] + weights[3])
            new = update * state + (1 - update) * proposed
            state = torch.where((step < lengths)[:, None], new, state)
        result: Array = state.cpu().numpy()
    return result


def unit_halves(halves: Sequence[Array]) -> Array:
    """Return vectors joined side by side, each part at unit length first."""
    lengths = [np.linalg.norm(half, axis=1, keepdims=True) for half in halves]
    parts = [half / np.where(n > 0, n, 1) for half, n in zip(halves, lengths, strict=True)]
    return np.concatenate(parts, axis=1).astype(np.float32)


def read_state_dict(path: Path, what: str, source: str) -> dict[str, Any]:
    """Return the tensors, by name, that PyTorch has saved in a file; nothing else is unpickled.

    Raises ``DataError``, which says what the file should be and where to get it.
    """
    import torch

    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
        return {str(name): tensor.float() for name, tensor in state.items()}
    except Exception as error:  # whatever a damaged file makes the unpickler raise
        why = " ".join(str(error).split())[:200] or type(error).__name__
        raise DataError(
            f"{path} is not the state dict of {what} ({why}): download it again from {source}"
        ) from error


def published_file(
    encoder: str, what: str, option: str, given: str | Path | None, name: str, url: str
) -> Path:
    """Return the path of a file of an encoder: the given one, or ``name`` in the user-data folder.

    Raises ``DataError``, which says what to download and where to put it, where there is none.
    """
    folder = encoder.lower().replace("-", "")
    path = home() / folder / name if given is None else expanded(given)
    if not path.is_file():
        raise DataError(
            f"there is no {what} of {encoder} at {path}: download {url} and put it there, or say "
            f"where it is with the option {option}"
        )
    return path
