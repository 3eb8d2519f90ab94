"""Statistics: correlations, their intervals and differences, agreement of raters, folds."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from compsim.errors import MissingExtraError

__all__ = ["library"]


def library(module: str, install: str = "'compsim[bench]'") -> Any:
    """A module of another package; raises ``MissingExtraError`` where that is not installed.

    >>> float(library("scipy.stats").spearmanr([1, 2, 3], [1, 2, 4]).statistic)
    1.0
    """
    try:
        return import_module(module)
    except ImportError as error:
        name = "scikit-learn" if module.startswith("sklearn") else module.partition(".")[0]
        raise MissingExtraError(
            f"the evaluation needs {name}, which is not installed: run pip install {install}",
            name=name,
        ) from error
