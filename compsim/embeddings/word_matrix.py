"""The cosine of two means of token states, as what each pair of words adds to it.

The cosine of two means is the sum over all pairs of tokens of the product of their states, divided
by the numbers of tokens and the lengths of the means. Tokens of one word are added up, so a word of
several pieces has one row, and counts as often as it has pieces.

>>> word_starts("Don't go, Tom!")
[0, 0, 0, 0, 0, 5, 6, 6, 8, 9, 10, 10, 10, 13]
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.explanation import MatrixWord, WordMatrix
from compsim.graph import Span
from compsim.plain_text import PlainText
from compsim.transformers.token_places import TokenPlaces

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = ["TokenSum", "explain_by_words", "word_matrix", "word_starts"]


class TokenSum(NamedTuple):
    """A sentence as the tokens whose mean its vector is.

    ``states`` float64 (tokens, dim); ``tokens`` those that the model read, ``places`` which of them
    the states are of. The model read ``lead``, a prompt, then ``text``; ``single`` says that it
    takes one token for all.
    """

    states: npt.NDArray[np.float64]
    tokens: TokenPlaces
    places: Sequence[int]
    text: PlainText
    lead: str = ""
    single: bool = False

    def words(self) -> tuple[tuple[MatrixWord, ...], npt.NDArray[np.float64]]:
        """The words in their order, and what each is of the unit vector, float64 (words, dim)."""
        starts = (word_starts(self.lead), word_starts(self.text.text))
        places: dict[tuple[str, int], int] = {}
        results: list[tuple[str, int, Span | None]] = []
        own = []
        for place in self.places:
            kind, span = self._place(place)
            # What stands nowhere is a word by itself.
            key = ("token", place)
            if span is not None:
                key = (kind, starts[kind == "word"][span[0]])
            if key not in places:
                places[key] = len(results)
                results.append((kind, place, span))
            else:
                before = results[places[key]][2]
                assert before is not None
                assert span is not None
                joined = min(before[0], span[0]), max(before[1], span[1])
                results[places[key]] = (kind, place, joined)
            own.append(places[key])
        sums = np.zeros((len(results), self.states.shape[1]))
        np.add.at(sums, own, self.states / len(self.states))
        length = float(np.linalg.norm(self.states.mean(axis=0)))
        named = tuple(self._word(*word) for word in results)
        return named, sums / length if length else sums

    def _place(self, place: int) -> tuple[str, Span | None]:
        """The kind of a token, and its characters in the text or in the prompt."""
        span = self.tokens.spans[place]
        if self.tokens.special[place]:
            return "special", None
        if span is None:
            return "word", None
        start, stop = span
        whole = self.lead + self.text.text
        while start < len(whole) and whole[start].isspace():
            start += 1
        stop = max(start + 1, stop)
        begin, end = len(self.lead), len(whole)
        if start >= end:  # what is put behind every text
            return "special", None
        if start < begin:
            return "prompt", (start, min(stop, begin))
        return "word", (start - begin, min(stop, end) - begin)

    def _word(self, kind: str, place: int, span: Span | None) -> MatrixWord:
        if span is None:
            return MatrixWord(self.tokens.names[place], None, kind)  # type: ignore[arg-type]
        if kind == "prompt":
            return MatrixWord(self.lead[slice(*span)], None, "prompt")
        start, stop = self.text.outside(span)
        return MatrixWord(self.text.original[start:stop], (start, stop))


def explain_by_words(
    sentences: Sequence[str],
    read: Callable[[PlainText], TokenSum],
    why_not: str,
    normalizer: Normalizer | None,
) -> tuple[WordMatrix | None, str]:
    """The word matrix of two sentences, None where there is none, and what has to be said of it.

    ``read`` gives the tokens of a sentence; ``why_not`` says why the model's vectors are no means
    over tokens, empty where they are.
    """
    if why_not:
        return None, f"The score cannot be told word by word: {why_not}."
    texts = list(map(PlainText.of, sentences))
    if not all(text.text for text in texts):
        return None, "A sentence is blank, so there are no pairs of words."
    sums = list(map(read, texts))
    if not all(len(item.states) for item in sums):
        return None, "The model reads none of the words of a sentence, so there are no pairs."
    notes = []
    if sums[0].single:
        name = sums[0].tokens.names[sums[0].places[0]]
        notes.append(f"The model takes the state of one token, {name}, for all: one cell.")
    if not all(item.tokens.located for item in sums):
        notes.append("The tokenizer does not tell where its tokens stand, so each is a word.")
    for number, item in enumerate(sums, 1):
        if item.tokens.cut:
            notes.append(
                f"The model reads {len(item.tokens.names)} tokens: sentence {number} is "
                "longer, and the rest of it does not count."
            )
    if normalizer is not None:
        if normalizer.flow is not None:
            return None, "The score cannot be told word by word: a flow is no linear map."
        # An affine map of a mean is the mean of what it makes of each state.
        sums = [item._replace(states=normalizer.moved(item.states)) for item in sums]
        notes.append(f"What {normalizer.kind} does to a sentence is done to each of its tokens.")
    return word_matrix(*sums), " ".join(notes)


def word_matrix(first: TokenSum, second: TokenSum) -> WordMatrix:
    """Return each word pair's share in the cosine of the two means; zeros if a mean is zero."""
    (rows, x), (columns, y) = first.words(), second.words()
    return WordMatrix(rows, columns, tuple(map(tuple, (x @ y.T).tolist())))


def word_starts(text: str) -> list[int]:
    """For each character of a text, where the word begins that it is part of.

    Punctuation at the ends of a word, white space and Chinese or Japanese characters are words each
    by itself.
    """
    starts = list(range(len(text)))
    low = 0
    while low < len(text):
        high = low
        while high < len(text) and _joins(text[high]):
            high += 1
        inner = [i for i in range(low, high) if unicodedata.category(text[i])[0] not in "PS"]
        if inner:
            starts[inner[0] : inner[-1] + 1] = [inner[0]] * (inner[-1] + 1 - inner[0])
        low = max(high, low + 1)
    return starts


def _joins(character: str) -> bool:
    """Return whether a character belongs to one word with its neighbours."""
    if character.isspace():
        return False
    return not ("\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff")
