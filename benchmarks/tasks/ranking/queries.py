"""Queries that hang on roles and constraints: is the right document of each found first?

The queries and documents of three domains were written by hand and ship with compsim
(``queries.toml``); a file of one's own has the same form. Each query is ranked against all
documents of its domain. Sentence vectors rank by their cosines alone, as they are used without
compsim; other methods with what a reranker makes of exclusions.

>>> [len(queries) for queries in read_queries(SHIPPED).values()]
[12, 12, 12]
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from compsim.benchmarks.datasets.ranking.role_contrast import Contrast, RoleContrast
from compsim.benchmarks.task import Results, Row, Task
from compsim.benchmarks.tasks.ranking.role_contrast import Contrasted
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.embeddings.method import EmbeddingMethod
from compsim.errors import DataError
from compsim.method import Method
from compsim.retrieval.reranker import Reranker

__all__ = ["SHIPPED", "Queried", "queries", "read_queries"]

SHIPPED: Final = Path(__file__).parents[2] / "queries.toml"


def queries(
    methods: str = "hybrid,sbert",
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
    data: Annotated[Path | None, "a TOML file of other queries (default: those shipped)"] = None,
) -> Task:
    """Rank documents for queries whose answer depends on roles and constraints."""
    specs = specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})
    path = data or SHIPPED
    items = tuple(query for several in read_queries(path).values() for query in several)
    return Queried(RoleContrast(path.stem, str(path), items), specs)


def read_queries(path: Path) -> dict[str, list[Contrast]]:
    """Read the queries of each domain; raises ``DataError`` for a file of another form."""
    try:
        domains = tomllib.loads(path.read_text(encoding="utf-8"))
        return {
            domain: [
                Contrast(domain, query["text"], query["right"], tuple(query["wrong"]))
                for query in result["query"]
            ]
            for domain, result in domains.items()
        }
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise DataError(
            f"{path} has no [[DOMAIN.query]] with text, right and wrong ({error}): see {SHIPPED}"
        ) from error


class Queried(Contrasted):
    """Methods as rerankers of short documents: how many queries have the right one first."""

    name = "queries"
    title = "Queries that hang on roles and constraints: the right document first"
    unit = "queries"

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and what they are of."""
        remark = (
            f"{len(self.contrasts)} queries, each ranked against the documents of its domain; "
            "percent of right documents that come first, a tie counting as lost"
        )
        return Task.results(self, rows, remarks=[remark])

    def reranker(self, method: Method[Any]) -> Reranker:
        """Return a reranker of a method; sentence vectors ignore exclusions."""
        if isinstance(method, EmbeddingMethod):
            return Reranker(method, exclude=None)
        return Reranker(method)

    def left_out(self, query: Contrast) -> set[str]:
        """The documents of other domains."""
        return {
            text
            for other in self.contrasts
            if other.kind != query.kind
            for text in (other.right, *other.wrong)
        }
