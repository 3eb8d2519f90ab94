"""Same or not: do scores separate pairs of texts that say the same from pairs that do not?

The figures are the area under the ROC curve, the average precision, and the share of the same pairs
that a threshold accepts where it accepts 1, 2 or 5 % of the different ones; the first two for each
kind of pair too, where a file has kinds. A kind with same pairs only is set against the different
pairs of all kinds, and the other way round. Triples make three pairs each, of which one says the
same.

>>> from compsim.benchmarks.task import run
>>> results = run(pairs([Path("paws_dev.tsv")], methods="sbert,hybrid")[0])  # doctest: +SKIP
>>> results.rows[0].figures["AUC"].interval  # doctest: +SKIP
(0.63, 0.66)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from compsim.benchmarks.datasets.inference import FORMATS
from compsim.benchmarks.datasets.pairs import RATED, pair_format, read_pairs
from compsim.benchmarks.datasets.triples import order_files
from compsim.benchmarks.results import shown
from compsim.benchmarks.stats import library
from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task, open_method, sha256
from compsim.benchmarks.tasks.minimal_pairs.margins import table
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from compsim.benchmarks.stats.paired import Sample

    Array = npt.NDArray[np.float64]

__all__ = ["Pairs", "pairs"]

#: Shares of the different pairs that a threshold may accept, by the column of what it hits.
_HITS: Final = {f"hits at {percent} %": percent / 100 for percent in (1, 2, 5)}
#: The mean of the areas of the kinds, where each has pairs of both labels.
_MACRO: Final = "macro AUC"
#: The name of each format, and the paper that it comes from.
_SOURCES: Final = {
    "paws": ("PAWS", "Zhang, Baldridge, He 2019 (PAWS)"),
    "pairs": ("pairs", "Labelled pairs"),
    RATED: ("rated pairs", "Pairs rated as equivalent, and as related at most"),
    "hans": ("HANS", "McCoy, Pavlick, Linzen 2019 (HANS)"),
    "levy-holt": ("Levy/Holt", "Levy, Dagan 2016; Holt 2018"),
    "events-adapt": ("pairs of EventsAdapt", "Kauf et al. 2023 (EventsAdapt)"),
    "sugarcrepe-pp": ("pairs of SugarCrepe++", "Dumpala et al. 2024 (SugarCrepe++)"),
    "sentence-smith": ("pairs of Sentence Smith", "Li et al. 2025 (Sentence Smith)"),
    "checklist": ("CheckList", "Ribeiro et al. 2020 (CheckList)"),
    "semantoneg": ("pairs of SemAntoNeg", "Vahtola, Creutz, Tiedemann 2022 (SemAntoNeg)"),
    "contrasts": ("pairs of contrasts", "compsim's contrasts"),
}
#: Pairs that a triple makes.
_OF_TRIPLE: Final = 3
#: Pairs that a report shows of each row and label.
_WORST: Final = 10


def pairs(
    files: Annotated[
        list[Path],
        "PAWS, HANS, Levy/Holt, or kind, first, second, same (TSV); CheckList's qqp_suite.pkl; "
        "rated pairs, as `bench sts` takes them; or triples, as `bench triples` does",
    ],
    /,
    methods: str = "verbnet-cn",
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
) -> list[Task]:
    """Separate pairs that say the same from others (AUC, average precision, hits at few false)."""
    specs = specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})
    formats = {file: pair_format(file) for file in files}
    captions = [file for file, form in formats.items() if form == "sugarcrepe-pp"]
    others = [[file] for file in formats if file not in captions]
    return [Pairs(group, specs) for group in ([captions] if captions else []) + others]


class Pairs(Task):
    """The pairs of files of one format, separated by the scores of methods.

    Args:
        files: Those of SugarCrepe++ together, or one in another format.
        specs: The methods.

    Raises:
        DataError: All pairs have the same label.
        MissingExtraError: Without scikit-learn.
    """

    name = "pairs"
    title = "Texts that say the same, apart from those that do not"
    headline = "AUC"
    figure = "AUC"

    def __init__(self, files: Sequence[Path], specs: Sequence[Spec]) -> None:
        library("sklearn.metrics")  # missing: said now, not after all the work
        form = pair_format(files[0])
        files = order_files(files)
        self.pairs = [pair for file in files for pair in read_pairs(file)]
        self.specs = specs
        if len({pair.same for pair in self.pairs}) < 2:
            raise DataError(
                f"{files[0]}: all {len(self.pairs)} pairs have the same label: give a file with "
                "pairs that say the same and pairs that do not"
            )
        name, self.paper = _SOURCES[form]
        self.of_triples = form not in ("paws", "pairs", "checklist", RATED, *FORMATS)
        self.unit = "triples" if self.of_triples else "pairs"
        self.kinds = list(dict.fromkeys(pair.kind for pair in self.pairs if pair.kind))
        # Each kind of triple has pairs of both labels.
        macro = [_MACRO] if self.of_triples and len(self.kinds) > 1 else []
        self.columns = dict.fromkeys(("AUC", *macro, "average precision", *_HITS), 0)
        self.texts = list(dict.fromkeys(t for p in self.pairs for t in (p.first, p.second)))
        self.steps = len(self.texts)
        checksum = sha256(files)
        self.content = [form, self.kinds, checksum]
        self.data = name, ", ".join(map(str, files)), checksum

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """Return one row: the scores of all pairs, and the figures that they make."""
        import numpy as np

        from compsim.benchmarks.sides import encode_all, encoding_content, unparsed

        method: Any = open_method(spec)
        batch = encode_all(
            self.texts,
            method,
            workspace=workspace,
            content=encoding_content(spec),
            advance=lambda _, count: advance(spec.method, count),
        )
        index = {text: i for i, text in enumerate(self.texts)}
        first = np.array([index[pair.first] for pair in self.pairs], dtype=np.int64)
        second = np.array([index[pair.second] for pair in self.pairs], dtype=np.int64)
        scores = method.similarity_pairwise(batch[first], batch[second])
        scores = np.asarray(scores, dtype=np.float64)
        of = {
            "method": spec.title,
            "normalize": method.normalize,
            "parser": getattr(getattr(method, "parser", None), "name", ""),
            "vectors": str(getattr(getattr(method, "vectors", None), "name", "")),
        }
        notes = []
        if failed := unparsed(batch):
            notes.append(f"{failed} sentences have no parse")
        if missing := int(np.isnan(scores).sum()):
            notes.append(f"{missing} pairs have no score and rank below all others")
        figures, kinds = self._figures(scores), self._by_kind(scores)
        if _MACRO in self.columns:
            areas = [figure["AUC"] for figure in kinds.values()]
            figures[_MACRO] = Figure(float(np.mean(areas)), len(self.pairs))
        details = {"kinds": kinds} if kinds else {}
        return [Row(of, figures, notes=notes, scores=scores.tolist(), details=details)]

    def _figures(self, scores: Array) -> dict[str, Figure]:
        """Return the figures of all pairs."""
        from compsim.benchmarks.stats.classification import auc, average_precision, hits
        from compsim.benchmarks.stats.paired import interval

        same = [pair.same for pair in self.pairs]
        count = len(same)
        figures = {"AUC": Figure(auc(scores, same), count, *interval(self._sample(scores)))}
        figures["average precision"] = Figure(average_precision(scores, same), count)
        for column, share in _HITS.items():
            figures[column] = Figure(hits(scores, same, share), count)
        return figures

    def _by_kind(self, scores: Array) -> dict[str, dict[str, Any]]:
        """Return the figures of each kind; against the others of all kinds where it has none."""
        import numpy as np

        from compsim.benchmarks.stats.classification import auc, average_precision

        same = np.array([pair.same for pair in self.pairs])
        kinds = np.array([pair.kind for pair in self.pairs])
        result = {}
        for kind in self.kinds:
            own = kinds == kind
            chosen = (
                own if same[own].any() and not same[own].all() else own | (same != same[own][0])
            )
            result[kind] = {
                "AUC": auc(scores[chosen], same[chosen]),
                "average precision": average_precision(scores[chosen], same[chosen]),
                "n": int(own.sum()),
                "same": int(same[own].sum()),
            }
        return result

    def _sample(self, scores: Array) -> Sample:
        """Return the pairs as they are drawn anew, those of a triple together."""
        import numpy as np

        from compsim.benchmarks.stats.classification import rankable
        from compsim.benchmarks.stats.paired import Sample

        same = np.array([pair.same for pair in self.pairs], dtype=np.float64)
        units = np.arange(len(same)) // _OF_TRIPLE if self.of_triples else None
        return Sample(rankable(scores), "auc", same, units=units)

    def items_of(self, row: Row) -> Sample | None:
        """The scores of all pairs with their labels."""
        import numpy as np

        return self._sample(np.array(row.scores, dtype=np.float64))

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and in lines the figures of each kind."""
        measured = [row for row in rows if row.status == "ok"]
        summary = []
        for kind in self.kinds if measured else ():
            counts = measured[0].details["kinds"][kind]
            text = ", ".join(f"{row.label} {' / '.join(_cells(row, kind))}" for row in measured)
            summary.append(f"{kind} (n={counts['n']}, {counts['same']} the same): {text}")
        same = sum(pair.same for pair in self.pairs)
        remarks = [f"{same} of {len(self.pairs)} pairs say the same"]
        if summary:
            remarks.append("of kinds: AUC / average precision")
        about = {"pairs": len(self.pairs), "same": same}
        return super().results(rows, summary=summary, remarks=remarks, about=about, **more)

    def report(self, results: Results) -> str:
        """The table, that of the kinds, and the pairs that are furthest on the wrong side."""
        from compsim.benchmarks.report import section

        measured = [row for row in results.rows if row.status == "ok"]
        parts = [self._kind_table(measured)] if self.kinds and measured else []
        for row in measured:
            parts += [self._worst(row, same=False), self._worst(row, same=True)]
        # The table of kinds says what the summary does.
        return section(replace(results, summary=()), self.title, *parts)

    def _kind_table(self, rows: Sequence[Row]) -> str:
        head = ["kind", "n", "the same"]
        for row in rows:
            head += [f"{row.label}: AUC", f"{row.label}: average precision"]
        body = []
        for kind in self.kinds:
            counts = rows[0].details["kinds"][kind]
            cells = [cell for row in rows for cell in _cells(row, kind)]
            body.append([kind, str(counts["n"]), str(counts["same"]), *cells])
        return table(head, body, "By kind")

    def _worst(self, row: Row, *, same: bool) -> str:
        """Return the same pairs that score lowest, or the different ones that score highest."""
        import numpy as np

        from compsim.benchmarks.stats.classification import rankable

        scores = rankable(row.scores)
        order = np.argsort(scores if same else -scores, kind="stable").tolist()
        chosen = [i for i in order if self.pairs[i].same is same][:_WORST]
        title = "Say the same, score lowest" if same else "Do not say the same, score highest"
        cells = [
            [f"{row.scores[i]:.3f}", self.pairs[i].kind, self.pairs[i].first, self.pairs[i].second]
            for i in chosen
        ]
        return table(["score", "kind", "first", "second"], cells, f"{title}: {row.label}")


def _cells(row: Row, kind: str) -> list[str]:
    """Return the AUC and the average precision of a kind, as text."""
    figures = row.details["kinds"][kind]
    return [shown(figures[column]) for column in ("AUC", "average precision")]
