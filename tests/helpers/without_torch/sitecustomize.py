"""On the path, this folder keeps a process from importing torch, which spaCy does if it can."""

from __future__ import annotations

import sys
from typing import Any


class _Refusal:
    """A finder of modules by which torch is not installed."""

    @staticmethod
    def find_spec(name: str, *_: Any) -> None:
        if name == "torch":
            raise ModuleNotFoundError("this process does without torch", name=name)


sys.meta_path.insert(0, _Refusal)  # type: ignore[arg-type]
