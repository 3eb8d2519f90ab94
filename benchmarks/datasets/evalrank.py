"""EvalRank: pairs of near-synonyms or paraphrases, and the items among which they are sought.

The files of Wang, Kuo and Li 2022 (https://github.com/BinWang28/EvalRank-Embedding-Evaluation), or
files of that form: ``word_evalrank/pos_pair*.txt``, ``basic_vocab.txt`` and ``wiki_vocab.txt``;
``sent_evalrank/pos_pair.txt`` and ``background_sent.txt``; each may be gzipped. Pairs have two
items a line with a tab between them, and are directed: the second is sought by the first.

>>> made = positives_of([("cat", "dog", 9.0), ("cat", "car", 1.0)], top=0.5)
>>> made.items, made.pairs
(('cat', 'dog', 'car'), ((0, 1), (1, 0)))
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from compsim.errors import DataError, InputError, UnknownNameError
from compsim.storage.reading import read_text

__all__ = ["BACKGROUNDS", "LEVELS", "SOURCE", "Positives", "open_evalrank", "positives_of"]

SOURCE: Final = "https://github.com/BinWang28/EvalRank-Embedding-Evaluation"
LEVELS: Final = ("word", "sentence")
#: What words are sought among beside those of the pairs.
BACKGROUNDS: Final = ("basic+wiki", "basic", "none")
_FOLDERS: Final = {"word": "word_evalrank", "sentence": "sent_evalrank"}


@dataclass(frozen=True)
class Positives:
    """Directed pairs as places of items, and all items, each once, those of the pairs first.

    ``problems`` says what was mended or left out, a line each.
    """

    name: str
    level: str
    items: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    source: str = SOURCE
    problems: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def checksum(self) -> str:
        """SHA-256 of the items and pairs, 64 hexadecimal digits."""
        return hashlib.sha256(json.dumps([self.level, self.items, self.pairs]).encode()).hexdigest()


def open_evalrank(
    folder: str | Path,
    level: str = "word",
    background: str = "basic+wiki",
    drop_identical: bool = False,
) -> Positives:
    """Read the pairs of a level and their background; words are lower-cased.

    ``background`` is for words: with those of the similarity sets and the most frequent ones of
    Wikipedia, with the former only, or with neither; sentences have one background, or none. Items
    of pairs are part of it in any case. Raises ``UnknownNameError`` for another level or
    background, ``DataError`` for files that are not there or not of this form.
    """
    if level not in LEVELS:
        raise UnknownNameError(f"level={level!r} is not known: use {' or '.join(LEVELS)}")
    if background not in BACKGROUNDS:
        raise UnknownNameError(
            f"background={background!r} is not known: use {', '.join(BACKGROUNDS)}"
        )
    place = Path(folder) / _FOLDERS[level]
    place = place if place.is_dir() else Path(folder)
    found = sorted([*place.glob("pos_pair*.txt"), *place.glob("pos_pair*.txt.gz")])
    if not found:
        raise DataError(f"{place} has no pos_pair.txt: give the folder of the data of {SOURCE}")
    pairs = _read_pairs(found[0], level == "word")
    names = {
        ("word", "basic+wiki"): ("basic_vocab.txt", "wiki_vocab.txt"),
        ("word", "basic"): ("basic_vocab.txt",),
        ("sentence", "basic+wiki"): ("background_sent.txt",),
        ("sentence", "basic"): ("background_sent.txt",),
    }.get((level, background), ())
    others = [item for name in names for item in _read_items(place, name, level == "word")]
    name = "EvalRank words" if level == "word" else "EvalRank sentences"
    return _positives(name, level, pairs, others, SOURCE, drop_identical)


def positives_of(
    rated: Sequence[tuple[str, str, float]],
    *,
    top: float = 0.25,
    level: str = "word",
    others: Iterable[str] = (),
    keep_identical: bool = False,
    name: str = "rated pairs",
    source: str = "",
) -> Positives:
    """The best rated pairs of one's own, both ways; the items of all are the background.

    Of n pairs the ceil(``top`` n) rated highest, and those rated as the last of them. Pairs of an
    item with itself are left out unless ``keep_identical``. ``others`` are more items for the
    background. Raises ``InputError`` for a share that is not above 0 and at most 1, ``DataError``
    where no pair is left.
    """
    if not 0 < top <= 1:
        raise InputError(f"top={top:g} is no share above 0 and at most 1: give 0.25 or the like")
    if not rated:
        raise DataError(f"{name} has no pairs: give rated pairs")
    ratings = sorted((rating for _, _, rating in rated), reverse=True)
    least = ratings[math.ceil(top * len(ratings)) - 1]
    chosen = [(a, b) for a, b, rating in rated if rating >= least]
    both = [pair for a, b in chosen for pair in ((a, b), (b, a))]
    background = [item for a, b, _ in rated for item in (a, b)]
    pairs = list(dict.fromkeys(both))
    return _positives(name, level, pairs, [*background, *others], source, not keep_identical)


def _positives(
    name: str,
    level: str,
    pairs: Sequence[tuple[str, str]],
    others: Sequence[str],
    source: str,
    drop_identical: bool,
) -> Positives:
    """Distinct pairs among distinct items, and what had to be said of them."""
    problems = []
    distinct = list(dict.fromkeys(pairs))
    if len(distinct) < len(pairs):
        problems.append(f"{len(pairs) - len(distinct)} pairs are repeated and count once")
    same = sum(a == b for a, b in distinct)
    if same and drop_identical:
        distinct = [(a, b) for a, b in distinct if a != b]
        problems.append(f"{same} pairs of an item with itself are left out")
    elif same:
        problems.append(f"{same} pairs are of an item with itself, whose rank is 1")
    if not distinct:
        raise DataError(f"{name} has no pair that can be ranked: give pairs of different items")
    known = set(others)
    missing = {item for pair in distinct for item in pair} - known
    if known and missing and level == "sentence":
        problems.append(f"{len(missing)} items of pairs are not in the background: added")
    items = list(dict.fromkeys([item for pair in distinct for item in pair] + list(others)))
    if len(items) < 2:
        raise DataError(f"{name} has {len(items)} item to rank among: give a background of several")
    place = {item: i for i, item in enumerate(items)}
    index = tuple((place[a], place[b]) for a, b in distinct)
    return Positives(name, level, tuple(items), index, source, tuple(problems))


def _read_pairs(path: Path, lower: bool) -> list[tuple[str, str]]:
    """The pairs of a file, in order."""
    pairs = []
    for number, line in _lines(path):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2:
            raise DataError(
                f"{path}, line {number}: {len(cells) - 1} tabs, not one: mend the line, which is "
                "two items with a tab between them"
            )
        if not all(cells):
            raise DataError(f"{path}, line {number}: an item is empty: mend the line")
        a, b = (cell.lower() if lower else cell for cell in cells)
        pairs.append((a, b))
    if not pairs:
        raise DataError(f"{path} has no pairs: give two items a line with a tab between them")
    return pairs


def _read_items(folder: Path, name: str, lower: bool) -> list[str]:
    """The items of a file of the background, one a line."""
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            found = [line.strip() for _, line in _lines(path)]
            return [line.lower() if lower else line for line in found]
    raise DataError(f"{folder} has no {name}: fetch it from {SOURCE}, or choose another background")


def _lines(path: Path) -> list[tuple[int, str]]:
    """The lines of a text that are not blank, with their numbers; Windows' line ends too."""
    lines = read_text(path).replace("\r\n", "\n").split("\n")
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
