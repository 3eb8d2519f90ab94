"""Forms of English words: verbs by lemminflect, pronouns by a table.

>>> verb_form("chase", "VBZ"), verb_form("give", "VBN"), verb_form("stop", "VBG")
('chases', 'given', 'stopping')
>>> nominative("him"), accusative("They"), accusative("Anna")
('he', 'them', 'Anna')
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final

from compsim.errors import MissingExtraError
from compsim.missing import install_command

__all__ = ["PRONOUNS", "accusative", "nominative", "verb_form"]

#: The subject form of the personal pronouns, by their object form.
_NOMINATIVE: Final = {
    "me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "it": "it", "you": "you",
}  # fmt: skip
_ACCUSATIVE: Final = {subject.lower(): other for other, subject in _NOMINATIVE.items()}
#: Personal pronouns in either form, in lower case.
PRONOUNS: Final = frozenset(_NOMINATIVE) | frozenset(_ACCUSATIVE)

#: What lemminflect 0.2.3 gives otherwise than American English has it first.
_CORRECTED: Final = {
    ("babysit", "VBD"): "babysat", ("babysit", "VBN"): "babysat",
    ("bear", "VBN"): "borne",
    ("broadcast", "VBD"): "broadcast", ("forecast", "VBD"): "forecast",
    ("lie", "VBN"): "lain",
    ("program", "VBD"): "programmed", ("program", "VBN"): "programmed",
    ("prove", "VBN"): "proven",
    ("quit", "VBN"): "quit",
    ("weave", "VBD"): "wove",
}  # fmt: skip


@cache
def verb_form(lemma: str, tag: str) -> str:
    """The form of a verb, "" where none is known; ``tag``: VB, VBD, VBG, VBN, VBP or VBZ.

    Raises ``MissingExtraError`` where lemminflect is not installed.
    """
    if tag in ("VB", "VBP"):
        return lemma
    entry = _CORRECTED.get((lemma, tag))
    if entry is None:
        forms = _library().getInflection(lemma, tag)
        entry = str(forms[0]) if forms else ""
    return entry


def _library() -> Any:
    try:
        return import_module("lemminflect")
    except ImportError as error:
        raise MissingExtraError(
            "rewriting sentences needs lemminflect, which is not installed: run "
            f"{install_command('bench')}",
            name="lemminflect",
        ) from error


def nominative(word: str) -> str:
    """A pronoun as a subject; any other word as it is."""
    return "I" if word == "i" else _NOMINATIVE.get(word.lower(), word)


def accusative(word: str) -> str:
    """A pronoun as an object; any other word as it is."""
    return _ACCUSATIVE.get(word.lower(), word)
