"""Logistic regression on frozen vectors, its penalty chosen without the examples it is tested on.

As SentEval has it (Conneau and Kiela 2018): with development data the penalty is chosen by them;
without, by cross-validation of the training data; without test data too, the examples are
cross-validated, and the penalty of each fold is chosen on folds of the others. Here each feature is
brought to zero mean and unit variance first, by the training data: vectors of two models may be of
any length, and the same penalty then means the same.

>>> import numpy as np
>>> features = np.array([[0.0], [0.1], [0.2], [0.8], [0.9], [1.0]] * 2)
>>> labels = np.array(["low"] * 3 + ["high"] * 3 + ["low"] * 3 + ["high"] * 3)
>>> predict(Classes(), (features, labels), test=features[2:4]).tolist()
['low', 'high']
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.stats import library

__all__ = ["Classes", "Kind", "Levels", "are_equal", "predict", "predict_folds"]

Array = npt.NDArray[Any]
#: Features (n, dim) and labels (n,).
Examples = tuple[Array, Array]

#: The inverse strengths of the penalty that are tried, the strongest first.
_STRENGTHS: Final = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
_ITERATIONS: Final = 300
_SEED: Final = 1111
#: Values that differ by a smaller share are equal.
_ROUNDING: Final = 1e-9


class Kind(Protocol):
    """Type of labels: their training, prediction and quality."""

    def targets(self, features: Array, labels: Array) -> tuple[Array, Array, Array]:
        """The features, classes and weights that a classifier learns."""

    def values(self, model: Any, features: Array) -> Array:
        """Return the predictions of a fitted classifier (n,)."""

    def quality(self, predicted: Array, labels: Array) -> float:
        """Return the quality of predictions, higher is better."""

    def folds(self, labels: Array, count: int) -> Iterator[tuple[Array, Array]]:
        """The training and test rows of each fold."""


class Classes:
    """Labels that are names, judged by accuracy; folds hold their share of each."""

    def targets(self, features: Array, labels: Array) -> tuple[Array, Array, Array]:
        """The examples as they are."""
        return features, labels, np.ones(len(labels))

    def values(self, model: Any, features: Array) -> Array:
        """The most probable label of each."""
        return np.asarray(model.predict(features))

    def quality(self, predicted: Array, labels: Array) -> float:
        """The accuracy."""
        return float(np.mean(predicted == labels))

    def folds(self, labels: Array, count: int) -> Iterator[tuple[Array, Array]]:
        """Stratified folds."""
        selection = library("sklearn.model_selection")
        made = selection.StratifiedKFold(count, shuffle=True, random_state=_SEED)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where a label has fewer examples than there are folds
            yield from made.split(np.zeros(len(labels)), labels)


@dataclass(frozen=True)
class Levels:
    """Labels that are numbers between whole levels, judged by Pearson's r.

    As Tai, Socher and Manning (2015) have it: a score between two levels is a share of each, and
    what is predicted is the mean of the levels by their probability.
    """

    low: int
    high: int

    def targets(self, features: Array, labels: Array) -> tuple[Array, Array, Array]:
        """Each example once at the level below and once at the level above, by their shares."""
        below = np.clip(np.floor(labels), self.low, self.high - 1).astype(np.int64)
        share = labels - below
        weights = np.concatenate([1 - share, share])
        used = weights > 0
        levels = np.concatenate([below, below + 1])
        return np.concatenate([features, features])[used], levels[used], weights[used]

    def values(self, model: Any, features: Array) -> Array:
        """The expected level of each."""
        expected: Array = model.predict_proba(features) @ model.classes_
        return expected

    def quality(self, predicted: Array, labels: Array) -> float:
        """Pearson's r; -1 where all predictions are equal."""
        if are_equal(predicted) or are_equal(labels):
            return -1.0
        return float(np.corrcoef(predicted, labels)[0, 1])

    def folds(self, labels: Array, count: int) -> Iterator[tuple[Array, Array]]:
        """Folds at random."""
        made = library("sklearn.model_selection").KFold(count, shuffle=True, random_state=_SEED)
        yield from made.split(np.zeros(len(labels)))


def are_equal(values: Array) -> bool:
    """Return whether all values are equal but for rounding, which depends on the processor.

    >>> are_equal(np.array([2.5, 2.5 + 1e-15])), are_equal(np.array([2.5, 2.6]))
    (True, False)
    """
    return bool(np.ptp(values) <= _ROUNDING * max(1.0, float(np.abs(values).max())))


def predict(
    kind: Kind, train: Examples, test: Array, dev: Examples | None = None, folds: int = 5
) -> Array:
    """Return what a classifier predicts of test examples (n,).

    Args:
        kind: What labels are.
        train: The features (m, dim) and labels (m,) that it learns.
        test: The features of the test examples (n, dim).
        dev: Examples that choose the penalty; None: folds of those of ``train``.
        folds: How many.

    Returns:
        A label or a score for each test example.

    Raises:
        MissingExtraError: Without scikit-learn.
    """
    features, labels = train
    if dev is not None:
        tried = [(kind.quality(path, dev[1])) for path in _path(kind, train, dev[0])]
        return _at(kind, train, test, int(np.argmax(tried)))
    totals = np.zeros(len(_STRENGTHS))
    for rest, held in kind.folds(labels, folds):
        part = features[rest], labels[rest]
        totals += [kind.quality(path, labels[held]) for path in _path(kind, part, features[held])]
    return _at(kind, train, test, int(np.argmax(totals)))


def predict_folds(kind: Kind, examples: Examples, folds: int) -> Array:
    """Return what classifiers predict of each example (n,), which they have not learned."""
    features, labels = examples
    predicted: Array | None = None
    for rest, held in kind.folds(labels, folds):
        values = predict(kind, (features[rest], labels[rest]), features[held], folds=folds)
        if predicted is None:
            predicted = np.zeros(len(labels), dtype=labels.dtype)
        predicted[held] = values
    assert predicted is not None
    return predicted


def _at(kind: Kind, train: Examples, test: Array, place: int) -> Array:
    """Return the predictions of the classifier with one of the regularisation strengths."""
    *_, predicted = _path(kind, train, test, _STRENGTHS[place : place + 1])
    return predicted


def _path(
    kind: Kind, train: Examples, test: Array, strengths: tuple[float, ...] = _STRENGTHS
) -> Iterator[Array]:
    """Yield predictions for each strength; each classifier starts from the one before."""
    features, labels = train
    mean, spread = features.mean(axis=0), features.std(axis=0)
    spread[spread == 0] = 1.0
    x, y, weights = kind.targets((features - mean) / spread, labels)
    new = (test - mean) / spread
    model = library("sklearn.linear_model").LogisticRegression(
        max_iter=_ITERATIONS, warm_start=True
    )
    for strength in strengths:
        model.set_params(C=strength)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the steps may end before the last digit stands
            model.fit(x, y, sample_weight=weights)
        yield kind.values(model, new)
