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
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.graph import Node, RoleGraph
from compsim.graph_method import FAILED, GraphBatch, status_codes
from compsim.kernels.cosine import unit_rows
from compsim.kernels.layout import Field
from compsim.kernels.ragged import Array, Ragged, read_only
from compsim.rolesim.features import SIZE, points
from compsim.rolesim.phrasing import PLAIN, Phrasing, phrased
from compsim.rolesim.scheme import Phrases, Scheme
from compsim.vectors.axes import spelled

if TYPE_CHECKING:
    from compsim.roles import Inventory
    from compsim.rolesim.phrasing import Phrase
    from compsim.vectors.encoder import PhraseEncoder

__all__ = ["Arrays", "RoleBatch"]


class Arrays(NamedTuple):
    """A batch as arrays: where frames and phrases start, then the columns of both; see there.

    ``words`` is :attr:`RoleBatch.words`.
    """

    words: int
    frame: Array
    phrase: Array
    depth: Array
    polarity: Array
    reading: Array
    role: Array
    vector: Array
    amount: Array
    offset: Array
    open: Array
    clause: Array
    said: Array


class RoleBatch(GraphBatch):
    """Encoded sentences: the part "frame" holds frames, its column "phrase" their phrases.

    Columns of a frame: ``parent`` int32, the place in its sentence of the frame that holds it, or
    -1; ``polarity`` int8, -1 or 1; ``depth`` int32, in how many clauses it stands; ``reading``
    int32, the place of the frame that it tells otherwise, or -1; ``said`` int32, the role of what
    it says. Of a phrase: ``role`` int32, a place in ``names["role"]``; ``vector`` float32 (dim),
    words and features; and, where they are not the same for all, ``amount``, ``offset``, ``open``
    and ``clause`` as in ``Phrases``. Raises ``InputError`` for arrays that do not fit together.
    """

    layout = MappingProxyType(
        {
            "frame.parent": Field("int32", -1, of="part.frame"),
            "frame.polarity": Field("int8", -1, 1),
            "frame.depth": Field("int32", 0, optional=True),
            "frame.reading": Field("int32", -1, of="part.frame", optional=True),
            "frame.said": Field("int32", 0, of="names.role", optional=True),
            "frame.phrase.role": Field("int32", 0, of="names.role"),
            "frame.phrase.vector": Field("float32", dimensions=2),
            "frame.phrase.amount": Field("float32", 0, optional=True),
            "frame.phrase.offset": Field("float32", 0, optional=True),
            "frame.phrase.open": Field("bool", optional=True),
            "frame.phrase.clause": Field("int32", -1, of="part.frame", optional=True),
        }
    )

    def __init__(self, parts: Mapping[str, Ragged], **common: Any) -> None:
        super().__init__(parts, **common)
        _check_roles(self.phrases, len(self.roles))
        _check_places(self.frames)

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
        cls,
        graphs: Sequence[RoleGraph],
        encoder: PhraseEncoder,
        inventory: Inventory,
        phrasing: Phrasing = PLAIN,
    ) -> Self:
        """Encode the frames of each graph; roles that the inventory lacks are left out.

        A graph that failed, or has none of the roles, has no frame and the status failed.
        """
        # Flat columns at once: what is made for one graph is gone before the next.
        frames: list[tuple[int, int, int, int, int, int]] = []
        role: list[int] = []
        amount: list[str] = []
        asks: list[bool] = []
        clause: list[int] = []
        nodes: list[list[Node]] = []
        outer: list[list[Node | None]] = []
        counts = [0]
        for graph in graphs:
            own: list[Phrase] = []
            for frame, held, depth, parent, reading, said in phrased(graph, inventory, phrasing):
                frames.append((parent, frame.polarity, depth, reading, said, len(held)))
                own += held
            counts.append(len(frames))
            role += [phrase.role for phrase in own]
            amount += [phrase.amount for phrase in own]
            asks += [phrase.open for phrase in own]
            clause += [phrase.clause for phrase in own]
            nodes.append([phrase.node for phrase in own])
            outer.append([phrase.outer for phrase in own])
        listed = [node for row in nodes for node in row]
        axes = SIZE if phrasing.features else 0
        rows = np.empty((len(role), encoder.dim + axes), dtype=np.float32)
        given = encoder.phrases(graphs, nodes).reshape(len(role), encoder.dim)
        vector = unit_rows(given, out=rows[:, : encoder.dim])
        _outer_vectors(vector, graphs, outer, encoder, phrasing.inner)
        columns: dict[str, Array] = {"role": np.array(role, dtype=np.int32), "vector": rows}
        if phrasing.words == "all":
            for i in np.flatnonzero(~vector.any(axis=1)).tolist():
                vector[i] = spelled(listed[i].label, encoder.dim)
        if phrasing.information:
            told = list(zip(amount, asks, strict=True))
            says = {each: phrasing.said_by(*each) for each in set(told)}
            columns["amount"] = np.array([says[each] for each in told], dtype=np.float32)
        if phrasing.features:
            point = points(listed, [inventory.roles[each] for each in role], phrasing.features)
            rows[:, encoder.dim :] = point
            columns["offset"] = (point * point).sum(axis=1) / 2
        if phrasing.frames == "all":
            columns["open"] = np.array(asks, dtype=np.bool_)
            columns["clause"] = np.array(clause, dtype=np.int32)
        status = status_codes(graphs)
        starts = np.array(counts)
        status[starts[1:] == starts[:-1]] = FAILED
        table = np.array(frames, dtype=np.int32).reshape(-1, 6).T
        names = ("parent", "polarity", "depth", "reading", "said")
        about: dict[str, Any] = dict(zip(names, map(np.ascontiguousarray, table[:-1]), strict=True))
        about["polarity"] = about["polarity"].astype(np.int8)
        about["phrase"] = Ragged(np.concatenate([[0], np.cumsum(table[-1])]), columns)
        space = f"{encoder.space} {phrasing.space}".rstrip()
        return cls(
            {"frame": Ragged(starts, about)},
            status=status,
            graphs=graphs,
            space=space,
            names={"role": inventory.roles},
        )

    def count(self, i: int) -> int:
        """How many frames, other readings among them, sentence i has."""
        return int(self.frames.indptr[i + 1] - self.frames.indptr[i])

    def frame(self, i: int, place: int = 0) -> Phrases:
        """The phrases of a frame of sentence i, by default the main one; none where it has none."""
        row = int(self.frames.indptr[i]) + place
        start = stop = 0
        if row < self.frames.indptr[i + 1]:
            start, stop = map(int, self.phrases.indptr[row : row + 2])
        return Phrases(self.words, *(column[start:stop] for column in self.columns))

    @cached_property
    def columns(self) -> tuple[Array, Array, Array, Array, Array, Array]:
        """Role, vector, amount, offset, whether it asks, and the clause in it, of each phrase."""
        given = self.phrases.columns
        size = len(given["role"])
        amount = given.get("amount", np.ones(size, dtype=np.float32))
        offset = given.get("offset", np.zeros(size, dtype=np.float32))
        asks = given.get("open", np.zeros(size, dtype=np.bool_))
        clause = given.get("clause", np.full(size, -1, dtype=np.int32))
        return given["role"], given["vector"], amount, offset, asks, clause

    @cached_property
    def places(self) -> tuple[Array, Array, Array]:
        """Depth, polarity and, of another reading, the place of its frame (else -1)."""
        given = self.frames.columns
        size = len(self.phrases)
        depth = given.get("depth", np.zeros(size, dtype=np.int32))
        reading = given.get("reading", np.full(size, -1, dtype=np.int32))
        return depth, given["polarity"], reading

    @property
    def words(self) -> int:
        """How many coordinates of a phrase's vector are its words'; the rest are its features."""
        given = self.phrases.columns
        return int(given["vector"].shape[1]) - (SIZE if "offset" in given else 0)

    @cached_property
    def said(self) -> Array:
        """The role of what each frame says: the predicate's, or that of a copula's attribute."""
        size = len(self.phrases)
        said: Array = self.frames.columns.get("said", np.zeros(size, dtype=np.int32))
        return said

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
    def arrays(self) -> Arrays:
        """What the kernels take."""
        starts = self.frames.indptr, self.phrases.indptr
        columns = *starts, *self.places, *self.columns, self.said
        return Arrays(self.words, *map(read_only, columns))

    def frame_weights(self, scheme: Scheme) -> npt.NDArray[np.float64]:
        """What each frame weighs: its roles, by what they say and by the clauses around it (f,)."""
        key = scheme.weights, scheme.clauses.depth
        weights = self._weighed.get(key)
        if weights is None:
            role, _, amount, *_ = self.columns
            weight = np.array(scheme.weights)[role] * amount
            row = np.repeat(np.arange(len(self.phrases)), np.diff(self.phrases.indptr))
            total = np.bincount(row, weight, minlength=len(self.phrases))
            weights = total * np.float64(scheme.clauses.depth) ** self.places[0]
            self._weighed[key] = weights
        return weights

    def weights_of(self, i: int, scheme: Scheme) -> npt.NDArray[np.float64]:
        """What each frame of sentence i weighs, other readings among them."""
        return self.frame_weights(scheme)[slice(*self.frames.indptr[i : i + 2].tolist())]

    @cached_property
    def _weighed(self) -> dict[tuple[tuple[float, ...], float], npt.NDArray[np.float64]]:
        return {}

    @cached_property
    def most(self) -> int:
        """The most frames that a sentence has."""
        return int(np.diff(self.frames.indptr).max(initial=0))

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


def _outer_vectors(
    vector: npt.NDArray[np.float32],
    graphs: Sequence[RoleGraph],
    nodes: Sequence[Sequence[Node | None]],
    encoder: PhraseEncoder,
    inner: float,
) -> None:
    """Take from the vectors of phrases that hold clauses what the clauses do not keep, in place.

    ``nodes`` are the phrases of each graph without their clauses, None for one that has none.
    """
    places = np.flatnonzero([node is not None for row in nodes for node in row])
    if not len(places):
        return
    kept = [[node for node in row if node is not None] for row in nodes]
    outer, whole = unit_rows(encoder.phrases(graphs, kept)), vector[places]
    known = np.any(outer, axis=1, keepdims=True)
    vector[places] = unit_rows(np.where(known, inner * whole + (1 - inner) * outer, whole))


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


def _check_places(frames: Ragged) -> None:
    """Readings stand behind the frames of a sentence and tell one of them; clauses are frames."""
    reading = frames.columns.get("reading")
    clause = frames.columns["phrase"].columns.get("clause")
    sentence = np.repeat(np.arange(len(frames)), np.diff(frames.indptr))
    own = np.diff(frames.indptr)[sentence]
    if reading is not None and (reading >= 0).any():
        own = np.bincount(sentence, reading < 0, minlength=len(frames))[sentence]
        place = np.arange(len(reading)) - frames.indptr[sentence]
        if ((reading >= own) | ((reading >= 0) & (place < own))).any():
            raise InputError(
                "a reading does not stand behind the frames of its sentence, or of none"
            )
    phrases = np.diff(frames.columns["phrase"].indptr)
    if clause is not None and (clause >= np.repeat(own, phrases)).any():
        raise InputError("a clause in a phrase is no frame of its sentence")
