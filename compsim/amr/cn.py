"""AMR-CN: two AMRs compared path by path, by the cosine of the fillers.

Fodor, De Deyne and Suzuki, the STS3k paper, section 4.6. The score is twice the sum of the cosines
over the number of paths of both graphs; all paths weigh the same.

>>> from compsim.amr.paths import slots
>>> from compsim.graph import RoleGraph
>>> from compsim.vectors import WordVectors
>>> vectors = WordVectors.from_arrays(["sleep", "cat", "lion"], [[1, 0], [0.6, 0.8], [0.8, 0.6]])
>>> graphs = [RoleGraph.from_penman(f"(s / sleep-01 :ARG0 (c / {c}))") for c in ("cat", "lion")]
>>> batch = PathBatch.from_slots([slots(graph) for graph in graphs], vectors)
>>> from compsim.rolesim.kernel import pairwise
>>> pairwise(*together(batch[:1], batch[1:])).round(2)  # 2 * (1 + 0.96) / (2 + 2)
array([0.98])
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, get_args

import numpy as np
import numpy.typing as npt

from compsim.amr import DEFAULT_PARSER
from compsim.amr.paths import Fillers, Slot, slots
from compsim.errors import check_choice
from compsim.explanation import RoleRow
from compsim.graph import Node, RoleGraph
from compsim.graph_method import FAILED, GraphMethod, OnFailure, Parts, status_codes
from compsim.kernels.cosine import unit_rows
from compsim.kernels.ragged import Ragged
from compsim.method import MethodInfo
from compsim.roles import Inventory
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.method import score_pairs
from compsim.rolesim.scheme import Scheme
from compsim.vectors import KeyedVectors, WordVectors

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption

__all__ = ["AmrCn", "PathBatch", "together"]


class PathBatch(RoleBatch):
    """A role batch whose roles are the paths that occur in it, sorted by name.

    Batches with other paths can be joined and compared, so sentences may be encoded at different
    times. A filler without a vector has a role of its own, its path and then the filler, and a unit
    vector that is the same for all: it scores 1 with its equal, and is no match for another. What
    has no match counts in the divisor all the same, as METHODS for AMR-CN wants it.
    """

    @classmethod
    def from_slots(
        cls,
        filled: Sequence[Mapping[str, Slot]],
        vectors: WordVectors,
        *,
        graphs: Sequence[RoleGraph] = (),
        space: str = "",
    ) -> Self:
        """Encode what fills the paths of each graph; one without paths has failed."""
        known = _word_vectors(filled, vectors)
        alike = np.zeros(vectors.dim, dtype=np.float32)
        alike[0] = 1.0
        named: list[list[tuple[str, npt.NDArray[np.float32]]]] = []
        for paths in filled:
            row = []
            for path, slot in paths.items():
                vector = _mean(slot.words, known)
                row.append((path, vector) if vector is not None else (f"{path} {slot.key}", alike))
            named.append(sorted(row, key=lambda entry: entry[0]))
        roles = sorted({role for row in named for role, _ in row})
        number = {role: i for i, role in enumerate(roles)}
        entries = [entry for row in named for entry in row]
        status = status_codes(graphs) if len(graphs) else np.zeros(len(filled), dtype=np.int8)
        status[[not row for row in named]] = FAILED
        stacked = np.array([vector for _, vector in entries], dtype=np.float32)
        return cls.of_arrays(
            np.cumsum([0, *map(len, named)]),
            np.array([number[role] for role, _ in entries], dtype=np.int32),
            unit_rows(stacked.reshape(-1, vectors.dim)),
            roles=roles,
            status=status,
            graphs=graphs,
            space=space,
        )

    def in_roles(self, roles: Sequence[str], role: npt.NDArray[np.int32] | None = None) -> Self:
        """The same batch with its roles numbered as in this list.

        ``role`` are the new numbers; without them the list is sorted and has all that are in use.
        """
        if role is None:
            # Both lists are sorted, so the roles of each sentence stay in order.
            place = [bisect.bisect_left(roles, name) for name in self.roles]
            role = np.array(place, dtype=np.int32)[self.role]
        return self._phrased({"role": role, "vector": self.vector}, roles)

    def _phrased(self, columns: Mapping[str, npt.NDArray[Any]], roles: Sequence[str]) -> Self:
        """The same sentences with other columns of phrases."""
        return self._with({"phrase": Ragged(self.indptr, columns)}, names={"role": roles})

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each role."""
        return {role: i for i, role in enumerate(self.roles)}

    @cached_property
    def _roomy(self) -> dict[int, tuple[PathBatch, Scheme]]:
        return {}

    def with_room(self, extra: int) -> tuple[PathBatch, Scheme]:
        """The same batch with so many more roles, which it does not use, and its scheme."""
        roomy = self._roomy.get(extra)
        if roomy is None:
            roles = (*self.roles, *(f" {i}" for i in range(extra)))
            scheme = Scheme(Inventory("paths", roles), (1.0,) * len(roles), normalize="dice")
            roomy = self.in_roles(roles, self.role), scheme
            self._roomy[extra] = roomy
        return roomy

    @classmethod
    def concat(cls, batches: Iterable[Self]) -> Self:
        """One batch of several, with the paths of all."""
        parts = list(batches)
        roles = tuple(sorted({role for part in parts for role in part.roles}))
        return super().concat(
            part if part.roles == roles else part.in_roles(roles) for part in parts
        )


def _word_vectors(
    filled: Sequence[Mapping[str, Slot]], vectors: WordVectors
) -> dict[str, npt.NDArray[np.float32]]:
    """The vector of each filler that has one, of an unknown compound the mean of its parts."""
    words = dict.fromkeys(w for paths in filled for slot in paths.values() for w in slot.words)
    phrases = [word for word in words if len(word.split()) > 1]
    tokens = [word for word in words if len(word.split()) == 1]
    rows = vectors.rows(tokens)
    table = dict(zip(tokens, vectors.take(rows), strict=True))
    table |= dict(zip(phrases, vectors.texts(phrases), strict=True))
    for word, row in zip(tokens, rows.tolist(), strict=True):
        if row < 0 and "-" in word:
            parts = vectors.rows([part for part in word.split("-") if part])
            if (parts >= 0).any():
                table[word] = vectors.take(parts[parts >= 0]).mean(axis=0)
    return {word: vector for word, vector in table.items() if vector.any()}


def _mean(
    words: tuple[str, ...], known: Mapping[str, npt.NDArray[np.float32]]
) -> npt.NDArray[np.float32] | None:
    results = [known[word] for word in words if word in known]
    if len(results) <= 1:
        return results[0] if results else None
    mean: npt.NDArray[np.float32] = np.mean(results, axis=0)
    return mean if mean.any() else None


class AmrCn(GraphMethod[PathBatch]):
    """AMR-CN over any AMR parser and any word vectors.

    - ``vectors``: what ``WordVectors.open`` takes;
    - ``fillers``: ``"last"``, as in the authors' published values, keeps one filler for each path,
      ``"all"`` every one (see ``compsim.amr.paths.slots``);
    - ``parser``, ``on_failure``, ``cache``: see ``GraphMethod``.

    The score lies in [-1, 1], is symmetric, and 1 for a sentence with itself.
    """

    info = MethodInfo(
        name="amr-cn",
        summary="cosine of the concepts on the same path of two AMRs (STS3k paper)",
    )
    encoded = PathBatch

    def __init__(
        self,
        parser: str | Parser = DEFAULT_PARSER,
        vectors: str | Path | WordVectors | KeyedVectors | None = None,
        fillers: Fillers = "last",
        on_failure: OnFailure = "fallback",
        cache: CacheOption = None,
    ) -> None:
        check_choice("fillers", fillers, get_args(Fillers))
        super().__init__(parser, on_failure, cache)
        self.fillers = fillers
        self.vectors: WordVectors = WordVectors.open(vectors)

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> PathBatch:
        """Encode parses that are at hand, one for each sentence."""
        return PathBatch.from_slots(
            [slots(graph, self.fillers) for graph in graphs],
            self.vectors,
            graphs=graphs,
            space=f"{self.vectors.space} {self.fillers}",
        )

    def _scores(self, a: PathBatch, b: PathBatch) -> npt.NDArray[np.float64]:
        return score_pairs(*together(a, b))

    def _score_matrix(self, a: PathBatch, b: PathBatch) -> npt.NDArray[np.float32]:
        from compsim.rolesim import kernel

        return kernel.matrix(*together(a, b))

    def _parts(self, batch: PathBatch) -> Parts:
        graphs = [batch.graphs[i] for i in range(2)]
        a, b = (slots(graph, self.fillers) for graph in graphs)
        x, y = (
            {role.partition(" ")[0]: (role, vector) for role, vector in batch.star(i).items()}
            for i in range(2)
        )
        divisor = (len(a) + len(b)) / 2
        rows, alone = [], []
        mapping: list[tuple[int, int]] = []
        for path in {**a, **b}:
            first = _node(graphs[0], a[path]) if path in a else None
            second = _node(graphs[1], b[path]) if path in b else None
            if first is None or second is None:
                alone.append(RoleRow(path, first, second, None, 1.0, 0.0))
                continue
            mapping += zip(a[path].nodes, b[path].nodes, strict=False)
            cosine = 0.0
            if x[path][0] == y[path][0]:
                product = np.dot(x[path][1].astype(np.float64), y[path][1].astype(np.float64))
                cosine = float(np.clip(product, -1.0, 1.0))
            rows.append(RoleRow(path, first, second, cosine, 1.0, cosine / divisor))
        return Parts(rows + alone, divisor, mapping=mapping)


def together(a: PathBatch, b: PathBatch) -> tuple[PathBatch, PathBatch, Scheme]:
    """Both batches in the same roles, and the scheme that weighs all of these alike.

    The larger batch keeps its numbers, and what it needs is kept with it: many small batches may be
    compared with it in turn.
    """
    if len(a.role) > len(b.role):
        b, a, scheme = together(b, a)
        return a, b, scheme
    if a.roles == b.roles:
        base, scheme = b.with_room(0)
        return a.in_roles(base.names["role"], a.role), base, scheme
    used = np.unique(a.role)
    place = np.full(len(a.roles), -1, dtype=np.int64)
    place[used] = [b.number.get(a.roles[role], -1) for role in used.tolist()]
    role = place[a.role]
    indptr = a.indptr
    row = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    # What b does not have matches nothing, so these roles need only differ within a sentence.
    unknown = np.concatenate([[0], np.cumsum(role < 0)])
    rank = unknown[1:] - 1 - unknown[indptr[:-1]][row]
    most = int(rank[role < 0].max(initial=-1)) + 1
    base, scheme = b.with_room(1 << (most - 1).bit_length() if most else 0)
    role = np.where(role < 0, len(b.roles) + rank, role).astype(np.int32)
    order = np.lexsort((role, row))
    columns: dict[str, npt.NDArray[Any]] = {"role": role[order], "vector": a.vector[order]}
    return a._phrased(columns, base.names["role"]), base, scheme


def _node(graph: RoleGraph, slot: Slot) -> Node:
    """The node that fills a path, or one that names all of them."""
    nodes = [graph.nodes[i] for i in slot.nodes]
    return nodes[0] if len(nodes) == 1 else Node(" + ".join(node.label for node in nodes))
