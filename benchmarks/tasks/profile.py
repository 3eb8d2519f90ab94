"""All evaluations that a folder has data for, and one figure of each: what a method is good at.

``finding`` looks through the folder; each evaluation then runs as it does alone, with settings that
take minutes rather than hours, and has its own section of the report behind the profile.

>>> from compsim.benchmarks.task import run
>>> results = run(profile("data", methods="hybrid,mean-cn"))  # doctest: +SKIP
>>> print(results.to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task, listed, names_of, run
from compsim.benchmarks.tasks.finding import KINDS, find
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.benchmarks.workspace import Workspace
from compsim.errors import CompsimError, DataError, InputError, UnknownNameError

__all__ = ["Profile", "profile"]

_REMARK: Final = (
    "one figure of each evaluation, with its 95 % interval, by settings that may be more modest "
    "than its own: "
)
#: With more nouns a list has its own.
_FEW: Final = 12


def profile(
    data: Annotated[Path, "a folder; searched recursively for data that an evaluation can read"],
    methods: str = "hybrid",
    only: Annotated[
        str | None, "evaluations to run, separated by commas, for example sts,sr,evalrank"
    ] = None,
    skip: Annotated[str | None, "evaluations not to run, with commas"] = None,
    nouns: Annotated[
        str | None,
        "for the evaluation modifiers, if the word lists have no nouns: nouns "
        "separated by commas, or a file",
    ] = None,
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
    jobs: Annotated[int, "methods that run at a time"] = 1,
) -> Task:
    """Run every evaluation that a folder has data for, and sum up what methods are good at."""
    chosen = [name for name in KINDS if only is None or name in _known(only)]
    chosen = [name for name in chosen if skip is None or name not in _known(skip)]
    specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})  # said now
    given = {"parser": parser, "vectors": vectors, "normalize": normalize, "option": option}
    tasks: dict[str, Task] = {}
    problems = []
    result = find(data, chosen, {"methods": methods, **given}, nouns)
    for one in result.data:
        try:
            made = one.make()
        except (CompsimError, OSError, ValueError) as error:
            problems.append(f"not run: {one.label} ({one.task}): {error}")
            continue
        for i, task in enumerate(made if isinstance(made, list) else [made]):
            more = task.data[0].rpartition(", ")[2]
            tasks[one.label if i == 0 else f"{one.label}, {more}"] = task
    if not tasks:
        reasons = "; ".join(problems)
        raise DataError(
            f"{data} holds no data that an evaluation can be run on"
            + (f" ({reasons})" if reasons else "")
            + f": give a folder with data of some of {', '.join(chosen)}"
        )
    running = [
        f"{label} ({', '.join(filter(None, [task.name, _modest(task)]))})"
        for label, task in tasks.items()
    ]
    results = [f"to run: {', '.join(running)}", *problems, *result.left_out]
    return Profile(tasks, data, results, jobs)


def _known(text: str) -> list[str]:
    """Names of evaluations; raises ``UnknownNameError`` for another."""
    names = listed(text)
    for name in names:
        if name not in KINDS:
            raise UnknownNameError(f"there is no evaluation {name!r} here: use {', '.join(KINDS)}")
    return names


def _modest(task: Task) -> str:
    """The setting of a task that is not its default."""
    from compsim.benchmarks.tasks.ranking.evalrank import EvalRank
    from compsim.benchmarks.tasks.ranking.rerank import Rerank
    from compsim.benchmarks.tasks.vectors.analogies import Analogies
    from compsim.benchmarks.tasks.vectors.modifiers import Modifiers

    if isinstance(task, EvalRank):
        return f"pairs of {task.queries} first items" if task.queries else ""
    if isinstance(task, Analogies):
        return f"up to {task.most:,} questions of a relation"
    if isinstance(task, Modifiers) and len(task.lists.nouns) <= _FEW:
        return f"nouns {' '.join(task.lists.nouns)}"
    if isinstance(task, Rerank):
        return f"first stage {task.stages[0]}"
    return ""


class Profile(Task):
    """Evaluations by what their data is called, and one figure of each method in each of them.

    :param tasks: the evaluations, each of methods.
    :param source: where their data lies.
    :param problems: what is told before they run.
    :param jobs: methods of an evaluation that run at a time.
    """

    name = "all"
    title = "What are the methods good at?"

    def __init__(
        self,
        tasks: Mapping[str, Task],
        source: str | Path = "",
        problems: Sequence[str] = (),
        jobs: int = 1,
    ) -> None:
        if not tasks:
            raise InputError("a profile needs an evaluation: give one or more")
        self.tasks, self.jobs = dict(tasks), jobs
        # What each has computed is kept by itself.
        self.specs = [Spec(label) for label in self.tasks]
        self.data = "profile", str(source), _checksum(self.tasks.values())
        self.problems = problems
        self.columns: dict[str, int] = {}
        self.found: dict[str, Results] = {}

    @property
    def total(self) -> int:
        """The steps of all evaluations."""
        return sum(task.total for task in self.tasks.values())

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """Run one evaluation; what it found is kept beside the row, which says nothing."""
        task, done = self.tasks[spec.method], 0

        def step(name: str, count: int) -> None:
            nonlocal done
            done += count
            advance(name, count)

        try:
            self.found[spec.method] = run(task, jobs=self.jobs, workspace=workspace, advance=step)
        except (InputError, UnknownNameError) as error:
            # By itself it would end the run.
            raise CompsimError(str(error)) from error
        finally:
            advance(spec.method, task.total - done)
        return [Row({"data": spec.method})]

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """A row for each evaluation, a column for each method, and all that was found below."""
        outcome = [self._row(spec.method, row) for spec, row in zip(self.specs, rows, strict=True)]
        self.columns = dict.fromkeys((name for row in outcome for name in row.figures), 0)
        if not self.columns:
            self.columns = {"figure of the method": 0}
        each = ((task.name, _modest(task)) for task in self.tasks.values())
        settings = sorted({f"{name}, {modest}" for name, modest in each if modest})
        comparisons = [
            replace(one, data=label, figure=self.tasks[label].figure)
            for label, results in self.found.items()
            for one in results.comparisons
        ]
        return super().results(
            outcome,
            comparisons=comparisons,
            parts=[replace(self.found[label], name=label) for label in self.found],
            about={"problems": list(self.problems)},
            remarks=[_REMARK + "; ".join(settings)] if settings else [],
        )

    def report(self, results: Results) -> str:
        """The profile, then the sections of each evaluation."""
        from compsim.benchmarks.report.profile import profile_section

        return profile_section(self, results)

    def _row(self, label: str, row: Row) -> Row:
        """The headline figures of an evaluation, by method."""
        task = self.tasks[label]
        figure = f"{task.figure}, lower is better" if task.lower else task.figure
        of = {"data": label, "from": task.paper, "figure": figure}
        if label not in self.found:
            return replace(row, of=of)
        rows = self.found[label].rows
        there = [one for one in rows if one.status == "ok" and task.items_of(one) is not None]
        names = names_of(there)
        figures = {
            name: one.figures.get(task.headline, Figure(None, note="it has no such figure"))
            for name, one in zip(names, there, strict=True)
        }
        absent = [one for one in rows if one.status != "ok"]
        if not figures:
            reason = "; ".join(f"{one.label}: {one.reason}" for one in absent)
            failed = any(one.status == "failed" for one in absent)
            status = "failed" if failed else "unavailable"
            return Row(of, status=status, reason=reason or "it has no figure that stands for all")
        notes = [f"{one.label} has no figure: {one.reason}" for one in absent]
        return Row(of, figures, notes=notes, form=task.form)


def _checksum(tasks: Any) -> str:
    """The SHA-256 of those of the data."""
    import hashlib

    return hashlib.sha256("".join(task.data[2] for task in tasks).encode()).hexdigest()
