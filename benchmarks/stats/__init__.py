"""Statistics: correlations, their intervals and differences, agreement of raters, folds."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from compsim.errors import MissingExtraError
from compsim.missing import install_command

__all__ = ["library"]


def library(module: str, package: str | None = None, extra: str = "bench") -> Any:
    """Return a module of another package; raises ``MissingExtraError`` where that is not installed.

    The error says to install ``package``, by default the ``extra`` that brings it.

    >>> float(library("scipy.stats").spearmanr([1, 2, 3], [1, 2, 4]).statistic)
    1.0
    """
    try:
        return import_module(module)
    except ImportError as error:
        name = "scikit-learn" if module.startswith("sklearn") else module.partition(".")[0]
        command = install_command(extra) if package is None else f"pip install {package}"
        raise MissingExtraError(
            f"the evaluation needs {name}, which is not installed: run {command}",
            name=name,
        ) from error
