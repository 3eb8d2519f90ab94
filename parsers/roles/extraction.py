"""The candidates of many predicates as arrays: by plain Python for a few, compiled for many.

Compiled code is worth its while only in bulk: loading numba takes longer than a few sentences do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from compsim.parsers.pipeline.tree import BULK, Tree
from compsim.parsers.roles.candidates import (
    COLUMNS,
    SENSE_COLUMNS,
    candidate_rows,
    candidates,
    sense_row,
    voice,
)
from compsim.parsers.roles.symbols import Symbols

__all__ = ["Candidates", "extract"]


Task = tuple[Tree, Sequence[int]]


@dataclass(frozen=True)
class Candidates:
    """The candidates of some predicates, one after the other in text order.

    ``rows`` uint64 (n, len(COLUMNS)); ``heads`` int (n,), their tokens; ``direct``, ``above`` and
    ``places`` bool (n,), what ``Candidate`` says of each. Predicate i has those from ``starts[i]``
    to ``starts[i + 1]``, its ``contexts`` uint64 (predicates, len(SENSE_COLUMNS)) and ``passive``
    bool (predicates,).
    """

    rows: npt.NDArray[np.uint64]
    heads: npt.NDArray[np.int32]
    direct: npt.NDArray[np.bool_]
    above: npt.NDArray[np.bool_]
    places: npt.NDArray[np.bool_]
    starts: npt.NDArray[np.int64]
    contexts: npt.NDArray[np.uint64]
    passive: npt.NDArray[np.bool_]


def extract(tasks: Sequence[Task]) -> Candidates:
    """Candidates of the given predicates of each tree, in that order."""
    return (extract_compiled if len(tasks) >= BULK else extract_plainly)(tasks)


def extract_plainly(tasks: Sequence[Task]) -> Candidates:
    """As ``extract``, one by one."""
    predicates = [(tree, head) for tree, heads in tasks for head in heads]
    found = [candidates(tree, head) for tree, head in predicates]
    rows = [candidate_rows(*where, some) for where, some in zip(predicates, found, strict=True)]
    each = list(chain.from_iterable(found))
    return Candidates(
        np.array(list(chain.from_iterable(rows)), dtype=np.uint64).reshape(-1, len(COLUMNS)),
        np.array([candidate.head for candidate in each], dtype=np.int32),
        np.array([candidate.direct for candidate in each], dtype=np.bool_),
        np.array([candidate.above for candidate in each], dtype=np.bool_),
        np.array([candidate.inner_place for candidate in each], dtype=np.bool_),
        np.cumsum([0, *map(len, found)]),
        np.array([sense_row(*where) for where in predicates], dtype=np.uint64).reshape(
            -1, len(SENSE_COLUMNS)
        ),
        np.array([voice(*where) == "passive" for where in predicates], dtype=np.bool_),
    )


_symbols = Symbols()


def extract_compiled(tasks: Sequence[Task]) -> Candidates:
    """As ``extract``, all at once."""
    from compsim.parsers.roles.candidate_kernel import fill

    global _symbols
    symbols = Symbols() if _symbols.full else _symbols
    trees = [tree for tree, _ in tasks]
    symbols.add(
        {text for tree in trees for text in chain(tree.deps, tree.tags, tree.pos, tree.lemmas)}
    )
    _symbols = symbols
    ids = symbols.ids
    sizes = np.array([len(tree) for tree in trees], dtype=np.int64)
    counts = np.array([len(heads) for _, heads in tasks], dtype=np.int64)
    tokens = np.empty((8, sizes.sum()), dtype=np.int32)
    tokens[0] = [head for tree in trees for head in tree.heads]
    tokens[1] = [ids[text] for tree in trees for text in tree.deps]
    tokens[2] = [ids[text] for tree in trees for text in tree.tags]
    tokens[3] = [ids[text] for tree in trees for text in tree.pos]
    tokens[4] = [ids[text] for tree in trees for text in tree.lemmas]
    room, predicates = int(sizes @ counts), int(counts.sum())
    rows = np.zeros((room, len(COLUMNS)), dtype=np.uint64)
    found = np.zeros((4, room), dtype=np.int32)
    starts = np.zeros(predicates + 1, dtype=np.int64)
    contexts = np.zeros((predicates, len(SENSE_COLUMNS)), dtype=np.uint64)
    passive = np.zeros(predicates, dtype=np.bool_)
    total = fill(
        tokens,
        np.cumsum([0, *sizes]),
        np.repeat(np.arange(len(tasks)), counts),
        np.array([head for _, heads in tasks for head in heads], dtype=np.int64),
        symbols.table,
        symbols.pool,
        rows,
        found,
        starts,
        contexts,
        passive,
    )
    direct, above, places = found[1:, :total].astype(np.bool_)
    return Candidates(
        rows[:total], found[0, :total], direct, above, places, starts, contexts, passive
    )
