"""``compsim bench``: each evaluation as a command, its options those of the function that makes it.

A positional parameter is an argument, another an option; its help is the text in ``Annotated``, or
that of the option of its name that several commands have.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args, get_origin, get_type_hints

import typer

from compsim.cli import terminal
from compsim.cli.options import (
    Commands,
    Data,
    Json,
    OptionsOf,
    ParserName,
    Roles,
    TableForm,
    TableFormat,
    Vectors,
    settings,
)
from compsim.storage.files import write_json, write_text

if TYPE_CHECKING:
    from compsim.benchmarks.task import Results, Task

__all__ = ["app"]

#: The parameter that evaluations have which make sentences first: it is told how many were read.
_ADVANCE: Final = "advance"
#: Parameters of several evaluations.
_SHARED: Final[dict[str, Any]] = {
    "data": Data,
    "methods": Annotated[
        str,
        typer.Option(
            help="methods, separated by commas; all: every method whose model is installed"
        ),
    ],
    "normalize": Annotated[
        str | None,
        typer.Option(
            help="normalisation of scores, for methods that support it (`compsim methods "
            "NAME` lists the values); all: every one of a "
            "method's ways"
        ),
    ],
    "option": OptionsOf,
    "parser": ParserName,
    "roles": Roles,
    "vectors": Vectors,
}


def _outputs(
    jobs: Annotated[int, typer.Option(min=1, help="how many methods to run in parallel")] = 1,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="recompute everything: ignore cached results")
    ] = False,
    json: Json = None,
    html: Annotated[Path | None, typer.Option(help="also write a report with plots here")] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="also write the table to this Markdown file")
    ] = None,
    latex: Annotated[
        Path | None, typer.Option(help="also write the table to this LaTeX file")
    ] = None,
    form: TableForm = TableFormat.TABLE,
) -> None:
    """Options of every evaluation; ``jobs`` of those of several methods."""


class _Tasks(Commands):
    """The commands of the table of evaluations; a module is imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names in the table."""
        from compsim.benchmarks.tasks import TASKS

        return list(TASKS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of one, None where there is none of that name."""
        from compsim.benchmarks.tasks import TASKS, open_task

        if cmd_name not in TASKS:
            return None
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(cmd_name)(_command(open_task(cmd_name)))
        return typer.main.get_command(alone)


app: Final = typer.Typer(
    cls=_Tasks, help="Measure accuracy and speed.", rich_markup_mode=None, add_completion=False
)


@app.callback()
def _bench() -> None:
    pass


def _command(make: Callable[..., Task | list[Task]]) -> Callable[..., None]:
    """A function with the options of an evaluation and of every output, which runs it."""
    signature = inspect.signature(make)
    hints = get_type_hints(make, include_extras=True)
    own = [
        _parameter(item, hints[name])
        for name, item in signature.parameters.items()
        if name != _ADVANCE
    ]
    shared = inspect.signature(_outputs, eval_str=True).parameters
    written = [item for name, item in shared.items() if name not in hints]
    written = [item for item in written if item.name != "jobs" or "methods" in hints]

    @functools.wraps(make)
    def command(**given: Any) -> None:
        outputs = {item.name: given.pop(item.name) for item in written}
        if "option" in given:
            given["option"] = settings(given["option"])
        places = [
            given.pop(name)
            for name, item in signature.parameters.items()
            if item.kind is item.POSITIONAL_ONLY
        ]
        with terminal.progress("sentences", None, quiet=_ADVANCE not in hints) as advance:
            if _ADVANCE in hints:
                given[_ADVANCE] = advance
            made = make(*places, **given)
        _run(made if isinstance(made, list) else [made], **outputs)

    parameters = [item.replace(kind=item.KEYWORD_ONLY) for item in (*own, *written)]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {item.name: item.annotation for item in parameters}
    return command


def _parameter(results: inspect.Parameter, hint: Any) -> inspect.Parameter:
    """A parameter as typer knows it."""
    if get_origin(hint) is not Annotated:
        return results.replace(annotation=_SHARED[results.name])
    kind, text = get_args(hint)
    many = "FILE" if any(get_origin(of) is list for of in (kind, *get_args(kind))) else None
    option: Any = typer.Option(help=text, min=1 if kind is int else None, metavar=many)
    if results.kind is results.POSITIONAL_ONLY:
        option = typer.Argument(help=text)
    elif results.name == "data" and results.default is results.empty:
        option = typer.Option(help=text, envvar="COMPSIM_DATA")
    return results.replace(annotation=Annotated[kind, option])


def _run(
    tasks: Sequence[Task],
    *,
    json: Path | None,
    html: Path | None,
    markdown: Path | None,
    latex: Path | None,
    form: TableFormat,
    fresh: bool,
    jobs: int = 1,
) -> None:
    """Run tasks, write what is asked for, print tables; the status is 1 where one broke down."""
    from compsim.benchmarks.task import run
    from compsim.benchmarks.workspace import Workspace

    if html is not None:
        from compsim.benchmarks.stats import library

        library("vl_convert")  # missing: said now, not after all the work
    workspace = Workspace()
    if fresh:
        workspace.clear()
    outcome = []
    for task in tasks:
        for problem in task.problems:
            terminal.complain(f"{task.data[0]}: {problem}")
        with terminal.progress(task.data[0] or task.name, task.total) as advance:
            tell = functools.partial(_tell, advance)
            outcome.append(run(task, jobs=jobs, workspace=workspace, advance=tell))
    one = len(outcome) == 1
    as_json = outcome[0].to_dict() if one else {"data": [r.to_dict() for r in outcome]}
    if json is not None:
        write_json(json, as_json)
    if markdown is not None:
        write_text(markdown, "\n\n".join(r.to_markdown() for r in outcome) + "\n")
    if latex is not None:
        write_text(latex, "\n\n".join(r.to_latex() for r in outcome) + "\n")
    if html is not None:
        from compsim.benchmarks.report import page

        write_text(html, page(list(zip(tasks, outcome, strict=True))))
    if form is TableFormat.JSON:
        terminal.say_json(as_json)
    else:
        for results in outcome:
            _show(results, named=not one)
    if not all(results.complete for results in outcome):
        raise typer.Exit(1)


def _tell(advance: Callable[[int], None], name: str, count: int) -> None:
    advance(count)


def _show(results: Results, named: bool) -> None:
    if named:
        print(f"{results.name} ({results.source})")
    head, body = results.table()
    terminal.print_table(head, body, range(results.words, len(head)))
    for line in results.summary:
        print(line)
    if results.comparisons:
        print()
        head, body = results.side_by_side()
        terminal.print_table(head, body, (len(head) - 3, len(head) - 2))
    for note in results.notes():
        terminal.complain(note)
