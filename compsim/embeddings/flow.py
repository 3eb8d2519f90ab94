"""A normalising flow of sentence vectors: an invertible map, trained without labels to a Gaussian.

As BERT-flow (Li et al. 2020, https://aclanthology.org/2020.emnlp-main.733) has it: steps of Glow
(Kingma and Dhariwal 2018) for vectors. Each step scales and shifts each dimension, permutes the
dimensions in a fixed random order, and adds to the second half of them what a small network makes
of the first half. The likelihood of the vectors under a standard normal distribution is raised by
Adam. A tenth of the vectors is held out; training ends when their likelihood no longer rises, and
the best state is kept. PyTorch trains; a trained flow needs NumPy only.

>>> import numpy as np
>>> flow = Flow.start(3, seed=0)
>>> vectors = np.array([[1.0, 2.0, 3.0]])
>>> np.allclose(flow.inverse(flow(vectors)), vectors)
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.missing import missing

__all__ = ["Flow", "train"]

Array = npt.NDArray[np.float64]

_STEPS: Final = 9
#: Units of each hidden layer of a step's network, and the spread of its weights at the start.
_WIDTH: Final = 32
_SPREAD: Final = 0.05
_BATCH: Final = 32
_LEARNING_RATE: Final = 1e-3
#: After so many updates, or an epoch where that has more, the held-out vectors are looked at.
_UPDATES: Final = 50
_ROUNDS: Final = 50
#: Rounds without a higher likelihood of the held-out vectors before training ends.
_PATIENCE: Final = 3
_HELD_OUT: Final = 0.1
#: With fewer vectors the flow stays as it starts: a tenth of them tells nothing.
_FEWEST: Final = 40


@dataclass(frozen=True, eq=False)
class Flow:
    """An invertible map of vectors, k steps one after the other.

    Attributes:
        scale: The logarithm of what each dimension is multiplied by, float64 (k, dim).
        shift: What is added to each dimension before, float64 (k, dim).
        order: The dimension that comes to each place, int64 (k, dim).
        first: Weights of the first layer of each step's network, float64 (k, dim // 2, width).
        first_bias: Biases of that layer, float64 (k, width).
        second: Weights of the second layer, float64 (k, width, width).
        second_bias: Biases of that layer, float64 (k, width).
        last: Weights of the last layer, float64 (k, width, dim - dim // 2).
        last_bias: Biases of that layer, float64 (k, dim - dim // 2).
    """

    scale: Array
    shift: Array
    order: npt.NDArray[np.int64]
    first: Array
    first_bias: Array
    second: Array
    second_bias: Array
    last: Array
    last_bias: Array

    @classmethod
    def start(cls, dim: int, seed: int = 0) -> Flow:
        """Return the flow that training begins with: permutations, and networks that give zero."""
        rng = np.random.default_rng(seed)
        half = dim // 2
        return cls(
            scale=np.zeros((_STEPS, dim)),
            shift=np.zeros((_STEPS, dim)),
            order=np.array([rng.permutation(dim) for _ in range(_STEPS)], dtype=np.int64),
            first=rng.normal(0, _SPREAD, (_STEPS, half, _WIDTH)),
            first_bias=np.zeros((_STEPS, _WIDTH)),
            second=rng.normal(0, _SPREAD, (_STEPS, _WIDTH, _WIDTH)),
            second_bias=np.zeros((_STEPS, _WIDTH)),
            last=np.zeros((_STEPS, _WIDTH, dim - half)),
            last_bias=np.zeros((_STEPS, dim - half)),
        )

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Flow:
        """Return the flow of what ``arrays`` gave.

        Raises ``KeyError`` for an array that is missing, ``ValueError`` for arrays that are not
        finite or do not fit together.
        """
        flow = cls(**{part.name: np.asarray(arrays[part.name]) for part in fields(cls)})
        if flow.scale.ndim != 2 or not flow.scale.size:
            raise ValueError("its scale has no steps or no dimensions")
        count, dim = flow.scale.shape
        width = flow.second.shape[-1] if flow.second.ndim == 3 else 0
        half = dim // 2
        shapes = {
            "shift": (dim,),
            "order": (dim,),
            "first": (half, width),
            "first_bias": (width,),
            "second": (width, width),
            "second_bias": (width,),
            "last": (width, dim - half),
            "last_bias": (dim - half,),
        }
        for name, shape in shapes.items():
            if getattr(flow, name).shape != (count, *shape):
                raise ValueError(f"its {name} does not fit {count} steps of {dim} dimensions")
        if (np.sort(flow.order, axis=1) != np.arange(dim)).any():
            raise ValueError("its order is no permutation")
        if not all(np.isfinite(array).all() for array in flow.arrays().values()):
            raise ValueError("its weights are not finite")
        return flow

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return what the flow consists of, by name."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return int(self.scale.shape[1])

    def __call__(self, vectors: npt.NDArray[Any]) -> Array:
        """Map vectors (n, dim) to those of the Gaussian, float64 (n, dim)."""
        mapped = vectors.astype(np.float64)
        half = self.dim // 2
        for step in range(len(self.scale)):
            mapped = (mapped + self.shift[step]) * np.exp(self.scale[step])
            mapped = mapped[:, self.order[step]]
            mapped[:, half:] += self._network(step, mapped[:, :half])
        return mapped

    def inverse(self, mapped: npt.NDArray[Any]) -> Array:
        """Map vectors (n, dim) of the Gaussian back, float64 (n, dim)."""
        vectors = mapped.astype(np.float64)
        half = self.dim // 2
        for step in reversed(range(len(self.scale))):
            vectors[:, half:] -= self._network(step, vectors[:, :half])
            vectors = vectors[:, np.argsort(self.order[step])]
            vectors = vectors * np.exp(-self.scale[step]) - self.shift[step]
        return vectors

    def log_likelihood(self, vectors: npt.NDArray[Any]) -> Array:
        """Return the natural logarithm of the density at each vector, float64 (n,).

        By the change of variables: that of the standard normal distribution at what the vector is
        mapped to, and the logarithm of the determinant of the Jacobian, the sum of ``scale``.
        """
        normal = -(self(vectors) ** 2 + np.log(2 * np.pi)) / 2
        density: Array = normal.sum(axis=1) + self.scale.sum()
        return density

    def _network(self, step: int, half: Array) -> Array:
        """Return what a step adds to the second half of the dimensions (n, dim - dim // 2)."""
        hidden = np.maximum(half @ self.first[step] + self.first_bias[step], 0)
        hidden = np.maximum(hidden @ self.second[step] + self.second_bias[step], 0)
        shift: Array = hidden @ self.last[step] + self.last_bias[step]
        return shift


def train(vectors: npt.NDArray[Any], seed: int = 0) -> Flow:
    """Return a flow that maps vectors (n, dim) to a standard normal distribution.

    The vectors have about zero mean and unit variance in each dimension. The result depends on
    them, on their order and on ``seed`` only: PyTorch runs in one thread meanwhile. Raises
    ``MissingExtraError`` without PyTorch.
    """
    try:
        import torch
    except ImportError as error:
        raise missing("PyTorch", "transformers", error) from error
    flow = Flow.start(vectors.shape[1], seed)
    if len(vectors) < _FEWEST:
        return flow
    rng = np.random.default_rng(seed)
    drawn = rng.permutation(len(vectors))
    held, kept = np.split(vectors[drawn].astype(np.float64), [int(_HELD_OUT * len(drawn))])
    best, likelihood, waited = flow, float(flow.log_likelihood(held).mean()), 0
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for trained in _rounds(torch, flow, kept, rng):
            reached = float(trained.log_likelihood(held).mean())
            waited = 0 if reached > likelihood else waited + 1
            if reached > likelihood:
                best, likelihood = trained, reached
            if waited == _PATIENCE:
                break
    finally:
        torch.set_num_threads(threads)
    return best


def _rounds(torch: Any, flow: Flow, vectors: Array, rng: np.random.Generator) -> Iterator[Flow]:
    """Yield the flow after each round of training."""
    arrays = flow.arrays()
    order = torch.from_numpy(arrays.pop("order"))
    parts = {name: torch.tensor(array, requires_grad=True) for name, array in arrays.items()}
    optimizer = torch.optim.Adam(parts.values(), lr=_LEARNING_RATE)
    data = torch.from_numpy(vectors)
    half = flow.dim // 2
    batches = -(-len(data) // _BATCH)
    for _ in range(_ROUNDS):
        epochs = [rng.permutation(len(data)) for _ in range(-(-_UPDATES // batches))]
        for batch in (part for epoch in epochs for part in np.array_split(epoch, batches)):
            mapped = data[batch]
            for step in range(len(order)):
                mapped = (mapped + parts["shift"][step]) * parts["scale"][step].exp()
                mapped = mapped[:, order[step]]
                weights = (parts["first"][step], parts["second"][step], parts["last"][step])
                hidden = torch.relu(mapped[:, :half] @ weights[0] + parts["first_bias"][step])
                hidden = torch.relu(hidden @ weights[1] + parts["second_bias"][step])
                added = hidden @ weights[2] + parts["last_bias"][step]
                mapped = torch.cat([mapped[:, :half], mapped[:, half:] + added], dim=1)
            loss = (mapped**2).sum(dim=1).mean() / 2 - parts["scale"].sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        trained = {name: part.detach().numpy().copy() for name, part in parts.items()}
        yield Flow(**trained, order=flow.order)
