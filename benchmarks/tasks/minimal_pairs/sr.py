"""SR: do scores follow what a change of syntax does to the meaning?

Each sentence is rewritten twice: with roles or order changed (``relation``), and in another syntax
(``structure``). Files may have a third rewriting, with a word changed or added (``lexical``), as
the paper's appendix has it, whose data is not published. The figures are Spearman's rho with the
ratings, times 100, of each file and rewriting, and their means over files; and ``within``: of rows
whose first two ratings differ by 2 or more of 5, the share in which the scores differ the same way.
``all pairs`` is rho over all rewritings of all files; it and ``within`` can be had of sets whose
ratings are the same in a whole column, as those that ``generate`` makes of one's own sentences.

The published figures are those of the authors' repository, which its data gives; the paper as
printed has others, of another version of the data. Seven models stand in the paper alone, and are
shown as printed there.

>>> from compsim.benchmarks.task import run
>>> results = run(sr("SR/data", "stsb", methods="sbert"))  # doctest: +SKIP
>>> results.rows[0].figures["stsb structure"].value  # doctest: +SKIP
17.84
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from compsim.benchmarks.datasets import Dataset
from compsim.benchmarks.datasets.sts.sr import FILES, KINDS, LEXICAL, open_sr
from compsim.benchmarks.results import Figure, Results, Row
from compsim.benchmarks.stats import library
from compsim.benchmarks.task import Spec, Task, listed
from compsim.benchmarks.tasks.minimal_pairs.sr_figures import LEXICAL_PART, PRINTED, PUBLISHED
from compsim.benchmarks.tasks.similarity.sts import Sts, specs_of
from compsim.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from compsim.benchmarks.stats.paired import Sample

__all__ = ["Sr", "sr"]

#: Ratings of a row, as shares of the range, that differ by at least so much say which is nearer.
_APART: Final = 0.4
_PERCENT: Final = 100
_HIGHEST: Final = 5


def sr(
    data: Annotated[Path, "a folder with files of SR: stsb.csv, sickr.csv and so on"],
    datasets: Annotated[str | None, "which files, separated by commas; default: all there"] = None,
    methods: str = "verbnet-cn",
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
    drop_identical: Annotated[bool, "leave out rows with a sentence that stayed the same"] = False,
    generate: Annotated[
        Path | None, "sentences of your own, one a line: first make a set of them, in DATA"
    ] = None,
    llm: Annotated[
        str | None,
        "with --generate: URL of a chat endpoint that rewrites and rates in place of "
        "the rules (key: OPENAI_API_KEY)",
    ] = None,
    llm_model: Annotated[str, "with --llm: the name of its model"] = "gpt-4o",
    seed: Annotated[int, "with --generate: of the rewriting that is chosen of several"] = 1,
    inversions: Annotated[
        bool, "with --generate: also allow rewritings with the object or the verb first"
    ] = False,
    lexical: Annotated[bool, "with --generate: a third pair, with a word changed or added"] = False,
    advance: Callable[[int], None] = lambda count: None,
) -> Task:
    """Correlate scores with ratings of changed roles and changed syntax (Spearman, times 100)."""
    names = None if datasets is None else listed(datasets)
    made = ""
    if generate is not None:
        way = {"inversions": inversions, "lexical": lexical}
        name, made = _generated(generate, data, llm, llm_model, seed, way, advance)
        names = names or [name]
    opened = open_sr(data, names, drop_identical)
    opened = replace(opened, problems=(*opened.problems, made)) if made else opened
    specs = specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})
    return Sr(opened, specs)


def _generated(
    file: Path,
    folder: Path,
    llm: str | None,
    model: str,
    seed: int,
    way: Mapping[str, bool],
    advance: Callable[[int], None],
) -> tuple[str, str]:
    """Make a set, DATA/NAME.csv: its name, and what became of the sentences."""
    from compsim.benchmarks.rewriting.sr_set import read_sentences, sr_rows, write_sr

    name = file.name.partition(".")[0] or "mine"
    if name in FILES:
        raise InputError(
            f"{file}: a set of this name would pass for the benchmark's {name}.csv: rename the file"
        )
    sentences = read_sentences(file)
    if llm is None:
        rows = sr_rows(sentences, seed, None, advance, **way)
    else:
        from compsim.benchmarks.rewriting.llm import LlmRewriter

        rewriter = LlmRewriter(llm, model, seed=seed, lexical=way["lexical"])
        rows = rewriter.rows(sentences, advance)
    write_sr(folder / f"{name}.csv", rows)
    left = len(sentences) - len(rows)
    ways = "all" if way["lexical"] else "both"
    return name, f"{left} of {len(sentences)} sentences could not be rewritten {ways} ways"


class Sr(Sts):
    """Scores against the ratings of SR."""

    name = "sr"
    title = "SR: changed roles and changed syntax"
    paper = "Zhang et al. 2023 (SR)"
    headline = "all pairs"
    figure = "Spearman, times 100"
    unit = "source sentences"
    scale = 100
    form = ".2f"

    def __init__(self, data: Dataset, specs: Sequence[Spec]) -> None:
        super().__init__(data, specs)
        self.files = list(dict.fromkeys(part.rpartition(" ")[0] for part in data.parts))
        self.kinds = list(dict.fromkeys(part.rpartition(" ")[2] for part in data.parts))
        self.within = {name: self._telling(name) for name in self.files}
        self.columns = {part: len(index) for part, index in data.parts.items()}
        if len(self.files) > 1:
            self.columns |= {
                f"{of} {kind}": 0 for of in ("mean", "weighted") for kind in self.kinds
            }
        self.columns |= {f"{name} within": len(rows) for name, rows in self.within.items()}
        self.columns["all pairs"] = len(data)

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows with their correlations, means and shares, those of the literature below."""
        result = super().results(rows, **more)
        theirs = all(name in FILES for name in self.files)
        sources: dict[str, tuple[tuple[str, ...], Any]]
        sources = {"published": (KINDS, PUBLISHED), "paper": (KINDS, PRINTED)}
        if LEXICAL in self.kinds:
            sources["paper, lexical part"] = (LEXICAL,), LEXICAL_PART
        printed = [
            Row({"method": f"{model}, {source}"}, self._with_means(self._printed(kinds, figures)))
            for source, (kinds, models) in sources.items()
            for model, figures in models.items()
            if theirs
        ]
        return replace(
            result,
            rows=[self._completed(row) for row in result.rows],
            literature=printed,
            remarks=self._remarks(),
        )

    def report(self, results: Results) -> str:
        """The table, scores against ratings, the most mis-scored pairs, what the pairs are like."""
        from compsim.benchmarks.report import scores_section
        from compsim.benchmarks.report.figures import cells, distributions, section

        head = ["part", "pairs", "untouched", "same words", *map(str, range(_HIGHEST + 1))]
        body = [[part, *map(str, self._make_up(part))] for part in self.pairs.parts]
        note = (
            "Pairs whose second sentence is the first one; that have the same words in any order; "
            "and those of each rating."
        )
        return "\n".join(
            [
                scores_section(self.pairs, results, self.title),
                section("What are the pairs like?", cells(head, body), note=note),
                distributions(results),
            ]
        )

    def _make_up(self, part: str) -> list[int]:
        """The pairs of a part; those untouched, with the same words, and of each rating."""
        pairs = [self.pairs.pairs[i] for i in self.pairs.parts[part]]
        same = sum(_words(pair.first) == _words(pair.second) for pair in pairs)
        ratings = [round(pair.rating * _HIGHEST) for pair in pairs]
        counts = [ratings.count(rating) for rating in range(_HIGHEST + 1)]
        return [len(pairs), sum(pair.first == pair.second for pair in pairs), same, *counts]

    def _telling(self, name: str) -> npt.NDArray[np.int64]:
        """The rows of a file whose two ratings tell which rewriting is nearer."""
        import numpy as np

        relation, structure = (self._ratings(name, kind) for kind in KINDS)
        return np.flatnonzero(np.abs(structure - relation) > _APART - 1e-9)

    def _ratings(self, name: str, kind: str) -> npt.NDArray[np.float64]:
        import numpy as np

        return np.array([self.pairs.pairs[i].rating for i in self.pairs.parts[f"{name} {kind}"]])

    def _completed(self, row: Row) -> Row:
        """The row with its correlations times 100, their means, and the shares within rows."""
        if row.status != "ok":
            return row
        figures, notes = self._of_the_scored(row)
        figures = self._with_means({name: _scaled(figure) for name, figure in figures.items()})
        for name in self.files:
            figures[f"{name} within"] = self._share(name, row.scores)
        figures["all pairs"] = _scaled(self._of_all(row.scores))
        return replace(row, figures=figures, published={}, notes=[*row.notes, *notes])

    def _of_the_scored(self, row: Row) -> tuple[dict[str, Figure], list[str]]:
        """The correlations of each part over the pairs that have a score, and what has none."""
        import numpy as np

        figures, notes = dict(row.figures), []
        for part, index in self.pairs.parts.items():
            lost = int((~np.isfinite(np.array(row.scores)[list(index)])).sum())
            if lost:
                figures[part] = self._rho(row.scores, [index])
                notes.append(f"{part}: {lost} of {len(index)} pairs have no score, left out")
        return figures, notes

    def _of_all(self, scores: Sequence[float]) -> Figure:
        """The correlation over all pairs, with an interval over source sentences."""
        return self._rho(scores, self._both())

    def _both(self) -> list[list[int]]:
        """The pairs of each rewriting of all files, source sentence by source sentence."""
        return [
            [i for name in self.files for i in self.pairs.parts[f"{name} {kind}"]]
            for kind in self.kinds
        ]

    def items_of(self, row: Row) -> Sample | None:
        """The scores of all pairs, those of a source sentence together."""
        import numpy as np

        items = super().items_of(row)
        assert items is not None
        sides = np.array(self._both(), dtype=np.int64)
        source = np.zeros(len(self.pairs), dtype=np.int64)
        source[sides] = np.arange(sides.shape[1])
        return replace(items, units=source, scale=self.scale)

    def _rho(self, scores: Sequence[float], sides: Sequence[Sequence[int]]) -> Figure:
        """Spearman's rho of the pairs of several columns of rows that have a score.

        The interval resamples rows.
        """
        import numpy as np

        from compsim.benchmarks.stats.correlation import correlate, interval

        index = np.array(sides, dtype=np.int64).T
        own = np.array(scores, dtype=np.float64)[index]
        rated = np.array([pair.rating for pair in self.pairs.pairs])[index]
        known = np.isfinite(own)
        result = correlate(own[known], rated[known])
        if result.spearman is None:
            return Figure(None, result.n, note=result.note)
        rankdata = library("scipy.stats").rankdata

        def rho(scored: npt.NDArray[np.float64], ratings: npt.NDArray[np.float64]) -> float:
            there = np.isfinite(scored)
            if there.sum() < 2:
                return float("nan")
            ranks = np.array([rankdata(scored[there]), rankdata(ratings[there])])
            return float(np.corrcoef(ranks)[0, 1])

        return Figure(result.spearman, result.n, *interval(rho, own, rated))

    def _with_means(self, figures: dict[str, Figure]) -> dict[str, Figure]:
        """With the means of each kind over several files, where all of them have a figure.

        The plain mean is the published one; the other counts each file by its pairs.
        """
        if len(self.files) > 1:
            for kind in self.kinds:
                if f"{self.files[0]} {kind}" not in figures:
                    continue  # a row of a paper that has other kinds
                values = [figures[f"{name} {kind}"].value for name in self.files]
                sizes = [len(self.pairs.parts[f"{name} {kind}"]) for name in self.files]
                known = [value for value in values if value is not None]
                if len(known) == len(values):
                    total = sum(v * size for v, size in zip(known, sizes, strict=True))
                    figures[f"mean {kind}"] = Figure(sum(known) / len(known))
                    figures[f"weighted {kind}"] = Figure(total / sum(sizes))
        return figures

    def _printed(
        self, kinds: Sequence[str], figures: tuple[tuple[float | None, ...], ...]
    ) -> dict[str, Figure]:
        return {
            f"{name} {kind}": Figure(values[FILES.index(name)])
            for kind, values in zip(kinds, figures, strict=True)
            for name in self.files
        }

    def _share(self, name: str, scores: Sequence[float]) -> Figure:
        """The share of telling rows in which the better rated rewriting scores higher."""
        import numpy as np

        from compsim.benchmarks.stats.correlation import interval

        rows = self.within[name]
        if len(rows) == 0:
            return Figure(None, note="no row's ratings differ enough")
        result = np.array(scores, dtype=np.float64)
        own = [result[list(self.pairs.parts[f"{name} {kind}"])][rows] for kind in KINDS]
        rated = [self._ratings(name, kind)[rows] for kind in KINDS]
        known = np.isfinite(own[0]) & np.isfinite(own[1])
        if not known.any():
            return Figure(None, note="no row has both scores")
        own, rated = ([values[known] for values in of] for of in (own, rated))
        # A tie counts as wrong.
        right = np.sign(own[1] - own[0]) == np.sign(rated[1] - rated[0])
        share = float(_PERCENT * right.mean())
        return Figure(share, len(right), *interval(np.mean, _PERCENT * right))

    def _remarks(self) -> list[str]:
        if any(name not in FILES for name in self.files):
            return []
        if 1 < len(self.files) < len(FILES):
            return [f"means are of {len(self.files)} of the {len(FILES)} files"]
        return []


def _scaled(figure: Figure) -> Figure:
    """The figure and its interval times 100."""
    values = (figure.value, figure.low, figure.high)
    value, low, high = (None if each is None else _PERCENT * each for each in values)
    return replace(figure, value=value, low=low, high=high)


def _words(text: str) -> list[str]:
    """The words of a sentence, sorted."""
    return sorted(re.findall(r"\w+", text.lower()))
