"""The constants of the hybrid fitted to ratings, and how well they do on pairs not seen.

``roles``, ``sharpness``, ``exchange`` and ``difference`` are chosen so that scores and ratings have
the highest Pearson correlation; ``cover`` and ``neutral``, which tell little beside ``roles``, stay
what they are. How they do on pairs not seen stands beside what the schemes that come with compsim
and the whole sentences alone do (see ``fits``).

>>> from compsim import load
>>> from compsim.benchmarks.datasets import open_dataset
>>> data = open_dataset("mine.csv")  # doctest: +SKIP
>>> fit = fit_hybrid(data, load("hybrid"))  # doctest: +SKIP
>>> text = fit.to_toml()  # a file for load("hybrid", scheme=...)  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets import Dataset
from compsim.benchmarks.sides import encode_sides
from compsim.benchmarks.stats import library
from compsim.benchmarks.stats.correlation import correlate
from compsim.benchmarks.stats.folds import split
from compsim.benchmarks.training.fits import Fit, cross_validated, described, ratings_of
from compsim.errors import InputError
from compsim.hybrid.method import HybridMethod
from compsim.hybrid.scheme import HybridScheme, read_scheme
from compsim.method import Method

__all__ = ["FITTED", "HybridFit", "fit_hybrid"]

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

#: The constants that are fitted.
FITTED: Final = ("roles", "sharpness", "exchange", "difference")
#: No constant grows beyond this.
_MOST: Final = (10.0, 32.0, 10.0, 10.0)
_DECIMALS: Final = 4
#: The whole sentences alone, and the schemes that come with compsim.
_ALONE: Final = np.zeros(len(FITTED))
_RIVALS: Final = ("hybrid", "roles-first")


@dataclass(frozen=True)
class HybridFit(Fit):
    """Constants fitted to all pairs, those of ``FITTED``; ``kept`` are the others."""

    kept: dict[str, float]

    def to_toml(self) -> str:
        """A file that ``hybrid.scheme.read_scheme`` takes, its origin in comments."""
        constants = {**dict(zip(FITTED, self.weights, strict=True)), **self.kept}
        lines = (f"{name} = {value!r}\n" for name, value in constants.items())
        return f"{self.origin('Constants of the hybrid')}\n{''.join(lines)}"


def fit_hybrid(
    data: Dataset,
    method: Method[Any],
    *,
    folds: int = 5,
    seed: int = 0,
    advance: Callable[[int], None] = lambda count: None,
) -> HybridFit:
    """Cross-validate, then fit to all pairs.

    ``method`` is the hybrid with the whole, the parser and the vectors to use. ``advance`` is told
    of each fit, ``folds + 1`` in all. Raises ``InputError`` for another method, too few pairs for
    so many folds or ratings that are not numbers or all equal, ``MissingExtraError`` without scipy.
    """
    if not isinstance(method, HybridMethod):
        raise InputError(f"method {method.info.name!r} has no such constants: use hybrid")
    from compsim.hybrid import kernel

    dealt = split(data, folds, seed)
    ratings = ratings_of(data)
    a, b = encode_sides(data, method)
    whole = method.whole.similarity_pairwise(a.whole, b.whole)
    terms = kernel.pair_terms(a.roles, b.roles, method.roles.scheme)

    def scores(values: Array, rows: Rows) -> Array:
        return kernel.scores(whole[rows], terms[rows], _scheme(values, method.scheme))

    shipped = {name: read_scheme(name).of(method.kind) for name in _RIVALS}
    starts = {name: _values(scheme) for name, scheme in shipped.items()}

    def best(rows: Rows) -> Array:
        return _best(lambda values: scores(values, rows), ratings[rows], [*starts.values(), _ALONE])

    rivals = {**starts, "whole alone": _ALONE}
    found = cross_validated(dealt, ratings, best, rivals, scores, advance)
    every = np.arange(len(data))
    values = best(every)
    advance(1)
    return HybridFit(
        **described(data, dealt, seed),
        unparsed=int(np.isnan(terms[:, 0]).sum()),
        parser=method.parser.name,
        vectors=method.vectors.name,
        weights=tuple(values.tolist()),
        seen=correlate(scores(values, every), ratings).spearman,
        folds=found,
        kept={"cover": method.scheme.cover, "neutral": method.scheme.neutral},
    )


def _best(scores: Callable[[Array], Array], ratings: Array, starts: list[Array]) -> Array:
    """The constants, to four decimals, of the highest Pearson correlation found.

    The search starts at each of ``starts`` and never ends worse than it starts. Raises
    ``MissingExtraError`` without scipy.
    """
    minimize = library("scipy.optimize").minimize

    def loss(values: Array) -> float:
        found = scores(values)
        if np.ptp(found) < 1e-12:
            return 1.0
        return 1.0 - float(np.corrcoef(found, ratings)[0, 1])

    bounds = [(0.0, most) for most in _MOST]
    tried = list(starts)
    for start in starts:
        # Not from the very border, where the first steps of the search would all be of length 0.
        begin = np.maximum(start, 0.1)
        found: Array = minimize(loss, begin, method="Nelder-Mead", bounds=bounds).x
        tried.append(found.round(_DECIMALS))
    return min(tried, key=loss)


def _values(scheme: HybridScheme) -> Array:
    return np.array([getattr(scheme, name) for name in FITTED], dtype=np.float64)


def _scheme(values: Array, scheme: HybridScheme) -> HybridScheme:
    return replace(scheme, **dict(zip(FITTED, values.tolist(), strict=True)))
