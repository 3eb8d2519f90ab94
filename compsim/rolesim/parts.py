"""What explains a score: the frames that were compared, and the phrases in their roles.

The rows come from the comparison that makes the score, so they add up to it; the words beside them
say what the numbers do not: which reading was taken, what is denied in one sentence alone, how
phrases were compared that have no word vector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compsim.explanation import FrameRow, RoleRow
from compsim.graph_method import Parts
from compsim.rolesim.clauses import EXACT
from compsim.rolesim.phrasing import phrased
from compsim.rolesim.reasons import phrase_reason, predicate_notes
from compsim.rolesim.sentences import compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compsim.graph import Frame, Node, RoleGraph
    from compsim.rolesim.batch import RoleBatch
    from compsim.rolesim.clauses import FramePair
    from compsim.rolesim.phrasing import Phrase, PhrasedFrame
    from compsim.rolesim.scheme import Scheme
    from compsim.vectors.encoder import PhraseEncoder

__all__ = ["parts"]


def parts(batch: RoleBatch, scheme: Scheme, encoder: PhraseEncoder) -> Parts:
    """The rows of two sentences, a batch of two, and the frames that these belong to."""
    graphs = batch.graphs[0], batch.graphs[1]
    sides = [phrased(graph, scheme.inventory, scheme.phrasing) for graph in graphs]
    found = compare(batch, 0, batch, 1, scheme)
    rows: list[RoleRow] = []
    frames: list[FrameRow] = []
    mapping: list[tuple[int, int]] = []
    places = _Places(graphs[0]), _Places(graphs[1])
    for number, pair in enumerate(found.pairs):
        first, second = (side[place] for side, place in zip(sides, pair.readings, strict=True))
        bases = _base(sides[0], first), _base(sides[1], second)
        frames.append(_frame_row(pair, first, second, bases))
        hubs = places[0].hub(first), places[1].hub(second)
        for row in _rows(pair, first, second, number, scheme, encoder):
            rows.append(row)
            if row.first is not None and row.second is not None:
                drawn = places[0].of(row.first, hubs[0]), places[1].of(row.second, hubs[1])
                mapping += [drawn] if min(drawn) >= 0 else []
    frames += [FrameRow(sides[0][place].frame.predicate, None, 0.0) for place in found.first]
    frames += [FrameRow(None, sides[1][place].frame.predicate, 0.0) for place in found.second]
    only = len(found.pairs) == 1 and len(frames) == 1
    divisor = found.pairs[0].comparison.divisor if only else 1.0
    counts = [sum(frame.reading < 0 for frame in side) for side in sides]
    note = ""
    if max(counts) > EXACT:
        note = (
            f"With more than {EXACT} frames on a side, the most alike were paired first; that is "
            "not always the best pairing."
        )
    return Parts(
        rows,
        divisor,
        note,
        mapping=mapping,
        frames=tuple(frames),
    )


class _Places:
    """Where the nodes of frames stand in their graph.

    Two events of a sentence that share words have a node each for them, equal but for its place.
    """

    def __init__(self, graph: RoleGraph) -> None:
        self._equal: dict[Node, list[int]] = {}
        for place, node in enumerate(graph.nodes):
            self._equal.setdefault(node, []).append(place)
        self._below: dict[int, set[int]] = {}
        for edge in graph.edges:
            self._below.setdefault(edge.source, set()).add(edge.target)

    def hub(self, frame: PhrasedFrame) -> int:
        """The place of the predicate, of equal ones that with most of the frame's phrases."""
        found = self._equal.get(frame.frame.predicate, [])
        if len(found) < 2:
            return found[0] if found else -1
        said = {at for phrase in frame.phrases for at in self._equal.get(phrase.node, ())}
        return max(found, key=lambda place: len(said & self._below.get(place, set())))

    def of(self, node: Node, hub: int) -> int:
        """The place of a phrase of the predicate that stands there, -1 for one made up later."""
        found = self._equal.get(node, [])
        own = (at for at in found if at == hub or at in self._below.get(hub, ()))
        return next(own, found[0] if found else -1)


def _base(side: Sequence[PhrasedFrame], frame: PhrasedFrame) -> Frame:
    """The frame as the sentence tells it, of which this one may be a reading."""
    return (frame if frame.reading < 0 else side[frame.reading]).frame


def _frame_row(
    pair: FramePair, first: PhrasedFrame, second: PhrasedFrame, bases: tuple[Frame, Frame]
) -> FrameRow:
    notes = predicate_notes(first.frame, second.frame, bases)
    return FrameRow(
        first.frame.predicate,
        second.frame.predicate,
        pair.share,
        pair.score,
        pair.comparison.factor,
        notes,
    )


def _rows(
    pair: FramePair,
    first: PhrasedFrame,
    second: PhrasedFrame,
    number: int,
    scheme: Scheme,
    encoder: PhraseEncoder,
) -> list[RoleRow]:
    """The matched roles, then those that one frame has alone."""
    names = scheme.roles
    found = pair.comparison
    rows = []
    lines = zip(found.pairs, found.cosines, found.weights, found.contributions, strict=True)
    for (i, j), cosine, weight, part in lines:
        x, y = first.phrases[i], second.phrases[j]
        like, unlike = names[x.role], names[y.role]
        role = like if like == unlike else f"{like}~{unlike}"
        features, within = scheme.phrasing.features, scheme.clauses.within
        reason = phrase_reason(x, y, encoder, features, (like, unlike), within)
        added = pair.share * pair.comparison.factor * part
        rows.append(RoleRow(role, x.node, y.node, cosine, weight, added, number, reason))
    alone: list[tuple[int, Phrase, bool]] = [
        *((first.phrases[i].role, first.phrases[i], True) for i in found.first),
        *((second.phrases[j].role, second.phrases[j], False) for j in found.second),
    ]
    for role_number, phrase, mine in sorted(alone, key=lambda entry: (entry[0], not entry[2])):
        one, other = (phrase.node, None) if mine else (None, phrase.node)
        amount = scheme.phrasing.said_by(phrase.amount, phrase.open)
        weight = scheme.weights[role_number] * amount
        rows.append(RoleRow(names[role_number], one, other, None, weight, 0.0, number))
    return rows
