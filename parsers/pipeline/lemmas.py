"""Parts of speech and base forms of words, by their tags.

A tag has one part of speech. Endings are replaced by rule ("ies" by "y"), as long as that gives a
word of the dictionary, and irregular forms are listed; rules, dictionary and irregular forms are
those of spaCy's English lemmatizer, which go back to WordNet's.

>>> from compsim.storage.places import weights_folder
>>> lemmatizer = Lemmatizer.read(weights_folder() / "pipeline" / "lemmas.json")
>>> lemmatizer.form("flies", "VBZ"), lemmatizer.form("Mice", "NNS"), lemmatizer.form("'m", "VBP")
(('VERB', 'fly'), ('NOUN', 'mouse'), ('VERB', 'be'))
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["Lemmatizer"]


class Lemmatizer:
    """Gives words their part of speech and lemma.

    ``tables`` has the part of speech of each tag (``classes``), the tags of ``base`` forms, the
    lemmas that are ``given`` by tag, and by part of speech the ``rules`` (pairs of endings), the
    ``exceptions`` and the ``index`` of words, with spaces between them.
    """

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._classes: dict[str, str] = tables["classes"]
        self._base = frozenset(tables["base"])
        self._given: dict[str, dict[str, str]] = tables["given"]
        self._rules: dict[str, list[tuple[str, str]]] = tables["rules"]
        self._exceptions: dict[str, dict[str, list[str]]] = tables["exceptions"]
        self._index = {pos: frozenset(words.split()) for pos, words in tables["index"].items()}
        #: Lemmas of irregular verb forms.
        self.irregular_verbs = self._exceptions["verb"]
        #: Lemmas of adjectives and nouns, by "adj" and "noun".
        self.dictionary = {pos: self._index[pos] for pos in ("adj", "noun")}

    @classmethod
    def read(cls, path: Path) -> Lemmatizer:
        """Return the lemmatizer of a file. Raises OSError or ValueError where it has none."""
        return cls(json.loads(path.read_text(encoding="utf8")))

    def form(self, word: str, tag: str) -> tuple[str, str]:
        """Return the part of speech of a word with a tag, and its lemma in small letters."""
        pos, word = self._classes.get(tag, ""), word.lower()
        lemma = self._given.get(tag, {}).get(word)
        if lemma is not None:
            return pos, lemma
        if tag in self._base:
            return pos, word
        return pos, self._lemma(word, pos.lower()).lower()

    def _lemma(self, word: str, pos: str) -> str:
        index = self._index.get(pos, frozenset())
        known: list[str] = []
        unknown: list[str] = []
        for old, new in self._rules.get(pos, ()):
            form = word[: len(word) - len(old)] + new if word.endswith(old) else ""
            if form in index:
                known.insert(0, form)
            elif form and not form.isalpha():
                known.append(form)
            elif form:
                unknown.append(form)
        for form in self._exceptions.get(pos, {}).get(word, ()):
            if form not in known:
                known.insert(0, form)
        return (known or unknown or [word])[0]
