"""Scores of methods against human ratings of sentence pairs (Spearman's rho).

Each distinct sentence is encoded once; what was computed is kept, so an interrupted run goes on
where it stopped and a run of the same methods is answered at once (see ``workspace``).

>>> from compsim.benchmarks import Spec, evaluate, open_sts3k
>>> data = open_sts3k("compositional-semantics-eval")  # doctest: +SKIP
>>> results = evaluate(data, [Spec("verbnet-cn"), Spec("amr-cn")])  # doctest: +SKIP
>>> print(results.to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

from compsim.benchmarks.datasets import Dataset, open_dataset
from compsim.benchmarks.datasets.sts.bands import with_bands
from compsim.benchmarks.specs import method_labels, own_options
from compsim.benchmarks.stats import library
from compsim.benchmarks.task import (
    Advance,
    Figure,
    Model,
    Results,
    Row,
    Spec,
    Task,
    listed,
    open_method,
    run,
)
from compsim.benchmarks.workspace import Workspace
from compsim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from compsim.benchmarks.published import Ran
    from compsim.benchmarks.stats.paired import Sample
    from compsim.explanation import Explanation
    from compsim.method import Method

__all__ = ["Sts", "bench", "evaluate", "explainer", "specs_of", "sts"]


def sts(
    datasets: Annotated[
        str,
        "PATH or FORMAT:PATH, separated by commas; formats: sick, stsb, csv, tsv, jsonl and "
        "others, see `compsim.benchmarks.datasets`",
    ],
    methods: str = "verbnet-cn",
    parser: str | None = None,
    roles: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
    low: Annotated[
        float | None, "for CSV, TSV and JSONL files: lowest value of the rating scale"
    ] = None,
    high: Annotated[float | None, "tables: the highest rating there is"] = None,
    metric: Annotated[
        str, "how vectors are compared: cos, l2 (the Euclidean distance, negated), or cos,l2"
    ] = "cos",
    bands: Annotated[bool, "correlations among pairs rated 0 to .4, .2 to .6, ... too"] = False,
    space: Annotated[bool, "alignment and uniformity of the vectors too"] = False,
) -> list[Task]:
    """Correlate scores with human ratings of any sentence pairs (Spearman).

    With roles, published parses are scored: those of the files of STS3k's authors.
    """
    if parser is not None and roles is not None:
        raise InputError("parser and roles exclude each other: give one")
    opened = [open_dataset(spec, low=low, high=high) for spec in listed(datasets)]
    specs = specs_of(methods, normalize, roles, parser=parser, vectors=vectors, **option or {})
    chosen = [with_bands(data) for data in opened] if bands else opened
    return [Sts(data, specs, listed(metric), space) for data in chosen]


class Sts(Task):
    """Scores against the ratings of one set of data."""

    name = "sts"
    title = "Correlation with human ratings"
    paper = "Semantic textual similarity"
    headline = "all"
    figure = "Spearman"

    def __init__(
        self,
        data: Dataset,
        specs: Sequence[Spec],
        metrics: Sequence[str] = ("cos",),
        space: bool = False,
    ) -> None:
        from compsim.benchmarks.stats.hypersphere import COLUMNS as SPACE
        from compsim.benchmarks.stats.neighbours import METRICS

        library("scipy.stats")  # scipy missing: said now, not after all the work
        if bad := [name for name in metrics if name not in METRICS]:
            raise UnknownNameError(f"metric={bad[0]!r} is not known: use {', '.join(METRICS)}")
        self.metrics = tuple(name for name in METRICS if name in metrics)
        self.space = space
        self.pairs, self.specs, self.problems = data, specs, data.problems
        self.data = data.name, data.source, data.checksum
        self.columns = {part: len(index) for part, index in data.parts.items()}
        self.content: Any = data.checksum
        if space:
            self.columns |= dict.fromkeys(SPACE, 0)
        if space or self.metrics != ("cos",):
            self.content = [data.checksum, list(self.metrics), space]
        self.steps = len(data.sentences())
        self._last: tuple[Any, tuple[Any, Any]] | None = None

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """All scores of a method by each metric, without correlations."""
        from compsim.benchmarks.pair_vectors import negative_distances, space_figures
        from compsim.embeddings.method import EmbeddingMethod

        way, parser, vectors, failed = "", "", "", 0
        distances: list[float] | None = None
        figures: dict[str, Figure] = {}
        if spec.scores is not None:
            scores = [float(score) for score in spec.scores]
        elif _compares(spec.model):
            import numpy as np

            model: Any = spec.model
            first, second, _ = map(list, zip(*self.pairs.pairs, strict=True))
            scores = np.asarray(model(first, second), np.float64).reshape(-1).tolist()
            advance(spec.method, self.steps)
        else:
            from compsim.benchmarks.sides import unparsed

            method: Any = open_method(spec)
            a, b = self._sides(spec, method, workspace, advance)
            scores, failed = method.similarity_pairwise(a, b).tolist(), unparsed(a, b)
            if isinstance(method, EmbeddingMethod):
                if "l2" in self.metrics:
                    distances = negative_distances(method, a, b).tolist()
                if self.space:
                    figures = space_figures(method, a, b, self.ratings)
            way = method.normalize
            parser = getattr(getattr(method, "parser", None), "name", "")
            parser = parser if spec.roles is None else Path(spec.roles).name
            vectors = str(getattr(getattr(method, "vectors", None), "name", ""))
        if len(scores) != len(self.pairs):
            raise InputError(
                f"{spec.method}: there are {len(scores)} scores and {len(self.pairs)} pairs: "
                "give one score for each pair, in order"
            )
        of = {"method": spec.title, "normalize": way, "parser": parser, "vectors": vectors}
        notes = [f"{failed} sentences have no parse"] if failed else []
        by_metric: dict[str, list[float]] = {"cos": scores}
        if distances is not None:
            by_metric["l2"] = distances
        elif "l2" in self.metrics or (self.space and not figures):
            if "cos" not in self.metrics:
                raise InputError(
                    f"{spec.title} has no vectors: use metric=cos, which are its scores"
                )
            notes.append("it has no vectors, so that there are its scores alone")
        return [
            Row(
                {**of, "method": spec.title if metric == "cos" else f"{spec.title}, {metric}"},
                figures=figures,
                scores=by_metric[metric],
                notes=notes,
                details={"failed": failed, "metric": metric},
            )
            for metric in self.metrics
            if metric in by_metric
        ]

    @property
    def ratings(self) -> list[float]:
        """The rating of each pair, from 0 to 1."""
        return [pair.rating for pair in self.pairs.pairs]

    def _sides(
        self, spec: Spec, method: Method[Any], workspace: Workspace, advance: Advance
    ) -> tuple[Any, Any]:
        """Both sides of all pairs; ways to normalise share what is encoded."""
        from compsim.benchmarks.sides import encode_sides, encoding_content

        of = encoding_content(spec)
        if self._last is not None and of is not None and self._last[0] == of:
            advance(spec.method, self.steps)
            return self._last[1]
        sides = encode_sides(
            self.pairs,
            method,
            spec.roles,
            workspace=workspace,
            content=of,
            advance=lambda _, count: advance(spec.method, count),
        )
        self._last = of, sides
        return sides

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows with their correlations, and how each differs from the best in each part."""
        from compsim.benchmarks.published import published
        from compsim.benchmarks.stats.correlation import compare
        from compsim.embeddings.postprocess import Kind

        unfitted = get_args(Kind)
        name = self.pairs.name
        scores = [row.scores if row.status == "ok" else None for row in rows]
        result, differs = compare(scores, self.ratings, self.pairs.parts)
        compared = []
        specs = self._specs_of(rows)
        for spec, row, parts, apart in zip(specs, rows, result, differs, strict=True):
            ran = _ran(spec, row)
            figures = {
                part: Figure(f.spearman, f.n, f.low, f.high, f.note) for part, f in parts.items()
            }
            outcome = {"parts": {part: asdict(f) for part, f in parts.items()}}
            can_explain = not (spec.roles or spec.scores is not None or callable(spec.model))
            by_cosine = row.details.get("metric", "cos") == "cos"
            # Two sentences are too few to fit a normalisation to.
            can_explain &= spec.options.get("normalize", row.of.get("normalize")) not in unfitted
            compared.append(
                replace(
                    row,
                    figures={**figures, **row.figures},
                    differs=apart,
                    published=published(name, ran, len(self.pairs)) if by_cosine else {},
                    details={**row.details, **outcome},
                    explain=explainer(spec) if can_explain and by_cosine else None,
                )
            )
        sizes = {part: len(index) for part, index in self.pairs.parts.items()}
        about = {"parts": sizes, "problems": list(self.problems), "ratings": self.ratings}
        return super().results(compared, about=about)

    def _specs_of(self, rows: Sequence[Row]) -> list[Spec]:
        """The spec of each row: one has a row for each metric, cosines first, or a single one."""
        place, specs = -1, []
        for row in rows:
            second = len(self.metrics) > 1 and row.details.get("metric") == "l2"
            place += not second
            specs.append(self.specs[place])
        return specs

    def items_of(self, row: Row) -> Sample | None:
        """The scores of all pairs with their ratings."""
        import numpy as np

        from compsim.benchmarks.stats.paired import Sample

        ratings = np.array(self.ratings)
        return Sample(np.array(row.scores, np.float64), "spearman", ratings)

    def report(self, results: Results) -> str:
        """The table and the plots of the STS3k paper."""
        from compsim.benchmarks.report import pairs_section

        return pairs_section(self.pairs, results, self.title)


def _ran(spec: Spec, row: Row) -> Ran:
    """Return what gave a row its scores; a model or scores that were given are nobody's method."""
    from compsim.benchmarks.published import Ran

    given = spec.model is not None or spec.scores is not None
    return Ran(
        "" if given else spec.method,
        row.of.get("normalize", ""),
        spec.options,
        str(spec.roles or ""),
        row.of.get("vectors", ""),
    )


def _compares(model: Any) -> bool:
    """Return whether a model is a function of two lists of sentences."""
    from compsim.embeddings.functions import gives_vectors

    return callable(model) and not gives_vectors(model)


def explainer(spec: Spec) -> Callable[[str, str], Explanation]:
    """Return a function that explains scores; the method is loaded at the first call."""
    method: Any = cache(lambda: open_method(spec))
    return lambda s1, s2: method().explain(s1, s2)


def evaluate(data: Dataset, specs: Sequence[Spec], **settings: Any) -> Results:
    """Evaluate methods, models and scores on rated pairs: one row for each spec, in order.

    Args:
        data: The pairs.
        specs: What to evaluate.
        **settings: Those of ``run``: ``jobs``, ``workspace``, ``advance``.

    Returns:
        The rows; what breaks down gets one that says so, and the others finish.

    Raises:
        InputError: An option is none that a method takes, or scores do not fit the pairs.
        UnknownNameError: There is no method of a name.

    Examples:
        >>> from compsim.benchmarks.datasets import SentencePair
        >>> pairs = [SentencePair("A cat sleeps.", "A cat dozes.", 0.9)]
        >>> pairs += [SentencePair("A cat sleeps.", f"Rent is {n}.", 0.1) for n in (5, 9)]
        >>> data = Dataset("mine", tuple(pairs), {"all": (0, 1, 2)}, "made by hand")
        >>> results = evaluate(data, [Spec("mean-cn", {"vectors": "builtin"})])
        >>> [row.of["method"] for row in results.rows]
        ['mean-cn']
    """
    return run(Sts(data, specs), **settings)


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

    Args:
        data: Rated pairs, n of them.
        model: A function that takes two lists of n sentences and gives n scores, or one list and
            gives n vectors, or a ``Method``.
        methods: Names of the registry.
        scores: Scores (n,) by the name of what gave them.
        name: What the model is called.
        **settings: Those of ``run``: ``jobs``, ``workspace``, ``advance``.

    Returns:
        The rows, the model's first; ``to_markdown`` and ``to_latex`` write them.

    Raises:
        InputError: Scores do not fit the pairs.
        UnknownNameError: There is no method of a name.

    Examples:
        >>> from compsim.benchmarks.datasets import SentencePair
        >>> pairs = [SentencePair("A cat sleeps.", "A cat dozes.", 0.9)]
        >>> pairs += [SentencePair("A cat sleeps.", f"Rent is {n}.", 0.1) for n in (5, 9)]
        >>> data = Dataset("mine", tuple(pairs), {"all": (0, 1, 2)}, "made by hand")
        >>> results = bench(data, lambda first, second: [len(a + b) for a, b in zip(first, second)])
        >>> [row.of["method"] for row in results.rows]
        ['model']
    """
    specs = [Spec(name, model=model)] if model is not None else []
    specs += [Spec(label, scores=result) for label, result in (scores or {}).items()]
    specs += [Spec(method) for method in methods]
    return evaluate(data, specs, **settings)


def specs_of(
    methods: str, normalize: str | None, roles: str | None = None, **options: Any
) -> list[Spec]:
    """Each of the methods, named with commas between them, in each way to normalise."""
    from compsim.registry import methods as known
    from compsim.registry import named, normalizations

    labels = method_labels(methods)
    every = labels == ["all"]
    if every:
        labels = [info.name for info in known()]
    given = {label: named(label) for label in labels}
    names = [name for name, _ in given.values()]
    ways = {name: normalizations(name) for name in names}
    if normalize not in (None, "all") and not any(normalize in of for of in ways.values()):
        there = dict.fromkeys(way for of in ways.values() for way in of)
        raise InputError(
            f"no method here is normalised by {normalize!r}: use {', '.join(there) or 'none'}"
        )
    specs = []
    for label, (name, first) in given.items():
        own = {**own_options(name, names, **options), **first}
        chosen: list[str | None] = [way for way in ways[name] if normalize in (way, "all")]
        specs += [
            Spec(
                name,
                own if way is None else {**own, "normalize": way},
                roles,
                optional=every,
                label=label,
            )
            for way in chosen or [None]
        ]
    return specs
