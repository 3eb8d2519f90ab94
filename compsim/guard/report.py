"""Quality of a guard, as a table and a plot: how often it is right, and whether its probabilities
are those that are seen.

>>> bins = reliability([0.1, 0.2, 0.9, 0.8], [False, False, True, False], 2)
>>> [(each.pairs, each.seen) for each in bins]
[(2, 0.0), (2, 0.5)]
>>> round(calibration_error([0.1, 0.2, 0.9, 0.8], [False, False, True, False], 2), 3)
0.25
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError

if TYPE_CHECKING:
    from compsim.guard.calibration import Curve
    from compsim.guard.guard import Guard

__all__ = ["Bin", "GuardReport", "area", "calibration_error", "hits_at", "reliability"]

_BINS: Final = 10
#: Shares of false answers whose hits are told.
_FALSE: Final = (0.01, 0.02, 0.05)
#: The side of a plot, and the room for its labels.
_SIDE, _ROOM = 220, 34


class Bin(NamedTuple):
    """Pairs whose probabilities are in a range: how many, the mean, the share of same ones."""

    low: float
    high: float
    pairs: int
    mean: float
    seen: float


def reliability(probabilities: Any, same: Any, bins: int = _BINS) -> list[Bin]:
    """Return bins of equal width that have pairs."""
    values, labels = _arrays(probabilities, same)
    place = np.minimum((values * bins).astype(np.int64), bins - 1)
    return [
        Bin(
            k / bins, (k + 1) / bins, int((place == k).sum()),
            float(values[place == k].mean()), float(labels[place == k].mean()),
        )
        for k in range(bins)
        if (place == k).any()
    ]  # fmt: skip


def calibration_error(probabilities: Any, same: Any, bins: int = _BINS) -> float:
    """Return the expected calibration error: the mean of |mean - seen| over pairs."""
    result = reliability(probabilities, same, bins)
    total = sum(each.pairs for each in result)
    return sum(each.pairs * abs(each.mean - each.seen) for each in result) / max(1, total)


def area(probabilities: Any, same: Any) -> float:
    """Return the area under the ROC curve: how often a same pair is above a different one."""
    values, labels = _arrays(probabilities, same)
    _, rank, count = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[rank]
    n, m = int(labels.sum()), int((~labels).sum())
    return float((ranks[labels].sum() - n * (n + 1) / 2) / (n * m))


def _arrays(probabilities: Any, same: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Both as arrays, without pairs that have no probability."""
    values, labels = np.asarray(probabilities, np.float64), np.asarray(same, bool)
    known = ~np.isnan(values)
    return values[known], labels[known]


@dataclass(frozen=True)
class GuardReport:
    """Performance of a guard on a sample of pairs.

    Attributes:
        method: The name of the method.
        source: Which pairs these are.
        n_same: Pairs that say the same.
        n_different: Pairs that do not.
        max_false: The budget, and ``false_bound`` the upper bound that the threshold keeps to.
        false_bound: See there; 1 where nothing is answered "same".
        upper: From this probability on the answer is "same"; None: it never is.
        lower: Below it is "different".
        hits: The share of same pairs that are answered "same".
        false: The share of different pairs that are.
        figures: Others by name: AUC, calibration error, right among the decided, unsure, hits at a
            few false; what needs single pairs is missing from the report of what ships.
        bins: The reliability of probabilities; none likewise.
    """

    method: str
    source: str
    n_same: int
    n_different: int
    max_false: float
    false_bound: float
    upper: float | None
    lower: float
    hits: float
    false: float
    figures: dict[str, float]
    bins: tuple[Bin, ...] = ()

    @classmethod
    def of_curve(cls, guard: Guard, curve: Curve) -> Self:
        """Report what a calibration counted."""
        upper, lower, bound = guard.thresholds
        figures = {}
        for share in _FALSE:
            threshold = curve.upper(share)
            if threshold is not None:
                figures[f"hits at {share:.0%} false"] = curve.hits(threshold)
        return cls(
            guard.method.info.name, "pairs that were left out of the fit", curve.n_same,
            curve.n_different, guard.max_false,
            1.0 if bound is None else bound, upper, lower,
            0.0 if upper is None else curve.hits(upper),
            0.0 if upper is None else curve.false_share(upper), figures,
        )  # fmt: skip

    @classmethod
    def of(cls, guard: Guard, probabilities: Any, same: Any, source: str) -> Self:
        """Report what a guard does on pairs; raises ``InputError`` where all have one label."""
        every = np.asarray(same, bool)
        values, labels = _arrays(probabilities, same)
        if labels.all() or not labels.any():
            raise InputError("all pairs have the same label: give some of each")
        upper, lower, bound = guard.thresholds
        accepted = np.zeros(len(values), bool) if upper is None else values >= upper
        refused = (values < lower) & ~accepted
        decided = accepted | refused
        right = (accepted & labels) | (refused & ~labels)
        figures = {
            "AUC": area(values, labels),
            "expected calibration error": calibration_error(values, labels),
            "unsure": float(1.0 - decided.sum() / len(every)),
        }
        if decided.any():
            figures["right where decided"] = float(right.sum() / decided.sum())
        for share in _FALSE:
            figures[f"hits at {share:.0%} false"] = hits_at(values, labels, share)
        return cls(
            guard.method.info.name, source, int(labels.sum()), int((~labels).sum()),
            guard.max_false, 1.0 if bound is None else bound, upper, lower,
            float(accepted[labels].mean()), float(accepted[~labels].mean()), figures,
            tuple(reliability(values, labels)),
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {**asdict(self), "bins": [each._asdict() for each in self.bins]}

    def rows(self) -> list[tuple[str, str]]:
        """Return the figures as pairs of texts."""
        upper = "never" if self.upper is None else f"from {self.upper:.3f}"
        rows = [
            ("method", self.method),
            ("pairs", f"{self.n_same} same, {self.n_different} different ({self.source})"),
            ("budget", f"at most {self.max_false:.3g} of different pairs answered same"),
            ("bound", f"{self.false_bound:.4f} (Clopper and Pearson, 95 %)"),
            ("answers same", upper),
            ("answers different", f"below {self.lower:.3f}"),
            ("same pairs answered same", f"{self.hits:.3f}"),
            ("different pairs answered same", f"{self.false:.3f}"),
        ]
        return rows + [(name, f"{value:.3f}") for name, value in self.figures.items()]

    def __str__(self) -> str:
        rows = self.rows()
        width = max(len(name) for name, _ in rows)
        lines = [f"{name:{width}}  {value}" for name, value in rows]
        if self.bins:
            lines += ["", "probability  pairs   mean   seen"]
            lines += [
                f"{each.low:.1f} to {each.high:.1f}  {each.pairs:6d}  {each.mean:.3f}  "
                f"{each.seen:.3f}  {'#' * round(20 * each.seen)}"
                for each in self.bins
            ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = "".join(
            f'<tr><th scope="row" style="text-align:start">{escape(name)}</th>'
            f"<td>{escape(value)}</td></tr>"
            for name, value in self.rows()
        )
        return f"<table>{cells}</table>{_plot(self.bins) if self.bins else ''}"


def hits_at(values: npt.NDArray[np.float64], labels: npt.NDArray[np.bool_], share: float) -> float:
    """Return the share of same pairs above the threshold that so many different ones reach."""
    different = np.sort(values[~labels])[::-1]
    allowed = int(share * len(different) + 1e-9)
    if allowed >= len(different):
        return 1.0
    return float((values[labels] > different[allowed]).mean())


def _plot(bins: Sequence[Bin]) -> str:
    """A reliability plot as SVG: the mean probability of each bin, and the share seen."""
    size = _SIDE + _ROOM
    points = " ".join(
        f"{_ROOM + _SIDE * each.mean:.1f},{_SIDE * (1 - each.seen):.1f}" for each in bins
    )
    dots = "".join(
        f'<circle cx="{_ROOM + _SIDE * each.mean:.1f}" cy="{_SIDE * (1 - each.seen):.1f}" r="4" '
        f'fill="currentColor"><title>{each.pairs} pairs: {each.mean:.2f}, seen {each.seen:.2f}'
        "</title></circle>"
        for each in bins
    )
    label = "Reliability: the probability and the share of pairs that say the same"
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {size + 8} {size}" width="{size + 8}" '
        f'height="{size}"><g fill="none" stroke="currentColor"><rect x="{_ROOM}" y="0" '
        f'width="{_SIDE}" height="{_SIDE}"/><path d="M{_ROOM},{_SIDE}L{size},0" '
        f'stroke-dasharray="4"/><polyline points="{points}"/></g>{dots}'
        f'<g fill="currentColor" font-size="12"><text x="{_ROOM}" y="{size - 16}">0</text>'
        f'<text x="{size - 8}" y="{size - 16}">1</text>'
        f'<text x="{_ROOM + 60}" y="{size - 4}">probability</text>'
        f'<text x="4" y="{_SIDE // 2}">seen</text></g></svg>'
    )
