"""The SR benchmark: sentences, each rewritten twice, and how alike the rewritings were rated.

Six CSV files (https://github.com/fzp0424/SR), each row a sentence, one with its roles or order
changed (``relation``) and one in another syntax (``structure``), both rated from 0 to 5. A file of
one's own may have a third rewriting behind these, with a word changed or added (``lexical``), as
the paper's appendix A has it; the authors' files have none.

>>> data = open_sr("SR/data", ["stsb"])  # doctest: +SKIP
>>> list(data.parts), len(data)  # doctest: +SKIP
(['stsb relation', 'stsb structure'], 2304)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from compsim.benchmarks.datasets.sts.pairs import Dataset, SentencePair
from compsim.benchmarks.datasets.tables import number, read_table
from compsim.errors import DataError, UnknownNameError

__all__ = ["COLUMNS", "FILES", "KINDS", "LEXICAL", "MORE_COLUMNS", "SOURCE", "open_sr"]

SOURCE: Final = "https://github.com/fzp0424/SR"
#: The files, by the source of their sentences.
FILES: Final = ("stsb", "sickr", "askubuntu", "cqa", "twitter", "biosses")
#: The two rewritings of a sentence.
KINDS: Final = ("relation", "structure")
#: A third one.
LEXICAL: Final = "lexical"
COLUMNS: Final = ["sentence1", "relation", "relationscore", "structure", "structurescore"]
#: Those of a file with the third one.
MORE_COLUMNS: Final = [*COLUMNS, LEXICAL, f"{LEXICAL}score"]
_HIGHEST: Final = 5
_FEWEST: Final = 3


def open_sr(
    folder: str | Path, names: Sequence[str] | None = None, drop_identical: bool = False
) -> Dataset:
    """Read some of the six files, by default those that are there, as one dataset.

    A folder may also hold files of one's own in the same form; they are read where they are named,
    or where none of the six is there. Its parts are "NAME relation" and "NAME structure", beside
    each other row for row, and "NAME lexical" where all files have it. With ``drop_identical``
    pairs of a sentence with itself are left out, and so are the row's other pairs. Raises
    ``UnknownNameError`` for a name that is none of the six and of no file, ``DataError`` for files
    that are not there or not of this form.
    """
    there = [name for name in FILES if (Path(folder) / f"{name}.csv").is_file()]
    own = [] if there else sorted(path.stem for path in Path(folder).glob("*.csv"))
    chosen = list(dict.fromkeys((there or own) if names is None else names))
    for name in chosen:
        if name not in FILES and not (Path(folder) / f"{name}.csv").is_file():
            raise UnknownNameError(f"SR has no file {name!r}: use {', '.join(FILES)}")
    if not chosen:
        raise DataError(
            f"{folder} holds none of {', '.join(f'{name}.csv' for name in FILES)}: give the folder "
            f"of the data of {SOURCE}"
        )
    pairs: list[SentencePair] = []
    parts: dict[str, tuple[int, ...]] = {}
    read = {name: _read(Path(folder) / f"{name}.csv", drop_identical) for name in chosen}
    extended = [name for name, rows in read.items() if len(rows[0]) > len(KINDS)]
    kinds = (*KINDS, LEXICAL) if len(extended) == len(chosen) else KINDS
    problems: tuple[str, ...] = ()
    if extended and kinds == KINDS:
        problems = (f"not all files have changed words, left out of {', '.join(extended)}",)
    for name, rows in read.items():
        for place, kind in enumerate(kinds):
            start = len(pairs)
            pairs += [row[place] for row in rows]
            parts[f"{name} {kind}"] = tuple(range(start, len(pairs)))
    types = tuple(part for part, index in parts.items() for _ in index)
    return Dataset("SR", tuple(pairs), parts, SOURCE, types, problems=problems)


def _read(path: Path, drop_identical: bool) -> list[list[SentencePair]]:
    """The two or three pairs of each row."""
    if not path.is_file():
        raise DataError(f"{path} is not there: fetch it from {SOURCE}")
    lines = read_table(path, ",", quoted=True)
    if not lines or lines[0][1] not in (COLUMNS, MORE_COLUMNS):
        raise DataError(f"{path}: its first line is not {','.join(COLUMNS)}: give a file of SR")
    result = []
    for line, cells in lines[1:]:
        where = f"{path}, line {line}"
        if len(cells) != len(lines[0][1]):
            raise DataError(f"{where}: {len(cells)} cells, not {len(lines[0][1])}: mend the line")
        sentence, *rest = cells
        pairs = []
        for text, cell in zip(rest[::2], rest[1::2], strict=True):
            rating = number(cell)
            if rating is None or not 0 <= rating <= _HIGHEST:
                raise DataError(f"{where}: {cell!r} is no rating from 0 to {_HIGHEST}: mend it")
            if not sentence or not text:
                raise DataError(f"{where}: a sentence is empty: mend the line")
            pairs.append(SentencePair(sentence, text, rating / _HIGHEST))
        if not (drop_identical and any(pair.first == pair.second for pair in pairs)):
            result.append(pairs)
    if len(result) < _FEWEST:
        raise DataError(f"{path} has {len(result)} rows: give {_FEWEST} or more")
    return result
