"""``compsim methods``: all methods, or one with its options."""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import typer

from compsim.cli import terminal
from compsim.cli.options import TableForm, TableFormat

__all__ = ["methods"]

#: An entry of a list of options in the docstring of a class: their names, and what is said of them.
_ENTRY: Final = re.compile(r"^- ((?:``\w+``(?:, )?)+): (.*(?:\n  .*)*)", re.MULTILINE)

#: Methods whose docstrings describe the options that others have too.
_DESCRIBING: Final = ("verbnet-cn", "sbert")


def methods(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="show the options of this method")
    ] = None,
    form: TableForm = TableFormat.TABLE,
) -> None:
    """List the similarity methods and whether their packages are installed; or one's options."""
    if name is not None:
        _show_options(name, form)
        return
    from compsim.doctor import missing_packages
    from compsim.missing import install_command
    from compsim.registry import methods as known

    rows, result = [], []
    for info in known():
        missing = sorted({name for extra in info.needs for name in missing_packages(extra)})
        result.append({**asdict(info), "missing": missing})
        rows.append(
            (
                info.name,
                f"{info.lowest:g} to {info.highest:g}",
                "yes" if info.symmetric else "no",
                ", ".join(info.needs) or "-",
                install_command(*info.needs) if missing else "yes",
                info.summary,
            )
        )
    if form is TableFormat.JSON:
        terminal.say_json(result)
        return
    terminal.print_table(("name", "range", "symmetric", "needs", "available", "summary"), rows)


def _show_options(name: str, form: TableFormat) -> None:
    """Print the options of a method: their types, defaults, and what they are."""
    from compsim.registry import method_class

    kind = method_class(name)
    said = _descriptions(kind)
    results: list[dict[str, Any]] = [
        {
            "option": option,
            "type": _type(kind, str(parameter.annotation)),
            "default": None if parameter.default is parameter.empty else parameter.default,
            "required": parameter.default is parameter.empty,
            "is": said.get(option, ""),
        }
        for option, parameter in inspect.signature(kind).parameters.items()
    ]
    if form is TableFormat.JSON:
        terminal.say_json(results)
        return
    terminal.say(f"{name}: {kind.info.summary}\n")
    rows = [
        (
            one["option"],
            one["type"],
            "(must be given)" if one["required"] else str(one["default"]),
            one["is"],
        )
        for one in results
    ]
    terminal.print_table(("option", "type", "default", "is"), rows)


def _descriptions(kind: type[Any]) -> dict[str, str]:
    """Return what docstrings say of each option: those of the class, its bases, and the methods to
    which they refer.
    """
    from compsim.registry import method_class

    others = [method_class(name) for name in _DESCRIBING]
    said: dict[str, str] = {}
    for base in [*kind.__mro__, *(one for other in others for one in other.__mro__)]:
        for names, text in _ENTRY.findall(inspect.cleandoc(base.__doc__ or "")):
            plain = " ".join(text.split()).replace("``", "`").rstrip(";.")
            if not plain.startswith(("see ", "those of ")):
                for option in re.findall(r"\w+", names):
                    said.setdefault(option, plain)
    return said


def _type(kind: type[Any], annotation: str) -> str:
    """Return a type as it is written, or the values of one that names a few."""
    named = vars(sys.modules[kind.__module__]).get(annotation.rpartition(".")[2])
    return " | ".join(map(str, get_args(named))) if get_origin(named) is Literal else annotation
