"""Set phrases: several words that say what one word says, such as "make fun of", which is "mock".

The lexicon lists them in the class ``expression`` by the words they are made of. "one's" stands for
a possessive pronoun, "_" for an object that may stand between the others; where the last word is a
preposition, what it governs is the direct object of the word that says the same, unless the entry
has ``particle=yes``: then it governs nothing. ``role`` names the role of that object where it is no
patient, and ``participle=yes`` says that the verb which says the same is passive ("on display").

>>> from compsim.parsers.grammar.parser import ConceptParser
>>> graph = ConceptParser().parse(["The boys made fun of the monk."])[0]
>>> [graph.nodes[edge.target].label for edge in graph.edges]
['boys', 'monk']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from compsim.parsers.grammar.lexicon import Entry, Lexicon

if TYPE_CHECKING:
    from compsim.parsers.grammar.draft import Draft

__all__ = ["Expression", "find_fixed", "find_verbal"]

_POSSESSIVE: Final = "one's"
_OBJECT: Final = "_"
_ARTICLES: Final = frozenset(("a", "an", "the"))
_NONE: Final = "no"
#: Words of a set phrase that other words may stand for.
_VARIABLE: Final = _ARTICLES | {_POSSESSIVE, _OBJECT, _NONE}
#: How no word of a set phrase depends on another one.
_ELSEWHERE: Final = frozenset(
    ("acl", "advcl", "relcl", "conj", "nsubj", "nsubjpass", "csubj", "parataxis", "agent")
)
#: What would say more of a noun than a set phrase says.
_MODIFIERS: Final = frozenset(
    ("det", "poss", "amod", "nummod", "compound", "predet", "relcl", "acl", "conj", "nmod")
)
_PREPOSITIONS: Final = ("ADP", "SCONJ", "PART")
#: The words of a verb with its preposition.
_PREPOSITIONAL: Final = 2
_FUNCTION: Final = (*_PREPOSITIONS, "DET")


class Expression(NamedTuple):
    """A set phrase in a sentence: its entry, its tokens, what its last preposition governs.

    ``denied``: its noun is denied, as in "take no part".
    """

    entry: Entry
    tokens: tuple[int, ...]
    governed: tuple[int, ...]
    denied: bool = False

    def content(self, draft: Draft) -> list[int]:
        """Return its tokens behind the first that are no prepositions and no articles."""
        return [t for t in self.tokens[1:] if draft.tree.pos[t] not in _FUNCTION]


def find_verbal(draft: Draft, verb: int) -> Expression | None:
    """Return the longest set phrase of the lexicon that a verb heads, None for none.

    Its words depend on each other, whatever stands between them.
    """
    entries = _possible(draft, draft.tree.lemmas[verb])
    return next(filter(None, (_match_verbal(draft, verb, entry) for entry in entries)), None)


def find_fixed(draft: Draft, first: int) -> Expression | None:
    """Return the longest set phrase of the lexicon whose words begin with a token, None for none.

    They follow each other without another word.
    """
    entries = _possible(draft, draft.words[first])
    return next(filter(None, (_match_fixed(draft, first, entry) for entry in entries)), None)


class _Listed(NamedTuple):
    """A set phrase: its place among those with its first word, the words that it cannot lack."""

    place: int
    entry: Entry
    words: frozenset[str]


def _possible(draft: Draft, first: str) -> list[Entry]:
    """Return the set phrases with a first word all of whose words stand in the sentence."""
    listed = _by_words(draft.lexicon).get(first)
    if listed is None:
        return []
    seen = draft.seen
    some = (phrase for word in listed.keys() & seen for phrase in listed[word])
    return [phrase.entry for phrase in sorted(one for one in some if one.words <= seen)]


@cache
def _by_words(lexicon: Lexicon) -> dict[str, dict[str, list[_Listed]]]:
    """Return the set phrases by their first word, then by the last word that they cannot lack."""
    results: dict[str, dict[str, list[_Listed]]] = {}
    for first, entries in lexicon.expressions.items():
        by_last = results.setdefault(first, {})
        for place, entry in enumerate(entries):
            words = [word for word in entry.word.split() if word not in _VARIABLE]
            phrase = _Listed(place, entry, frozenset(words))
            by_last.setdefault(words[-1], []).append(phrase)
    return results


def _match_fixed(draft: Draft, first: int, entry: Entry) -> Expression | None:
    parts = entry.word.split()
    tokens = range(first, first + len(parts))
    if tokens.stop > len(draft.words):
        return None
    for part, token in zip(parts, tokens, strict=True):
        possessive = part == _POSSESSIVE and draft.tree.tags[token] == "PRP$"
        if draft.words[token] != part and not possessive:
            return None
    heads = {head for head in (draft.tree.heads[token] for token in tokens) if head not in tokens}
    if len(heads) != 1:
        return None
    last = tokens[-1]
    if draft.tree.pos[last] in _PREPOSITIONS:
        return Expression(entry, tuple(tokens), tuple(draft.targets(last, ["governs"])))
    says_more = any(kid not in tokens for kid in draft.children[last])
    return None if says_more else Expression(entry, tuple(tokens), ())


def _match_verbal(draft: Draft, verb: int, entry: Entry) -> Expression | None:
    tokens, owned, before, denied = [verb], list[int](), "", False
    parts = entry.word.split()
    for place, part in enumerate(parts[1:], 2):
        negative = part == _NONE and place < len(parts) and not _is_preposition(draft, parts[place])
        if negative or part in _ARTICLES or part == _POSSESSIVE:
            before = part
        elif part != _OBJECT:
            token = next(_candidates(draft, tokens, part), -1)
            if token < 0:
                return None
            if before and draft.tree.pos[token] not in ("NOUN", "PROPN", "ADJ"):
                return None
            if draft.tree.pos[token] == "NOUN":
                modifiers = [k for k in draft.children[token] if draft.tree.deps[k] in _MODIFIERS]
                negative = not before and [draft.words[k] for k in modifiers] == [_NONE]
                if not negative and not _fits(draft, modifiers, before):
                    return None
                denied |= negative
                owned += modifiers if before == _POSSESSIVE else ()
            tokens.append(token)
            before = ""
    last, governed = tokens[-1], list[int]()
    if "particle" in entry.features:
        return None if draft.children[last] else Expression(entry, (*tokens, *owned), (), denied)
    if _is_preposition(draft, parts[-1]) and len(tokens) > 1:
        if len(parts) == len(tokens) == _PREPOSITIONAL and not _is_object_of(draft, verb, last):
            return None
        governed = draft.targets(last, ["governs"])
        if not governed:
            # "The children were looked after", "the noise that he puts up with".
            governed = [t for t in draft.targets(verb, ["patient"]) if t not in tokens]
        if not governed:
            return None
    return Expression(entry, (*tokens, *owned), tuple(governed), denied)


def _candidates(draft: Draft, tokens: Sequence[int], part: str) -> Iterator[int]:
    """Yield the tokens that are a word of a phrase and belong to the others, behind the last.

    A preposition may stand before the verb: "for whom she waits".
    """
    kids = [kid for token in reversed(tokens) for kid in draft.children[token]]
    alike = [k for k in kids if draft.words[k] == part and draft.tree.deps[k] not in _ELSEWHERE]
    yield from (kid for kid in alike if kid > tokens[-1])
    yield from (kid for kid in alike if kid < tokens[0] and _is_preposition(draft, part))


def _is_object_of(draft: Draft, verb: int, preposition: int) -> bool:
    """Return whether a verb may have what a preposition governs as its object: "wait for it".

    Not so in "paint the door after the walls" and "arrive today at the earliest".
    """
    deps, pos = draft.tree.deps, draft.tree.pos
    kids = {deps[kid] for kid in draft.children[preposition]}
    if "pcomp" in kids or "dobj" in {deps[kid] for kid in draft.children[verb]}:
        return False
    between = range(verb + 1, preposition)
    return all(pos[token] in ("ADV", "PART", *_PREPOSITIONS) for token in between)


def _is_preposition(draft: Draft, word: str) -> bool:
    return draft.lexicon.entry("preposition", word) is not None


def _fits(draft: Draft, modifiers: Sequence[int], before: str) -> bool:
    """Return whether a noun has the article or possessive that a phrase has, and nothing else."""
    if not before:
        return not modifiers
    if len(modifiers) != 1:
        return False
    word, tag = draft.words[modifiers[0]], draft.tree.tags[modifiers[0]]
    if before == _POSSESSIVE:
        return tag == "PRP$"
    return word == before or {word, before} == {"a", "an"}
