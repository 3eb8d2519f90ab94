"""Rated pairs in overlapping bands of their ratings: in which of them do scores follow people?

The bands are those of "Just Rank" (Wang, Kuo and Li 2022, figure 2): on a scale from 0 to 5 the
ratings 0 to 2, 1 to 3, 2 to 4 and 3 to 5. All pairs of a band count, where the paper draws 3,000.

>>> from compsim.benchmarks.datasets.sts.pairs import SentencePair
>>> pairs = tuple(SentencePair("a", "b", rating) for rating in (0.0, 0.4, 0.5, 1.0))
>>> with_bands(Dataset("mine", pairs, {"all": (0, 1, 2, 3)}, "by hand")).parts["rated .2-.6"]
(1, 2)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeVar

from compsim.benchmarks.datasets.sts.pairs import Dataset

__all__ = ["BANDS", "with_bands"]

#: The ends of each band of ratings from 0 to 1, by its name.
BANDS: Final = {
    "rated 0-.4": (0.0, 0.4),
    "rated .2-.6": (0.2, 0.6),
    "rated .4-.8": (0.4, 0.8),
    "rated .6-1": (0.6, 1.0),
}
_ROUNDING: Final = 1e-9

Data = TypeVar("Data", bound=Dataset)


def with_bands(data: Data) -> Data:
    """Return the data with the pairs of each band, both ends among them, as further parts."""
    bands = {
        name: tuple(
            row
            for row, pair in enumerate(data.pairs)
            if low - _ROUNDING <= pair.rating <= high + _ROUNDING
        )
        for name, (low, high) in BANDS.items()
    }
    return replace(data, parts={**data.parts, **bands})
