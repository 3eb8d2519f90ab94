"""Run methods over rated sentence pairs and correlate their scores with the ratings.

Each distinct sentence is encoded once; what was computed is kept, so an interrupted run goes on
where it stopped and a run of the same methods is answered at once (see ``workspace``).

>>> from compsim.benchmarks import open_sts3k
>>> data = open_sts3k("compositional-semantics-eval")  # doctest: +SKIP
>>> results = evaluate(data, [Spec("verbnet-cn"), Spec("amr-cn")])  # doctest: +SKIP
>>> print(results.to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets import Dataset, STS3k
from compsim.benchmarks.results import Results, Row
from compsim.benchmarks.stats.correlation import Bootstrap, Correlation, correlate, p_value
from compsim.benchmarks.workspace import SCORING, Workspace, key
from compsim.errors import (
    CompsimError,
    DataError,
    InputError,
    MissingExtraError,
    ServiceError,
    UnknownNameError,
)
from compsim.method import Encoded, Method
from compsim.registry import load

if TYPE_CHECKING:
    from compsim.explanation import Explanation

__all__ = ["Model", "Spec", "bench", "evaluate", "read_scores"]

#: Sentences that are encoded, and kept, at a time.
_CHUNK: Final = 256

#: A function of two lists of n sentences that gives n scores.
Model: TypeAlias = Callable[[list[str], list[str]], Any]
Advance: TypeAlias = Callable[[str, int], None]


@dataclass(frozen=True)
class Spec:
    """What to evaluate: a method of the registry with options; or a model, or scores, by a name.

    ``roles``: score published parses, each pair its own, in place of a parser's (STS3k only).
    ``optional``: it is left out, with the reason, where an option that it needs is not given or its
    model is not on this machine; nothing is fetched for it.
    """

    method: str
    options: Mapping[str, Any] = field(default_factory=dict)
    roles: str | Path | None = None
    model: Model | Method[Any] | None = None
    scores: Sequence[float] | None = None
    optional: bool = False


def evaluate(
    data: Dataset,
    specs: Sequence[Spec],
    *,
    jobs: int = 1,
    workspace: Workspace | None = None,
    ceiling: float | None = None,
    published: Callable[[str, str], Mapping[str, float]] = lambda method, normalize: {},
    advance: Advance = lambda method, count: None,
) -> Results:
    """One row for each spec, in order.

    ``jobs`` methods run at a time, each in a process of its own. ``published`` gives the figures of
    the literature for a method and a normalisation, ``ceiling`` what a perfect model reaches.
    ``advance`` is told the method and how many more sentences it has encoded. A method that breaks
    down gets a row that says so, and the others finish. Raises ``InputError`` and
    ``UnknownNameError`` for what no method takes.
    """
    correlate(np.arange(3.0), np.arange(3.0))  # scipy missing: said now, not after all the work
    runner = _Runner(data, workspace or Workspace(), advance)
    if jobs > 1:
        # A new process rather than a fork, which numba and torch do not survive.
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            tasks = {
                i: pool.submit(_run, data, spec, runner.workspace)
                for i, spec in enumerate(specs)
                if spec.model is None  # a function may not pass to another process
            }
            rows = []
            for i, spec in enumerate(specs):
                rows.append(tasks[i].result() if i in tasks else runner.run(spec))
                if i in tasks:
                    advance(spec.method, len(data.sentences()))
    else:
        rows = [runner.run(spec) for spec in specs]
    return Results(
        name=data.name,
        source=data.source,
        checksum=data.checksum,
        parts={part: len(index) for part, index in data.parts.items()},
        ratings=[pair.rating for pair in data.pairs],
        rows=_compared(data, rows, published),
        problems=data.problems,
        ceiling=ceiling,
    )


def bench(
    data: Dataset,
    model: Model | Method[Any] | None = None,
    *,
    methods: Iterable[str] = (),
    scores: Mapping[str, Sequence[float]] | None = None,
    name: str = "model",
    **settings: Any,
) -> Results:
    """Evaluate a model of one's own, or its scores, beside methods of the registry.

    ``model`` takes two lists of n sentences and gives n scores, or is a ``Method``; ``scores`` are
    n scores by name. ``settings`` go to ``evaluate``.
    """
    specs = [Spec(name, model=model)] if model is not None else []
    specs += [Spec(label, scores=found) for label, found in (scores or {}).items()]
    specs += [Spec(method) for method in methods]
    return evaluate(data, specs, **settings)


def read_scores(files: Iterable[str | Path]) -> list[tuple[str, list[float]]]:
    """The similarities in files of one number a line, each by the stem of its file.

    Raises ``DataError`` that names file and line for what is not a number.
    """
    found = []
    for path in map(Path, files):
        try:
            lines = path.read_text(encoding="utf-8-sig").split()
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"{path} cannot be read ({error}): give a text file") from error
        scores = []
        for number, text in enumerate(lines, start=1):
            try:
                scores.append(float(text))
            except ValueError:
                raise DataError(
                    f"{path}, line {number}: {text!r} is not a number: give one similarity a line"
                ) from None
        found.append((path.stem, scores))
    return found


def _run(data: Dataset, spec: Spec, workspace: Workspace) -> Row:
    """One row in a process of its own."""
    return _Runner(data, workspace, lambda method, count: None).run(spec)


_KEPT: Final = ("method", "normalize", "parser", "vectors", "scores", "failed")


class _Runner:
    """Scores specs one after another, each sentence encoded once."""

    def __init__(self, data: Dataset, workspace: Workspace, advance: Advance) -> None:
        self.data = data
        self.workspace = workspace
        self.advance = advance
        self._last: tuple[Any, tuple[Encoded, Encoded, int]] | None = None

    def run(self, spec: Spec) -> Row:
        """The scores of one spec as a row without correlations."""
        if spec.scores is not None:
            return self._checked(Row(spec.method, scores=[float(score) for score in spec.scores]))
        kept = None
        if spec.model is None:
            kept = key("scores", self.data.checksum, spec.method, _content(spec), spec.roles)
        found = self.workspace.read(kept)
        explain = None if spec.roles or callable(spec.model) else _Explainer(spec)
        if found is not None:
            self.advance(spec.method, len(self.data.sentences()))
            return Row(**found, explain=explain)
        try:
            with _no_network() if spec.optional else contextlib.nullcontext():
                row = replace(self._checked(self._scored(spec)), explain=explain)
        except Exception as error:  # whatever a model does: the others shall finish
            if not spec.optional and isinstance(error, InputError | UnknownNameError):
                raise
            return _without(spec, error)
        self.workspace.write(kept, {name: getattr(row, name) for name in _KEPT})
        return row

    def _checked(self, row: Row) -> Row:
        if len(row.scores) != len(self.data):
            raise InputError(
                f"{row.method}: there are {len(row.scores)} scores and {len(self.data)} pairs: "
                "give one score for each pair, in order"
            )
        return row

    def _scored(self, spec: Spec) -> Row:
        data = self.data
        if spec.model is not None and not isinstance(spec.model, Method):
            first, second = (list(side) for side in zip(*(p[:2] for p in data.pairs), strict=True))
            scores = np.asarray(spec.model(first, second), dtype=np.float64)
            self.advance(spec.method, len(data.sentences()))
            return Row(spec.method, scores=scores.reshape(-1).tolist())
        method = spec.model or load(spec.method, **spec.options)
        parser = getattr(getattr(method, "parser", None), "name", "")
        if spec.roles is None:
            a, b, failed = self._encoded(spec, method)
        else:
            a, b, failed = _published(data, method, spec.roles)
            self.advance(spec.method, len(data.sentences()))
            parser = Path(spec.roles).name
        return Row(
            spec.method,
            normalize=method.normalize,
            parser=parser,
            vectors=str(getattr(getattr(method, "vectors", None), "name", "")),
            scores=method.similarity_pairwise(a, b).tolist(),
            failed=failed,
        )

    def _encoded(self, spec: Spec, method: Method[Any]) -> tuple[Encoded, Encoded, int]:
        """Both sides of all pairs, and how many distinct sentences have no parse."""
        sentences = self.data.sentences()
        of = spec.method, {name: o for name, o in _content(spec).items() if name not in SCORING}
        if self._last is not None and spec.model is None and self._last[0] == of:
            self.advance(spec.method, len(sentences))
            return self._last[1]
        batches = []
        for start in range(0, len(sentences), _CHUNK):
            chunk = sentences[start : start + _CHUNK]
            kept = key("encoded", *of, chunk) if spec.model is None else None
            batch = self.workspace.read_batch(method.encoded, kept)
            if batch is None:
                batch = method.encode(chunk)
                self.workspace.write_batch(kept, batch)
            batches.append(batch)
            self.advance(spec.method, len(chunk))
        whole = type(batches[0]).concat(batches)
        place = {text: i for i, text in enumerate(sentences)}
        first = np.array([place[pair.first] for pair in self.data.pairs])
        second = np.array([place[pair.second] for pair in self.data.pairs])
        # Only batches of parses know of parses that failed.
        failed = int(np.sum(getattr(whole, "failed", 0)))
        self._last = of, (whole[first], whole[second], failed)
        return self._last[1]


def _without(spec: Spec, error: Exception) -> Row:
    """The row of a method that has no scores, and why."""
    absent = isinstance(error, MissingExtraError | DataError)
    if spec.optional:
        absent |= isinstance(error, InputError | UnknownNameError | ServiceError)
    reason = str(error)
    if not isinstance(error, CompsimError):
        reason = f"{type(error).__name__}: {error}" if reason else type(error).__name__
    return Row(spec.method, status="unavailable" if absent else "failed", reason=reason)


class _Explainer:
    """Explains scores; the method is loaded at the first call."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._method: Method[Any] | None = None

    def __call__(self, s1: str, s2: str) -> Explanation:
        if self._method is None:
            model = self._spec.model
            loaded = model if isinstance(model, Method) else None
            self._method = loaded or load(self._spec.method, **self._spec.options)
        return self._method.explain(s1, s2)


@contextlib.contextmanager
def _no_network() -> Iterator[None]:
    before = os.environ.get("COMPSIM_OFFLINE")
    os.environ["COMPSIM_OFFLINE"] = "1"
    try:
        yield
    finally:
        del os.environ["COMPSIM_OFFLINE"]
        if before is not None:
            os.environ["COMPSIM_OFFLINE"] = before


def _content(spec: Spec) -> dict[str, Any]:
    """The options of a spec, paths as what is there."""
    return {
        name: Path(value) if isinstance(value, str) and Path(value).exists() else value
        for name, value in spec.options.items()
    }


def _published(
    data: Dataset, method: Method[Any], roles: str | Path
) -> tuple[Encoded, Encoded, int]:
    from compsim.graph_method import GraphMethod

    if not isinstance(method, GraphMethod):
        raise InputError(f"method {method.info.name!r} reads no parses: leave roles out")
    if not isinstance(data, STS3k):
        raise InputError(f"there are no published parses of {data.name}: leave roles out")
    a, b = (method.encode_graphs(side) for side in zip(*data.roles(roles), strict=True))
    bad = {text for side in (a, b) for text in side[side.failed].texts}
    return a, b, len(bad)


def _compared(
    data: Dataset, rows: list[Row], published: Callable[[str, str], Mapping[str, float]]
) -> list[Row]:
    """The rows with their correlations, and how each differs from the best in each part."""
    ratings = np.array([pair.rating for pair in data.pairs])
    found: list[dict[str, Correlation]] = [{} for _ in rows]
    differs: list[dict[str, float]] = [{} for _ in rows]
    for part, places in data.parts.items():
        index = np.array(places, dtype=np.int64)
        bootstrap = Bootstrap(ratings[index])
        resampled: dict[int, npt.NDArray[np.float64]] = {}
        for i, row in enumerate(rows):
            if row.status != "ok":
                continue
            scores = np.array(row.scores)[index]
            figures = correlate(scores, ratings[index])
            if figures.spearman is not None:
                resampled[i] = bootstrap.correlations(scores)
                low, high = bootstrap.interval(resampled[i])
                figures = replace(figures, low=low, high=high)
            found[i][part] = figures
        if resampled:
            best = max(resampled, key=lambda i: found[i][part].spearman or 0.0)
            for i, correlations in resampled.items():
                differs[i][part] = p_value(resampled[best], correlations)
    return [
        replace(
            row, parts=found[i], differs=differs[i], published=published(row.method, row.normalize)
        )
        for i, row in enumerate(rows)
    ]
