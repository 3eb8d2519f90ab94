"""Role weights of VerbNet-CN fitted to ratings, and how well they do on pairs not seen.

The score of a pair is ``sum(w * c) / sum(w)`` over its matched roles, c their cosines. Weights that
are not negative are chosen so that scores and ratings have the highest Pearson correlation. That is
least squares of the ratings on the score with the best intercept and slope: unlike plain least
squares, it asks for the right order and spacing of the scores, which is what a similarity is judged
by, and not for scores on the scale of the ratings, which no weights could give. Spearman's rho, in
which results are reported, has no gradient.

How they do on pairs not seen stands beside what the weights that come with compsim do (see
``fits``).

>>> from compsim import load
>>> from compsim.benchmarks import open_sts3k
>>> data = open_sts3k("compositional-semantics-eval")  # doctest: +SKIP
>>> fit = fit_weights(data, load("verbnet-cn"))  # doctest: +SKIP
>>> fit.mean("fitted"), fit.mean("paper")  # doctest: +SKIP
>>> text = fit.to_toml()  # a file for load("verbnet-cn", weights=...)  # doctest: +SKIP
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets import Dataset
from compsim.benchmarks.sides import encode_sides
from compsim.benchmarks.stats import library
from compsim.benchmarks.stats.correlation import correlate
from compsim.benchmarks.stats.folds import split
from compsim.benchmarks.training.fits import Fit, cross_validated, described, ratings_of
from compsim.benchmarks.training.rolewise import RoleCosines
from compsim.errors import InputError
from compsim.method import Method
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.method import RoleSimMethod
from compsim.rolesim.scheme_file import read_scheme

__all__ = ["WeightFit", "best_weights", "fit_weights"]

Array = npt.NDArray[np.float64]

#: What fitted weights are compared with: the schemes that come with compsim.
_RIVALS: Final = ("paper", "uniform")
#: Places from which the search starts, drawn at random, beside the schemes that come with compsim.
_STARTS: Final = 4
#: No weight grows beyond so many times the mean weight that the search starts with.
_MOST: Final = 100.0
_DECIMALS: Final = 4


@dataclass(frozen=True)
class WeightFit(Fit):
    """Weights fitted to all pairs (mean 1), by role, and the inventory that they belong to."""

    inventory: str
    roles: tuple[str, ...]
    align: tuple[tuple[str, str], ...]

    def to_toml(self) -> str:
        """A file that ``read_scheme`` takes, its origin in comments."""
        roles = ", ".join(f'"{role}"' for role in self.roles)
        text = self.origin("Role weights of VerbNet-CN")
        text += f'\n[inventory]\nname = "{self.inventory}"\nroles = [{roles}]\n'
        text += "# Unlike roles that are compared, in this order.\nalign = [\n"
        text += "".join(f'    ["{x}", "{y}"],\n' for x, y in self.align)
        text += "]\n\n[weights]\n"
        pairs = zip(self.roles, self.weights, strict=True)
        return text + "".join(f"{role} = {weight!r}\n" for role, weight in pairs)


def fit_weights(
    data: Dataset,
    method: Method[Any],
    *,
    roles: str | Path | None = None,
    folds: int = 5,
    seed: int = 0,
    advance: Callable[[int], None] = lambda count: None,
) -> WeightFit:
    """Cross-validate, then fit to all pairs.

    ``method`` is verbnet-cn, normalised by ``matched``, with the parser, vectors and alignment
    order to use; ``roles`` names published parses to take instead of a parser's (STS3k only).
    ``advance`` is told of each fit, ``folds + 1`` in all. Raises ``InputError`` for another method
    or normalisation, too few pairs for so many folds or ratings that are not numbers or all equal,
    ``MissingExtraError`` without scipy.
    """
    if not isinstance(method, RoleSimMethod):
        raise InputError(f"method {method.info.name!r} has no role weights: use verbnet-cn")
    if method.normalize != "matched":
        raise InputError(
            f"weights are fitted for normalize='matched', not {method.normalize!r}: "
            "load verbnet-cn with that"
        )
    dealt = split(data, folds, seed)
    ratings = ratings_of(data)
    a, b = encode_sides(data, method, roles)
    pairs = RoleCosines.of(method, a, b)
    rivals = {}
    for name in _RIVALS:
        scheme = read_scheme(name)
        rivals[name] = np.array([scheme.weight_of(role) for role in pairs.roles])
    starts = [*rivals.values(), np.array(method.scheme.weights)]

    def best(rows: npt.NDArray[np.int64]) -> Array:
        return best_weights(pairs[rows], ratings[rows], starts, seed)

    def scores(weights: Array, rows: npt.NDArray[np.int64]) -> Array:
        return _scores(method, weights, a[rows], b[rows])

    result = cross_validated(dealt, ratings, best, rivals, scores, advance)
    every = np.arange(len(data))
    weights = best(every)
    advance(1)
    return WeightFit(
        **described(data, dealt, seed),
        unparsed=int((a.failed | b.failed).sum()),
        parser=method.parser.name if roles is None else Path(roles).name,
        vectors=method.vectors.name if method.vectors is not None else "",
        roles=pairs.roles,
        inventory=method.scheme.inventory.name,
        align=method.scheme.inventory.align,
        weights=tuple(weights.tolist()),
        seen=correlate(scores(weights, every), ratings).spearman,
        folds=result,
    )


def best_weights(pairs: RoleCosines, ratings: Array, starts: Sequence[Array], seed: int) -> Array:
    """Weights (roles,) of mean 1, to four decimals, of the highest Pearson correlation found.

    The search starts at each of ``starts`` and at some drawn at random; it never ends worse than it
    starts. A role that no pair matches beside another keeps the weight that it has in the first
    start: the score does not depend on it. Raises ``MissingExtraError`` without scipy.
    """
    minimize = library("scipy.optimize").minimize
    matches = pairs.matched[pairs.matched.sum(axis=1) > 1].any(axis=0)
    first = _scaled(starts[0])
    if not matches.any():
        return first
    rng = np.random.default_rng(seed)
    drawn = rng.exponential(size=(_STARTS, len(first)))
    tried = []
    for start in (*starts, *drawn):
        begin = np.where(matches, _scaled(start), first)
        end = minimize(
            lambda w: _loss(pairs, ratings, np.where(matches, w, first)),
            begin,
            jac=True,
            method="L-BFGS-B",
            bounds=[(0.0, _MOST)] * len(first),
        ).x
        tried += [begin, end]
    # Only the proportions of the weights that the pairs tell of matter: bring them to one scale.
    share = first[matches].sum() or float(matches.sum())
    rounded: list[Array] = []
    for weights in tried:
        if weights[matches].sum() > 0:
            scaled: Array = np.where(matches, weights * share / weights[matches].sum(), first)
            rounded.append(scaled.round(_DECIMALS))
    return min(rounded, key=lambda w: _loss(pairs, ratings, w)[0])


def _loss(pairs: RoleCosines, ratings: Array, weights: Array) -> tuple[float, Array]:
    """One less Pearson's r of scores and ratings, and its gradient (roles,)."""
    score, slope = pairs.slopes(weights)
    x, y = score - score.mean(), ratings - ratings.mean()
    norm, height = np.sqrt((x * x).sum()), np.sqrt((y * y).sum())
    if norm < 1e-12 or height == 0:
        return 1.0, np.zeros(len(weights))
    r = float((x * y).sum() / (norm * height))
    # dr/dscore; it sums to 0, so the mean of the scores needs no term of its own.
    change = y / (norm * height) - r * x / norm**2
    return 1.0 - r, -(slope * change[:, None]).sum(axis=0)


def _scores(method: RoleSimMethod, weights: Array, a: RoleBatch, b: RoleBatch) -> Array:
    """Return the method's own scores of the pairs with these weights, (n,).

    Many pairs score 1 but for the last bit, and ranks tell such scores apart: only the method's own
    arithmetic has the correlation that one meets when using the weights.
    """
    weighted = copy.copy(method)
    weighted.scheme = replace(method.scheme, weights=tuple(weights.tolist()))
    return weighted.similarity_pairwise(a, b)


def _scaled(weights: Array) -> Array:
    """The weights in the same proportions with mean 1; all 1 where they are all 0."""
    mean = weights.mean()
    scaled: Array = weights / mean if mean > 0 else np.ones(len(weights))
    return scaled
