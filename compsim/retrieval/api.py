"""Documents ranked by their similarity to a query, in one call.

>>> from compsim import rank
>>> rank("The dog bit the man.", ["Prices fell.", "A dog has bitten the man."], top_k=1)[0]
{'corpus_id': 1, 'score': 0.9...}
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack

from compsim.api import loaded
from compsim.defaults import DEFAULT_METHOD
from compsim.method import Method
from compsim.retrieval.reranker import Reranker

if TYPE_CHECKING:
    from compsim.method_options import AnyOptions

__all__ = ["rank"]


def rank(
    query: str,
    documents: Iterable[str],
    method: str | Method[Any] = DEFAULT_METHOD,
    top_k: int | None = None,
    return_documents: bool = False,
    **options: Unpack[AnyOptions],
) -> list[dict[str, Any]]:
    """Rank documents by their similarity to a query, best first.

    A document is split into sentences, and the best of them decides. ``Reranker`` does the same for
    many queries, with the scores of a first stage, exclusions and calibration.

    Args:
        query: What is looked for: a sentence, a question or keywords.
        documents: n texts of any length.
        method: A name that ``methods`` lists, or a method.
        top_k: How many are wanted; None for all.
        return_documents: Whether each result has its text.
        **options: Options of the method, as for ``load``. A method once loaded is kept for the next
            call with the same options.

    Returns:
        A list of ``{"corpus_id", "score"}``, with ``"text"`` if asked, as of ``Reranker.rank``:
        ``corpus_id`` is the index of a document in what was given. The score lies in the range of
        the method, [0, 1] for ``hybrid``.

    Raises:
        InputError: The query has no word, ``top_k`` is below 1, something is no string, or the
            method has no such option.
        UnknownNameError: There is no method of this name.
        MissingExtraError: A package that the method needs is not installed.

    Examples:
        >>> from compsim import rank
        >>> documents = ["The man bit the dog.", "It rained. The dog bit the man."]
        >>> [hit["corpus_id"] for hit in rank("Who bit the man?", documents)]
        [1, 0]
    """
    reranker = Reranker(loaded(method, **options))
    return reranker.rank(query, documents, top_k, return_documents)
