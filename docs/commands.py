"""Write all commands and options into the page on the command line: ``python docs/commands.py``.

What stands there is what ``compsim COMMAND -h`` prints; a test makes it again and compares.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from compsim.cli.app import app

PAGE = Path(__file__).resolve().parent / "command-line.md"
BEGINNING = "<!-- Below is what docs/commands.py writes. -->\n"
#: Options of evaluations that are told once.
_SHARED = (
    "--jobs", "--fresh", "--json", "--html", "--markdown", "--latex", "--format", "--methods",
    "--normalize", "-o, --option", "--parser", "--roles", "--vectors",
)  # fmt: skip


def commands(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """The path of each command, itself, and the context that its options are told in."""
    context = command.make_context(path[-1], [], resilient_parsing=True)
    if not hasattr(command, "list_commands"):
        yield path, command, context
        return
    for name in command.list_commands(context):
        yield from commands(command.get_command(context, name), (*path, name))


def options(command: Any, context: Any) -> dict[str, tuple[str, str]]:
    """The arguments and options of a command by their names: how each is written, and its help.

    Types are left out, which each version of typer calls otherwise.
    """
    result = {}
    for parameter in command.params:
        if getattr(parameter, "hidden", False) or "--help" in parameter.opts:
            continue
        name = ", ".join(sorted(parameter.opts, key=len))
        choices = None
        if not name.startswith("-"):
            name = written = _argument(parameter)
        elif parameter.secondary_opts:
            written = f"{name} / {parameter.secondary_opts[0]}"
        else:
            record = parameter.get_help_record(context)
            choices = re.search(r"[<[](\w[\w-]*(?:\|[\w-]+)+)[]>]", record[0] if record else "")
            written = f"{name} {'' if choices else parameter.metavar or ''}".strip()
        results = (parameter.help or "") + (
            f": {', '.join(choices[1].split('|'))}" if choices else ""
        )
        default = parameter.default
        plain = isinstance(default, str | int | float) and not isinstance(default, bool)
        if parameter.required and name.startswith("-"):
            results += " (required)"
        elif plain or isinstance(default, Path):
            results += f" (default: {getattr(default, 'value', default)})"
        result[name] = written, results
    return result


def _argument(parameter: Any) -> str:
    name: str = parameter.metavar or parameter.name.upper()
    more = "..." if parameter.nargs == -1 else ""
    return f"{name}{more}" if parameter.required or name.startswith("[") else f"[{name}{more}]"


def written() -> str:
    """The part of the page that is written here."""
    results = [(path, command, options(command, context)) for path, command, context in every()]
    shared: dict[str, tuple[str, str]] = {}
    for path, _, given in results:
        for name in _SHARED if path[1] == "bench" else ():
            if name in given:
                shared.setdefault(name, given[name])
    parts = []
    for path, command, given in results:
        bench = path[1] == "bench"
        if bench and "Evaluations" not in "".join(parts):
            text = "Every evaluation has some of these options; its own are listed below its name."
            parts.append(f"### Evaluations\n\n{text}\n\n{_table(list(shared.values()))}")
        own = [
            result for name, result in given.items() if not (bench and shared.get(name) == result)
        ]
        usage = (name for name in given if not name.startswith("-"))
        title = f"### `{' '.join((*path, *usage))}`"
        about = "\n\n".join(" ".join(part.split()) for part in (command.help or "").split("\n\n"))
        parts.append("\n\n".join(filter(None, (title, _safe(about), _table(own)))))
    return "\n\n".join(parts) + "\n"


def every() -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """All of them."""
    return commands(typer.main.get_command(app), ("compsim",))


def _table(rows: list[tuple[str, str]]) -> str:
    if not rows:
        return ""
    lines = [f"| `{written}` | {_safe(result)} |" for written, result in rows]
    return "\n".join(["| option | |", "|---|---|", *lines])


def _safe(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def main() -> int:
    """Write the page again."""
    head = PAGE.read_text(encoding="utf-8").partition(BEGINNING)[0]
    PAGE.write_text(f"{head}{BEGINNING}\n{written()}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
