"""Which of two events comes first, where a connective says so: earlier, or as cause or condition.

"He left before she came" and "She came after he left" tell the same two events in the same order;
so do "It rained, so we stayed" and "We stayed because it rained". Each of the two predicates is
marked, the one ``first`` and the other ``then``, however the clauses hang together::

    orders(tree, tree.children())    # {1: "first", 4: "then"}

An event that comes first in one respect and then in another is not marked, nor is one of a clause
with *when*, *while* or *as*, which say nothing of order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from compsim.parsers.pipeline.tree import VERBAL, Tree
from compsim.parsers.roles.features.quantities import word_set

__all__ = ["FIRST", "THEN", "is_ordering", "orders"]

FIRST: Final = "first"
THEN: Final = "then"
#: What opens the clause of the later event, or of the earlier one, its cause or its condition
#: (Quirk et al. 1985, 15.25 to 15.48).
_OPENS_LATER: Final = word_set("before until till")
_OPENS_EARLIER: Final = word_set("after since because once if unless provided")
#: Adverbs by which a clause follows from the one before it (the same, 8.134 to 8.144).
_FOLLOWS: Final = word_set(
    "then afterwards afterward subsequently thereafter therefore thus hence consequently so"
)
#: "As soon as he came, she left", "She had left by the time he came".
_PHRASES: Final = word_set("soon time")
_TELLING: Final = _OPENS_LATER | _OPENS_EARLIER | _FOLLOWS | _PHRASES
#: How a clause hangs on the one that it follows, and how one hangs on the clause that follows it.
_FOLLOWING: Final = frozenset(("conj", "dep", "parataxis", "ccomp"))
_PRECEDING: Final = frozenset(("ccomp", "parataxis", "dep"))

Kids = Sequence[Sequence[int]]


def orders(tree: Tree, kids: Kids) -> dict[int, str]:
    """``FIRST`` or ``THEN`` for each predicate whose place in an order is told."""
    if _TELLING.isdisjoint(tree.lemmas):
        return {}
    found: dict[int, str] = {}
    both: set[int] = set()
    for pair in _pairs(tree, kids):
        if all(tree.pos[verb] in VERBAL for verb in pair):
            for verb, place in zip(pair, (FIRST, THEN), strict=True):
                if found.setdefault(verb, place) != place:
                    both.add(verb)
    return {verb: place for verb, place in found.items() if verb not in both}


def is_ordering(word: str) -> bool:
    """Whether a word does nothing but say that a clause follows the one before it.

    >>> is_ordering("then"), is_ordering("yesterday")
    (True, False)
    """
    return word in _FOLLOWS


def _pairs(tree: Tree, kids: Kids) -> Iterator[tuple[int, int]]:
    """The earlier and the later predicate of each pair that a connective joins."""
    for at, word in enumerate(tree.lemmas):
        if word not in _TELLING:
            continue
        if word in _FOLLOWS:
            first = _before(tree, kids, at)
            if first is not None:
                yield first, tree.heads[at]
            continue
        clause, above = _clause(tree, kids, at)
        if clause is None or above == clause:
            continue
        later = word in _OPENS_LATER or word == "time"
        yield (above, clause) if later else (clause, above)


def _clause(tree: Tree, kids: Kids, at: int) -> tuple[int | None, int]:
    """The predicate of the clause that a connective opens, and the one that it hangs on."""
    deps, heads = tree.deps, tree.heads
    word, head = tree.lemmas[at], heads[at]
    if word == "soon":
        return next((kid for kid in kids[at] if deps[kid] == "advcl"), None), head
    if word == "time":
        arrived = next((kid for kid in kids[at] if deps[kid] == "relcl"), None)
        return (arrived if tree.lemmas[head] == "by" else None), heads[head]
    if deps[at] == "prep":  # "after marrying"
        return next((kid for kid in kids[at] if deps[kid] == "pcomp"), None), head
    opens = at < head and deps[at] in ("mark", "advmod")
    # "I asked if he came" tells no condition.
    opens = opens and (deps[head] == "advcl" or (deps[head] == "ccomp" and word != "if"))
    return (head if opens else None), heads[head]


def _before(tree: Tree, kids: Kids, at: int) -> int | None:
    """The predicate of the clause before that of an adverb; None where the adverb joins nothing."""
    deps, verb = tree.deps, tree.heads[at]
    if verb < at or deps[at] not in ("advmod", "cc", "mark", "dep"):
        return None
    if at and deps[at - 1] not in ("punct", "cc") and tree.heads[verb] != verb:
        return None
    if deps[verb] in _FOLLOWING and tree.heads[verb] < at:
        return tree.heads[verb]
    hung = [kid for kid in kids[verb] if kid < at and deps[kid] in _PRECEDING]
    if hung:
        return hung[-1]
    if tree.heads[verb] != verb:
        return None
    # "He ate. Then he slept."
    return next((i for i in range(at - 1, -1, -1) if tree.heads[i] == i), None)
