"""Word vectors against human ratings of word pairs (SimLex-999, MEN, WordSim-353 and the like).

A file has two words and a rating on each line, set apart by white space, commas or semicolons; a
first line without a rating is a heading, and lines that begin with # are left out.

>>> from compsim.vectors import WordVectors
>>> vectors = WordVectors.from_arrays(["cat", "dog", "car"], [[1, 0], [0.9, 0.1], [0, 1]])
>>> found = measure(vectors, ["cat dog 9", "cat car 1", "dog car 2", "cat zebra 5"], "toy")
>>> found.spearman, found.pairs, found.unknown
(1.0, 3, 1)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from compsim.benchmarks.stats.correlation import correlate
from compsim.errors import DataError
from compsim.kernels.cosine import unit_rows
from compsim.vectors import WordVectors

__all__ = ["WordRow", "measure", "measure_file"]

_SEPARATOR: Final = re.compile(r"[\s,;]+")


@dataclass(frozen=True, slots=True)
class WordRow:
    """Spearman's rho over the pairs whose words are both known; None where it is undefined."""

    name: str
    vectors: str
    spearman: float | None
    pairs: int
    unknown: int
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON types."""
        return {name: getattr(self, name) for name in self.__slots__}


def measure_file(vectors: WordVectors, path: str | Path) -> WordRow:
    """The row of a file. Raises ``DataError`` that names the line of what is malformed."""
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read ({error}): give a text file") from error
    return measure(vectors, lines, path.stem, str(path))


def measure(
    vectors: WordVectors, lines: Iterable[str], name: str, place: str = "the list"
) -> WordRow:
    """The row of lines of two words and a rating."""
    first, second, ratings = [], [], []
    for number, line in enumerate(lines, start=1):
        fields = _SEPARATOR.split(line.strip())
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        rating = _number(fields[2]) if len(fields) > 2 else math.nan
        if not math.isfinite(rating):
            if number == 1:
                continue  # a heading
            raise DataError(f"{place}, line {number}: not two words and a rating: mend the line")
        first.append(fields[0])
        second.append(fields[1])
        ratings.append(rating)
    left, right = vectors.rows(first), vectors.rows(second)
    both = (left >= 0) & (right >= 0)
    x, y = (unit_rows(vectors.take(rows[both])) for rows in (left, right))
    found = correlate(np.einsum("ij,ij->i", x, y, dtype=np.float64), np.array(ratings)[both])
    known = int(both.sum())
    return WordRow(name, vectors.name, found.spearman, known, len(both) - known, found.note)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
