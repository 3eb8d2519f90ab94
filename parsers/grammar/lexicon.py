"""Words by class: the lexicon that the grammar's rules refer to.

A file of ``weights/lexicon`` has a row for each word or phrase and class: word, part of speech
(empty for any), class, features (``name=value`` separated by blanks), source.

>>> lexicon = Lexicon.open()
>>> lexicon.feature("preposition", "in front of", "relation")
'behind'
>>> "sit" in lexicon.members("posture")
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Final, NamedTuple

from compsim.errors import DataError
from compsim.storage.places import weights_folder
from compsim.storage.reading import read_text

__all__ = ["Entry", "Lexicon", "lexicon_folder"]

_COLUMNS: Final = ("word", "pos", "class", "features", "source")
#: Set phrases, by all their words, and the class of what they begin with.
_EXPRESSION: Final = "expression"
_OPENING: Final = "opening"


class Entry(NamedTuple):
    """A word or phrase in a class, with its features."""

    word: str
    pos: str
    kind: str
    features: Mapping[str, str]


class Lexicon:
    """The entries of some files, by class and word."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._classes: dict[str, dict[str, Entry]] = {}
        self._contrasts: dict[str, tuple[int, int]] | None = None
        for entry in entries:
            self._classes.setdefault(entry.kind, {})[entry.word] = entry
            if entry.kind == _EXPRESSION:
                first, *rest = entry.word.split()
                # A verb and its particle may be one concept already.
                for word in (first, "_".join((first, *rest[:1]))):
                    opening = Entry(word, entry.pos, _OPENING, {})
                    self._classes.setdefault(_OPENING, {})[word] = opening

    @classmethod
    def open(cls, folder: Path | None = None) -> Lexicon:
        """Read every ``.tsv`` file of a folder, by default the shipped ones.

        Raises:
            DataError: A row has another number of columns, a feature without a value, or a word
                that stands in its class already.
        """
        return _shipped() if folder is None else cls(_entries(folder))

    def members(self, kind: str) -> frozenset[str]:
        """The words of a class.

        Raises:
            DataError: There is no such class.
        """
        return frozenset(self.entries(kind))

    def entries(self, kind: str) -> Mapping[str, Entry]:
        """The entries of a class, by word.

        Raises:
            DataError: There is no such class.
        """
        if kind not in self._classes:
            raise DataError(f"the lexicon has no class {kind!r}: add its words to weights/lexicon")
        return self._classes[kind]

    @cached_property
    def plural_days(self) -> dict[str, str]:
        """Each day of the week by its plural, which the lemmatizer takes for a name: mondays."""
        return {f"{day}s": day for day in self._classes.get("weekday", ())}

    @cached_property
    def expressions(self) -> dict[str, list[Entry]]:
        """The set phrases by their first word, the longest first."""
        by_first: dict[str, list[Entry]] = {}
        for words, entry in self._classes.get(_EXPRESSION, {}).items():
            by_first.setdefault(words.split()[0], []).append(entry)
        return {
            first: sorted(entries, key=lambda entry: (-len(entry.word.split()), entry.word))
            for first, entries in by_first.items()
        }

    def feature(self, kind: str, word: str, name: str) -> str:
        """The value of a feature of a word in a class, empty where it has none."""
        entry = self._classes.get(kind, {}).get(word)
        return "" if entry is None else entry.features.get(name, "")

    def contrast(self, word: str) -> tuple[int, int]:
        """Return the number of the class of words that exclude each other, and of a word's group.

        Such a class gives each of its words a ``group``: words of one group mean the same. Both
        numbers are 0 for a word of no such class.
        """
        if self._contrasts is None:
            self._contrasts = self._number_contrasts()
        return self._contrasts.get(word, (0, 0))

    def _number_contrasts(self) -> dict[str, tuple[int, int]]:
        numbers: dict[str, tuple[int, int]] = {}
        for number, kind in enumerate(sorted(self._classes), 1):
            words = self._classes[kind]
            groups = sorted({e.features["group"] for e in words.values() if "group" in e.features})
            for word, entry in words.items():
                if "group" in entry.features:
                    numbers[word] = number, groups.index(entry.features["group"]) + 1
        return numbers

    def entry(self, kind: str, word: str) -> Entry | None:
        """The entry of a word in a class, None where there is none."""
        return self._classes.get(kind, {}).get(word)


def lexicon_folder() -> Path:
    """Return the folder of the shipped tables."""
    return weights_folder() / "lexicon"


@cache
def _shipped() -> Lexicon:
    return Lexicon(_entries(lexicon_folder()))


def _entries(folder: Path) -> list[Entry]:
    entries: list[Entry] = []
    seen: set[tuple[str, str]] = set()
    for path in sorted(folder.glob("*.tsv")):
        lines = read_text(path, "restore it").splitlines()
        if not lines or tuple(lines[0].split("\t")) != _COLUMNS:
            raise DataError(f"{path}: the first line does not name the columns {_COLUMNS}")
        for number, line in enumerate(lines[1:], 2):
            cells = line.split("\t")
            pairs = [pair.partition("=") for pair in cells[3].split()] if len(cells) == 5 else []
            if len(cells) != 5 or not all((cells[0], cells[2], cells[4])):
                raise DataError(f"{path}, line {number}: not word, pos, class, features, source")
            if not all(name and value for name, _, value in pairs):
                raise DataError(f"{path}, line {number}: write features as name=value")
            if (cells[0], cells[2]) in seen:
                raise DataError(
                    f"{path}, line {number}: {cells[0]!r} stands in the class {cells[2]!r} "
                    "already: remove one of the rows"
                )
            seen.add((cells[0], cells[2]))
            features = {name: value for name, _, value in pairs}
            entries.append(Entry(cells[0], cells[1], cells[2], features))
    return entries
