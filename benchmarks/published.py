"""What the STS3k paper prints, and that on adjectives and nouns.

>>> from compsim.benchmarks.published import figures, published
>>> published("STS3k", "verbnet-cn", "fixed")
{'all': 0.672, 'non': 0.652, 'adv': 0.647}
>>> published("STS3k", "verbnet-cn", "matched")  # a normalisation that the paper has not
{}
>>> [figure for figure in figures() if figure.row == "SentBERT"][0].value
0.929

The figures lie in ``published.toml``, with what they are taken from.
"""

from __future__ import annotations

import math
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["Figure", "figures", "published", "published_modifiers", "published_rows"]

_FILE: Final = Path(__file__).with_name("published.toml")
_TABLE: Final = "Table 9"
#: The column of each dataset, and of its part, that is read whole and under one name here.
_COLUMNS: Final = {
    "STS3k-all": ("STS3k", "all"),
    "STS3k-non": ("STS3k", "non"),
    "STS3k-adv": ("STS3k", "adv"),
    "STSb-capt": ("STSb_captions_test", "all"),
    "STSS-131": ("STSS-131", "all"),
    "STR-2022": ("STR-2022", "all"),
}
#: Ways of saying that scores are left as they come.
_PLAIN: Final = ("", "none")


class Figure(NamedTuple):
    """One printed correlation: Spearman's rho of the model ``row`` on the data ``column``."""

    table: str
    row: str
    column: str
    value: float


def figures() -> list[Figure]:
    """Every figure of Tables 9 and 11 in the order of print; what is a dash there is left out."""
    return [
        Figure(table["table"], row, column, value)
        for table in _tables()["tables"]
        for row, values in table["rows"].items()
        for column, value in zip(table["columns"], values, strict=True)
        if not math.isnan(value)
    ]


def published_modifiers() -> dict[str, dict[str, dict[str, float]]]:
    """What the paper on adjectives and nouns prints: by model, class of adjectives and figure.

    Figures are named as in ``tasks.vectors.modifiers``; test 2 is the authors' mean.

    >>> published_modifiers()["LaBSE"]["NS-plain"]
    {'1 AN': 1.0, '3': 0.51}
    """
    found: dict[str, dict[str, dict[str, float]]] = {}
    printed = _tables()["modifiers"]
    for table in printed["tables"]:
        for model, values in table["rows"].items():
            for name, value in zip(printed["classes"], values, strict=True):
                own, figure = (name, table["test"])
                if table.get("pairs"):
                    own, figure = printed["classes"][0], f"{table['test']} {name}"
                found.setdefault(model, {}).setdefault(own, {})[figure] = value
    return found


def published(data_name: str, method: str, normalize: str) -> dict[str, float]:
    """The printed figure of each part for a method of ours and its normalisation.

    Empty for what the paper has not tried, and for STSb and SICK, whose files are splits that the
    paper does not name. Those of STS3k are over all 2,800 pairs: on a part of them other figures
    are to be expected.
    """
    known = _tables()["methods"].get(method)
    if known is None:
        return {}
    plain = known["normalize"] == "" and normalize in _PLAIN
    if not plain and normalize != known["normalize"]:
        return {}
    found = {}
    for figure in figures():
        data, part = _COLUMNS.get(figure.column, ("", ""))
        if (figure.table, figure.row, data) == (_TABLE, known["row"], data_name):
            found[part] = figure.value
    return found


def published_rows(data_name: str) -> dict[str, dict[str, float]]:
    """Every row of Table 9 that has figures for some data: those of each part.

    :param data_name: as a ``Dataset`` is called; others have no rows.
    :returns: the figures by the name of the row in print and by part.
    """
    found: dict[str, dict[str, float]] = {}
    for figure in figures():
        data, part = _COLUMNS.get(figure.column, ("", ""))
        if figure.table == _TABLE and data == data_name:
            found.setdefault(figure.row, {})[part] = figure.value
    return found


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
