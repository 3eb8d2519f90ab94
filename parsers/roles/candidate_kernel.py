"""Compiled code that finds candidate arguments and describes them (see ``candidates``).

Trees come as arrays; words and labels as numbers in a table of symbols. A column that joins several
words ("in+on") is the checksum of the joined text, computed byte by byte without making it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.kernels.compilation import compiled
from compsim.parsers.roles.candidates import COLUMNS, MAX_CLIMB
from compsim.parsers.roles.symbols import BIT, code

__all__ = ["fill"]

# How a candidate is reached: from the predicate, through one of its dependents, through a word
# above, or as such a word.
_BY_PREDICATE, _BELOW, _BESIDE, _ABOVE = range(4)

# Rows of the arrays that hold a tree and the table of symbols.
_HEAD, _DEP, _TAG, _CLASS, _LEMMA, _FIRST, _NEXT, _COUNT = range(8)
_CODE, _SUFFIX, _FLAGS, _OFFSET = range(4)

_SHARED: Final = COLUMNS.index("path")
_PATH, _HOST = _SHARED, COLUMNS.index("host")
_RANK, _LAST = COLUMNS.index("rank"), COLUMNS.index("last")
_SPACE, _PLUS, _BEFORE, _STEP, _UP, _ZERO = (ord(sign) for sign in " +<>^0")
_EMPTY: Final = np.uint32(0xFFFFFFFF)  # the checksum of nothing, before its bits are flipped

_IGNORED, _NOMINAL, _DETACHABLE = BIT["IGNORED"], BIT["NOMINAL"], BIT["DETACHABLE"]
_INHERITED, _FRAME, _OBJECT = BIT["INHERITED"], BIT["FRAME"], BIT["OBJECT"]
_PASSIVE, _AUXILIARY, _REDUCED = BIT["PASSIVE"], BIT["AUXILIARY"], BIT["REDUCED"]
_CLAUSAL, _CASE, _PREP, _POBJ = BIT["CLAUSAL"], BIT["CASE"], BIT["PREP"], BIT["POBJ"]
_COMPLEMENT, _ADPOSITION = BIT["COMPLEMENT"], BIT["ADPOSITION"]
_PRT, _MARK, _SUBJECT = BIT["PRT"], BIT["MARK"], BIT["SUBJECT"]
_ACTIVE_SUBJECT, _UNDERGOER, _VERBAL = BIT["ACTIVE_SUBJECT"], BIT["UNDERGOER"], BIT["VERBAL"]
_PREPOSITION_TAG, _OPENING_TAG = BIT["PREPOSITION_TAG"], BIT["OPENING_TAG"]
_PARTICIPLE_TAG = BIT["PARTICIPLE_TAG"]


def _crc_table() -> npt.NDArray[np.uint32]:
    """What CRC-32 looks up for each byte."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(0xEDB88320), table >> 1)
    return table.astype(np.uint32)


_CRC: Final = _crc_table()
_VOICES: Final = np.array([code("active"), code("passive")], dtype=np.uint64)
_SIDES: Final = np.array([code("after"), code("before")], dtype=np.uint64)


@compiled()
def _byte(state: Any, byte: Any) -> Any:
    """The checksum state after one more byte."""
    return np.uint32(_CRC[(state ^ np.uint32(byte)) & np.uint32(0xFF)] ^ (state >> np.uint32(8)))


@compiled()
def _string(state: Any, symbol: int, symbols: Any, pool: Any) -> Any:
    """The checksum state after one more string of the table."""
    for k in range(symbols[_OFFSET, symbol], symbols[_OFFSET, symbol + 1]):
        state = _byte(state, pool[k])
    return state


@compiled()
def _joined(state: Any, sign: int, symbol: int, symbols: Any, pool: Any) -> Any:
    """The checksum state after one more string, set apart by a sign from any before it."""
    if state != _EMPTY:
        state = _byte(state, sign)
    return _string(state, symbol, symbols, pool)


@compiled()
def _digits(number: int) -> Any:
    """The checksum state of a decimal number."""
    state, scale = _EMPTY, 1
    while number // scale >= 10:
        scale *= 10
    while scale > 0:
        state = _byte(state, _ZERO + number // scale % 10)
        scale //= 10
    return state


@compiled()
def _sorts_before(a: int, b: int, symbols: Any, pool: Any) -> bool:
    """Whether string a stands before string b in order."""
    i, i_stop = symbols[_OFFSET, a], symbols[_OFFSET, a + 1]
    j, j_stop = symbols[_OFFSET, b], symbols[_OFFSET, b + 1]
    while i < i_stop and j < j_stop and pool[i] == pool[j]:
        i += 1
        j += 1
    return bool(j < j_stop and (i == i_stop or pool[i] < pool[j]))


@compiled()
def _link(tree: Any) -> None:
    """Note each token's first dependent, next sister (-1: none) and number of dependents."""
    n = tree.shape[1]
    for i in range(n):
        tree[_FIRST, i] = tree[_NEXT, i] = -1
        tree[_COUNT, i] = 0
    for i in range(n - 1, -1, -1):
        head = tree[_HEAD, i]
        if head != i:
            tree[_NEXT, i] = tree[_FIRST, head]
            tree[_FIRST, head] = i
            tree[_COUNT, head] += 1


@compiled()
def _is(symbol: int, symbols: Any, which: int) -> bool:
    """Whether a label or tag is one of a set."""
    return bool(symbols[_FLAGS, symbol] & which)


@compiled()
def _below(
    noun: int, path: Any, step: int, tree: Any, symbols: Any, pool: Any, reach: Any, paths: Any
) -> None:
    """Add the dependents of a noun that may belong to the predicate instead."""
    kid = tree[_FIRST, noun]
    while kid >= 0:
        dep = tree[_DEP, kid]
        if _is(dep, symbols, _DETACHABLE) and reach[0, kid] < 0:
            reach[0, kid], reach[1, kid] = _BELOW, step
            paths[kid] = _joined(path, _STEP, dep, symbols, pool)
        kid = tree[_NEXT, kid]


@compiled()
def _find(p: int, tree: Any, symbols: Any, pool: Any, reach: Any, paths: Any) -> None:
    """Find the candidates of predicate p.

    reach: int8 (2, n), how each token is reached (-1: no candidate) and the length of the path;
    paths: uint32 (n,), the paths' checksum states.
    """
    for i in range(tree.shape[1]):
        reach[0, i] = -1
    kid = tree[_FIRST, p]
    while kid >= 0:
        dep = tree[_DEP, kid]
        if not _is(dep, symbols, _IGNORED):
            path = _string(_EMPTY, dep, symbols, pool)
            reach[0, kid], reach[1, kid], paths[kid] = _BY_PREDICATE, 1, path
            if _is(dep, symbols, _NOMINAL):
                _below(kid, path, 2, tree, symbols, pool, reach, paths)
            elif _is(dep, symbols, _PREP):
                noun = tree[_FIRST, kid]
                while noun >= 0:
                    if _is(tree[_DEP, noun], symbols, _POBJ):
                        inner = _joined(path, _STEP, tree[_DEP, noun], symbols, pool)
                        _below(noun, inner, 3, tree, symbols, pool, reach, paths)
                    noun = tree[_NEXT, noun]
        kid = tree[_NEXT, kid]
    path = _EMPTY
    here = p
    for climbed in range(1, MAX_CLIMB + 1):
        above = tree[_HEAD, here]
        if above == here:
            break
        dep = tree[_DEP, here]
        if climbed > 1:
            path = _byte(path, _STEP)
        path = _string(_byte(path, _UP), dep, symbols, pool)
        if _is(dep, symbols, _CLAUSAL) and reach[0, above] < 0:
            reach[0, above], reach[1, above], paths[above] = _ABOVE, climbed, path
        kid = tree[_FIRST, above] if _is(tree[_CLASS, above], symbols, _VERBAL) else -1
        while kid >= 0:
            dep = tree[_DEP, kid]
            if kid != here and _is(dep, symbols, _INHERITED) and reach[0, kid] < 0:
                reach[0, kid], reach[1, kid] = _BESIDE, climbed + 1
                paths[kid] = _joined(path, _STEP, dep, symbols, pool)
            kid = tree[_NEXT, kid]
        here = above
    reach[0, p] = -1


@compiled()
def _describe(
    p: int, tree: Any, symbols: Any, pool: Any, preps_in_order: Any, shared: Any, context: Any
) -> bool:
    """Fill the columns of predicate p and its sense context; say whether it is passive."""
    any_passive, any_auxiliary = False, False
    frame, plain_frame, preps, particle, objects = _EMPTY, _EMPTY, _EMPTY, _EMPTY, _EMPTY
    n_preps = 0
    subject, active_subject, undergoer = -1, -1, -1
    kid = tree[_FIRST, p]
    while kid >= 0:
        dep, lemma = tree[_DEP, kid], tree[_LEMMA, kid]
        any_passive |= _is(dep, symbols, _PASSIVE)
        any_auxiliary |= _is(dep, symbols, _AUXILIARY)
        if _is(dep, symbols, _FRAME):
            if frame != _EMPTY:
                frame = _byte(frame, _SPACE)
            if kid < p:
                frame = _byte(frame, _BEFORE)
            frame = _string(frame, dep, symbols, pool)
            plain_frame = _joined(plain_frame, _SPACE, dep, symbols, pool)
        if _is(dep, symbols, _PREP):
            k = n_preps
            while k > 0 and _sorts_before(lemma, preps_in_order[k - 1], symbols, pool):
                preps_in_order[k] = preps_in_order[k - 1]
                k -= 1
            preps_in_order[k] = lemma
            n_preps += 1
        if _is(dep, symbols, _PRT):
            particle = _joined(particle, _PLUS, lemma, symbols, pool)
        if _is(dep, symbols, _OBJECT):
            objects = _joined(objects, _PLUS, dep, symbols, pool)
        if subject < 0 and _is(dep, symbols, _SUBJECT):
            subject = lemma
        if active_subject < 0 and _is(dep, symbols, _ACTIVE_SUBJECT):
            active_subject = lemma
        if undergoer < 0 and _is(dep, symbols, _UNDERGOER):
            undergoer = lemma
        kid = tree[_NEXT, kid]
    for k in range(n_preps):
        preps = _joined(preps, _PLUS, preps_in_order[k], symbols, pool)
    dep, tag = tree[_DEP, p], tree[_TAG, p]
    participle = _is(tag, symbols, _PARTICIPLE_TAG) and _is(dep, symbols, _REDUCED)
    passive = any_passive or (participle and not any_auxiliary)
    shared[0] = symbols[_CODE, tree[_LEMMA, p]]
    shared[1] = symbols[_CODE, tag]
    shared[2] = context[1] = _VOICES[int(passive)]
    shared[3] = symbols[_CODE, dep]
    shared[4] = frame ^ _EMPTY
    context[2] = plain_frame ^ _EMPTY
    shared[5] = context[3] = preps ^ _EMPTY
    shared[6] = context[4] = particle ^ _EMPTY
    shared[7] = context[5] = objects ^ _EMPTY
    context[6] = symbols[_CODE, undergoer] if undergoer >= 0 else 0
    shared[8] = symbols[_CODE, subject] if subject >= 0 else 0
    context[7] = symbols[_CODE, active_subject] if active_subject >= 0 else 0
    return bool(passive)


@compiled()
def _content(head: int, tree: Any, symbols: Any) -> int:
    """The token that carries a phrase's meaning: the object of a preposition, else the head."""
    if _is(tree[_DEP, head], symbols, _CASE) and _is(tree[_TAG, head], symbols, _PREPOSITION_TAG):
        kid = tree[_FIRST, head]
        while kid >= 0:
            if _is(tree[_DEP, kid], symbols, _COMPLEMENT):
                return int(kid)
            kid = tree[_NEXT, kid]
    return head


@compiled()
def _marker(head: int, content: int, tree: Any, symbols: Any) -> int:
    """Preposition, subordinator or complementiser that introduces a phrase, -1 for none."""
    if content != head or _is(tree[_DEP, head], symbols, _ADPOSITION):
        return head
    kid = tree[_FIRST, head]
    while kid >= 0:
        opening = kid < head and _is(tree[_TAG, kid], symbols, _OPENING_TAG)
        if opening or _is(tree[_DEP, kid], symbols, _MARK):
            return int(kid)
        kid = tree[_NEXT, kid]
    return -1


@compiled()
def _describe_candidate(p: int, head: int, path: Any, tree: Any, symbols: Any, own: Any) -> None:
    """Fill a candidate's own columns, all but its rank and whether it is the last."""
    content = _content(head, tree, symbols)
    marker = _marker(head, content, tree, symbols)
    edge = tree[_FIRST, content]
    own[0] = path ^ _EMPTY
    own[1] = symbols[_CODE, tree[_DEP, head]]
    own[2] = symbols[_CODE, tree[_LEMMA, head]]
    own[3] = symbols[_CODE, tree[_TAG, head]]
    own[4] = symbols[_CODE, tree[_LEMMA, marker]] if marker >= 0 else 0
    own[5] = symbols[_CODE, tree[_LEMMA, content]]
    own[6] = symbols[_CODE, tree[_TAG, content]]
    own[7] = symbols[_SUFFIX, tree[_LEMMA, content]]
    own[8] = _SIDES[int(head < p)]
    own[9] = symbols[_CODE, tree[_LEMMA, edge]] if 0 <= edge < content else 0
    own[10] = symbols[_CODE, tree[_LEMMA, tree[_HEAD, head]]]
    own[12] = _digits(tree[_COUNT, content]) ^ _EMPTY


@compiled()
def fill(
    tokens: Any,
    starts: Any,
    owners: Any,
    targets: Any,
    symbols: Any,
    pool: Any,
    rows: Any,
    found: Any,
    bounds: Any,
    contexts: Any,
    passive: Any,
) -> int:
    """Find and describe the candidates of all predicates, return their number.

    In: tokens int32 (8, tokens), of which the first five rows hold head, dep, tag, class and lemma;
    starts int64 (trees + 1,); owners, targets int64 (predicates,), tree and token of each, trees
    ascending; symbols int64 (4, symbols + 1), pool uint8 (see ``Symbols``).

    Out: rows uint64 (room, columns), zeros; found int32 (4, room): token, whether one step leads to
    it, whether it stands above, whether it may be an inner place; bounds int64 (predicates + 1,);
    contexts uint64 (predicates, sense columns), zeros; passive bool (predicates,).
    """
    longest = 1
    for t in range(starts.shape[0] - 1):
        longest = max(longest, starts[t + 1] - starts[t])
        _link(tokens[:, starts[t] : starts[t + 1]])
    preps_in_order = np.empty(longest, dtype=np.int32)
    reach = np.empty((2, longest), dtype=np.int8)
    paths = np.empty(longest, dtype=np.uint32)
    shared = np.zeros(_SHARED, dtype=np.uint64)
    total = 0
    for q in range(targets.shape[0]):
        tree = tokens[:, starts[owners[q]] : starts[owners[q] + 1]]
        n, p = tree.shape[1], targets[q]
        _find(p, tree, symbols, pool, reach[:, :n], paths)
        begin = total
        for head in range(n):
            if reach[0, head] < 0:
                continue
            row = rows[total]
            _describe_candidate(p, head, paths[head], tree, symbols, row[_SHARED:])
            if reach[1, head] == 1:
                row[_HOST] = 0
            for k in range(begin, total):
                row[_RANK] += np.uint64(rows[k, _PATH] == row[_PATH])
            place = reach[0, head] == _BELOW and _is(tree[_DEP, head], symbols, _PREP)
            found[0, total] = head
            found[1, total] = reach[1, head] == 1
            found[2, total] = reach[0, head] == _ABOVE
            found[3, total] = place
            total += 1
        bounds[q + 1] = total
        passive[q] = _describe(p, tree, symbols, pool, preps_in_order, shared, contexts[q])
        for k in range(begin, total):
            for j in range(_SHARED):
                rows[k, j] = shared[j]
        if total > begin:
            rows[total - 1, _LAST] = 1
    return total
