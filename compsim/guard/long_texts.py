"""Long texts, compared sentence by sentence.

Each sentence is compared with the one of the other text that it is most like; a long text says the
same as far as its most doubtful sentence does. The answer is "unsure" whatever comes out, since a
guard's calibration is that of single sentences.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from compsim.guard.differences import differences
from compsim.guard.doubts import LONG
from compsim.guard.verdict import Difference, Verdict
from compsim.normal_form import same_wording
from compsim.plain_text import plain
from compsim.retrieval.sentences import sentences

if TYPE_CHECKING:
    from compsim.guard.guard import Guard

__all__ = ["compare_long"]

#: Pairs of sentences that are told.
_TOLD: Final = 5

Places = npt.NDArray[np.int64]


def compare_long(guard: Guard, first: str, second: str) -> Verdict:
    """Return the verdict of two texts of which one is long: "unsure", with what differs most."""
    spans = sentences(first), sentences(second)
    texts = [
        [text[start:end] for start, end in listed]
        for text, listed in zip((first, second), spans, strict=True)
    ]
    a, b = (guard.method.encode(listed) for listed in texts)
    rows = _partners(guard.method, a, b)
    values = guard.probabilities_encoded(a[rows[:, 0]], b[rows[:, 1]])
    for k, (i, j) in enumerate(rows.tolist()):
        if plain(texts[0][i]) == plain(texts[1][j]) or same_wording(texts[0][i], texts[1][j]):
            values[k] = 1.0
    known = values[~np.isnan(values)]
    upper = guard.upper
    alike = int((known >= (1.0 if upper is None else min(upper, 1.0))).sum())
    reason = (
        f"a text has more than {LONG} words, so the two were compared sentence by sentence: "
        f"{alike} of {len(rows)} pairs of nearest sentences say the same"
    )
    order = [k for k in np.argsort(values, kind="stable").tolist() if values[k] < 1.0][:_TOLD]
    result = partial(_differences, guard.method, a, b, rows[order], spans)
    return Verdict("unsure", float(known.min(initial=1.0)), reason, None, result)


def _partners(method: Any, a: Any, b: Any) -> Places:
    """The sentences most like each other, one way or the other: places in both, (pairs, 2)."""
    inner = getattr(method, "whole", None)
    likeness = method.similarity(a, b) if inner is None else inner.similarity(a.whole, b.whole)
    n, m = likeness.shape
    # Of equals the one at the same stretch of the text is taken.
    stretch = np.abs(np.arange(n)[:, None] / max(1, n) - np.arange(m)[None, :] / max(1, m))
    likeness = np.nan_to_num(likeness.astype(np.float64), nan=-1.0) - 1e-6 * stretch
    forward = np.stack([np.arange(n), likeness.argmax(axis=1)], axis=1)
    backward = np.stack([likeness.argmax(axis=0), np.arange(m)], axis=1)
    return np.unique(np.concatenate([forward, backward]), axis=0)


def _differences(
    method: Any, a: Any, b: Any, rows: Places, spans: tuple[list[Any], list[Any]]
) -> tuple[Difference, ...]:
    """The differences of some pairs of sentences, where they stand in the whole texts."""
    results = []
    for i, j in rows.tolist():
        starts = spans[0][i][0], spans[1][j][0]
        for each in differences(method, a[i], b[j]):
            first, second = (
                tuple((start + offset, end + offset) for start, end in side)
                for side, offset in zip((each.first, each.second), starts, strict=True)
            )
            results.append(Difference(each.kind, first, second, each.sure, each.sentence))
    return tuple(results)
