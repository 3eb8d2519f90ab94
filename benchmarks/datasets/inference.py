"""Labelled pairs of inference: does one text follow from the other?

Two published sets in the form of ``pairs``; "same" is "the second follows from the first":

- HANS (McCoy, Pavlick and Linzen 2019, arXiv:1902.01007), TSV with a header: ``gold_label``
  (entailment, non-entailment), ``sentence1``, ``sentence2`` and ``heuristic``, the kind of a pair;
- Levy/Holt (Levy and Dagan 2016; Holt 2018), TSV without a header: two propositions of three parts
  with commas between, and True or False (or y, n).

>>> inference_format("Ibuprofen, treats, pain\\tIbuprofen, relieves, pain\\tTrue")
'levy-holt'
>>> inference_format("gold_label\\tsentence1\\tsentence2\\theuristic")
'hans'
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from compsim.benchmarks.datasets.tables import read_table
from compsim.errors import DataError

__all__ = ["FORMATS", "inference_format", "read_inference"]

#: Names of the formats.
FORMATS: Final = ("hans", "levy-holt")
_HANS: Final = ("heuristic", "sentence1", "sentence2", "gold_label")
_GOLD: Final = {"entailment": True, "non-entailment": False}
_VERDICTS: Final = {"true": True, "false": False, "y": True, "n": False}


def inference_format(line: str) -> str:
    """Return the format of a file by its first line, "" for none of them."""
    cells = [cell.strip() for cell in line.split("\t")]
    if set(_HANS) <= set(cells):
        return "hans"
    parts = [len(cell.split(",")) for cell in cells[:2]]
    if len(cells) == len(parts) + 1 and parts == [3, 3] and cells[2].lower() in _VERDICTS:
        return "levy-holt"
    return ""


def read_inference(path: str | Path, form: str) -> Iterator[tuple[str, str, str, bool]]:
    """Yield the kind, both texts and the label of each pair of a file.

    :param path: the file.
    :param form: one of ``FORMATS``.
    :raises DataError: names the line of what is malformed.
    """
    rows = read_table(Path(path), "\t", quoted=False, verbatim=True)
    if form == "levy-holt":
        for line, cells in rows:
            if len(cells) != 3 or cells[2].lower() not in _VERDICTS or not all(cells):
                raise DataError(
                    f"{path}, line {line}: not two propositions and True or False: give a file of "
                    "Levy/Holt, tabs between"
                )
            yield "", _clause(cells[0]), _clause(cells[1]), _VERDICTS[cells[2].lower()]
        return
    (_, columns), *rows = rows
    index = [columns.index(name) for name in _HANS]
    for line, cells in rows:
        values = [cells[i] if i < len(cells) else "" for i in index]
        if not all(values) or values[3] not in _GOLD:
            raise DataError(
                f"{path}, line {line}: not {', '.join(_HANS)}, the last of them "
                f"{' or '.join(_GOLD)}: give a file of HANS"
            )
        yield values[0], values[1], values[2], _GOLD[values[3]]


def _clause(proposition: str) -> str:
    """Return a proposition of three parts as words.

    >>> _clause("the drug , treats , pain")
    'the drug treats pain'
    """
    return " ".join(part.strip() for part in proposition.split(","))
