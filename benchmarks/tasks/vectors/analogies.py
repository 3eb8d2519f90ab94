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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from compsim.benchmarks.datasets.analogies.generator import Sources, write_relations
from compsim.benchmarks.datasets.analogies.relations import KINDS, Relation, open_relations
from compsim.benchmarks.results import Figure, Results, Row
from compsim.benchmarks.task import Advance, Spec, Task, listed, open_method
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.benchmarks.tasks.vectors.analogy_rows import (
    WHOLE,
    Answered,
    Questions,
    answers_of,
    candidates,
    groups_of,
    mean_of,
    means_of,
    places_of,
    sample_of,
    title_of,
)
from compsim.benchmarks.workspace import Workspace, by_content
from compsim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from compsim.benchmarks.analogy_spaces import Space
    from compsim.benchmarks.stats.paired import Sample

__all__ = ["Analogies", "Choosing", "analogies"]

_RULES: Final = ("3cosadd", "3cosmul", "pairdir")
_BASELINES: Final = ("nearest C", "nearest B")
#: The rule that needs vectors, not similarities alone.
_OF_DIRECTIONS: Final = "pairdir"


def analogies(
    data: Annotated[
        Path,
        "a folder of TSV files with A and B in each row; files named rel-* also have "
        "five modified versions of B",
    ],
    relations: Annotated[str | None, "which files, separated by commas; default: all"] = None,
    scores: Annotated[str, "3cosadd, 3cosmul, pairdir, separated by commas"] = ",".join(_RULES),
    methods: str = "mean-cn",
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
    max_questions: Annotated[
        int, "maximum number of questions per relation, sampled at random"
    ] = 1_000_000,
    seed: Annotated[int, "of the questions that are drawn, and of what generate draws"] = 1,
    as_published: Annotated[bool, "add rows with answers as the paper's code counts them"] = False,
    published: Annotated[bool, "add rows with the figures of the paper's Tables 4 and 5"] = False,
    generate: Annotated[
        Path | None, "Google's questions-words.txt: first make relations of its words, in DATA"
    ] = None,
    text: Annotated[
        str | None, "generate: files of sentences, separated by commas, for six relations more"
    ] = None,
    pairs: Annotated[
        str | None, "generate: files of SICK, separated by commas, for three relations more"
    ] = None,
    antonyms: Annotated[
        Path | None, "generate: pairs of antonyms; those in un-, in-, im-, dis- are taken"
    ] = None,
    templates: Annotated[
        Path | None, "generate: templates of yours: relation, section, one or two with {}, by tabs"
    ] = None,
) -> list[Task]:
    """Answer sentence analogies with sentence vectors, or scores (share of right answers)."""
    remarks: list[str] = []
    if generate is not None:
        texts, rated = ([*map(Path, listed(of))] if of else [] for of in (text, pairs))
        sources = Sources(generate, texts, rated, antonyms, templates)
        remarks = write_relations(sources, data, seed)
    elif text or pairs or antonyms or templates:
        raise InputError("text, pairs, antonyms and templates make relations: give generate too")
    result = open_relations(data, None if relations is None else listed(relations))
    rules = list(dict.fromkeys(listed(scores)))
    for rule in rules:
        if rule not in _RULES:
            raise UnknownNameError(f"there is no rule {rule!r}: use {', '.join(_RULES)}")
    specs = specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})
    tasks: list[Task] = []
    for kind, of in (
        (Analogies, [relation for relation in result if not relation.wrong]),
        (Choosing, [relation for relation in result if relation.wrong]),
    ):
        if of:
            task = kind(of, specs, rules, max_questions, seed, str(data), as_published)
            task.published = published
            tasks.append(task)
    tasks[0].problems = [*remarks, *tasks[0].problems]
    return tasks


class Analogies(Task):
    """Analogies whose answer is sought among all sentences of the relation."""

    name = "analogies"
    title = "Sentence analogies"
    form = ".4f"
    paper = "Zhu, de Melo 2020 (analogies)"
    unit = "pairs asked of"
    #: Whether the rows of the paper are added.
    published = False

    def __init__(
        self,
        relations: Sequence[Relation],
        specs: Sequence[Spec],
        rules: Sequence[str] = _RULES,
        most: int = 1_000_000,
        seed: int = 1,
        source: str = "",
        as_published: bool = False,
    ) -> None:
        self.relations, self.specs, self.rules = relations, specs, rules
        self.most, self.seed, self.as_published = most, seed, as_published
        self.headline, self.figure = self.rules[0], f"share right by {self.rules[0]}"
        self.data = self.title, source, _checksum(relations)
        self.content = [self.title, self.data[2], list(rules), most, seed, as_published]
        self.problems = [problem for relation in relations for problem in relation.problems]
        self.steps = sum(
            len(relation.sentences()) + self._asked(relation) for relation in relations
        )
        self.columns = dict.fromkeys(self._columns(), 0)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """A row for each relation, and for means where there are several."""
        from compsim.benchmarks.analogy_spaces import consistency, open_spaces

        method, rules = _method(spec, self.rules)
        tell = partial(advance, spec.method)
        options = {name: value for name, value in spec.options.items() if name != "normalize"}
        content = None if spec.model else (spec.method, by_content(options), None)
        spaces, notes = open_spaces(method, self.relations, workspace, content, tell)
        rows = []
        each = zip(self.relations, spaces, consistency(self.relations, spaces), strict=True)
        for relation, space, offsets in each:
            row = self._row(spec, relation, space, rules, tell)
            rows.append(replace(row, figures={**row.figures, **offsets}))
            if missing := getattr(space.likeness, "missing", 0):
                notes.append(f"{relation.name}: {missing} scores are NaN and count as -1")
        if len(rules) < len(self.rules):
            notes.append(f"{spec.title} has no vectors, so no {_OF_DIRECTIONS}")
        if notes:
            rows[0] = replace(rows[0], notes=[*notes, *rows[0].notes])
        results = [*rows, *means_of(spec, rows, self.rules[0])]
        if not self.as_published:
            return results
        theirs = [self._published(spec, *both) for both in zip(self.relations, spaces, strict=True)]
        return [
            replace(row, of={**row.of, "answers": how})
            for how, of in (("exact", results), ("as published", theirs))
            for row in of
        ]

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and what their columns mean."""
        remarks = [
            "U: A, B and C are candidates too; shared: a tie of k counts 1/k; nearest: no offset"
        ]
        if any(len(r.pairs) * (len(r.pairs) - 1) > self.most for r in self.relations):
            remarks.append(f"{self.most} questions of a relation were drawn, seed {self.seed}")
        about = {"problems": list(self.problems)}
        literature = self._literature()
        if literature:
            remarks.append(
                "published: Zhu and de Melo (2020), Tables 4 and 5, over sentences of theirs that "
                "cannot be had; their column of 3CosAdd-U repeats 3CosMul-U"
            )
        return super().results(rows, remarks=remarks, about=about, literature=literature, **more)

    def _literature(self) -> list[Row]:
        """Return the paper's rows for the groups of relations that have a row here."""
        from compsim.benchmarks.published import published_analogies

        groups = groups_of([relation.name for relation in self.relations])
        return [
            Row(
                {"method": f"{model}, published", "relation": groups[group]},
                {name: Figure(by[name]) for name in self.columns if name in by},
            )
            for group, models in published_analogies().items()
            if self.published and group in groups
            for model, by in models.items()
        ]

    def items_of(self, row: Row) -> Sample | None:
        """The share of right answers of each pair that was asked of, over all relations."""
        whole = WHOLE if len(self.relations) > 1 else self.relations[0].name
        if row.of["relation"] != whole or row.of.get("answers", "exact") != "exact":
            return None
        return sample_of(row.details["answers"])

    def report(self, results: Results) -> str:
        """The table, the accuracy by relation and method, and questions that were missed."""
        from compsim.benchmarks.report import analogies as drawn
        from compsim.benchmarks.report import section

        names = [relation.name for relation in self.relations]
        parts = [
            drawn.by_relation(results, self.rules[0], names, _BASELINES[0]),
            drawn.matrix(results, self.rules[0], names),
            self._more(results),
            drawn.failures(results.rows),
        ]
        return section(results, self.title, *parts)

    def _more(self, results: Results) -> str:
        """Return further figures of the report as HTML."""
        return ""

    def _columns(self) -> list[str]:
        unconstrained = [f"{rule}-U" for rule in self.rules]
        shared = [f"{rule} shared" for rule in self.rules[:1]]
        closing = (*_BASELINES, "chance", "offsets", "offsets across")
        return ["questions", *self.rules, *unconstrained, *shared, *closing]

    def _asked(self, relation: Relation) -> int:
        count = len(relation.pairs)
        return min(self.most, count * (count - 1))

    def _row(
        self,
        spec: Spec,
        relation: Relation,
        space: Space,
        rules: Sequence[str],
        tell: Any,
    ) -> Row:
        import numpy as np

        from compsim.benchmarks.analogy_spaces import missed
        from compsim.benchmarks.stats.analogies import over_pairs

        asked = self._questions(relation, space)
        count, i, j = len(asked.first), asked.i, asked.j
        result = self._answered(asked, rules, tell)
        figures = {"questions": Figure(int(result.valid.sum()))}
        for name, share in result.shares.items():
            valid = np.ones(len(i), dtype=bool) if name.endswith("-U") else result.valid
            ends = over_pairs(count, i, j, share == 1, valid) if name in rules else ()
            figures[name] = mean_of((share == 1)[valid], *ends)
            figures[f"{name} shared"] = mean_of(share[valid])
        main = result.shares[rules[0]]
        wrong = np.flatnonzero(result.valid & (main < 1))
        details = {
            "pairs": count,
            **result.details,
            "answers": answers_of(count, j, main == 1, result.valid),
            "missed": missed(space, relation, i[wrong], j[wrong], result.among),
        }
        of = {"method": title_of(spec), "relation": relation.name}
        return Row(of, {**figures, **result.figures}, notes=result.notes, details=details)

    def _questions(self, relation: Relation, space: Space) -> Questions:
        import numpy as np

        from compsim.benchmarks.stats.analogies import questions

        first, second = (
            np.array([space.place[pair[k]] for pair in relation.pairs]) for k in (0, 1)
        )
        return Questions(
            relation, space, first, second, *questions(len(first), self.most, self.seed)
        )

    def _answered(self, asked: Questions, rules: Sequence[str], tell: Any) -> Answered:
        """Return the rules' answers to the questions of a relation."""
        from compsim.benchmarks.stats.analogies import answer

        _, space, first, second, i, j = asked
        result = answer(space.likeness, first, second, i, j, rules, tell)
        apart = 3 - (first[i] == first[j]) - (second[i] == first[j])
        chance = mean_of(1 / (len(space.place) - apart[result.valid]))
        results = {"candidates": len(space.place), "left out": int((~result.valid).sum())}
        return Answered(result.shares, result.valid, {"chance": chance}, results)

    def _published(self, spec: Spec, relation: Relation, space: Space) -> Row:
        """Return the row that the paper's code would print; empty for a method without vectors."""
        figures: dict[str, Figure] = {}
        if space.unit is not None:
            asked = self._questions(relation, space)
            right = self._answered_as_published(asked, space.unit)
            figures = {"questions": Figure(len(asked.i))}
            figures |= {name: mean_of(of) for name, of in right.items()}
        return Row({"method": title_of(spec), "relation": relation.name}, figures)

    def _answered_as_published(
        self, asked: Questions, unit: npt.NDArray[np.float64]
    ) -> Mapping[str, npt.NDArray[np.bool_]]:
        """Return the questions (q,) that the paper's code counts as answered right, by rule."""
        from compsim.benchmarks.stats.published_analogies import answer

        return answer(unit[asked.first], unit[asked.second], asked.i, asked.j)


class Choosing(Analogies):
    """Analogies whose answer stands among five changed forms of it."""

    title = "Sentence analogies, six candidates"

    def _literature(self) -> list[Row]:
        """Nothing: the paper draws the figures of these, and prints none."""
        return []

    def _more(self, results: Results) -> str:
        """Return the sentences that were chosen in place of the answer, as HTML."""
        from compsim.benchmarks.report.analogies import choices

        return choices(results, self.rules[0], ("D", *KINDS))

    def _columns(self) -> list[str]:
        shared = [f"{rule} shared" for rule in self.rules[:1]]
        closing = (*_BASELINES, "chance", "offsets", "offsets across")
        return ["questions", *self.rules, *shared, *KINDS, *closing]

    def _answered(self, asked: Questions, rules: Sequence[str], tell: Any) -> Answered:
        """Return the rules' choices in each question of a relation."""
        import numpy as np

        from compsim.benchmarks.stats.analogies import choose

        relation, space, first, second, i, j = asked
        own = places_of(asked)
        result = choose(space.likeness, first, second, own, i, j, rules, tell)
        main = result.chosen[rules[0]].tolist()
        figures = {kind: Figure(of, len(i)) for kind, of in zip(("D", *KINDS), main, strict=True)}
        figures["chance"] = Figure(1 / own.shape[1], len(i))
        against = {
            rule: {
                kind: dict(zip(("wins", "ties", "loses"), of.tolist(), strict=True))
                for kind, of in zip(KINDS, result.against[rule], strict=True)
            }
            for rule in rules
        }
        blind = [kind for kind in KINDS if against[rules[0]][kind]["ties"] > 1 / 2]
        notes = [f"{relation.name}: blind to {', '.join(blind)}: most tie with D"] if blind else []
        every = np.ones(len(i), dtype=bool)
        results = {"against": against}
        return Answered(result.shares, every, figures, results, notes, candidates(relation))

    def _answered_as_published(
        self, asked: Questions, unit: npt.NDArray[np.float64]
    ) -> Mapping[str, npt.NDArray[np.bool_]]:
        """The same of the paper's code."""
        from compsim.benchmarks.stats.published_analogies import choose

        _, _, first, second, i, j = asked
        return choose(unit, first, second, places_of(asked), i, j)


def _method(spec: Spec, rules: Sequence[str]) -> tuple[Any, list[str]]:
    """The method and the rules that it can follow.

    Raises ``InputError`` where that is none.
    """
    from compsim.embeddings.method import EmbeddingMethod

    method: Any = open_method(spec)
    if isinstance(method, EmbeddingMethod):
        return method, list(rules)
    left = [rule for rule in rules if rule != _OF_DIRECTIONS]
    if not left:
        raise InputError(
            f"method {spec.method!r} gives sentences no vectors, whose directions {_OF_DIRECTIONS} "
            "compares: use 3cosadd or 3cosmul, or a method such as mean-cn or sbert"
        )
    return method, left


def _checksum(relations: Iterable[Relation]) -> str:
    """The SHA-256 of the names and sentences that are used."""
    import hashlib
    import json

    content = [[relation.name, relation.pairs, relation.wrong] for relation in relations]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
