"""Spans of phrases in a sentence.

Parsers outside this process answer with phrases, not with offsets, and often with tokens set apart
by spaces.  ``locate`` finds their characters again.

>>> locate("The woman's dog saw the dog.", ["the dog", "The woman 's dog", "cat"])
[(20, 27), (0, 15), None]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

__all__ = ["locate", "token_spans"]


def locate(text: str, phrases: Sequence[str]) -> list[tuple[int, int] | None]:
    """Return for each phrase its character span ``[start, end)`` in ``text``, None if not there.

    Only whole words count.  Exact case is tried before any case, single spaces before any or no
    white space.  Longer phrases choose first and a phrase takes the first place that is still
    free, so the same phrase twice gets two places if there are two.
    """
    results: list[tuple[int, int] | None] = [None] * len(phrases)
    taken: list[tuple[int, int]] = []
    for index in sorted(range(len(phrases)), key=lambda i: -len(phrases[i])):
        places = partial(_places, text, phrases[index].strip())
        free = (p for p in places() if not any(p[0] < end and start < p[1] for start, end in taken))
        place = next(chain(free, places()), None)
        if place is not None:
            taken.append(place)
            results[index] = place
    return results


def token_spans(text: str, tokens: Sequence[str]) -> list[tuple[int, int] | None]:
    """Align tokens, in order, with ``text``: a span for each, None for one that is rewritten."""
    spans: list[tuple[int, int] | None] = []
    cursor = 0
    for token in tokens:
        start = text.find(token, cursor) if token else -1
        # White space alone may lie between neighbours; after a rewritten token, anything may.
        if start < 0 or (spans and spans[-1] is not None and text[cursor:start].strip()):
            spans.append(None)
            continue
        cursor = start + len(token)
        spans.append((start, cursor))
    return spans


def _places(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    if not phrase:
        return
    seen: set[tuple[int, int]] = set()
    for place in chain(_occurrences(text, phrase), _loose_occurrences(text, phrase)):
        if place not in seen:
            seen.add(place)
            yield place


def _occurrences(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        if _whole_words(text, start, end):
            yield start, end
        start = text.find(phrase, start + 1)


def _loose_occurrences(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    words = [re.escape(word) for word in phrase.split()]
    # A phrase with more letters than the text is not in it: its pattern could be of any size.
    if len("".join(phrase.split())) > len(text):
        return
    for gap in (r"\s+", r"\s*"):
        for match in re.finditer(gap.join(words), text, re.IGNORECASE):
            if _whole_words(text, *match.span()):
                yield match.span()


def _whole_words(text: str, start: int, end: int) -> bool:
    before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    after = end < len(text) and text[end - 1].isalnum() and text[end].isalnum()
    return not (before or after)
