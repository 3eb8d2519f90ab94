"""Contrasts: texts that differ in one wording alone, which is then the point of the difference.

Whoever says the same in other words changes many of them. Where two texts are word for word alike
but for one place, and neither spelling nor the lexicon makes its two wordings one, they are seldom
meant to be the same: "the nurse paid", "the porter paid".

>>> from compsim.parsers import load
>>> first, second, other = load("concepts").parse(
...     ["The nurse paid for tea.", "The porter paid for tea.", "It was the nurse who paid for it."]
... )
>>> result = contrast(words_of(first), words_of(second))
>>> round(result.strength, 2), result.first, result.second
(1.0, ((4, 9),), ((4, 10),))
>>> contrast(words_of(first), words_of(other)).strength < 0.5
True
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple

from compsim.comparison.batch import contrast_of
from compsim.comparison.concepts import spelled_out
from compsim.graph import RoleGraph
from compsim.graph.nodes import Span
from compsim.guard.normal_form import reading
from compsim.kernels.cosine import unit_rows
from compsim.plain_text import PlainText
from compsim.vectors.all_words import AllWords
from compsim.vectors.measures import measured
from compsim.vectors.relations import Kind, Relations
from compsim.vectors.word_vectors import WordVectors

__all__ = ["NONE", "Contrast", "Word", "contrast", "words_of"]

_WORD: Final = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*|[%$\u20ac\u00a3]")
#: Words that come and go with the structure of a sentence.
_STRUCTURE: Final = frozenset((
    "a", "an", "the", "of", "just", "please", "that", "there", "it", "to", "which", "who", "whom",
    "whose", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "has",
    "have", "had", "will", "would",
))  # fmt: skip
#: Words of a place at most: a longer one is another way to say it.
_LONGEST: Final = 2
#: How alike two words are by what the lexicon says of them; 0 for any other relation.
_ALIKE: Final = {
    Kind.SAME: 1.0, Kind.SYNONYM: 1.0, Kind.DERIVED: 1.0, Kind.SIMILAR: 0.5,
    Kind.NARROWER: 0.5, Kind.WIDER: 0.5,
}  # fmt: skip


#: The cosine of unrelated words, and how alike two words are at most by their vectors alone. Of the
#: pairs of the fit that differ in one word (``choose_guard``), those that say the same are told
#: from others with a mean area of .821; by the lexicon alone with .795.
_UNRELATED, _BY_VECTORS = 0.2, 0.4


class Word(NamedTuple):
    """A word of a text: its lemma, or how it is written, and where it stands."""

    form: str
    span: Span


class Contrast(NamedTuple):
    """The wordings that stand against each other, and how much, 0 to 1."""

    strength: float
    first: tuple[Span, ...]
    second: tuple[Span, ...]


#: Nothing stands against anything.
NONE: Final = Contrast(0.0, (), ())


def words_of(graph: RoleGraph) -> tuple[Word, ...]:
    """Return the words of a parsed text that carry what it says, in their order."""
    text = measured(PlainText.of(graph.text))
    # A number and its unit may have been made of one word, as of "noon".
    lemmas: defaultdict[Span, deque[str]] = defaultdict(deque)
    for node in graph.nodes:
        if len(node.spans) == 1:
            lemmas[node.spans[0]].append(node.feature("lemma") or node.label)
    words = []
    for match in _WORD.finditer(text.text):
        span = text.outside(match.span())
        known = lemmas[span]
        forms = _forms(match[0], known.popleft() if known else None)
        words += [Word(form, span) for form in forms]
    return tuple(words)


def contrast(first: Sequence[Word], second: Sequence[Word]) -> Contrast:
    """Return the wording in which alone two texts differ.

    Args:
        first: The words of a text.
        second: Those of another.

    Returns:
        The strongest of the places where one wording stands for another, none for texts with fewer
        than half of the words in common. Its strength is how unlike the two are, over the square of
        the number of places where the texts differ.
    """
    one, two = [word.form for word in first], [word.form for word in second]
    if not one or not two or 2 * len({*one} & {*two}) < min(len({*one}), len({*two})):
        return NONE
    changes = [
        change
        for change in SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
        if change[0] != "equal"
    ]
    best = NONE
    for kind, i, j, k, n in changes:
        if kind == "replace" and j - i <= _LONGEST and n - k <= _LONGEST:
            unlike = 1.0 - max(_likenesses(one[i:j], two[k:n]))
            if unlike > best.strength:
                best = Contrast(unlike, _spans(first[i:j]), _spans(second[k:n]))
    return best._replace(strength=best.strength / max(1, len(changes)) ** 2)


def _forms(written: str, lemma: str | None) -> Iterator[str]:
    """The words of a written one, without those of structure."""
    if lemma is not None:
        yield lemma.lower()
        return
    for word in reading(written.lower().replace("\u2019", "'")).split():
        if word not in _STRUCTURE and word.isalnum():
            yield word


def _likenesses(first: Sequence[str], second: Sequence[str]) -> Iterator[float]:
    """Yield the similarity of two wordings as a whole and word by word."""
    yield _likeness("_".join(first), "_".join(second))
    for one, two in product(first, second):
        yield _likeness(one, two)


@lru_cache(maxsize=1 << 16)
def _likeness(first: str, second: str) -> float:
    """Return the similarity of two words: by the lexicon, or a little by their vectors."""
    one, two = contrast_of(first), contrast_of(second)
    if one[0] and one[0] == two[0]:
        return float(one[1] == two[1])
    kind, strength = Relations.open().relation(first, second)
    if kind in (Kind.SISTER, Kind.ANTONYM):
        return 0.0
    x, y = unit_rows(_vectors().texts([spelled_out(first), spelled_out(second)]).copy())
    near = max(0.0, float(x @ y) - _UNRELATED) / (1.0 - _UNRELATED)
    return max(_ALIKE.get(kind, 0.0) * strength, _BY_VECTORS * near)


@cache
def _vectors() -> AllWords:
    return AllWords(WordVectors.open("builtin"), form=0.0)


def _spans(words: Sequence[Word]) -> tuple[Span, ...]:
    return tuple(word.span for word in words)
