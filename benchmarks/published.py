"""Published figures: on STS3k and other rated pairs, adjectives and nouns, analogies, EvalRank.

>>> from compsim.benchmarks.published import Ran, figures, published
>>> published("STS3k", Ran("ernie", "zscore", {"layer": 0}))
{'all': 0.423, 'non': 0.799, 'adv': -0.206}
>>> published("STS3k", Ran("ernie", "zscore", {"layer": 6}))  # a layer that the paper has not
{}
>>> [figure for figure in figures() if figure.row == "SentBERT"][0].value
0.929

The figures lie in ``published.toml``, with what they are taken from.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = [
    "Figure",
    "Ran",
    "figures",
    "is_default",
    "published",
    "published_analogies",
    "published_evalrank",
    "published_modifiers",
    "published_rows",
    "published_source",
]

_FILE: Final = Path(__file__).with_name("published.toml")
_TABLE: Final = "Table 9"
_PAPER: Final = f"Fodor, De Deyne and Suzuki (2025), {_TABLE}, where SentBERT is an MPNet"
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
#: Options that leave scores as they are, or that are known by what they open: all others count.
_HARMLESS: Final = frozenset(
    (
        *("backend", "batch_size", "batch_tokens", "cache", "device", "normalize", "on_failure"),
        *("parser", "price", "requests_per_minute", "retries", "timeout", "token_limit"),
        *("tokens_per_minute", "trust_remote_code", "url", "vectors", "workers"),
    )
)


class Figure(NamedTuple):
    """One printed correlation: Spearman's rho of the model ``row`` on the data ``column``."""

    table: str
    row: str
    column: str
    value: float


class Ran(NamedTuple):
    """A run that gave scores: all that decides whether a printed figure is of the same.

    Attributes:
        method: The method's name in the registry, "" for scores and models that were given.
        normalize: How its scores or vectors were normalised.
        options: Its options as they were given.
        roles: The published parses that were scored in place of a parser's, "" for none.
        vectors: The name of the word vectors, "" for none.
    """

    method: str
    normalize: str = ""
    options: Mapping[str, Any] = {}
    roles: str = ""
    vectors: str = ""


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
    """Return the figures of the adjective-noun paper: by model, class of adjectives and figure.

    Figures are named as in ``tasks.vectors.modifiers``; test 2 is the authors' mean.

    >>> published_modifiers()["LaBSE"]["NS-plain"]
    {'1 AN': 1.0, '3': 0.5123, ..., '2 NS-priv': 0.6838, '2 A': 0.5209}
    """
    figures: dict[str, dict[str, dict[str, float]]] = {}
    printed = _tables()["modifiers"]
    for table in printed["tables"]:
        for model, values in table["rows"].items():
            places = _places(printed["classes"], table["test"], table.get("pairs", ""))
            for (name, figure), value in zip(places, values, strict=True):
                figures.setdefault(model, {}).setdefault(name, {})[figure] = value
    return figures


def _places(classes: list[str], test: str, pairs: str) -> list[tuple[str, str]]:
    """Return the class and the figure of each value of a row, in the order of print."""
    if not pairs:
        return [(name, test) for name in classes]
    rows = classes[:1] if pairs == "first" else classes
    return [
        (first, f"{test} {second}")
        for place, first in enumerate(rows)
        for second in (classes[place:] if pairs == "upper" else classes)
    ]


def is_default(options: Mapping[str, Any]) -> bool:
    """Return whether options leave a method the model that its name stands for.

    >>> is_default({"device": "cpu"}), is_default({"model": "folder"}), is_default({"prompt": ""})
    (True, False, False)
    """
    return all(name in _HARMLESS or value is None for name, value in options.items())


def published_analogies() -> dict[str, dict[str, dict[str, float]]]:
    """Return what the paper on sentence analogies prints: by group of relations, model and rule.

    Groups are "all" lexical relations (Table 4), the "semantic" and the "syntactic" ones (Table 5).

    >>> published_analogies()["all"]["GloVe"]
    {'3cosadd': 0.8189, '3cosmul-U': 0.4092, '3cosmul': 0.8039}
    """
    printed = _tables()["analogies"]
    return {
        table["group"]: {
            model: dict(zip(printed["columns"], values, strict=True))
            for model, values in table["rows"].items()
        }
        for table in printed["tables"]
    }


def published_evalrank(level: str, background: str) -> dict[str, dict[str, float]]:
    """Return what EvalRank's authors print, in percent, by model: MRR, Hits@1 and Hits@3.

    ``level`` is "word" or "sentence", ``background`` what items are sought among, as in
    ``tasks.ranking.evalrank``; others than the paper's have no rows.

    >>> published_evalrank("sentence", "basic+wiki")["SBERT"]
    {'MRR': 64.12, 'Hits@1': 47.07, 'Hits@3': 79.05}
    """
    printed = _tables()["evalrank"]
    return {
        model: dict(zip(printed["columns"], values, strict=True))
        for table in printed["tables"]
        if (table["level"], table["background"]) == (level, background)
        for model, values in table["rows"].items()
    }


def published(data_name: str, ran: Ran, pairs: int = 0) -> dict[str, float]:
    """The printed figure of each part for what was run on data of so many pairs.

    Empty for what nobody has printed. Those of STS3k are over all 2,800 pairs: on a part of them
    other figures are to be expected. Of STSb, SICK and SemRel-2024, which have several files,
    only the one with as many pairs has figures.

    >>> published("SICK", Ran("labse"), 9927), published("SICK", Ran("labse"), 500)
    ({'all': 0.6999}, {})
    """
    public = _public(data_name, pairs)
    for entry in public["runs"]:
        if _matches(entry, ran):
            return {"all": public["rows"][entry["row"]]}
    for entry in _tables()["runs"]:
        if _matches(entry, ran):
            table = entry.get("table", _TABLE)
            return {
                part: figure.value
                for figure in figures()
                for data, part in [_COLUMNS.get(figure.column, ("", ""))]
                if (figure.table, figure.row, data) == (table, entry["row"], data_name)
            }
    return {}


def _public(data_name: str, pairs: int) -> Mapping[str, Any]:
    """Return the table of some public data that others than the STS3k paper have printed."""
    for table in _tables()["public"]:
        if (table["data"], table["pairs"]) == (data_name, pairs):
            return dict(table)
    return {"source": _PAPER, "rows": {}, "runs": []}


def _matches(entry: Mapping[str, Any], ran: Ran) -> bool:
    """Return whether an entry of the file names this run."""
    if (ran.method, ran.roles) != (entry["method"], entry.get("roles", "")):
        return False
    normalize = entry.get("normalize", "")
    if ran.normalize != normalize and not (normalize == "" and ran.normalize in _PLAIN):
        return False
    if not ran.vectors.startswith(entry.get("vectors", "")):
        return False
    options = {name: value for name, value in ran.options.items() if name not in _HARMLESS}
    model = options.pop("model", None)
    if model not in entry.get("models", ()) and (model is not None or entry.get("named", False)):
        return False
    known: dict[str, list[Any]] = entry.get("options", {})
    return options.keys() <= known.keys() and all(
        options.get(name, "") in values for name, values in known.items()
    )


def published_rows(data_name: str, pairs: int = 0) -> dict[str, dict[str, float]]:
    """Every printed row for some data: the figures by its name in print and by part.

    :param data_name: as a ``Dataset`` is called; others have no rows.
    :param pairs: how many pairs the data has, which tells its split.
    """
    public = _public(data_name, pairs)["rows"]
    rows: dict[str, dict[str, float]] = {row: {"all": value} for row, value in public.items()}
    for figure in figures():
        data, part = _COLUMNS.get(figure.column, ("", ""))
        if figure.table == _TABLE and data == data_name:
            rows.setdefault(figure.row, {})[part] = figure.value
    return rows


def published_source(data_name: str, pairs: int = 0) -> str:
    """Return where the rows for some data are printed.

    >>> published_source("STS3k")
    'Fodor, De Deyne and Suzuki (2025), Table 9, where SentBERT is an MPNet'
    """
    return str(_public(data_name, pairs)["source"])


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
