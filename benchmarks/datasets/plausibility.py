"""EventsAdapt (Kauf et al. 2023, arXiv:2212.01488): who did it to whom, told in two voices.

Of each item there is a plausible sentence and one with exchanged roles, both in the active and in
the passive voice. A triple is the plausible active sentence, its passive, and the active with
exchanged roles. CSV, a sentence a row; its columns, in any order and case, are the item's number
(``ItemNum`` or ``item``), ``Voice``, ``Plausibility``, ``Sentence``, and ``TrialType``, the kind.

>>> is_plausibility("ItemNum,TrialType,Voice,Plausibility,Sentence")
True
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from compsim.benchmarks.datasets.tables import read_table
from compsim.errors import DataError

__all__ = ["is_plausibility", "read_plausibility"]

_ITEM: Final = ("itemnum", "item")
_NEEDED: Final = ("voice", "plausibility", "sentence")
_KIND: Final = "trialtype"


def is_plausibility(line: str) -> bool:
    """Return whether a first line has the columns of EventsAdapt."""
    cells = {cell.strip().strip('"').lower() for cell in line.split(",")}
    return cells >= set(_NEEDED) and not cells.isdisjoint(_ITEM)


def read_plausibility(path: str | Path) -> list[tuple[str, str, str, str]]:
    """Return kind, plausible active, plausible passive and exchanged active of each whole item.

    :param path: a file of EventsAdapt.
    :returns: the items that have all three, in the order of the file.
    :raises DataError: names the line of what is malformed.
    """
    (_, head), *rows = read_table(Path(path), ",")
    names = [name.lower() for name in head]
    item = next(name for name in _ITEM if name in names)
    wanted = {name: names.index(name) for name in (item, *_NEEDED)}
    items: dict[str, dict[tuple[bool, bool], str]] = {}
    kinds: dict[str, str] = {}
    for line, cells in rows:
        if len(cells) != len(names) or not all(cells[i] for i in wanted.values()):
            raise DataError(
                f"{path}, line {line}: {len(cells)} cells for {len(names)} columns, or an empty "
                f"one: give a row with {', '.join((item, *_NEEDED))}"
            )
        voice, plausibility = (cells[wanted[name]].lower() for name in ("voice", "plausibility"))
        kind = cells[names.index(_KIND)] if _KIND in names else ""
        number = f"{kind} {cells[wanted[item]]}"
        passive, plausible = voice.startswith("pass"), plausibility.startswith("plaus")
        items.setdefault(number, {})[passive, plausible] = cells[wanted["sentence"]]
        kinds[number] = kind or "roles"
    triples = [
        (kinds[number], of[False, True], of[True, True], of[False, False])
        for number, of in items.items()
        if {(False, True), (True, True), (False, False)} <= of.keys()
    ]
    if not triples:
        raise DataError(
            f"{path} has no item with a plausible sentence in both voices and an implausible one: "
            "give the whole file of EventsAdapt"
        )
    return triples
