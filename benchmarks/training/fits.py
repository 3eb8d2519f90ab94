"""Fits to ratings, and their quality on unseen pairs.

Held-out figures come from cross-validation in folds that share no sentence (see ``stats.folds``),
beside those of rivals on the same pairs. What is to be used is then fitted to all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets import Dataset
from compsim.benchmarks.results import shown, versions
from compsim.benchmarks.stats.correlation import correlate
from compsim.benchmarks.stats.folds import Folds
from compsim.errors import InputError

__all__ = ["Fit", "Fold", "cross_validated", "described", "ratings_of"]

Array = npt.NDArray[np.float64]

#: Of what a fit depends on.
_MADE_WITH: Final = ("compsim", "numpy", "scipy")


@dataclass(frozen=True)
class Fold:
    """Pairs of training and test, the values fitted to the first, Spearman's rho on the second.

    ``spearman`` has "fitted" and each rival; None where it is undefined.
    """

    train: int
    test: int
    weights: tuple[float, ...]
    spearman: Mapping[str, float | None]


@dataclass(frozen=True)
class Fit:
    """Values fitted to all pairs, the held-out figures, and what they were made from.

    ``seen`` is Spearman's rho on the very pairs that the values were fitted to. ``groups`` counts
    the groups of pairs that share sentences, ``largest`` the pairs of the largest.
    """

    data: str
    checksum: str
    pairs: int
    groups: int
    largest: int
    unparsed: int
    parser: str
    vectors: str
    weights: tuple[float, ...]
    seen: float | None
    folds: tuple[Fold, ...]
    seed: int
    note: str

    @property
    def compared(self) -> tuple[str, ...]:
        """The names in the table: "fitted", and the rivals that it is compared with."""
        return tuple(self.folds[0].spearman)

    def mean(self, name: str) -> float | None:
        """Mean held-out Spearman of "fitted" or a rival; None where undefined."""
        results = [fold.spearman[name] for fold in self.folds]
        values = [value for value in results if value is not None]
        return float(np.mean(values)) if len(values) == len(results) else None

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON types."""
        means = {name: self.mean(name) for name in self.compared}
        return {**asdict(self), "mean": means, "versions": versions(_MADE_WITH)}

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """The head and the cells, as text: held-out Spearman fold by fold, and the mean."""
        rows = [
            (
                *(str(i), str(fold.train), str(fold.test)),
                *(shown(fold.spearman[name]) for name in self.compared),
            )
            for i, fold in enumerate(self.folds, start=1)
        ]
        rows.append(("mean", "", "", *(shown(self.mean(name)) for name in self.compared)))
        return ("fold", "train", "test", *self.compared), rows

    def origin(self, what: str) -> str:
        """Comments for a file of the values, ``what`` they are first; no time, no machine."""
        head, rows = self.table()
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        made = ", ".join(f"{name} {number}" for name, number in versions(_MADE_WITH).items())
        lines = [
            f"{what}, fitted to ratings by compsim fit-weights",
            f"({made}).",
            "",
            f"data: {self.data}, {self.pairs} pairs, sha256 {self.checksum}",
            f"parser: {self.parser}; vectors: {self.vectors}",
            f"pairs with a sentence without a parse: {self.unparsed}",
            f"groups of pairs that share sentences: {self.groups}, the largest of {self.largest}",
            f"seed: {self.seed}",
            "",
            f"Spearman's rho on held-out pairs, {len(self.folds)} folds:",
            *("  ".join(map(str.rjust, row, widths)) for row in (head, *rows)),
            f"On the pairs that the values below were fitted to it is {shown(self.seen)}.",
        ]
        if self.note:
            lines.append(f"Note: {self.note}.")
        return "".join(f"# {_one_line(line)}".rstrip() + "\n" for line in lines)

    def to_toml(self) -> str:
        """A file that the method takes, its origin in comments."""
        raise NotImplementedError


def ratings_of(data: Dataset) -> Array:
    """The ratings (n,); raises ``InputError`` for those that nothing can be fitted to."""
    ratings = np.array([pair.rating for pair in data.pairs], dtype=np.float64)
    if not np.isfinite(ratings).all() or np.ptp(ratings) == 0:
        raise InputError(
            f"the ratings of {data.name} are all equal, or some are no finite numbers: "
            "weights can only be fitted to ratings that differ"
        )
    return ratings


def cross_validated(
    dealt: Folds,
    ratings: Array,
    best: Callable[[npt.NDArray[np.int64]], Array],
    rivals: Mapping[str, Array],
    scores: Callable[[Array, npt.NDArray[np.int64]], Array],
    advance: Callable[[int], None],
) -> tuple[Fold, ...]:
    """Each fold: ``best`` values of the training rows, and what they and the rivals do on the rest.

    ``scores`` are those of some rows by some values, as the method itself gives them.
    """
    results = []
    for i, test in enumerate(dealt.tests):
        train = dealt.train(i)
        values = best(train)
        spearman = {
            name: correlate(scores(tried, test), ratings[test]).spearman
            for name, tried in {"fitted": values, **rivals}.items()
        }
        results.append(Fold(len(train), len(test), tuple(values.tolist()), spearman))
        advance(1)
    return tuple(results)


def described(data: Dataset, dealt: Folds, seed: int) -> dict[str, Any]:
    """The fields of a ``Fit`` that the data and its folds give."""
    return {
        "data": data.name,
        "checksum": data.checksum,
        "pairs": len(data),
        "groups": dealt.groups,
        "largest": dealt.largest,
        "seed": seed,
        "note": dealt.note,
    }


def _one_line(text: str) -> str:
    """The text without control characters, which a TOML comment may not have."""
    return "".join(c if c.isprintable() else " " for c in text).rstrip()
