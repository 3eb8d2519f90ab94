"""Participles that a parser hung on the last noun, though that can hardly do what they say.

In "A sailor sits on a jetty mending a net" parsers see a jetty that mends a net, in "a nurse in a
cape yawning" a cape that yawns. Where the noun is no person, animal or group and whoever the clause
before is said of is one, the participle is said of them (Quirk et al. 1985, 15.60 and 17.28:
clauses without a subject take it from the clause that they stand in)::

    attach(tree)      # mending: an "advcl" of sits; yawning: an "acl" of nurse

Another object stands nearer to the participle than the subject does ("met a nurse in a cape
yawning"), so nothing is changed beside one.
"""

from __future__ import annotations

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
    for participle, dep in enumerate(tree.deps):
        if dep != "acl" or tree.tags[participle] != "VBG":
            continue
        noun = tree.heads[participle]
        case = tree.heads[noun]
        above = tree.heads[case]
        inside = (tree.deps[noun], tree.deps[case]) == ("pobj", "prep")
        if inside and above < case < noun < participle and not _may_act(tree, noun):
            place = _place(tree, case, above)
            if place is not None:
                tree.hang(participle, *place)


def _may_act(tree: Tree, noun: int) -> bool:
    """Whether a noun may do what a participle after it says."""
    named = tree.tags[noun] in _NAMES or tree.word(noun).lower() in _PEOPLE
    return named or Nouns.shipped().acts(tree.lemmas[noun])


def _place(tree: Tree, case: int, above: int) -> tuple[int, str] | None:
    """Where a participle in a phrase hangs, and as what: on who does what it says, or their verb.

    ``case`` is the preposition of the phrase, ``above`` the word that this hangs on.
    """
    if tree.pos[above] not in VERBAL:
        return (above, "acl") if _is_somebody(tree, above) else None
    own = {tree.deps[kid]: kid for kid in tree.kids(above)}
    if tree.lemmas[case] not in _PLACES or "dobj" in own:
        return None
    there = own.get("attr") if "expl" in own else None
    if there is not None and _is_somebody(tree, there):
        return there, "acl"
    subject = controller(tree, tree.children(), above, events())
    return (above, "advcl") if subject is not None and _is_somebody(tree, subject) else None


def _is_somebody(tree: Tree, i: int) -> bool:
    return tree.word(i).lower() in _PEOPLE or Nouns.shipped().lives(tree.lemmas[i])
