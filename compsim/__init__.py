"""Similarity of sentences, judged by who did what to whom.

>>> import compsim
>>> compsim.similarity("The dog bit the man.", "The man was bitten by the dog.") > 0.9
True

The names below are imported when they are first used, so ``import compsim`` is quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compsim._version import __version__
from compsim.lazy import lazy_names

if TYPE_CHECKING:
    from compsim.api import explain, similarity, similarity_pairwise
    from compsim.batches import Encoded
    from compsim.corpus import Corpus
    from compsim.errors import (
        CompsimError,
        DataError,
        InputError,
        MissingExtraError,
        ParseError,
        ServiceError,
        UnknownNameError,
    )
    from compsim.explanation import Explanation, RoleRow
    from compsim.graph import Edge, Frame, Node, RoleGraph, Status
    from compsim.guard.api import same
    from compsim.guard.deduplication import Deduplication, deduplicate
    from compsim.guard.guard import Guard
    from compsim.guard.verdict import Difference, Verdict
    from compsim.method import Method, MethodInfo
    from compsim.parsers.base import Parser
    from compsim.registry import load, methods
    from compsim.retrieval import Reranker
    from compsim.retrieval.api import rank
    from compsim.vectors import WordVectors
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "compsim.api": ("explain", "similarity", "similarity_pairwise"),
            "compsim.corpus": ("Corpus",),
            "compsim.errors": (
                "CompsimError",
                "DataError",
                "InputError",
                "MissingExtraError",
                "ParseError",
                "ServiceError",
                "UnknownNameError",
            ),
            "compsim.explanation": ("Explanation", "RoleRow"),
            "compsim.graph": ("Edge", "Frame", "Node", "RoleGraph", "Status"),
            "compsim.guard.api": ("same",),
            "compsim.guard.deduplication": ("Deduplication", "deduplicate"),
            "compsim.guard.guard": ("Guard",),
            "compsim.guard.verdict": ("Difference", "Verdict"),
            "compsim.batches": ("Encoded",),
            "compsim.method": ("Method", "MethodInfo"),
            "compsim.parsers.base": ("Parser",),
            "compsim.registry": ("load", "methods"),
            "compsim.retrieval": ("Reranker",),
            "compsim.retrieval.api": ("rank",),
            "compsim.vectors": ("WordVectors",),
        },
    )

__all__ = [
    "CompsimError",
    "Corpus",
    "DataError",
    "Deduplication",
    "Difference",
    "Edge",
    "Encoded",
    "Explanation",
    "Frame",
    "Guard",
    "InputError",
    "Method",
    "MethodInfo",
    "MissingExtraError",
    "Node",
    "ParseError",
    "Parser",
    "Reranker",
    "RoleGraph",
    "RoleRow",
    "ServiceError",
    "Status",
    "UnknownNameError",
    "Verdict",
    "WordVectors",
    "__version__",
    "deduplicate",
    "explain",
    "load",
    "methods",
    "rank",
    "same",
    "similarity",
    "similarity_pairwise",
]
