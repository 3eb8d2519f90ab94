"""Role contrasts: sentences, each with one that tells the same and those that exchange the roles.

They are made from gold trees and gold PropBank roles by ``compsim.benchmarks.rewriting``: each
clause of a sentence that can be told otherwise (passive, fronted circumstance, the other dative,
cleft) and whose participants can be exchanged is a query; the retelling is its right document, the
exchange as it stands and in the form of the retelling are wrong ones.

>>> data = open_role_contrast("ewt-propbank")  # doctest: +SKIP
>>> data.queries[0]  # doctest: +SKIP
Contrast(kind='dative', text='They will tell you one thing.', right='They will tell one thing to \
you.', wrong=('You will tell them one thing.', 'You will tell one thing to them.'))
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from compsim.benchmarks.datasets.trees.gold import read_gold_trees
from compsim.benchmarks.rewriting import Clause, exchanges, retellings
from compsim.benchmarks.rewriting.reading import read_clauses
from compsim.errors import DataError

__all__ = ["Contrast", "RoleContrast", "contrasts_of", "is_role_contrast", "open_role_contrast"]

_FILE: Final = "dev.conll.gz"


class Contrast(NamedTuple):
    """A query, what tells the same in another way (``kind``), and what exchanges its roles."""

    kind: str
    text: str
    right: str
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class RoleContrast:
    """Queries in the order of their sentences; those of one clause share its ``text``."""

    name: str
    source: str
    queries: tuple[Contrast, ...]

    @property
    def checksum(self) -> str:
        """SHA-256 of the queries, 64 hexadecimal digits."""
        return hashlib.sha256(json.dumps(self.queries).encode()).hexdigest()


def open_role_contrast(folder: str | Path) -> RoleContrast:
    """Make the contrasts of a file of gold trees, by default ``dev.conll.gz`` in a folder.

    Raises ``DataError`` where there is no such file, it has another form, or nothing in it can be
    told otherwise; ``MissingExtraError`` where lemminflect is not installed.
    """
    path = Path(folder)
    path = path / _FILE if path.is_dir() else path
    if not path.is_file():
        raise DataError(f"{path} is not there: give a folder with EWT's {_FILE}, or such a file")
    made = [
        contrast
        for gold in read_gold_trees(path)
        for clause in read_clauses(gold.tree, gold.labels)
        for contrast in contrasts_of(clause)
    ]
    items = tuple(dict.fromkeys(made))
    if not items:
        raise DataError(f"{path}: no sentence can be told otherwise: give a file of plain English")
    return RoleContrast("role contrast", str(path), items)


def is_role_contrast(folder: Path) -> bool:
    """Return whether a folder has the gold trees that ``open_role_contrast`` takes by default."""
    return (folder / _FILE).is_file()


def contrasts_of(clause: Clause) -> list[Contrast]:
    """The contrasts of one clause, at most one for each way to tell it."""
    swaps = exchanges(clause)
    contrasts = []
    for retelling in retellings(clause):
        wrong = [
            swap.text
            for swap in swaps
            if swap.kind in ("swap", f"swap, {retelling.kind}")
            and swap.text not in (retelling.text, clause.text)
        ]
        if wrong:
            contrasts.append(Contrast(retelling.kind, clause.text, retelling.text, tuple(wrong)))
    return contrasts
