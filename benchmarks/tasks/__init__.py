"""The evaluations, one file each, and the table of them.

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

#: Each is the name of a module and of its function; in the order of ``compsim bench --help``.
TASKS: Final = (
    "all", "sts3k", "sts", "ratings", "finetune", "roles", "amr", "bamboo", "contrasts", "tradeoff",
    "sr", "augment", "diversity", "analogies", "evalrank", "sugarcrepe", "modifiers", "rerank",
    "words", "speed", "service",
)  # fmt: skip

#: Evaluations whose name is another than that of their module and function.
_NAMED: Final = {"all": "profile"}


def open_task(name: str) -> Callable[..., Any]:
    """The function of an evaluation: it takes options and gives one task or several."""
    name = _NAMED.get(name, name)
    found: Callable[..., Any] = getattr(import_module(f"{__name__}.{name}"), name)
    return found
