"""Sentence triples: a text, one that says the same, and one that says something else.

``read_triples`` recognises these formats by what the file holds:

- SugarCrepe++ (Dumpala et al. 2024, arXiv:2406.11171), JSON: ``caption``, ``caption2``,
  ``negative_caption``; the kind of a triple is the name of its file, such as ``swap_obj``;
- Sentence Smith (Li et al. 2025, arXiv:2502.14734), CSV: ``original_sentence``, ``paraphrase``,
  ``modified_sentence``; its kind is the ``modification_type``;
- EventsAdapt, CSV (``plausibility``): an event, its passive, and the event with exchanged roles;
- SemAntoNeg, JSON Lines (``choices``): a triple for each sentence that does not say the same;
- contrast triples, TSV: ``phenomenon``, ``sentence``, ``same``, ``other``; its kind is the
  ``phenomenon``, and a line break in a cell is written ``\\n``.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp(), "swap_obj.json")
>>> entry = '"caption": "A cat bit me.", "caption2": "I was bitten by a cat."'
>>> _ = path.write_text('[{' + entry + ', "negative_caption": "I bit a cat."}]')
>>> read_triples(path)[0]
Triple(kind='swap_obj', text='A cat bit me.', same='I was bitten by a cat.', other='I bit a cat.')
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from compsim.benchmarks.datasets.choices import Choice, is_choices, read_choices
from compsim.benchmarks.datasets.plausibility import is_plausibility, read_plausibility
from compsim.benchmarks.datasets.tables import read_table
from compsim.errors import DataError
from compsim.storage.reading import parse_json, read_text

__all__ = [
    "CAPTIONS",
    "CONTRASTS",
    "FILES",
    "MODIFICATIONS",
    "Triple",
    "order_files",
    "read_contrasts",
    "read_triples",
    "triple_format",
    "triples_of_choices",
]

#: The files of SugarCrepe++.
FILES: Final = ("swap_obj", "swap_att", "replace_rel", "replace_obj", "replace_att")
#: Keys of an entry of SugarCrepe++: the text, the one that says the same, the one that does not.
CAPTIONS: Final = ("caption", "caption2", "negative_caption")
#: Columns of Sentence Smith, in the order of the fields of ``Triple``.
MODIFICATIONS: Final = (
    "modification_type",
    "original_sentence",
    "paraphrase",
    "modified_sentence",
)
#: Columns of a file of contrast triples, in the order of the fields of ``Triple``.
CONTRASTS: Final = ("phenomenon", "sentence", "same", "other")


class Triple(NamedTuple):
    """A text, one that says the same, and one that says something else.

    Attributes:
        kind: How the other text differs: a phenomenon, a kind of modification, a file.
        text: The text.
        same: A paraphrase of it.
        other: A foil.
    """

    kind: str
    text: str
    same: str
    other: str


def triple_format(path: str | Path) -> str:
    """Return the format.

    It is "sugarcrepe-pp", "sentence-smith", "events-adapt", "semantoneg" or "contrasts". Raises
    ``DataError`` for a file in none of them.
    """
    beginning = read_text(Path(path)).lstrip()
    line = beginning.split("\n", 1)[0]
    if is_choices(line):
        return "semantoneg"
    if beginning[:1] in ("[", "{"):
        return "sugarcrepe-pp"
    if {cell.strip().strip('"') for cell in line.split(",")} >= set(MODIFICATIONS):
        return "sentence-smith"
    if is_plausibility(line):
        return "events-adapt"
    if tuple(cell.strip() for cell in line.split("\t")) == CONTRASTS:
        return "contrasts"
    raise DataError(
        f"{path}, line 1: neither JSON nor the columns of a table of triples: give a file of "
        "SugarCrepe++ (JSON), of SemAntoNeg (JSON Lines), of Sentence Smith (CSV with "
        f"{', '.join(MODIFICATIONS)}), of EventsAdapt (CSV with ItemNum, Voice, Plausibility, "
        f"Sentence), or a TSV file with the columns {', '.join(CONTRASTS)}"
    )


def read_triples(path: str | Path) -> list[Triple]:
    """Return the triples of a file, in its order.

    Args:
        path: A file of SugarCrepe++, of Sentence Smith, of EventsAdapt, of SemAntoNeg, or of
            contrast triples; gzipped or not.

    Returns:
        The triples, at least one.

    Raises:
        DataError: The file is in none of these formats, or a triple of it is malformed.

    Examples:
        >>> read_triples("sentence-smith/paws.csv")[0].kind  # doctest: +SKIP
        'hypernym'
    """
    readers = {
        "sugarcrepe-pp": _read_captions,
        "sentence-smith": _read_modifications,
        "events-adapt": lambda path: [Triple(*item) for item in read_plausibility(path)],
        "semantoneg": lambda path: triples_of_choices(read_choices(path)),
        "contrasts": read_contrasts,
    }
    return readers[triple_format(path)](path)


def triples_of_choices(choices: Iterable[Choice]) -> list[Triple]:
    """Return a triple for each sentence that does not say the same.

    >>> triples_of_choices([Choice("I slept.", "I was not awake.", ("I was awake.",))])[0].other
    'I was awake.'
    """
    return [
        Triple("semantoneg", choice.text, choice.same, other)
        for choice in choices
        for other in choice.others
    ]


def order_files(paths: Iterable[Path]) -> list[Path]:
    """Return files in the order of ``FILES``, those of other names behind them as they come.

    >>> order_files([Path("mine.json"), Path("swap_att.json"), Path("swap_obj.json.gz")])[0].name
    'swap_obj.json.gz'
    """

    def rank(path: Path) -> int:
        stem = path.name.partition(".")[0]
        return FILES.index(stem) if stem in FILES else len(FILES)

    return sorted(paths, key=rank)


def read_contrasts(path: str | Path) -> list[Triple]:
    """Return the contrast triples of a TSV file.

    Raises ``DataError`` that names the line of what is malformed.
    """
    rows = read_table(Path(path), "\t", quoted=False, verbatim=True)
    if not rows or tuple(rows[0][1]) != CONTRASTS:
        raise DataError(
            f"{path}, line {rows[0][0] if rows else 1}: not the columns {', '.join(CONTRASTS)}: "
            "write them in the first line, tabs between"
        )
    triples = []
    for line, cells in rows[1:]:
        if len(cells) != len(CONTRASTS) or not all(cells):
            filled = sum(map(bool, cells))
            raise DataError(
                f"{path}, line {line}: {filled} cells with text in {len(cells)}, not "
                f"{len(CONTRASTS)}: give a phenomenon and three sentences, tabs between"
            )
        triples.append(Triple(*(cell.replace("\\n", "\n") for cell in cells)))
    if not triples:
        raise DataError(f"{path}, line 2: there are no triples: write one a line below the columns")
    return triples


def _read_captions(path: str | Path) -> list[Triple]:
    """Return the triples of a file of SugarCrepe++: a JSON list of objects, or an object of them.

    Captions stay as they are, blanks at their ends included.
    """
    mend = f"give a file of SugarCrepe++, a list of objects with {', '.join(CAPTIONS)}"
    entries = parse_json(read_text(Path(path)), str(path), mend)
    if isinstance(entries, dict):
        entries = list(entries.values())
    if not entries:
        raise DataError(f"{path}: there are no triples: {mend}")
    kind = Path(path).name.removesuffix(".gz").removesuffix(".json")
    triples = []
    for number, entry in enumerate(entries, start=1):
        texts = [entry.get(key) for key in CAPTIONS] if isinstance(entry, dict) else [None]
        if not all(isinstance(text, str) and text.strip() for text in texts):
            raise DataError(f"{path}, entry {number}: not three captions: {mend}")
        triples.append(Triple(kind, *texts))
    return triples


def _read_modifications(path: str | Path) -> list[Triple]:
    """Return the triples of a CSV file of Sentence Smith, whatever other columns it has."""
    (_, columns), *rows = read_table(Path(path), ",")
    index = [columns.index(name) for name in MODIFICATIONS]
    triples = []
    for line, cells in rows:
        if len(cells) != len(columns) or not all(cells[i] for i in index):
            raise DataError(
                f"{path}, line {line}: {len(cells)} cells for {len(columns)} columns, or an empty "
                f"one: give a row with {', '.join(MODIFICATIONS)}"
            )
        triples.append(Triple(*(cells[i] for i in index)))
    if not triples:
        raise DataError(f"{path}, line 2: there are no triples: write one a row below the columns")
    return triples
