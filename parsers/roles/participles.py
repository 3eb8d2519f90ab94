"""Participles that a parser hung on the last noun, though that can hardly do what they say.

In "A dog stands in the surf holding a ball" parsers see a surf that holds a ball, in "a boy in a
yellow shirt laughing" a shirt that laughs. Where the noun is no person, animal or group and whoever
the clause before is said of is one, the participle is said of them (Quirk et al. 1985, 15.60 and
17.28: clauses without a subject take it from the clause that they stand in)::

    attach(tree)      # holding: an "advcl" of stands; laughing: an "acl" of boy

Another object stands nearer to the participle than the subject does ("met a man in a shirt
laughing"), so nothing is changed beside one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from compsim.parsers.pipeline.tree import VERBAL, Tree
from compsim.parsers.roles.events import events
from compsim.parsers.roles.features.nouns import Nouns
from compsim.parsers.roles.features.quantities import word_set
from compsim.parsers.roles.understood import controller

__all__ = ["attach"]

#: Prepositions of a place, whose noun is where somebody does something.
_PLACES: Final = word_set(
    "in on at by near beside behind under along around from through across down up inside outside "
    "over into onto against past"
)
_PEOPLE: Final = word_set(
    "i you he she we they who someone somebody anyone anybody everyone everybody one"
)
_NAMES: Final = ("NNP", "NNPS")


def attach(tree: Tree) -> None:
    """Hang such participles where they belong, in place."""
    for participle, to, dep in list(_misplaced(tree)):
        tree.hang(participle, to, dep)


def _misplaced(tree: Tree) -> Iterator[tuple[int, int, str]]:
    """Participles, the words that they belong to, and what they are of these."""
    for participle, dep in enumerate(tree.deps):
        noun = tree.heads[participle]
        case = tree.heads[noun]
        above = tree.heads[case]
        if dep != "acl" or tree.tags[participle] != "VBG" or tree.deps[noun] != "pobj":
            continue
        if not above < case < noun < participle or tree.deps[case] != "prep":
            continue
        if tree.tags[noun] in _NAMES or _is_somebody(tree, noun) or _is_group(tree, noun):
            continue
        if tree.pos[above] not in VERBAL:
            if _is_somebody(tree, above):
                yield participle, above, dep
        elif tree.lemmas[case] in _PLACES and all(
            tree.deps[kid] != "dobj" for kid in tree.kids(above)
        ):
            there = _existing(tree, above)
            subject = controller(tree, tree.children(), above, events())
            if there is not None and _is_somebody(tree, there):
                yield participle, there, dep
            elif subject is not None and _is_somebody(tree, subject):
                yield participle, above, "advcl"


def _existing(tree: Tree, verb: int) -> int | None:
    """Who there is: the noun after *there is*."""
    own = {tree.deps[kid]: kid for kid in tree.kids(verb)}
    return own.get("attr") if "expl" in own else None


def _is_somebody(tree: Tree, i: int) -> bool:
    nouns, lemma = Nouns.shipped(), tree.lemmas[i]
    kinds = (nouns.person, nouns.mixed, nouns.animal)
    return tree.word(i).lower() in _PEOPLE or any(lemma in kind for kind in kinds)


def _is_group(tree: Tree, i: int) -> bool:
    return tree.lemmas[i] in Nouns.shipped().group
