"""Files of similarities, one number a line.

>>> read_scores(["mine.txt"])  # doctest: +SKIP
[('mine', [0.5, 0.25, 1.0])]
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

from compsim.benchmarks.datasets.tables import number
from compsim.errors import DataError
from compsim.storage.reading import read_text

__all__ = ["numbers", "read_scores"]


def read_scores(files: Iterable[str | Path]) -> list[tuple[str, list[float]]]:
    """The similarities in files of one number a line, each by the stem of its file.

    Raises ``DataError`` that names file and line for what is not a number.
    """
    return [
        (path.stem, numbers(read_text(path), str(path), "give one similarity a line"))
        for path in map(Path, files)
    ]


def numbers(text: str, place: str, mend: str, finite: bool = False) -> list[float]:
    """The numbers of a text, one a line; the error names the line of what is none."""
    results = []
    for line, word in enumerate(text.split(), start=1):
        value = number(word)
        if value is None or (finite and not math.isfinite(value)):
            raise DataError(f"{place}, line {line}: {word!r} is not a number: {mend}")
        results.append(value)
    return results
