"""Exclusions of a query: "rivers of France, but not the Seine" asks for the other rivers.

Sentence vectors take what is excluded for what is asked for, so the two are told apart by what
English says exclusion with: prepositions ("except", "other than"), "but not", participles
("excluding"), and requests not to say something ("don't mention", "without mentioning").

>>> exclusions("Rivers of France (excluding the Seine), but don't mention Paris.")
Query(wanted='Rivers of France.', excluded=('the Seine', 'Paris'))
>>> exclusions("Who did not sleep?")
Query(wanted='Who did not sleep?', excluded=())
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from compsim.errors import InputError
from compsim.plain_text import plain

__all__ = ["Query", "check_exclude", "exclusions"]

#: Saying a thing: "mention", "discuss" and their synonyms (Open English WordNet), and "include".
_SAY: Final = (
    r"mention|cite|name|note|bring\s+up|refer\s+to|discuss|talk\s+about|talk\s+over|include"
)
_SAYING: Final = (
    r"mentioning|citing|naming|noting|bringing\s+up|referring\s+to|discussing|talking\s+about|"
    r"talking\s+over|including"
)
#: Requests: not to say a thing, or "exclude" and its synonyms (Open English WordNet).
_TOLD: Final = (
    rf"(?:do\s+not|don't|don\u2019t|never)\s+(?:{_SAY})|exclude|omit|leave\s+out|leave\s+off"
)
#: Prepositions of exception (Quirk et al. 1985, chapter 9), and the participles of those verbs.
#: "Wings without flaps" are a kind of wings; "without mentioning flaps" leaves them out.
_PREPOSITION: Final = (
    rf"without\s+(?:any\s+mention\s+of|mention\s+of|{_SAYING})|not\s+including|excluding|"
    r"omitting|leaving\s+out|leaving\s+off|except(?:ing)?(?:\s+for)?|save\s+for|barring|"
    r"with\s+the\s+exception\s+of|exclusive\s+of|other\s+than|apart\s+from|aside\s+from|but\s+not"
)
#: What stands between those and what is left out, and says nothing of it.
_IDLE: Final = rf"(?:\s+(?:any|{_SAYING}))*"
_WITHIN: Final = re.compile(
    rf"\s?[(\[]\s?(?:but\s|please\s){{0,2}}(?:{_TOLD}|{_PREPOSITION})\b{_IDLE}\s?"
    r"([^)\]]{0,500})[)\]]",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    rf"(?:\s?[,;.\u2013\u2014-]{{0,3}}\s?\b(?:but|and|please)\s+(?:please\s+)?(?:{_TOLD})"
    rf"|\s?[,;\u2013\u2014-]{{0,3}}\s?(?:\b(?:but|and)\s+)?\b(?:{_PREPOSITION}))\b{_IDLE}"
    r"\s(.{1,500}?)(?=\s?(?:[,;?!)\]]|\.(?:\s|$)|$))",
    re.IGNORECASE,
)


class Query(NamedTuple):
    """Query without its exclusions, and the phrases that it excludes."""

    wanted: str
    excluded: tuple[str, ...] = ()


def check_exclude(exclude: Any) -> None:
    """Raise ``InputError`` for what is no share from 0 to 1, or None."""
    number = isinstance(exclude, int | float) and not isinstance(exclude, bool)
    if exclude is not None and not (number and 0 <= exclude <= 1):
        raise InputError(f"exclude={exclude!r} is not a share from 0 to 1, or None")


def exclusions(query: str) -> Query:
    """Tell apart what a query asks for and what it leaves out.

    A query of which nothing would be left is taken as it is, and so is one without an exclusion.
    """
    excluded: list[str] = []

    def take(match: re.Match[str]) -> str:
        if any(map(str.isalnum, match[1])):
            excluded.append(match[1].strip())
        return ""

    wanted = _AFTER.sub(take, _WITHIN.sub(take, plain(query))).strip()
    if not excluded or not any(map(str.isalnum, wanted)):
        return Query(query)
    return Query(wanted, tuple(excluded))
