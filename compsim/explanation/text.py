"""An explanation as text: plain, or with the colours that rich has for a terminal.

The verdict comes first, then what both sentences say, what one says alone, and the sum; the table
of all rows is below. Long phrases lose their middle here, and nowhere else.

>>> from compsim.explanation import Explanation, RoleRow
>>> from compsim.graph import Node
>>> row = RoleRow("Verb", Node("bit"), Node("bites"), 0.8, 3.0, 0.6, "same lemma")
>>> left = RoleRow("Time", Node("today"), None, None, 1.0, 0.0)
>>> print(text(Explanation("verbnet-cn", ("A dog bit him today.", "A dog bites."), (row, left))))
Related: only the first says "today".
verbnet-cn: 0.6000 (related)
1: A dog bit him today.
2: A dog bites.
<BLANKLINE>
both say: bit / bites (0.80)
only the first says: today
<BLANKLINE>
 0.60  what happens
 0.60  score
<BLANKLINE>
How was this computed?
role   1      2      cosine  weight  contribution
Verb   bit    bites  0.8000     3.0        0.6000
       same lemma
Time   today  -           -     1.0        0.0000
score                                      0.6000
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from compsim.explanation.columns import clean, columns, cut, filled, shared_out, wrapped
from compsim.explanation.plain_names import WHOLES
from compsim.explanation.steps import steps
from compsim.explanation.verdict import UNLIKE
from compsim.explanation.word_pairs import word_pairs

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.text import Text

    from compsim.explanation.rows import Explanation, RoleRow
    from compsim.graph import Node

__all__ = ["cells", "phrases", "places", "renderable", "text"]

_HEAD: Final = ("role", "1", "2", "cosine", "weight", "contribution")
_WIDTH: Final = 80
_ROLE_WIDTH: Final = 20  # the paths of meaning graphs are longer
_GAP: Final = "  "
_LEAST: Final = 10  # both phrases have this room, or stand below their role
_PHRASE: Final = 30  # of a phrase that is listed
_STYLES: Final = {
    "conflict": "red",
    "title": "bold",
    "head": "dim",
    "unmatched": "dim",
    "note": "italic",
}


def text(explanation: Explanation, width: int = _WIDTH) -> str:
    """The verdict, the sentences, what agrees and what does not, the sum, and all rows."""
    return "\n".join(line.text for line in _lines(explanation, width))


def renderable(explanation: Explanation) -> RenderableType:
    """The same for a console of the rich package, as wide as that: each role has its colour."""
    return _Renderable(explanation)


def places(rows: Iterable[RoleRow]) -> int:
    """Return the number of decimals for the weights of all rows.

    >>> from compsim.explanation import RoleRow
    >>> rows = [RoleRow("Verb", None, None, None, weight, 0.0) for weight in (3.0, 0.989157)]
    >>> places(rows[:1]), places(rows), cells(rows[1], places(rows))[4]
    (1, 3, '0.989')
    """
    return 1 if all(row.weight == round(row.weight, 1) for row in rows) else 3


def cells(row: RoleRow, places: int) -> tuple[str, ...]:
    """A row of the table as strings, the weight with so many decimals, nothing cut."""
    return (
        clean(row.role),
        _phrase(row.first),
        _phrase(row.second),
        "-" if row.cosine is None else f"{row.cosine:.4f}",
        f"{round(row.weight, places) + 0.0:.{places}f}",
        f"{row.contribution:.4f}",
    )


def phrases(explanation: Explanation) -> Iterator[tuple[str, list[str]]]:
    """Yield name and phrases: shared alike, shared unlike, then those of each sentence alone."""
    both: list[str] = []
    unlike: list[str] = []
    for row in explanation.agreements:
        if row.role in WHOLES:
            continue
        first, second = (cut(_phrase(node), _PHRASE) for node in (row.first, row.second))
        cosine = 1.0 if row.cosine is None else row.cosine
        shown = first if first.lower() == second.lower() else f"{first} / {second}"
        shown += f" ({cosine:.2f})" if cosine <= 0.995 else ""
        (unlike if cosine < UNLIKE else both).append(shown)
    yield "both say", both
    yield "said otherwise", unlike
    for side, name in enumerate(("only the first says", "only the second says")):
        nodes = ((row.first, row.second)[side] for row in explanation.gaps)
        yield name, [cut(_phrase(node), _PHRASE) for node in nodes if node]


class _Line(NamedTuple):
    """A line, what kind it is, and the role that it starts with, if any."""

    text: str
    kind: str = ""
    role: str = ""


class _Renderable:
    """Rich renderable of an explanation, at the width that rich has."""

    def __init__(self, explanation: Explanation) -> None:
        self._explanation = explanation

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from rich.text import Text

        from compsim.graph.drawing.colours import hex_of

        for line in _lines(self._explanation, max(options.max_width, 40)):
            # Text, since a phrase may hold what rich takes for markup.
            drawn = Text(line.text, _STYLES.get(line.kind, ""), no_wrap=True)
            if line.role and line.kind != "unmatched":
                drawn.stylize(f"bold {hex_of(line.role)}", 0, line.text.index(_GAP))
            yield drawn


def _lines(explanation: Explanation, width: int) -> Iterator[_Line]:
    for line in wrapped(clean(explanation.verdict), width):
        yield _Line(line, "title")
    level = f" ({explanation.level})" if explanation.level else ""
    yield _Line(cut(clean(f"{explanation.method}: {explanation.score:.4f}{level}"), width))
    for i, text in enumerate(explanation.sentences, 1):
        yield from map(_Line, wrapped(f"{i}: {clean(text)}", width, "   "))
    lists = [_list(name, result, width) for name, result in phrases(explanation)]
    if any(lists):
        yield _Line("")
        yield from (_Line(line) for lines in lists for line in lines)
    yield _Line("")
    yield from _sum(explanation, width)
    yield _Line("")
    yield _Line("How was this computed?", "title")
    for text in (explanation.details(), explanation.note):
        yield from (_Line(line, "head") for line in _wrapped(text, width, ""))
    yield from _table(explanation, width)
    if explanation.words is not None:
        yield _Line("")
        yield from (_Line(*line) for line in word_pairs(explanation.words, width))


def _list(name: str, results: Iterable[str], width: int) -> list[str]:
    """Phrases in a few lines, each phrase once; none for none."""
    text = ", ".join(dict.fromkeys(results))
    return wrapped(f"{name}: {text}", width, "  ") if text else []


def _sum(explanation: Explanation, width: int) -> Iterator[_Line]:
    """The bars of the waterfall as figures, each conflict with its sentences."""
    result = steps(explanation)
    for step in result:
        name = cut(clean(step.name), width - 7)
        kind = "title" if step.total else "conflict" if step.conflicts else ""
        yield _Line(f"{step.figure:>5}  {name}", kind)
        for conflict in step.conflicts:
            yield from map(_Line, _wrapped(conflict.reason, width, " " * 7))


def _table(explanation: Explanation, width: int) -> Iterator[_Line]:
    """All rows in columns, or below each other where there is no room for columns."""
    decimals = places(explanation.rows)
    table = [_HEAD, *(cells(row, decimals) for row in explanation.rows)]
    widths = _widths(table, width)
    phrases = sum(max(map(columns, column)) for column in list(zip(*table, strict=True))[1:3])
    if widths[1] + widths[2] < min(phrases, _LEAST):
        widths = [width]
    yield _Line(_aligned(_HEAD, widths), "head")
    for row, result in zip(explanation.rows, table[1:], strict=True):
        if len(widths) > 1:
            yield from _row(row, result, widths, width)
        else:
            yield from _listed(row, result, width)
    total = ("score", "", "", "", "", f"{explanation.score:.4f}")
    yield _Line(_aligned(total, widths), "title")


def _row(row: RoleRow, cells: Sequence[str], widths: Sequence[int], width: int) -> Iterator[_Line]:
    kind = "unmatched" if row.cosine is None else "row"
    yield _Line(_aligned(cells, widths), kind, clean(row.role))
    if row.reason:
        for line in _wrapped(row.reason, width, " " * (widths[0] + len(_GAP))):
            yield _Line(line, "note")


def _listed(row: RoleRow, cells: Sequence[str], width: int) -> Iterator[_Line]:
    """A row where there is no room for columns: what it adds beside its role, the rest below."""
    role, first, second, cosine, weight, contribution = cells
    kind = "unmatched" if row.cosine is None else "row"
    yield _Line(_aligned((role, *[""] * 4, contribution), [width]), kind, role)
    for item in (f"{first} / {second}", f"cosine {cosine}, weight {weight}", row.reason):
        for line in _wrapped(item, width, "  "):
            yield _Line(line, kind if item != row.reason else "note")


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    """The text in lines that are all indented, none for none."""
    lines = wrapped(clean(text), width - len(indent)) if text else []
    return [indent + line for line in lines]


def _phrase(node: Node | None) -> str:
    return "-" if node is None else clean(node.label)


def _widths(table: Sequence[Sequence[str]], width: int) -> list[int]:
    """The widths of the columns: roles and phrases share what the numbers leave."""
    role, first, second, *numbers = (
        max(map(columns, column)) for column in zip(*table, strict=True)
    )
    role = min(max(role, len("score")), _ROLE_WIDTH)
    room = width - role - sum(numbers) - len(_GAP) * (len(_HEAD) - 1)
    return [role, *shared_out((first, second), max(room, 2)), *numbers]


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    """A row in columns: words to the left, numbers to the right; in one, only its two ends."""
    if len(widths) == 1:
        last = row[-1]
        return filled(cut(row[0], widths[0] - columns(last) - 2), widths[0] - columns(last)) + last
    cells = enumerate(zip(row, widths, strict=True))
    results = [filled(cell, width, right=i >= 3) for i, (cell, width) in cells]
    return _GAP.join(results).rstrip()
