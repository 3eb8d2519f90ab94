"""Dependency trees of a teacher: read from CoNLL files, or made by an installed spaCy pipeline."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compsim.storage.reading import lines_of

__all__ = ["Tree", "parse_with", "read_conll"]

TEXT = "# text = "


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
        """The sentence as it was written."""
        return "".join(w + " " * s for w, s in zip(self.words, self.spaces, strict=True)).strip()


def read_conll(path: Path) -> Iterator[Tree]:
    """Trees of a CoNLL-U-like file (gzipped or not), one sentence after the other.

    Where words are apart is told by a comment ``# text = ...`` that fits the words, else by
    ``SpaceAfter=No``.
    """
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as file:
        rows: list[list[str]] = []
        text = ""
        for line in (line.decode("utf8") for line in lines_of(file, path)):
            if line.startswith(TEXT) and not rows:
                text = line.removeprefix(TEXT).strip()
            elif line.strip() and not line.startswith("#"):
                rows.append(line.rstrip("\n").split("\t"))
            elif not line.strip() and rows:
                yield _tree(rows, text)
                rows, text = [], ""
        if rows:
            yield _tree(rows, text)


def _tree(rows: list[list[str]], text: str) -> Tree:
    heads = [int(row[6]) - 1 for row in rows]
    words = [row[1] for row in rows]
    return Tree(
        words=words,
        tags=[row[4] for row in rows],
        pos=[row[3] for row in rows],
        lemmas=[row[2] for row in rows],
        heads=[i if head < 0 else head for i, head in enumerate(heads)],
        deps=[row[7] for row in rows],
        spaces=_spaces(words, text) or ["SpaceAfter=No" not in row[9] for row in rows],
    )


def _spaces(words: list[str], text: str) -> list[bool]:
    """Return whether a space follows each word in ``text``; empty if other words are in it."""
    spaces = []
    at = 0
    for word in words:
        if not text.startswith(word, at):
            return []
        at += len(word)
        spaces.append(text.startswith(" ", at))
        at += spaces[-1]
    return spaces if at == len(text) else []


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
