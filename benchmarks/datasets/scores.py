"""Files of similarities, one number a line.

>>> read_scores(["mine.txt"])  # doctest: +SKIP
[('mine', [0.5, 0.25, 1.0])]
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from compsim.errors import DataError

__all__ = ["read_scores"]


def read_scores(files: Iterable[str | Path]) -> list[tuple[str, list[float]]]:
    """The similarities in files of one number a line, each by the stem of its file.

    Raises ``DataError`` that names file and line for what is not a number.
    """
    found = []
    for path in map(Path, files):
        try:
            lines = path.read_text(encoding="utf-8-sig").split()
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"{path} cannot be read ({error}): give a text file") from error
        scores = []
        for number, text in enumerate(lines, start=1):
            try:
                scores.append(float(text))
            except ValueError:
                raise DataError(
                    f"{path}, line {number}: {text!r} is not a number: give one similarity a line"
                ) from None
        found.append((path.stem, scores))
    return found
