"""Triples of role graphs as integers, which Smatch counts.

A graph becomes instance triples (variable, concept), relation triples (role, variable, variable),
attribute triples (role, variable, constant) and one TOP triple at its root. They are built as the
public ``smatch`` tool (release 1.0.4) builds them, so that counts can be compared with published
ones: values are lower-cased and lose trailing underscores, strings and symbols are not told apart,
``:mod`` is the inverse of ``:domain``, but one that is written ``:mod-of`` stays ``mod``, TOP has
the same value in every graph unless ``smatch_pairwise`` is told otherwise, and an inverse role or a
``:mod`` to a constant is left out, since it would have no variable to stand at.

A triple that a graph holds more than once is kept once, with its multiplicity.

>>> from compsim.graph import RoleGraph
>>> from compsim.amr.smatch.triples import encode
>>> batch = encode([RoleGraph.from_penman("(c / chase-01 :ARG0 (d / dog) :polarity -)")])
>>> batch.counts().tolist()  # two instances, a relation, an attribute, TOP
[5]
>>> [batch.words[code] for code in batch.parts["variable"].columns["concept"]]
['chase-01', 'dog']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from compsim.amr.smatch.problem import Side
from compsim.graph import RoleGraph
from compsim.graph_method import GraphBatch, status_codes
from compsim.kernels.layout import Field
from compsim.kernels.ragged import Ragged

__all__ = ["TripleBatch", "Triples", "encode", "normalized", "triples", "variables"]

_SENSE: Final = re.compile(r"-\d{2,3}$")

#: What is taken down of each variable, relation and attribute, and which of it are codes of words.
_COLUMNS: Final = {
    "variable": ("node", "concept", "stem"),
    "relation": ("role", "source", "target", "count"),
    "attribute": ("key", "holder", "count"),
}
_CODED: Final = {"variable": ("concept", "stem"), "relation": ("role",), "attribute": ("key",)}


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
    """Return a mask of the nodes that are variables: all but the constants.

    A constant is a node without a variable of its own that is the target of one edge and the
    source of none, in a graph where some node has a variable; a parse into phrases has none. The
    source of one edge is a constant too if that leads to a node with a variable: it was written
    after an inverse role.
    """
    nodes, root = graph.nodes, graph.root
    results = [node.variable is not None for node in nodes]
    if False not in results:
        return results
    if True not in results:
        return [True] * len(nodes)
    incident = [0] * len(nodes)
    for edge in graph.edges:
        incident[edge.source] += 1
        incident[edge.target] += 1
    named = results.copy()
    for index, count in enumerate(incident):
        results[index] = named[index] or count != 1 or index == root
    for edge in graph.edges:
        if not named[edge.target]:
            results[edge.source] = True
    return results


def triples(graph: RoleGraph) -> Triples:
    """The triples of a graph, as the module describes them."""
    is_variable = variables(graph)
    nodes = graph.nodes
    concepts = {
        index: normalized(node.label) for index, node in enumerate(nodes) if is_variable[index]
    }
    relations: dict[tuple[str, int, int], int] = {}
    attributes: dict[tuple[str, int, str], int] = {}
    seen = [index == graph.root for index in range(len(nodes))]
    for edge in graph.edges:
        role, target = edge.role, edge.target
        if not is_variable[edge.source]:
            continue
        # An edge by which its source comes in is written inverse.
        inverse = seen[target] and not seen[edge.source]
        seen[edge.source] = seen[target] = True
        if is_variable[target]:
            if role == "mod" and not inverse:
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


class TripleBatch(GraphBatch):
    """The triples of many graphs, a :class:`GraphBatch`; all columns are int32.

    - ``variable``: its ``node`` in the graph, the codes of its ``concept`` and of the concept
      without the sense number, ``stem``;
    - ``relation``, sorted by role: ``role``, ``source``, ``target``, how often (``count``)
      and how many relations share role and source with it (``same_source``) or role and target;
    - ``attribute``, sorted by key: ``key`` (role and value), ``holder`` and ``count``;
    - ``top``: the variable at the root or -1.

    Source, target, holder and top count variables of the graph from 0. The strings that codes stand
    for are ``words``.

    Examples:
        >>> batch = TripleBatch.of([Triples({0: "dog"}, {}, {}, 0)])
        >>> len(batch)
        1
    """

    layout = MappingProxyType(
        {
            "top.top": Field("int32", -1, of="part.variable"),
            "variable.node": Field("int32", 0),
            "variable.concept": Field("int32", 0, of="names.word"),
            "variable.stem": Field("int32", 0, of="names.word"),
            "relation.role": Field("int32", 0, of="names.word"),
            "relation.source": Field("int32", 0, of="part.variable"),
            "relation.target": Field("int32", 0, of="part.variable"),
            "relation.count": Field("int32", 1),
            "relation.same_source": Field("int32", 0),
            "relation.same_target": Field("int32", 0),
            "attribute.key": Field("int32", 0, of="names.word"),
            "attribute.holder": Field("int32", 0, of="part.variable"),
            "attribute.count": Field("int32", 1),
        }
    )

    @classmethod
    def of(
        cls,
        each: Iterable[Triples],
        status: npt.NDArray[np.int8] | None = None,
        graphs: Sequence[RoleGraph] = (),
    ) -> Self:
        """Code the triples of graphs with one vocabulary.

        Args:
            each: The triples of n graphs.
            status: How each parsed (n,).
            graphs: The graphs.

        Returns:
            A batch of n.
        """
        code: dict[str, int] = {}
        stems: dict[str, tuple[int, int]] = {}
        # Rows behind one another: plain integers, which the garbage collector need not visit.
        flat: tuple[list[int], ...] = ([], [], [])
        ends: tuple[list[int], ...] = ([0], [0], [0])
        tops: list[int] = []
        for one in each:
            tops.append(_append(one, code, stems, *flat))
            for end, rows in zip(ends, flat, strict=True):
                end.append(len(rows))
        parts = {"top": Ragged.single({"top": np.array(tops, dtype=np.int32)})}
        for (kind, names), rows, end in zip(_COLUMNS.items(), flat, ends, strict=True):
            table = np.array(rows, dtype=np.int32).reshape(-1, len(names)).T
            indptr = np.array(end, dtype=np.int64) // len(names)
            parts[kind] = Ragged(indptr, dict(zip(names, table, strict=True)))
        relation = parts["relation"]
        for end_of in ("source", "target"):
            relation.columns[f"same_{end_of}"] = _siblings(relation, end_of, len(code))
        if status is None:
            status = np.zeros(len(tops), dtype=np.int8)
        return cls(parts, status=status, graphs=graphs, names={"word": list(code)})

    @property
    def words(self) -> Sequence[str]:
        """The string of each code."""
        return self.names["word"]

    @cached_property
    def side(self) -> Side:
        """The arrays as the search takes them."""
        arrays = [array for kind in _COLUMNS for array in self.parts[kind].arrays]
        return Side._make([*arrays, self.parts["top"].arrays[1]])

    def counts(self, *, top: bool = True, attributes: bool = True) -> npt.NDArray[np.int64]:
        """The number of triples of each graph.

        Args:
            top: Whether TOP counts.
            attributes: Whether attributes do.

        Returns:
            The numbers, int64 (n,).
        """
        result = np.diff(self.parts["variable"].indptr) + _sum(self.parts["relation"])
        if attributes:
            result = result + _sum(self.parts["attribute"])
        return result + (self.parts["top"].columns["top"] >= 0) if top else result

    @classmethod
    def _joined(cls, batches: list[Self], **common: Any) -> Self:
        for i in range(1, len(batches)):
            batches[i] = batches[i].recoded(batches[i - 1].words)
        return super()._joined(batches, names=batches[-1].names, **common)

    def recoded(self, words: Sequence[str]) -> Self:
        """The same triples in the codes of other words.

        Args:
            words: The words, to which missing ones are appended.

        Returns:
            A batch of as many graphs.
        """
        if words is self.words:
            return self
        place = {word: code for code, word in enumerate(words)}
        codes = [place.setdefault(word, len(place)) for word in self.words]
        table = np.array(codes, dtype=np.int32)
        parts = dict(self.parts)
        for kind, coded in _CODED.items():
            part = parts[kind]
            columns = {**part.columns, **{name: table[part.columns[name]] for name in coded}}
            if kind != "variable":
                graph = np.repeat(np.arange(len(part)), np.diff(part.indptr))
                order = np.lexsort((columns[coded[0]], graph))
                columns = {name: column[order] for name, column in columns.items()}
            parts[kind] = Ragged(part.indptr, columns)
        return self._with(parts, names={"word": list(place)})


def encode(graphs: Iterable[RoleGraph]) -> TripleBatch:
    """The triples of graphs, for ``smatch_pairwise``.

    Args:
        graphs: n graphs; one without nodes has no triples.

    Returns:
        A batch of n.

    Examples:
        >>> encode([RoleGraph.from_penman("(d / dog)")]).counts().tolist()
        [2]
    """
    graphs = list(graphs)
    return TripleBatch.of(map(triples, graphs), status_codes(graphs), graphs)


def _append(
    results: Triples,
    code: dict[str, int],
    stems: dict[str, tuple[int, int]],
    variables: list[int],
    relations: list[int],
    attributes: list[int],
) -> int:
    """Append the rows of one graph, giving new strings the next codes; its top or -1."""
    place: dict[int, int] = {}
    for node, concept in results.concepts.items():
        place[node] = len(place)
        pair = stems.get(concept)
        if pair is None:
            stem = _SENSE.sub("", concept)
            pair = code.setdefault(concept, len(code)), code.setdefault(stem, len(code))
            stems[concept] = pair
        variables += (node, *pair)
    if results.relations:
        own = [
            (code.setdefault(role, len(code)), place[source], place[target], count)
            for (role, source, target), count in results.relations.items()
        ]
        own.sort()
        relations += chain.from_iterable(own)
    if results.attributes:
        keys = [
            (code.setdefault(f"{role} {value}", len(code)), place[holder], count)
            for (role, holder, value), count in results.attributes.items()
        ]
        keys.sort()
        attributes += chain.from_iterable(keys)
    return -1 if results.top is None else place[results.top]


def _siblings(relation: Ragged, end: str, codes: int) -> npt.NDArray[np.int32]:
    """Return for each relation how many of its graph share its role and this end."""
    graph = np.repeat(np.arange(len(relation)), np.diff(relation.indptr))
    place, role = relation.columns[end].astype(np.int64), relation.columns["role"]
    # One number for graph, end and role.
    names = (graph * (place.max(initial=0) + 1) + place) * max(codes, 1) + role
    _, group, count = np.unique(names, return_inverse=True, return_counts=True)
    siblings: npt.NDArray[np.int32] = count.astype(np.int32)[group]
    return siblings


def _sum(part: Ragged) -> npt.NDArray[np.int64]:
    """Return the number of triples of a kind in each graph."""
    running = np.zeros(part.indptr[-1] + 1, dtype=np.int64)
    np.cumsum(part.columns["count"], out=running[1:])
    total: npt.NDArray[np.int64] = np.diff(running[part.indptr])
    return total
