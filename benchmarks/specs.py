"""Methods as they are written where several are asked for, and the options that each of them takes.

``NAME``, ``NAME:VALUE`` with the value of the method's first option, or
``NAME:OPTION=VALUE,OPTION=VALUE``; names are separated by commas.

>>> method_labels("sbert, hybrid:whole=mean-cn,vectors=builtin, mean-cn")
['sbert', 'hybrid:whole=mean-cn,vectors=builtin', 'mean-cn']
>>> named("hybrid:whole=mean-cn,vectors=builtin")
('hybrid', {'whole': 'mean-cn', 'vectors': 'builtin'})
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from compsim.benchmarks.task import listed
from compsim.catalogue import option_value
from compsim.errors import InputError

__all__ = ["method_labels", "named", "own_options"]

#: An option and its value; no method's name has such a beginning.
_OPTION: Final = re.compile(r"\s*([A-Za-z_][\w-]*)=(.*)", re.DOTALL)


def method_labels(text: str) -> list[str]:
    """Return the methods of a list, each with the options that follow it.

    Raises ``InputError`` for a list that is empty or begins with an option.
    """
    labels: list[str] = []
    for part in listed(text):
        if not _OPTION.fullmatch(part):
            labels.append(part)
        elif labels and ":" in labels[-1]:
            labels[-1] += f",{part}"
        else:
            raise InputError(f"the option {part!r} follows no method: write NAME:{part}")
    return labels


def named(text: str) -> tuple[str, dict[str, Any]]:
    """Return a method's name and the options that are written behind it.

    What compares whole sentences in a hybrid has a value of its own: "hybrid:sbert=FOLDER". Raises
    ``UnknownNameError`` for a method that does not exist.

    >>> named("hybrid:sbert=models/mine"), named("verbnet-cn")
    (('hybrid', {'whole': 'sbert:models/mine'}), ('verbnet-cn', {}))
    >>> named("hybrid:sbert,scheme=roles-first")
    ('hybrid', {'whole': 'sbert', 'scheme': 'roles-first'})
    """
    from compsim.registry import options

    name, colon, rest = text.partition(":")
    if not colon:
        return name, {}
    known = options(name)
    first, *more = re.split(r",(?=\s*[A-Za-z_][\w-]*=)", rest)
    found: dict[str, Any] = {}
    option = _option(first)
    if option is not None and option[0] in known:
        more = [first, *more]
    else:
        value = first.replace("=", ":", 1) if known[0] == "whole" else first
        found[known[0]] = value
    found.update(filter(None, map(_option, more)))
    return name, found


def _option(text: str) -> tuple[str, Any] | None:
    """Return the name and the value of a text like "k=3", None for another text."""
    match = _OPTION.fullmatch(text)
    return match and (match[1].replace("-", "_"), option_value(match[2]))


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
