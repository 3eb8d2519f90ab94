"""The steps of the network and of the transitions, compiled for many sentences.

>>> parts = np.arange(9, dtype=np.float32).reshape(3, 3, 1)
>>> out = np.zeros((1, 1), dtype=np.float32)
>>> add_windows(parts, np.array([0, 1, 2]), np.array([1]), out)
>>> out.tolist()
[[12.0]]
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba.extending import overload

from compsim.kernels.compilation import compiled, let_call
from compsim.parsers.pipeline import transitions

__all__ = ["activate", "add_windows", "parse"]

for _step in (transitions.parse_sentence, transitions.forced, transitions.best_of):
    let_call(_step)


def _score_by_loops(
    projected: Any, offset: Any, seen: Any, network: Any, hidden: Any, scores: Any
) -> Any:
    """Fill scores (moves,) for the eight words that are seen, -1 for a missing one."""
    bias, pieces, upper, upper_bias = network
    width = bias.shape[0]
    size = width // pieces
    missing = projected.shape[0] - 1
    for j in range(width):
        hidden[j] = bias[j]
    for f in range(8):
        row = offset + seen[f] if seen[f] >= 0 else missing
        for j in range(width):
            hidden[j] += projected[row, f, j]
    for k in range(1, pieces):
        for j in range(size):
            hidden[j] = max(hidden[j], hidden[k * size + j])
    for m in range(scores.shape[0]):
        scores[m] = upper_bias[m]
    # Four rows at a time: a score is fetched and stored once for all of them.
    for j in range(0, size - 3, 4):
        h0, h1, h2, h3 = hidden[j], hidden[j + 1], hidden[j + 2], hidden[j + 3]
        for m in range(scores.shape[0]):
            score = scores[m] + h0 * upper[j, m] + h1 * upper[j + 1, m]
            scores[m] = score + h2 * upper[j + 2, m] + h3 * upper[j + 3, m]
    for j in range(size - size % 4, size):
        for m in range(scores.shape[0]):
            scores[m] += hidden[j] * upper[j, m]


# Sums may be split into vector lanes; the values are finite.
@overload(transitions.score, jit_options={"fastmath": {"contract", "nsz", "nnan"}})
def _compiled_score(
    projected: Any, offset: Any, seen: Any, network: Any, hidden: Any, scores: Any
) -> Any:
    """Return what compiled code runs for ``score``."""
    return _score_by_loops


parse: Final = compiled()(transitions.parse)


@compiled()
def add_windows(parts: Any, word: Any, rows: Any, out: Any) -> None:
    """Into out (rows, k): what three words in a row give; parts (words, 3, k), word (n,)."""
    for r in range(rows.shape[0]):
        i = rows[r]
        before, own, after = parts[word[i - 1], 0], parts[word[i], 1], parts[word[i + 1], 2]
        for j in range(out.shape[1]):
            out[r, j] = before[j] + own[j] + after[j]


# Sums may be split into vector lanes; the values are finite.
@compiled(fastmath={"reassoc", "contract", "nsz", "nnan"}, error_model="numpy")
def activate(
    pieces: Any, bias: Any, gain: Any, shift: Any, x: Any, rows: Any, slot: Any, window: Any
) -> None:
    """Add to the rows of x (n, w) the normalised maximum over pieces (rows, p, w), float32 all.

    A row is put into the windows (m, 3 w) of the next row, of its own and of the last, where these
    have a slot (n,) and not -1.
    """
    width = x.shape[1]
    best = np.empty(width, dtype=np.float32)
    for r in range(rows.shape[0]):
        i = rows[r]
        # One simple loop after another: each is done in vector lanes.
        for j in range(width):
            best[j] = pieces[r, 0, j] + bias[0, j]
        for k in range(1, bias.shape[0]):
            for j in range(width):
                best[j] = max(best[j], pieces[r, k, j] + bias[k, j])
        mean = np.float32(0.0)
        for j in range(width):
            mean += best[j]
        mean /= np.float32(width)
        variance = np.float32(0.0)
        for j in range(width):
            variance += (best[j] - mean) * (best[j] - mean)
        scale = np.float32(1.0) / np.sqrt(variance / np.float32(width) + np.float32(1e-8))
        for j in range(width):
            x[i, j] += (best[j] - mean) * scale * gain[j] + shift[j]
        if slot[i] >= 0:
            window[slot[i], width : 2 * width] = x[i]
        if slot[i - 1] >= 0:
            window[slot[i - 1], 2 * width :] = x[i]
        if slot[i + 1] >= 0:
            window[slot[i + 1], :width] = x[i]
