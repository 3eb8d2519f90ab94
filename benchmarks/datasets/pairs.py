"""Labelled pairs: two texts, and whether they say the same.

``read_pairs`` recognises these formats by what the file holds:

- PAWS (Zhang, Baldridge and He 2019, arXiv:1904.01130): ``id``, ``sentence1``, ``sentence2``, and
  ``label``, or ``noisy_label``; it has no kinds;
- plain pairs: ``kind``, ``first``, ``second``, ``same`` (0 or 1), a line break in a cell being
  written ``\\n``;
- HANS and Levy/Holt, pairs of inference (``inference``);
- rated pairs, as ``bench sts`` takes them (``sts.formats``): those with a rating of 80 percent of
  the scale or more say the same (STSb: 4, "mostly equivalent"), those below 60 percent do not;
  those between are left out;
- the suite of tests of CheckList for question pairs (``checklist``);
- SemAntoNeg (``choices``), of whose sentences each makes a pair with the one that says the same,
  and one with each of the others;
- triples (``triples``), of which each makes three pairs: text and paraphrase say the same, text and
  foil, and paraphrase and foil do not. So overlap of words tells little.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp(), "dev.tsv")
>>> _ = path.write_text("id\\tsentence1\\tsentence2\\tlabel\\n1\\tA saw B .\\tB saw A .\\t0\\n")
>>> read_pairs(path)
[LabelledPair(kind='', first='A saw B .', second='B saw A .', same=False)]
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from compsim.benchmarks.datasets import open_dataset
from compsim.benchmarks.datasets.checklist import is_checklist, read_checklist
from compsim.benchmarks.datasets.choices import read_choices
from compsim.benchmarks.datasets.inference import FORMATS, inference_format, read_inference
from compsim.benchmarks.datasets.sts.formats import recognise
from compsim.benchmarks.datasets.tables import read_table
from compsim.benchmarks.datasets.triples import Triple, read_triples, triple_format
from compsim.errors import DataError
from compsim.storage.reading import read_text

__all__ = [
    "COLUMNS",
    "PAWS",
    "RATED",
    "LabelledPair",
    "pair_format",
    "pairs_of_triples",
    "read_pairs",
]

#: Columns of a file of plain pairs, in the order of the fields of ``LabelledPair``.
COLUMNS: Final = ("kind", "first", "second", "same")
#: Columns of PAWS, with the label that people gave, or one that nobody checked.
PAWS: Final = (
    ("id", "sentence1", "sentence2", "label"),
    ("id", "sentence1", "sentence2", "noisy_label"),
)
#: The format of rated pairs, and the ratings between which a pair is left out.
RATED: Final = "rated"
_UNRELATED, _EQUIVALENT = 0.6, 0.8
_LABELS: Final = {"0": False, "1": True}


class LabelledPair(NamedTuple):
    """Two texts, and whether they say the same.

    Attributes:
        kind: Where they are alike or differ, "" where nothing tells.
        first: A text.
        second: Another.
        same: Whether they say the same.
    """

    kind: str
    first: str
    second: str
    same: bool


def pair_format(path: str | Path) -> str:
    """Return the format of a file.

    It is "paws", "pairs", "hans", "levy-holt", "checklist", "rated", or that of triples. Raises
    ``DataError`` for a file in none of them.
    """
    if is_checklist(path):
        return "checklist"
    line = read_text(Path(path)).lstrip().split("\n", 1)[0]
    cells = tuple(cell.strip() for cell in line.split("\t"))
    if cells == COLUMNS:
        return "pairs"
    if cells in PAWS:
        return "paws"
    if form := inference_format(line):
        return form
    try:
        return triple_format(path)
    except DataError as error:
        if recognise(line, Path(path).name):
            return RATED
        raise DataError(
            f"{path}, line 1: neither the columns of pairs nor a file of triples: write "
            f"{', '.join(COLUMNS)}, or {', '.join(PAWS[0])}, tabs between, or give a file that "
            "`compsim bench triples` takes"
        ) from error


def read_pairs(path: str | Path) -> list[LabelledPair]:
    """Return the pairs of a file, in its order.

    Args:
        path: A file of PAWS, HANS, Levy/Holt, SemAntoNeg, CheckList, of plain or rated pairs, or
            of triples; gzipped or not.

    Returns:
        The pairs, at least one.

    Raises:
        DataError: The file is in no known format, or a pair of it is malformed.

    Examples:
        >>> read_pairs("guard.tsv")[0].same  # doctest: +SKIP
        True
    """
    form = pair_format(path)
    if form in FORMATS:
        return [LabelledPair(*item) for item in read_inference(path, form)]
    if form == "checklist":
        return [LabelledPair(*item) for item in read_checklist(path)]
    if form == RATED:
        return _rated(path)
    if form == "semantoneg":
        return [
            LabelledPair("", choice.text, text, i == 0)
            for choice in read_choices(path)
            for i, text in enumerate((choice.same, *choice.others))
        ]
    if form not in ("paws", "pairs"):
        return pairs_of_triples(read_triples(path))
    pairs = []
    for line, cells in read_table(Path(path), "\t", quoted=False, verbatim=True)[1:]:
        if len(cells) != len(COLUMNS) or not all(cells) or cells[-1] not in _LABELS:
            raise DataError(
                f"{path}, line {line}: not four cells with text of which the last is 0 or 1: give "
                f"{'a kind' if form == 'pairs' else 'an id'}, two texts and a label, tabs between"
            )
        kind, first, second, label = cells
        if form == "paws":
            kind, first, second = "", _decoded(first), _decoded(second)
        else:
            first, second = (text.replace("\\n", "\n") for text in (first, second))
        pairs.append(LabelledPair(kind, first, second, _LABELS[label]))
    if not pairs:
        raise DataError(f"{path}, line 2: there are no pairs: write one a line below the columns")
    return pairs


def _rated(path: str | Path) -> list[LabelledPair]:
    pairs = [
        LabelledPair("", pair.first, pair.second, pair.rating >= _EQUIVALENT)
        for pair in open_dataset(path).pairs
        if not _UNRELATED <= pair.rating < _EQUIVALENT
    ]
    if not pairs:
        raise DataError(f"{path}: no rating is below 60 or above 80 percent of the scale")
    return pairs


def pairs_of_triples(triples: Iterable[Triple]) -> list[LabelledPair]:
    """Return three pairs for each triple: text and paraphrase, text and foil, paraphrase and foil.

    Args:
        triples: Triples.

    Returns:
        The pairs, those of a triple one after the other; only the first of three says the same.

    Examples:
        >>> pairs = pairs_of_triples([Triple("voice", "A saw B.", "B was seen by A.", "B saw A.")])
        >>> [(pair.second, pair.same) for pair in pairs]
        [('B was seen by A.', True), ('B saw A.', False), ('B saw A.', False)]
    """
    return [
        LabelledPair(triple.kind, first, second, same)
        for triple in triples
        for first, second, same in (
            (triple.text, triple.same, True),
            (triple.text, triple.other, False),
            (triple.same, triple.other, False),
        )
    ]


def _decoded(text: str) -> str:
    """Return the text of a literal of bytes, which PAWS-QQP's script writes in Python 3.

    >>> _decoded("b'Who won ?'"), _decoded("Who won ?")
    ('Who won ?', 'Who won ?')
    """
    if text[:2] not in ("b'", 'b"') or text[-1] != text[1] or len(text) < 4:
        return text
    try:
        return bytes(ast.literal_eval(text)).decode("utf-8")
    except (SyntaxError, ValueError):
        return text
