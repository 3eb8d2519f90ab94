"""The fifteen relations of Zhu and de Melo (2020), made anew: their data cannot be had.

Six come of word pairs and templates (``templates``), four of sentences and their parses
(``rules``), three of rated sentence pairs in the form of SICK, two more of sentences; the
last five have five changed forms of B beside it (``distractors``). Each has as many pairs as the
paper's, or as there are. What is made depends on the files and the seed alone.

>>> from compsim.benchmarks.datasets.analogies.generator import SIZES
>>> len(SIZES), SIZES["rel-entailment"]
(15, 673)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from compsim.benchmarks.datasets.analogies import rules
from compsim.benchmarks.datasets.analogies.distractors import distractors
from compsim.benchmarks.datasets.analogies.templates import (
    Made,
    generate,
    read_templates,
    read_words,
)
from compsim.benchmarks.datasets.tables import read_table
from compsim.errors import DataError, InputError
from compsim.storage.files import write_text
from compsim.storage.reading import read_text

if TYPE_CHECKING:
    from compsim.parsers.pipeline.tree import Tree

__all__ = ["SIZES", "Sources", "make_relations", "write_relations"]

#: Pairs of each relation in the paper, in its order.
SIZES: Final[Mapping[str, int]] = {
    "capital-common": 138,
    "capital-world": 928,
    "city-in-state": 402,
    "currency": 150,
    "gender": 126,
    "comparative": 466,
    "opposite": 513,
    "nationality": 205,
    "plural": 512,
    "verb": 451,
    "rel-entailment": 673,
    "rel-negation": 511,
    "rel-passivization": 256,
    "rel-objective": 563,
    "rel-adjective": 550,
}
_OF_TEXT: Final = ("comparative", "opposite", "plural", "verb", "rel-objective", "rel-adjective")
_OF_PAIRS: Final = ("rel-entailment", "rel-negation", "rel-passivization")
#: Sections of Google's file whose words the rules for sentences need.
_OPPOSITES: Final = "gram2-opposite"
_VERBS: Final = "gram9-plural-verbs"
_PREFIXES: Final = ("un", "in", "im", "dis")
_LONGEST: Final = 30
#: Sentences that are parsed at a time.
_CHUNK: Final = 2048

_PASSIVE: Final = re.compile(r"\b(?:is|are) being (?:\w+ ){1,4}by\b")
_DENIAL: Final = re.compile(r"\b(?:no|not|nobody)\b|n't", re.IGNORECASE)

Pair: TypeAlias = tuple[str, str]
Row: TypeAlias = tuple[str, ...]
Advance: TypeAlias = Callable[[int], None]


@dataclass(frozen=True)
class Sources:
    """Word lists and tables from which relations are made; a source left out makes no relations.

    ``words``: word analogies in the form of Google's questions-words.txt. ``text``: files with a
    sentence a line, or in the last column between tabs. ``pairs``: files in the form of SICK.
    ``antonyms``: lines of two words, or of a word, "antonym" and a word, tabs between; those that
    differ by a prefix add to the opposites. ``templates``: one's own in place of the built-in ones.
    """

    words: Path
    text: Sequence[Path] = ()
    pairs: Sequence[Path] = ()
    antonyms: Path | None = None
    templates: Path | None = None


def write_relations(
    sources: Sources, folder: str | Path, seed: int = 1, advance: Advance = lambda count: None
) -> list[str]:
    """Write a file for each relation into a folder, which must not hold any yet.

    Gives lines on what is not made or smaller than in the paper. ``advance`` is told how many more
    sentences are parsed. Raises ``InputError`` for a folder that has TSV files, ``DataError`` for
    sources that are not there or not of their form.
    """
    place = Path(folder)
    if any(place.glob("*.tsv")):
        raise InputError(f"{folder} has TSV files already: give a new folder for those to be made")
    made = make_relations(sources, seed, advance)
    place.mkdir(parents=True, exist_ok=True)
    for name, rows in made.items():
        if len(rows) > 1:
            write_text(place / f"{name}.tsv", "".join("\t".join(row) + "\n" for row in rows))
    return [] if sources.templates else list(_remarks(sources, made))


def make_relations(
    sources: Sources, seed: int = 1, advance: Advance = lambda count: None
) -> dict[str, list[Row]]:
    """The rows of each relation that the sources can make: A, B, and B's five forms."""
    sections = read_words(sources.words)
    templates: Mapping[str, Made] | None = None
    if sources.templates is not None:
        templates = read_templates(sources.templates)
    result: dict[str, list[Row]] = {
        name: [*pairs] for name, pairs in generate(sections, templates).items()
    }
    if sources.text:
        result |= _of_text(sources, sections, seed, advance)
    if sources.pairs:
        result |= _of_pairs(sources.pairs, seed, advance)
    order = {name: i for i, name in enumerate(SIZES)}
    return dict(sorted(result.items(), key=lambda item: order.get(item[0], len(order))))


def _remarks(sources: Sources, made: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    for names, given, option in (
        (_OF_TEXT, bool(sources.text), "text"),
        (_OF_PAIRS, bool(sources.pairs), "pairs"),
    ):
        if not given:
            yield f"not made without {option}: {', '.join(names)}"
    for name, rows in made.items():
        if len(rows) < SIZES[name]:
            yield f"{name}: {len(rows)} pairs, the paper has {SIZES[name]}"


def _of_text(
    sources: Sources, sections: Mapping[str, Sequence[Pair]], seed: int, advance: Advance
) -> dict[str, list[Row]]:
    """The relations that are made of single sentences, from the first that are fit for each."""
    verbs = dict(_section(sections, _VERBS))
    opposites = _opposites(_section(sections, _OPPOSITES), sources.antonyms)
    numbers = "|".join(sorted(rules.NUMBERS))
    # What a sentence must have before it is worth a parse, and the rule.
    of: dict[str, tuple[re.Pattern[str], Callable[[Tree], Pair | None]]] = {
        "comparative": (re.compile(r"er\b.* than\b"), rules.comparative),
        "opposite": (
            re.compile(rf"\b(?:{'|'.join(map(re.escape, opposites))})\b"),
            partial(rules.opposite, opposites=opposites),
        ),
        "plural": (re.compile(rf"\b(?:{numbers})\b.*s\b", re.IGNORECASE), rules.plural),
        "verb": (
            re.compile(rf"[A-Z].* (?:{'|'.join(map(re.escape, verbs))})\b"),
            partial(rules.conjugation, verbs=verbs),
        ),
        "rel-objective": (re.compile(r"\b(?:sa|thin|thought|kn)\w* "), rules.objective),
        "rel-adjective": (re.compile(r"\b[Aa]n? \w+ \w+"), rules.adjective),
    }
    result: dict[str, dict[Pair, None]] = {name: {} for name in of}
    made: dict[str, list[Row]] = {name: [] for name in of}
    waiting: list[str] = []
    for text in (*_sentences(sources.text), None):
        left = [name for name in of if len(made[name]) < SIZES[name]]
        if text is not None and any(of[name][0].search(text) for name in left):
            waiting.append(text)
        if len(waiting) < (_CHUNK if text is not None else 1):
            continue
        new: dict[str, list[Pair]] = {name: [] for name in left}
        for tree in _trees(waiting):
            for name in left:
                pair = of[name][1](tree)
                if pair is not None and pair[0] != pair[1] and pair not in result[name]:
                    result[name][pair] = None
                    new[name].append(pair)
        advance(len(waiting))
        waiting = []
        for name, pairs in new.items():
            rows: list[Row] = [*pairs]
            if name.startswith("rel-"):
                rows = list(_with_forms(pairs, seed))
            made[name] += rows[: SIZES[name] - len(made[name])]
    return made


def _of_pairs(files: Sequence[Path], seed: int, advance: Advance) -> dict[str, list[Row]]:
    """The relations between the two sentences of a rated pair."""
    result: dict[str, dict[Pair, None]] = {name: {} for name in _OF_PAIRS}
    for file in files:
        for first, second, judged in _judged(file):
            passive = [_PASSIVE.search(text) is not None for text in (first, second)]
            denied = [_DENIAL.search(text) is not None for text in (first, second)]
            if judged == "ENTAILMENT" and passive[0] == passive[1]:
                result["rel-entailment"][first, second] = None
            elif judged == "ENTAILMENT":
                pair = (second, first) if passive[0] else (first, second)
                result["rel-passivization"][pair] = None
            elif judged == "CONTRADICTION" and denied[0] != denied[1]:
                pair = (first, second) if denied[0] else (second, first)
                result["rel-negation"][pair] = None
    made = {}
    for name, pairs in result.items():
        distinct = [pair for pair in pairs if pair[0] != pair[1]]
        made[name] = list(_with_forms(distinct, seed))[: SIZES[name]]
        advance(len(distinct))
    return made


def _with_forms(pairs: Sequence[Pair], seed: int) -> Iterator[Row]:
    """The pairs with the five forms of B, where all are different from each other and from A."""
    trees = _trees([second for _, second in pairs])
    for (first, second), tree in zip(pairs, trees, strict=True):
        forms = distractors(tree, seed)
        if forms is not None and len({first, second, *forms}) == 2 + len(forms):
            yield first, second, *forms


def _trees(texts: Sequence[str]) -> list[Tree]:
    """The parses of sentences by the shipped pipeline."""
    from compsim.parsers.roles.srl import SrlParser

    return [tree for tree, _ in SrlParser().analyse(texts)] if texts else []


def _sentences(paths: Sequence[Path]) -> list[str]:
    """The distinct sentences of files, of four to thirty words."""
    lines = (line for path in paths for line in read_text(path).splitlines())
    texts = dict.fromkeys(" ".join(line.split("\t")[-1].split()) for line in lines)
    sentences = [text for text in texts if 3 < len(text.split()) <= _LONGEST]
    if not sentences:
        raise DataError(
            f"{', '.join(map(str, paths))}: no sentence of 4 to {_LONGEST} words: give one a line"
        )
    return sentences


def _judged(path: Path) -> Iterator[tuple[str, str, str]]:
    """The sentences of a file in the form of SICK, and which relation people saw in them."""
    rows = read_table(path, "\t")
    heads = [head.lower() for head in rows[0][1]] if rows else []
    judgement = next((h for h in ("entailment_judgment", "entailment_label") if h in heads), "")
    if not {"sentence_a", "sentence_b"} <= set(heads) or not judgement:
        raise DataError(
            f"{path}, line 1: not the columns sentence_A, sentence_B and entailment_judgment: "
            "give a file of SICK, or one like it"
        )
    places = [heads.index(name) for name in ("sentence_a", "sentence_b", judgement)]
    for line, cells in rows[1:]:
        if len(cells) <= max(places):
            raise DataError(f"{path}, line {line}: {len(cells)} columns: mend the line")
        first, second, judged = (cells[place] for place in places)
        yield first, second, judged.upper()


def _section(sections: Mapping[str, Sequence[Pair]], name: str) -> Sequence[Pair]:
    if not sections.get(name):
        raise DataError(
            f"there are no word pairs in the section {name!r}: give Google's questions-words.txt"
        )
    return sections[name]


def _opposites(pairs: Sequence[Pair], antonyms: Path | None) -> dict[str, tuple[str, bool]]:
    """Each opposite with the other, and whether it is the first; those of a prefix added."""
    every = dict.fromkeys(pairs)
    if antonyms is not None:
        for number, line in enumerate(read_text(antonyms).splitlines(), start=1):
            words = line.split("\t") if "\t" in line else line.split()
            if len(words) not in (2, 3):
                raise DataError(
                    f"{antonyms}, line {number}: {len(words)} columns: give two words, or a word, "
                    "antonym, and a word"
                )
            if len(words) == 2 or words[1] == "antonym":
                first, second = words[0], words[-1]
                if any(second == prefix + first for prefix in _PREFIXES):
                    every[first, second] = None
    opposites: dict[str, tuple[str, bool]] = {}
    for first, second in every:
        opposites.setdefault(first, (second, True))
        opposites.setdefault(second, (first, False))
    return opposites
