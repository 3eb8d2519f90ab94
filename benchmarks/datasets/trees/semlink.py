"""Gold roles of Parallel SemLink and Challenge-SRL: predicates with frames, and spans with roles.

Both are published in one format (Orlando, Conia and Navigli 2023, arXiv:2307.01870). A line has the
number of the sentence, that of the word, the word, its tag, the lemma of a predicate, its frame
("-" where none is annotated), and a column for each predicate that has one, with its roles in
brackets. Frames and roles are VerbNet's in Parallel SemLink, PropBank's or VerbAtlas's in
Challenge-SRL::

    115418    0    Ada     NNP    -       -         (Agent*)
    115418    1    gave    VBD    give    13.1-1    *
    115418    2    Bo      NNP    -       -         (Recipient*)
    115418    3    a       DT     -       -         (Theme*
    115418    4    book    NN     -       -         *)
    115418    5    .       .      -       -         *

Words are those of the Penn Treebank; the text is made of them as it is usually written. The span of
the predicate itself (role ``V``) and those without a role (``(*)``, which Challenge-SRL has where
VerbAtlas has none) are left out.

>>> plain_text([("-LRB-", "-LRB-"), ("Do", "VB"), ("n't", "RB"), ("!", "."), ("-RRB-", "-RRB-")])
("(Don't!)", [(0, 1), (1, 3), (3, 6), (6, 7), (7, 8)])
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from compsim.errors import DataError
from compsim.storage.reading import read_text

__all__ = ["GoldSentence", "GoldVerb", "plain_text", "read_semlink"]

#: First and last character of a stretch of text, the last not included.
Span: TypeAlias = tuple[int, int]

#: Columns before those of the verbs.
_COLUMNS: Final = 6
_NONE: Final = "-"
_CELL: Final = re.compile(r"(\(([^()*\s]*))?\*(\)?)")
#: Roles of spans that are no arguments: the predicate, and nothing.
_NO_ARGUMENT: Final = ("V", "")
#: Marks as the treebank writes them and as everybody does.
_MARKS: Final = {
    "``": '"', "''": '"', "`": "'", "-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}",
    "-LSB-": "[", "-RSB-": "]",
}  # fmt: skip
#: Words before which there is no space, and words behind which there is none.
_CLOSING: Final = re.compile(r"[,.;:?!%]|\.\.\.|''|-R[CLRS]B-|'(?:s|re|ve|ll|d|m)?|n't", re.I)
_OPENING: Final = re.compile(r"``?|-L[CLRS]B-|#|[A-Z]*\$")
_HYPHEN: Final = "HYPH"


class GoldVerb(NamedTuple):
    """A predicate, its frame (of VerbNet its class), and the span of each of its roles."""

    span: Span
    frame: str
    roles: list[tuple[str, Span]]


class GoldSentence(NamedTuple):
    """A text and the predicates in it that have a frame."""

    text: str
    verbs: list[GoldVerb]


def read_semlink(path: str | Path) -> list[GoldSentence]:
    """Return the sentences of a file, gzipped or not, in order.

    Raises ``DataError`` for a file that cannot be read, whose lines are of another form, or that
    holds no predicate with a frame.
    """
    sentences = [_sentence(path, number, rows) for number, rows in _blocks(Path(path))]
    if not any(sentence.verbs for sentence in sentences):
        raise DataError(f"{path} holds no predicate with a frame: {_MEND}")
    return sentences


_MEND: Final = (
    "give a file of Parallel SemLink or Challenge-SRL, tab-separated, an empty line between "
    "sentences"
)


def plain_text(words: Iterable[tuple[str, str]]) -> tuple[str, list[Span]]:
    """Return words of the Penn Treebank as usual text, with the span of each.

    Args:
        words: Each word with its tag.

    Returns:
        The text and the spans.
    """
    text, spans, open_before = "", [], True
    for word, tag in words:
        if not open_before and not _CLOSING.fullmatch(word) and tag != _HYPHEN:
            text += " "
        start = len(text)
        text += _MARKS.get(word, word)
        spans.append((start, len(text)))
        open_before = tag == _HYPHEN or bool(_OPENING.fullmatch(word))
    return text, spans


def _blocks(path: Path) -> Iterator[tuple[int, list[list[str]]]]:
    """The rows of each sentence and the number of the first one's line."""
    rows: list[list[str]] = []
    for number, line in enumerate([*read_text(path).split("\n"), ""], start=1):
        if line.strip() and not line.startswith("#"):
            cells = line.rstrip("\r").split("\t")
            if len(cells) <= _COLUMNS or (rows and len(cells) != len(rows[0])):
                raise DataError(
                    f"{path}, line {number}: {len(cells)} columns and not the same number, above "
                    f"{_COLUMNS}, in each line of a sentence: {_MEND}"
                )
            rows.append(cells)
        elif rows and not line.strip():
            yield number - len(rows), rows
            rows = []


def _sentence(path: str | Path, number: int, rows: list[list[str]]) -> GoldSentence:
    text, spans = plain_text((row[2], row[3]) for row in rows)
    verbs = [i for i, row in enumerate(rows) if row[5] != _NONE]
    columns = len(rows[0]) - _COLUMNS
    # A sentence without such a verb has an empty column.
    if columns != max(1, len(verbs)):
        raise DataError(
            f"{path}, line {number}: a sentence of {len(verbs)} predicates with a frame has "
            f"{columns} columns of roles: {_MEND}"
        )
    result = []
    for column, verb in enumerate(verbs, start=_COLUMNS):
        roles = _roles([row[column] for row in rows], spans)
        if roles is None:
            raise DataError(
                f"{path}, line {number}: the brackets of the roles of {rows[verb][2]!r} do not "
                f"match: {_MEND}"
            )
        result.append(GoldVerb(spans[verb], rows[verb][5], roles))
    return GoldSentence(text, result)


def _roles(cells: list[str], spans: list[Span]) -> list[tuple[str, Span]] | None:
    """The roles of a column; None where it is no such column."""
    result, role, start = [], None, 0
    for cell, (first, last) in zip(cells, spans, strict=True):
        match = _CELL.fullmatch(cell)
        if match is None or (match[1] and role is not None):
            return None
        if match[1]:
            role, start = match[2], first
        if match[3]:
            if role is None:
                return None
            if role not in _NO_ARGUMENT:
                result.append((role, (start, last)))
            role = None
    return None if role is not None else result
