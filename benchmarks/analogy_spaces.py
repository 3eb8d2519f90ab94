"""The sentences of analogies as a method has them: vectors, or scores where it has none.

>>> from compsim import load
>>> from compsim.benchmarks.datasets.analogies.relations import Relation
>>> pairs = (("My son sang.", "My daughter sang."), ("A king ate.", "A queen ate."))
>>> spaces, notes = open_spaces(load("mean-cn", vectors="builtin"), [Relation("gender", pairs)])
>>> len(spaces[0].likeness), notes
(4, [])
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets.analogies.distractors import MASK
from compsim.benchmarks.datasets.analogies.relations import Relation
from compsim.benchmarks.results import Figure
from compsim.benchmarks.sides import encode_all, unparsed
from compsim.benchmarks.stats.analogies import Cosines, Likeness, Scores
from compsim.benchmarks.workspace import Workspace
from compsim.embeddings.method import EmbeddingMethod
from compsim.errors import DataError, InputError

__all__ = ["Space", "consistency", "missed", "open_spaces"]

Array = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

#: Questions that are shown of those that are missed, and the candidates of each.
_FAILURES: Final = 5
_LIKELIEST: Final = 3


@dataclass(frozen=True)
class Space:
    """Similarities of the distinct sentences of a relation, and the row of each sentence in them.

    ``unit`` (m, dim) has their vectors at unit length or zero, None for a method without vectors.
    """

    place: dict[str, int]
    likeness: Likeness
    unit: Array | None


def open_spaces(
    method: Any,
    relations: Sequence[Relation],
    workspace: Workspace | None = None,
    content: Any = None,
    advance: Callable[[int], None] = lambda count: None,
) -> tuple[list[Space], list[str]]:
    """The space of each relation, and what is odd, a line each.

    A sentence of several relations is encoded once and kept under ``content``; a normalisation is
    fitted to all of them. "[MASK]" is written as the method's own tokenizer has it. Raises
    ``DataError`` for vectors that are not finite.
    """
    of = [relation.sentences() for relation in relations]
    texts = list(dict.fromkeys(text for each in of for text in each))
    mask = _mask(method)
    batch = encode_all(
        [text.replace(MASK, mask) for text in texts],
        method,
        workspace=workspace,
        content=content,
        advance=lambda _, count: advance(count),
    )
    advance(sum(map(len, of)) - len(texts))
    places = {text: k for k, text in enumerate(texts)}
    if not isinstance(method, EmbeddingMethod):
        failed = unparsed(batch)
        results = [_of_scores(method, batch[[places[text] for text in own]], own) for own in of]
        return results, [f"{failed} of {len(texts)} sentences have no parse"] if failed else []
    unit, notes = _unit_vectors(method, batch, texts)
    spaces = []
    for own in of:
        rows = unit[[places[text] for text in own]]
        spaces.append(Space({text: k for k, text in enumerate(own)}, Cosines(rows), rows))
    return spaces, notes


def _of_scores(method: Any, batch: Any, texts: Sequence[str]) -> Space:
    scores = Scores(len(texts), lambda some: method.similarity(batch[some], batch))
    return Space({text: k for k, text in enumerate(texts)}, scores, None)


def _mask(method: Any) -> str:
    """Return the token that stands for a hidden word: the tokenizer's mask token, if it has one."""
    if isinstance(unknown := getattr(method, "unknown_word", None), str):
        return unknown
    tokenizer = getattr(getattr(method, "model", None), "tokenizer", None)
    own = getattr(tokenizer, "mask_token", None) or getattr(tokenizer, "unk_token", None)
    return own if isinstance(own, str) else MASK


def _unit_vectors(method: Any, batch: Any, texts: Sequence[str]) -> tuple[Array, list[str]]:
    """The vectors of all sentences, float64 (n, dim), at unit length or zero."""
    vectors = batch.vector
    if method.normalize != "none":
        try:
            normalizer = method.normalizer
        except InputError:  # not fitted yet
            normalizer = copy.copy(method).fit(batch).normalizer
        vectors = normalizer(vectors)
    if not np.isfinite(vectors).all():
        bad = texts[int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])]
        raise DataError(f"the vector of {bad!r} has what is no number: mend the model")
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1.0)
    zeros = int((lengths == 0).sum())
    return unit, [f"{zeros} of {len(texts)} sentences have no vector but zeros"] if zeros else []


def consistency(relations: Sequence[Relation], spaces: Sequence[Space]) -> list[dict[str, Figure]]:
    """For each relation the mean cosine of two of its offsets, and of one with others' offsets.

    Nothing for a method without vectors.
    """
    offsets = [_offsets(*both) for both in zip(relations, spaces, strict=True)]
    sums = [None if each is None else each.sum(axis=0) for each in offsets]
    known = [each for each in sums if each is not None]
    counts = [0 if each is None else len(each) for each in offsets]
    results: list[dict[str, Figure]] = []
    for own, count in zip(sums, counts, strict=True):
        if own is None:
            results.append({})
            continue
        within = (own @ own - count) / (count * (count - 1)) if count > 1 else None
        figures = {"offsets": Figure(None if within is None else float(within), count)}
        others = sum(counts) - count
        if others and count:
            across = own @ (np.sum(known, axis=0) - own) / (count * others)
            figures["offsets across"] = Figure(float(across), count)
        results.append(figures)
    return results


def _offsets(relation: Relation, space: Space) -> Array | None:
    """B - A of each pair at unit length (n, dim); pairs with equal vectors have none."""
    if space.unit is None:
        return None
    first, second = ([space.place[pair[k]] for pair in relation.pairs] for k in (0, 1))
    offsets = space.unit[second] - space.unit[first]
    lengths = np.linalg.norm(offsets, axis=1)
    result: Array = offsets[lengths > 1e-9] / lengths[lengths > 1e-9, None]
    return result


def missed(
    space: Space, relation: Relation, i: Places, j: Places, among: Sequence[Sequence[str]] = ()
) -> list[dict[str, Any]]:
    """A few of the questions (q,) that 3CosAdd misses, spread over all, and why.

    Each has the likeliest candidates, and the similarities to B, A and C of the true answer and of
    these. ``among`` (n, c) are the only candidates of each pair, by default all sentences.
    """
    texts = list(space.place)
    results = []
    for k in np.unique(np.linspace(0, len(i) - 1, _FAILURES).astype(int)) if len(i) else ():
        (a, b), (c, d) = relation.pairs[i[k]], relation.pairs[j[k]]
        near = space.likeness.rows(np.array([space.place[text] for text in (a, b, c)]))
        scores = near[1] - near[0] + near[2]
        if among:
            candidates = np.array([space.place[text] for text in among[j[k]]])
        else:
            shut = {space.place[text] for text in (a, b, c)}
            candidates = np.array([at for at in range(len(texts)) if at not in shut])
        order = candidates[np.argsort(-scores[candidates], kind="stable")]
        best = [texts[at] for at in order[:_LIKELIEST]]
        why = {
            text: {
                "score": round(float(scores[at]), 4),
                **{name: round(float(row[at]), 4) for name, row in zip("ABC", near, strict=True)},
            }
            for text in dict.fromkeys([d, *best])
            for at in [space.place[text]]
        }
        results.append({"A": a, "B": b, "C": c, "D": d, "likeliest": best, "why": why})
    return results
