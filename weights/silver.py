"""Dependency trees of a teacher: read from CoNLL files, or made by an installed spaCy pipeline."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Tree", "parse_with", "read_conll"]


@dataclass(frozen=True)
class Tree:
    """One parsed sentence: parallel lists over its tokens, heads as indices into them."""

    words: list[str]
    tags: list[str]
    pos: list[str]
    lemmas: list[str]
    heads: list[int]
    deps: list[str]
    spaces: list[bool]

    @property
    def text(self) -> str:
        return "".join(w + " " * s for w, s in zip(self.words, self.spaces, strict=True)).strip()


def read_conll(path: Path) -> Iterator[Tree]:
    """Trees of a CoNLL-U-like file (gzipped or not), one sentence after the other."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf8") as lines:
        rows: list[list[str]] = []
        for line in lines:
            if line.strip() and not line.startswith("#"):
                rows.append(line.rstrip("\n").split("\t"))
            elif not line.strip() and rows:
                yield _tree(rows)
                rows = []
        if rows:
            yield _tree(rows)


def _tree(rows: list[list[str]]) -> Tree:
    heads = [int(row[6]) - 1 for row in rows]
    return Tree(
        words=[row[1] for row in rows],
        tags=[row[4] for row in rows],
        pos=[row[3] for row in rows],
        lemmas=[row[2] for row in rows],
        heads=[i if head < 0 else head for i, head in enumerate(heads)],
        deps=[row[7] for row in rows],
        spaces=["SpaceAfter=No" not in row[9] for row in rows],
    )


def parse_with(teacher: str, lines: Iterable[str]) -> Iterator[Tree]:
    """Silver trees of ``lines`` by the installed spaCy pipeline ``teacher``."""
    import spacy

    for doc in spacy.load(teacher, disable=["ner"]).pipe(lines, batch_size=256):
        for sent in doc.sents:
            yield Tree(
                words=[t.text for t in sent],
                tags=[t.tag_ for t in sent],
                pos=[t.pos_ for t in sent],
                lemmas=[t.lemma_ for t in sent],
                heads=[t.head.i - sent.start for t in sent],
                deps=[t.dep_ for t in sent],
                spaces=[bool(t.whitespace_) for t in sent],
            )
