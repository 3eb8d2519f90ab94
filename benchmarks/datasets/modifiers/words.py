"""Adjectives by class, with nouns to go with them, as a user's files list them.

Either one CSV file with the columns class, word and, if wanted, synonym, in which the class
``noun`` holds the nouns; or a folder of CSV files, each named by its class (``int.csv``,
``nouns.csv``), as in the modifier lexicon with the columns Attribute and Modifier. A file need have
no heading. The name ``paper`` stands for the list of the paper, 61 adjectives and 12 nouns.

>>> {name: len(words) for name, words in open_words("paper").classes.items()}
{'S-I': 11, 'S-NI': 6, 'NS-plain': 27, 'NS-priv': 14, 'A': 3}

>>> import tempfile
>>> path = Path(tempfile.mkdtemp(), "words.csv")
>>> _ = path.write_text("class,word,synonym\\ns-i,Red,crimson\\nns-priv,fake,\\nnoun,dog,\\n")
>>> result = open_words(path)
>>> result.classes, result.nouns, result.synonyms
({'S-I': ('red',), 'NS-priv': ('fake',)}, ('dog',), {'red': 'crimson'})
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from compsim.benchmarks.datasets.tables import Cells, read_table
from compsim.errors import DataError
from compsim.storage.reading import expanded

__all__ = ["CLASSES", "PAPER", "WordLists", "open_words", "word_lists"]

#: The list that goes by the name "paper".
PAPER: Final = Path(__file__).parents[2] / "modifiers.toml"

#: The classes of adjectives, in the order of tables, and what each means.
CLASSES: Final[Mapping[str, str]] = {
    "S-I": "subsective and intersective: a red dog is red and is a dog",
    "S-NI": "subsective, not intersective: a skilful student is a student, skilful as one",
    "NS-plain": "not subsective: an alleged problem may be one or not",
    "NS-priv": "privative: a fake law is no law",
    "A": "ambiguous, so nothing is expected: an old king",
    "int": "intersective",
    "sub": "subsective",
    "pri": "privative, or not subsective at all",
}
_NOUN: Final = "noun"
_BY_NAME: Final = {name.lower(): name for name in (*CLASSES, _NOUN)} | {"nouns": _NOUN}
#: Headings of the column of words.
_WORDS: Final = ("word", "adjective", "modifier", "noun")
#: With fewer adjectives a class says little.
_FEWEST: Final = 3


@dataclass(frozen=True)
class WordLists:
    """Adjectives by class and nouns, in the order of the files, none twice in its list.

    ``synonyms`` has those of the adjectives that have one; ``problems`` says what is odd, a line
    each.
    """

    classes: Mapping[str, tuple[str, ...]]
    nouns: tuple[str, ...]
    synonyms: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @property
    def adjectives(self) -> list[tuple[str, str]]:
        """Each adjective with its class before it, class by class."""
        return [(name, word) for name, words in self.classes.items() for word in words]


def open_words(
    path: str | Path, nouns: str | None = None, keep_case: bool = False, fix_typos: bool = False
) -> WordLists:
    """Read lists of words from a file or a folder, or that of the paper.

    ``nouns``, separated by commas or a CSV file of them, replace those of the files. All is
    lower-cased unless ``keep_case``; ``fix_typos`` mends the "occurence" of the paper's list.
    Raises ``DataError`` that names the line of what is malformed, and for lists that are too short.
    """
    place = expanded(path)
    if str(path) == "paper" and not place.exists():
        rows = _paper()
    else:
        rows = _folder(place) if place.is_dir() else _file(place)
    if nouns is not None:
        rows = [row for row in rows if row[0] != _NOUN]
        file = expanded(nouns)
        rows += (
            _of_class(file, _NOUN)
            if file.is_file()
            else [(_NOUN, word, "") for word in map(str.strip, nouns.split(",")) if word]
        )
    if fix_typos:
        rows = [(name, word.replace("occurence", "occurrence"), like) for name, word, like in rows]
    if not keep_case:
        rows = [(name, word.lower(), like.lower()) for name, word, like in rows]
    return word_lists(rows, str(path))


def word_lists(rows: Iterable[tuple[str, str, str]], where: str = "the list") -> WordLists:
    """The lists of rows of class, word and synonym, "" where there is none."""
    lists: dict[str, dict[str, None]] = {}
    synonyms: dict[str, str] = {}
    twice = []
    for name, word, synonym in rows:
        words = lists.setdefault(name, {})
        if word in words:
            twice.append(word)
        words[word] = None
        if synonym and name != _NOUN:
            synonyms.setdefault(word, synonym)
    nouns = tuple(lists.pop(_NOUN, ()))
    classes = {name: tuple(lists[name]) for name in CLASSES if name in lists}
    if not nouns:
        raise DataError(f"{where} has no noun: give rows of the class noun, or the option nouns")
    if not classes:
        raise DataError(f"{where} has no adjective: give rows of {', '.join(CLASSES)}")
    return WordLists(classes, nouns, synonyms, tuple(_problems(classes, twice)))


def _problems(classes: Mapping[str, Sequence[str]], twice: Sequence[str]) -> list[str]:
    problems = []
    if twice:
        problems.append(f"counted once though listed again: {', '.join(dict.fromkeys(twice))}")
    of: dict[str, list[str]] = {}
    for name, words in classes.items():
        for word in words:
            of.setdefault(word, []).append(name)
    problems += [
        f"{word!r} stands in {' and '.join(names)}, and counts in each"
        for word, names in of.items()
        if len(names) > 1
    ]
    problems += [
        f"class {name} has {len(words)} adjectives: read its figures with care"
        for name, words in classes.items()
        if len(words) < _FEWEST
    ]
    return problems


def _paper() -> list[tuple[str, str, str]]:
    """Return the rows of the paper's list."""
    classes = tomllib.loads(PAPER.read_text(encoding="utf-8"))
    return [(name, word, like) for name, rows in classes.items() for word, like in rows]


def _file(path: Path) -> list[tuple[str, str, str]]:
    """The rows of a file whose first column is the class."""
    lines = read_table(path, ",", quoted=True)
    if lines and lines[0][1][0].lower() == "class":
        del lines[0]
    file = []
    for line, cells in lines:
        name = _BY_NAME.get(cells[0].lower())
        if name is None:
            raise DataError(
                f"{path}, line {line}: there is no class {cells[0]!r}: use "
                f"{', '.join(CLASSES)} or {_NOUN}"
            )
        file.append((name, *_words(path, (line, cells), 1)))
    return file


def _folder(path: Path) -> list[tuple[str, str, str]]:
    """The rows of all files of a folder."""
    files = sorted(path.glob("*.csv"))
    if not files:
        raise DataError(f"{path} holds no CSV file: give a file or a folder of lists of words")
    folder = []
    for file in files:
        name = _BY_NAME.get(file.stem.lower())
        if name is None:
            raise DataError(
                f"{file}: there is no class {file.stem!r}: name the file by one of "
                f"{', '.join(CLASSES)}, or nouns, or give the file alone"
            )
        folder += _of_class(file, name)
    return folder


def _of_class(path: Path, name: str) -> list[tuple[str, str, str]]:
    """The rows of a file that holds one class."""
    lines = read_table(path, ",", quoted=True)
    column = 0
    if lines:
        heads = [cell.lower() for cell in lines[0][1]]
        column = next((i for i, head in enumerate(heads) if head in _WORDS), -1)
        if column >= 0:
            del lines[0]
    # A synonym stands after the word, as in a file of all classes.
    return [(name, *_words(path, cells, max(column, 0))) for cells in lines]


def _words(path: Path, row: Cells, column: int) -> tuple[str, str]:
    """The word of a row and its synonym, each with single spaces."""
    line, cells = row
    word, synonym = (" ".join(cell.split()) for cell in (*cells, "", "", "")[column : column + 2])
    if not word:
        raise DataError(f"{path}, line {line}: there is no word: mend the line")
    return word, synonym
