"""Options that several commands have, and how they become the options of a method.

>>> settings(["k=3", "direction=out", "legacy=true"])
{'k': 3, 'direction': 'out', 'legacy': True}
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from compsim.catalogue import option_value

__all__ = [
    "PARSERS",
    "AsJson",
    "Commands",
    "Data",
    "Json",
    "MethodName",
    "OptionsOf",
    "ParserName",
    "Roles",
    "TableForm",
    "TableFormat",
    "TextForm",
    "TextFormat",
    "Vectors",
    "options_set",
    "settings",
]

PARSERS: Final = (
    "concepts (default of verbnet-cn and hybrid), srl[:PIPELINE], stored:FILE, "
    "framenet-stored:FILE, ucca-stored:FILE, verbnet-server:URL or "
    "llm:URL for semantic roles; "
    "amr, amrlib[:FOLDER], amr-stored:FILE or amr-server:URL for meaning graphs"
)


class Commands(TyperGroup):
    """Commands whose help says of each the whole first sentence, folded and never cut."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the names of the commands and what each does."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [
            (name, command.get_short_help_str(limit=1000))
            for name, command in commands
            if command is not None and not command.hidden
        ]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


class TableFormat(StrEnum):
    """Format of a table."""

    TABLE = "table"
    JSON = "json"


class TextFormat(StrEnum):
    """Format of a result that is no table."""

    TEXT = "text"
    JSON = "json"


def _method_names() -> list[str]:
    """Return the method names that a shell completes."""
    from compsim.registry import methods

    return [info.name for info in methods()]


MethodName = Annotated[
    str,
    typer.Option(
        help="the similarity method, one of `compsim methods`", autocompletion=_method_names
    ),
]
TableForm = Annotated[TableFormat, typer.Option("--format", help="how to print it")]
TextForm = Annotated[TextFormat, typer.Option("--format", help="how to print it")]
#: As these commands took it before they had ``--format``.
AsJson = Annotated[bool, typer.Option("--json", help="as --format json", hidden=True)]
ParserName = Annotated[
    str | None,
    typer.Option("--parser", help=f"{PARSERS} (default: the method's)", metavar="NAME[:ARGUMENT]"),
]
Data = Annotated[
    Path,
    typer.Option(
        envvar="COMPSIM_DATA", help="a copy of bmmlab/compositional-semantics-eval, or its parent"
    ),
]
Json = Annotated[
    Path | None, typer.Option("--json", help="also write the results to this JSON file")
]
Roles = Annotated[
    str | None,
    typer.Option(
        help="parses published with STS3k in place of a parser: hand-fixed, semparse, "
        "gpt4, spring (AMR), "
        "or a JSON file"
    ),
]
Vectors = Annotated[
    str | None,
    typer.Option(help="word vectors: builtin (default), numberbatch, or the path of a vector file"),
]
OptionsOf = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        help="any other option of the method, as in -o k=3; may be repeated",
        metavar="NAME=VALUE",
    ),
]


def options_set(texts: Iterable[str] | None = None, /, **options: Any) -> dict[str, Any]:
    """The options that were given; the method knows its defaults and its own options."""
    known = {name: value for name, value in options.items() if value is not None}
    return known | settings(texts)


def settings(texts: Iterable[str] | None) -> dict[str, Any]:
    """The options in ``name=value`` texts; a value is JSON where it is any, else the text."""
    result: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise typer.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
        result[name.replace("-", "_")] = option_value(value)
    return result
