"""Role contrasts as retrieval: is what tells the same found before what exchanges the roles?

Each query is a clause and one way to tell it otherwise. The documents that a query is ranked
against are its right one, its wrong ones, which have the same words, and those of all other
clauses; other retellings of the same clause, which are right as well, are left out.

>>> from compsim.benchmarks.datasets.ranking.role_contrast import open_role_contrast
>>> from compsim.benchmarks.task import run
>>> data = open_role_contrast("ewt-propbank")  # doctest: +SKIP
>>> print(run(Contrasted(data, [Spec("hybrid")])).to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

from compsim.benchmarks.datasets.ranking.role_contrast import Contrast, RoleContrast
from compsim.benchmarks.sides import encode_all
from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task
from compsim.benchmarks.workspace import Workspace, by_content

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from compsim.benchmarks.stats.paired import Sample
    from compsim.method import Method
    from compsim.retrieval.reranker import Reranker

__all__ = ["Contrasted"]

_PERCENT: Final = 100
_RESAMPLES: Final = 1000
#: Failures that a report explains of each row.
_EXPLAINED: Final = 10


class Contrasted(Task):
    """Methods as rerankers of role contrasts: the share of right documents that come first."""

    name = "rerank"
    title = "Role contrasts: what tells the same before what exchanges the roles"
    form = ".1f"
    paper = "Retrieval"
    headline = "all"
    figure = "right document first, percent"
    unit = "clauses"
    scale = 100

    def __init__(self, data: RoleContrast, specs: Sequence[Spec]) -> None:
        self.contrasts, self.specs = data.queries, specs
        self.data = data.name, data.source, data.checksum
        self.content = data.checksum
        kinds = [query.kind for query in self.contrasts]
        self.columns = {"all": len(kinds), **{kind: kinds.count(kind) for kind in kinds}}
        documents = [text for query in self.contrasts for text in (query.right, *query.wrong)]
        self.documents = list(dict.fromkeys(documents))
        self.steps = len(self.documents)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """The place of the right document of each query, and what came first instead."""
        from compsim.registry import load
        from compsim.retrieval.documents import Documents

        method: Any = spec.model or load(spec.method, **spec.options)
        reranker = self.reranker(method)
        of = None if spec.model else ("documents", spec.method, by_content(spec.options))
        encoded = Documents.encode(
            self.documents,
            lambda texts: encode_all(texts, method, workspace=workspace, content=of),
        )
        scores = {
            text: reranker.scores(text, encoded)
            for text in dict.fromkeys(query.text for query in self.contrasts)
        }
        results = [self._ranked(i, scores[query.text]) for i, query in enumerate(self.contrasts)]
        advance(spec.method, self.steps)
        result = {
            "failures": [lost for _, lost in results if lost is not None],
            "places": [place for place, _ in results],
        }
        return [Row({"method": spec.title}, self._figures([p for p, _ in results]), details=result)]

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and what they are of."""
        clauses = len({query.text for query in self.contrasts})
        remark = (
            f"{len(self.contrasts)} queries of {clauses} clauses, {len(self.documents)} documents; "
            "percent of right documents that come first, a tie counting as lost"
        )
        return super().results(rows, remarks=[remark])

    def items_of(self, row: Row) -> Sample | None:
        """Return the queries that are won, those of a clause together, as a sample."""
        import numpy as np

        from compsim.benchmarks.stats.paired import Sample

        won = np.array(row.details["places"]) == 1
        _, clause = np.unique([query.text for query in self.contrasts], return_inverse=True)
        return Sample(won.astype(np.float64), units=clause.reshape(-1), scale=_PERCENT)

    def report(self, results: Results) -> str:
        """The table, and the lost queries of each row with what was found first, explained."""
        from compsim.benchmarks.report import section

        lost = [self._lost(row) for row in results.rows if row.status == "ok"]
        return section(results, self.title, *lost)

    def reranker(self, method: Method[Any]) -> Reranker:
        """Return a reranker of a method."""
        from compsim.retrieval.reranker import Reranker

        return Reranker(method)

    def left_out(self, query: Contrast) -> set[str]:
        """The documents that a query is not ranked against: right and wrong ones of its clause."""
        return {
            text
            for other in self.contrasts
            if other.text == query.text and other is not query
            for text in (other.right, *other.wrong)
        }

    def _ranked(self, number: int, scores: npt.NDArray[np.float64]) -> tuple[int, Any]:
        """The right document's place from 1 on, and the query where that is not 1."""
        import numpy as np

        query = self.contrasts[number]
        place = {text: i for i, text in enumerate(self.documents)}
        left_out = self.left_out(query)
        left_out -= {query.right, *query.wrong}
        at = place[query.right]
        kept = np.array([text not in left_out for text in self.documents])
        kept[at] = False
        own = scores[at]
        # What has no score comes last.
        known = np.where(np.isnan(scores), -np.inf, scores)
        before = kept & (known >= (-np.inf if np.isnan(own) else own))
        rank = 1 + int(before.sum())
        if rank == 1:
            return rank, None
        first = self.documents[int(np.argmax(np.where(kept, known, -np.inf)))]
        lost = {
            "kind": query.kind,
            "query": query.text,
            "right": query.right,
            "first": first,
            "place": rank,
            "margin": float(own - scores[place[first]]),
        }
        return rank, lost

    def _figures(self, places: Sequence[int]) -> dict[str, Figure]:
        """The shares, with intervals over clauses, whose queries are no sample each."""
        import numpy as np

        won = np.array([place == 1 for place in places], dtype=np.float64)
        texts = {text: i for i, text in enumerate(dict.fromkeys(q.text for q in self.contrasts))}
        clause = np.array([texts[query.text] for query in self.contrasts])
        kinds = np.array([query.kind for query in self.contrasts])
        rng = np.random.default_rng(0)
        drawn = rng.multinomial(len(texts), np.full(len(texts), 1 / len(texts)), size=_RESAMPLES)[
            :, clause
        ]
        figures = {}
        for name in self.columns:
            here = np.flatnonzero((kinds == name) | (name == "all"))
            weights = drawn[:, here].astype(np.float64)
            weights = weights[weights.sum(axis=1) > 0]
            shares = _PERCENT * (weights @ won[here]) / weights.sum(axis=1)
            low, high = np.percentile(shares, [2.5, 97.5]).tolist()
            figures[name] = Figure(float(_PERCENT * won[here].mean()), len(here), low, high)
        return figures

    def _lost(self, row: Row) -> str:
        """The worst failures of a row, each with why the wrong document scored as it did."""
        from compsim.explanation.html import fragment
        from compsim.registry import load

        lost = sorted(row.details["failures"], key=lambda of: of["margin"])[:_EXPLAINED]
        spec = next(spec for spec in self.specs if spec.title == row.of["method"])
        if not lost:
            return ""
        method: Any = spec.model or load(spec.method, **spec.options)
        parts = []
        for of in lost:
            result = (
                f"{of['kind']}, place {of['place']}: {of['query']} / found first: {of['first']} "
            )
            result += f"/ right: {of['right']}"
            why = fragment(method.explain(of["query"], of["first"]))
            parts.append(f"<details><summary>{escape(result)}</summary>{why}</details>")
        return f"<h3>Lost: {escape(row.label)}</h3>{''.join(parts)}"
