"""SR sets made of one's own sentences: each rewritten two or three times, in the form of SR.

>>> rows = sr_rows(["The dog bit the postman.", "It rains."])
>>> rows[0].relation, rows[0].relation_score, len(rows)
('The dog was bitten by the postman.', 1, 1)
>>> rows[0].structure_score
5
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from compsim.benchmarks.rewriting.generator import KINDS, MARKED, Rewriter, exchanges, retellings
from compsim.errors import DataError
from compsim.storage.files import write_text, writing
from compsim.storage.reading import read_text

__all__ = ["COLUMNS", "SrRow", "read_sentences", "sr_rows", "write_sr"]

#: The header of SR's files, and what stands behind it where words are changed too.
COLUMNS: Final = ("sentence1", "relation", "relationscore", "structure", "structurescore")
_LEXICAL: Final = ("lexical", "lexicalscore")
#: Ratings that people would give, from 0 to 5: who did it and to whom it was done, exchanged; who
#: gave and who got, while what was given stays; the same in another syntax.
_EXCHANGED: Final = 1
_GIVEN: Final = 2
_SAME: Final = 5
#: Sentences that are rewritten at a time.
_BATCH: Final = 256
#: What ``bench sr`` needs of a file.
_FEWEST: Final = 3


class SrRow(NamedTuple):
    """A sentence, with its roles exchanged, in another syntax; and both ratings, from 0 to 5.

    ``lexical`` has a word changed or added, "" where that was not asked for.
    """

    sentence: str
    relation: str
    relation_score: int
    structure: str
    structure_score: int
    lexical: str = ""
    lexical_score: int = 0


def sr_rows(
    sentences: Sequence[str],
    seed: int = 1,
    rewriter: Rewriter | None = None,
    advance: Callable[[int], None] = lambda count: None,
    inversions: bool = False,
    lexical: bool = False,
) -> list[SrRow]:
    """The rows of the sentences that can be rewritten both ways, by rule.

    With ``lexical`` also in a third: with a word changed or added (see ``rewriting.lexical``).

    Where there are several ways, ``seed`` and the sentence choose, whatever stands beside it.
    ``advance`` is told how many more sentences were read. With ``inversions`` the other syntax may
    be an object or a verb in front (see ``MARKED``). Raises ``MissingExtraError`` where
    lemminflect is not installed.
    """
    rewriter = rewriter or Rewriter()
    kinds = [*KINDS, *MARKED] if inversions else [*KINDS]
    rows = []
    for start in range(0, len(sentences), _BATCH):
        batch = sentences[start : start + _BATCH]
        for sentence, clause in zip(batch, rewriter.clauses(batch), strict=True):
            rewritings = [] if clause is None else retellings(clause, kinds)
            swaps = [] if clause is None else exchanges(clause)
            if clause is None or not rewritings or not swaps:
                continue
            rng = random.Random(f"{seed} {sentence}")
            structure, relation = rng.choice(rewritings).text, rng.choice(swaps).text
            if structure != relation:
                score = _EXCHANGED if clause.recipient is None else _GIVEN
                rows.append(SrRow(sentence, relation, score, structure, _SAME))
        advance(len(batch))
    return _with_words_changed(rows, seed) if lexical else rows


def _with_words_changed(rows: Sequence[SrRow], seed: int) -> list[SrRow]:
    """Return the rows whose sentence can have a word changed or added, with that."""
    from compsim.benchmarks.rewriting.lexical import lexical_changes

    changes = lexical_changes([row.sentence for row in rows], seed)
    return [
        row._replace(lexical=change.text, lexical_score=change.rating)
        for row, change in zip(rows, changes, strict=True)
        if change is not None
    ]


def read_sentences(path: str | Path) -> list[str]:
    """The distinct sentences of a text file, one a line, gzipped or not, blanks as one space.

    Raises ``DataError`` for a file that cannot be read or has none.
    """
    lines = (" ".join(line.split()) for line in read_text(Path(path)).split("\n"))
    sentences = list(dict.fromkeys(line for line in lines if line))
    if not sentences:
        raise DataError(f"{path} has no sentences: write one a line")
    return sentences


def write_sr(path: str | Path, rows: Sequence[SrRow]) -> None:
    """Write rows as a file of SR, in a new folder if need be, with the third rewriting or without.

    Raises ``DataError`` for fewer than three, and where nothing can be written.
    """
    if len(rows) < _FEWEST:
        raise DataError(
            f"{len(rows)} sentences could be rewritten both ways, and {path} needs {_FEWEST}: give "
            "more, each of one plain clause with a subject, a verb and an object"
        )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = (*COLUMNS, *_LEXICAL) if all(row.lexical for row in rows) else COLUMNS
    writer.writerow(head)
    writer.writerows(row[: len(head)] for row in rows)
    folder = Path(path).parent
    with writing(folder):
        write_text(Path(path), text.getvalue())
