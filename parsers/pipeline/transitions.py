"""Arc-eager transitions: from what the network says of each word to heads and labels.

The system is that of spaCy's parser (Honnibal and Johnson 2014, "non-monotonic arc-eager"): the
next move is chosen greedily from the first two words of the buffer, the top three of the stack and
the outermost dependents of the two tops. A word that would be popped without a head goes back to
the buffer, once. These are the steps as plain Python, which :mod:`kernel` compiles.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

__all__ = ["KINDS", "Scorer", "best_of", "forced", "parse", "parse_sentence", "score"]

#: How the moves of each kind are named: shift, reduce, left arc, right arc, break.
KINDS: Final = "SDLRB"
_SHIFT, _REDUCE, _LEFT, _RIGHT, _BREAK = range(5)
_EIGHT: Final = np.arange(8)


class Scorer(NamedTuple):
    """Network that scores transitions: bias and maxout of the words' sums, then one layer.

    ``bias`` float32 (pieces * hidden,), ``upper`` float32 (hidden, moves), ``upper_bias`` float32
    (moves,).
    """

    bias: Any
    pieces: int
    upper: Any
    upper_bias: Any


class _State(NamedTuple):
    """Room for what is known of the words of a sentence while it is read.

    ``stack`` and ``back``, the words that were put back to the buffer, are word numbers; so are a
    word's newest dependent on each side, ``last_left`` and ``last_right``, and the one that was
    newest before it, ``older``. A ``settled`` word may not be shifted (and put back) again, one
    that ``opens`` begins a sentence.
    """

    stack: Any
    back: Any
    settled: Any
    opens: Any
    last_left: Any
    last_right: Any
    older: Any


def parse(
    projected: Any, starts: Any, network: Any, kinds: Any, label: Any, heads: Any, labels: Any
) -> None:
    """Fill heads and labels (words,) int32, greedily.

    projected: float32 (words + 1, 8, pieces * hidden), the last row for a missing word; starts
    int64 (sentences + 1,); kinds int64 (6,), where the moves of each kind start; label int32
    (moves,).
    """
    longest = 1
    for s in range(starts.shape[0] - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    state = _State(
        np.empty(longest, dtype=np.int64),
        np.empty(longest, dtype=np.int64),
        np.empty(longest, dtype=np.bool_),
        np.empty(longest, dtype=np.bool_),
        np.empty(longest, dtype=np.int64),
        np.empty(longest, dtype=np.int64),
        np.empty(longest, dtype=np.int64),
    )
    hidden = np.empty(network.bias.shape[0], dtype=np.float32)
    scores = np.empty(network.upper_bias.shape[0], dtype=np.float32)
    for s in range(starts.shape[0] - 1):
        own = slice(starts[s], starts[s + 1])
        parse_sentence(
            projected,
            starts[s],
            network,
            kinds,
            label,
            heads[own],
            labels[own],
            state,
            hidden,
            scores,
        )


def parse_sentence(
    projected: Any,
    offset: int,
    network: Any,
    kinds: Any,
    label: Any,
    head: Any,
    labels: Any,
    state: Any,
    hidden: Any,
    scores: Any,
) -> None:
    """Fill head and labels (n,) of the words from ``offset`` on; hidden and scores are room."""
    stack, back, settled, opens, last_left, last_right, older = state
    seen = np.empty(8, dtype=np.int64)
    valid = np.empty(5, dtype=np.bool_)
    n = head.shape[0]
    for i in range(n):
        settled[i] = opens[i] = False
        last_left[i] = last_right[i] = head[i] = -1
    depth, backed, following = 0, 0, 0
    while depth > 0 or backed > 0 or following < n:
        waiting = n - following + backed
        b0, b1 = -1, -1
        if waiting > 0:
            b0 = back[backed - 1] if backed > 0 else following
        if waiting > 1:
            b1 = back[backed - 2] if backed > 1 else following + (backed == 0)
        s0 = stack[depth - 1] if depth > 0 else -1
        s1 = stack[depth - 2] if depth > 1 else -1
        s2 = stack[depth - 3] if depth > 2 else -1
        seen[0], seen[1], seen[2], seen[3], seen[4] = b0, b1, s0, s1, s2
        seen[5] = last_left[b0] if b0 >= 0 else -1
        seen[6] = last_left[s0] if s0 >= 0 else -1
        seen[7] = last_right[s0] if s0 >= 0 else -1
        inside = b0 >= 0 and not opens[b0]
        valid[_SHIFT] = depth == 0 or (waiting > 1 and inside and not settled[b0])
        valid[_REDUCE] = depth > 0
        valid[_LEFT] = depth > 0 and inside
        valid[_RIGHT] = depth > 0 and inside
        valid[_BREAK] = waiting > 1 and b1 == b0 + 1 and not opens[b1]
        best = forced(kinds, valid)
        if best < 0:
            score(projected, offset, seen, network, hidden, scores)
            best = best_of(scores, kinds, valid)
        move = 0
        while best >= kinds[move + 1]:
            move += 1
        if move == _BREAK:
            opens[b1] = True
        elif move == _REDUCE:
            depth -= 1
            if head[s0] < 0 and depth > 0:
                settled[s0] = True
                back[backed] = s0
                backed += 1
        elif move == _LEFT:
            if head[s0] >= 0:  # the stack gave it a head, which the buffer now overrules
                last_right[head[s0]] = older[s0]
            head[s0] = b0
            labels[s0] = label[best]
            older[s0] = last_left[b0]
            last_left[b0] = s0
            settled[b0] = False
            depth -= 1
        else:
            if move == _RIGHT:
                head[b0] = s0
                labels[b0] = label[best]
                older[b0] = last_right[s0]
                last_right[s0] = b0
            if backed > 0:
                backed -= 1
            else:
                following += 1
            stack[depth] = b0
            depth += 1
    for i in range(n):
        if head[i] < 0:
            head[i] = i
            labels[i] = 0


def score(projected: Any, offset: int, seen: Any, network: Any, hidden: Any, scores: Any) -> None:
    """Fill scores (moves,) for the eight words that are seen, -1 for a missing one."""
    bias, pieces, upper, upper_bias = network
    rows = np.where(seen >= 0, seen + offset, len(projected) - 1)
    np.sum(projected[rows, _EIGHT], axis=0, out=hidden)
    hidden += bias
    np.matmul(hidden.reshape(pieces, -1).max(axis=0), upper, out=scores)
    scores += upper_bias


def forced(kinds: Any, valid: Any) -> int:
    """The one move that is valid, -1 where there is a choice."""
    only = -1
    for kind in range(valid.shape[0]):
        count = kinds[kind + 1] - kinds[kind]
        if valid[kind] and count > 0:
            if only >= 0 or count > 1:
                return -1
            only = kinds[kind]
    return only


def best_of(scores: Any, kinds: Any, valid: Any) -> int:
    """The move of the highest score among those of a valid kind."""
    best, highest = -1, np.float32(-np.inf)
    for kind in range(valid.shape[0]):
        if valid[kind] and kinds[kind] < kinds[kind + 1]:
            move = kinds[kind] + np.argmax(scores[kinds[kind] : kinds[kind + 1]])
            if scores[move] > highest:
                best, highest = move, scores[move]
    return best
