"""Tests of adjective-noun vectors against set semantics: red dogs, fake laws.

Three tests on phrases alone, without ratings, after the classes of Montague semantics; d(x, y) is 1
less the similarity of x and y.

1. Intersective: every word of a phrase is at most as far from the phrase as the two parts of any
   split of the phrase are from each other. "AN" has one adjective, "AAN" two of different words.
2. Of two nouns, "red dog" and "red chair" are nearer to each other than "skilful dog" and "skilful
   chair": how often an adjective of one class brings nouns together more than one of another.
3. Not subsective: the phrase is nearer to its adjective than to its noun.

Figures are shares of phrases; intervals and p values are over adjectives, since the phrases of one
adjective are dependent.

>>> from compsim.benchmarks import Spec, run
>>> from compsim.benchmarks.datasets.modifiers.words import word_lists
>>> rows = [("S-I", "red", ""), ("NS-priv", "fake", ""), ("noun", "dog", ""), ("noun", "law", "")]
>>> task = Modifiers(word_lists(rows), [Spec("mean-cn", {"vectors": "builtin"})])
>>> run(task).rows[0].figures["1 AN"].value  # always so where a phrase is the mean of its words
1.0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from compsim.benchmarks.datasets.modifiers.phrases import Phrases, Wording
from compsim.benchmarks.datasets.modifiers.words import CLASSES, PAPER, WordLists, open_words
from compsim.benchmarks.task import (
    Advance,
    Figure,
    Results,
    Row,
    Spec,
    Task,
    listed,
    open_method,
    sha256,
)
from compsim.benchmarks.tasks.similarity.sts import explainer, specs_of
from compsim.benchmarks.workspace import Workspace, by_content
from compsim.errors import InputError

if TYPE_CHECKING:
    from compsim.benchmarks.stats.paired import Sample

__all__ = ["Modifiers", "Settings", "modifiers"]

_OOV: Final = ("drop", "zero")
_DISTANCES: Final = ("cos", "l2", "dot")
#: Methods that the paper has under another name, with their own pooling.
_PRINTED: Final = {
    "labse": "LaBSE",
    "nv-embed": "NV-Embed-v2",
    "specter": "Specter",
    "stella": "stella_en_1.5B_v5",
}
#: Phrases of each class that are shown from either end.
_EXTREMES: Final = 3
_ARITHMETIC: Final = (
    "its phrases are means of word vectors, so test 1 of AN is 1 by geometry, and test 3 only says "
    "which of the two words has the longer vector"
)
_READING: Final = {
    1: "test 1: how often every word is at most as far from its phrase as the parts of the phrase "
    "are from each other; AAN: by the class of the second adjective",
    2: "test 2: how often an adjective of the row's class brings two nouns nearer to each other "
    "than one of the column's; expected of S-I against S-NI",
    3: "test 3: how often a phrase is nearer to its adjective than to its noun; expected of NS",
}
_BARE: Final = (
    "a phrase alone has no verb, so its noun is the head of all there is to compare, which decides "
    "test 3: give a sentence to put phrases into (--carrier)"
)


@dataclass(frozen=True)
class Settings:
    """Settings of the tests.

    ``tests`` of 1, 2 and 3; ``double``: test 1 has phrases of two adjectives too, ``sample`` of
    them where that is given. ``authors_mean``: test 2 is the mean over first nouns of their means.
    ``oov``: phrases with a word that has no vector are left out ("drop"), or count as the method
    has them, a zero vector being at distance 1 from all ("zero"). ``synonyms``: test 3 once more,
    with the adjective's synonym in its place. ``distance``: "cos", "l2" or "dot", as in
    ``stats.modifiers.Distances``.
    """

    tests: tuple[int, ...] = (1, 2, 3)
    double: bool = False
    sample: int | None = None
    authors_mean: bool = False
    oov: str = "drop"
    synonyms: bool = False
    distance: str = "cos"

    def __post_init__(self) -> None:
        if not self.tests or not set(self.tests) <= {1, 2, 3}:
            raise InputError("tests: give some of 1, 2 and 3, separated by commas")
        if self.oov not in _OOV:
            raise InputError(f"oov={self.oov!r} is not known: use {' or '.join(_OOV)}")
        if self.distance not in _DISTANCES:
            raise InputError(
                f"distance={self.distance!r} is not known: use {', '.join(_DISTANCES)}"
            )
        if self.sample is not None and self.sample < 1:
            raise InputError(f"sample={self.sample}: give a number above 0")


def modifiers(
    words: Annotated[
        Path,
        "word list: paper (built in), a CSV file with the columns class, word, "
        "synonym, or a folder with one file per class",
    ],
    nouns: Annotated[str | None, "nouns, separated by commas, or a CSV file of them"] = None,
    methods: str = "verbnet-cn",
    tests: Annotated[str, "some of 1, 2, 3, separated by commas"] = "1,2,3",
    phrases: Annotated[str, "an: one adjective; an+aan: test 1 on two adjectives too"] = "an",
    sample: Annotated[int | None, "so many phrases of two adjectives, drawn at random"] = None,
    authors_mean: Annotated[
        bool, "test 2: average over nouns first (macro average), as the authors do"
    ] = False,
    synonyms: Annotated[bool, "test 3 also with the adjective's synonym in its place"] = False,
    carrier: Annotated[
        str, "a sentence for phrases and nouns, with {phrase}, or {a phrase} for an article"
    ] = "{phrase}",
    adjective_carrier: Annotated[
        str | None, "a sentence for adjectives alone; default: as for phrases"
    ] = None,
    keep_case: Annotated[bool, "words as they are written, not lower-cased"] = False,
    fix_typos: Annotated[bool, "correct the misspelt noun of the paper's list"] = False,
    oov: Annotated[str, "phrases with an unknown word: drop, or zero as the paper has it"] = "drop",
    distance: Annotated[str, "cos: 1 less the score; l2 or dot of the vectors"] = "cos",
    published: Annotated[bool, "add the figures that the paper prints"] = False,
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
) -> Task:
    """Test vectors of adjective-noun phrases against predictions of set semantics."""
    lists = open_words(words, nouns, keep_case, fix_typos)
    specs = specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})
    if phrases not in ("an", "an+aan"):
        raise InputError(f"phrases={phrases!r} is not known: use an or an+aan")
    try:
        chosen = tuple(sorted({int(number) for number in listed(tests)}))
    except ValueError as error:
        raise InputError(f"tests={tests!r}: give some of 1, 2 and 3") from error
    double = phrases == "an+aan"
    settings = Settings(chosen, double, sample, authors_mean, oov, synonyms, distance)
    files = sorted(words.glob("*.csv")) if words.is_dir() else [words]
    if str(words) == "paper" and not words.exists():
        files = [PAPER]
    wording = Wording(carrier, carrier if adjective_carrier is None else adjective_carrier)
    checksum = sha256(files)
    return Modifiers(lists, specs, settings, wording, str(words), checksum, published=published)


class Modifiers(Task):
    """The three tests, class by class."""

    name = "modifiers"
    title = "Adjectives and nouns: what sets would have it"
    paper = "Montague semantics and modifier consistency (modifiers)"
    unit = "adjectives"

    def __init__(
        self,
        lists: WordLists,
        specs: Sequence[Spec],
        settings: Settings | None = None,
        wording: Wording | None = None,
        source: str = "",
        checksum: str = "",
        published: bool = False,
    ) -> None:
        self.lists, self.specs = lists, specs
        self.settings = settings or Settings()
        self.wording = wording or Wording()
        self.published = published
        if 2 in self.settings.tests and len(lists.nouns) < 2:
            raise InputError(
                f"test 2 compares phrases of two nouns, and there is only {lists.nouns[0]!r}: give "
                "more nouns, or tests 1,3"
            )
        self.form = ".4f"
        self.problems = lists.problems
        self.data = "adjectives and nouns", source, checksum
        self.columns = dict.fromkeys(self._columns(), 0)
        second = next((name for name in self.columns if name.startswith("2 ")), "")
        classes = list(lists.classes)
        if second:
            self.headline, self.figure = second, f"test 2, {classes[0]} against {classes[1]}"
        self.content = [
            {name: list(result) for name, result in lists.classes.items()},
            list(lists.nouns),
            dict(lists.synonyms),
            repr(self.settings),
            repr(self.wording),
        ]
        own = self.settings
        double = own.double and 1 in own.tests
        self.phrases = Phrases(lists, self.wording, double, own.sample, own.synonyms)
        self.steps = len(self.phrases.texts)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """A row for each class, with p values against the classes after it."""
        from compsim.benchmarks.sides import encode_all, unparsed
        from compsim.benchmarks.stats.modifier_classes import Outcome
        from compsim.benchmarks.stats.modifiers import Distances, beside_a_mean, parts

        method: Any = open_method(spec)
        options = {name: value for name, value in spec.options.items() if name != "normalize"}
        batch = encode_all(
            self.phrases.texts,
            method,
            workspace=workspace,
            content=None if spec.model else (spec.method, by_content(options), spec.roles),
            advance=lambda _, count: advance(spec.method, count),
        )
        own = self.settings
        distances = Distances(method, batch, self.phrases, own.oov == "drop", own.distance)
        measured = parts(distances, self.phrases)
        beside = beside_a_mean(distances, measured)
        outcome = Outcome.of(distances, self.phrases, own.tests, own.authors_mean)
        remarks = _method_notes(method, self.wording, unparsed(batch))
        if distances.unknown:
            treated = "left out" if own.oov == "drop" else "taken as the method has them"
            words = ", ".join(distances.unknown)
            remarks.append(f"phrases with words without a vector, {treated}: {words}")
        remarks += outcome.missing()
        rows = []
        for name in self.lists.classes:
            figures, details = outcome.of_class(name)
            of = {"method": spec.title, "class": name, "normalize": method.normalize}
            if own.distance != "cos":
                of["distance"] = own.distance
            places = outcome.classes[name]
            details["phrases"] = _extremes(self.phrases, measured, places)
            details["beside a mean"] = _mean_of(beside[places])
            notes = _differences(details)
            rows.append(Row(of, figures, notes=notes, details={**details, "remarks": remarks}))
        return rows

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, what must be known of each method, and what the paper prints."""
        from compsim.benchmarks.published import published_modifiers

        printed = published_modifiers()
        rows = [self._with_printed(row, printed) for row in rows]
        literature = [
            Row({"method": f"{model}, published", "class": name}, self._printed(by[name]))
            for model, by in printed.items()
            for name in self.lists.classes
            if self.published and name in by
        ]
        remarks = dict.fromkeys(
            f"{row.of['method']}: {remark}"
            for row in rows
            for remark in row.details.get("remarks", ())
        )
        counts = ", ".join(f"{name} {len(words)}" for name, words in self.lists.classes.items())
        outcome = [
            f"adjectives: {counts}; {len(self.lists.nouns)} nouns; "
            f"{self.phrases.count} phrases; intervals and p are over adjectives",
            *(outcome for number, outcome in _READING.items() if number in self.settings.tests),
        ]
        about = {
            "problems": list(self.problems),
            "classes": {name: CLASSES[name] for name in self.lists.classes},
        }
        remarks = dict.fromkeys([*outcome, *remarks])
        return super().results(rows, remarks=[*remarks], about=about, literature=literature)

    def items_of(self, row: Row) -> Sample | None:
        """Test 2 of the first class against the next, by its adjectives."""
        import numpy as np

        from compsim.benchmarks.stats.paired import Sample

        if not self.headline or row.of["class"] != next(iter(self.lists.classes)):
            return None
        hits, counts = np.array(row.details["of the next class"], np.float64).T
        with np.errstate(invalid="ignore"):
            return Sample(hits / counts, weights=counts)

    def _printed(self, by: Mapping[str, float]) -> dict[str, Figure]:
        return {name: Figure(by[name]) for name in self.columns if name in by}

    def _with_printed(self, row: Row, printed: Mapping[str, Mapping[str, Any]]) -> Row:
        """The row with what the paper prints of its method, and what explains its scores."""
        from compsim.benchmarks.published import is_default

        own = [spec for spec in self.specs if spec.title == row.of.get("method")]
        if not own or row.status != "ok" or row.of["normalize"] not in ("", "none"):
            return row
        known = own[0].model is None and is_default(own[0].options)
        model = _PRINTED.get(own[0].method, "") if known else ""
        by = printed.get(model, {}).get(row.of["class"], {})
        result = {name: by[name] for name in self.columns if name in by}
        return replace(row, published=result, explain=explainer(own[0]))

    def _columns(self) -> list[str]:
        tests, classes = self.settings.tests, list(self.lists.classes)
        columns = []
        if 1 in tests:
            columns += ["1 AN", *(f"1 AAN {name}" for name in classes if self.settings.double)]
        if 2 in tests:
            columns += [f"2 {name}" for name in classes[1:]]
        if 3 in tests:
            columns += ["3", *["3 synonym"] * self.settings.synonyms]
        return columns

    def report(self, results: Results) -> str:
        """The table, bars of tests 1 and 3, a heat map of test 2, and the single adjectives."""
        from compsim.benchmarks.report.modifiers import modifiers_section

        return modifiers_section(self, results)


def _extremes(phrases: Phrases, measured: Any, places: Any) -> list[dict[str, Any]]:
    """The phrases of a class nearest to their adjective and to their noun, with all distances.

    ``measured`` is what ``stats.modifiers.parts`` gives.
    """
    import numpy as np

    near = (measured[1] - measured[0])[places]
    order = np.argsort(-near, axis=None, kind="stable")
    known = order[np.isfinite(near.ravel()[order])].tolist()
    chosen = dict.fromkeys([*known[:_EXTREMES], *known[-_EXTREMES:]])
    extremes = []
    for k in chosen:
        i, j = divmod(k, near.shape[1])
        a = int(places[i])
        to_a, to_n, apart = (round(float(d), 4) for d in measured[:, a, j])
        texts = (phrases.single[a, j], phrases.adjective[a], phrases.noun[j])
        phrase, adjective, noun = (phrases.texts[int(place)] for place in texts)
        of = {"phrase": phrase, "adjective": adjective, "noun": noun}
        extremes.append({**of, "to adjective": to_a, "to noun": to_n, "apart": apart})
    return extremes


def _mean_of(values: Any) -> float | None:
    """The mean of what is a number, None where nothing is."""
    import numpy as np

    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else None


def _method_notes(method: Any, wording: Wording, failed: int) -> list[str]:
    """Return notes on effects that stem from the method, not from its vectors."""
    from compsim.embeddings.arithmetic import MeanMethod

    results = []
    if isinstance(method, MeanMethod) and wording == Wording():
        results.append(_ARITHMETIC)
    if hasattr(method, "parser") and wording == Wording():
        results.append(_BARE)
    if failed:
        results.append(f"{failed} texts have no parse")
    return results


def _differences(details: Mapping[str, Any]) -> list[str]:
    """Return the p values as a line of text."""
    results = [
        f"{test}: " + ", ".join(f"{other} {p:.2g}" for other, p in values.items() if p is not None)
        for test, values in details["p"].items()
        if any(p is not None and p < 1 for p in values.values())
    ]
    return [f"p of a difference, test {'; test '.join(results)}"] if results else []
