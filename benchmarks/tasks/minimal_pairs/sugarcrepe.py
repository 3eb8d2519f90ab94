"""SugarCrepe: captions and the same captions with something changed that changes what they say.

Files of SugarCrepe (Hsieh et al. 2023, https://github.com/RAIVNLab/sugar-crepe) hold captions and
negatives: attributes swapped, a relation replaced. A model that sees the change scores such pairs
low. Scores of models are on scales of their own, so each is told by where it stands among those of
rated pairs: ``rank`` is the mean share, in percent, of the reference pairs that score lower, 100
for pairs that are taken for the most alike there are. Beside it the mean score.

>>> ranks([0.2, 0.9], [0.0, 0.5, 1.0, 0.2])
array([37.5, 75. ])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from compsim.benchmarks.datasets import Dataset, open_dataset
from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task, open_method, sha256
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError
from compsim.storage.reading import parse_json, read_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from compsim.benchmarks.stats.paired import Sample

__all__ = ["SugarCrepe", "ranks", "read_captions", "sugarcrepe"]

Pairs = list[tuple[str, str]]

#: Annotators of VALSE that must agree on a caption, as its authors count.
_AGREED = 2


def sugarcrepe(
    files: Annotated[list[Path], "JSON files of SugarCrepe or VALSE"],
    /,
    reference: Annotated[
        str,
        "rated pairs, PATH or FORMAT:PATH; scores are reported as percentile ranks "
        "among their scores",
    ],
    methods: str = "verbnet-cn",
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
) -> Task:
    """Score captions against captions that say something else; the lower the better."""
    specs = specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})
    return SugarCrepe(files, open_dataset(reference), specs)


class SugarCrepe(Task):
    """Changed captions among the rated pairs of a reference."""

    name = "sugarcrepe"
    title = "Captions against captions that say something else"
    form = ".3g"
    paper = "Hsieh et al. 2023 (SugarCrepe)"
    lower = True
    figure = "rank among rated pairs, percent"
    scale = 100

    def __init__(
        self, files: Sequence[str | Path], reference: Dataset, specs: Sequence[Spec]
    ) -> None:
        self.sets = {Path(file).stem: read_captions(file) for file in files}
        self.headline = f"{next(iter(self.sets))} rank"
        self.reference, self.specs = reference, specs
        self.columns = {
            f"{name} {figure}": len(pairs) if figure == "rank" else 0
            for name, pairs in self.sets.items()
            for figure in ("rank", "score")
        }
        checksum = sha256(files)
        self.content = [checksum, reference.checksum]
        self.data = "SugarCrepe", ", ".join(map(str, files)), checksum
        self.problems = reference.problems
        self.steps = sum(map(len, self.sets.values())) + len(reference)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """The mean rank and score of each file's pairs, with intervals."""
        import numpy as np

        from compsim.benchmarks.stats.correlation import interval

        method: Any = open_method(spec)

        def scores(pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float64]:
            result = method.similarity_pairwise(*map(list, zip(*pairs, strict=True)))
            advance(spec.method, len(pairs))
            return np.asarray(result, dtype=np.float64)

        rated = scores([(pair.first, pair.second) for pair in self.reference.pairs])
        figures, results = {}, {}
        for name, pairs in self.sets.items():
            result = scores(pairs)
            of_pairs = ranks(result, rated)
            results[name] = np.round(of_pairs, 4).tolist()
            for figure, values in (("rank", of_pairs), ("score", result)):
                ends = interval(np.mean, values)
                figures[f"{name} {figure}"] = Figure(float(values.mean()), len(values), *ends)
        of = {"method": spec.title, "normalize": method.normalize}
        return [Row(of, figures, details={"ranks": results})]

    def items_of(self, row: Row) -> Sample | None:
        """The ranks of the pairs of the first file."""
        import numpy as np

        from compsim.benchmarks.stats.paired import Sample

        return Sample(np.array(row.details["ranks"][next(iter(self.sets))], np.float64))

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and what the ranks are among."""
        remark = f"ranks are among the {len(self.reference)} pairs of {self.reference.name}"
        return super().results(rows, remarks=[remark])


def ranks(scores: npt.ArrayLike, reference: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The share in percent of the reference that is lower than each score, ties as one half."""
    import numpy as np

    ordered = np.sort(np.asarray(reference, dtype=np.float64))
    low = np.searchsorted(ordered, scores, side="left")
    high = np.searchsorted(ordered, scores, side="right")
    result: npt.NDArray[np.float64] = 50.0 * (low + high) / len(ordered)
    return result


def read_captions(path: str | Path) -> Pairs:
    """Return the captions of a file, each with its negative.

    Of VALSE (Parcalabescu et al. 2022, arXiv:2112.07566) these are the caption and its ``foil``,
    where two of the three annotators or more have found that the caption alone fits the picture.
    Raises ``DataError`` for another file.
    """
    result = parse_json(read_text(Path(path)), str(path), "give a file of SugarCrepe or VALSE")
    try:
        pairs = [
            (entry["caption"], entry["foil"] if "foil" in entry else entry["negative_caption"])
            for entry in result.values()
            if entry.get("mturk", {}).get("caption", _AGREED) >= _AGREED
        ]
        fits = bool(pairs) and all(isinstance(text, str) for pair in pairs for text in pair)
    except (AttributeError, KeyError, TypeError):
        fits = False
    if not fits:
        raise DataError(
            f"{path} is no file of SugarCrepe or VALSE: give a JSON object of objects with caption "
            "and negative_caption, or foil"
        )
    return pairs
