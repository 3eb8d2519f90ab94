"""BAMBOO: how well AMR similarity follows human ratings, and whether it tells who did what.

Opitz, Daza and Frank 2021. The figures of each data set (STS, SICK, PARA), in percent:

- ``main``: Pearson's r with the ratings of sentence pairs; ``reify`` and ``syno``: the same of
  graphs that say it otherwise, by reified relations or by synonyms;
- ``role_confusion``: of two parses, the original and one with its roles switched, the original must
  be the more similar to a paraphrase; the figure is the share of pairs where it is (as the
  benchmark has defined it since its version 0.2; a tie counts as wrong).

AMEAN is the arithmetic mean of these, each figure with the same weight: of all twelve, as in the
benchmark's table, where a folder has them, else of those in the row. Splits and parts that a folder
lacks are left out. Methods that compare sentences have the figures of ``main`` only, from the
sentences of the parses, and no AMEAN: what was changed elsewhere was a graph, of which no sentence
is told. TOP counts in ``amr-smatch`` with the root's concept, as in the published row, unless the
option ``top_concept`` says otherwise.

>>> from compsim.benchmarks.task import run
>>> results = run(bamboo("bamboo-amr-benchmark", "amr-wlk"))  # doctest: +SKIP
>>> round(results.rows[1].figures["sts roles"].value, 2)  # doctest: +SKIP
77.36
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from compsim.benchmarks.datasets.sts.scores import numbers
from compsim.benchmarks.task import (
    Advance,
    Figure,
    Results,
    Row,
    Spec,
    Task,
    sha256,
)
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError, InputError
from compsim.graph import RoleGraph
from compsim.graph.penman_reader import read_amr

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from compsim.benchmarks.stats.paired import Sample

__all__ = [
    "DATA_SETS",
    "KINDS",
    "METHODS",
    "PUBLISHED",
    "SOURCE",
    "SPLITS",
    "Bamboo",
    "Part",
    "Split",
    "bamboo",
    "is_bamboo",
    "open_bamboo",
]

#: Where the data can be had.
SOURCE: Final = "https://github.com/flipz357/bamboo-amr-benchmark"

DATA_SETS: Final = ("sts", "sick", "para")
SPLITS: Final = ("train", "dev", "test")
METHODS: Final = ("amr-smatch", "amr-cn", "amr-wlk", "amr-wwlk")

#: The folders of a data set, and what their figures are called behind its name.
KINDS: Final = {"main": "", "reify": " reify", "syno": " syno", "role_confusion": " roles"}

#: Public figures on the test split, of each kind in turn (the benchmark's own table of 7 December
#: 2023).
PUBLISHED: Final = {
    "Smatch": (
        (58.39, 59.75, 41.32),
        (58.03, 61.79, 39.47),
        (56.13, 57.37, 39.54),
        (89.87, 98.32, 88.14),
    ),
    "S2match": (
        (58.70, 60.47, 42.52),
        (58.19, 62.37, 40.55),
        (56.62, 57.88, 41.15),
        (89.87, 98.32, 92.24),
    ),
    "WLK-k2": (
        (65.57, 61.36, 36.21),
        (63.77, 62.55, 36.23),
        (60.14, 56.40, 32.51),
        (79.75, 90.76, 77.61),
    ),
    "WWLK-k2": (
        (67.31, 67.53, 38.37),
        (64.56, 67.16, 37.17),
        (62.10, 61.89, 34.30),
        (92.41, 99.16, 86.53),
    ),
}

_ARCHIVE: Final = "bamboo-train-dev.zip"
_PLACES: Final = ("", "bamboo-amr-benchmark", _ARCHIVE, f"amr/{_ARCHIVE}")
#: SICK and PARA have the parse of a table's head in the first place.
_HEADED: Final = frozenset({"sick", "para"})
_PADDING: Final = "Empty line"


Side = tuple[RoleGraph, ...]


@dataclass(frozen=True)
class Part:
    """One data set: its ratings, and the pairs of graphs of each kind that it has.

    Of role confusion every second pair is the original; the other pairs belong to the ratings.
    """

    ratings: tuple[float, ...]
    pairs: dict[str, tuple[Side, Side]]


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
    form = ".2f"
    paper = "Opitz, Daza, Frank 2021 (BAMBOO)"
    headline = DATA_SETS[0]
    figure = "Pearson of STS, times 100"
    scale = 100

    def __init__(self, splits: Sequence[Split], specs: Sequence[Spec]) -> None:
        root = splits[0].root
        files = [root] if root.is_file() else sorted(root.rglob("*.*"))
        self.data = "BAMBOO", SOURCE, sha256(file for file in files if file.is_file())
        self.splits, self.specs, self.steps = splits, specs, len(splits)
        self.content = [self.data[2], [split.name for split in splits]]
        there = {kind for split in splits for part in split.parts.values() for kind in part.pairs}
        named = [name + KINDS[kind] for kind in KINDS if kind in there for name in DATA_SETS]
        self.columns = dict.fromkeys((*named, "AMEAN"), 0)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """The figures of one method, by the graphs where it reads AMRs, else by the sentences."""
        from compsim.registry import load

        of_graphs = spec.method in METHODS
        given: dict[str, Any] = {"parser": _NoParser()} if of_graphs else {}
        method: Any = load(spec.method, **given, **spec.options)
        rows = []
        for split in self.splits:
            result: dict[str, dict[str, Figure]] = {kind: {} for kind in KINDS}
            failed, kept = 0, []
            for name, part in split.parts.items():
                for kind, pairs in part.pairs.items():
                    if of_graphs:
                        failed += sum(not graph.nodes for side in pairs for graph in side)
                        scores = method.similarity_pairwise(*map(method.encode_graphs, pairs))
                    elif kind == "main":
                        texts = ([graph.text for graph in side] for side in pairs)
                        scores = method.similarity_pairwise(*map(method.encode, texts))
                    else:
                        continue
                    if kind == "main" and name == self.headline:
                        kept = [float(score) for score in scores]
                    result[kind][name] = (
                        _share(scores[1::2] > scores[::2])
                        if kind == "role_confusion"
                        else _pearson(scores, part.ratings)
                    )
            figures = {
                name + KINDS[kind]: figure
                for kind in KINDS
                for name, figure in result[kind].items()
            }
            notes = [f"{failed} graphs cannot be read"] if failed else []
            if of_graphs:
                figures["AMEAN"] = _mean(figures)
                if len(figures) < len(self.columns):
                    notes.append(f"AMEAN is over {len(figures) - 1} figures")
            if getattr(method, "top_concept", False):
                notes.append("TOP counts with the root's concept, as in the published row")
            results: dict[str, Any] = {
                "roles" if kind == "role_confusion" else kind: {
                    name: figure.value for name, figure in result[kind].items()
                }
                for kind in KINDS
            }
            of = {"method": spec.title, "split": split.name}
            results["failed"] = failed
            rows.append(Row(of, figures, notes=notes, scores=kept, details=results))
            advance(spec.method, 1)
        return rows

    def items_of(self, row: Row) -> Sample | None:
        """The scores of the first set of the last split, with their ratings."""
        import numpy as np

        from compsim.benchmarks.stats.paired import Sample

        last = self.splits[-1]
        if row.of["split"] != last.name or not row.scores:
            return None
        ratings = np.array(last.parts[self.headline].ratings)
        return Sample(np.array(row.scores, np.float64), "pearson", ratings, scale=100)

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows of each split, and below them those of the literature."""
        rows = sorted(rows, key=lambda row: SPLITS.index(row.of.get("split", SPLITS[0])))
        printed = []
        for method, values in PUBLISHED.items():
            figures = {
                name + ending: Figure(value)
                for ending, of_kind in zip(KINDS.values(), values, strict=True)
                for name, value in zip(DATA_SETS, of_kind, strict=True)
                if name + ending in self.columns
            }
            of = {"method": f"{method}, published", "split": "test"}
            printed.append(Row(of, {**figures, "AMEAN": _mean(figures)}))
        count = len(self.columns) - 1
        remark = f"AMEAN is the arithmetic mean of the {count} figures before it, each counted once"
        if count < len(KINDS) * len(DATA_SETS):
            remark += "; the benchmark's own is of twelve, of which this copy has not all"
        return super().results(rows, literature=printed, remarks=[remark])


def bamboo(
    data: Annotated[
        Path, "a copy of flipz357/bamboo-amr-benchmark, an archive of it, or their parent"
    ],
    methods: str = ",".join(METHODS),
    vectors: str | None = None,
    option: Mapping[str, Any] | None = None,
) -> Task:
    """Score methods on BAMBOO: Pearson's r with ratings, and role confusion of AMR methods.

    All of its splits and parts that are in the copy are scored.
    """
    specs = [
        replace(spec, options={"top_concept": True, **spec.options})
        if spec.method == "amr-smatch"
        else spec
        for spec in specs_of(methods, None, vectors=vectors, **option or {})
    ]
    root = _root(data)
    names = _names(root)
    there = [split for split in SPLITS if f"{DATA_SETS[0]}/main/src.{split}.amr" in names]
    if not there:
        raise DataError(f"{root} has none of the splits {', '.join(SPLITS)}: fetch {SOURCE} again")
    return Bamboo([open_bamboo(root, split) for split in there], specs)


def _mean(figures: Mapping[str, Figure]) -> Figure:
    """The arithmetic mean of figures, None where one of them has no value."""
    values = [figure.value for figure in figures.values()]
    known = [value for value in values if value is not None]
    return Figure(sum(known) / len(known) if known and len(known) == len(values) else None)


def _pearson(scores: npt.NDArray[np.float64], ratings: Sequence[float]) -> Figure:
    """Pearson's r in percent with its interval; None where either does not vary."""
    import numpy as np

    from compsim.benchmarks.stats.correlation import correlate, interval

    result = correlate(scores, ratings)
    if result.pearson is None:
        return Figure(None, len(scores), note=result.note)
    ends = interval(lambda x, y: 100 * np.corrcoef(x, y)[0, 1], scores, ratings)
    return Figure(100 * result.pearson, len(scores), *ends)


def _share(right: npt.NDArray[np.bool_]) -> Figure:
    """Return the share of right answers in percent, with its interval."""
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
    names = _names(root)
    return Split(split, {name: _part(root, names, name, split) for name in DATA_SETS}, root)


def is_bamboo(place: Path) -> bool:
    """Return whether a folder has the data sets at its top, or is an archive that has them."""
    if place.is_dir():
        return all((place / name).is_dir() for name in DATA_SETS)
    try:
        with zipfile.ZipFile(place) as archive:
            top = {name.partition("/")[0] for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile):
        return False
    return top >= set(DATA_SETS)


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


def _names(root: Path) -> set[str]:
    """The paths of all files inside a folder or archive."""
    if root.is_dir():
        return {path.relative_to(root).as_posix() for path in root.rglob("*.*")}
    with zipfile.ZipFile(root) as archive:
        return set(archive.namelist())


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


def _part(root: Path, names: Set[str], name: str, split: str) -> Part:
    """One data set of a split: ``main``, and of the other kinds those that are there."""
    result: dict[str, tuple[list[RoleGraph], list[RoleGraph]]] = {}
    for kind in KINDS:
        files = [f"{name}/{kind}/{side}.{split}.amr" for side in ("src", "tgt")]
        if kind == "main" or not names.isdisjoint(files):
            first, second = (list(read_amr(_read(root, file))) for file in files)
            result[kind] = first, second
    file = f"{name}/{split}.y"
    ratings = numbers(_read(root, file), f"{root}/{file}", f"fetch it from {SOURCE}", finite=True)
    for kind, (first, second) in result.items():
        count = len(first) if kind == "role_confusion" else len(ratings)
        if not len(first) == len(second) == count or (kind == "role_confusion" and count % 2):
            raise DataError(
                f"{root}: the files of {name}/{kind} ({split}) have other numbers of graphs and "
                f"ratings: fetch them again from {SOURCE}"
            )
    first, second = result["main"]
    rows = range(1 if name in _HEADED else 0, len(ratings))
    kept = [i for i in rows if _PADDING not in (first[i].text, second[i].text)]
    pairs: dict[str, tuple[Side, Side]] = {}
    for kind, (first, second) in result.items():
        chosen = range(len(first)) if kind == "role_confusion" else kept
        pairs[kind] = tuple(first[i] for i in chosen), tuple(second[i] for i in chosen)
    return Part(tuple(ratings[i] for i in kept), pairs)
