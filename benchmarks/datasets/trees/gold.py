"""Gold trees of Universal Dependencies with PropBank columns, under ClearNLP labels.

The form is that of the English Web Treebank beside PropBank: the columns of CoNLL-U up to the
label, then the roleset, then a column for each predicate with its arguments in brackets. The labels
are changed as far as a plain clause needs: there a preposition stands above its noun.

>>> list(read_gold_trees("ewt-propbank/dev.conll.gz"))[0].tree.deps  # doctest: +SKIP
['nsubj', 'ROOT', 'punct']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from compsim.errors import DataError
from compsim.parsers.pipeline.tree import Tree
from compsim.storage.reading import read_text

__all__ = ["GoldTree", "read_gold_trees"]

_TEXT: Final = "# text = "
#: Columns before those of the predicates.
_COLUMNS: Final = 9
_LABELS: Final = {
    "acl:relcl": "relcl",
    "aux:pass": "auxpass",
    "compound:prt": "prt",
    "iobj": "dative",
    "nmod:poss": "poss",
    "nsubj:pass": "nsubjpass",
    "obj": "dobj",
    "root": "ROOT",
}
_SPAN: Final = re.compile(r"\(([^(*)]+)\*")


class GoldTree(NamedTuple):
    """A tree, and of each predicate by its place the PropBank labels of its phrases by their heads.

    Both are places among the words, from 0.
    """

    tree: Tree
    labels: dict[int, dict[int, str]]


def read_gold_trees(path: str | Path) -> Iterator[GoldTree]:
    """The sentences of a file, gzipped or not; those whose words do not make up their text not.

    Raises ``DataError`` for a file that cannot be read or whose lines are of another form.
    """
    text, rows = "", []
    for number, line in enumerate([*read_text(Path(path)).split("\n"), ""], start=1):
        if line.startswith(_TEXT):
            text = line.removeprefix(_TEXT).strip()
        elif line.strip() and not line.startswith("#"):
            cells = line.split("\t")
            if len(cells) < _COLUMNS or not (cells[0].isdecimal() and cells[6].isdecimal()):
                raise DataError(
                    f"{path}, line {number}: no word with its head and roleset: give a file of "
                    "dependencies with PropBank columns"
                )
            rows.append(cells)
        elif rows:
            gold = _gold(text, rows)
            if gold is not None:
                yield gold
            text, rows = "", []


def _gold(text: str, rows: list[list[str]]) -> GoldTree | None:
    starts, ends, at = [], [], 0
    for row in rows:
        place = text.find(row[1], at)
        if place < 0 or text[at:place].strip():
            return None
        at = place + len(row[1])
        starts.append(place)
        ends.append(at)
    heads = [int(row[6]) - 1 for row in rows]
    heads = [i if head < 0 else head for i, head in enumerate(heads)]
    if max(heads) >= len(rows):
        return None
    deps = [_LABELS.get(row[7], row[7]) for row in rows]
    _turn_prepositions(rows, heads, deps)
    lemmas = [row[2].lower() for row in rows]
    for i, row in enumerate(rows):
        if deps[i] == "advmod" and row[1].lower() in ("not", "n't", "n\u2019t"):
            deps[i] = "neg"
    tags, pos = ([row[column] for row in rows] for column in (4, 3))
    tree = Tree(text, starts, ends, heads, deps, tags, pos, lemmas)
    return GoldTree(tree, _labels(rows, tree))


def _turn_prepositions(rows: list[list[str]], heads: list[int], deps: list[str]) -> None:
    """Hang each noun with a preposition on that, and that in the noun's place."""
    for noun, row in enumerate(rows):
        kind = row[7].partition(":")[0]
        if kind not in ("obl", "nmod") or row[7] == "nmod:poss":
            continue
        before = [i for i in range(noun) if int(rows[i][6]) - 1 == noun and rows[i][7] == "case"]
        if not before:
            deps[noun] = "npadvmod" if kind == "obl" else "nmod"
            continue
        first, *others = before
        deps[first] = "agent" if row[7] == "obl:agent" else "prep"
        heads[first], heads[noun], deps[noun] = heads[noun], first, "pobj"
        for other in others:
            heads[other] = first


def _labels(rows: list[list[str]], tree: Tree) -> dict[int, dict[int, str]]:
    """The label of each argument of each predicate, by its highest word."""
    predicates = [i for i, row in enumerate(rows) if row[8] not in ("_", "")]
    return {
        verb: _arguments([row[column] if column < len(row) else "*" for row in rows], tree)
        for column, verb in enumerate(predicates, start=_COLUMNS)
    }


def _arguments(column: list[str], tree: Tree) -> dict[int, str]:
    arguments, start, label = {}, 0, ""
    for i, cell in enumerate(column):
        if match := _SPAN.match(cell):
            start, label = i, match[1]
        if cell.endswith(")") and label:
            span = range(start, i + 1)
            tops = [k for k in span if tree.heads[k] not in span or tree.heads[k] == k]
            if len(tops) == 1 and label != "V":
                arguments[tops[0]] = label
            label = ""
    return arguments
