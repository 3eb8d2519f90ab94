"""The fine-tuning study of the STS3k paper (section 4.7): can ratings be learned from features?

Small feed-forward networks of increasing size learn human ratings from a few numbers a pair: the
eight role cosines of VerbNet-CN, or, of a method with one vector a sentence, the concatenated
vectors of the two sentences, reduced by PCA to eight components so that all networks are of one
size. PCA is of the concatenated vectors, and learned from the training pairs only: the paper counts
8, 90, 1,090 and 11,810 parameters with none to three hidden layers, which are the weights, without
biases, of networks with eight inputs and these hidden units. The networks are scikit-learn's
MLPRegressor, as in the paper, but for two of its settings: on 431 non-adversarial pairs its batches
of 200 make three steps a pass, so that the small networks stop, after 200 passes or by its rule of
little progress, far from where they were going (.30 to .64 on adversarial pairs by size, where the
paper's figures are near .6). Batches of 20 and up to 1,000 passes train all sizes; with
``as_published`` the networks are scikit-learn's own.

Three splits: ``random`` deals single pairs, as the paper does; ``grouped`` deals groups of pairs so
that no sentence is in both training and test; ``adversarial`` trains on the pairs that are not
adversarial and tests on those that are, where the data has the two parts. With folds, the first two
test on each pair once.

>>> from compsim import load
>>> from compsim.benchmarks import open_sts3k
>>> data = open_sts3k("compositional-semantics-eval")  # doctest: +SKIP
>>> cells = fine_tuning_study(data, [load("verbnet-cn")], seeds=5)  # doctest: +SKIP
>>> cells[0].mean  # doctest: +SKIP
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets import Dataset
from compsim.benchmarks.sides import encode_sides
from compsim.benchmarks.stats import library
from compsim.benchmarks.stats.correlation import correlate
from compsim.benchmarks.stats.folds import groups
from compsim.benchmarks.stats.folds import split as folded
from compsim.benchmarks.training.rolewise import RoleCosines
from compsim.embeddings.method import EmbeddingMethod
from compsim.errors import InputError
from compsim.method import Method
from compsim.rolesim.method import RoleSimMethod

__all__ = [
    "COMPONENTS",
    "SIZES",
    "Cell",
    "Features",
    "Split",
    "fine_tuning_study",
    "fold_splits",
    "splits",
]

Array = npt.NDArray[np.float64]

#: Hidden units, layer by layer, of Table 8 of the paper.
SIZES: Final[tuple[tuple[int, ...], ...]] = ((), (10,), (60, 10), (100, 100, 10))
#: Components that are kept of the vectors of a pair, as many as VerbNet-CN has roles.
COMPONENTS: Final = 8
#: Pairs of a step of training, and passes over all pairs at most.
_BATCH: Final = 20
_PASSES: Final = 1000
#: Share of the pairs that the random and grouped splits test on.
_HELD_OUT: Final = 0.2


@dataclass(frozen=True)
class Split:
    """Rows to train and to test on, ascending."""

    name: str
    train: npt.NDArray[np.int64]
    test: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Features:
    """Features of each pair, (n, columns), and the untrained score of the method, (n,).

    ``reduce``: the columns are vectors, for PCA.
    """

    method: str
    columns: Array
    scores: Array
    reduce: bool

    @classmethod
    def of(cls, method: Method[Any], data: Dataset, roles: str | Path | None = None) -> Features:
        """The role cosines (0 for a role that is not compared) or the vectors of each pair.

        ``roles`` names published parses to take in place of a parser's (STS3k only).
        Raises ``InputError`` for a method that gives neither.
        """
        if not isinstance(method, RoleSimMethod | EmbeddingMethod):
            raise InputError(
                f"method {method.info.name!r} gives neither role cosines nor sentence vectors: "
                "use verbnet-cn or a method of sentence vectors"
            )
        a, b = encode_sides(data, method, roles)
        scores: Array = method.similarity_pairwise(a, b)
        if isinstance(method, RoleSimMethod):
            return cls(method.info.name, RoleCosines.of(method, a, b).cosine, scores, False)
        columns = np.hstack([a.vector, b.vector]).astype(np.float64)
        return cls(method.info.name, columns, scores, True)


@dataclass(frozen=True)
class Cell:
    """Spearman's rho of one method, split and network size, over seeds.

    ``hidden`` are its hidden units, ``weights`` its weights without biases, ``spearman`` the figure
    of each seed: None where it is undefined, mostly since the network died in training and says the
    same of every pair. ``mean`` and ``sd`` (n - 1) are of the ``defined`` seeds, None where there
    is none, for ``sd`` where there is one. ``untrained`` is the mean rho of the method's own score
    on the same test pairs. ``unconverged`` counts trainings that used up their iterations.
    """

    method: str
    split: str
    hidden: tuple[int, ...]
    weights: int
    train: int
    test: int
    spearman: tuple[float | None, ...]
    mean: float | None
    sd: float | None
    untrained: float | None
    unconverged: int

    @property
    def defined(self) -> int:
        """Seeds that have a figure."""
        return sum(figure is not None for figure in self.spearman)


def splits(data: Dataset, seed: int) -> list[Split]:
    """The random and the grouped split of a seed, and the adversarial one where there is one.

    There is no grouped split where each group has more pairs than are held out.
    """
    rng = np.random.default_rng(seed)
    rows = np.arange(len(data))
    held = max(1, round(_HELD_OUT * len(data)))
    results = [_split("random", rows, rng.permutation(len(data))[:held])]
    group = groups(data)
    count = np.bincount(group)
    # Groups in random order, those that still fit.
    taken, room = [], held
    for number in rng.permutation(len(count)).tolist():
        if count[number] <= room:
            taken.append(number)
            room -= int(count[number])
    results.append(_split("grouped", rows, np.flatnonzero(np.isin(group, taken))))
    if {"non", "adv"} <= data.parts.keys():
        train, test = (np.array(data.parts[part], dtype=np.int64) for part in ("non", "adv"))
        results.append(Split("adversarial", np.sort(train), np.sort(test)))
    return [split for split in results if len(split.test)]


def fold_splits(data: Dataset, folds: int) -> list[list[Split]]:
    """The splits of each fold: every pair is tested on once in random folds, and in grouped ones.

    The adversarial split is the same in each. There are no grouped folds where groups are too large
    or too few to be kept whole. Raises ``InputError`` for fewer than two folds, or fewer than three
    pairs for each.
    """
    grouped = folded(data, folds)
    rows = np.arange(len(data))
    dealt = np.array_split(np.random.default_rng(0).permutation(len(data)), folds)
    fixed = [split for split in splits(data, 0) if split.name == "adversarial"]
    results = []
    for fold in range(folds):
        made = [_split("random", rows, dealt[fold])]
        if not grouped.note:
            made.append(_split("grouped", rows, grouped.tests[fold]))
        results.append(made + fixed)
    return results


def _split(name: str, rows: npt.NDArray[np.int64], test: npt.NDArray[np.int64]) -> Split:
    return Split(name, np.setdiff1d(rows, test), np.sort(test))


def fine_tuning_study(
    data: Dataset,
    methods: Sequence[Method[Any] | Features],
    *,
    sizes: Sequence[tuple[int, ...]] = SIZES,
    seeds: int = 5,
    components: int | None = COMPONENTS,
    folds: int | None = None,
    as_published: bool = False,
    advance: Callable[[str, int], None] = lambda method, count: None,
) -> list[Cell]:
    """Train and test a network for each method, split, size and seed.

    A seed draws the random splits and the network's first weights. ``components`` is what PCA keeps
    of vectors, None for all of them. With ``folds`` a network is trained for each fold in place of
    each seed, on the other folds' pairs. ``as_published`` leaves batches and passes to
    scikit-learn, as the paper does. ``advance`` is told the method and how many more networks
    are trained, ``seeds * splits * sizes`` for each method. Raises ``InputError`` for a method that
    has no features or data too small to train on, ``MissingExtraError`` without scikit-learn.
    """
    library("sklearn.neural_network")  # missing: said now, not after all the work
    if seeds < 1 or len(data) < 5 or (components is not None and components < 1):
        raise InputError(
            f"{len(data)} pairs, {seeds} seeds and {components} components are too few to train "
            "on: give 5 pairs or more, 1 seed or more and 1 component or more"
        )
    ratings = np.array([pair.rating for pair in data.pairs], dtype=np.float64)
    of_seeds: dict[str, list[tuple[int, Split]]] = {}
    drawn_splits = fold_splits(data, folds) if folds else [splits(data, s) for s in range(seeds)]
    for seed, made in enumerate(drawn_splits):
        for split in made:
            of_seeds.setdefault(split.name, []).append((seed, split))
    settings = {} if as_published else {"batch_size": _BATCH, "max_iter": _PASSES}
    cells = []
    for method in methods:
        features = method if isinstance(method, Features) else Features.of(method, data)
        for drawn in of_seeds.values():
            for hidden in sizes:
                networks = []
                for seed, split in drawn:
                    networks.append(
                        _train(features, ratings, split, hidden, components, seed, settings)
                    )
                    advance(features.method, 1)
                cells.append(_cell(features, ratings, [split for _, split in drawn], networks))
    return cells


def _train(
    features: Features,
    ratings: Array,
    split: Split,
    hidden: tuple[int, ...],
    components: int | None,
    seed: int,
    settings: Mapping[str, int],
) -> tuple[Any, float | None]:
    """The network, and Spearman's rho of what it says of the test rows."""
    train, test = features.columns[split.train], features.columns[split.test]
    if features.reduce and components is not None:
        kept = min(components, *train.shape)
        pca = library("sklearn.decomposition").PCA(n_components=kept, svd_solver="full").fit(train)
        train, test = pca.transform(train), pca.transform(test)
    own = dict(settings)
    if "batch_size" in own:
        own["batch_size"] = min(own["batch_size"], len(train))
    network = library("sklearn.neural_network").MLPRegressor(
        hidden_layer_sizes=hidden, random_state=seed, **own
    )
    with warnings.catch_warnings():
        # Counted instead.
        warnings.simplefilter("ignore", library("sklearn.exceptions").ConvergenceWarning)
        network.fit(train, ratings[split.train])
    return network, correlate(network.predict(test), ratings[split.test]).spearman


def _cell(
    features: Features,
    ratings: Array,
    drawn: Sequence[Split],
    trained: Sequence[tuple[Any, float | None]],
) -> Cell:
    networks, figures = zip(*trained, strict=True)
    mean, sd = _mean_and_sd(figures)
    untrained, _ = _mean_and_sd(
        [correlate(features.scores[of.test], ratings[of.test]).spearman for of in drawn]
    )
    return Cell(
        method=features.method,
        split=drawn[0].name,
        hidden=networks[0].hidden_layer_sizes,
        weights=sum(layer.size for layer in networks[0].coefs_),
        train=len(drawn[0].train),
        test=len(drawn[0].test),
        spearman=figures,
        mean=mean,
        sd=sd,
        untrained=untrained,
        unconverged=sum(network.n_iter_ >= network.max_iter for network in networks),
    )


def _mean_and_sd(figures: Sequence[float | None]) -> tuple[float | None, float | None]:
    known = [figure for figure in figures if figure is not None]
    sd = float(np.std(known, ddof=1)) if len(known) > 1 else None
    return float(np.mean(known)) if known else None, sd
