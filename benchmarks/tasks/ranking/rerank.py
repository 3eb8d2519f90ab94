"""What a first stage found, ordered anew: nDCG@10, MAP, MRR and recall of any methods.

A first stage, BM25 or a method that compares whole documents, finds candidates; each method orders
them by ``compsim.Reranker``, alone and blended with the first stage's scores. The weight of the
blend is chosen on every other query, by nDCG@10; all figures are of the rest.

With ``all_queries`` nothing is blended and the figures are of all queries, as those of BEIR and of
NegConstraint (Xu et al. 2025, arXiv:2505.22299) are: nDCG@10, MAP@100 and recall@100, where a
document that has the name of the query does not count. NegConstraint's authors order the 100
documents anew that a sentence model finds: ``first="sbert@100"``. Others search the collection as
a whole (``first="all"``): every method then ranks all documents, and there is nothing to blend.

>>> stages_of("bm25@100, sbert@50")
[Stage(name='bm25', depth=100), Stage(name='sbert', depth=50)]
>>> str(stages_of("all")[0])
'all'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from compsim.benchmarks.datasets.ranking.collections import Collection, open_collection
from compsim.benchmarks.sides import encode_all
from compsim.benchmarks.stats import library
from compsim.benchmarks.task import (
    Advance,
    Figure,
    Results,
    Row,
    Spec,
    Task,
    listed,
    open_method,
)
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.benchmarks.workspace import Workspace, by_content
from compsim.errors import InputError
from compsim.retrieval.combination import best_of
from compsim.retrieval.documents import Documents
from compsim.retrieval.fusion import Blend, check_blend, fused
from compsim.retrieval.reranker import Reranker

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from compsim.benchmarks.stats.paired import Sample

    Array = npt.NDArray[np.float64]
    #: For each query the numbers of the candidates and their scores, best first.
    Found = list[tuple[npt.NDArray[np.int64], Array]]

__all__ = ["Rerank", "Stage", "rerank", "stages_of"]

#: The share of the reranker's own score in the blend: one of these.
_WEIGHTS: Final = tuple(i / 10 for i in range(1, 10))
#: The first is what the weight is chosen by.
_MEASURES: Final = {"nDCG@10": "nDCG@10", "MAP": "AP", "MRR": "RR", "R@10": "R@10"}
#: The same of all queries.
_OF_ALL: Final = {"nDCG@10": "nDCG@10", "nDCG@1": "nDCG@1", "MAP@100": "AP@100", "R@100": "R@100"}
#: The rows of the first stages as they are.
_ALONE: Final = "none"
#: All documents, in place of what a first stage finds.
_ALL: Final = "all"


class Stage(NamedTuple):
    """A first stage: "bm25", or a method as ``--methods`` names it, and how many it finds.

    "all" is none: it leaves all documents to the methods.
    """

    name: str
    depth: int

    def __str__(self) -> str:
        return self.name if self.name == _ALL else f"{self.name}@{self.depth}"


def rerank(
    data: Annotated[Path, "a folder: a BEIR dataset's, Cranfield's, or EWT's with PropBank"],
    /,
    methods: str = "hybrid",
    first: Annotated[
        str,
        "first stages with the number of candidates, bm25@N or METHOD@N, separated "
        "by commas; all: no first stage, "
        "methods rank all documents",
    ] = "bm25@100,sbert@50",
    combine: Annotated[
        str, "how sentence scores make a document score: max, mean, or N for the mean of the N best"
    ] = "max",
    blend: Annotated[str, "how scores of both stages are added: score or rrf"] = "score",
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
    all_queries: Annotated[
        bool, "figures of all queries, as BEIR and NegConstraint's authors have them, and no blend"
    ] = False,
    role_contrast: Annotated[
        bool, "rank paraphrases and role-exchanged versions generated from sentences of EWT"
    ] = False,
) -> Task:
    """Rerank the candidates of BM25 or another first stage (nDCG@10, MAP, MRR, recall)."""
    specs = specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})
    if role_contrast:
        from compsim.benchmarks.datasets.ranking.role_contrast import open_role_contrast
        from compsim.benchmarks.tasks.ranking.role_contrast import Contrasted

        return Contrasted(open_role_contrast(data), specs)
    number = int(combine) if combine.isdecimal() else combine
    return Rerank(open_collection(data), specs, stages_of(first), number, blend, all_queries)


def stages_of(text: str) -> list[Stage]:
    """First stages, separated by commas; raises ``InputError`` for what is none."""
    result = []
    for part in listed(text):
        if part == _ALL:
            result.append(Stage(_ALL, 0))
            continue
        name, _, depth = part.rpartition("@")
        if not name or not depth.isdecimal() or int(depth) < 1:
            raise InputError(
                f"first={part!r} is no first stage: give bm25@100, a METHOD@100, or all"
            )
        result.append(Stage(name, int(depth)))
    return result


class Rerank(Task):
    """Methods as rerankers of what first stages found."""

    name = "rerank"
    title = "What a first stage found, ordered anew"
    paper = "Retrieval"
    headline = next(iter(_MEASURES))
    figure = headline
    unit = "queries"

    def __init__(
        self,
        data: Collection,
        specs: Sequence[Spec],
        stages: Sequence[Stage],
        combine: str | int = "max",
        blend: str = "score",
        all_queries: bool = False,
    ) -> None:
        library("ir_measures")
        if any(stage.name == "bm25" for stage in stages):
            library("bm25s")
        best_of(combine)
        check_blend(blend, 0.5)
        self.collection, self.stages = data, stages
        self.combine, self.blend = combine, blend
        self.specs = [Spec(_ALONE), *specs]
        self.queries = list(data.queries)
        self.all_queries = all_queries
        self.measures = _OF_ALL if all_queries else _MEASURES
        #: The queries that figures are of.
        self.held = slice(None) if all_queries else slice(1, None, 2)
        self.columns = dict.fromkeys(self.measures, len(self.queries[self.held]))
        self.content = [data.checksum, list(map(str, stages)), combine, blend]
        self.content += ["all queries"] * all_queries
        self.data = data.name, data.source, data.checksum
        self.problems = data.problems
        self.steps = len(data.documents)
        self._found: dict[Stage, Found] = {}

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """For each first stage its own row, or those of a method alone and blended with it."""
        if spec.method == _ALONE and spec.model is None:
            stages = [stage for stage in self.stages if stage.name != _ALL]
            alone = [self._candidates(stage, workspace) for stage in stages]
            advance(spec.method, self.steps)
            return [
                self._row(spec, stage, "as found", [scores for _, scores in one], one)
                for stage, one in zip(stages, alone, strict=True)
            ]
        method: Any = open_method(spec)
        reranker = Reranker(method, combine=self.combine)
        candidates = [self._candidates(stage, workspace) for stage in self.stages]
        wanted = sorted({int(i) for one in candidates for places, _ in one for i in places})
        texts = list(self.collection.documents.values())
        of = None if spec.model else ("documents", spec.method, by_content(spec.options))
        documents = Documents.encode(
            [texts[i] for i in wanted],
            lambda sentences: encode_all(sentences, method, workspace=workspace, content=of),
        )
        place = {i: k for k, i in enumerate(wanted)}
        rows = []
        for stage, result in zip(self.stages, candidates, strict=True):
            own = [
                reranker.scores(query, documents[[place[int(i)] for i in places]])
                for query, (places, _) in zip(self.collection.queries.values(), result, strict=True)
            ]
            rows.append(self._row(spec, stage, "alone", own, result))
            if not self.all_queries and stage.name != _ALL:
                rows.append(self._blended(spec, stage, own, result, method.info.lowest))
        advance(spec.method, self.steps)
        return rows

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and what they are of."""
        remark = (
            "figures are of all queries, a document with the name of its query left out"
            if self.all_queries
            else f"weights of blends are chosen on {(len(self.queries) + 1) // 2} queries, figures "
            f"are of the other {len(self.queries) // 2}"
        )
        return super().results(rows, remarks=[remark])

    def _blended(
        self, spec: Spec, stage: Stage, own: list[Array], result: Found, lowest: float
    ) -> Row:
        """The row of the blend whose weight is best on the queries that choose it."""
        import numpy as np

        kind: Blend = "rrf" if self.blend == "rrf" else "score"

        def mixed(weight: float) -> list[Array]:
            return [
                fused(np.where(mine == lowest, np.nan, mine), first, kind, weight)
                for mine, (_, first) in zip(own, result, strict=True)
            ]

        main = next(iter(_MEASURES))
        choosing = {w: self._measured(mixed(w), result)[main][::2].mean() for w in _WEIGHTS}
        best = max(choosing, key=lambda weight: (choosing[weight], -weight))
        return self._row(spec, stage, f"blended, own share {best:g}", mixed(best), result)

    def _row(self, spec: Spec, stage: Stage, order: str, scores: list[Array], result: Found) -> Row:
        """The figures of the queries that chose nothing; those of all are among the details."""
        import numpy as np

        from compsim.benchmarks.stats.correlation import interval

        measured = self._measured(scores, result)
        figures = {}
        for name, values in measured.items():
            held = values[self.held]
            figures[name] = Figure(float(held.mean()), len(held), *interval(np.mean, held))
        everything = {name: float(values.mean()) for name, values in measured.items()}
        of = {"method": spec.title, "first stage": str(stage), "order": order}
        details = {"all queries": everything, "held": measured[self.headline][self.held].tolist()}
        return Row(of, figures, details=details)

    def items_of(self, row: Row) -> Sample | None:
        """The figure of each query, of methods alone on what the first of the stages found."""
        import numpy as np

        from compsim.benchmarks.stats.paired import Sample

        if row.of["order"] != "alone" or row.of["first stage"] != str(self.stages[0]):
            return None
        return Sample(np.array(row.details["held"], np.float64))

    def _measured(self, scores: list[Array], result: Found) -> dict[str, Array]:
        """Each measure of each query, (queries,), by its name."""
        import numpy as np

        measures = library("ir_measures")
        names = list(self.collection.documents)
        ranked: dict[str, dict[str, float]] = {}
        for query, own, (places, _) in zip(self.queries, scores, result, strict=True):
            order = places[np.argsort(-own, kind="stable")].tolist()
            # Places for scores: of equal ones, the tools take the one with the later name.
            ranked[query] = {names[i]: float(-place) for place, i in enumerate(order)}
        chosen = {measures.parse_measure(text): name for name, text in self.measures.items()}
        number = {query: i for i, query in enumerate(self.queries)}
        out = {name: np.zeros(len(number)) for name in self.measures}
        relevant = {query: dict(of) for query, of in self.collection.relevant.items()}
        for one in measures.iter_calc(list(chosen), relevant, ranked):
            out[chosen[one.measure]][number[one.query_id]] = one.value
        return out

    def _candidates(self, stage: Stage, workspace: Workspace) -> Found:
        if stage not in self._found:
            finders = {"bm25": self._by_words, _ALL: self._everything}
            find = finders.get(stage.name, self._by_method)
            result = find(stage, workspace)
            self._found[stage] = self._without_namesakes(result) if self.all_queries else result
        return self._found[stage]

    def _without_namesakes(self, result: Found) -> Found:
        """Leave out of what each query found the document that has the query's name."""
        import numpy as np

        place = {name: i for i, name in enumerate(self.collection.documents)}
        kept = []
        for query, (places, scores) in zip(self.queries, result, strict=True):
            others = places != np.int64(place.get(query, -1))
            kept.append((places[others], scores[others]))
        return kept

    def _everything(self, stage: Stage, workspace: Workspace) -> Found:
        """All documents for each query, none better than another."""
        import numpy as np

        places = np.arange(len(self.collection.documents), dtype=np.int64)
        return [(places, np.zeros(len(places))) for _ in self.queries]

    def _by_words(self, stage: Stage, workspace: Workspace) -> Found:
        """What BM25 finds (bm25s as it comes, English stop words, no stemming)."""
        import numpy as np

        bm25s = library("bm25s")

        def words(texts: list[str]) -> Any:
            options = {"stopwords": "en", "show_progress": False, "return_ids": False}
            return bm25s.tokenize(texts, **options)

        index = bm25s.BM25()
        index.index(words(list(self.collection.documents.values())), show_progress=False)
        result: Found = []
        for query in words(list(self.collection.queries.values())):
            scores = np.asarray(index.get_scores(query), dtype=np.float64)
            places = np.argsort(-scores, kind="stable")[: stage.depth]
            result.append((places.astype(np.int64), scores[places]))
        return result

    def _by_method(self, stage: Stage, workspace: Workspace) -> Found:
        """What is most like the query, each document taken as one text."""
        import numpy as np

        from compsim.registry import load, named

        name, options = named(stage.name)
        method = load(name, **options)
        of = "documents", name, by_content(options)
        texts = list(self.collection.documents.values())
        documents = encode_all(texts, method, workspace=workspace, content=of)
        queries = method.encode(list(self.collection.queries.values()))
        places, scores = method.top_k(queries, documents, stage.depth)
        return [
            (row[row >= 0], own[row >= 0].astype(np.float64))
            for row, own in zip(places, scores, strict=True)
        ]
