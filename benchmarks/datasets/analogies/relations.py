"""Sentence analogies: pairs of sentences that stand in one relation, a file for each relation.

A line is ``A TAB B``, as in SATS (https://github.com/rali-udem/sats-sentence-analogy); a file named
``rel-...`` has five changed forms of B behind it, those that ``KINDS`` names, in this order.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp(), "gender.tsv")
>>> _ = path.write_text("My son sang.\\tMy daughter sang.\\nThe king ate.\\tThe queen ate.\\n")
>>> read_relation(path).pairs[1]
('The king ate.', 'The queen ate.')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from compsim.benchmarks.datasets.tables import read_table
from compsim.errors import DataError, UnknownNameError

__all__ = ["KINDS", "Relation", "open_relations", "read_relation"]

#: How the wrong candidates of a relation between sentences are made of B, in their order.
KINDS: Final = ("not", "deletion", "masking", "span", "reordering")
_CHOICES: Final = "rel-"


@dataclass(frozen=True)
class Relation:
    """The pairs of a relation; ``wrong`` has the five distractors of each B, or nothing.

    ``problems`` says what was left out, and which lines are odd.
    """

    name: str
    pairs: tuple[tuple[str, str], ...]
    wrong: tuple[tuple[str, ...], ...] = ()
    problems: tuple[str, ...] = ()

    def sentences(self) -> list[str]:
        """The distinct sentences, in order: first those of the pairs."""
        texts = [text for items in (self.pairs, self.wrong) for item in items for text in item]
        return list(dict.fromkeys(texts))


def open_relations(folder: str | Path, names: Sequence[str] | None = None) -> list[Relation]:
    """The relations of a folder of TSV files, or those named, or of one file.

    Raises ``UnknownNameError`` for a relation that is not there, ``DataError`` for a folder without
    any and for what is malformed.
    """
    place = Path(folder)
    files = [place] if place.is_file() else sorted(place.glob("*.tsv"))
    there = {file.stem: file for file in files}
    if not there:
        raise DataError(f"{folder} holds no TSV files: give a folder with a file for each relation")
    for name in names or ():
        if name not in there:
            raise UnknownNameError(f"there is no relation {name!r} here: use {', '.join(there)}")
    return [read_relation(there[name]) for name in dict.fromkeys(names or there)]


def read_relation(path: str | Path) -> Relation:
    """Read one file; a pair of equal sentences and a pair that came before are left out.

    Raises ``DataError`` that names the line of what is malformed, and for fewer than two pairs,
    which make no question.
    """
    file = Path(path)
    width = 2 + len(KINDS) if file.name.startswith(_CHOICES) else 2
    kept: dict[tuple[str, str], tuple[str, ...]] = {}
    equal, again, odd = [], [], []
    for line, cells in read_table(file, "\t", verbatim=True):
        where = f"{file}, line {line}"
        if len(cells) != width:
            raise DataError(
                f"{where}: {len(cells)} columns, not {width}: give A and B"
                + (f", then B changed by {', '.join(KINDS)}" if width > 2 else "")
            )
        if not all(cells):
            raise DataError(f"{where}: a field is empty: mend the line")
        first, second, *wrong = cells
        if first == second:
            equal.append(line)
        elif (first, second) in kept:
            again.append(line)
        else:
            kept[first, second] = tuple(wrong)
            if wrong and len({*cells}) < width:
                odd.append(line)
    if len(kept) < 2:
        raise DataError(f"{file} has {len(kept)} usable pairs, so no question: give two or more")
    result = (
        (equal, "left out, both sentences are equal"),
        (again, "left out, the pair came before"),
        (odd, "some of the seven sentences are equal"),
    )
    problems = tuple(f"{file.stem}: {_lines(lines)}: {what}" for lines, what in result if lines)
    wrong_ones = tuple(kept.values()) if width > 2 else ()
    return Relation(file.stem, tuple(kept), wrong_ones, problems)


def _lines(numbers: Sequence[int]) -> str:
    """The first numbers of lines, and how many more there are."""
    shown, more = ", ".join(map(str, numbers[:3])), len(numbers) - 3
    return f"line {shown}" + (f" and {more} more" if more > 0 else "")
