"""What the STS3k paper prints, and the scores that its authors publish.

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

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.datasets import SOURCE, STS3k
from compsim.benchmarks.datasets.scores import read_scores
from compsim.benchmarks.datasets.sts3k import SIMILARITIES
from compsim.errors import DataError

__all__ = ["Figure", "figures", "published", "published_scores"]

_FILE: Final = Path(__file__).with_name("published.toml")
_TABLE: Final = "Table 9"
_PREFIX: Final = "STS3k_all_"
_SUFFIX: Final = "_similarities.txt"
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


def published_scores(data: STS3k) -> dict[str, npt.NDArray[np.float64]]:
    """The similarities that the authors publish, float64 (n,) in row order, by model.

    A model's name is that of its file without what all have in common: "openai_norml". Raises
    ``DataError``, naming file and line, for what is no number, and for a wrong number of lines.
    """
    folder = data.folder / SIMILARITIES
    files = sorted(folder.glob(f"{_PREFIX}*{_SUFFIX}"))
    if not files:
        raise DataError(f"{folder} holds no {_PREFIX}*{_SUFFIX}: fetch that folder from {SOURCE}")
    found = {}
    for path, (_, scores) in zip(files, read_scores(files), strict=True):
        values = np.array(scores, dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            raise DataError(
                f"{path}, line {bad[0] + 1}: the similarity is {values[bad[0]]}: fetch the file "
                f"again from {SOURCE}"
            )
        if len(values) != len(data):
            raise DataError(
                f"{path} holds {len(values)} similarities and STS3k has {len(data)} pairs here: "
                f"take both files from one copy of {SOURCE}"
            )
        found[path.name.removeprefix(_PREFIX).removesuffix(_SUFFIX)] = values
    return found


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
