"""SynWMD: how far the words of one sentence are from those of the other (Wei, Wang and Kuo 2022).

Word mover's distance with syntax in both of its parts. What is moved: each word carries the inverse
of its PageRank among the words that stand near it in dependency trees (``word_flow``). How far it
is: two words differ by the cosine of their vectors and by that of the subtrees that they stand in,
each subtree the mean of its words by their masses. The score is 1 less the least cost.

>>> from compsim import load
>>> method = load("synwmd", vectors="builtin")
>>> near, far = method.similarity("A dog barks.", ["A hound is barking.", "Prices fell."])
>>> bool(near > far)
True
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded
from compsim.embeddings.chunks import pairwise_in_chunks
from compsim.embeddings.token_batch import TokenBatch
from compsim.embeddings.word_flow import WordGraph, default_masses, is_word
from compsim.explanation import Explanation, RoleRow
from compsim.graph import Node
from compsim.kernels.cosine import same_text, unit_rows
from compsim.kernels.ragged import Ragged
from compsim.method import Method, MethodInfo
from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.srl import SrlParser
from compsim.plain_text import PlainText
from compsim.sentences import check_sentences
from compsim.vectors import KeyedVectors, WordVectors
from compsim.vectors.all_words import AllWords

__all__ = ["SynWmd"]

#: How far below its top a subtree reaches at most, as in the authors' code.
_DEPTH: Final = 3
#: Words of a text that are moved: the cost of finding how grows with the cube of their number.
_LONGEST: Final = 512
#: Pairs encoded at a time where lists are given: each word of each sentence has its vectors.
_PAIRS: Final = 4096
#: What a word weighs that no tree has.
_RAREST: Final = 1.0

Floats = npt.NDArray[np.float64]


class SynWmd(Method[TokenBatch]):
    """1 less the distance of two sentences' words, weighed and set in context by dependency trees.

    - ``vectors``: what ``WordVectors.open`` takes; a word without a vector has one by its spelling;
    - ``sentences``: the corpus whose trees tell how much each word carries, as in the paper, which
      takes all sentences that it compares; by default 118,000 plain ones, as shipped.

    The distance of two words is the mean of 1 less the cosine of their vectors and 1 less the mean
    cosine of all subtrees, of one to three levels, that the one and the other stand in; a word that
    stands alone is its own subtree. The authors publish 1 / (1 + twice this distance), which orders
    pairs alike. Of a text of more than 512 words the first so many are moved.

    The score lies in [-1, 1] and is symmetric. A sentence with itself scores a little below 1,
    since a word stands in several subtrees. Where neither sentence has a word, equal texts that are
    not blank score 1; else one without a word is like nothing, 0.
    """

    info = MethodInfo(
        name="synwmd",
        summary="word mover's distance with masses and subtrees of dependency trees",
        identity=None,
    )
    encoded = TokenBatch

    def __init__(
        self,
        vectors: str | Path | WordVectors | KeyedVectors | None = None,
        sentences: Iterable[str] | None = None,
    ) -> None:
        self.vectors = WordVectors.open(vectors)
        self._words = AllWords(self.vectors)
        self._parser = SrlParser()
        self._masses = default_masses()
        if sentences is not None:
            self._options["sentences"] = check_sentences(sentences, "sentences")
            self._masses = self._counted(self._options["sentences"])

    @property
    def space(self) -> str:
        """The word vectors, the parser, and a hash of the masses."""
        return f"synwmd {self._words.space} {self._parser.version} {self._digest}"

    @cached_property
    def _digest(self) -> str:
        text = "\n".join(f"{word} {mass:.9g}" for word, mass in sorted(self._masses.items()))
        return hashlib.blake2b(text.encode("utf8", "replace"), digest_size=6).hexdigest()

    def similarity_pairwise(
        self, a: TokenBatch | Iterable[str], b: TokenBatch | Iterable[str]
    ) -> Floats:
        """Score each sentence of a against the one at the same place in b: float64 (n,).

        Lists are encoded and scored some at a time. Raises ``InputError`` where a and b are not
        equally long.
        """
        if isinstance(a, Encoded) or isinstance(b, Encoded):
            return super().similarity_pairwise(a, b)
        return pairwise_in_chunks(self, a, b, _PAIRS)

    def explain(self, s1: str, s2: str) -> Explanation:
        """The score of two sentences, a row for each two words between which mass is moved."""
        sentences = check_sentences([s1, s2])
        batch = self.encode(sentences)
        x, y = batch[:1], batch[1:]
        score = float(self._pairwise(x, y)[0])
        pair = (sentences[0], sentences[1])
        if not len(x.vector) or not len(y.vector):
            row = RoleRow.whole(sentences, score)
            return Explanation(
                self.info.name, pair, (row,), note="A sentence has no words to move."
            ).with_score(score)
        mover = _Mover(_longest(x, y))
        cosine, moved = mover.flow(_sides(x)[0], _sides(y)[0])
        first, second = _nodes(x), _nodes(y)
        rows = []
        for i, j in np.argwhere(moved > 0).tolist():
            weight, value = float(moved[i, j]), float(cosine[i, j])
            rows.append(RoleRow("word", first[i], second[j], value, weight, weight * value))
        note = "A row's weight is the mass that is moved, its cosine that of words and subtrees."
        explanation = Explanation(
            self.info.name, pair, tuple(rows), vectors=self.vectors.name, note=note
        )
        return explanation.with_score(score)

    def _counted(self, sentences: list[str]) -> dict[str, float]:
        graph = WordGraph()
        for tree in self._parser.trees(sentences):
            graph.add([tree.word(i).lower() for i in range(len(tree))], tree.heads)
        return graph.masses()

    def _encode(self, sentences: list[str]) -> TokenBatch:
        read = [PlainText.typed(text) for text in sentences]
        trees = self._parser.trees(sentences)
        kept = [_words_of(tree) for tree in trees]
        words = [tree.word(i) for tree, places in zip(trees, kept, strict=True) for i in places]
        unit = unit_rows(self._words.texts(words)).astype(np.float64)
        weight = np.array([self._masses.get(word.lower(), _RAREST) for word in words], np.float64)
        ends = np.cumsum([0, *map(len, kept)])
        vectors = np.zeros((len(words), 2 * self.vectors.dim), dtype=np.float32)
        spans = np.zeros((len(words), 2), dtype=np.int64)
        for k, (tree, places) in enumerate(zip(trees, kept, strict=True)):
            part = slice(ends[k], ends[k + 1])
            context = _context(tree, places, unit[part], weight[part])
            vectors[part] = np.hstack([unit[part], context]) * np.sqrt(0.5)
            if places:
                spans[part] = [read[k].outside((tree.starts[i], tree.ends[i])) for i in places]
        tokens = Ragged(ends, {"vector": vectors, "weight": weight, "span": spans})
        return TokenBatch(tokens, texts=sentences, space=self.space)

    def _pairwise(self, a: TokenBatch, b: TokenBatch) -> Floats:
        a.check(b)
        mover = _Mover(_longest(a, b))
        pairs = zip(_sides(a), _sides(b), strict=True)
        return np.array([mover.score(x, y) for x, y in pairs], dtype=np.float64)

    def _matrix(self, a: TokenBatch, b: TokenBatch) -> npt.NDArray[np.float32]:
        a.check(b)
        mover, others = _Mover(_longest(a, b)), _sides(b)
        out = np.zeros((len(a), len(b)), dtype=np.float32)
        for row, x in zip(out, _sides(a), strict=True):
            row[:] = [mover.score(x, y) for y in others]
        return out


class _Side(NamedTuple):
    """A sentence: the vectors of its words, the units that they carry, and its text."""

    vector: npt.NDArray[np.float32]
    units: npt.NDArray[np.int64]
    text: str


class _Mover:
    """Scratch arrays for moving the masses of two sentences of up to so many words."""

    def __init__(self, size: int) -> None:
        from compsim.kernels.transport import UNITS, move_units, workspace

        self._units, self._move = UNITS, move_units
        self._cost, *self._scratch = workspace(size)

    def score(self, x: _Side, y: _Side) -> float:
        """1 less the least cost of moving one sentence to the other."""
        n, m = len(x.vector), len(y.vector)
        if not n or not m:
            return float(not n and not m and same_text(x.text, y.text))
        flow, u, v, reach, via = self._scratch
        np.subtract(1.0, _cosines(x, y), out=self._cost[:n, :m])
        via[2, :n], via[3, :m] = x.units, y.units
        return 1.0 - float(self._move(self._cost, n, m, flow, u, v, reach, via)) / self._units

    def flow(self, x: _Side, y: _Side) -> tuple[Floats, Floats]:
        """Return similarities of each two words of two sentences, and the mass moved."""
        self.score(x, y)
        units = self._scratch[0][: len(x.vector), : len(y.vector)]
        return _cosines(x, y).astype(np.float64), units / self._units


def _sides(batch: TokenBatch) -> list[_Side]:
    """Return the sentences of a batch."""
    from compsim.kernels.transport import whole_units

    ends = batch.indptr.tolist()
    return [
        _Side(batch.vector[i:j], whole_units(batch.weight[i:j]), text)
        for i, j, text in zip(ends[:-1], ends[1:], batch.texts, strict=True)
    ]


def _longest(a: TokenBatch, b: TokenBatch) -> int:
    """The words of the sentence that has most."""
    return max(int(np.diff(batch.indptr).max(initial=1)) for batch in (a, b))


def _cosines(x: _Side, y: _Side) -> npt.NDArray[np.float32]:
    """Return cosines of each two words, by themselves and in context, float32 (n, m)."""
    result: npt.NDArray[np.float32] = np.clip(x.vector @ y.vector.T, -1.0, 1.0)
    return result


def _words_of(tree: Tree) -> list[int]:
    """The tokens that are words, the first so many."""
    return [i for i in range(len(tree)) if is_word(tree.word(i))][:_LONGEST]


def _context(tree: Tree, places: Sequence[int], unit: Floats, weight: Floats) -> Floats:
    """The mean of the subtrees, each of unit length, that each word stands in, (words, dim)."""
    number = {place: k for k, place in enumerate(places)}
    total, count = np.zeros_like(unit), np.zeros(len(places))
    for below in _subtrees(tree):
        inside = [number[i] for i in below if i in number]
        mean = weight[inside] @ unit[inside]
        length = float(np.linalg.norm(mean))
        if length > 0:
            total[inside] += mean / length
            count[inside] += 1
    alone = count == 0
    total[alone], count[alone] = unit[alone], 1
    context: Floats = total / count[:, None]
    return context


def _subtrees(tree: Tree) -> Iterator[list[int]]:
    """Each token with what is at most one, two and three steps below it, while that grows."""
    kids = tree.children()
    for top in range(len(tree)):
        below, level = [top], [top]
        for _ in range(_DEPTH):
            level = [kid for i in level for kid in kids[i]]
            if not level:
                break
            below = [*below, *level]
            yield below


def _nodes(batch: TokenBatch) -> list[Node]:
    """The words of a batch of one as nodes with their place in the text."""
    spans: Any = batch.tokens.columns["span"].tolist()
    words = batch.words(0)
    return [Node(word, (start, stop)) for word, (start, stop) in zip(words, spans, strict=True)]
