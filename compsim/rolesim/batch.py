"""The role phrases of sentences as arrays: a role number and a vector for each phrase.

>>> import numpy as np
>>> vector = np.eye(3, dtype=np.float32)
>>> batch = RoleBatch.of_arrays([0, 2, 3], [0, 1, 0], vector, roles=("Verb", "Agent"))
>>> batch
RoleBatch(2 sentences, 3 phrases, 3 dimensions)
>>> batch[1].vector
array([[0., 0., 1.]], dtype=float32)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.graph import RoleGraph
from compsim.graph_method import FAILED, GraphBatch, status_codes
from compsim.kernels.cosine import unit_rows
from compsim.kernels.layout import Field
from compsim.kernels.ragged import Array, Ragged, read_only
from compsim.rolesim.scheme import Phrases, Scheme

if TYPE_CHECKING:
    from compsim.graph import Node
    from compsim.roles import Inventory
    from compsim.vectors.encoder import PhraseEncoder

__all__ = ["Arrays", "RoleBatch", "role_phrases"]


class Arrays(NamedTuple):
    """A batch as the kernel takes it: where the phrases of a sentence start, and their columns."""

    phrase: Array
    role: Array
    vector: Array


class RoleBatch(GraphBatch):
    """Encoded sentences: the part "phrase" holds the phrases of each main frame.

    Columns: ``role`` int32, a place in ``names["role"]``, ascending in a sentence, and ``vector``
    float32 (dim), at unit length, zeros for a phrase without a known word. Raises ``InputError``
    for arrays that do not fit together.
    """

    layout = MappingProxyType(
        {
            "phrase.role": Field("int32", 0, of="names.role"),
            "phrase.vector": Field("float32", dimensions=2),
        }
    )

    def __init__(self, parts: Mapping[str, Ragged], **common: Any) -> None:
        super().__init__(parts, **common)
        _check_roles(self.parts["phrase"], len(self.roles))

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of the role numbers."""
        return tuple(self.names["role"])

    @property
    def indptr(self) -> npt.NDArray[np.int64]:
        """Offsets of each sentence's phrases, int64 (n + 1,)."""
        return self.parts["phrase"].indptr

    @property
    def role(self) -> npt.NDArray[np.int32]:
        """The role number of each phrase, int32 (p,)."""
        result: npt.NDArray[np.int32] = self.parts["phrase"].columns["role"]
        return result

    @property
    def vector(self) -> npt.NDArray[np.float32]:
        """The vector of each phrase, float32 (p, dim)."""
        result: npt.NDArray[np.float32] = self.parts["phrase"].columns["vector"]
        return result

    @classmethod
    def of_arrays(
        cls,
        indptr: npt.ArrayLike,
        role: npt.ArrayLike,
        vector: npt.ArrayLike,
        *,
        roles: Sequence[str],
        status: npt.ArrayLike | None = None,
        graphs: Sequence[RoleGraph] = (),
        space: str = "",
    ) -> Self:
        """Make a batch of sentences whose phrases are ``indptr[i]:indptr[i + 1]``.

        ``indptr`` (n + 1), ``role`` (p), ``vector`` (p, dim), ``status`` (n), by default all ok.
        """
        starts = np.asarray(indptr)
        n = max(len(starts) - 1, 0)
        columns: dict[str, Array] = {
            "role": np.asarray(role, dtype=np.int32),
            "vector": np.asarray(vector, dtype=np.float32),
        }
        return cls(
            {"phrase": Ragged(starts, columns)},
            status=np.zeros(n, dtype=np.int8) if status is None else np.asarray(status),
            graphs=graphs,
            space=space,
            names={"role": tuple(roles)},
        )

    @classmethod
    def from_graphs(
        cls, graphs: Sequence[RoleGraph], encoder: PhraseEncoder, inventory: Inventory
    ) -> Self:
        """Encode the main frame of each graph; roles that the inventory lacks are left out.

        A graph that failed, or has none of the roles, has no phrase and the status failed.
        """
        rows = [role_phrases(graph, inventory) for graph in graphs]
        roles = [role for row in rows for role, _ in row]
        given = encoder.phrases(graphs, [[node for _, node in row] for row in rows])
        starts = np.cumsum([0, *map(len, rows)])
        status = status_codes(graphs)
        status[starts[1:] == starts[:-1]] = FAILED
        return cls.of_arrays(
            starts,
            roles,
            unit_rows(given.reshape(len(roles), encoder.dim)),
            roles=inventory.roles,
            status=status,
            graphs=graphs,
            space=encoder.space,
        )

    def frame(self, i: int) -> Phrases:
        """Return the phrases of sentence i, none where it has no frame."""
        start, stop = map(int, self.indptr[i : i + 2])
        return Phrases(self.role[start:stop], self.vector[start:stop])

    def star(self, i: int) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors of sentence i by role name."""
        result = self.frame(i)
        return {self.roles[r]: v for r, v in zip(result.role.tolist(), result.vector, strict=True)}

    def __repr__(self) -> str:
        size, dim = self.vector.shape
        return f"RoleBatch({len(self)} sentences, {size} phrases, {dim} dimensions)"

    def check(self, other: GraphBatch) -> None:
        """Raise ``InputError`` for a batch with other roles or phrases in another space."""
        if not isinstance(other, RoleBatch) or self.names != other.names:
            raise InputError("the batches have different roles: encode both with one method")
        mine, its = (batch.vector.shape[1] for batch in (self, other))
        if mine != its:
            raise InputError(
                f"the batches have vectors of {mine} and {its} dimensions: encode both with the "
                "same word vectors"
            )
        super().check(other)

    def check_with(self, other: RoleBatch, scheme: Scheme) -> None:
        """Raise ``InputError`` for what this scheme cannot compare."""
        self.check(other)
        if self.roles != scheme.roles:
            raise InputError(
                "the batches and the scheme have different roles: encode with one method"
            )

    @cached_property
    def arrays(self) -> Arrays:
        """The batch as the kernels take it."""
        return Arrays(read_only(self.indptr), read_only(self.role), read_only(self.vector))

    @cached_property
    def widest(self) -> int:
        """The most phrases that a sentence has."""
        return int(np.diff(self.indptr).max(initial=0))


def role_phrases(graph: RoleGraph, inventory: Inventory) -> list[tuple[int, Node]]:
    """Return the phrases of the main frame in roles of the inventory, by the number of the role."""
    main = graph.main_frame(inventory)
    if main is None:
        return []
    number = {name: place for place, name in enumerate(inventory.roles)}
    filled = main.phrases(inventory.predicate).items()
    results = [(number[name], node) for name, node in filled if name in number]
    return sorted(results, key=lambda phrase: phrase[0])


def _check_roles(phrases: Ragged, known: int) -> None:
    indptr, role = phrases.indptr, phrases.columns["role"]
    if role.ndim != 1 or phrases.columns["vector"].ndim != 2:
        raise InputError("a role batch has one role and one row of numbers for each phrase")
    if len(role) and (role.min() < 0 or role.max() >= known):
        raise InputError(f"a role number is not in 0..{known - 1}: name every role")
    within = np.ones(max(len(role) - 1, 0), dtype=bool)
    starts = indptr[1:-1]
    within[starts[(starts > 0) & (starts < len(role))] - 1] = False
    if not (np.diff(role)[within] > 0).all():
        raise InputError("the roles of a frame are not sorted, or one occurs twice")
