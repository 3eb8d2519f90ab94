"""An evaluation as a task: what it answers, what is evaluated, how that is measured and compared.

A new evaluation is a file below ``tasks/`` with a function that makes a ``Task`` from options, and
a line in the table of ``tasks``: the command line, resume, JSON, tables and the report come from
here, ``workspace`` and ``results``.

>>> class Lengths(Task):
...     name, title, columns = "lengths", "How long are the names of methods?", {"length": 0}
...     specs = [Spec("mean-cn"), Spec("amr-cn")]
...     def measure(self, spec, workspace, advance):
...         return [Row({"method": spec.method}, {"length": Figure(len(spec.method))})]
>>> run(Lengths(), workspace=Workspace("nowhere")).table()
(('method', 'length'), [('mean-cn', '7'), ('amr-cn', '6')])
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from compsim.benchmarks.results import Comparison, Figure, Results, Row
from compsim.benchmarks.workspace import Workspace, by_content, key
from compsim.errors import (
    CompsimError,
    DataError,
    InputError,
    MissingExtraError,
    ServiceError,
    UnknownNameError,
    UntrustedCodeError,
)

if TYPE_CHECKING:
    from compsim.benchmarks.stats.paired import Sample
    from compsim.method import Method

__all__ = [
    "Advance",
    "Figure",
    "Known",
    "Model",
    "Results",
    "Row",
    "Spec",
    "Task",
    "compared",
    "environment",
    "listed",
    "names_of",
    "open_method",
    "run",
    "sha256",
]

#: A function of two lists of n sentences that gives n scores, or of one that gives n vectors.
Model: TypeAlias = Callable[[list[str], list[str]], Any] | Callable[[list[str]], Any]
#: What is told of what is evaluated, and how many more steps of it are done.
Advance: TypeAlias = Callable[[str, int], None]


@dataclass(frozen=True)
class Spec:
    """Specification of an evaluation: a registered method with options, a model, or stored scores.

    Attributes:
        method: The name of a method, a model or scores; of tasks that evaluate something else, the
            name of that.
        options: The options of the method.
        roles: Score published parses, each pair its own, in place of a parser's (of the
            files of STS3k's authors).
        model: A function of two lists of n sentences that gives n scores, or a ``Method``.
        scores: Scores (n,) that are at hand.
        optional: Whether it is left out, with the reason, where an option that it needs is not
            given or its model is not on this machine; nothing is fetched for it.
        label: What its rows are called, by default the method.

    Examples:
        >>> Spec("verbnet-cn", {"weights": "paper"}, label="as published").title
        'as published'
    """

    method: str
    options: Mapping[str, Any] = field(default_factory=dict)
    roles: str | Path | None = None
    model: Model | Method[Any] | None = None
    scores: Sequence[float] | None = None
    optional: bool = False
    label: str = ""

    @property
    def title(self) -> str:
        """Title of its rows."""
        return self.label or self.method


class Task:
    """An evaluation: what is evaluated on what, and how that is measured.

    Attributes:
        name: Its name on the command line.
        title: What it answers.
        specs: What is evaluated.
        data: Name, source and checksum of what it is made on.
        columns: The figures by name, as in ``Results``.
        form: How they are written, as in ``Results``.
        content: What a measurement depends on beside its spec, as JSON types and paths; None: it is
            not kept.
        steps: The steps of one measurement, for a progress bar.
        problems: What is wrong with the data, a line each.
        paper: Where the evaluation comes from.
        headline: The column that stands for all, "" where none does.
        figure: What that figure is.
        unit: What it is over, and what is drawn anew where methods are compared.
        lower: Whether the lower is the better.
        scale: 100 where it is in percent.

    Examples:
        >>> class Length(Task):
        ...     name = title = "length"
        ...     columns = {"length": 1}
        ...     specs = (Spec("mean-cn"),)
        ...
        ...     def measure(self, spec, workspace, advance):
        ...         return [Row({"method": spec.method}, {"length": Figure(7.0, 1)})]
        >>> run(Length()).rows[0].figures["length"].value
        7.0
    """

    name: str
    title: str
    specs: Sequence[Spec] = ()
    data: tuple[str, str, str] = ("", "", "")
    columns: Mapping[str, int]
    form: str = ""
    content: Any = None
    steps: int = 1
    problems: Sequence[str] = ()
    paper: str = ""
    headline: str = ""
    figure: str = ""
    unit: str = "pairs"
    lower: bool = False
    scale: int = 1

    @property
    def total(self) -> int:
        """The steps of all measurements."""
        return self.steps * len(self.specs)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """Return the rows of one spec, before it is compared with others.

        Args:
            spec: What to evaluate.
            workspace: Where encoded sentences are kept.
            advance: Is told the spec's name and how many more steps are done.

        Returns:
            Its rows.
        """
        raise NotImplementedError

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows of all specs, compared.

        Args:
            rows: The rows, in the order of the specs.
            **more: What else ``Results`` takes.

        Returns:
            The results.
        """
        more = {"comparisons": compared(self, rows), **more}
        return Results(self.name, *self.data, self.columns, rows, self.form, **more)

    def items_of(self, row: Row) -> Sample | None:
        """The items of a row's headline figure, in an order that all rows share.

        Args:
            row: One that ``measure`` gave.

        Returns:
            The items; None for a row that is not compared by them.
        """
        return None

    def report(self, results: Results) -> str:
        """A section of a report.

        Args:
            results: What was found.

        Returns:
            HTML.
        """
        from compsim.benchmarks.report import section

        return section(results, self.title)


class Known(Task):
    """An evaluation that is so quick, or done so seldom, that its results are known at once."""

    def __init__(self, title: str, results: Results) -> None:
        self.name, self.title, self._results = results.task, title, results

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """Return the results so far."""
        return self._results


def run(
    task: Task,
    *,
    jobs: int = 1,
    workspace: Workspace | None = None,
    advance: Advance = lambda name, count: None,
) -> Results:
    """Measure each spec of a task, or read what was kept of it, and compare them.

    Args:
        task: The evaluation.
        jobs: How many specs run at a time, each in a process of its own.
        workspace: Where measurements and encoded sentences are kept; None for the user's data
            folder.
        advance: Is told the spec's name and how many more steps are done.

    Returns:
        The results; what breaks down gets a row that says so, and the others finish.

    Raises:
        InputError: An option cannot be.
        UnknownNameError: There is no method of a name.

    Examples:
        >>> class Lengths(Task):
        ...     name, title, columns = "lengths", "How long are the names?", {"length": 0}
        ...     specs = [Spec("mean-cn")]
        ...     def measure(self, spec, workspace, advance):
        ...         return [Row({"method": spec.method}, {"length": Figure(len(spec.method))})]
        >>> run(Lengths(), workspace=Workspace("nowhere")).table()
        (('method', 'length'), [('mean-cn', '7')])
    """
    workspace = workspace or Workspace()
    pool: Any = contextlib.nullcontext()
    alone = copy.copy(task)
    alone.specs = ()  # a function may not pass to another process
    if jobs > 1:
        # A new process rather than a fork, which numba and torch do not survive.
        pool = ProcessPoolExecutor(jobs, get_context("spawn"))
    with pool:
        begun = [
            pool.submit(_rows, alone, spec, workspace, _silent)
            if jobs > 1 and spec.model is None
            else None
            for spec in task.specs
        ]
        rows: list[Row] = []
        for spec, job in zip(task.specs, begun, strict=True):
            rows += _rows(task, spec, workspace, advance) if job is None else job.result()
            if job is not None:
                advance(spec.method, task.steps)
    return task.results(rows)


def compared(task: Task, rows: Sequence[Row]) -> list[Comparison]:
    """The headline figure of the first row that has items against that of each other one.

    :param task: whose rows they are.
    :param rows: what was measured, in order.
    :returns: a comparison for each row but the first, in their order.
    """
    from compsim.benchmarks.stats.paired import difference

    samples = [(row, task.items_of(row)) for row in rows if row.status == "ok"]
    there = [(row, sample) for row, sample in samples if sample is not None]
    if len(there) < 2:
        return []
    names = names_of([row for row, _ in there])
    results = []
    for name, (_, sample) in zip(names[1:], there[1:], strict=True):
        value, low, high, p, items, cut = difference(there[0][1], sample)
        unit = f"{task.unit} that both have" if cut else task.unit
        about: dict[str, Any] = {"unit": unit, "lower": task.lower, "form": task.form}
        one = (task.headline, names[0], name, value, low, high, p, items)
        results.append(Comparison(*one, **about))
    return results


def names_of(rows: Sequence[Row]) -> list[str]:
    """Return names that tell rows apart: the method, and as many options as that takes."""
    for name in (
        lambda row: row.of.get("method", row.label),
        lambda row: row.label,
        lambda row: ", ".join(said for said in row.of.values() if said),
    ):
        names = [name(row) for row in rows]
        if len(set(names)) == len(names):
            break
    return names


def open_method(spec: Spec) -> Any:
    """The method that a spec asks for: its model, a function made a method, or one by name."""
    from compsim.registry import load

    if spec.model is None:
        return load(spec.method, **spec.options)
    return load("callable", function=spec.model) if callable(spec.model) else spec.model


def listed(text: str) -> list[str]:
    """The names in a list separated by commas; raises ``InputError`` where there is none."""
    results = [name.strip() for name in text.split(",") if name.strip()]
    if not results:
        raise InputError("the list of names is empty: name at least one method or set of data")
    return results


def sha256(files: Iterable[str | Path]) -> str:
    """The checksum of the content of files, one after the other, 64 hexadecimal digits."""
    result = hashlib.sha256()
    for file in files:
        result.update(Path(file).read_bytes())
    return result.hexdigest()


def _silent(name: str, count: int) -> None:
    pass


def _rows(task: Task, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
    kept = None
    if task.content is not None and spec.model is None and spec.scores is None:
        kept = key(task.name, task.content, spec.title, by_content(spec.options), spec.roles)
    content = workspace.read(kept)
    if content is not None:
        advance(spec.method, task.steps)
        return [Row.measured(row) for row in content["rows"]]
    try:
        with environment("COMPSIM_OFFLINE", "1") if spec.optional else contextlib.nullcontext():
            rows = task.measure(spec, workspace, advance)
    except Exception as error:  # whatever a model does: the others shall finish
        refused = isinstance(error, InputError | UnknownNameError)
        # Code that nobody has trusted concerns one method: the others still run.
        if refused and not spec.optional and not isinstance(error, UntrustedCodeError):
            raise
        return [_without(spec, error)]
    workspace.write(kept, {"rows": [row.measurement() for row in rows]})
    return rows


def _without(spec: Spec, error: Exception) -> Row:
    """The row of what has no figures, and why."""
    absent = isinstance(error, MissingExtraError | DataError | UntrustedCodeError)
    if spec.optional:
        absent |= isinstance(error, InputError | UnknownNameError | ServiceError)
    reason = str(error)
    if not isinstance(error, CompsimError):
        reason = f"{type(error).__name__}: {error}" if reason else type(error).__name__
    status = "unavailable" if absent else "failed"
    return Row({"method": spec.title}, status=status, reason=reason)


@contextlib.contextmanager
def environment(name: str, value: str) -> Iterator[None]:
    """Set an environment variable for a while."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before
