"""Explanations on the command line: formats and output files.

>>> from pathlib import Path
>>> chosen_format(None, Path("why.html")), chosen_format(None, None)
(<ExplainFormat.HTML: 'html'>, <ExplainFormat.TABLE: 'table'>)
"""

from __future__ import annotations

import json
import math
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from compsim.cli import terminal
from compsim.errors import InputError

if TYPE_CHECKING:
    from compsim.explanation import Explanation

__all__ = ["ExplainFormat", "chosen_format", "score_as_json", "show"]


class ExplainFormat(StrEnum):
    """Format of an explanation."""

    TABLE = "table"
    JSON = "json"
    HTML = "html"
    SVG = "svg"


_ENDINGS: Final = {
    ".html": ExplainFormat.HTML,
    ".htm": ExplainFormat.HTML,
    ".json": ExplainFormat.JSON,
    ".txt": ExplainFormat.TABLE,
    ".svg": ExplainFormat.SVG,
}


def chosen_format(form: ExplainFormat | None, output: Path | None) -> ExplainFormat:
    """The form that was asked for, by name or by the ending of the file; else a table.

    Raises ``InputError`` where the two say unlike things, and for an ending that says nothing.
    """
    if output is None or not output.suffix:
        return form or ExplainFormat.TABLE
    meant = _ENDINGS.get(output.suffix.lower())
    if meant is None and form is None:
        raise InputError(
            f"{output.name} does not say how to write the explanation: end it in .html, .json, "
            ".txt or .svg, or give --format"
        )
    if form is not None and meant is not None and form is not meant:
        raise InputError(
            f"--format {form.value} and --output {output.name} say unlike things: leave out the "
            f"format, or write to {output.with_suffix(_ending(form)).name}"
        )
    return form or meant or ExplainFormat.TABLE


def _ending(form: ExplainFormat) -> str:
    return next(ending for ending, known in _ENDINGS.items() if known is form)


def show(
    explanation: Explanation,
    form: ExplainFormat,
    output: Path | None = None,
) -> None:
    """Print an explanation, or write it to a file as a whole.

    :param explanation: what is shown.
    :param form: how.
    :param output: the file, replaced as a whole; a device just gets it.
    :raises InputError: where there is nothing to draw.
    """
    if output is not None:
        _write(output, _written(explanation, form) + "\n")
    elif form is ExplainFormat.TABLE and terminal.width() is not None:
        from rich.console import Console

        Console().print(explanation)
    else:
        terminal.say(_written(explanation, form))


def _written(explanation: Explanation, form: ExplainFormat) -> str:
    if form is ExplainFormat.JSON:
        return explanation.to_json(indent=2)
    if form is ExplainFormat.HTML:
        return explanation.to_html().rstrip()
    if form is ExplainFormat.TABLE:
        return str(explanation)
    if explanation.figure is None:
        raise InputError(
            f"there is nothing to draw: {explanation.method} compared no graphs of these "
            "sentences; use another --format"
        )
    return explanation.figure()


def _write(output: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one; a device just gets it."""
    from compsim.storage.files import write_text

    # A link stays one, and /dev/null is no file that another could take the place of.
    target = output.resolve()
    if target.exists() and not target.is_file() and not target.is_dir():
        target.write_text(text, encoding="utf-8")
    else:
        write_text(target, text)


def score_as_json(method: str, sentences: tuple[str, str], score: float) -> str:
    """A score without its reasons as JSON; NaN is null.

    >>> print(score_as_json("verbnet-cn", ("Cats sleep.", "Cats doze."), 0.5))
    {
      "method": "verbnet-cn",
      "score": 0.5,
      "sentences": [
        "Cats sleep.",
        "Cats doze."
      ]
    }
    """
    value = None if math.isnan(score) else score + 0.0
    result = {"method": method, "score": value, "sentences": list(sentences)}
    return json.dumps(result, ensure_ascii=not _writable(sentences), indent=2)


def _writable(sentences: tuple[str, str]) -> bool:
    """Return whether UTF-8 can hold them: not so half a surrogate pair."""
    return not any("\ud800" <= character <= "\udfff" for text in sentences for character in text)
