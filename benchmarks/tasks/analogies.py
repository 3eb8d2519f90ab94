"""Sentence analogies: do sentence vectors differ in one way where sentences stand in one relation?

After Zhu and de Melo (2020, https://aclanthology.org/2020.coling-main.300): of A : B :: C : ?, the
sentence D is sought, among all sentences of the relation, or between D and five changed forms of
it. ``stats.analogies`` has the rules. Figures are the share of questions that are answered right;
"shared" gives a tie of k candidates 1 / k. "U" leaves A, B and C among the candidates. What is
nearest to C, or to B, uses no offset: a rule that is no better than that has found no analogy.

>>> from compsim.benchmarks.task import run
>>> task, = analogies("analogies/generated", relations="gender", methods="sbert")  # doctest: +SKIP
>>> run(task).rows[0].figures["3cosadd"].value  # doctest: +SKIP
0.682
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from compsim.benchmarks.datasets.analogies import KINDS, Relation, open_relations
from compsim.benchmarks.datasets.analogy_templates import write_relations
from compsim.benchmarks.results import Figure, Results, Row
from compsim.benchmarks.task import Advance, Spec, Task, listed, open_method
from compsim.benchmarks.tasks.sts import specs_of
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError, InputError, UnknownNameError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Analogies", "Choosing", "analogies"]

#: Word analogies put into sentences, by what the words differ in.
_GROUPS: Final = {
    "semantic": ("capital-common", "capital-world", "currency", "city-in-state", "gender"),
    "syntactic": ("comparative", "opposite", "nationality", "plural", "verb"),
}
_RULES: Final = ("3cosadd", "3cosmul", "pairdir")
_BASELINES: Final = ("nearest C", "nearest B")
_FAILURES: Final = 5
_LIKELIEST: Final = 3


def analogies(
    data: Annotated[Path, "a folder of TSV files: A, B a line; rel-*: and five changed forms of B"],
    relations: Annotated[str | None, "which files, separated by commas; default: all"] = None,
    scores: Annotated[str, "3cosadd, 3cosmul, pairdir, separated by commas"] = ",".join(_RULES),
    methods: str = "mean-cn",
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
    max_questions: Annotated[int, "so many of a relation's questions, at random"] = 1_000_000,
    seed: Annotated[int, "of the questions that are drawn"] = 1,
    generate: Annotated[
        Path | None, "Google's questions-words.txt: first make six relations of it, in DATA"
    ] = None,
) -> list[Task]:
    """Answer sentence analogies with sentence vectors (share of right answers)."""
    if generate is not None:
        write_relations(generate, data)
    found = open_relations(data, None if relations is None else listed(relations))
    rules = list(dict.fromkeys(listed(scores)))
    for rule in rules:
        if rule not in _RULES:
            raise UnknownNameError(f"there is no rule {rule!r}: use {', '.join(_RULES)}")
    specs = specs_of(methods, normalize, vectors=vectors, **option or {})
    tasks: list[Task] = []
    for kind, of in (
        (Analogies, [relation for relation in found if not relation.wrong]),
        (Choosing, [relation for relation in found if relation.wrong]),
    ):
        if of:
            tasks.append(kind(of, specs, rules, max_questions, seed, str(data)))
    return tasks


class Analogies(Task):
    """Analogies whose answer is sought among all sentences of the relation."""

    name = "analogies"
    title = "Sentence analogies"
    form = ".4f"

    def __init__(
        self,
        relations: Sequence[Relation],
        specs: Sequence[Spec],
        rules: Sequence[str] = _RULES,
        most: int = 1_000_000,
        seed: int = 1,
        source: str = "",
    ) -> None:
        self.relations, self.specs, self.rules = relations, specs, rules
        self.most, self.seed = most, seed
        self.data = self.title, source, _checksum(relations)
        self.content = [self.title, self.data[2], list(rules), most, seed]
        self.problems = [problem for relation in relations for problem in relation.problems]
        self.steps = sum(
            len(relation.sentences()) + self._asked(relation) for relation in relations
        )
        self.columns = dict.fromkeys(self._columns(), 0)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """A row for each relation, and for means where there are several."""
        method = _method(spec)
        tell = partial(advance, spec.method)
        units, notes = _units(method, self.relations, tell)
        rows, offsets = [], []
        for relation, unit in zip(self.relations, units, strict=True):
            place = {text: k for k, text in enumerate(relation.sentences())}
            rows.append(self._row(spec, relation, unit, place, tell))
            offsets.append(_offsets(relation, unit, place))
        told = zip(rows, _consistency(offsets), strict=True)
        rows = [replace(row, figures={**row.figures, **more}) for row, more in told]
        if notes:
            rows[0] = replace(rows[0], notes=[*notes, *rows[0].notes])
        return [*rows, *self._means(spec, rows)]

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and what their columns mean."""
        remarks = [
            "U: A, B and C are candidates too; shared: a tie of k counts 1/k; nearest: no offset"
        ]
        if any(len(r.pairs) * (len(r.pairs) - 1) > self.most for r in self.relations):
            remarks.append(f"{self.most} questions of a relation were drawn, seed {self.seed}")
        about = {"problems": list(self.problems)}
        return super().results(rows, remarks=remarks, about=about, **more)

    def report(self, results: Results) -> str:
        """The table, the accuracy by relation and method, and questions that were missed."""
        from compsim.benchmarks.report import analogies as drawn
        from compsim.benchmarks.report import section

        names = [relation.name for relation in self.relations]
        bars = drawn.by_relation(results, self.rules[0], names, _BASELINES[0])
        return section(results, self.title, bars, self._more(results))

    def _more(self, results: Results) -> str:
        """What else the report shows."""
        from compsim.benchmarks.report.analogies import failures

        return failures(results.rows)

    def _columns(self) -> list[str]:
        unconstrained = [f"{rule}-U" for rule in self.rules]
        shared = [f"{rule} shared" for rule in self.rules[:1]]
        closing = (*_BASELINES, "chance", "offsets", "offsets across")
        return ["questions", *self.rules, *unconstrained, *shared, *closing]

    def _asked(self, relation: Relation) -> int:
        count = len(relation.pairs)
        return min(self.most, count * (count - 1))

    def _questions(
        self, relation: Relation, place: Mapping[str, int]
    ) -> tuple[npt.NDArray[np.int64], ...]:
        """The places of A and of B of each pair, and the pairs that each question is made of."""
        import numpy as np

        from compsim.benchmarks.stats.analogies import questions

        first, second = (np.array([place[pair[k]] for pair in relation.pairs]) for k in (0, 1))
        return first, second, *questions(len(first), self.most, self.seed)

    def _row(
        self,
        spec: Spec,
        relation: Relation,
        unit: npt.NDArray[np.float64],
        place: Mapping[str, int],
        tell: Any,
    ) -> Row:
        import numpy as np

        from compsim.benchmarks.stats.analogies import answer, over_pairs

        first, second, i, j = self._questions(relation, place)
        found = answer(unit, first, second, i, j, self.rules, tell)
        asked = int(found.valid.sum())
        figures = {"questions": Figure(asked)}
        for name, share in found.shares.items():
            valid = np.ones(len(i), dtype=bool) if name.endswith("-U") else found.valid
            ends = over_pairs(len(first), i, j, share == 1, valid) if name in self.rules else ()
            figures[name] = _mean((share == 1)[valid], *ends)
            figures[f"{name} shared"] = _mean(share[valid])
        apart = 3 - (first[i] == first[j]) - (second[i] == first[j])
        figures["chance"] = _mean(1 / (len(unit) - apart[found.valid]))
        missed = np.flatnonzero(found.valid & (found.shares[self.rules[0]] < 1))
        details = {
            "pairs": len(first),
            "candidates": len(unit),
            "left out": len(i) - asked,
            "missed": _missed(unit, relation, place, i[missed], j[missed]),
        }
        return Row({"method": spec.title, "relation": relation.name}, figures, details=details)

    def _means(self, spec: Spec, rows: Sequence[Row]) -> list[Row]:
        """Over questions, of all relations and of the groups; and over relations."""
        groups = {"all, by question": rows} if len(rows) > 1 else {}
        for group, names in _GROUPS.items():
            of = [row for row in rows if row.of["relation"] in names]
            if len(of) > 1:
                groups[f"{group}, by question"] = of
        found = [_averaged(spec, name, of, True) for name, of in groups.items()]
        if len(rows) > 1:
            found.append(_averaged(spec, "all, by relation", rows, False))
        return found


class Choosing(Analogies):
    """Analogies whose answer stands among five changed forms of it."""

    title = "Sentence analogies, six candidates"

    def _more(self, results: Results) -> str:
        """What was chosen in place of the answer."""
        from compsim.benchmarks.report.analogies import choices

        return choices(results, self.rules[0], ("D", *KINDS))

    def _columns(self) -> list[str]:
        shared = [f"{rule} shared" for rule in self.rules[:1]]
        closing = (*_BASELINES, "chance", "offsets", "offsets across")
        return ["questions", *self.rules, *shared, *KINDS, *closing]

    def _row(
        self,
        spec: Spec,
        relation: Relation,
        unit: npt.NDArray[np.float64],
        place: Mapping[str, int],
        tell: Any,
    ) -> Row:
        import numpy as np

        from compsim.benchmarks.stats.analogies import choose, over_pairs

        first, second, i, j = self._questions(relation, place)
        rows = zip(relation.pairs, relation.wrong, strict=True)
        own = np.array([[place[text] for text in (pair[1], *wrong)] for pair, wrong in rows])
        found = choose(unit, first, second, own, i, j, self.rules, tell)
        every = np.ones(len(i), dtype=bool)
        figures = {"questions": Figure(len(i))}
        for name, share in found.shares.items():
            ends = over_pairs(len(first), i, j, share == 1, every) if name in self.rules else ()
            figures[name] = _mean(share == 1, *ends)
            figures[f"{name} shared"] = _mean(share)
        main = found.chosen[self.rules[0]].tolist()
        for kind, value in zip(("D", *KINDS), main, strict=True):
            figures[kind] = Figure(value, len(i))
        figures["chance"] = Figure(1 / own.shape[1], len(i))
        against = {
            rule: {
                kind: dict(zip(("wins", "ties", "loses"), of.tolist(), strict=True))
                for kind, of in zip(KINDS, found.against[rule], strict=True)
            }
            for rule in self.rules
        }
        blind = [kind for kind in KINDS if against[self.rules[0]][kind]["ties"] > 1 / 2]
        notes = [f"{relation.name}: blind to {', '.join(blind)}: most tie with D"] if blind else []
        of = {"method": spec.title, "relation": relation.name}
        details = {"pairs": len(first), "against": against}
        return Row(of, figures, notes=notes, details=details)


def _method(spec: Spec) -> Any:
    """The method; raises ``InputError`` for one without sentence vectors."""
    from compsim.embeddings.method import EmbeddingMethod

    method: Any = open_method(spec)
    if not isinstance(method, EmbeddingMethod):
        raise InputError(
            f"method {spec.method!r} gives sentences no vectors, which analogies are made of: use "
            "one that does, such as mean-cn or sbert"
        )
    return method


def _units(
    method: Any, relations: Sequence[Relation], tell: Any
) -> tuple[list[npt.NDArray[np.float64]], list[str]]:
    """The vectors of each relation's sentences, float64 at unit length or zero, and what is odd.

    A sentence of several relations is encoded once; a normalisation is fitted to all of them.
    Raises ``DataError`` for vectors that are not finite.
    """
    import numpy as np

    from compsim.benchmarks.sides import encode_all

    of = [relation.sentences() for relation in relations]
    texts = list(dict.fromkeys(text for each in of for text in each))
    batch = encode_all(texts, method, advance=lambda _, count: tell(count))
    tell(sum(map(len, of)) - len(texts))
    vectors = batch.vector
    if method.normalize != "none":
        try:
            normalizer = method.normalizer
        except InputError:  # not fitted yet
            normalizer = copy.copy(method).fit(batch).normalizer
        vectors = normalizer(vectors)
    if not np.isfinite(vectors).all():
        bad = texts[int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])]
        raise DataError(f"the vector of {bad!r} has what is no number: mend the model")
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1.0)
    zeros = int((lengths == 0).sum())
    notes = [f"{zeros} of {len(texts)} sentences have no vector but zeros"] if zeros else []
    place = {text: k for k, text in enumerate(texts)}
    return [unit[[place[text] for text in each]] for each in of], notes


def _offsets(
    relation: Relation, unit: npt.NDArray[np.float64], place: Mapping[str, int]
) -> npt.NDArray[np.float64]:
    """B - A of each pair at unit length (n, dim); pairs with equal vectors have none."""
    import numpy as np

    first, second = ([place[pair[k]] for pair in relation.pairs] for k in (0, 1))
    offsets = unit[second] - unit[first]
    lengths = np.linalg.norm(offsets, axis=1)
    found: npt.NDArray[np.float64] = offsets[lengths > 1e-9] / lengths[lengths > 1e-9, None]
    return found


def _consistency(offsets: Sequence[npt.NDArray[np.float64]]) -> list[dict[str, Figure]]:
    """For each relation the mean cosine of two of its offsets, and of one with others' offsets."""
    import numpy as np

    sums, counts = [each.sum(axis=0) for each in offsets], [len(each) for each in offsets]
    found = []
    for own, count in zip(sums, counts, strict=True):
        within = (own @ own - count) / (count * (count - 1)) if count > 1 else None
        figures = {"offsets": Figure(None if within is None else float(within), count)}
        others = sum(counts) - count
        if others and count:
            across = own @ (np.sum(sums, axis=0) - own) / (count * others)
            figures["offsets across"] = Figure(float(across), count)
        found.append(figures)
    return found


def _missed(
    unit: npt.NDArray[np.float64],
    relation: Relation,
    place: Mapping[str, int],
    i: npt.NDArray[np.int64],
    j: npt.NDArray[np.int64],
) -> list[dict[str, Any]]:
    """A few questions that 3CosAdd misses, spread over all, with the likeliest candidates."""
    import numpy as np

    texts = list(place)
    found = []
    for k in np.unique(np.linspace(0, len(i) - 1, _FAILURES).astype(int)) if len(i) else ():
        (a, b), (c, d) = relation.pairs[i[k]], relation.pairs[j[k]]
        scores = unit @ (unit[place[b]] - unit[place[a]] + unit[place[c]])
        scores[[place[text] for text in (a, b, c)]] = -np.inf
        best = [texts[at] for at in np.argsort(-scores, kind="stable")[:_LIKELIEST]]
        found.append({"A": a, "B": b, "C": c, "D": d, "likeliest": best})
    return found


def _mean(values: Any, low: float | None = None, high: float | None = None) -> Figure:
    if len(values) == 0:
        return Figure(None, note="there is no question")
    return Figure(float(values.mean()), len(values), low, high)


def _averaged(spec: Spec, name: str, rows: Sequence[Row], weighted: bool) -> Row:
    """The mean of each figure of several relations, each counting as its questions or once."""
    figures = {"questions": Figure(sum(int(row.figures["questions"].value or 0) for row in rows))}
    for figure in rows[0].figures:
        found = [row.figures[figure] for row in rows if figure in row.figures]
        known = [(of.value, of.n if weighted else 1) for of in found if of.value is not None]
        total = sum(n for _, n in known)
        if figure not in figures and total and not figure.startswith("offsets"):
            figures[figure] = Figure(sum(value * n for value, n in known) / total, total)
    return Row({"method": spec.title, "relation": name}, figures)


def _checksum(relations: Iterable[Relation]) -> str:
    """The SHA-256 of the names and sentences that are used."""
    import hashlib
    import json

    content = [[relation.name, relation.pairs, relation.wrong] for relation in relations]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
