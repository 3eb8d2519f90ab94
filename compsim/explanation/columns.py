"""Text for a terminal: how wide it is, cut and wrapped to columns, without control characters.

>>> cut("the man who lives next door", 15)
'the man…xt door'
>>> wrapped("Cats chase mice in the old barn.", 16, indent="  ")
['Cats chase mice', '  in the old', '  barn.']
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from compsim.plain_text import UNSAFE

__all__ = ["clean", "columns", "cut", "filled", "pieces", "shared_out", "wrapped"]

_ELLIPSIS: Final = "…"


def clean(text: str) -> str:
    """The text on one line: control characters become spaces, one for each."""
    return UNSAFE.sub(" ", text)


def columns(text: str) -> int:
    """The columns that a text takes in a terminal."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pieces(text: str) -> list[str]:
    """The text in pieces that a reader takes for one character: accents stay with their letter."""
    results: list[str] = []
    for character in text:
        joined = bool(results) and results[-1].endswith("\u200d")
        if results and (joined or not _columns(character)):
            results[-1] += character
        else:
            results.append(character)
    return results


def cut(text: str, width: int) -> str:
    """The text, its middle an ellipsis where it is wider than ``width`` (at least 1)."""
    if columns(text) <= width:
        return text
    parts = text if text.isascii() else pieces(text)
    room = width - 1
    start = _fitting(parts, (room + 1) // 2)
    end = _fitting(parts[::-1], room - columns("".join(parts[:start])))
    return "".join([*parts[:start], _ELLIPSIS, *parts[len(parts) - end :]])


def filled(text: str, width: int, right: bool = False) -> str:
    """The text, cut or with spaces behind it, or before it, at exactly ``width`` columns.

    >>> filled("cats", 6), filled("0.5", 6, right=True)
    ('cats  ', '   0.5')
    """
    shown = cut(text, width)
    space = " " * (width - columns(shown))
    return space + shown if right else shown + space


def _fitting(parts: Sequence[str], width: int) -> int:
    """Return the number of leading pieces that fit into a width."""
    for count, part in enumerate(parts):
        width -= columns(part)
        if width < 0:
            return count
    return len(parts)


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """The text in lines of at most ``width`` columns, all but the first indented."""
    lines, line, space = [], "", ""
    for word in text.split():
        while columns(line + space + word) > width:
            if line.strip():
                lines.append(line)
                line, space = indent, ""
                continue
            # A word wider than a line is broken; at least one character goes on each.
            parts = pieces(word)
            count = max(1, _fitting(parts, width - columns(line)))
            if count == len(parts):
                break
            lines.append(line + "".join(parts[:count]))
            line, word = indent, "".join(parts[count:])
        line, space = line + space + word, " "
    return [*lines, line] if line.strip() or not lines else lines


def shared_out(wishes: tuple[int, int], room: int) -> tuple[int, int]:
    """The widths of two columns that wish for so much and have so much together.

    >>> shared_out((10, 50), 40), shared_out((50, 50), 40), shared_out((10, 5), 40)
    ((10, 30), (20, 20), (10, 5))
    """
    first, second = wishes
    if first + second <= room:
        return first, second
    half = room // 2
    if first <= half:
        return first, room - first
    return (room - second, second) if second <= half else (half, room - half)
