"""A scheme says which phrases of two frames are compared, and how their cosines become one score.

It holds an inventory of roles, a weight for each, and what the weighted sum is divided by. Like
roles are compared first, then unlike ones in the order of the inventory's alignment, then, where
the scheme says so, what is left by likeness; each phrase is used once. :func:`match` and
:func:`divisor`, the rule itself, are plain Python that the kernel compiles; explanations, rolewise
cosines and a few pairs run them as they are.

>>> from compsim.roles import VERBNET
>>> scheme = Scheme(VERBNET, (3.0, 2.0, 2.0, 2.0, 0.5, 0.5, 0.5, 0.5))
>>> for match_ in scheme.matches(["Verb", "Theme"], ["Verb", "Patient"]):
...     print(match_)
Match(role='Verb', first='Verb', second='Verb')
Match(role='Theme', first='Theme', second='Patient')
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.roles import Inventory
from compsim.rolesim.phrasing import PLAIN, Phrasing

__all__ = [
    "NORMALIZE",
    "Clauses",
    "Comparison",
    "Match",
    "Phrases",
    "Scheme",
    "agreement",
    "divisor",
    "is_weight",
    "match",
    "meets",
    "similarity",
    "with_clauses",
]

#: How the weighted sum is divided.
NORMALIZE: Final = ("fixed", "matched", "union", "dice", "partly")
_USED: Final = -1
#: Two cosines that differ by less are one, so that rounding never decides which phrases are paired.
NEAR: Final = 1e-5
#: From this cosine of the predicates on, another reading of a frame may stand in for it: "bought",
#: read as "sell", meets "sold", but not "gave".
MEET: Final = 0.7


#: Weights and divisors lie between these, or are 0.
_LIGHTEST: Final = 1e-9
_HEAVIEST: Final = 1e9
#: How far below 0 ``weights/lexicons/antonyms.py`` pushes antonyms; from half of it on words are
#: opposites.
OPPOSITE: Final = 0.3


class Match(NamedTuple):
    """Two phrases that are compared: the role they count as, and the role each one has."""

    role: str
    first: str
    second: str


class Phrases(NamedTuple):
    """The phrases of a frame.

    ``words`` is how many coordinates of a vector come before the features; ``role`` int32 (p),
    ascending; ``vector`` float32 (p, dim); ``amount`` float32 (p), how much a phrase says;
    ``offset`` float32 (p), half of the squared length of its features; ``open`` bool (p), whether
    it asks; ``clause`` int32 (p), the place of the frame of the clause that stands in it, or -1.
    """

    words: int
    role: npt.NDArray[np.int32]
    vector: npt.NDArray[np.float32]
    amount: npt.NDArray[np.float32]
    offset: npt.NDArray[np.float32]
    open: npt.NDArray[np.bool_]
    clause: npt.NDArray[np.int32]


def match(
    a_role: Any,
    p: int,
    p_stop: int,
    b_role: Any,
    q: int,
    q_stop: int,
    align: Any,
    first: Any,
    second: Any,
    role: Any,
) -> tuple[int, int]:
    """Pair the phrases p..p_stop of a with q..q_stop of b (roles ascending, each once).

    Writes places in a and in b and the role that they count as into ``first``, ``second`` and
    ``role``: pairs from 0 on and, from the number of all phrases on, those left over, with -1 for
    the side that lacks them; a role of -1 there is a line to pass over. So there must be room for
    twice as many lines as there are phrases. Returns the numbers of pairs and of lines left over.
    ``align`` is int (k, 2).
    """
    size = p_stop - p + q_stop - q
    pairs = 0
    end = size
    while p < p_stop or q < q_stop:
        if q == q_stop or (p < p_stop and a_role[p] < b_role[q]):
            first[end], second[end], role[end] = p, -1, a_role[p]
            p += 1
            end += 1
        elif p == p_stop or b_role[q] < a_role[p]:
            first[end], second[end], role[end] = -1, q, b_role[q]
            q += 1
            end += 1
        else:
            first[pairs], second[pairs], role[pairs] = p, q, a_role[p]
            p += 1
            q += 1
            pairs += 1
    if end > size + 1:
        for k in range(len(align)):
            x, y = align[k][0], align[k][1]
            x_line = y_line = -1
            for line in range(size, end):
                if role[line] == x:
                    x_line = line
                elif role[line] == y:
                    y_line = line
            # Both must be there, and on different sides.
            if x_line < 0 or y_line < 0 or (first[x_line] < 0) == (first[y_line] < 0):
                continue
            first[pairs] = max(first[x_line], first[y_line])
            second[pairs] = max(second[x_line], second[y_line])
            role[pairs] = x
            role[x_line] = role[y_line] = _USED
            pairs += 1
    return pairs, end - size


def similarity(
    product: float, a_offset: float, b_offset: float, asked: bool, answer: float
) -> float:
    """What two phrases are alike: the product of their vectors less their offsets, in [-1, 1].

    ``asked``: one of them is a question's open role, which ``answer`` is the likeness of to
    anything.
    """
    if asked:
        return answer
    return min(1.0, max(-1.0, product - a_offset - b_offset))


def agreement(
    cosine: float, words: float, same: bool, negation: float, opposition: float
) -> tuple[float, float]:
    """The cosine of two predicates as it counts, and what is left of their frames' similarity.

    ``words`` is their cosine but for their features: of two tenses are no opposites. ``same``: both
    are said, or both denied. Predicates far below 0 are opposites, which take the share
    ``opposition`` of the whole; one that is denied alone takes ``negation``. Where both is so, they
    agree: what "is not cheap" is expensive.
    """
    opposite = min(1.0, max(0.0, -2.0 * max(cosine, words) / OPPOSITE - 1.0))
    if same:
        return cosine, 1.0 - opposition * opposite
    if opposite > 0.0:
        return opposite, 1.0
    return cosine, 1.0 - negation


def with_clauses(cosine: float, clauses: float, within: float) -> float:
    """How alike two phrases are that hold a clause each, given how alike the clauses are."""
    return (1.0 - within) * cosine + within * max(0.0, clauses)


def divisor(fixed: float, share: float, matched: float, alone: float) -> float:
    """N, from the weights of the matched roles and of those that one sentence has alone.

    ``fixed`` where it is above 0, else ``share`` says how much those alone count.
    """
    return fixed if fixed > 0.0 else matched + share * alone


def meets(
    verb: float, own: float, a_reading: bool, b_reading: bool, a_told: bool, b_told: bool
) -> bool:
    """Whether two frames may be compared, of which some are other readings of a frame.

    ``verb`` is the cosine of the predicates, ``own`` that of the frames as they are told, ``told``
    whether a frame has a predicate. Readings meet where their predicates are as alike as the
    sentences' own, so that only roles are told otherwise (who died is who lost a life), or are more
    alike and then nearly the same: who frightens is feared, but is no match for who is frightened.
    A bare noun phrase, a reading without a predicate, meets what has one.
    """
    if a_reading and not a_told:
        return b_told
    if b_reading and not b_told:
        return a_told
    return not (a_reading or b_reading) or (
        verb >= own - NEAR and (verb >= MEET or verb <= own + NEAR)
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two frames, compared: places of phrases in ``pairs``, their role and cosine.

    ``contributions`` say what each pair adds to the score: its weight times its cosine over N, the
    ``divisor``; 0 where N is 0. ``first`` and ``second`` are the places of phrases without a pair.
    ``factor`` is what polarity and opposite predicates leave of the whole, ``verb`` the cosine of
    the predicates, 0 without them.
    """

    pairs: list[tuple[int, int]]
    roles: list[int]
    cosines: list[float]
    weights: list[float]
    contributions: list[float]
    first: list[int]
    second: list[int]
    divisor: float
    factor: float = 1.0
    verb: float = 0.0

    @property
    def score(self) -> float:
        """The sum of the contributions, times the factor."""
        return self.factor * sum(self.contributions)


@dataclass(frozen=True, slots=True)
class Clauses:
    """How the frames of two sentences make one score.

    A frame weighs what its roles weigh, times ``depth`` for each clause that it stands in. The
    frames are paired so that the weighted sum of their similarities is greatest; N is the weight of
    the pairs and ``unmatched`` times that of the frames left over. ``within`` is the share that the
    clauses in two phrases, compared as frames, have in how alike the phrases are. ``negation`` and
    ``opposition``: see :func:`agreement`.
    """

    depth: float = 0.5
    unmatched: float = 0.0
    within: float = 0.0
    negation: float = 0.0
    opposition: float = 0.0


_CLAUSES: Final = Clauses()


@dataclass(frozen=True)
class Scheme:
    """An inventory of roles, their weights, and the normalisation.

    ``weights`` run beside the inventory's roles. Where its alignment makes a pair (x, y) of unlike
    roles, the pair counts with the weight of x. With w and c the weights and cosines of the matched
    roles, w times the mean of what both phrases say, the score is sum(w * c) / N, where N is

    - ``"fixed"``: ``divisor``;
    - ``"matched"``: the weights of the matched roles;
    - ``"union"``: the weights of the roles that either sentence has, after alignment;
    - ``"dice"``: half of the weights of the first sentence's roles plus the second's, after
      alignment (AMR-CN, with all weights 1);
    - ``"partly"``: the weights of the matched roles and ``unmatched`` times those of the others.

    Where N is 0 the score is 0. ``free``: what the alignment leaves is paired by likeness, the most
    alike first. ``answer`` is the likeness of a question's open role to anything. ``clauses`` says
    how several frames make one score, ``phrasing`` what the phrases are. Raises ``InputError`` for
    weights that do not fit.
    """

    inventory: Inventory
    weights: tuple[float, ...]
    normalize: str = "matched"
    divisor: float = 1.0
    name: str = ""
    unmatched: float = 0.0
    free: bool = False
    answer: float = 1.0
    clauses: Clauses = _CLAUSES
    phrasing: Phrasing = PLAIN

    def __post_init__(self) -> None:
        if self.normalize not in NORMALIZE:
            raise InputError(
                f"normalize={self.normalize!r} is not known: use one of {', '.join(NORMALIZE)}"
            )
        if len(self.roles) != len(self.weights):
            raise InputError(
                f"a scheme has {len(self.roles)} roles but {len(self.weights)} weights: "
                "give one weight for each role"
            )
        if not all(map(is_weight, (*self.weights, self.divisor))) or self.divisor == 0:
            raise InputError(
                "a weight or the divisor of a scheme is neither 0 nor from 1e-9 to 1e9, or the "
                "divisor is 0: mend it"
            )

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of the roles, in the order of their numbers."""
        return self.inventory.roles

    @cached_property
    def alignment(self) -> npt.NDArray[np.int32]:
        """The alignment order as role numbers, int32 (pairs, 2)."""
        number = {role: i for i, role in enumerate(self.roles)}
        pairs = [(number[x], number[y]) for x, y in self.inventory.align]
        return np.array(pairs, dtype=np.int32).reshape(-1, 2)

    @property
    def fixed(self) -> float:
        """N where it is the same for all pairs, else 0."""
        return float(self.divisor) if self.normalize == "fixed" else 0.0

    @property
    def share(self) -> float:
        """How much of the weight of roles that one sentence has alone is in N."""
        shares = {"union": 1.0, "dice": 0.5, "partly": float(self.unmatched)}
        return shares.get(self.normalize, 0.0)

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """What the kernels take: weights float64 (roles,), alignment, and the numbers."""
        weights = np.array(self.weights, dtype=np.float64)
        frames = self.clauses
        rule = self.fixed, self.share, self.free, float(self.answer)
        shares = frames.unmatched, frames.negation, frames.opposition, frames.within
        return weights, self.alignment, rule, tuple(map(float, shares))

    def weight_of(self, role: str) -> float:
        """Weight of a role by name."""
        return self.weights[self.roles.index(role)]

    def compare(
        self,
        a: Phrases,
        b: Phrases,
        same: bool = True,
        said: tuple[int, int] = (0, 0),
        inner: Callable[[int, int], float] | None = None,
    ) -> Comparison:
        """Match the phrases of two frames and take their cosines.

        ``same``: the frames are of like polarity; ``said`` are the roles of what each says, its
        predicate's or, with a copula, the attribute's. ``inner`` tells how alike the frames of two
        clauses are, by their places; without it phrases are compared by their words alone.
        """
        pairs, roles, first, second = self._listed(a.role.tolist(), b.role.tolist())
        cosines = [self.likeness(a, i, b, j) for i, j in pairs]
        if self.free and first and second:
            self._pair_by_likeness(a, b, (pairs, roles, cosines), first, second)
        if inner is not None:
            for k, (i, j) in enumerate(pairs):
                x, y = int(a.clause[i]), int(b.clause[j])
                if min(x, y) >= 0:
                    cosines[k] = with_clauses(cosines[k], inner(x, y), self.clauses.within)
        verb = next((cosines[k] for k, role in enumerate(roles) if role == 0), 0.0)
        told = [k for k, (i, j) in enumerate(pairs) if (a.role[i], b.role[j]) == said]
        rule = self.clauses.negation, self.clauses.opposition
        cosine = words = 0.0
        if told:
            i, j = pairs[told[0]]
            cosine = cosines[told[0]]
            words = float(np.dot(a.vector[i, : a.words], b.vector[j, : b.words]))
        counted, factor = agreement(cosine, words, same, *rule)
        if told:
            cosines[told[0]] = counted
        weight = self.weights
        weights = [
            weight[role] * (float(a.amount[i]) + float(b.amount[j])) / 2
            for role, (i, j) in zip(roles, pairs, strict=True)
        ]
        alone = sum(weight[a.role[i]] * float(a.amount[i]) for i in first)
        alone += sum(weight[b.role[j]] * float(b.amount[j]) for j in second)
        n = divisor(self.fixed, self.share, sum(weights), alone)
        parts = [w * c / n if n > 0 else 0.0 for w, c in zip(weights, cosines, strict=True)]
        return Comparison(pairs, roles, cosines, weights, parts, first, second, n, factor, verb)

    def likeness(self, a: Phrases, i: int, b: Phrases, j: int) -> float:
        """What phrase i of a and phrase j of b are alike."""
        product = float(np.dot(a.vector[i].astype(np.float64), b.vector[j].astype(np.float64)))
        asked = bool(a.open[i]) != bool(b.open[j])
        return similarity(product, float(a.offset[i]), float(b.offset[j]), asked, self.answer)

    def _pair_by_likeness(
        self,
        a: Phrases,
        b: Phrases,
        found: tuple[list[tuple[int, int]], list[int], list[float]],
        first: list[int],
        second: list[int],
    ) -> None:
        """Pair what is left, the most alike first, in place; among equals the lower roles first."""
        pairs, roles, cosines = found
        while first and second:
            best, chosen = -2.0, (first[0], second[0])
            choices = [
                (*sorted((int(a.role[i]), int(b.role[j]))), i, j) for i in first for j in second
            ]
            for _, _, i, j in sorted(choices):
                likeness = self.likeness(a, i, b, j)
                if likeness > best + NEAR:
                    best, chosen = likeness, (i, j)
            pairs.append(chosen)
            roles.append(min(int(a.role[chosen[0]]), int(b.role[chosen[1]])))
            cosines.append(best)
            first.remove(chosen[0])
            second.remove(chosen[1])

    def matches(self, first: Collection[str], second: Collection[str]) -> list[Match]:
        """Which roles of two sentences are compared whatever their words, in the rule's order."""
        names = self.roles
        a, b = (sorted(names.index(r) for r in side if r in names) for side in (first, second))
        pairs, roles, _, _ = self._listed(a, b)
        return [
            Match(names[role], names[a[i]], names[b[j]])
            for role, (i, j) in zip(roles, pairs, strict=True)
        ]

    def _listed(
        self, a: list[int], b: list[int]
    ) -> tuple[list[tuple[int, int]], list[int], list[int], list[int]]:
        """Pairs of places, their roles, and the places of either side that have no pair."""
        size = len(a) + len(b)
        first, second, role = [0] * 2 * size, [0] * 2 * size, [0] * 2 * size
        align = self.alignment.tolist()
        count, alone = match(a, 0, len(a), b, 0, len(b), align, first, second, role)
        rest = [line for line in range(size, size + alone) if role[line] != _USED]
        return (
            list(zip(first[:count], second[:count], strict=True)),
            role[:count],
            [first[line] for line in rest if first[line] >= 0],
            [second[line] for line in rest if second[line] >= 0],
        )


def is_weight(value: object) -> bool:
    """Whether a value is 0 or a number from 1e-9 to 1e9: no sum of such weights overflows."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and (value == 0 or _LIGHTEST <= value <= _HEAVIEST)
    )
