"""Do figures of an evaluation tell how models do elsewhere? Spearman's rho over models.

A CSV file has a model a line: its name, and its score in each task, a column each with the task's
name in the first line. Empty cells are scores that are not known. A column named as a figure of the
evaluation ("MRR") has that figure of models that are not evaluated here; one that begins with
``set:`` is another evaluation, to be compared with it.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp(), "tasks.csv")
>>> _ = path.write_text("model,MRR,MR,set:MEN\\na,10,0.5,1\\nb,20,0.7,3\\nc,30,0.8,2\\n")
>>> result = correlations(read_downstream(path), {}, ("MRR",))
>>> result["MR"]["MRR"], result["MR"]["set:MEN"]
((1.0, 3), (0.5, 3))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from compsim.benchmarks.datasets.tables import number, read_table, separator
from compsim.benchmarks.results import Row
from compsim.benchmarks.stats.correlation import correlate
from compsim.errors import DataError
from compsim.storage.reading import read_text

__all__ = ["Downstream", "correlations", "of_rows", "read_downstream", "summed_up"]

#: By model: by column: what stands there.
Downstream: TypeAlias = Mapping[str, Mapping[str, float]]
_OTHER: Final = "set:"
#: With fewer models a rank correlation says nothing.
_FEWEST: Final = 3


def read_downstream(path: str | Path) -> dict[str, dict[str, float]]:
    """The scores in a file, by model and column.

    Raises ``DataError`` that names the line of what is malformed, and for fewer than three models.
    """
    file = Path(path)
    mark = separator(read_text(file).partition("\n")[0])
    rows = read_table(file, mark, quoted=True)
    if not rows or len(rows[0][1]) < 2 or any(number(cell) is not None for cell in rows[0][1]):
        raise DataError(
            f"{file}, line 1: no names of columns: write model and the names of tasks there"
        )
    heads = rows[0][1][1:]
    result: dict[str, dict[str, float]] = {}
    for line, (model, *cells) in rows[1:]:
        if len(cells) > len(heads):
            raise DataError(f"{file}, line {line}: more cells than columns: mend the line")
        values = {head: cell for head, cell in zip(heads, cells, strict=False) if cell}
        if bad := [cell for cell in values.values() if number(cell) is None]:
            raise DataError(f"{file}, line {line}: {bad[0]!r} is no number: mend the line")
        if model in result:
            raise DataError(f"{file}, line {line}: {model!r} came before: give each model one line")
        result[model] = {head: float(cell) for head, cell in values.items()}
    if len(result) < _FEWEST:
        raise DataError(f"{file} has {len(result)} models: a correlation needs {_FEWEST} or more")
    return result


def of_rows(rows: Sequence[Row], known: Downstream, names: Sequence[str]) -> dict[str, Row]:
    """The first row of each model that the file knows.

    A model is called as one of the things ``names`` that a row is said to be, or all of these.
    """
    result: dict[str, Row] = {}
    for row in rows:
        said = [text for name in names if (text := row.of.get(name, "")) not in ("", "none")]
        for model in (" ".join(said), *said):
            if model in known and row.status == "ok":
                result.setdefault(model, row)
    return result


def correlations(
    known: Downstream, rows: Mapping[str, Row], figures: Sequence[str]
) -> dict[str, dict[str, tuple[float | None, int]]]:
    """By task: by figure, and other evaluation: Spearman's rho with the task, over how many models.

    None where fewer than three models have both, or one of them does not vary.
    """
    columns = list(dict.fromkeys(head for scores in known.values() for head in scores))
    others = [head for head in columns if head.startswith(_OTHER)]
    result: dict[str, dict[str, tuple[float | None, int]]] = {}
    for task in columns:
        if task in figures or task in others:
            continue
        result[task] = {}
        for name in (*figures, *others):
            pairs = []
            for model, scores in known.items():
                value = scores.get(name)
                if model in rows and name in rows[model].figures:
                    value = rows[model].figures[name].value
                if value is not None and task in scores:
                    pairs.append((value, scores[task]))
            rho = None
            if len(pairs) >= _FEWEST:
                rho = correlate(*zip(*pairs, strict=True)).spearman
            result[task][name] = (rho, len(pairs))
    return result


def summed_up(results: Mapping[str, Mapping[str, tuple[float | None, int]]]) -> dict[str, Any]:
    """Return the output of ``correlations`` as the ``summary`` and ``details`` of ``Results``."""
    summary = [
        f"{task}, Spearman over models: "
        + ", ".join(
            f"{name} {'undefined' if rho is None else f'{rho:.3f}'} (n={n})"
            for name, (rho, n) in of.items()
        )
        for task, of in results.items()
    ]
    details = {
        task: {name: {"spearman": rho, "n": n} for name, (rho, n) in of.items()}
        for task, of in results.items()
    }
    return {"summary": summary, "details": {"downstream": details}}
