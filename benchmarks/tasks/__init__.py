"""The evaluations, one file each, in folders by what they measure, and the table of them.

An evaluation is a file with a function that makes a ``compsim.benchmarks.task.Task``
from options, which are those of ``compsim bench NAME`` too; and a line in the table.

>>> open_task("words").__doc__
'Correlate the cosines of word vectors with human ratings of word pairs (Spearman).'
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

__all__ = ["TASKS", "open_task"]

#: Where each is: a module below this one, whose last name is that of its function too; in the order
#: of ``compsim bench --help``.
TASKS: Final = {
    "all": "profile",
    "sts3k": "similarity.sts3k",
    "sts": "similarity.sts",
    "ratings": "similarity.ratings",
    "finetune": "training.finetune",
    "roles": "parsing.roles",
    "amr": "parsing.amr",
    "bamboo": "similarity.bamboo",
    "contrasts": "minimal_pairs.contrasts",
    "triples": "minimal_pairs.triples",
    "pairs": "minimal_pairs.pairs",
    "guard": "minimal_pairs.guard",
    "tradeoff": "minimal_pairs.tradeoff",
    "sr": "minimal_pairs.sr",
    "augment": "training.augment",
    "diversity": "training.diversity",
    "analogies": "vectors.analogies",
    "evalrank": "ranking.evalrank",
    "sugarcrepe": "minimal_pairs.sugarcrepe",
    "downstream": "vectors.downstream",
    "modifiers": "vectors.modifiers",
    "rerank": "ranking.rerank",
    "queries": "ranking.queries",
    "words": "similarity.words",
    "speed": "speed.speed",
    "service": "speed.service",
    "mcp": "speed.mcp",
    "long-texts": "speed.long_texts",
}


def open_task(name: str) -> Callable[..., Any]:
    """The function of an evaluation: it takes options and gives one task or several."""
    place = TASKS[name]
    module = import_module(f"{__name__}.{place}")
    value: Callable[..., Any] = getattr(module, place.rpartition(".")[2])
    return value
