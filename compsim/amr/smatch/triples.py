"""Role graphs as triples of integers: what Smatch counts.

A graph becomes instance triples (variable, concept), relation triples (role, variable, variable),
attribute triples (role, variable, constant) and one TOP triple at its root. They are built as the
public ``smatch`` tool (release 1.0.4) builds them, so that counts can be compared with published
ones: values are lower-cased and lose trailing underscores, strings and symbols are not told apart,
``:mod`` is the inverse of ``:domain``, TOP has the same value in every graph, and an inverse role
or a ``:mod`` to a constant is left out, since it would have no variable to stand at.

A triple that a graph holds more than once is kept once, with its multiplicity.

>>> from compsim.graph import RoleGraph
>>> from compsim.amr.smatch.triples import encode
>>> batch = encode([RoleGraph.from_penman("(c / chase-01 :ARG0 (d / dog) :polarity -)")])
>>> batch.total.tolist()  # two instances, a relation, an attribute, TOP
[5]
>>> [batch.vocabulary[code] for code in batch.concept]
['chase-01', 'dog']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.graph import RoleGraph
from compsim.method import Index

__all__ = ["COLUMNS", "TripleBatch", "Triples", "encode", "normalized", "triples", "variables"]

_SENSE: Final = re.compile(r"-\d{2,3}$")

#: Columns that hold one row for each variable, relation or attribute of all graphs.
COLUMNS: Final = {
    "variable": ("node", "concept", "stem"),
    "relation": ("role", "source", "target", "relation_count"),
    "attribute": ("key", "holder", "attribute_count"),
}


class Triples(NamedTuple):
    """The triples of one graph as strings; a variable is the index of its node.

    ``concepts`` maps each variable to its concept, ``relations`` each (role, source, target) and
    ``attributes`` each (role, variable, value) to how often it occurs; ``top`` is None for a graph
    without variables.
    """

    concepts: dict[int, str]
    relations: dict[tuple[str, int, int], int]
    attributes: dict[tuple[str, int, str], int]
    top: int | None

    @property
    def total(self) -> int:
        """The number of triples, TOP included."""
        several = sum(self.relations.values()) + sum(self.attributes.values())
        return len(self.concepts) + several + (self.top is not None)


@lru_cache(maxsize=1 << 16)
def normalized(value: str) -> str:
    """A concept, role or constant as Smatch compares it."""
    return value.lower().rstrip("_")


def variables(graph: RoleGraph) -> list[bool]:
    """Which nodes are variables: all but the constants.

    A constant is a node without a variable of its own that is the target of one edge and the
    source of none, in a graph where some node has a variable; a parse into phrases has none. The
    source of one edge is a constant too if that leads to a node with a variable: it was written
    after an inverse role.
    """
    nodes, root = graph.nodes, graph.root
    found = [node.variable is not None for node in nodes]
    if False not in found:
        return found
    if True not in found:
        return [True] * len(nodes)
    incident = [0] * len(nodes)
    for edge in graph.edges:
        incident[edge.source] += 1
        incident[edge.target] += 1
    named = found.copy()
    for index, count in enumerate(incident):
        found[index] = named[index] or count != 1 or index == root
    for edge in graph.edges:
        if not named[edge.target]:
            found[edge.source] = True
    return found


def triples(graph: RoleGraph) -> Triples:
    """The triples of a graph, as the module describes them."""
    is_variable = variables(graph)
    nodes = graph.nodes
    concepts = {
        index: normalized(node.label) for index, node in enumerate(nodes) if is_variable[index]
    }
    relations: dict[tuple[str, int, int], int] = {}
    attributes: dict[tuple[str, int, str], int] = {}
    for edge in graph.edges:
        role, target = edge.role, edge.target
        if not is_variable[edge.source]:
            continue
        if is_variable[target]:
            if role == "mod":
                relation = "domain", target, edge.source
            else:
                relation = normalized(role), edge.source, target
            relations[relation] = relations.get(relation, 0) + 1
        elif role != "mod":
            # The public tool reads a string up to its first blank.
            value = nodes[target].label.split(None, 1)
            attribute = normalized(role), edge.source, normalized(value[0]) if value else ""
            attributes[attribute] = attributes.get(attribute, 0) + 1
    return Triples(concepts, relations, attributes, graph.root)


class TripleBatch:
    """The triples of many graphs as arrays, all int32 but the ``*_ptr`` and totals, int64.

    Graph g has the variables ``variable_ptr[g]:variable_ptr[g + 1]`` and likewise its relations and
    attributes. ``node`` is a variable's node in its graph, ``concept`` the code of its concept and
    ``stem`` of its concept without the sense number. ``role``, ``source`` and ``target`` are a
    relation, ``key`` (role and value) and ``holder`` an attribute, where source, target and holder
    count variables of the graph from 0; a ``*_count`` is a triple's multiplicity. ``top`` is the
    variable at the root or -1. ``vocabulary`` has the string of each code; relations are sorted by
    role, attributes by key.
    """

    def __init__(
        self,
        vocabulary: Sequence[str],
        top: npt.NDArray[np.int32],
        pointers: dict[str, npt.NDArray[np.int64]],
        columns: dict[str, npt.NDArray[np.int32]],
    ) -> None:
        self.vocabulary = vocabulary
        self.top = top
        self.pointers = pointers
        self.columns = columns
        self.variable_ptr = pointers["variable"]
        self.relation_ptr = pointers["relation"]
        self.attribute_ptr = pointers["attribute"]
        self.node, self.concept, self.stem = (columns[c] for c in COLUMNS["variable"])

    def __len__(self) -> int:
        return len(self.top)

    def __repr__(self) -> str:
        return f"TripleBatch({len(self)} graphs, {len(self.node)} variables)"

    def counts(self, *, top: bool = True, attributes: bool = True) -> npt.NDArray[np.int64]:
        """The number of triples of each graph, int64 (n,), with or without these kinds."""
        found = np.diff(self.variable_ptr) + self._sum("relation")
        if attributes:
            found = found + self._sum("attribute")
        return found + (self.top >= 0) if top else found

    @cached_property
    def total(self) -> npt.NDArray[np.int64]:
        """The number of triples of each graph, int64 (n,)."""
        return self.counts()

    def _sum(self, kind: str) -> npt.NDArray[np.int64]:
        column, pointer = self.columns[f"{kind}_count"], self.pointers[kind]
        running = np.zeros(len(column) + 1, dtype=np.int64)
        np.cumsum(column, out=running[1:])
        total: npt.NDArray[np.int64] = running[pointer[1:]] - running[pointer[:-1]]
        return total

    @cached_property
    def same_source(self) -> npt.NDArray[np.int32]:
        """How many relations of a graph share role and source with each one, int32."""
        return self._siblings("source")

    @cached_property
    def same_target(self) -> npt.NDArray[np.int32]:
        """How many relations of a graph share role and target with each one, int32."""
        return self._siblings("target")

    def _siblings(self, end: str) -> npt.NDArray[np.int32]:
        # Variables counted through all graphs, so that one number names graph, role and end.
        first = np.repeat(self.variable_ptr[:-1], np.diff(self.relation_ptr))
        place = first + self.columns[end]
        names = place * max(len(self.vocabulary), 1) + self.columns["role"]
        _, group, count = np.unique(names, return_inverse=True, return_counts=True)
        siblings: npt.NDArray[np.int32] = count.astype(np.int32)[group]
        return siblings

    def __getitem__(self, index: Index) -> Self:
        """The graphs at a place, a slice, an array of places or a mask, as a batch."""
        n = len(self)
        try:
            rows = np.atleast_1d(np.arange(n)[index])
        except (IndexError, TypeError) as error:
            raise InputError(f"a batch of {n} graphs has no {index!r} ({error})") from error
        pointers: dict[str, npt.NDArray[np.int64]] = {}
        columns: dict[str, npt.NDArray[np.int32]] = {}
        for kind, names in COLUMNS.items():
            old = self.pointers[kind]
            length = np.diff(old)[rows]
            new = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
            taken = np.arange(new[-1]) + np.repeat(old[rows] - new[:-1], length)
            pointers[kind] = new
            columns |= {name: self.columns[name][taken] for name in names}
        return type(self)(self.vocabulary, self.top[rows], pointers, columns)

    @classmethod
    def concat(cls, batches: Iterable[Self]) -> Self:
        """One batch of several, in order."""
        parts = list(batches)
        if not parts:
            raise InputError("there is no batch to join: give at least one")
        for i in range(1, len(parts)):
            parts[i] = parts[i].recoded(parts[i - 1].vocabulary)
        return cls(
            parts[-1].vocabulary,
            np.concatenate([part.top for part in parts]),
            {
                kind: np.concatenate(
                    [[0], np.cumsum(np.concatenate([np.diff(p.pointers[kind]) for p in parts]))]
                ).astype(np.int64)
                for kind in COLUMNS
            },
            {
                name: np.concatenate([part.columns[name] for part in parts])
                for names in COLUMNS.values()
                for name in names
            },
        )

    def recoded(self, vocabulary: Sequence[str]) -> Self:
        """The same triples in codes of this vocabulary, to which missing strings are appended."""
        if vocabulary is self.vocabulary:
            return self
        place = {word: code for code, word in enumerate(vocabulary)}
        codes = [place.setdefault(word, len(place)) for word in self.vocabulary]
        table = np.array(codes, dtype=np.int32)
        columns = dict(self.columns)
        for name in ("concept", "stem", "role", "key"):
            columns[name] = table[columns[name]]
        for kind, sorted_by in (("relation", "role"), ("attribute", "key")):
            graph = np.repeat(np.arange(len(self)), np.diff(self.pointers[kind]))
            order = np.lexsort((columns[sorted_by], graph))
            columns |= {name: columns[name][order] for name in COLUMNS[kind]}
        return type(self)(list(place), self.top, self.pointers, columns)


def encode(graphs: Iterable[RoleGraph | Triples]) -> TripleBatch:
    """The triples of these graphs, coded with one vocabulary; a graph without nodes has none."""
    code: dict[str, int] = {}
    stems: dict[str, tuple[int, int]] = {}
    # Rows behind one another: plain integers, which the garbage collector need not visit.
    flat: dict[str, list[int]] = {kind: [] for kind in COLUMNS}
    ends: dict[str, list[int]] = {kind: [0] for kind in COLUMNS}
    instances, relations, attributes = flat.values()
    tops: list[int] = []
    for graph in graphs:
        found = triples(graph) if isinstance(graph, RoleGraph) else graph
        place: dict[int, int] = {}
        for node, concept in found.concepts.items():
            place[node] = len(place)
            pair = stems.get(concept)
            if pair is None:
                stem = _SENSE.sub("", concept)
                pair = code.setdefault(concept, len(code)), code.setdefault(stem, len(code))
                stems[concept] = pair
            instances += (node, *pair)
        if found.relations:
            own = [
                (code.setdefault(role, len(code)), place[source], place[target], count)
                for (role, source, target), count in found.relations.items()
            ]
            own.sort()
            relations += chain.from_iterable(own)
        if found.attributes:
            keys = [
                (code.setdefault(f"{role} {value}", len(code)), place[holder], count)
                for (role, holder, value), count in found.attributes.items()
            ]
            keys.sort()
            attributes += chain.from_iterable(keys)
        tops.append(-1 if found.top is None else place[found.top])
        for kind, end in ends.items():
            end.append(len(flat[kind]))
    columns: dict[str, npt.NDArray[np.int32]] = {}
    for kind, names in COLUMNS.items():
        table = np.array(flat[kind], dtype=np.int32).reshape(-1, len(names)).T
        columns |= {
            name: np.ascontiguousarray(column) for name, column in zip(names, table, strict=True)
        }
    return TripleBatch(
        list(code),
        np.array(tops, dtype=np.int32),
        {kind: np.array(end, dtype=np.int64) // len(COLUMNS[kind]) for kind, end in ends.items()},
        columns,
    )
