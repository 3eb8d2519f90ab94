"""Evaluations: how well the roles are found, how well scores fit people's, how fast it all is.

The names below are imported when they are first used.

>>> from compsim.benchmarks import Spec, evaluate, open_sts3k
>>> Spec("verbnet-cn").method
'verbnet-cn'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compsim.lazy import lazy_names

if TYPE_CHECKING:
    from compsim.benchmarks.datasets import Dataset, open_sts3k
    from compsim.benchmarks.task import Spec, Task, run
    from compsim.benchmarks.tasks.similarity.sts import bench, evaluate
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "compsim.benchmarks.datasets": ("Dataset", "open_sts3k"),
            "compsim.benchmarks.task": ("Spec", "Task", "run"),
            "compsim.benchmarks.tasks.similarity.sts": ("bench", "evaluate"),
        },
    )

__all__ = ["Dataset", "Spec", "Task", "bench", "evaluate", "open_sts3k", "run"]
