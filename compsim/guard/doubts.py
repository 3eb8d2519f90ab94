"""Texts of which nothing is decided, and why: blank ones, other languages, code.

>>> doubt(" \\n"), doubt("The dog bit the man.")
('is blank', '')
>>> doubt("Wie spät ist es und wo ist der Bahnhof?"), doubt("Где вокзал?")
('is not in English', 'is not in English')
>>> doubt("for (int i = 0; i < n; i++) { sum += a[i]; }")
'is code'
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from compsim.plain_text import plain
from compsim.storage.places import weights_folder
from compsim.storage.reading import parse_toml, read_text

__all__ = ["LONG", "doubt", "is_long"]

#: A text of more words is compared sentence by sentence.
LONG: Final = 160
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
#: What natural language does not have; two are enough, and one of the second kind.
_SIGNS: Final = re.compile(
    r"[{};]\s*$|=>|->|==|!=|[-+*]=|\+\+|&&|\|\||::|</?\w+[^<>]*>|\b\w+\([^()\s]*\)|\w\[\w+\]|^\s*[{}]"
    r"|\w\s=\s[\w\"'(\[]",
    re.MULTILINE,
)
_CERTAIN: Final = re.compile(
    r"^\s*(?:def \w+\(|class \w+[:({]|import \w+(?:\.\w+)*;?$|from [\w.]+ import |#include\b"
    r"|(?:public|private|static) [\w<>\[\]]+ \w+\(|function \w*\(|(?:const|let|var) \w+ ?="
    r"|select\b.+\bfrom \w+|insert into \w+|if \(.+\) ?\{|for \(.+\) ?\{)",
    re.MULTILINE | re.IGNORECASE,
)
#: Texts with fewer words are too short to tell a language by their words.
_ENOUGH: Final = 3
#: The share of letters that are not Latin in a text of another language.
_FOREIGN: Final = 0.5
_LATIN: Final = "\u024f"


@lru_cache(maxsize=1 << 14)
def doubt(text: str) -> str:
    """Return why nothing is decided of a text, as what is said of it; empty where that is not so.

    >>> doubt("What does the SELECT statement do?")
    ''
    """
    if not any(map(str.isalnum, text)):
        return "is blank" if not plain(text) else "has no word"
    if _CERTAIN.search(text) or len(_SIGNS.findall(text)) > 1:
        return "is code"
    letters = [letter for letter in text if letter.isalpha()]
    if sum(letter > _LATIN for letter in letters) > _FOREIGN * len(letters):
        return "is not in English"
    words = [word.replace("\u2019", "'") for word in _WORD.findall(text.lower())]
    english, others = _function_words()
    ours, theirs = (sum(word in known for word in words) for known in (english, others))
    if len(words) >= _ENOUGH and theirs > ours + (len(words) > 2 * _ENOUGH):
        return "is not in English"
    return ""


def is_long(text: str) -> bool:
    """Return whether a text is compared sentence by sentence."""
    return len(text) > 2 * LONG and len(text.split()) > LONG


@cache
def _function_words() -> tuple[frozenset[str], frozenset[str]]:
    """Function words of English, and of other languages."""
    file = weights_folder() / "languages.toml"
    data = parse_toml(read_text(file), str(file))
    return frozenset(data["english"].split()), frozenset(data["others"].split())
