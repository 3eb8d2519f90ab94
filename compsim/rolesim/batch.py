"""Role graphs as arrays: sentences have frames, frames have phrases, a phrase has a vector.

A :class:`RoleBatch` is two levels of compressed rows: sentence i has the frames
``frames.indptr[i]:frames.indptr[i + 1]``, the main one first, and frame f the phrases
``phrases.indptr[f]:phrases.indptr[f + 1]``. Each phrase has a role number, ascending in a frame,
and its vector at unit length; a phrase without a vector is there too, as zeros.

>>> import numpy as np
>>> from compsim.rolesim.batch import RoleBatch
>>> vector = np.eye(3, dtype=np.float32)
>>> batch = RoleBatch.of_arrays([0, 2, 3], [0, 1, 0], vector, roles=("Verb", "Agent"))
>>> batch
RoleBatch(2 sentences, 2 frames, 3 phrases, 3 dimensions)
>>> batch[1].phrases.columns["vector"]
array([[0., 0., 1.]], dtype=float32)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.graph import RoleGraph
from compsim.graph_method import FAILED, GraphBatch, status_codes
from compsim.kernels.cosine import unit_rows
from compsim.kernels.ragged import Array, Ragged, read_only
from compsim.rolesim.scheme import Phrases, Scheme

if TYPE_CHECKING:
    from compsim.graph import Node
    from compsim.roles import Inventory
    from compsim.vectors.encoder import PhraseEncoder

__all__ = ["RoleBatch"]


class RoleBatch(GraphBatch):
    """Encoded sentences: the part "frame" holds frames, its column "phrase" their phrases.

    Columns of a frame: ``parent`` int32, the place in its sentence of the frame that holds it, or
    -1; ``polarity`` int8, -1 or 1. Of a phrase: ``role`` int32, a place in ``names["role"]``, and
    ``vector`` float32 (dim). Raises ``InputError`` for arrays that do not fit together.
    """

    def __init__(self, parts: Mapping[str, Ragged], **common: Any) -> None:
        super().__init__(parts, **common)
        _check_roles(self.phrases, len(self.roles))

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of the role numbers."""
        return tuple(self.names["role"])

    @property
    def frames(self) -> Ragged:
        """The frames, a stretch for each sentence."""
        return self.parts["frame"]

    @property
    def phrases(self) -> Ragged:
        """The phrases, a stretch for each frame."""
        found: Ragged = self.frames.columns["phrase"]
        return found

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
        """Sentences of one frame each, whose phrases are ``indptr[i]:indptr[i + 1]``.

        ``indptr`` (n + 1), ``role`` (p), ``vector`` (p, dim), ``status`` (n), by default all ok.
        """
        vectors = np.asarray(vector, dtype=np.float32)
        n = max(len(np.asarray(indptr)) - 1, 0)
        return cls(
            {"frame": _frames(np.arange(n + 1), np.ones(n), indptr, role, vectors)},
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

        A graph that failed, or has none of the roles, has no frame and the status failed.
        """
        number = {name: place for place, name in enumerate(inventory.roles)}
        frames, phrases = [0], [0]
        role: list[int] = []
        polarity: list[int] = []
        nodes: list[list[Node]] = []
        for graph in graphs:
            frame = graph.main_frame(inventory)
            filled = {} if frame is None else frame.phrases(inventory.roles[0])
            found = sorted((number[name], name) for name in filled if name in number)
            nodes.append([filled[name] for _, name in found])
            if frame is not None and found:
                role += [place for place, _ in found]
                phrases.append(len(role))
                polarity.append(frame.polarity)
            frames.append(len(polarity))
        status = status_codes(graphs)
        status[np.diff(frames) == 0] = FAILED
        vector = unit_rows(encoder.phrases(graphs, nodes)).reshape(len(role), encoder.dim)
        return cls(
            {"frame": _frames(frames, polarity, phrases, role, vector)},
            status=status,
            graphs=graphs,
            space=encoder.space,
            names={"role": inventory.roles},
        )

    def frame(self, i: int) -> Phrases:
        """The phrases of the main frame of sentence i, none where it has no frame."""
        first = int(self.frames.indptr[i])
        start = int(self.phrases.indptr[first])
        stop = int(self.phrases.indptr[first + 1]) if self.frames.indptr[i + 1] > first else start
        columns = self.phrases.columns
        return Phrases(columns["role"][start:stop], columns["vector"][start:stop])

    def star(self, i: int) -> dict[str, npt.NDArray[np.float32]]:
        """The vectors of the main frame of sentence i by role name."""
        found = self.frame(i)
        return {self.roles[r]: v for r, v in zip(found.role.tolist(), found.vector, strict=True)}

    def __repr__(self) -> str:
        size, dim = self.phrases.columns["vector"].shape
        frames = len(self.phrases)
        return (
            f"RoleBatch({len(self)} sentences, {frames} frames, {size} phrases, {dim} dimensions)"
        )

    def check(self, other: GraphBatch) -> None:
        """Raise ``InputError`` for a batch with other roles or phrases in another space."""
        if not isinstance(other, RoleBatch) or self.names != other.names:
            raise InputError("the batches have different roles: encode both with one method")
        mine, its = (batch.phrases.columns["vector"].shape[1] for batch in (self, other))
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
    def arrays(self) -> tuple[Array, ...]:
        """What the kernels take: where frames and phrases start, roles and vectors."""
        columns = self.phrases.columns
        arrays = self.frames.indptr, self.phrases.indptr, columns["role"], columns["vector"]
        return tuple(map(read_only, arrays))

    @cached_property
    def widest(self) -> int:
        """The most phrases that a frame has."""
        return int(np.diff(self.phrases.indptr).max(initial=0))


def _frames(
    frames: npt.ArrayLike,
    polarity: npt.ArrayLike,
    phrases: npt.ArrayLike,
    role: npt.ArrayLike,
    vector: npt.NDArray[np.float32],
) -> Ragged:
    """Frames that stand under no other, with their phrases."""
    sign = np.asarray(polarity, dtype=np.int8)
    columns = {"role": np.asarray(role, dtype=np.int32), "vector": vector}
    parent = np.full(len(sign), -1, dtype=np.int32)
    inner = Ragged(np.asarray(phrases), columns)
    return Ragged(np.asarray(frames), {"parent": parent, "polarity": sign, "phrase": inner})


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
