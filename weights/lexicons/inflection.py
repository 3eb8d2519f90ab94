"""Word forms and their lemmas, from the tables of the shipped lemmatizer.

A form has the lemmas that the table of exceptions gives it ("won": win), or else the likeliest of
its base forms (:func:`compsim.vectors.words.lemma_candidates`) that the table of lemmas lists.

>>> tables = Tables({"verb": {"won": ["win"]}}, {"verb": {"win", "close"}, "adj": {"close"}})
>>> sorted(forms(["win", "won", "wins", "close", "closer"], tables))
[('closer', 'close'), ('wins', 'win'), ('won', 'win')]
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from compsim.vectors.words import lemma_candidates

__all__ = ["Tables", "forms", "read_tables"]

_ENDINGS: Final = {"verb": ("s", "ed", "ing"), "noun": ("s",)} | dict.fromkeys(
    ("adj", "adv"), ("er", "est")
)


@dataclass(frozen=True, slots=True)
class Tables:
    """``exceptions[part of speech][form]`` are lemmas, ``lemmas[part of speech]`` all lemmas."""

    exceptions: dict[str, dict[str, list[str]]]
    lemmas: dict[str, set[str]]


def read_tables() -> Tables:
    """The English tables of the package spacy-lookups-data."""
    import spacy_lookups_data

    folder = Path(spacy_lookups_data.__file__).parent / "data"
    exceptions, lemmas = (
        json.loads(gzip.decompress((folder / f"en_lemma_{name}.json.gz").read_bytes()))
        for name in ("exc", "index")
    )
    return Tables(exceptions, {part: set(listed) for part, listed in lemmas.items()})


def forms(words: Collection[str], tables: Tables) -> Iterator[tuple[str, str]]:
    """Each word of ``words`` with each of its lemmas among them."""
    known = set(words)
    for word in words:
        lemmas = dict.fromkeys(_lemmas(word, tables))
        yield from ((word, lemma) for lemma in lemmas if lemma != word and lemma in known)


def _lemmas(word: str, tables: Tables) -> Iterator[str]:
    bases = lemma_candidates(word)
    for part, listed in tables.lemmas.items():
        irregular = tables.exceptions.get(part, {}).get(word, [])
        regular = [base for base in bases if base in listed and word.endswith(_ENDINGS[part])]
        # The likeliest base only: "hoping" is of hope, though "hop" is a verb as well.
        yield from irregular or regular[:1]
