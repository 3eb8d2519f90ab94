"""From features to a probability: a monotone logistic regression, and what it does at a threshold.

Coefficients of agreement are never negative, those of conflicts never positive, so that more
conflict never raises the probability. The counts of pairs that were left out of the fit say how
many different pairs a threshold lets pass, with an exact upper bound (Clopper and Pearson 1934).

>>> curve = Curve.of([0.9, 0.8, 0.4, 0.2], [True, True, False, False])
>>> curve.n_same, curve.false_share(0.5)
(2, 0.0)
>>> curve.upper(max_false=0.01) is None  # two pairs say little
True
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError
from compsim.guard.bounds import upper_bound
from compsim.guard.features import feature_names, signs
from compsim.storage.places import weights_folder
from compsim.storage.reading import parse_toml, read_text

__all__ = ["FORMAT", "Calibration", "Curve", "shipped"]

#: The form of what is saved; another one is refused.
FORMAT: Final = 1
#: Thresholds of a curve at most.
_POINTS: Final = 120

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """Counts of different and same pairs with at least each probability.

    Attributes:
        thresholds: Probabilities, ascending.
        different: For each, the different pairs at or above it.
        same: The same pairs at or above it.
        n_different: The different pairs of the sample.
        n_same: The same pairs.
    """

    thresholds: tuple[float, ...]
    different: tuple[int, ...]
    same: tuple[int, ...]
    n_different: int
    n_same: int

    @classmethod
    def of(cls, probabilities: Any, same: Any) -> Self:
        """Count a sample.

        Args:
            probabilities: Of n pairs.
            same: Whether each says the same.

        Returns:
            The curve.
        """
        values = np.asarray(probabilities, dtype=np.float64)
        labels = np.asarray(same, dtype=bool)
        cuts = np.unique(np.floor(values * 1e4) / 1e4)
        if len(cuts) > _POINTS:
            cuts = np.unique(np.quantile(cuts, np.linspace(0, 1, _POINTS)).round(4))
        counts = [
            tuple(int((values[chosen] >= cut).sum()) for cut in cuts)
            for chosen in (~labels, labels)
        ]
        return cls(
            tuple(cuts.tolist()), counts[0], counts[1], int((~labels).sum()), int(labels.sum())
        )

    def false_share(self, threshold: float) -> float:
        """Return the share of the different pairs at or above a threshold."""
        return self._count(self.different, threshold) / max(1, self.n_different)

    def false_bound(self, threshold: float) -> float:
        """Return the upper bound of that share, 1 for a sample without different pairs."""
        return upper_bound(self._count(self.different, threshold), self.n_different)

    def hits(self, threshold: float) -> float:
        """Return the share of the same pairs at or above a threshold."""
        return self._count(self.same, threshold) / max(1, self.n_same)

    def upper(self, max_false: float) -> float | None:
        """Return the least threshold that different pairs pass so seldom; None where none is."""
        for threshold, count in zip(self.thresholds, self.different, strict=True):
            if upper_bound(count, self.n_different) <= max_false:
                return threshold
        if upper_bound(0, self.n_different) <= max_false:
            return math.nextafter(self.thresholds[-1], 2.0) if self.thresholds else None
        return None

    def lower(self, max_missed: float) -> float:
        """Return the highest threshold below which same pairs are so seldom; 0 where none is."""
        best = 0.0
        for threshold, count in zip(self.thresholds, self.same, strict=True):
            if upper_bound(self.n_same - count, self.n_same) <= max_missed:
                best = threshold
        return best

    def _count(self, counts: Sequence[int], threshold: float) -> int:
        place = int(np.searchsorted(self.thresholds, threshold, side="left"))
        return counts[place] if place < len(counts) else 0


@dataclass(frozen=True)
class Calibration:
    """A fitted model of one kind of method.

    Attributes:
        kind: What compares whole texts, or "score": see ``compsim.guard.features``.
        intercept: The log-odds of a pair whose features are all 0.
        coefficients: By the names of the features.
        curve: Pairs that were left out of the fit, counted.

    Raises:
        DataError: The names are not those of the features, or a coefficient has the wrong sign.
    """

    kind: str
    intercept: float
    coefficients: Mapping[str, float]
    curve: Curve

    def __post_init__(self) -> None:
        names = feature_names(self.kind)
        if set(self.coefficients) != set(names):
            raise DataError(
                f"the calibration for {self.kind!r} was made for another version of the comparison "
                f"(it has {', '.join(self.coefficients)}): fit it again"
            )
        if (self.values * signs(names) < 0).any():
            raise DataError(
                f"a coefficient of the calibration for {self.kind!r} has the wrong sign: more "
                "conflict would raise the probability; fit it again"
            )

    @property
    def values(self) -> Floats:
        """The coefficients in the order of the features, float64 (features,)."""
        return np.array([self.coefficients[name] for name in feature_names(self.kind)])

    def probabilities(self, features: Floats) -> Floats:
        """Return the probability that each pair says the same, (n,) for features (n, features)."""
        # Row by row, so that a pair has the same value alone and in a batch.
        odds = self.intercept + (features * self.values).sum(axis=1)
        probability: Floats = 1.0 / (1.0 + np.exp(-np.clip(odds, -500.0, 500.0)))
        return probability

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration as plain values."""
        return {**asdict(self), "coefficients": dict(self.coefficients)}

    @classmethod
    def of_dict(cls, data: Any, source: str) -> Self:
        """Read what ``to_dict`` gives; raises ``DataError`` for anything else."""
        try:
            counts = data["curve"]
            thresholds = tuple(map(float, counts["thresholds"]))
            different, same = (tuple(map(int, counts[name])) for name in ("different", "same"))
            curve = Curve(
                thresholds, different, same, int(counts["n_different"]), int(counts["n_same"])
            )
            fits = len(thresholds) == len(different) == len(same)
            if not fits or list(thresholds) != sorted(thresholds):
                raise ValueError("its counts do not fit together")
            coefficients = {str(name): float(x) for name, x in data["coefficients"].items()}
            return cls(str(data["kind"]), float(data["intercept"]), coefficients, curve)
        except DataError as error:
            raise DataError(f"{source}: {error}") from error
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DataError(
                f"{source} is no calibration ({error}): fit and save it again"
            ) from error


@cache
def shipped() -> Mapping[str, Calibration]:
    """Return the calibrations that ship with compsim, by the kind of method."""
    return _opened(weights_folder() / "guard.toml")


def _opened(path: Path) -> dict[str, Calibration]:
    data = parse_toml(read_text(path, "give a TOML file"), str(path))
    return {
        kind: Calibration.of_dict({"kind": kind, **table}, f"{path}, [{kind}]")
        for kind, table in data.items()
    }
