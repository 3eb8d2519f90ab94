"""The relations of Open English WordNet, from a table of them: ``oewn-relations.tsv.gz``.

A line has a word, what it is to another, and that other, with tabs between them::

    hot   antonym   cold
    hot   derivation   hotness

The words are no senses: a pair is listed where any sense of the one has the relation to any of the
other.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["RELATIONS", "relations"]

#: The name of the file.
RELATIONS: Final = "oewn-relations.tsv.gz"


def relations(path: Path) -> Iterator[tuple[str, str, str]]:
    """The rows of the table: word, relation, other word."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, relation, other = line.rstrip("\n").split("\t")
            yield word, relation, other
