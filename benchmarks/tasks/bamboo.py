"""BAMBOO: how well AMR similarity follows human ratings, and whether it tells who did what.

Opitz, Daza and Frank 2021. ``main``: Pearson's r with the ratings of sentence pairs of three data
sets. ``role_confusion``: of two parses, the original and one with its roles switched, the original
must be the more similar to a paraphrase; the figure is the share of pairs where it is (as the
benchmark has defined it since its version 0.2; a tie counts as wrong). Figures are in percent.

>>> from compsim.benchmarks.tasks.bamboo import measure, open_bamboo
>>> data = open_bamboo("bamboo-amr-benchmark", "dev")  # doctest: +SKIP
>>> measure(data, "amr-wlk")  # doctest: +SKIP
Row(method='amr-wlk', split='dev', main={'sts': 61.05, ...}, roles={'sts': 83.02, ...}, failed=0)
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError, InputError
from compsim.graph import RoleGraph
from compsim.registry import load

if TYPE_CHECKING:
    from compsim.graph_method import GraphMethod

__all__ = [
    "DATA_SETS",
    "METHODS",
    "PUBLISHED",
    "SOURCE",
    "SPLITS",
    "Bamboo",
    "Part",
    "Row",
    "measure",
    "open_bamboo",
    "pearson",
]

#: Where the data can be had.
SOURCE: Final = "https://github.com/flipz357/bamboo-amr-benchmark"

DATA_SETS: Final = ("sts", "sick", "para")
SPLITS: Final = ("train", "dev")
METHODS: Final = ("amr-smatch", "amr-cn", "amr-wlk", "amr-wwlk")

#: Public figures, on the test split: three of ``main``, three of ``role_confusion`` (the
#: benchmark's own table of 7 December 2023).
PUBLISHED: Final = {
    "Smatch": (58.39, 59.75, 41.32, 89.87, 98.32, 88.14),
    "S2match": (58.70, 60.47, 42.52, 89.87, 98.32, 92.24),
    "WLK-k2": (65.57, 61.36, 36.21, 79.75, 90.76, 77.61),
    "WWLK-k2": (67.31, 67.53, 38.37, 92.41, 99.16, 86.53),
}

_ARCHIVE: Final = "bamboo-train-dev.zip"
_PLACES: Final = ("", "bamboo-amr-benchmark", _ARCHIVE, f"amr/{_ARCHIVE}")
#: SICK and PARA have the parse of a table's head in the first place.
_HEADED: Final = frozenset({"sick", "para"})
_PADDING: Final = "Empty line"


@dataclass(frozen=True)
class Part:
    """One data set: rated pairs of graphs, and pairs of which every second one is the original."""

    first: tuple[RoleGraph, ...]
    second: tuple[RoleGraph, ...]
    ratings: tuple[float, ...]
    switched_first: tuple[RoleGraph, ...]
    switched_second: tuple[RoleGraph, ...]


@dataclass(frozen=True)
class Bamboo:
    """The parts of one split by the name of their data set."""

    split: str
    parts: dict[str, Part]


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one method in percent, by data set; None where r is undefined.

    ``failed`` counts the graphs that could not be read.
    """

    method: str
    split: str
    main: dict[str, float | None]
    roles: dict[str, float]
    failed: int

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON types."""
        return {name: getattr(self, name) for name in self.__slots__}


class _NoParser:
    """Stands where a parser would: the benchmark comes parsed."""

    name, version = "bamboo", "1"

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Fail for every sentence."""
        return [RoleGraph.failed(text, "BAMBOO holds parses only", self.name) for text in sentences]


def open_bamboo(folder: str | Path, split: str = "dev") -> Bamboo:
    """Read one split from a copy of the repository, an archive of it, or a folder above them.

    Raises ``DataError`` for files that are missing or do not fit together.
    """
    if split not in SPLITS:
        raise InputError(f"split={split!r} is not known: use one of {', '.join(SPLITS)}")
    root = _root(Path(folder))
    return Bamboo(split, {name: _part(root, name, split) for name in DATA_SETS})


def measure(data: Bamboo, method: str, **options: Any) -> Row:
    """The figures of one AMR method; ``options`` go to it.

    Raises ``InputError`` for a method that does not read AMRs.
    """
    from compsim.graph_method import GraphMethod

    loaded = load(method, parser=_NoParser(), **options)
    if method not in METHODS or not isinstance(loaded, GraphMethod):
        raise InputError(f"method {method!r} reads no AMRs: use one of {', '.join(METHODS)}")
    main: dict[str, float | None] = {}
    roles: dict[str, float] = {}
    failed = 0
    for name, part in data.parts.items():
        scores = _scores(loaded, part.first, part.second)
        main[name] = pearson(scores, np.array(part.ratings))
        switched = _scores(loaded, part.switched_first, part.switched_second)
        roles[name] = float(100 * np.mean(switched[1::2] > switched[::2]))
        sides = (part.first, part.second, part.switched_first, part.switched_second)
        failed += sum(not graph.nodes for side in sides for graph in side)
    return Row(method, data.split, main, roles, failed)


def pearson(scores: npt.NDArray[Any], ratings: npt.NDArray[Any]) -> float | None:
    """Pearson's r of two arrays (n,) in percent; None where either does not vary."""
    if len(scores) < 2 or not (np.ptp(scores) > 0 and np.ptp(ratings) > 0):
        return None
    return float(100 * np.corrcoef(scores, ratings)[0, 1])


def _scores(
    method: GraphMethod[Any], first: Sequence[RoleGraph], second: Sequence[RoleGraph]
) -> npt.NDArray[np.float64]:
    return method.similarity_pairwise(method.encode_graphs(first), method.encode_graphs(second))


def _root(folder: Path) -> Path:
    """The folder or archive that has the data sets at its top."""
    for place in _PLACES:
        root = folder / place if place else folder
        if root.is_file() and zipfile.is_zipfile(root):
            return root
        if all((root / name).is_dir() for name in DATA_SETS):
            return root
    raise DataError(
        f"{folder} holds no BAMBOO data ({', '.join(DATA_SETS)}): give the folder or archive of a "
        f"copy of {SOURCE}"
    )


def _read(root: Path, name: str) -> str:
    try:
        if root.is_dir():
            data = (root / name).read_bytes()
        else:
            with zipfile.ZipFile(root) as archive:
                data = archive.read(name)
        return data.decode("utf-8")
    except (OSError, KeyError, UnicodeDecodeError, zipfile.BadZipFile) as error:
        raise DataError(
            f"{root}/{name} cannot be read ({error}): fetch it from {SOURCE}"
        ) from error


def _graphs(root: Path, name: str) -> list[RoleGraph]:
    from compsim.graph.penman_reader import read_amr

    return list(read_amr(io.StringIO(_read(root, name))))


def _part(root: Path, name: str, split: str) -> Part:
    pairs = [_graphs(root, f"{name}/main/{side}.{split}.amr") for side in ("src", "tgt")]
    switched = [_graphs(root, f"{name}/role_confusion/{s}.{split}.amr") for s in ("src", "tgt")]
    ratings = _ratings(root, f"{name}/{split}.y")
    counts = {len(ratings), *map(len, pairs)}
    if len(counts) > 1 or len(switched[0]) != len(switched[1]) or len(switched[0]) % 2:
        raise DataError(
            f"{root}: the files of {name} ({split}) have other numbers of graphs and ratings: "
            f"fetch them again from {SOURCE}"
        )
    rows = range(1 if name in _HEADED else 0, len(ratings))
    kept = [i for i in rows if _PADDING not in (pairs[0][i].text, pairs[1][i].text)]
    return Part(
        tuple(pairs[0][i] for i in kept),
        tuple(pairs[1][i] for i in kept),
        tuple(ratings[i] for i in kept),
        tuple(switched[0]),
        tuple(switched[1]),
    )


def _ratings(root: Path, name: str) -> list[float]:
    found = []
    for number, line in enumerate(_read(root, name).split(), start=1):
        try:
            rating = float(line)
        except ValueError:
            rating = math.nan
        if not math.isfinite(rating):
            raise DataError(
                f"{root}/{name}, line {number}: {line!r} is not a number: fetch it from {SOURCE}"
            )
        found.append(rating)
    return found
