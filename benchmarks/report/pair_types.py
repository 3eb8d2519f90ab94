"""Types of sentence pairs by their difference: roles changed, swapped, or added.

The kinds are those of the STS3k paper (Table 7), told from parses by the rules below rather than by
how the pairs were made. What the rules cannot see are negative pairs and paraphrases: of STS3k they
are told from the authors' index files (``index_types``).

>>> from compsim.graph import RoleGraph
>>> cats = RoleGraph.star("", {"Verb": "chase", "Agent": "cats", "Patient": "mice"})
>>> mice = RoleGraph.star("", {"Verb": "chase", "Agent": "mice", "Patient": "cats"})
>>> now = RoleGraph.star("", {"Verb": "chase", "Agent": "cats", "Patient": "mice", "Time": "now"})
>>> pair_type(cats, mice), pair_type(cats, now), single_modifier(cats, now)
('swap-2', 'modifiers', 'Time')
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from compsim.graph import RoleGraph
from compsim.vectors.words import content_words, lemma_candidates

__all__ = ["NEGATIVE", "PARAPHRASE", "TYPES", "index_types", "pair_type", "single_modifier"]

#: Kinds that no rule over parses tells.
PARAPHRASE: Final = "paraphrase"
NEGATIVE: Final = "negative"
#: Small changes first and negative pairs last, as in Figure 8 of the paper.
TYPES: Final = (
    *("modifiers", PARAPHRASE, "single", "swap-2", "swap-3", "swap-4"),
    *("no word shared", "other", NEGATIVE),
)
#: Adversarial pairs of these kinds are no paraphrases.
_MADE_OF_THE_SAME: Final = ("modifiers", "swap-2", "swap-3", "swap-4")

#: The roles that make up the core of an event; those of an object count as one.
_CORE: Final = {"Verb": "verb", "Agent": "subject", "Patient": "object", "Theme": "object"}
_SINGLE: Final = {
    "Agent": "subject adjective",
    "Patient": "object adjective",
    "Theme": "object adjective",
}


def pair_type(a: RoleGraph, b: RoleGraph) -> str:
    """The kind of a pair, one of ``TYPES``."""
    first, second = _words(a), _words(b)
    if not first or not second:
        return "other"
    shared = set().union(*first.values()) & set().union(*second.values())
    if not shared:
        return "no word shared"
    moved = {
        word
        for word in shared
        if not any(word in first[role] and word in second.get(role, ()) for role in first)
    }
    if len(moved) > 1:
        return f"swap-{min(len(moved), 4)}"
    cores = [
        {role: words[role] for role in set(_CORE.values()) & set(words)}
        for words in (first, second)
    ]
    changed = [
        role
        for role in {**cores[0], **cores[1]}
        if not cores[0].get(role, set()) & cores[1].get(role, set())
    ]
    if not changed and not moved:
        return "modifiers"
    return "single" if len(changed) == 1 and len(cores[0]) > 1 else "other"


def index_types(
    types: Sequence[str], non: Collection[int], adversarial: Collection[int]
) -> list[str]:
    """Return the kinds of pairs with negative pairs and paraphrases by the authors' index files.

    Negative pairs are in neither file. The pairs of a kind stand together in STS3k, and paraphrases
    before the negative ones: they are the adversarial pairs there that exchange nothing and add
    nothing, as far as their parses tell.

    :param types: the kinds by rule (n,).
    :param non: the rows of the non-adversarial pairs.
    :param adversarial: those of the adversarial pairs without the negative ones.
    :returns: the kinds (n,).

    >>> index_types(["swap-2", "other", "single", "single"], {3}, {0, 1})
    ['swap-2', 'paraphrase', 'negative', 'single']
    """
    negative = [row for row in range(len(types)) if row not in non and row not in adversarial]
    items = list(types)
    for row in negative:
        items[row] = NEGATIVE
    row = negative[0] - 1 if negative else -1
    while row in adversarial and types[row] not in _MADE_OF_THE_SAME:
        items[row] = PARAPHRASE
        row -= 1
    return items


def single_modifier(a: RoleGraph, b: RoleGraph) -> str:
    """Return the single phrase that one sentence adds to the other, "" if there is not exactly one.

    A role outside the core, by its name; a word more in the subject or the object; or the passive,
    where the words are the same and only their order differs.
    """
    if pair_type(a, b) != "modifiers":
        return ""
    x, y = a.roles(), b.roles()
    extra = {role for role in x.keys() ^ y.keys() if role not in _CORE}
    longer = {
        _SINGLE[role]
        for role in x.keys() & y.keys() & _SINGLE.keys()
        if _bases(x[role].label) != _bases(y[role].label)
    }
    if x.keys() - _CORE.keys() - extra != y.keys() - _CORE.keys() - extra:
        return ""
    if not extra and not longer and _agent_is_last(a) != _agent_is_last(b):
        return "passive"
    results = [*extra, *longer]
    return results[0] if len(results) == 1 else ""


def _words(graph: RoleGraph) -> dict[str, set[str]]:
    """The base forms in each role, the core roles by their place in the event."""
    result: dict[str, set[str]] = {}
    for role, node in graph.roles().items():
        # The roleset knows the base form of irregular verbs.
        words = {node.sense.partition(".")[0]} if node.sense else _bases(node.label)
        result.setdefault(_CORE.get(role, role), set()).update(words)
    return result


def _bases(text: str) -> set[str]:
    """Each content word as its shortest base form, so that inflected forms are equal."""
    return {min((word, *lemma_candidates(word)), key=len) for word in content_words(text)}


def _agent_is_last(graph: RoleGraph) -> bool:
    roles = graph.roles()
    spans = [roles[role].span for role in ("Agent", "Verb") if role in roles]
    return len(spans) == 2 and None not in spans and spans[0] > spans[1]  # type: ignore[operator]
