"""Scores of one aspect of meaning at a time, after Damonte, Cohen and Satta (2017, section 4).

=================  ==============================================================================
``smatch``         all triples
``unlabeled``      all triples, every role replaced by one
``no_wsd``         all triples, concepts without their sense numbers
``reentrancies``   Smatch over the relations to nodes with several incoming ones, and the concepts
``srl``            Smatch over the relations ``ARG0`` ... ``ARG9``, and the concepts at their ends
``concepts``       the sets of concepts
``named_entities`` the sets of concepts that have a ``:name``
``negation``       the sets of concepts that have a ``:polarity``
``wikification``   the sets of ``:wiki`` values
=================  ==============================================================================

>>> from compsim.amr.smatch.finegrained import fine_grained
>>> from compsim.graph import RoleGraph
>>> a = RoleGraph.from_penman("(c / chase-01 :ARG0 (d / dog) :polarity -)")
>>> b = RoleGraph.from_penman("(c / chase-02 :ARG0 (d / dog))")
>>> scores = fine_grained([a], [b])
>>> round(scores["smatch"].f1, 3), round(scores["no_wsd"].f1, 3), scores["negation"].recall
(0.667, 0.889, 0.0)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from compsim.amr.smatch import smatch_pairwise
from compsim.amr.smatch.corpus import CorpusScore, corpus_score
from compsim.amr.smatch.triples import TripleBatch, Triples, triples
from compsim.errors import InputError
from compsim.graph import RoleGraph

__all__ = ["ASPECTS", "fine_grained"]

_CORE: Final = re.compile(r"arg\d")


def fine_grained(
    a: Sequence[RoleGraph], b: Sequence[RoleGraph], **options: Any
) -> dict[str, CorpusScore]:
    """Micro precision, recall and F1 of each aspect of meaning over pairs of graphs.

    Args:
        a: n graphs.
        b: As many.
        **options: Those of ``corpus_score``.

    Returns:
        The score of each aspect by its name.

    Raises:
        InputError: The lists are not equally long, or an option is out of range.

    Examples:
        >>> from compsim.graph import RoleGraph
        >>> a = RoleGraph.from_penman("(c / chase-01 :ARG0 (d / dog) :polarity -)")
        >>> b = RoleGraph.from_penman("(c / chase-02 :ARG0 (d / dog))")
        >>> round(fine_grained([a], [b])["no_wsd"].f1, 3)
        0.889
    """
    if len(a) != len(b):
        raise InputError(
            f"there are {len(a)} graphs on one side and {len(b)} on the other: pair them"
        )
    first, second = [triples(graph) for graph in a], [triples(graph) for graph in b]
    scores = {}
    for name, aspect in ASPECTS.items():
        columns = aspect(first, second)
        scores[name] = corpus_score(*columns, **options)
    return scores


_Columns = tuple[Any, Any, Any]
_Side = Sequence[Triples]


def _matched(
    part: Callable[[Triples], Triples] | None = None, *, senses: bool = True
) -> Callable[[_Side, _Side], _Columns]:
    """Smatch over a part of the triples, TOP only where the part has it."""

    def score(a: _Side, b: _Side) -> _Columns:
        sides = [side if part is None else [part(one) for one in side] for side in (a, b)]
        first, second = map(TripleBatch.of, sides)
        result = smatch_pairwise(first, second, senses=senses)
        return result.matched, result.total_a, result.total_b

    return score


def _shared(values: Callable[[Triples], set[str]]) -> Callable[[_Side, _Side], _Columns]:
    """Return a function that gives the overlap of two sets of triples."""

    def score(a: _Side, b: _Side) -> _Columns:
        sets = [(values(x), values(y)) for x, y in zip(a, b, strict=True)]
        return [len(x & y) for x, y in sets], [len(x) for x, _ in sets], [len(y) for _, y in sets]

    return score


def _unlabeled(results: Triples) -> Triples:
    relations: Counter[tuple[str, int, int]] = Counter()
    for (_, source, target), count in results.relations.items():
        relations["", source, target] += count
    attributes: Counter[tuple[str, int, str]] = Counter()
    for (_, holder, value), count in results.attributes.items():
        attributes["", holder, value] += count
    return results._replace(relations=dict(relations), attributes=dict(attributes))


def _reentrancies(results: Triples) -> Triples:
    def led_to(role: str, source: int, target: int) -> int:
        # Smatch turns :mod into :domain, but it is the modifier that a :mod leads to.
        return source if role == "domain" else target

    incoming: Counter[int] = Counter()
    for relation, count in results.relations.items():
        incoming[led_to(*relation)] += count
    kept = {r: count for r, count in results.relations.items() if incoming[led_to(*r)] > 1}
    return _ends_of(results, kept, {})


def _srl(results: Triples) -> Triples:
    relations = {r: count for r, count in results.relations.items() if _CORE.fullmatch(r[0])}
    attributes = {r: count for r, count in results.attributes.items() if _CORE.fullmatch(r[0])}
    return _ends_of(results, relations, attributes)


def _ends_of(
    results: Triples,
    relations: dict[tuple[str, int, int], int],
    attributes: dict[tuple[str, int, str], int],
) -> Triples:
    """These relations and attributes, and the concepts of the variables in them."""
    ends = {end for _, *both in relations for end in both} | {holder for _, holder, _ in attributes}
    concepts = {node: concept for node, concept in results.concepts.items() if node in ends}
    return Triples(concepts, relations, attributes, None)


def _concepts(results: Triples) -> set[str]:
    return set(results.concepts.values())


def _named(results: Triples) -> set[str]:
    return {results.concepts[source] for role, source, _ in results.relations if role == "name"}


def _negated(results: Triples) -> set[str]:
    return {
        results.concepts[holder] for role, holder, _ in results.attributes if role == "polarity"
    }


def _wiki(results: Triples) -> set[str]:
    return {value for role, _, value in results.attributes if role == "wiki"}


#: How each aspect counts: sides to matched triples and those of a and b, pair by pair.
ASPECTS: Final[dict[str, Callable[[_Side, _Side], _Columns]]] = {
    "smatch": _matched(),
    "unlabeled": _matched(_unlabeled),
    "no_wsd": _matched(senses=False),
    "reentrancies": _matched(_reentrancies),
    "srl": _matched(_srl),
    "concepts": _shared(_concepts),
    "named_entities": _shared(_named),
    "negation": _shared(_negated),
    "wikification": _shared(_wiki),
}
