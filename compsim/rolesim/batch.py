"""Role graphs as arrays: the phrases of all sentences in one matrix, row by row.

A :class:`RoleBatch` is in compressed sparse row form. Sentence i has the phrases
``indptr[i]:indptr[i + 1]``; ``role`` holds the role number of each, sorted in a row, and ``vector``
its mean word vector at unit length. A phrase with no known word is there too, as a zero vector.

>>> import numpy as np
>>> from compsim.rolesim.batch import RoleBatch
>>> vector = np.eye(3, dtype=np.float32)
>>> batch = RoleBatch(np.array([0, 2, 3]), np.array([0, 1, 0]), vector, roles=("Verb", "Agent"))
>>> len(batch), len(batch[1:])
(2, 1)
>>> batch[1].vector
array([[0., 0., 1.]], dtype=float32)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.graph import RoleGraph, Status
from compsim.graph_batch import STATUS, GraphBatch
from compsim.kernels.cosine import unit_rows
from compsim.method import Index, items_at, parts_of
from compsim.storage.batch_files import Records, Stored

if TYPE_CHECKING:
    from compsim.vectors import WordVectors

__all__ = ["RoleBatch"]

_FAILED: Final = STATUS.index(Status.FAILED)
_ARRAYS: Final = ("indptr", "role", "vector", "status")


class RoleBatch(GraphBatch):
    """Encoded sentences: ``indptr`` int64 (n + 1), ``role`` int32 (p), ``vector`` float32 (p, dim).

    ``roles`` names the role numbers, ``status`` int8 (n) is a code into ``STATUS``, ``graphs`` are
    the parses (or empty), ``space`` says which word vectors were used. Raises ``InputError`` for
    arrays that do not fit together.
    """

    def __init__(
        self,
        indptr: npt.NDArray[Any],
        role: npt.NDArray[Any],
        vector: npt.NDArray[Any],
        *,
        roles: Sequence[str],
        status: npt.NDArray[Any] | None = None,
        graphs: Sequence[RoleGraph] = (),
        space: str = "",
    ) -> None:
        self.indptr = np.ascontiguousarray(indptr, dtype=np.int64)
        self.role = np.ascontiguousarray(role, dtype=np.int32)
        self.vector = np.ascontiguousarray(vector, dtype=np.float32)
        self.roles = tuple(roles)
        n = len(self.indptr) - 1
        if status is None:
            status = np.zeros(max(n, 0), dtype=np.int8)
        self.status = np.ascontiguousarray(status, dtype=np.int8)
        self.graphs = graphs
        self.space = space
        self._validate()

    def _validate(self) -> None:
        indptr, role = self.indptr, self.role
        fits = (
            indptr.ndim == role.ndim == self.status.ndim == 1
            and self.vector.ndim == 2
            and len(indptr) > 0
            and len(self.status) == len(indptr) - 1
            and len(self.graphs) in (0, len(indptr) - 1)
            and indptr[0] == 0
            and indptr[-1] == len(role) == len(self.vector)
            and bool((np.diff(indptr) >= 0).all())
        )
        if not fits:
            raise InputError(
                "the arrays of a role batch do not fit together: indptr runs from 0 to the number "
                "of phrases, role and vector have one row a phrase, status one a sentence"
            )
        if len(role) and (role.min() < 0 or role.max() >= len(self.roles)):
            raise InputError(f"a role number is not in 0..{len(self.roles) - 1}: name every role")
        within = np.ones(max(len(role) - 1, 0), dtype=bool)
        starts = indptr[1:-1]
        within[starts[(starts > 0) & (starts < len(role))] - 1] = False
        if not (np.diff(role)[within] > 0).all():
            raise InputError("the roles of a sentence are not sorted, or one occurs twice")

    @classmethod
    def from_graphs(
        cls, graphs: Sequence[RoleGraph], vectors: WordVectors, roles: Sequence[str]
    ) -> Self:
        """Encode the main star of each graph; roles other than these are left out.

        A graph that failed, or has none of the roles, becomes an empty row with status failed.
        """
        number = {name: i for i, name in enumerate(roles)}
        indptr = np.zeros(len(graphs) + 1, dtype=np.int64)
        status = np.zeros(len(graphs), dtype=np.int8)
        role: list[int] = []
        phrases: list[str] = []
        for i, graph in enumerate(graphs):
            star = sorted((number[r], n.label) for r, n in graph.roles().items() if r in number)
            role.extend(place for place, _ in star)
            phrases.extend(label for _, label in star)
            indptr[i + 1] = len(role)
            status[i] = STATUS.index(graph.status) if star else _FAILED
        return cls(
            indptr,
            np.array(role, dtype=np.int32),
            unit_rows(vectors.phrases(phrases)).reshape(len(phrases), vectors.dim),
            roles=roles,
            status=status,
            graphs=graphs,
            space=f"{vectors.name}:{vectors.fingerprint}",
        )

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __repr__(self) -> str:
        size, dim = self.vector.shape
        return f"RoleBatch({len(self)} sentences, {size} phrases, {dim} dimensions)"

    @cached_property
    def arrays(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
        """``indptr``, ``role`` and ``vector`` as the kernels take them.

        They are read-only whether or not they are mapped from disk, so that a kernel is compiled
        for one kind of array only.
        """
        views = []
        for array in (self.indptr, self.role, self.vector):
            view = np.asarray(array).view(np.ndarray)
            view.flags.writeable = False
            views.append(view)
        return views[0], views[1], views[2]

    def star(self, i: int) -> dict[str, npt.NDArray[np.float32]]:
        """The phrase vectors of sentence i by role name."""
        start, stop = self.indptr[i], self.indptr[i + 1]
        return {self.roles[self.role[p]]: self.vector[p] for p in range(start, stop)}

    def __getitem__(self, index: Index) -> Self:
        places = self._places(index)
        graphs = items_at(self.graphs, places) if len(self.graphs) else ()
        if isinstance(places, slice):
            first, last = self.indptr[places.start], self.indptr[places.stop]
            indptr = self.indptr[places.start : places.stop + 1] - first
            return self._part(indptr, slice(first, last), places, graphs)
        length = np.diff(self.indptr)[places]
        indptr = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
        phrases = np.arange(indptr[-1]) + np.repeat(self.indptr[places] - indptr[:-1], length)
        return self._part(indptr, phrases, places, graphs)

    def _part(
        self,
        indptr: npt.NDArray[np.int64],
        phrases: slice | npt.NDArray[np.int64],
        rows: slice | npt.NDArray[np.int64],
        graphs: Sequence[RoleGraph],
    ) -> Self:
        return type(self)(
            indptr,
            self.role[phrases],
            self.vector[phrases],
            roles=self.roles,
            status=self.status[rows],
            graphs=graphs,
            space=self.space,
        )

    @classmethod
    def concat(cls, batches: Iterable[Self]) -> Self:
        """One batch of several; they must have the same roles and word vectors."""
        parts = parts_of(batches)
        first = parts[0]
        for part in parts:
            if (part.roles, part.space, part.vector.shape[1]) != (
                first.roles,
                first.space,
                first.vector.shape[1],
            ):
                raise InputError(
                    "the batches were encoded with different roles or word vectors: "
                    "encode all of them with one method"
                )
        lengths = np.concatenate([np.diff(part.indptr) for part in parts])
        whole = all(len(part.graphs) == len(part) for part in parts)
        return cls(
            np.concatenate([[0], np.cumsum(lengths)]),
            np.concatenate([part.role for part in parts]),
            np.concatenate([part.vector for part in parts]),
            roles=first.roles,
            status=np.concatenate([part.status for part in parts]),
            graphs=[graph for part in parts for graph in part.graphs] if whole else (),
            space=first.space,
        )

    def _to_stored(self) -> Stored:
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        records = [graph.to_json() for graph in self.graphs]
        return Stored(arrays, {"roles": self.roles, "space": self.space}, records)

    @classmethod
    def _of_stored(cls, stored: Stored) -> Self:
        indptr, role, vector, status = (stored.arrays[name] for name in _ARRAYS)
        return cls(
            indptr,
            role,
            vector,
            roles=stored.details["roles"],
            status=status,
            graphs=Records(stored.records, RoleGraph.from_json),
            space=stored.details["space"],
        )
