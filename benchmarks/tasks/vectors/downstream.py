"""Downstream tasks: frozen vectors of sentences, and a logistic regression on top of them.

The tasks of SentEval and SciCite, a column each: accuracy in percent, and Pearson's r times 100
where scores are predicted (SICK-R, STS-B); MRPC has the F1 of paraphrases too. A pair (u, v) has
the features |u - v| and u * v. Beside them EvalRank and correlations with ratings of the same
models, and how far each of these goes with each task: Spearman's rho over models, as "Just Rank"
(Wang, Kuo and Li 2022, tables 3 and 6) has it.

>>> task = downstream(Path("senteval"), methods="static,mean-cn,dct")  # doctest: +SKIP
>>> run(task).rows[0].figures["SICK-E"].value  # doctest: +SKIP
76.2
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np

from compsim.benchmarks.datasets import Dataset, open_dataset
from compsim.benchmarks.datasets.ranking.evalrank import LEVELS, Positives, open_evalrank
from compsim.benchmarks.datasets.senteval import ClassificationTask, Part, open_tasks
from compsim.benchmarks.downstream import correlations, summed_up
from compsim.benchmarks.sides import encode_all, encoding_content
from compsim.benchmarks.spaces import bag_vectors
from compsim.benchmarks.stats import library
from compsim.benchmarks.stats.correlation import correlate, interval
from compsim.benchmarks.stats.logistic import (
    Classes,
    Kind,
    Levels,
    are_equal,
    predict,
    predict_folds,
)
from compsim.benchmarks.task import (
    Advance,
    Figure,
    Results,
    Row,
    Spec,
    Task,
    listed,
    names_of,
    open_method,
)
from compsim.benchmarks.tasks.ranking.evalrank import EvalRank
from compsim.benchmarks.tasks.ranking.table_specs import BOW, WORDS, table_specs
from compsim.benchmarks.tasks.similarity.words import measure_file
from compsim.benchmarks.workspace import Workspace
from compsim.embeddings.postprocess import Normalizer
from compsim.errors import DataError, InputError, UnknownNameError
from compsim.kernels.cosine import unit_rows

__all__ = ["Downstream", "downstream"]

_PERCENT: Final = 100
#: Figures of EvalRank that are compared with the tasks.
_RANKS: Final = ("MRR", "Hits@1", "Hits@3")
_F1: Final = "MRPC F1"
#: How ``compsim.benchmarks.downstream`` calls the columns of other evaluations.
_SET: Final = "set:"


def downstream(
    data: Annotated[Path, "a folder with files of SentEval or SciCite, or below which they are"],
    tasks: Annotated[str | None, "MR, CR, SUBJ, ..., with commas; default: all there are"] = None,
    methods: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
    level: Annotated[
        str, "word: tables of word vectors, whose means are classified; or sentence"
    ] = "sentence",
    folds: Annotated[int, "of cross-validation"] = 10,
    evalrank: Annotated[Path | None, "a folder of EvalRank, to compare with the tasks"] = None,
    sts: Annotated[
        str | None, "rated pairs, PATH or FORMAT:PATH, with commas, to compare likewise"
    ] = None,
    words: Annotated[
        str | None, "level=word: rated word pairs, files with commas, to compare likewise"
    ] = None,
) -> Task:
    """Train classifiers on sentence vectors (SentEval); does EvalRank or STS predict the figure?"""
    if level not in LEVELS:
        raise UnknownNameError(f"level={level!r} is not known: use {' or '.join(LEVELS)}")
    if words is not None and level != "word":
        raise InputError("words are pairs of words: give level=word with them")
    if folds < 2:
        raise InputError(f"folds={folds} are too few: give 2 or more")
    specs = table_specs(level, methods, vectors, normalize, dict(option or {}))
    return Downstream(
        open_tasks(data, listed(tasks) if tasks else ()),
        specs,
        folds=folds,
        positives=None if evalrank is None else open_evalrank(evalrank, level),
        ratings=[open_dataset(source) for source in listed(sts)] if sts else (),
        words=[Path(file) for file in listed(words)] if words else (),
    )


class Downstream(Task):
    """Accuracy of classifiers on frozen vectors, and other evaluations of the same vectors."""

    name = "downstream"
    title = "Downstream tasks: what a linear classifier reads off frozen vectors"
    form = ".2f"
    paper = "Conneau, Kiela 2018 (SentEval); Wang, Kuo, Li 2022 (EvalRank)"
    figure = "accuracy, percent"
    scale = 100

    def __init__(
        self,
        tasks: Sequence[ClassificationTask],
        specs: Sequence[Spec],
        *,
        folds: int = 10,
        positives: Positives | None = None,
        ratings: Sequence[Dataset] = (),
        words: Sequence[Path] = (),
    ) -> None:
        library("sklearn.linear_model")  # missing: said now, not after all the work
        for task in tasks:
            _check_folds(task, folds)
        self.tasks, self.specs, self.folds = list(tasks), specs, folds
        self.positives, self.ratings, self.words = positives, list(ratings), list(words)
        self.columns = {task.name: len(_tested(task)) for task in tasks}
        if any(task.name == "MRPC" for task in tasks):
            self.columns[_F1] = 0
        self.others = [*(rated.name for rated in self.ratings), *(file.stem for file in self.words)]
        if positives is not None:
            self.columns |= dict.fromkeys(_RANKS, 0)
        self.columns |= dict.fromkeys(self.others, 0)
        others = [positives.checksum] if positives is not None else []
        others += [rated.checksum for rated in self.ratings]
        self.content = [[task.checksum for task in tasks], folds, others, list(self.words)]
        sources = dict.fromkeys(task.source for task in tasks)
        self.data = (
            ", ".join(task.name for task in tasks),
            ", ".join(sources),
            hashlib.sha256("".join(task.checksum for task in tasks).encode()).hexdigest(),
        )
        self.problems = [task.note for task in tasks if task.note]
        self.steps = len(tasks) + (positives is not None) + len(self.others)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """The figures of one model in all tasks, and in the evaluations beside them."""
        model = _Model(spec, workspace)
        figures: dict[str, Figure] = {}
        for task in self.tasks:
            figures |= self._classified(task, model)
            advance(spec.method, 1)
        if self.positives is not None:
            ranks = EvalRank(self.positives, [spec])
            row = ranks.results(ranks.measure(spec, workspace, _silent)).rows[0]
            figures |= {name: row.figures[name] for name in _RANKS}
            advance(spec.method, 1)
        for rated in self.ratings:
            figures[rated.name] = _correlation(model, rated)
            advance(spec.method, 1)
        for file in self.words:
            rho = measure_file(model.table, file)["spearman"]
            figures[file.stem] = _in_percent(rho)
            advance(spec.method, 1)
        return [Row(model.of, figures)]

    def _classified(self, task: ClassificationTask, model: _Model) -> dict[str, Figure]:
        """The figure of a task, and F1 where papers print it too."""
        texts = task.sentences()
        rows = dict(zip(texts, model.vectors(texts).astype(np.float64), strict=True))
        parts = [None if p is None else _examples(p, rows, task.levels) for p in _splits(task)]
        train, dev, test = parts
        assert train is not None
        kind: Kind = Classes() if task.levels is None else Levels(*task.levels)
        if test is None:
            predicted, gold = predict_folds(kind, train, self.folds), train[1]
        else:
            predicted, gold = predict(kind, train, test[0], dev, self.folds), test[1]
        if task.levels is not None:
            return {task.name: _figure(_pearson, predicted, gold)}
        figures = {task.name: _figure(lambda x, y: np.mean(x == y), predicted, gold)}
        if task.name == "MRPC":
            figures[_F1] = _figure(_f1, predicted == "1", gold == "1")
        return figures

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and how EvalRank and the ratings go with each task over models."""
        there = [row for row in rows if row.status == "ok"]
        names = names_of(there) if there else []
        summary: dict[str, Any] = {"details": {}}
        ranks = _RANKS if self.positives is not None else ()
        if ranks or self.others:
            known = {
                name: {
                    _SET + column if column in self.others else column: figure.value
                    for column, figure in row.figures.items()
                    if figure.value is not None
                }
                for name, row in zip(names, there, strict=True)
            }
            summary = summed_up(correlations(known, {}, ranks))
        summary["details"] = {**summary["details"], "models": names}
        return super().results(rows, **{**more, **summary})

    def report(self, results: Results) -> str:
        """The table, the correlations over models, and the place of each model in each column."""
        from compsim.benchmarks.report.downstream import downstream_section

        return downstream_section(results, self.title)


class _Model:
    """The vectors of sentences that a spec makes."""

    def __init__(self, spec: Spec, workspace: Workspace) -> None:
        from compsim.embeddings.method import EmbeddingMethod
        from compsim.vectors import WordVectors

        self.spec, self.workspace = spec, workspace
        self.of = {"method": spec.title}
        self.method: Any = None
        if spec.method in (WORDS, BOW):
            self.table = WordVectors.open(spec.options["vectors"])
            self.of |= {"vectors": self.table.name, "normalize": spec.options["normalize"]}
            return
        self.method = open_method(spec)
        if not isinstance(self.method, EmbeddingMethod):
            raise InputError(f"{spec.title} has no sentence vectors, which a classifier reads")
        table = getattr(self.method, "vectors", None)
        self.of |= {"vectors": str(getattr(table, "name", "")), "normalize": self.method.normalize}
        if table is not None:
            self.table = table

    def vectors(self, sentences: Sequence[str]) -> Any:
        """The vector of each sentence as it is compared, (n, dim)."""
        if self.method is None:
            normalize = self.spec.options["normalize"]
            if self.spec.method == WORDS:
                return bag_vectors(self.table, sentences, normalize)
            bags = bag_vectors(self.table, sentences).astype(np.float32)
            return bags if normalize == "none" else Normalizer.fit(normalize, bags)(bags)
        batch = encode_all(
            sentences,
            self.method,
            workspace=self.workspace,
            content=encoding_content(self.spec),
        )
        return self.method.normalized(batch, batch)[0]


def _splits(task: ClassificationTask) -> tuple[Part | None, ...]:
    return task.train, task.dev, task.test


def _tested(task: ClassificationTask) -> Part:
    return task.train if task.test is None else task.test


def _check_folds(task: ClassificationTask, folds: int) -> None:
    """Raise ``DataError`` where folds cannot each have an example of every label."""
    if task.dev is not None:
        return
    labels, counts = np.unique(task.train.labels, return_counts=True)
    few = len(task.train) if task.levels is not None else int(counts.min())
    if few < 2 * folds:
        label = str(labels[int(counts.argmin())])
        of = "" if task.levels is not None else f" of the label {label!r}"
        raise DataError(
            f"{task.name} has {few} examples{of}, too few for {folds} folds: take fewer folds"
        )
    if task.levels is None and len(labels) < 2:
        raise DataError(
            f"{task.name} has one label alone, {str(labels[0])!r}: give all of its files"
        )


def _examples(part: Part, rows: Mapping[str, Any], levels: tuple[int, int] | None) -> Any:
    """The features (n, dim) and the labels (n,) of a split."""
    first = np.array([rows[text] for text in part.first])
    labels = np.array(part.labels, dtype=None if levels is None else np.float64)
    if not part.second:
        return first, labels
    second = np.array([rows[text] for text in part.second])
    return np.concatenate([np.abs(first - second), first * second], axis=1), labels


def _figure(statistic: Any, predicted: Any, gold: Any) -> Figure:
    """A statistic of predictions in percent, with its interval over the examples."""
    with np.errstate(invalid="ignore", divide="ignore"):
        value = float(statistic(predicted, gold))
    if not np.isfinite(value):
        return Figure(None, len(gold), note="all predictions are equal")
    ends = interval(statistic, predicted, gold)
    low, high = (None if end is None else _PERCENT * float(end) for end in ends)
    return Figure(_PERCENT * value, len(gold), low, high)


def _pearson(predicted: Any, gold: Any) -> Any:
    if are_equal(predicted):
        return np.nan
    return np.corrcoef(predicted, gold)[0, 1]


def _f1(predicted: Any, gold: Any) -> Any:
    return 2 * np.sum(predicted & gold) / max(np.sum(predicted) + np.sum(gold), 1)


def _correlation(model: _Model, rated: Dataset) -> Figure:
    """Spearman's rho of cosines and ratings, in percent."""
    texts = rated.sentences()
    rows = dict(zip(texts, unit_rows(model.vectors(texts).astype(np.float32)), strict=True))
    scores = [float(rows[pair.first] @ rows[pair.second]) for pair in rated.pairs]
    rho = correlate(scores, [pair.rating for pair in rated.pairs])
    return _in_percent(Figure(rho.spearman, rho.n, note=rho.note))


def _in_percent(figure: Figure) -> Figure:
    if figure.value is None:
        return figure
    low, high = (None if end is None else _PERCENT * end for end in (figure.low, figure.high))
    return replace(figure, value=_PERCENT * figure.value, low=low, high=high)


def _silent(name: str, count: int) -> None:
    pass
