"""A text without what nobody sees in it, and the way back to the text as it was.

A line break, a tab, two spaces for one, a zero-width space or a soft hyphen say nothing about what
a sentence means, but models take them for words. What reads a text for its meaning reads it
plain: each stretch of white space is one space, there is none at the ends, and characters without
a width are left out. Offsets lead from the plain text to the original and back:

>>> plain = PlainText.of(" The\\n dog\\u200b barks.")
>>> plain.text, plain.outside((4, 7)), plain.inside((6, 9))
('The dog barks.', (6, 9), (4, 7))
>>> plain.original[6:9]
'dog'

Parsers read typographic quotes and dashes as a typewriter has them, too, and neither pictographs
nor the bullet, dash or quotation marks around a whole text:

>>> PlainText.typed("She didn\\u2019t \\u2013 he did.").text
"She didn't -- he did."
>>> PlainText.typed("\\u2022 The dog bit him \\U0001F602!").text
'The dog bit him!'

and without what chat puts before a sentence:

>>> PlainText.typed("omg the dog bit him").text, PlainText.typed("LOL is a word").text
('the dog bit him', 'LOL is a word')
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

__all__ = ["INVISIBLE", "UNSAFE", "PlainText", "plain"]

#: Characters without a width: soft hyphen, zero-width space, joiners, direction and order marks.
INVISIBLE: Final = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2066\u2067\u2068\u2069\ufeff"
)
#: What would move a cursor, break a line, turn the direction of what follows, or not be UTF-8.
UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_TYPED: Final = {
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\uff07", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\uff02", '"'),
    **dict.fromkeys("\u2010\u2011", "-"),
    **dict.fromkeys("\u2014\u2015", "--"),
}
#: Pictographs, most of the emoji of Unicode's Technical Standard 51: what is no letter, number or
#: bracket in the blocks of watches and keys, symbols and dingbats, stars, and the planes of
#: pictures, with their flags, skin tones and tags.
_PICTURES: Final = (
    "\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u2600-\u2767\u2794-\u27bf"
    "\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\U0001f000-\U0001f0ff\U0001f1e6-\U0001f1ff"
    "\U0001f300-\U0001faff\U000e0020-\U000e007f"
)
_PICTOGRAPHS: Final = re.compile(rf" ?(?:[{_PICTURES}][\ufe0f\u20e3 ]*)+")
#: What marks an item of a list or a line of a dialogue, before its first word.
_BULLETS: Final = "*>\xb7\xbb\u2013\u2014\u2022\u2023\u2043\u25aa\u25cf\u25e6-"
_BULLET: Final = re.compile(rf"\A(?:(?:[{_BULLETS}]+ +)+|[\u2014\u2022]+)(?=\D)")
#: A whole text in quotation marks, or one that is opened and not closed.
_QUOTED: Final = re.compile(r'\A" ?(?=[^"]+"?\Z)|(?<=[^" ]) ?"\Z')
#: Interjections that taggers of written English take for verbs (Quirk et al. 1985, 11.54), before a
#: sentence: not as a word that something is said of ("LOL is").
_INTERJECTION: Final = re.compile(
    r"^(?:omf?g|lol|lmf?ao|rofl|wtf|smh|tbh|imh?o|ugh|argh|haha|hehe)\b[,.!]* "
    r"(?=\w+ +\w)(?!(?:is|was|means?|stands?|can|and|or)\b)",
    re.IGNORECASE,
)
_UNEVEN: Final = re.compile(rf"[^\S ]|  |\A | \Z|[{INVISIBLE}]")
_GAP: Final = re.compile(rf"[\s{INVISIBLE}]+")
_WORD: Final = re.compile(r"[\w.,:]+")
_TYPOGRAPHIC: Final = re.compile(rf"[\u2013{''.join(_TYPED)}]")


def plain(text: str) -> str:
    """The text with one space for each stretch of white space, and no invisible character."""
    return PlainText.of(text).text


class PlainText(NamedTuple):
    """A text as it is read: ``text``, made from ``original``.

    ``places`` are the offsets in the original where what each character stands for begins, ``ends``
    where it ends, both None where the two texts are equal.
    """

    text: str
    original: str
    places: Sequence[int] | None = None
    ends: Sequence[int] | None = None

    @classmethod
    def of(cls, text: str) -> PlainText:
        """A text with its white space evened out."""
        if _is_even(text) or _UNEVEN.search(text) is None:
            return cls(text, text)
        return cls(text, text).replaced(_GAP, _gap)

    @classmethod
    def typed(cls, text: str) -> PlainText:
        """The same as it is parsed: see above."""
        result = cls.of(text)
        if not text.isascii():
            if _PICTOGRAPHS.search(result.text) is not None:
                result = result._without(_PICTOGRAPHS, _picture)
            if _BULLET.match(result.text) is not None:
                result = result._without(_BULLET, _nothing)
            if _TYPOGRAPHIC.search(result.text) is not None:
                result = result.replaced(_TYPOGRAPHIC, _typed)
        elif _BULLET.match(result.text) is not None:
            result = result._without(_BULLET, _nothing)
        if result.text.startswith('"') and _QUOTED.match(result.text) is not None:
            result = result._without(_QUOTED, _nothing)
        if _INTERJECTION.match(result.text) is not None:
            result = result._without(_INTERJECTION, _nothing)
        return result

    def outside(self, span: tuple[int, int]) -> tuple[int, int]:
        """Map a span ``[start, end)`` of the text to the original."""
        start, end = span
        if self.places is None or self.ends is None:
            return span
        if start >= len(self.places):
            return len(self.original), len(self.original)
        first = self.places[start]
        return first, self.ends[end - 1] if end > start else first

    def inside(self, span: tuple[int, int]) -> tuple[int, int]:
        """Map a span ``[start, end)`` of the original to the text."""
        if self.places is None:
            return span
        return bisect_left(self.places, span[0]), bisect_left(self.places, span[1])

    def _without(
        self, pattern: re.Pattern[str], instead: Callable[[re.Match[str]], str]
    ) -> PlainText:
        """The text without what a pattern finds; the same where no word is left."""
        result = self.replaced(pattern, instead)
        return result if any(map(str.isalnum, result.text)) else self

    def replaced(
        self, pattern: re.Pattern[str], instead: Callable[[re.Match[str]], str]
    ) -> PlainText:
        """Return the text with what a pattern finds replaced; the same where it finds nothing.

        Each word of what is put in stands for the whole of what was found, or, where as many words
        were found, for the one in its place.
        """
        length = len(self.text)
        before = range(length) if self.places is None else self.places
        after = range(1, length + 1) if self.ends is None else self.ends
        pieces: list[str] = []
        places: list[int] = []
        ends: list[int] = []
        done = 0
        for match in pattern.finditer(self.text):
            start, end = match.span()
            new = instead(match)
            if new == match[0]:
                continue
            pieces += self.text[done:start], new
            places += before[done:start]
            ends += after[done:start]
            for i, j in _sources(match[0], new):
                places.append(before[start + i])
                ends.append(after[start + j - 1])
            done = end
        if not pieces:
            return self
        pieces.append(self.text[done:])
        places += before[done:]
        ends += after[done:]
        return PlainText("".join(pieces), self.original, places, ends)


def _sources(results: str, new: str) -> Iterator[tuple[int, int]]:
    """For each character of a replacement the part of what was found that its word stands for."""
    words, old = list(_WORD.finditer(new)), [word.span() for word in _WORD.finditer(results)]
    parts = old if len(old) == len(words) else [(0, len(results))] * len(words)
    at = 0
    for word, part in zip(words, parts, strict=True):
        yield from [(0, len(results))] * (word.start() - at)
        yield from [part] * len(word[0])
        at = word.end()
    yield from [(0, len(results))] * (len(new) - at)


def _is_even(text: str) -> bool:
    """Return whether a text has no white space to even out, seen at a glance as in most texts."""
    return text.isascii() and text.isprintable() and "  " not in text and text == text.strip()


def _gap(match: re.Match[str]) -> str:
    within = match.start() > 0 and match.end() < len(match.string)
    return " " if within and any(map(str.isspace, match[0])) else ""


def _nothing(_: re.Match[str]) -> str:
    return ""


def _picture(match: re.Match[str]) -> str:
    """Nothing at the ends and before a mark that closes, else a space."""
    after = match.string[match.end() : match.end() + 1]
    return " " if match.start() > 0 and after and after not in ".,;:!?)" else ""


def _typed(match: re.Match[str]) -> str:
    """An en dash beside a space is a dash, one between numbers or words a hyphen."""
    text, (start, end) = match.string, match.span()
    apart = " " in text[max(0, start - 1) : end + 1] or start == 0 or end == len(text)
    return _TYPED.get(match[0]) or ("--" if apart else "-")
