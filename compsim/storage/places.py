"""Folders of compsim: one for the user's data, one for installed data.

>>> weights_folder().name
'weights'
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

from compsim.storage.reading import expanded

__all__ = ["home", "weights_folder"]


def home() -> Path:
    """Return the folder for downloads and converted tables; it may not exist yet."""
    chosen = os.environ.get("COMPSIM_HOME")
    if chosen:
        return expanded(chosen)
    import platformdirs

    return Path(platformdirs.user_data_dir("compsim", appauthor=False))


def weights_folder() -> Path:
    """Return the installed folder ``weights/``: role weights, built-in vectors, pipeline."""
    return Path(str(import_module("compsim.weights").__file__)).parent
