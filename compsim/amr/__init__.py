"""Abstract Meaning Representation: reading, standardising and comparing graphs.

>>> import compsim.amr
>>> graphs = list(compsim.amr.read_amr("(d / dog)\\n\\n(c / cat)"))
>>> from compsim.amr.smatch import smatch
>>> smatch(graphs[0], graphs[1]).f1  # TOP is what they share
0.5

The names below are imported when they are first used. ``smatch`` is both a module here and the
function in it, so the function is imported from the module.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from compsim.amr.smatch import SmatchResult, smatch_pairwise
    from compsim.amr.smatch.corpus import CorpusScore, corpus_score
    from compsim.amr.smatch.finegrained import fine_grained
    from compsim.amr.smatch.triples import TripleBatch, encode
    from compsim.graph.penman_reader import read_amr

__all__ = [
    "DEFAULT_PARSER",
    "CorpusScore",
    "SmatchResult",
    "TripleBatch",
    "corpus_score",
    "encode",
    "fine_grained",
    "read_amr",
    "smatch_pairwise",
]

#: The parser that the methods over meaning graphs use where none is named.
DEFAULT_PARSER: Final = "amr"

_HOME = {
    "amr.smatch": ("SmatchResult", "smatch_pairwise"),
    "amr.smatch.corpus": ("CorpusScore", "corpus_score"),
    "amr.smatch.finegrained": ("fine_grained",),
    "amr.smatch.triples": ("TripleBatch", "encode"),
    "graph.penman_reader": ("read_amr",),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module 'compsim.amr' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"compsim.{_MODULE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
