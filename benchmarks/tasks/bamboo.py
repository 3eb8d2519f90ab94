"""BAMBOO: how well AMR similarity follows human ratings, and whether it tells who did what.

Opitz, Daza and Frank 2021. The figures of each data set, in percent: Pearson's r with the ratings
of sentence pairs; and role confusion: of two parses, the original and one with its roles switched,
the original must be the more similar to a paraphrase; the figure is the share of pairs where it is
(as the benchmark has defined it since its version 0.2; a tie counts as wrong). Methods that compare
sentences have the first figure only, from the sentences of the parses: what was switched was a
graph, of which no sentence is told.

>>> from compsim.benchmarks.task import run
>>> results = run(bamboo("bamboo-amr-benchmark", "amr-wlk"))  # doctest: +SKIP
>>> results.rows[1].figures["sts roles"].value  # doctest: +SKIP
83.02
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from compsim.benchmarks.datasets.scores import numbers
from compsim.benchmarks.task import (
    Advance,
    Figure,
    Results,
    Row,
    Spec,
    Task,
    sha256,
)
from compsim.benchmarks.tasks.sts import specs_of
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError, InputError
from compsim.graph import RoleGraph
from compsim.graph.penman_reader import read_amr

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


__all__ = [
    "DATA_SETS",
    "METHODS",
    "PUBLISHED",
    "SOURCE",
    "SPLITS",
    "Bamboo",
    "Part",
    "Split",
    "bamboo",
    "open_bamboo",
]

#: Where the data can be had.
SOURCE: Final = "https://github.com/flipz357/bamboo-amr-benchmark"

DATA_SETS: Final = ("sts", "sick", "para")
SPLITS: Final = ("train", "dev")
METHODS: Final = ("amr-smatch", "amr-cn", "amr-wlk", "amr-wwlk")

#: Public figures, on the test split: three of ``main``, three of ``role_confusion`` (the
#: benchmark's own table of 7 December 2023).
PUBLISHED: Final = {
    "Smatch": (58.39, 59.75, 41.32, 89.87, 98.32, 88.14),
    "S2match": (58.70, 60.47, 42.52, 89.87, 98.32, 92.24),
    "WLK-k2": (65.57, 61.36, 36.21, 79.75, 90.76, 77.61),
    "WWLK-k2": (67.31, 67.53, 38.37, 92.41, 99.16, 86.53),
}

_ARCHIVE: Final = "bamboo-train-dev.zip"
_PLACES: Final = ("", "bamboo-amr-benchmark", _ARCHIVE, f"amr/{_ARCHIVE}")
#: SICK and PARA have the parse of a table's head in the first place.
_HEADED: Final = frozenset({"sick", "para"})
_PADDING: Final = "Empty line"


@dataclass(frozen=True)
class Part:
    """One data set: rated pairs of graphs, and pairs of which every second one is the original."""

    first: tuple[RoleGraph, ...]
    second: tuple[RoleGraph, ...]
    ratings: tuple[float, ...]
    switched_first: tuple[RoleGraph, ...]
    switched_second: tuple[RoleGraph, ...]


@dataclass(frozen=True)
class Split:
    """The parts of one split by the name of their data set, and the file or folder they are in."""

    name: str
    parts: dict[str, Part]
    root: Path


class Bamboo(Task):
    """AMR methods on splits of BAMBOO, a row for each method and split."""

    name = "bamboo"
    title = "BAMBOO: Pearson's r with ratings, and role confusion"
    columns = dict.fromkeys((*DATA_SETS, *(f"{name} roles" for name in DATA_SETS)), 0)
    form = ".2f"

    def __init__(self, splits: Sequence[Split], specs: Sequence[Spec]) -> None:
        root = splits[0].root
        files = [root] if root.is_file() else sorted(root.rglob("*.*"))
        self.data = "BAMBOO", SOURCE, sha256(file for file in files if file.is_file())
        self.splits, self.specs, self.steps = splits, specs, len(splits)
        self.content = [self.data[2], [split.name for split in splits]]

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """The figures of one method, by the graphs where it reads AMRs, else by the sentences."""
        from compsim.registry import load

        of_graphs = spec.method in METHODS
        method: Any = load(
            spec.method, **({"parser": _NoParser()} if of_graphs else {}), **spec.options
        )
        rows = []
        for split in self.splits:
            main, roles, failed = {}, {}, 0
            for name, part in split.parts.items():
                pairs = part.first, part.second
                if of_graphs:
                    switched = (part.switched_first, part.switched_second)
                    failed += sum(not graph.nodes for side in pairs + switched for graph in side)
                    a, b, c, d = map(method.encode_graphs, pairs + switched)
                    confused = method.similarity_pairwise(c, d)
                    roles[name] = _share(confused[1::2] > confused[::2])
                else:
                    a, b = (method.encode([graph.text for graph in side]) for side in pairs)
                main[name] = _pearson(method.similarity_pairwise(a, b), part.ratings)
            figures = main | {f"{name} roles": figure for name, figure in roles.items()}
            told: dict[str, Any] = {
                which: {name: figure.value for name, figure in found.items()}
                for which, found in (("main", main), ("roles", roles))
            }
            of = {"method": spec.title, "split": split.name}
            notes = [f"{failed} graphs cannot be read"] if failed else []
            rows.append(Row(of, figures, notes=notes, details={**told, "failed": failed}))
            advance(spec.method, 1)
        return rows

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows of each split, and below them those of the literature."""
        rows = sorted(rows, key=lambda row: SPLITS.index(row.of.get("split", SPLITS[0])))
        printed = [
            Row(
                {"method": f"{method}, published", "split": "test"},
                {name: Figure(value) for name, value in zip(self.columns, values, strict=True)},
            )
            for method, values in PUBLISHED.items()
        ]
        return super().results(rows, literature=printed)


def bamboo(
    data: Annotated[
        Path, "a copy of flipz357/bamboo-amr-benchmark, an archive of it, or their parent"
    ],
    methods: str = ",".join(METHODS),
    vectors: str | None = None,
    option: Mapping[str, Any] | None = None,
) -> Task:
    """Score methods on BAMBOO: Pearson's r with ratings, and role confusion of AMR methods."""
    splits = [open_bamboo(data, split) for split in SPLITS]
    return Bamboo(splits, specs_of(methods, None, vectors=vectors, **option or {}))


def _pearson(scores: npt.NDArray[np.float64], ratings: Sequence[float]) -> Figure:
    """Pearson's r in percent with its interval; None where either does not vary."""
    import numpy as np

    from compsim.benchmarks.stats.correlation import correlate, interval

    found = correlate(scores, ratings)
    if found.pearson is None:
        return Figure(None, len(scores), note=found.note)
    ends = interval(lambda x, y: 100 * np.corrcoef(x, y)[0, 1], scores, ratings)
    return Figure(100 * found.pearson, len(scores), *ends)


def _share(right: npt.NDArray[np.bool_]) -> Figure:
    """How many of some answers are right, in percent, with its interval."""
    import numpy as np

    from compsim.benchmarks.stats.correlation import interval

    return Figure(float(100 * right.mean()), len(right), *interval(np.mean, 100 * right))


class _NoParser:
    """Stands where a parser would: the benchmark comes parsed."""

    name, version = "bamboo", "1"

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Fail for every sentence."""
        return [RoleGraph.failed(text, "BAMBOO holds parses only", self.name) for text in sentences]


def open_bamboo(folder: str | Path, split: str = "dev") -> Split:
    """Read one split from a copy of the repository, an archive of it, or a folder above them.

    Raises ``DataError`` for files that are missing or do not fit together.
    """
    if split not in SPLITS:
        raise InputError(f"split={split!r} is not known: use one of {', '.join(SPLITS)}")
    root = _root(Path(folder))
    return Split(split, {name: _part(root, name, split) for name in DATA_SETS}, root)


def _root(folder: Path) -> Path:
    """The folder or archive that has the data sets at its top."""
    for place in _PLACES:
        root = folder / place if place else folder
        if root.is_file() and zipfile.is_zipfile(root):
            return root
        if all((root / name).is_dir() for name in DATA_SETS):
            return root
    raise DataError(
        f"{folder} holds no BAMBOO data ({', '.join(DATA_SETS)}): give the folder or archive of a "
        f"copy of {SOURCE}"
    )


def _read(root: Path, name: str) -> str:
    try:
        if root.is_dir():
            data = (root / name).read_bytes()
        else:
            with zipfile.ZipFile(root) as archive:
                data = archive.read(name)
        return data.decode("utf-8")
    except (OSError, KeyError, UnicodeDecodeError, zipfile.BadZipFile) as error:
        raise DataError(
            f"{root}/{name} cannot be read ({error}): fetch it from {SOURCE}"
        ) from error


def _part(root: Path, name: str, split: str) -> Part:
    pairs, switched = (
        [list(read_amr(_read(root, f"{name}/{kind}/{s}.{split}.amr"))) for s in ("src", "tgt")]
        for kind in ("main", "role_confusion")
    )
    file = f"{name}/{split}.y"
    ratings = numbers(_read(root, file), f"{root}/{file}", f"fetch it from {SOURCE}", finite=True)
    counts = {len(ratings), *map(len, pairs)}
    if len(counts) > 1 or len(switched[0]) != len(switched[1]) or len(switched[0]) % 2:
        raise DataError(
            f"{root}: the files of {name} ({split}) have other numbers of graphs and ratings: "
            f"fetch them again from {SOURCE}"
        )
    rows = range(1 if name in _HEADED else 0, len(ratings))
    kept = [i for i in rows if _PADDING not in (pairs[0][i].text, pairs[1][i].text)]
    return Part(
        tuple(pairs[0][i] for i in kept),
        tuple(pairs[1][i] for i in kept),
        tuple(ratings[i] for i in kept),
        tuple(switched[0]),
        tuple(switched[1]),
    )
