"""Texts that say the same, in groups with one representative each.

Texts of equal wording are one from the start. Of the others, those whose whole texts are near are
candidates (found by an index where there are many and usearch is installed); the guard decides.
A text joins a group only where it says the same as the group's representative, so that no chain of
small steps leads from one meaning to another.

>>> from compsim.guard.guard import Guard
>>> guard = Guard(vectors="builtin")
>>> result = deduplicate(
...     ["The dog bit the man.", "The man bit the dog.", "The man was bitten by the dog."], guard
... )
>>> [group.members for group in result.groups], result.texts
([(0, 2), (1,)], ['The dog bit the man.', 'The man bit the dog.'])
>>> result.apart[0].verdict.answer
'different'
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.guard.doubts import doubt, is_long
from compsim.guard.features import pair_features
from compsim.guard.guard import Guard
from compsim.kernels.cosine import unit_rows
from compsim.normal_form import normal_forms
from compsim.plain_text import plain
from compsim.sentences import check_sentences

if TYPE_CHECKING:
    from compsim.guard.verdict import Verdict

__all__ = ["Apart", "Deduplication", "Group", "deduplicate"]

#: Near texts that are looked at for each text, and how near they must be.
_NEAREST: Final = 10
_NEAR: Final = 0.5
#: Near texts that were kept apart and are told, at most.
_TOLD: Final = 1000
#: From this many texts on an index finds candidates.
_MANY: Final = 20_000
_BLOCK: Final = 1024
_ENCODED: Final = 4096

Places = npt.NDArray[np.int64]
Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Group:
    """Texts that say the same.

    Attributes:
        representative: The place of the text that stands for them, the first of them.
        members: The places of all, ascending.

    Examples:
        >>> Group(0, (0, 2)).members
        (0, 2)
    """

    representative: int
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Apart:
    """Two near texts that were kept apart: their places, and the verdict with what differs.

    Attributes:
        first: The place of the one.
        second: The place of the other.
        verdict: "different" or "unsure".

    Examples:
        >>> from compsim import Verdict
        >>> Apart(0, 1, Verdict("unsure", 0.6)).verdict.answer
        'unsure'
    """

    first: int
    second: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Deduplication:
    """Result of ``deduplicate``.

    Attributes:
        texts: The representatives, in the order of the texts that were given.
        groups: The groups in that order, also those of one text.
        apart: Near representatives that were kept apart, the nearest first, at most 1,000.

    Examples:
        >>> Deduplication(["a"], [Group(0, (0, 1))], []).texts
        ['a']
    """

    texts: list[str]
    groups: list[Group]
    apart: list[Apart]


def deduplicate(texts: Iterable[str], guard: Guard | None = None, **options: Any) -> Deduplication:
    """Group texts that say the same.

    Args:
        texts: n texts.
        guard: What decides; None: ``Guard(**options)``.
        **options: Those of ``Guard``, its method's among them.

    Returns:
        The groups, their representatives, and near texts that were kept apart with the reason. A
        blank text, code, another language and a long text are grouped by equal wording alone.

    Raises:
        InputError: Something is no string, options are given beside a guard, or its method gives no
            vectors of whole texts to look for candidates by.
        MissingExtraError: A package that the method needs is not installed.

    Examples:
        >>> from compsim import deduplicate
        >>> deduplicate(["It rains.", "it rains"], vectors="builtin").texts
        ['It rains.']
    """
    listed = check_sentences(texts, "texts")
    if guard is not None and options:
        raise InputError("a guard has its options: give either the guard or options")
    judge = Guard(**options) if guard is None else guard
    leaders = _equal_wording(listed)
    places = [
        i for i, leader in enumerate(leaders)
        if leader == i and not doubt(listed[i]) and not is_long(listed[i])
    ]  # fmt: skip
    apart: list[Apart] = []
    if len(places) > 1:
        joined, result = _decide(judge, [listed[i] for i in places])
        for k, leader in enumerate(joined):
            leaders[places[k]] = places[leader]
        apart = [Apart(places[i], places[j], verdict) for i, j, verdict in result]
    # Equal wordings follow their first text to its group.
    leaders = [leaders[leader] for leader in leaders]
    members: dict[int, list[int]] = {}
    for i, leader in enumerate(leaders):
        members.setdefault(leader, []).append(i)
    groups = [Group(leader, tuple(rows)) for leader, rows in sorted(members.items())]
    return Deduplication([listed[group.representative] for group in groups], groups, apart)


def _equal_wording(texts: Sequence[str]) -> list[int]:
    """For each text the place of the first with a wording in common, its own if there is none."""
    seen: dict[str, int] = {}
    leaders = []
    for i, text in enumerate(texts):
        forms = [f"text {plain(text)}"] if plain(text) else []
        if not doubt(text):
            forms += [f"form {form}" for form in sorted(normal_forms(text))]
        leader = min((seen[form] for form in forms if form in seen), default=i)
        for form in forms:
            seen.setdefault(form, leader)
        leaders.append(leader)
    return leaders


def _decide(judge: Guard, texts: list[str]) -> tuple[list[int], list[tuple[int, int, Verdict]]]:
    """The leader of each text, and near leaders that were kept apart."""
    vectors = _vectors(judge.method, texts)
    pairs, likeness = _candidates(vectors)
    involved = np.unique(pairs)
    rows = np.full(len(texts), -1, dtype=np.int64)
    rows[involved] = np.arange(len(involved))
    parts = [
        judge.encode([texts[i] for i in involved[start : start + _ENCODED]])
        for start in range(0, len(involved), _ENCODED)
    ]
    if not parts:
        return list(range(len(texts))), []
    batch = type(parts[0]).concat(parts)
    limits = judge.thresholds
    known: dict[tuple[int, int], float] = {}
    wanted = pairs
    while len(wanted):
        first, second = (batch[rows[wanted[:, side]]] for side in (0, 1))
        features, parsed = pair_features(judge.method, first, second)
        values = np.where(parsed, judge.calibration.probabilities(features), 0.0)
        known.update(zip(map(tuple, wanted.tolist()), values.tolist(), strict=True))
        leaders, missing = _leaders(len(texts), pairs, known, limits.upper)
        wanted = np.array(sorted(missing), dtype=np.int64).reshape(-1, 2)
    near = [
        (float(like), i, j)
        for (i, j), like in zip(pairs.tolist(), likeness.tolist(), strict=True)
        if leaders[i] == i and leaders[j] == j
    ]
    near.sort(key=lambda each: (-each[0], each[1:]))
    results = [
        (i, j, judge.verdict(known[i, j], limits, texts[i], texts[j])) for _, i, j in near[:_TOLD]
    ]
    return leaders, results


def _leaders(
    count: int, pairs: Places, known: dict[tuple[int, int], float], upper: float | None
) -> tuple[list[int], set[tuple[int, int]]]:
    """The leader of each text, and pairs of a text and a leader that are still to be compared."""
    before: list[list[int]] = [[] for _ in range(count)]
    for i, j in pairs.tolist():
        before[j].append(i)
    leaders, missing = list(range(count)), set()
    if upper is None:
        return leaders, set()
    for j in range(count):
        best = upper
        # A neighbour that has joined a group leads to its leader, which decides.
        for leader in sorted({leaders[i] for i in before[j] if known[i, j] >= upper}):
            if (leader, j) not in known:
                missing.add((leader, j))
            elif known[leader, j] >= best:
                best, leaders[j] = known[leader, j], leader
    return leaders, missing


def _vectors(method: Any, texts: list[str]) -> Rows:
    """Unit vectors of whole texts, by which candidates are found."""
    whole = getattr(method, "whole", method)
    if hasattr(whole, "vectors") and hasattr(whole.vectors, "texts"):
        rows = whole.vectors.texts(list(map(plain, texts)))
        return unit_rows(np.array(rows, dtype=np.float32).reshape(len(texts), -1))
    batch = whole.encode(texts)
    if getattr(batch, "vector", np.zeros(0)).ndim != 2:
        raise InputError(
            f"method {method.info.name!r} gives no vectors of whole texts to find candidates by: "
            "use one over concepts, or one of sentence vectors"
        )
    return unit_rows(np.array(batch.vector, dtype=np.float32))


def _candidates(vectors: Rows) -> tuple[Places, Rows]:
    """Pairs i < j of near texts, (pairs, 2) and ascending, with their cosines (pairs,)."""
    near = _by_index if len(vectors) >= _MANY and find_spec("usearch") else _exactly
    result: dict[tuple[int, int], float] = {}
    for i, (places, cosines) in enumerate(near(vectors)):
        for j, cosine in zip(places.tolist(), cosines.tolist(), strict=True):
            if i != j and cosine >= _NEAR:
                result[min(i, j), max(i, j)] = cosine
    pairs = sorted(result)
    values = np.array([result[pair] for pair in pairs], dtype=np.float32)
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), values


def _exactly(vectors: Rows) -> Iterable[tuple[Places, Rows]]:
    count = min(_NEAREST + 1, len(vectors))
    for start in range(0, len(vectors), _BLOCK):
        block = vectors[start : start + _BLOCK] @ vectors.T
        for row in block:
            best = np.argpartition(-row, count - 1)[:count]
            yield best, row[best]


def _by_index(vectors: Rows) -> Iterable[tuple[Places, Rows]]:
    from compsim.corpus.index import build, nearest, opened
    from compsim.kernels.quantization import quantized

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.index"
        build(path, quantized(vectors).code)
        index = opened(path, *vectors.shape)
        for vector in vectors:
            best = nearest(index, vector, _NEAREST + 1)
            yield best, vectors[best] @ vector
