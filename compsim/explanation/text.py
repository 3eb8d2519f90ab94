"""An explanation as text: plain, or with the colours that rich has for a terminal.

A section stands for each pair of frames, its roles below it; long phrases lose their middle here,
and nowhere else.

>>> from compsim.explanation import Explanation, FrameRow, RoleRow
>>> from compsim.graph import Node
>>> frames = (FrameRow(Node("bit"), Node("bites"), 0.75, 0.8), FrameRow(Node("ran"), None))
>>> rows = (RoleRow("Verb", Node("bit"), Node("bites"), 0.8, 3.0, 0.6, 0, "same lemma"),)
>>> texts = ("A dog bit him and ran.", "A dog bites.")
>>> print(text(Explanation("verbnet-cn", texts, rows, frames=frames)))
verbnet-cn: 0.6000
1: A dog bit him and ran.
2: A dog bites.
<BLANKLINE>
bit / bites: 0.80, counts 0.75
role   1    2      cosine  weight  contribution
Verb   bit  bites  0.8000     3.0        0.6000
       same lemma
<BLANKLINE>
left over:
  ran: only in 1
<BLANKLINE>
score                                    0.6000
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from compsim.explanation.columns import clean, columns, cut, filled, shared_out, wrapped
from compsim.explanation.sections import Section, named, sections
from compsim.explanation.word_pairs import word_pairs

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.text import Text

    from compsim.explanation.rows import Explanation, RoleRow
    from compsim.graph import Node

__all__ = ["cells", "places", "renderable", "text"]

_HEAD: Final = ("role", "1", "2", "cosine", "weight", "contribution")
_WIDTH: Final = 80
_ROLE_WIDTH: Final = 20  # the paths of meaning graphs are longer
_GAP: Final = "  "
_LEAST: Final = 10  # both phrases have this room, or stand below their role
_STYLES: Final = {"title": "bold", "head": "dim", "unmatched": "dim", "note": "italic"}


def text(explanation: Explanation, width: int = _WIDTH) -> str:
    """The score, the sentences, what the score rests on, and the rows as tables."""
    return "\n".join(line.text for line in _lines(explanation, width))


def renderable(explanation: Explanation) -> RenderableType:
    """The same for a console of the rich package, as wide as that: each role has its colour."""
    return _Renderable(explanation)


def places(rows: Iterable[RoleRow]) -> int:
    """How many decimals the weights of these rows are shown with, the same for all.

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


class _Line(NamedTuple):
    """A line, what kind it is, and the role that it starts with, if any."""

    text: str
    kind: str = ""
    role: str = ""


class _Renderable:
    """What rich draws, at the width that it has."""

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
    found = sections(explanation)
    decimals = places(explanation.rows)
    table = [_HEAD, *(cells(row, decimals) for section in found for row in section.rows)]
    widths = _widths(table, width)
    phrases = sum(max(map(columns, column)) for column in list(zip(*table, strict=True))[1:3])
    if widths[1] + widths[2] < min(phrases, _LEAST):
        widths = [width]
    yield from _heading(explanation, width)
    left = [section for section in found if section.left_in is not None]
    for section in found:
        if section.left_in is not None:
            continue
        yield _Line("")
        if section.title:
            room = (width - columns(section.figures) - len(": " + " / ")) // 2
            assert section.frame is not None
            names = map(named, (section.frame.first, section.frame.second))
            title = " / ".join(cut(clean(name), room) for name in names)
            yield _Line(f"{title}: {section.figures}", "title")
        for line in _wrapped(section.remark, width, "  "):
            yield _Line(line, "note")
        yield _Line(_aligned(_HEAD, widths), "head")
        for row in section.rows:
            told = cells(row, decimals)
            yield from (
                _row(row, told, widths, width) if len(widths) > 1 else _listed(row, told, width)
            )
    if left:
        yield _Line("")
        yield _Line("left over:", "title")
        for section in left:
            for line in _wrapped(_left(section), width, "  "):
                yield _Line(line, "unmatched")
    if any(section.title for section in found):
        yield _Line("")
    total = ("score", "", "", "", "", f"{explanation.score:.4f}")
    yield _Line(_aligned(total, widths), "title")
    if explanation.words is not None:
        yield _Line("")
        yield from (_Line(*line) for line in word_pairs(explanation.words, width))


def _heading(explanation: Explanation, width: int) -> Iterator[_Line]:
    """What stands above the tables."""
    yield _Line(cut(clean(f"{explanation.method}: {explanation.score:.4f}"), width), "title")
    told = [f"{i}: {clean(text)}" for i, text in enumerate(explanation.sentences, 1)]
    told += [clean(text) for text in (explanation.details(), explanation.note) if text]
    for i, text in enumerate(told):
        yield from map(_Line, wrapped(text, width, "   " if i < 2 else "  "))


def _row(row: RoleRow, told: Sequence[str], widths: Sequence[int], width: int) -> Iterator[_Line]:
    kind = "unmatched" if row.cosine is None else "row"
    yield _Line(_aligned(told, widths), kind, clean(row.role))
    if row.reason:
        for line in _wrapped(row.reason, width, " " * (widths[0] + len(_GAP))):
            yield _Line(line, "note")


def _listed(row: RoleRow, cells: Sequence[str], width: int) -> Iterator[_Line]:
    """A row where there is no room for columns: what it adds beside its role, the rest below."""
    role, first, second, cosine, weight, contribution = cells
    kind = "unmatched" if row.cosine is None else "row"
    yield _Line(_aligned((role, *[""] * 4, contribution), [width]), kind, role)
    for told in (f"{first} / {second}", f"cosine {cosine}, weight {weight}", row.reason):
        for line in _wrapped(told, width, "  "):
            yield _Line(line, kind if told != row.reason else "note")


def _left(section: Section) -> str:
    """A frame without a partner, with its phrases, in one sentence."""
    told = f"{section.title}: {section.figures}"
    roles = []
    for row in section.rows:
        node = row.first or row.second
        if node is not None and node.label != section.title:
            roles.append(f"{row.role} {cut(clean(node.label), 40)}")
    told += f" ({', '.join(roles)})" if roles else ""
    return f"{told}; {section.remark}" if section.remark else told


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
    found = [filled(cell, width, right=i >= 3) for i, (cell, width) in cells]
    return _GAP.join(found).rstrip()
