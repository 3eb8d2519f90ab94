"""What a query leaves out: "rivers of France, but not the Seine" asks for the rest of them.

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
from typing import Final, NamedTuple

from compsim.plain_text import plain

__all__ = ["Query", "exclusions"]

#: Verbs of leaving out, where they are told: "(exclude ...", "but avoid ...".
_TOLD: Final = (
    r"(?:do\s+not|don't|don\u2019t|never)\s+(?:mention|include|discuss|cover|consider|add|describe|"
    r"show|list|refer\s+to|talk\s+about|speak\s+of)|exclude|omit|avoid|ignore|disregard|leave\s+out"
)
#: "Wings without flaps" are a kind of wings; "without mentioning flaps" leaves them out.
_SAYING: Final = (
    r"(?=\s+(?:any\s+)?(?:mention|referr?|reference|discuss|includ|cover|consider|describ|talking"
    r"|speaking))"
)
_PREPOSITION: Final = (
    rf"without{_SAYING}|excluding|omitting|avoiding|ignoring|disregarding|leaving\s+out|"
    r"not\s+including|except(?:ing)?(?:\s+for)?|with\s+the\s+exception\s+of|other\s+than|"
    r"apart\s+from|aside\s+from|but\s+not|exclusive\s+of"
)
#: What stands between those and what is left out, and says nothing of it.
_IDLE: Final = (
    r"(?:\s+(?:any|mention(?:s|ing)?|references?|referring|discussi(?:on|ng|ons)|discussing|"
    r"including|covering|considering|describing|of|to|about))*"
)
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
    """What a query asks for, and phrases for what it leaves out."""

    wanted: str
    excluded: tuple[str, ...] = ()


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
