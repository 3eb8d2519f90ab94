"""Two sentences compared with all that an explanation tells: short ones by the plain rule.

The plain rule compares every frame with every other, which takes long where there are hundreds. The
compiled kernel, which takes longer to load, pairs those, and only the pairs are compared again.

>>> from compsim import load
>>> method = load("verbnet-cn", vectors="builtin")
>>> batch = method.encode(["The dog barked and ran.", "The dog ran."])
>>> pair, = compare(batch, 0, batch, 1, method.scheme).pairs
>>> pair.readings
(1, 0)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from compsim.rolesim.clauses import Paired, compare_pairs, compare_sentences

if TYPE_CHECKING:
    from compsim.rolesim.batch import RoleBatch
    from compsim.rolesim.scheme import Scheme

__all__ = ["compare", "is_short"]

#: Up to so many pairs of frames, readings among them, the plain rule is quick.
_MANY: Final = 400


def is_short(a: RoleBatch, b: RoleBatch) -> bool:
    """Whether any two sentences of a and b have so few frames that the plain rule is quick."""
    return a.most * b.most <= _MANY


def compare(a: RoleBatch, i: int, b: RoleBatch, j: int, scheme: Scheme) -> Paired:
    """Pair the frames of sentence i of a with those of sentence j of b, and compare the pairs."""
    if a.count(i) * b.count(j) <= _MANY:
        return compare_sentences(a, i, b, j, scheme)
    from compsim.rolesim import kernel

    return compare_pairs(a, i, b, j, scheme, kernel.frame_pairs(a, i, b, j, scheme))
