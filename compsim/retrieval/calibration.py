"""From scores to probabilities of relevance: logistic regression of two parameters.

Platt (1999), with his smoothed targets, solved by Newton's method as in Lin, Lin and Weng (2007).

>>> scores, relevant = [0.1, 0.2, 0.4, 0.5, 0.7, 0.9], [0, 0, 0, 1, 1, 1]
>>> calibration = fit_calibration(scores, relevant)
>>> calibration.probabilities([0.1, 0.9]).round(1).tolist()
[0.2, 0.9]
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError

__all__ = ["Calibration", "as_calibration", "fit_calibration"]

_STEPS: Final = 100
#: Below this step nothing changes any more.
_STILL: Final = 1e-10
#: The exponent beyond which a probability is 0 or 1 in any case.
_FAR: Final = 500.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """A probability of relevance for each score: ``1 / (1 + exp(-(slope * score + intercept)))``.

    Attributes:
        slope: How fast it rises, above 0.
        intercept: Where it is for a score of 0.

    Raises:
        InputError: One of them is no finite number, or the slope is not above 0.

    Examples:
        >>> Calibration(10.0, -5.0).probabilities([0.5]).tolist()
        [0.5]
    """

    slope: float
    intercept: float

    def __post_init__(self) -> None:
        numbers = (self.slope, self.intercept)
        known = all(isinstance(one, Real) and math.isfinite(one) for one in numbers)
        if not known or self.slope <= 0:
            raise InputError(
                f"slope={self.slope!r} and intercept={self.intercept!r} are no calibration: the "
                "slope is a number above 0, the intercept a number"
            )
        object.__setattr__(self, "slope", float(self.slope))
        object.__setattr__(self, "intercept", float(self.intercept))

    def probabilities(self, scores: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The probability of each score.

        Args:
            scores: Scores (n,).

        Returns:
            Probabilities, float64 (n,), in the order of the scores.
        """
        exponents = self.slope * np.asarray(scores, dtype=np.float64) + self.intercept
        return 1.0 / (1.0 + np.exp(-np.clip(exponents, -_FAR, _FAR)))


def as_calibration(value: Any) -> Calibration | None:
    """Return the calibration that an option gives: one, its two numbers, or these by their names.

    Raises ``InputError`` for anything else but None.

    >>> as_calibration((6, -3)) == as_calibration({"slope": 6, "intercept": -3})
    True
    """
    if value is None or isinstance(value, Calibration):
        return value
    try:
        return Calibration(**value) if isinstance(value, Mapping) else Calibration(*value)
    except TypeError as error:
        raise InputError(
            f"calibration={value!r} is none: give slope and intercept, two numbers, or what fit "
            "has found"
        ) from error


def fit_calibration(scores: npt.ArrayLike, relevant: npt.ArrayLike) -> Calibration:
    """Fit a calibration to scores (n,) of which is known whether they are of something relevant.

    Raises ``InputError`` where all are relevant, or none, or higher scores are no more often so.
    """
    values = np.asarray(scores, dtype=np.float64)
    labels = np.asarray(relevant, dtype=bool)
    hits, misses = int(labels.sum()), int((~labels).sum())
    if not hits or not misses:
        raise InputError(
            "all judgements are alike: give relevant documents and others that are not"
        )
    # Standardised, so that the steps are of one size whatever the scale of the method.
    middle, spread = float(values.mean()), float(values.std()) or 1.0
    inputs = np.stack([(values - middle) / spread, np.ones(len(values))], axis=1)
    targets = np.where(labels, (hits + 1) / (hits + 2), 1 / (misses + 2))
    result = np.array([0.0, math.log((hits + 1) / (misses + 1))])
    for _ in range(_STEPS):
        results = 1.0 / (1.0 + np.exp(-np.clip(inputs @ result, -_FAR, _FAR)))
        gradient = inputs.T @ (results - targets)
        curvature = inputs.T @ (inputs * (results * (1.0 - results))[:, None]) + 1e-9 * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        length = float(np.abs(step).max())
        result = result - step / max(1.0, length)  # no further than 1 at a time
        if length < _STILL:
            break
    slope = float(result[0]) / spread
    if slope <= 0:
        raise InputError(
            "higher scores are not more often relevant in these judgements: this method cannot "
            "be calibrated on them"
        )
    return Calibration(slope, float(result[1]) - slope * middle)
