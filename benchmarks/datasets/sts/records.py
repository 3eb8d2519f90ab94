"""From the rows of a file to a dataset: what is left out, averaged and scaled.

>>> rows = [
...     Record(1, "Dogs bark.", "A dog barks.", "5"),
...     Record(2, "Dogs bark.", "", "3"),
...     Record(3, "Dogs bark.", "Cats mew.", "2"),
...     Record(4, "It rains.", "It snows.", "3"),
... ]
>>> data = dataset("mine", "mine.csv", rows, low=0, high=5)
>>> [pair.rating for pair in data.pairs]
[1.0, 0.4, 0.6]
>>> data.problems
('mine.csv, line 2: the second sentence is empty: left out',)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compsim.benchmarks.datasets.sts.pairs import Dataset, SentencePair
from compsim.benchmarks.datasets.tables import number
from compsim.errors import DataError, InputError

__all__ = ["Record", "dataset"]


@dataclass(frozen=True, slots=True)
class Record:
    """A row: its number, the pair, the rating or ratings, what else the file says.

    ``bad`` says why the row cannot be used, where its cells are not even there.
    """

    line: int
    first: str = ""
    second: str = ""
    rating: Any = None
    type: str = ""
    part: str = ""
    bad: str = ""


def dataset(
    name: str,
    source: str,
    records: Iterable[Record],
    *,
    low: float | None = None,
    high: float | None = None,
    raters: bool = False,
    row: str = "line",
) -> Dataset:
    """A dataset of records, ratings scaled from ``low``-``high`` to 0-1.

    Without ends of the scale those of the ratings count, and ``problems`` says so. With ``raters``
    records of the same pair are ratings by several people and are averaged. Raises ``DataError``
    for fewer than three pairs, ``InputError`` for ends of a scale that are none.
    """
    label = Path(source).name
    if low is not None and high is not None and not low < high:
        raise InputError(f"the scale goes from {low:g} to {high:g}: give low below high")
    problems: list[str] = []
    results: list[tuple[Record, list[float]]] = []
    places: dict[tuple[str, str], tuple[Record, list[float]]] = {}
    for record in records:
        where = f"{label}, {row} {record.line}"
        rating = _rating(record.rating)
        bad = record.bad or _unusable(record, rating, low, high)
        if bad:
            problems.append(f"{where}: {bad}: left out")
            continue
        assert isinstance(rating, float)
        earlier = places.get((record.first, record.second))
        if earlier is not None and raters:
            earlier[1].append(rating)
            continue
        if earlier is not None:
            problems.append(f"{where}: the same pair as in {row} {earlier[0].line}")
        pair = record, [rating]
        places.setdefault((record.first, record.second), pair)
        results.append(pair)
    if len(results) < 3:
        first = f"; {problems[0]}" if problems else ""
        raise DataError(
            f"{source} has {len(results)} usable pairs, and a correlation needs 3 or more{first}: "
            "give more rows, or check its format and columns"
        )
    means = [math.fsum(ratings) / len(ratings) for _, ratings in results]
    if low is None or high is None:
        low = min(means) if low is None else low
        high = max(means) if high is None else high
        if not low < high:
            raise DataError(f"all ratings in {source} are {low:g}: give the scale as low and high")
        problems.insert(
            0,
            f"{label}: no scale is known, so ratings from {low:g} to {high:g} are scaled to 0-1: "
            "give its ends as low and high",
        )
    bottom, span = low, high - low
    pairs = tuple(
        SentencePair(record.first, record.second, (mean - bottom) / span)
        for (record, _), mean in zip(results, means, strict=True)
    )
    types = tuple(record.type for record, _ in results)
    return Dataset(
        name,
        pairs,
        _parts([record.part for record, _ in results]),
        source,
        types if any(types) else (),
        tuple(problems),
    )


def _rating(value: Any) -> float | str:
    """A number, the mean of several; else what is wrong."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        ratings = [_rating(one) for one in value if one is not None and str(one).strip()]
        bad = [one for one in ratings if isinstance(one, str)]
        if bad or not ratings:
            return bad[0] if bad else "the ratings are empty"
        return math.fsum(one for one in ratings if isinstance(one, float)) / len(ratings)
    if value is None or (isinstance(value, str) and not value.strip()):
        return "the rating is empty"
    rating = number(value)
    if rating is None or not math.isfinite(rating):
        return f"the rating {str(value)!r} is no number"
    return rating


def _unusable(record: Record, rating: float | str, low: float | None, high: float | None) -> str:
    for which, text in (("first", record.first), ("second", record.second)):
        if not text.strip():
            return f"the {which} sentence is empty"
    if isinstance(rating, str):
        return rating
    if (low is not None and rating < low) or (high is not None and rating > high):
        scale = " to ".join("?" if end is None else f"{end:g}" for end in (low, high))
        return f"the rating {rating:g} is not on the scale {scale}"
    return ""


def _parts(names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    parts: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        if name:
            parts.setdefault(name, []).append(place)
    # A correlation needs three pairs, so a smaller part is none.
    return {"all": tuple(range(len(names)))} | {
        name: tuple(rows) for name, rows in parts.items() if len(rows) >= 3 and name != "all"
    }
