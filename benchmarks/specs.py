"""Methods as they are written where several are asked for, and the options that each of them takes.

Names are as in :mod:`compsim.registry` and are separated by commas.

>>> method_labels("sbert, hybrid:whole=mean-cn,vectors=builtin, mean-cn")
['sbert', 'hybrid:whole=mean-cn,vectors=builtin', 'mean-cn']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from compsim.benchmarks.task import listed
from compsim.catalogue import option_text
from compsim.errors import InputError

__all__ = ["method_labels", "own_options"]


def method_labels(text: str) -> list[str]:
    """Return the methods of a list, each with the options that follow it.

    Raises ``InputError`` for a list that is empty or begins with an option.
    """
    labels: list[str] = []
    for part in listed(text):
        if option_text(part) is None:
            labels.append(part)
        elif labels and ":" in labels[-1]:
            labels[-1] += f",{part}"
        else:
            raise InputError(f"the option {part!r} follows no method: write NAME:{part}")
    return labels


def own_options(name: str, names: Sequence[str], **options: Any) -> dict[str, Any]:
    """Of the options that are given, those that one of several methods takes.

    What none of them takes goes to all, so that each can say what it does take.
    """
    from compsim.registry import options as takes

    return {
        option: value
        for option, value in options.items()
        if value is not None
        and (option in takes(name) or not any(option in takes(other) for other in names))
    }
