"""Rows of analogies: questions, the rules' answers, means and their samples.

>>> import numpy as np
>>> mean_of(np.array([True, False])).value
0.5
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from compsim.benchmarks.datasets.analogies.relations import Relation
from compsim.benchmarks.results import Figure, Row
from compsim.benchmarks.task import Spec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from compsim.benchmarks.analogy_spaces import Space
    from compsim.benchmarks.stats.paired import Sample

__all__ = [
    "WHOLE",
    "Answered",
    "Questions",
    "answers_of",
    "candidates",
    "groups_of",
    "mean_of",
    "means_of",
    "places_of",
    "sample_of",
    "title_of",
]

#: The row of all relations, every question counting the same.
WHOLE: Final = "all, by question"
#: Word analogies put into sentences, by what the words differ in.
_GROUPS: Final = {
    "semantic": ("capital-common", "capital-world", "currency", "city-in-state", "gender"),
    "syntactic": ("comparative", "opposite", "nationality", "plural", "verb"),
}


class Questions(NamedTuple):
    """Questions about the n pairs of a relation.

    Attributes:
        relation: The relation.
        space: Its sentences as a method has them.
        first: The places (n,) of A among all sentences.
        second: Those of B.
        i: The pairs (q,) that give A and B of each question.
        j: The pairs (q,) that give C and D.
    """

    relation: Relation
    space: Space
    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    i: npt.NDArray[np.int64]
    j: npt.NDArray[np.int64]


class Answered(NamedTuple):
    """Answers of rules to questions.

    Attributes:
        shares: By rule, the share (q,) that the true answer has in each question.
        valid: Which questions (q,) count for rules without "-U".
        figures: Figures beside those of the shares.
        details: What else the row has.
        notes: What must be known.
        among: The candidates of each pair, where they are not all sentences.
    """

    shares: Mapping[str, npt.NDArray[np.float64]]
    valid: npt.NDArray[np.bool_]
    figures: Mapping[str, Figure]
    details: Mapping[str, Any]
    notes: Sequence[str] = ()
    among: Sequence[Sequence[str]] = ()


def title_of(spec: Spec) -> str:
    """Return the title of a spec's rows, with the normalisation of its vectors."""
    way = spec.options.get("normalize") or "none"
    return spec.title if way == "none" else f"{spec.title} {way}"


def candidates(relation: Relation) -> list[tuple[str, ...]]:
    """The candidates of each pair, the true one first."""
    both = zip(relation.pairs, relation.wrong, strict=True)
    return [(pair[1], *wrong) for pair, wrong in both]


def places_of(asked: Questions) -> npt.NDArray[np.int64]:
    """The places (n, c) of the candidates of each pair, the true one first."""
    import numpy as np

    place = asked.space.place
    return np.array([[place[text] for text in texts] for texts in candidates(asked.relation)])


def mean_of(values: Any, low: float | None = None, high: float | None = None) -> Figure:
    """The mean of an array (q,) of shares, with the ends of its interval, of q questions."""
    if len(values) == 0:
        return Figure(None, note="there is no question")
    return Figure(float(values.mean()), len(values), low, high)


def means_of(spec: Spec, rows: Sequence[Row], rule: str) -> list[Row]:
    """Over questions, of all relations and of the groups; and over relations.

    ``rule`` is the one whose mean over all questions has an interval.
    """
    groups = {WHOLE: rows} if len(rows) > 1 else {}
    for group, names in _GROUPS.items():
        of = [row for row in rows if row.of["relation"] in names]
        if len(of) > 1:
            groups[f"{group}, by question"] = of
    results = [_averaged(spec, name, of, True, rule) for name, of in groups.items()]
    if len(rows) > 1:
        results.append(_averaged(spec, "all, by relation", rows, False, rule))
    return results


def groups_of(relations: Sequence[str]) -> dict[str, str]:
    """Return the row that averages each group of word analogies put into sentences, by the group.

    "all" is there where no relation is outside them.

    >>> groups_of(["gender", "currency", "mine"])
    {'semantic': 'semantic, by question'}
    """
    groups = {
        group: f"{group}, by question"
        for group, names in _GROUPS.items()
        if len(set(names) & set(relations)) > 1
    }
    lexical = {name for names in _GROUPS.values() for name in names}
    if len(relations) > 1 and lexical.issuperset(relations):
        return {"all": WHOLE, **groups}
    return groups


def _averaged(spec: Spec, name: str, rows: Sequence[Row], weighted: bool, rule: str) -> Row:
    """The mean of each figure of several relations, each counting as its questions or once.

    That of the rule over all questions has an interval, over the pairs that were asked of.
    """
    import numpy as np

    from compsim.benchmarks.stats.paired import interval

    figures = {"questions": Figure(sum(int(row.figures["questions"].value or 0) for row in rows))}
    for figure in rows[0].figures:
        results = [row.figures[figure] for row in rows if figure in row.figures]
        known = [(of.value, of.n if weighted else 1) for of in results if of.value is not None]
        total = sum(n for _, n in known)
        if figure not in figures and total and not figure.startswith("offsets"):
            figures[figure] = Figure(sum(value * n for value, n in known) / total, total)
    result = {"answers": [of for row in rows for of in row.details["answers"]]}
    if name == WHOLE:
        sample = sample_of(result["answers"])
        low, high = interval(sample.only(np.isfinite(sample.values)))
        figures[rule] = replace(figures[rule], low=low, high=high)
    return Row({"method": title_of(spec), "relation": name}, figures, details=result)


def sample_of(answers: Sequence[Sequence[int]]) -> Sample:
    """The share of right answers of each pair, NaN where none was asked."""
    import numpy as np

    from compsim.benchmarks.stats.paired import Sample

    right, asked = np.array(answers, np.float64).T
    with np.errstate(invalid="ignore"):
        return Sample(right / asked, weights=asked)


def answers_of(
    count: int,
    asked: npt.NDArray[np.int64],
    right: npt.NDArray[np.bool_],
    valid: npt.NDArray[np.bool_],
) -> list[list[int]]:
    """Return the number of right answers and of questions for each pair."""
    import numpy as np

    both = (np.bincount(asked[of], minlength=count).tolist() for of in (right & valid, valid))
    return [list(one) for one in zip(*both, strict=True)]
