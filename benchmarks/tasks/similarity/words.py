"""Word vectors against human ratings of word pairs (SimLex-999, MEN, WordSim-353 and the like).

A file has two words and a rating on each line, set apart by white space, commas or semicolons; a
first line without a rating is a heading, and lines that begin with # are left out.

>>> from compsim.vectors import WordVectors
>>> vectors = WordVectors.from_arrays(["cat", "dog", "car"], [[1, 0], [0.9, 0.1], [0, 1]])
>>> pairs = read_pairs(["cat dog 9", "cat car 1", "dog car 2", "cat zebra 5"])
>>> {name: figure.value for name, figure in measure(vectors, pairs).items()}
{'spearman': 1.0, 'pairs': 3, 'unknown': 1}
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from compsim.benchmarks.datasets.tables import number
from compsim.benchmarks.task import Figure, Known, Results, Row, Task, sha256
from compsim.errors import DataError
from compsim.storage.reading import read_text

if TYPE_CHECKING:
    from compsim.vectors import WordVectors

__all__ = ["measure", "measure_file", "read_pairs", "words"]

_SEPARATOR: Final = re.compile(r"[\s,;]+")

Pairs: TypeAlias = list[tuple[str, str, float]]


def words(
    files: Annotated[list[Path], "two words and a rating a line"],
    /,
    vectors: str | None = None,
) -> Task:
    """Correlate the cosines of word vectors with human ratings of word pairs (Spearman)."""
    from compsim.vectors import WordVectors

    table = WordVectors.open(vectors)
    rows = [
        Row({"name": Path(file).stem, "vectors": table.name}, measure_file(table, file))
        for file in files
    ]
    columns = dict.fromkeys(("spearman", "pairs", "unknown"), 0)
    source, checksum = ", ".join(map(str, files)), sha256(files)
    results = Results("words", "word pairs", source, checksum, columns, rows, ".4f")
    return Known("Cosines of word vectors against ratings of word pairs", results)


def measure_file(vectors: WordVectors, path: str | Path) -> dict[str, Figure]:
    """The figures of a file. Raises ``DataError`` that names the line of what is malformed."""
    return measure(vectors, read_pairs(read_text(Path(path)).splitlines(), str(path)))


def read_pairs(lines: Iterable[str], place: str = "the list") -> Pairs:
    """The word pairs of lines and their ratings."""
    pairs = []
    for count, line in enumerate(lines, start=1):
        fields = _SEPARATOR.split(line.strip())
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        rating = number(fields[2]) if len(fields) > 2 else None
        if rating is not None and math.isfinite(rating):
            pairs.append((fields[0], fields[1], rating))
        elif count > 1:  # the first may be a heading
            raise DataError(f"{place}, line {count}: not two words and a rating: mend the line")
    return pairs


def measure(vectors: WordVectors, pairs: Pairs) -> dict[str, Figure]:
    """Spearman's rho over the pairs whose words are both known, and how many are and are not."""
    import numpy as np

    from compsim.benchmarks.stats.correlation import compare
    from compsim.kernels.cosine import unit_rows

    left = vectors.rows([first for first, _, _ in pairs])
    right = vectors.rows([second for _, second, _ in pairs])
    both = (left >= 0) & (right >= 0)
    x, y = (unit_rows(vectors.take(rows[both])) for rows in (left, right))
    cosines = np.einsum("ij,ij->i", x, y, dtype=np.float64)
    ratings = np.array([pair[2] for pair in pairs])[both]
    known = len(ratings)
    [[result], _] = compare([cosines.tolist()], ratings.tolist(), {"all": range(known)})
    rho = result["all"]
    return {
        "spearman": Figure(rho.spearman, known, rho.low, rho.high, rho.note),
        "pairs": Figure(known),
        "unknown": Figure(len(pairs) - known),
    }
