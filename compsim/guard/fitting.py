"""Fitting a calibration: logistic regression whose coefficients keep their sign.

>>> import numpy as np
>>> rng = np.random.default_rng(0)
>>> scores = rng.random((200, 1))
>>> intercept, values = fit_logistic(scores, scores[:, 0] > 0.5, np.array([1]))
>>> bool(values[0] > 5), bool(-values[0] < intercept < 0)
(True, True)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.missing import missing

__all__ = ["fit_logistic"]

#: The penalty on squared coefficients of standardised features.
_PENALTY: Final = 0.003

Floats = npt.NDArray[np.float64]


def fit_logistic(
    features: Floats,
    same: npt.ArrayLike,
    signs: npt.NDArray[Any],
    weights: Floats | None = None,
    penalty: float = _PENALTY,
    toward: Floats | None = None,
) -> tuple[float, Floats]:
    """Return the intercept and the coefficients with the least penalised logistic loss.

    Args:
        features: (n, features).
        same: Whether each pair says the same, (n,).
        signs: 1 or -1 for a coefficient that may not be negative or positive, 0 for any.
        weights: How much each pair counts, (n,); None: all the same.
        penalty: How much squared coefficients count, of features scaled to deviation 1.
        toward: Coefficients that the penalty draws toward, in place of 0.

    Returns:
        Both in the scale of the features.

    Raises:
        MissingExtraError: Without SciPy.
        InputError: All pairs have one label.
    """
    try:
        from scipy.optimize import minimize
    except ImportError as error:
        raise missing("scipy", "guard", error) from error
    labels = np.asarray(same, dtype=np.float64)
    if labels.min(initial=1.0) == labels.max(initial=0.0) or len(labels) < 2:
        raise InputError("all pairs have the same label: give some that say the same and some not")
    share = np.full(len(labels), 1.0 / len(labels)) if weights is None else weights / weights.sum()
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    scale = np.where(deviation > 1e-9, deviation, 1.0)
    scaled = (features - mean) / scale
    center = np.zeros(features.shape[1]) if toward is None else toward * scale

    def loss(values: Floats) -> tuple[float, Floats]:
        turned = np.where(labels > 0, 1.0, -1.0)
        margin = turned * (scaled @ values[1:] + values[0])
        slope = -share * turned / (1.0 + np.exp(np.clip(margin, -500.0, 500.0)))
        away = values[1:] - center
        total = float((share * np.logaddexp(0.0, -margin)).sum() + penalty * (away**2).sum())
        return total, np.concatenate([[slope.sum()], slope @ scaled + 2.0 * penalty * away])

    limits = {1: (0.0, None), -1: (None, 0.0), 0: (None, None)}
    bounds = [(None, None), *(limits[int(sign)] for sign in signs)]
    start = np.concatenate([[0.0], center])
    result = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    # A feature that never varies says nothing.
    values: Floats = np.where(
        deviation > 1e-9, result[1:] / scale, 0.0 if toward is None else toward
    )
    return float(result[0] - (values * mean).sum()), values
