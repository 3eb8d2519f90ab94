"""How the numbers of ``weights/everyday.toml`` were chosen: each one varied, the others held.

::

    python -m compsim.benchmarks.training.choose_scheme --data FOLDER

``FOLDER`` holds ``sick/SICK_train.txt.gz``, ``stsbenchmark/sts-train.csv.gz`` and the authors'
``GS2011_processed.csv`` and ``Fodor_pilot_2022.txt``; STS3k is never opened. For every value of
every number it prints Spearman's rho on each set, on SICK with made swaps in it, and on made swaps
beside what they were made from (:mod:`.swaps`).

The rule, the same as for the hybrid: a value is out that costs one of the four sets more than .005
against all roles alike; of the rest that with the largest mean of the last two figures is taken,
and of what the sets hardly show (negation, "before" and "after") a value as large as the rule
allows. Takes about ten minutes; parses are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final

import numpy as np
import typer

from compsim.benchmarks.stats.correlation import correlate
from compsim.benchmarks.training.swaps import (
    Pairs,
    made_swaps,
    sets_of,
    shares,
    swapped,
    turned,
)
from compsim.registry import load
from compsim.rolesim.method import RoleSimMethod
from compsim.rolesim.scheme import Scheme
from compsim.rolesim.scheme_file import read_scheme

__all__ = ["choices", "varied"]

#: Roles that say when, how and where, not who did what to whom or where it led; the words in none.
CIRCUMSTANCES: Final = ("Time", "Manner", "Location", "Rest")
PATHS: Final = ("Trajectory", "Origin")

#: What is tried: the table of the file (empty: its top), the key, and the values.
TRIED: Final[tuple[tuple[str, str, tuple[Any, ...]], ...]] = (
    ("", "unmatched", (0.0, 0.05, 0.1, 0.25, 0.5, 1.0)),
    ("", "free", (False, True)),
    ("", "answer", (0.6, 0.8, 1.0)),
    ("weights", "circumstances", (0.25, 0.5, 0.65, 0.8, 1.0)),
    ("weights", "paths", (0.25, 0.5, 0.75, 1.0)),
    ("clauses", "frames", ("main", "all")),
    ("clauses", "depth", (0.25, 0.35, 0.5, 0.75, 1.0)),
    ("clauses", "unmatched", (0.0, 0.1, 0.25, 0.5, 1.0)),
    ("clauses", "within", (0.0, 0.3, 0.6, 1.0)),
    ("clauses", "negation", (0.0, 0.15, 0.3, 0.45)),
    ("clauses", "opposition", (0.0, 0.15, 0.3, 0.45)),
    ("phrases", "words", ("content", "all")),
    ("phrases", "form", (0.0, 0.25, 0.5, 1.0)),
    ("phrases", "head", (0.0, 0.15, 0.3, 0.5)),
    ("phrases", "information", (0.0, 0.3, 0.5, 0.6, 0.7, 1.0)),
    ("phrases", "inner", (0.0, 0.3, 0.7, 1.0)),
    ("features", "direction", (0.0, 0.3, 0.6, 1.0)),
    ("features", "time", (0.0, 0.3, 0.6, 1.0)),
    ("features", "company", (0.0, 0.2, 0.4, 0.8)),
    ("features", "quantity", (0.0, 0.3, 0.6, 1.0)),
    ("features", "number", (0.0, 0.25, 0.5, 1.0)),
    ("features", "tense", (0.0, 0.1, 0.2, 0.4)),
    ("features", "modality", (0.0, 0.1, 0.2, 0.4)),
    ("features", "mood", (0.0, 0.05, 0.1, 0.2)),
)


def varied(scheme: Scheme, table: str, key: str, value: Any) -> Scheme:
    """The scheme with one of its numbers changed."""
    if table == "":
        changed = replace(scheme, **{key: value})
        return replace(changed, normalize="partly") if key == "unmatched" else changed
    if table == "weights":
        lowered = CIRCUMSTANCES if key == "circumstances" else PATHS
        weights = zip(scheme.roles, scheme.weights, strict=True)
        return replace(
            scheme, weights=tuple(value if name in lowered else weight for name, weight in weights)
        )
    if table == "features":
        features = MappingProxyType({**scheme.phrasing.features, key: value})
        return replace(scheme, phrasing=replace(scheme.phrasing, features=features))
    if table == "phrases" or key == "frames":
        return replace(scheme, phrasing=replace(scheme.phrasing, **{key: value}))
    return replace(scheme, clauses=replace(scheme.clauses, **{key: value}))


def choices(sets: Mapping[str, Pairs], vectors: str = "builtin") -> Iterator[list[str]]:
    """A row for each value tried: what it is, and rho on each set, the chosen value starred."""
    base = read_scheme("everyday")
    chosen = _measured(base, sets, vectors)
    for table, key, values in TRIED:
        for value in values:
            scheme = varied(base, table, key, value)
            same = scheme == base
            figures = chosen if same else _measured(scheme, sets, vectors)
            yield [f"{table}.{key}".lstrip("."), f"{value}{' *' * same}", *figures]


def _measured(scheme: Scheme, sets: Mapping[str, Pairs], vectors: str) -> list[str]:
    method = RoleSimMethod(vectors=vectors, weights=scheme)
    found = []
    for pairs in sets.values():
        first, second, ratings = map(list, zip(*pairs, strict=True))
        scores = method.similarity_pairwise(first, second)
        found.append(correlate(scores, np.array(ratings, dtype=float)).spearman)
    return ["-" if rho is None else f"{rho:.3f}" for rho in found]


def main(
    data: Annotated[Path, typer.Option(help="folder of the four sets")],
    vectors: Annotated[str, typer.Option(help="word vectors")] = "builtin",
) -> None:
    """Print the figures behind weights/everyday.toml."""
    sets = {name: shares(pairs) for name, pairs in sets_of(data).items()}
    parse = load("verbnet-cn", vectors=vectors).parse
    alike, swaps = made_swaps(parse, sets, (swapped, turned))
    sets |= {"mixed": [*sets["SICK"], *swaps], "made": [*alike, *swaps]}
    typer.echo("\t".join(["key", "value", *sets]))
    for row in choices(sets, vectors):
        typer.echo("\t".join(row))


if __name__ == "__main__":
    typer.run(main)
