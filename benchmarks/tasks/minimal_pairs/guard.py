"""The guard's decisions: ``bench pairs`` for probabilities and answers.

A method that has a calibration is judged by the probabilities of its guard, another one by its
scores (any method, ``callable``, a cross-encoder). To the figures of ``bench pairs`` come, for a
guard, the expected calibration error, the share of pairs that are left unsure and how often the
others are right; for all the balanced accuracy: of a guard at probability .5, of other methods at
the best threshold of these very pairs. Lines tell which share of the same and of the different
pairs a cache would serve: where a guard answers "same", where a score is above that threshold, and
where both do; and the AUC of pairs with little and with much overlap of words, since that alone
goes far in many sets.

>>> overlap("The dog bit the man.", "The man bit the dog!")
1.0
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from compsim.benchmarks.datasets.pairs import pair_format
from compsim.benchmarks.results import shown
from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task, open_method
from compsim.benchmarks.tasks.minimal_pairs.pairs import Pairs
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.benchmarks.workspace import Workspace
from compsim.defaults import DEFAULT_METHOD

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from compsim.guard.guard import Guard

__all__ = ["GuardPairs", "guard", "overlap"]

_ERROR, _ACCURACY, _RIGHT, _UNSURE = (
    "calibration error", "balanced accuracy", "right where decided", "unsure",
)  # fmt: skip
#: Where bins of overlap begin.
_BINS: Final = (0.0, 0.4, 0.6, 0.8)
_WORD: Final = re.compile(r"\w+")


def guard(
    files: Annotated[
        list[Path],
        "files of pairs, rated pairs or triples, as `bench pairs` takes them",
    ],
    /,
    methods: str = DEFAULT_METHOD,
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    max_false: Annotated[float, "the share of different pairs that may be answered same"] = 0.05,
    option: Mapping[str, Any] | None = None,
) -> list[Task]:
    """Decide which pairs say the same (AUC, calibration, accuracy, hits at few false)."""
    specs = specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})
    captions = [file for file in files if pair_format(file) == "sugarcrepe-pp"]
    groups = [[file] for file in files if file not in captions]
    if captions:
        groups.insert(0, captions)
    return [GuardPairs(group, specs, max_false) for group in groups]


def overlap(first: str, second: str) -> float:
    """Return the share of the words of two texts that both have."""
    one, two = (set(_WORD.findall(text.lower())) for text in (first, second))
    return len(one & two) / max(1, len(one | two))


class GuardPairs(Pairs):
    """Labelled pairs, decided by guards and by the scores of methods.

    Args:
        files: Those of SugarCrepe++ together, or one in another format.
        specs: The methods.
        max_false: The budget of guards.

    Raises:
        DataError: All pairs have the same label.
        MissingExtraError: Without scikit-learn.
    """

    name = "guard"
    title = "Same or not, with a probability"

    def __init__(
        self, files: Sequence[Path], specs: Sequence[Spec], max_false: float = 0.05
    ) -> None:
        super().__init__(files, specs)
        self.max_false = max_false
        self.columns = dict.fromkeys((*self.columns, _ERROR, _ACCURACY, _RIGHT, _UNSURE), 0)
        # The calibration changes without the method: nothing is kept.
        self.content = None

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """Return the row of a guard, or of a method's scores."""
        import numpy as np

        from compsim.guard.features import SCORE, kind_of
        from compsim.guard.guard import Guard

        method = open_method(spec)
        same = np.array([pair.same for pair in self.pairs])
        if kind_of(method) == SCORE:
            (row,) = super().measure(spec, workspace, advance)
            scores = np.array(row.scores, dtype=np.float64)
            threshold, best = _best_threshold(scores, same)
            figures = {_ACCURACY: Figure(best, len(same))}
            answers = {"served": (scores >= threshold).tolist(), "threshold": threshold}
        else:
            row, figures = self._judged(Guard(method, max_false=self.max_false), spec)
            advance(spec.method, self.steps)
            scores = np.array(row.scores, dtype=np.float64)
            answers = {}
        details = {**row.details, **answers, "overlap": self._by_overlap(scores, same)}
        return [replace(row, figures={**row.figures, **figures}, details=details)]

    def _judged(self, judge: Guard, spec: Spec) -> tuple[Row, dict[str, Figure]]:
        """Return the row of a guard, and the figures that its answers make."""
        import numpy as np

        from compsim.guard.report import calibration_error

        verdicts = judge.same(
            [pair.first for pair in self.pairs], [pair.second for pair in self.pairs]
        )
        scores = np.array([verdict.probability for verdict in verdicts])
        same = np.array([pair.same for pair in self.pairs])
        right = [
            verdict.answer == ("same" if label else "different")
            for verdict, label in zip(verdicts, same.tolist(), strict=True)
        ]
        decided = np.array([verdict.answer != "unsure" for verdict in verdicts])
        count = len(same)
        figures = {
            _ERROR: Figure(calibration_error(scores, same), count),
            _ACCURACY: Figure(_accuracy(scores >= 0.5, same), count),
            _UNSURE: Figure(float(1.0 - decided.mean()), count),
        }
        if decided.any():
            figures[_RIGHT] = Figure(float(np.sum(right) / decided.sum()), int(decided.sum()))
        kinds = self._by_kind(scores)
        of = {
            "method": f"guard of {spec.title}",
            "normalize": "",
            "parser": getattr(getattr(judge.method, "parser", None), "name", ""),
            "vectors": str(getattr(getattr(judge.method, "vectors", None), "name", "")),
        }
        notes = []
        if unread := sum(bool(each.reason) and each.answer == "unsure" for each in verdicts):
            notes.append(f"nothing can be decided of {unread} pairs")
        details: dict[str, Any] = {"served": [bool(verdict) for verdict in verdicts]}
        details |= {"kinds": kinds} if kinds else {}
        figured = self._figures(scores)
        if len(self.columns) and "macro AUC" in self.columns:
            areas = [each["AUC"] for each in kinds.values()]
            figured["macro AUC"] = Figure(float(np.mean(areas)), count)
        return Row(of, figured, notes=notes, scores=scores.tolist(), details=details), figures

    def _by_overlap(
        self, scores: npt.NDArray[np.float64], same: npt.NDArray[np.bool_]
    ) -> dict[str, dict[str, Any]]:
        """Return the AUC of the pairs in each bin of overlap."""
        import numpy as np

        from compsim.benchmarks.stats.classification import auc

        shares = np.array([overlap(pair.first, pair.second) for pair in self.pairs])
        result = {}
        for low, high in zip(_BINS, (*_BINS[1:], 1.01), strict=True):
            rows = (shares >= low) & (shares < high)
            name = f"{low:.1f} to {min(high, 1.0):.1f}"
            result[name] = {
                "AUC": auc(scores[rows], same[rows]) if rows.any() else None,
                "n": int(rows.sum()),
                "same": int(same[rows].sum()),
            }
        return result

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows; in lines the figures of each kind, what is served, and the AUC by overlap."""
        measured = [row for row in rows if row.status == "ok"]
        served = self._served(measured)
        rows = [replace(row, details=_without_answers(row.details)) for row in rows]
        results = super().results(rows, **more)
        lines = [
            f"served by {one['by']}: {shown(one['same'])} of the same pairs, "
            f"{shown(one['different'])} of the different ones"
            for one in served
        ]
        for name, counts in measured[0].details["overlap"].items() if measured else ():
            text = ", ".join(
                f"{row.label} {shown(row.details['overlap'][name]['AUC'])}" for row in measured
            )
            lines.append(f"overlap {name} (n={counts['n']}, {counts['same']} the same): AUC {text}")
        details = {**results.details, "served": served}
        return replace(results, summary=[*results.summary, *lines], details=details)

    def _served(self, rows: Sequence[Row]) -> list[dict[str, Any]]:
        """Return the shares of pairs that are served by each row, and by a guard and a score."""
        import numpy as np

        same = np.array([pair.same for pair in self.pairs])
        by: dict[str, npt.NDArray[np.bool_]] = {}
        guards = set()
        for row in rows:
            threshold = row.details.get("threshold")
            name = row.label if threshold is None else f"{row.label} from {threshold:.3f} on"
            if threshold is None:
                guards.add(name)
            by[name] = np.array(row.details["served"], dtype=bool)
        names = list(by)
        for one in names:
            for other in names:
                if one in guards and other not in guards:
                    by[f"{one} and {other}"] = by[one] & by[other]
        return [
            {"by": name, "same": float(hit[same].mean()), "different": float(hit[~same].mean())}
            for name, hit in by.items()
        ]


def _without_answers(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of a row but for the answer of each pair."""
    return {name: value for name, value in details.items() if name != "served"}


def _accuracy(chosen: npt.NDArray[np.bool_], same: npt.NDArray[np.bool_]) -> float:
    """Return the mean of the shares of same and of different pairs that are told right."""
    return float((chosen[same].mean() + (~chosen[~same]).mean()) / 2.0)


def _best_threshold(
    scores: npt.NDArray[np.float64], same: npt.NDArray[np.bool_]
) -> tuple[float, float]:
    """Return the best threshold of these pairs, and the balanced accuracy there."""
    from compsim.benchmarks.stats import library
    from compsim.benchmarks.stats.classification import rankable

    accepted_different, accepted_same, thresholds = library("sklearn.metrics").roc_curve(
        same, rankable(scores)
    )
    accuracies = (accepted_same + 1.0 - accepted_different) / 2.0
    best = int(accuracies.argmax())
    return float(thresholds[best]), float(accuracies[best])
