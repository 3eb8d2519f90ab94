"""Smatch: the F1 of two meaning graphs over the best mapping of their variables.

Cai and Knight 2013. A mapping takes variables of one graph one-to-one to variables of the other;
its score is the number of triples that are then the same. The public tool climbs hills from random
starts; here the best mapping is found, the same in every run, and the result says that it is best.

>>> from compsim.amr.smatch import smatch
>>> from compsim.graph import RoleGraph
>>> a = RoleGraph.from_penman("(s / sleep-01 :ARG0 (d / dog))")
>>> b = RoleGraph.from_penman("(s / sleep-01 :ARG0 (c / cat :mod (b / black)))")
>>> result = smatch(a, b)
>>> result.matched, result.total_a, result.total_b, result.f1, result.optimal
(3.0, 4, 6, 0.6, True)
>>> [(a.nodes[i].label, b.nodes[j].label) for i, j in result.mapping]
[('sleep-01', 'sleep-01'), ('dog', 'cat')]

Two empty graphs have F1 1, an empty one and any other 0.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from compsim.amr.smatch.large import solve_large
from compsim.amr.smatch.pair import OPEN, SETTLED, STEPS, UNSOLVED, Results, solve_plainly
from compsim.amr.smatch.problem import Options, Side
from compsim.amr.smatch.triples import TripleBatch, Triples, encode
from compsim.errors import InputError
from compsim.kernels.threads import in_chunks

if TYPE_CHECKING:
    from compsim.graph import RoleGraph
    from compsim.vectors import WordVectors

__all__ = ["NODES", "PairScores", "SmatchResult", "smatch", "smatch_pairwise", "warm_up"]

#: Search nodes that a pair may take before its best mapping so far is given, with its bound.
NODES: Final = 20_000

#: Fewer pairs than this are not worth a second thread.
_PAIRS_PER_THREAD: Final = 512

_NO_LIMIT: Final = 1 << 62

#: From this many pairs of variables on, a mapping by looks is tried before the search.
_CELLS: Final = 1 << 12

_KERNEL: Final = "compsim.amr.smatch.kernel"


@dataclass(frozen=True, slots=True)
class SmatchResult:
    """The score of one pair.

    Attributes:
        precision: Matched triples over those of a.
        recall: Matched triples over those of b.
        f1: The harmonic mean of the two.
        matched: The matching triples, a whole number unless concepts are graded.
        total_a: The triples of a.
        total_b: The triples of b.
        mapping: The pairs of node indices that match some triple.
        optimal: Whether it is proven that no mapping has more.
        upper_bound: Where the search was cut short, no mapping has more than this.

    Examples:
        >>> from compsim.graph import RoleGraph
        >>> a = RoleGraph.from_penman("(s / sleep-01 :ARG0 (d / dog))")
        >>> b = RoleGraph.from_penman("(s / sleep-01 :ARG0 (c / cat))")
        >>> result = smatch(a, b)
        >>> result.f1, result.optimal, result.mapping
        (0.75, True, ((0, 0), (1, 1)))
    """

    precision: float
    recall: float
    f1: float
    matched: float
    total_a: int
    total_b: int
    mapping: tuple[tuple[int, int], ...]
    optimal: bool
    upper_bound: float


@dataclass(frozen=True, slots=True)
class PairScores:
    """The scores of many pairs.

    Attributes:
        matched: The matching triples, float64 (n,).
        total_a: The triples of a, int64 (n,).
        total_b: The triples of b, int64 (n,).
        upper_bound: No mapping has more, float64 (n,).
        mapping: The variable of b, or -1, for each variable of all graphs of a, int32.

    Examples:
        >>> from compsim.graph import RoleGraph
        >>> a = RoleGraph.from_penman("(s / sleep-01 :ARG0 (d / dog))")
        >>> b = RoleGraph.from_penman("(s / sleep-01 :ARG0 (c / cat))")
        >>> scores = smatch_pairwise(encode([a, a]), encode([b, a]))
        >>> scores.matched.tolist(), scores.f1.tolist()
        ([3.0, 4.0], [0.75, 1.0])
    """

    matched: npt.NDArray[np.float64]
    total_a: npt.NDArray[np.int64]
    total_b: npt.NDArray[np.int64]
    upper_bound: npt.NDArray[np.float64]
    mapping: npt.NDArray[np.int32]

    @property
    def optimal(self) -> npt.NDArray[np.bool_]:
        """Pairs whose mapping is proven optimal, bool (n,)."""
        return self.upper_bound <= self.matched + 1e-6

    @property
    def precision(self) -> npt.NDArray[np.float64]:
        """Matched triples over those of a, float64 (n,)."""
        return _ratio(self.matched, self.total_a, self.total_b)

    @property
    def recall(self) -> npt.NDArray[np.float64]:
        """Matched triples over those of b, float64 (n,)."""
        return _ratio(self.matched, self.total_b, self.total_a)

    @property
    def f1(self) -> npt.NDArray[np.float64]:
        """The harmonic mean of precision and recall, float64 (n,)."""
        total = self.total_a + self.total_b
        return np.where(total > 0, 2 * self.matched / np.maximum(total, 1), 1.0)


def _ratio(
    matched: npt.NDArray[np.float64], own: npt.NDArray[np.int64], other: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    return np.where(own > 0, matched / np.maximum(own, 1), np.where(other > 0, 0.0, 1.0))


def smatch(
    a: RoleGraph,
    b: RoleGraph,
    *,
    top: bool = True,
    top_concept: bool = False,
    attributes: bool = True,
    senses: bool = True,
    vectors: WordVectors | None = None,
    threshold: float = 0.5,
    seconds: float | None = None,
    nodes: int | None = NODES,
) -> SmatchResult:
    """Score one pair of graphs.

    Args:
        a: A graph.
        b: Another.
        top: As for ``smatch_pairwise``, and so are all the others.
        top_concept: Whether the value of TOP is the root's concept.
        attributes: Whether these triples count.
        senses: Whether concepts are compared with their sense numbers.
        vectors: Vectors by which unequal concepts are graded.
        threshold: The cosine from which they count.
        seconds: How long the search may take.
        nodes: How many nodes it may visit.

    Returns:
        The score with the mapping, and whether it is proven to be the best.

    Raises:
        InputError: An option is out of range.

    Examples:
        >>> from compsim.graph import RoleGraph
        >>> gold = RoleGraph.from_penman("(s / sleep-01 :ARG0 (d / dog))")
        >>> result = smatch(gold, RoleGraph.from_penman("(s / sleep-01 :ARG0 (c / cat))"))
        >>> result.f1, result.optimal
        (0.75, True)
    """
    batch = encode([a, b])
    first, second = batch[:1], batch[1:]
    scores = smatch_pairwise(
        first,
        second,
        top=top,
        top_concept=top_concept,
        attributes=attributes,
        senses=senses,
        vectors=vectors,
        threshold=threshold,
        seconds=seconds,
        nodes=nodes,
    )
    pairs = [(i, j) for i, j in enumerate(scores.mapping.tolist()) if j >= 0]
    return SmatchResult(
        float(scores.precision[0]),
        float(scores.recall[0]),
        float(scores.f1[0]),
        float(scores.matched[0]),
        int(scores.total_a[0]),
        int(scores.total_b[0]),
        tuple((int(first.side.node[i]), int(second.side.node[j])) for i, j in pairs),
        bool(scores.optimal[0]),
        float(scores.upper_bound[0]),
    )


def smatch_pairwise(
    a: TripleBatch,
    b: TripleBatch,
    *,
    top: bool = True,
    top_concept: bool = False,
    attributes: bool = True,
    senses: bool = True,
    vectors: WordVectors | None = None,
    threshold: float = 0.5,
    seconds: float | None = None,
    nodes: int | None = NODES,
    threads: int | None = None,
) -> PairScores:
    """Score graph i of a against graph i of b.

    Args:
        a: n graphs, as ``encode`` gives them.
        b: As many.
        top: Whether TOP counts. Its value is the same in every graph, as in the ``smatch`` package.
        top_concept: Whether its value is the root's concept instead, as in older releases and in
            BAMBOO's table.
        attributes: Whether attributes count.
        senses: Whether concepts are compared with their sense numbers.
        vectors: Vectors by which concepts are graded as in S2match (Opitz, Parcalabescu and Frank
            2020): two that are not equal count their cosine, two senses of one word a half. None:
            concepts are equal or not.
        threshold: The cosine from which they count.
        seconds: How long the search of each pair may take besides; None is no limit.
        nodes: How many nodes the search of each pair may visit, the same in every run; None is no
            limit.
        threads: How many threads; None for all that compsim uses.

    Returns:
        Counts, scores and mappings, arrays (n,).

    Raises:
        InputError: The batches are not equally long, or an option is out of range.

    Examples:
        >>> from compsim.graph import RoleGraph
        >>> graphs = encode([RoleGraph.from_penman(f"(d / {word})") for word in ("dog", "cat")])
        >>> smatch_pairwise(graphs, graphs[[0, 0]]).f1.tolist()
        [1.0, 0.5]
    """
    if len(a) != len(b):
        raise InputError(
            f"there are {len(a)} graphs on one side and {len(b)} on the other: pair them"
        )
    if nodes is not None and nodes < 1:
        raise InputError(f"nodes={nodes} leaves no search: give 1 or more, or None for no limit")
    if seconds is not None and not seconds > 0:
        raise InputError(f"seconds={seconds} leaves no time: give more than 0, or None")
    if not 0 < threshold <= 1:
        raise InputError(f"threshold={threshold} is not a cosine above 0: give one up to 1")
    options = Options(top, attributes, senses, float(threshold), top_concept)
    limits = (_NO_LIMIT, _NO_LIMIT) if nodes is None else (nodes, STEPS)
    b = b.recoded(a.words)
    vector = np.zeros((0, 0), dtype=np.float32)
    if vectors is not None:
        vector = _concept_vectors(b.words, (a, b), vectors)
    first, second = a.side.variable, b.side.variable
    results = Results(
        np.zeros(len(a)),
        np.zeros(len(a)),
        np.full(len(a), OPEN, dtype=np.int64),
        np.full(first[-1], -1, dtype=np.int32),
    )
    by_looks = {}
    for place in np.flatnonzero(np.diff(first) * np.diff(second) > _CELLS).tolist():
        by_looks[place] = result = solve_large(a[place], b[place], options, vector)
        if result[0] == result[1]:
            results.visited[place] = SETTLED
    if not by_looks and seconds is None and vectors is None and _KERNEL not in sys.modules:
        solve_plainly(a, b, options, limits, results)
    if (results.visited == OPEN).any():
        _solve_compiled(a.side, b.side, options, vector, limits, seconds, threads, results)
    for place in np.flatnonzero(results.visited == UNSOLVED).tolist():
        if place not in by_looks:  # few variables but very many relations
            by_looks[place] = solve_large(a[place], b[place], options, vector)
    for place, (matched, bound, mapping) in by_looks.items():
        if matched > results.matched[place] or results.visited[place] < 0:
            results.matched[place] = matched
            results.mapping[first[place] : first[place + 1]] = mapping
        if results.visited[place] < 0:
            results.bound[place] = bound
        results.bound[place] = min(results.bound[place], bound)
    total_a, total_b = (batch.counts(top=top, attributes=attributes) for batch in (a, b))
    return PairScores(results.matched, total_a, total_b, results.bound, results.mapping)


def _solve_compiled(
    a: Side,
    b: Side,
    options: Options,
    vector: npt.NDArray[np.float32],
    limits: tuple[int, int],
    seconds: float | None,
    threads: int | None,
    results: Results,
) -> None:
    """Solve the OPEN pairs in several threads, or within seconds each."""
    from compsim.amr.smatch.kernel import solve_pairs

    def solve(start: int, end: int, stop: npt.NDArray[np.uint8]) -> None:
        solve_pairs(a, b, start, end, options, vector, limits, stop, results)

    count = len(results.visited)
    if seconds is None:
        go_on = np.zeros(1, dtype=np.uint8)
        in_chunks(
            lambda start, end: solve(start, end, go_on),
            count,
            enough=count // _PAIRS_PER_THREAD,
            threads=threads,
        )
        return
    for place in range(count):
        stop = np.zeros(1, dtype=np.uint8)
        timer = threading.Timer(seconds, stop.fill, [1])
        timer.start()
        solve(place, place + 1, stop)
        timer.cancel()


def warm_up() -> None:
    """Compile the kernel, or load its machine code, ahead of the first call.

    Examples:
        >>> warm_up()
    """
    importlib.import_module(_KERNEL)
    batch = TripleBatch.of([Triples({0: "dog"}, {}, {}, 0)])
    smatch_pairwise(batch, batch, threads=1)


def _concept_vectors(
    vocabulary: Iterable[str], batches: Iterable[TripleBatch], vectors: WordVectors
) -> npt.NDArray[np.float32]:
    """A unit vector, or zeros, for each code that is a concept without its sense, (codes, dim)."""
    from compsim.kernels.cosine import unit_rows

    words = list(vocabulary)
    table = np.zeros((len(words), vectors.dim), dtype=np.float32)
    codes = np.unique(np.concatenate([batch.side.stem for batch in batches]))
    phrases = [words[code].replace("-", " ") for code in codes.tolist()]
    if phrases:
        table[codes] = unit_rows(vectors.texts(phrases)).reshape(len(codes), vectors.dim)
    return table
