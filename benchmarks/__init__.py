"""Evaluations: how well the roles are found, how well scores fit people's, how fast it all is.

The names below are imported when they are first used.

>>> from compsim.benchmarks import Spec, evaluate, open_sts3k
>>> Spec("verbnet-cn").method
'verbnet-cn'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from compsim.benchmarks.datasets import Dataset, open_sts3k
    from compsim.benchmarks.task import Spec, Task, run
    from compsim.benchmarks.tasks.sts import bench, evaluate

__all__ = ["Dataset", "Spec", "Task", "bench", "evaluate", "open_sts3k", "run"]

_MODULE = {
    "Dataset": "datasets",
    "Spec": "task",
    "Task": "task",
    "bench": "tasks.sts",
    "evaluate": "tasks.sts",
    "open_sts3k": "datasets",
    "run": "task",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module 'compsim.benchmarks' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"compsim.benchmarks.{_MODULE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
