"""The words of a parsed text that carry what it says, in their order.

They are the concepts of its graph, and words that make no concept but say how concepts belong
together: prepositions, subordinators, degrees and limits, negation, modal verbs. Articles,
auxiliaries and other words that the grammar has taken up into relations are none.

>>> from compsim.parsers import load
>>> (graph,) = load("concepts").parse(["She turned the lights off for half an hour."])
>>> [word.form for word in words_of(graph)]
['she', 'turn_off', 'light', 'for', '30', 'minute']
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np

from compsim.comparison.concepts import spelt_right
from compsim.comparison.roles import RoleTable
from compsim.graph import RoleGraph
from compsim.graph.nodes import Node, Span
from compsim.normal_form import reading
from compsim.parsers.grammar.lexicon import Lexicon

__all__ = ["Word", "words_of"]

_WORD: Final = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*|[%$\u20ac\u00a3]")
#: What a word may have behind its concept: "the nurse's bag", "they're".
_BEHIND: Final = ("'", "\u2019")
#: Classes of the lexicon whose words say how concepts belong together.
_CLOSED: Final = (
    "subordinator", "particle", "quantifier", "negation", "degree", "limit",
)  # fmt: skip
_MODAL_VERBS: Final = frozenset(("can", "could", "may", "might", "must", "should", "shall", "need"))
_PREPOSITION: Final = "preposition"
#: Classes of verbs that give way to a relation which "have" tells as well.
_OWNING: Final = ("possession", "wearing")
#: From this compatibility on another preposition may say the same of the same two concepts.
_COMPATIBLE: Final = 0.7
#: Words of these classes that come and go with the structure of a sentence.
_STRUCTURE: Final = frozenset(("a", "an", "the", "of", "just", "that", "to"))


class Word(NamedTuple):
    """A word of a text: its lemma, or how it is written, where it stands, its concept or -1.

    ``feature``: it is no concept itself, but has become a feature of its concept ("few people").
    """

    form: str
    span: Span
    node: int = -1
    feature: bool = False


def words_of(graph: RoleGraph) -> list[Word]:
    """Return the words of a parsed text, in their order; several of one concept are one word.

    What is asked for is no word: in an answer other words stand in its place. Nor is a verb that
    stands in no relation, while others do, but one that says that somebody has something: it is
    "have", whichever it is.
    """
    nodes = graph.nodes
    joined = {edge.source for edge in graph.edges}.union([edge.target for edge in graph.edges])
    concepts = [_concept(node.label, node.features) for node in nodes]
    places = sorted(
        (span, number, part == 0)
        for number, node in enumerate(nodes)
        for part, span in enumerate(node.spans)
    )
    featured = _featured(graph)
    words: list[Word] = []
    at = done = -1  # the last place that begins before a word, and the last whose words are there
    for match in _WORD.finditer(graph.text):
        span = begin, end = match.span()
        written = match[0].lower()
        while at + 1 < len(places) and places[at + 1][0][0] <= begin:
            at += 1
        after = places[at][0][1] if at >= 0 else begin
        if after < end and (after <= begin or written[after - begin] not in _BEHIND):
            following = [nodes[number] for _, number, _ in places[at + 1 : at + 2]]
            mark = written == "to" and any(map(_is_infinitive, following))
            for word in _read_words(written):
                form = _closed_forms().get(word)
                if form and not mark:
                    number = featured.get((word, begin), -1)
                    words.append(Word(form, span, number, number >= 0))
        elif at != done:
            # A number and its unit may stand for the same words, as for "noon".
            first = at
            while first - 1 > done and places[first - 1][0] == places[at][0]:
                first -= 1
            for where, number, begins in places[first : at + 1]:
                concept = concepts[number]
                form = "" if concept.asked else concept.lemma
                if concept.verb and joined and number not in joined:
                    form = "have" if concept.lemma in _owning_verbs() else ""
                if begins and form:
                    words.append(Word(form, where, number))
            done = at
    return words


def _featured(graph: RoleGraph) -> dict[tuple[str, int], int]:
    """Return the concept of each word that has become a feature, by the word and its place."""
    named = {
        word: number
        for number, node in enumerate(graph.nodes)
        for word in node.feature("said_by").split()
    }
    result: dict[tuple[str, int], int] = {}
    counts: Counter[str] = Counter()
    for match in _WORD.finditer(graph.text) if named else ():
        read = _read_words(match[0].lower())
        for word in read:
            number = named.get(f"{word}.{counts[word]}")
            if number is not None:
                result[word, match.start()] = number
        counts.update(read)
    return result


def _is_infinitive(node: Node) -> bool:
    """Return whether a concept is a verb in its bare form, as behind "to"."""
    return node.feature("pos") == "VERB" and node.label.lower() == node.feature("lemma")


class _Concept(NamedTuple):
    """A concept as a word: its lemma, a misspelt one put right; a verb; asked for."""

    lemma: str
    verb: bool
    asked: bool


@lru_cache(maxsize=1 << 14)
def _concept(label: str, features: tuple[tuple[str, str], ...]) -> _Concept:
    """Return what a node with a label and features is as a word."""
    by_name = dict(features)
    pos = by_name.get("pos", "")
    lemma = (by_name.get("lemma") or label).lower()
    return _Concept(spelt_right(lemma, pos), pos == "VERB", "open" in by_name)


@lru_cache(maxsize=1 << 12)
def _read_words(written: str) -> tuple[str, ...]:
    """Return the words of a written one in lower case: "cannot" has two."""
    return tuple(reading(written.replace("\u2019", "'")).split())


@cache
def _owning_verbs() -> frozenset[str]:
    """Return the verbs that say no more than "have"."""
    return frozenset().union(*(Lexicon.open().members(kind) for kind in _OWNING))


@cache
def _closed_forms() -> dict[str, str]:
    """For each word of a closed class its form, "" for a preposition that says little."""
    members = (Lexicon.open().members(kind) for kind in _CLOSED)
    known = _MODAL_VERBS.union(*members) - _STRUCTURE
    return {word: word for word in known} | _prepositions()


def _prepositions() -> dict[str, str]:
    """For each preposition the first that says the same, "" where another one may say it too."""
    lexicon, table = Lexicon.open(), RoleTable.open()
    entries = sorted(
        lexicon.entries(_PREPOSITION).values(),
        key=lambda entry: (entry.word.count(" "), entry.word),
    )
    numbers = [table.number(entry.features["relation"]) for entry in entries]
    kinds = np.unique(numbers)
    compatible = table.arrays.compatible[np.ix_(kinds, kinds)] >= _COMPATIBLE
    vague = {int(kind) for kind in kinds[compatible.sum(axis=1) > 1]}
    first: dict[str, str] = {}
    return {
        entry.word: "" if number in vague else first.setdefault(str(entry.features), entry.word)
        for entry, number in zip(entries, numbers, strict=True)
    }
