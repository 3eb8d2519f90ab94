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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from compsim.benchmarks.datasets.sts.opening import open_dataset
from compsim.errors import DataError, InputError, UnknownNameError
from compsim.storage.files import write_text
from compsim.storage.reading import expanded, read_text

__all__ = [
    "BACKGROUNDS",
    "FOLDERS",
    "LEVELS",
    "SOURCE",
    "Positives",
    "build_positives",
    "items_of_file",
    "open_evalrank",
    "positives_of",
]

SOURCE: Final = "https://github.com/BinWang28/EvalRank-Embedding-Evaluation"
LEVELS: Final = ("word", "sentence")
#: What words are sought among beside those of the pairs.
BACKGROUNDS: Final = ("basic+wiki", "basic", "none")
#: The part of a background that is of rated pairs, and points between the parts.
_RATED: Final = "rated"
_STEPS: Final = (5_000, 10_000)
#: Which set of data each pair is of: of a set that was built here.
_SOURCES: Final = "pos_source.txt"
#: Where the files of each level lie.
FOLDERS: Final = {"word": "word_evalrank", "sentence": "sent_evalrank"}


@dataclass(frozen=True)
class Positives:
    """Directed pairs as places of items, and all items, each once, those of the pairs first.

    ``problems`` says what was mended or left out, a line each. ``sizes`` counts the first items
    that make each smaller background. ``sources`` names the set of data of each pair, where that is
    known.
    """

    name: str
    level: str
    items: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    source: str = SOURCE
    problems: tuple[str, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)
    sources: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def checksum(self) -> str:
        """SHA-256 of the items and pairs, 64 hexadecimal digits."""
        return hashlib.sha256(json.dumps([self.level, self.items, self.pairs]).encode()).hexdigest()

    def save(self, folder: str | Path) -> None:
        """Write the files that ``open_evalrank`` reads; raises ``InputError`` where some are."""
        place = Path(folder) / FOLDERS[self.level]
        if place.is_dir() and any(place.iterdir()):
            raise InputError(f"{place} holds files already: give a new folder")
        place.mkdir(parents=True, exist_ok=True)
        named = [[self.items[i] for i in pair] for pair in self.pairs]
        write_text(place / "pos_pair.txt", "".join(f"{a}\t{b}\n" for a, b in named))
        if self.sources:
            write_text(place / _SOURCES, "".join(f"{name}\n" for name in self.sources))
        first = self.sizes.get(_RATED, len(self.items))
        parts: dict[str, Sequence[str]] = {"background_sent.txt": self.items}
        if self.level == "word":
            parts = {"basic_vocab.txt": self.items[:first], "wiki_vocab.txt": self.items[first:]}
        for name, items in parts.items():
            write_text(place / name, "".join(f"{item}\n" for item in items))


def open_evalrank(
    folder: str | Path,
    level: str = "word",
    background: str = "basic+wiki",
    drop_identical: bool = False,
) -> Positives:
    """Read the pairs of a level and their background; words are lower-cased.

    ``background`` is for words: with those of the similarity sets and the most frequent ones of
    Wikipedia, with the former only, or with neither; sentences have one background, or none; or it
    is a file with an item a line. Items of pairs are part of it in any case. Raises
    ``UnknownNameError`` for another level or background, ``DataError`` for files that are not there
    or not of this form.
    """
    if level not in LEVELS:
        raise UnknownNameError(f"level={level!r} is not known: use {' or '.join(LEVELS)}")
    lower = level == "word"
    own = items_of_file(background, lower)
    place = Path(folder) / FOLDERS[level]
    place = place if place.is_dir() else Path(folder)
    ordered = sorted([*place.glob("pos_pair*.txt"), *place.glob("pos_pair*.txt.gz")])
    if not ordered:
        raise DataError(f"{place} has no pos_pair.txt: give the folder of the data of {SOURCE}")
    pairs = _read_pairs(ordered[0], lower)
    names: dict[str, str] = {
        ("word", "basic+wiki"): {"basic": "basic_vocab.txt", "basic+wiki": "wiki_vocab.txt"},
        ("word", "basic"): {"basic": "basic_vocab.txt"},
        ("sentence", "basic+wiki"): {"all": "background_sent.txt"},
        ("sentence", "basic"): {"all": "background_sent.txt"},
    }.get((level, background), {})
    others = {label: _read_items(place, name, lower) for label, name in names.items()}
    if own is not None:
        others = {Path(background).name: own}
    sources: list[str] = []
    if (place / _SOURCES).is_file():
        sources = [line for _, line in _lines(place / _SOURCES)]
        if len(sources) != len(pairs):
            raise DataError(
                f"{place / _SOURCES} has {len(sources)} lines for {len(pairs)} pairs: give one for "
                "each, or delete the file"
            )
    name = "EvalRank words" if level == "word" else "EvalRank sentences"
    return _positives(name, level, pairs, others, SOURCE, drop_identical, sources)


def positives_of(
    rated: Sequence[tuple[str, str, float]] | Mapping[str, Sequence[tuple[str, str, float]]],
    *,
    top: float = 0.25,
    level: str = "word",
    others: Iterable[str] = (),
    keep_identical: bool = False,
    name: str = "rated pairs",
    source: str = "",
) -> Positives:
    """The best rated pairs of one's own, both ways; the items of all are the background.

    Of n pairs the ceil(``top`` n) rated highest, and those rated as the last of them; of several
    sets by name, so many of each. Pairs of an item with itself are left out unless
    ``keep_identical``. ``others`` are more items for the background. Raises ``InputError`` for a
    share that is not above 0 and at most 1, ``DataError`` where no pair is left.
    """
    if not 0 < top <= 1:
        raise InputError(f"top={top:g} is no share above 0 and at most 1: give 0.25 or the like")
    sets = rated if isinstance(rated, Mapping) else {"": rated}
    of: dict[tuple[str, str], str] = {}
    for label, triples in sets.items():
        if not triples:
            raise DataError(f"{label or name} has no pairs: give rated pairs")
        ratings = sorted((rating for _, _, rating in triples), reverse=True)
        least = ratings[math.ceil(top * len(ratings)) - 1]
        for a, b, rating in triples:
            if rating >= least:
                of.setdefault((a, b), label)
                of.setdefault((b, a), label)
    background = [item for triples in sets.values() for a, b, _ in triples for item in (a, b)]
    parts = {_RATED: background, "all": list(others)}
    sources = list(of.values()) if len(sets) > 1 else []
    return _positives(name, level, list(of), parts, source, not keep_identical, sources)


def build_positives(
    files: Sequence[str], level: str, background: str, top: float, keep_identical: bool
) -> Positives:
    """Return positives: the best rated pairs of files, PATH or FORMAT:PATH; see ``positives_of``.

    ``background`` may be a file of more items. Raises ``InputError`` for files of one name.
    """
    lower = level == "word"
    opened = [open_dataset(file) for file in files]
    sets = {
        data.name: [
            (p.first.lower(), p.second.lower(), p.rating)
            if lower
            else (p.first, p.second, p.rating)
            for p in data.pairs
        ]
        for data in opened
    }
    if len(sets) < len(opened):
        raise InputError(f"{' and '.join(files)} have the same name: give each file once")
    made = positives_of(
        sets,
        top=top,
        level=level,
        others=items_of_file(background, lower) or (),
        keep_identical=keep_identical,
        name=", ".join(sets),
        source=", ".join(data.source for data in opened),
    )
    problems = (problem for data in opened for problem in data.problems)
    return replace(made, problems=(*problems, *made.problems))


def _positives(
    name: str,
    level: str,
    pairs: Sequence[tuple[str, str]],
    parts: Mapping[str, Sequence[str]],
    source: str,
    drop_identical: bool,
    sources: Sequence[str] = (),
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
    named = dict(zip(pairs, sources, strict=False))
    known = {item for of in parts.values() for item in of}
    missing = {item for pair in distinct for item in pair} - known
    if known and missing and level == "sentence":
        problems.append(f"{len(missing)} items of pairs are not in the background: added")
    kept = dict.fromkeys(item for pair in distinct for item in pair)
    sizes = {"pairs": len(kept)}
    for part, of in parts.items():
        before = len(kept)
        kept |= dict.fromkeys(of)
        sizes |= {f"+{step:,}": before + step for step in _STEPS if before + step < len(kept)}
        sizes[part] = len(kept)
    items = list(kept)
    if len(items) < 2:
        raise DataError(f"{name} has {len(items)} item to rank among: give a background of several")
    place = {item: i for i, item in enumerate(items)}
    index = tuple((place[a], place[b]) for a, b in distinct)
    result = tuple(named[pair] for pair in distinct) if sources else ()
    return Positives(name, level, tuple(items), index, source, tuple(problems), sizes, result)


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
            results = [line.strip() for _, line in _lines(path)]
            return [line.lower() if lower else line for line in results]
    raise DataError(f"{folder} has no {name}: fetch it from {SOURCE}, or choose another background")


def items_of_file(background: str, lower: bool = False) -> list[str] | None:
    """The items of a file that is named as background; None for a background by name.

    Raises ``UnknownNameError`` for what is neither.
    """
    if background in BACKGROUNDS:
        return None
    path = expanded(background)
    if not path.is_file():
        raise UnknownNameError(
            f"background={background!r} is not known: use {', '.join(BACKGROUNDS)}, or a file with "
            "an item a line"
        )
    results = [line.strip() for _, line in _lines(path)]
    return [line.lower() if lower else line for line in results]


def _lines(path: Path) -> list[tuple[int, str]]:
    """The lines of a text that are not blank, with their numbers; Windows' line ends too."""
    lines = read_text(path).replace("\r\n", "\n").split("\n")
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
