"""Particles that are prepositions: "rolled down her cheek", where parsers see what is rolled down.

A verb that tells how somebody moves by themselves (VerbNet) has no object that its particle may
stand before, unless PropBank knows both as one verb ("ran over the cat")::

    lead(tree, lexicon)      # down: a "prep" of rolled; cheek: its object
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.events import events, spelled
from compsim.parsers.roles.features.quantities import word_set

__all__ = ["PATHS", "lead"]

#: Prepositions of path (Quirk et al. 1985, 9.15 to 9.31).
PATHS: Final = word_set("into onto out off toward towards through across along past up down over")


def lead(tree: Tree, lexicon: Mapping[str, Collection[str]]) -> None:
    """Make prepositions of such particles, in place; ``lexicon`` has the rolesets of verbs."""
    for particle, dep in enumerate(tree.deps):
        verb, word = tree.heads[particle], tree.word(particle).lower()
        lemma = tree.lemmas[verb]
        if dep != "prt" or particle != verb + 1 or word not in PATHS:
            continue
        known = any(spelled(name) == f"{lemma}_{word}" for name in lexicon.get(lemma, ()))
        if known or lemma not in events().moving:
            continue
        objects = [kid for kid in tree.kids(verb) if kid > particle and tree.deps[kid] == "dobj"]
        if len(objects) == 1:
            tree.tags[particle], tree.pos[particle] = "IN", "ADP"
            tree.hang(particle, verb, "prep")
            tree.hang(objects[0], particle, "pobj")
