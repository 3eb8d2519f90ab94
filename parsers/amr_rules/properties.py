"""Properties: copulas with their complements, adjectives beside nouns and verbs.

An adjective that has a roleset takes the thing as an argument (``friendly-01 :ARG1 dog``), a
compared one below have-degree-91; any other is its ``:mod``, or has it as ``:domain``.
"""

from __future__ import annotations

from compsim.parsers.amr_rules import tables as closed
from compsim.parsers.amr_rules.scene import Scene
from compsim.parsers.pipeline.tree import NOUN_TAGS
from compsim.parsers.roles.labeller import core

__all__ = ["adjective", "copular", "predicative", "subject_role"]


def copular(scene: Scene, copula: int, complement: int) -> None:
    """Add the relation of a copula's subject to each coordinated complement."""
    subject = scene.child(copula, *closed.SUBJECTS)
    if subject is None or subject == complement:
        frame = scene.frames.get(copula)
        above = [a.head for a in frame.arguments if core(a.label)] if frame else []
        subject = next((head for head in above if not scene.below(head, copula)), None)
        if subject is None and scene.relative_predicate(copula):
            subject = scene.heads[copula]
        if subject is None:
            return
    entity = scene.tip(subject)
    if scene.heads[copula] == subject:
        entity = scene.base(subject)
        scene.linked.add(copula)
    elif subject in scene.relative and scene.relative[subject] == scene.heads[copula]:
        scene.linked.add(copula)
    scene.linked.add(subject)
    if scene.deps[complement] in ("prep", "advmod"):
        word = scene.words[complement]
        role = closed.NOUN_PREPOSITIONS.get(word, "mod")
        scene.draft.edge(scene.base(copula), "domain" if role == "mod" else role, entity)
        return
    for member in scene.members.get(complement, [complement]):
        _describe(scene, member, entity)


def predicative(scene: Scene, i: int) -> None:
    """An adjective beside a verb that is no copula is said of the object, else of the subject."""
    verb = scene.heads[i]
    entity = scene.child(verb, "dobj", "nsubjpass")
    if entity is None:
        entity = scene.child(verb, "nsubj")
    if entity is None or scene.tags[i][:2] != "JJ" or scene.tip(entity) < 0 or scene.base(i) < 0:
        return
    if scene.draft.senses[scene.base(i)] is not None:
        _describe(scene, i, scene.tip(entity))


def _describe(scene: Scene, i: int, entity: int) -> None:
    """Say what ``i`` means of an entity: a role of its roleset, else ``:domain``."""
    draft, node = scene.draft, scene.core[i]
    above = scene.wrap.get(i, -1)
    compared = above >= 0 and draft.labels[above] == "have-degree-91"
    sense = draft.senses[node] if node >= 0 else None
    if compared:
        draft.edge(above, "ARG1", entity)
    elif sense is not None and scene.tags[i] not in NOUN_TAGS:
        draft.edge(node, subject_role(scene, i, sense), entity)
    else:
        draft.edge(scene.base(i), "domain", entity)


def subject_role(scene: Scene, i: int, sense: str) -> str:
    """The role of what an adjective or verb is said of."""
    known = scene.lexicon.adjectives.get(scene.words[i]) or scene.lexicon.adjectives.get(
        scene.lexicon.opposite(scene.lemmas[i]) or scene.lemmas[i]
    )
    if known is not None and known[0] == sense:
        return known[1]
    if scene.tags[i] == "VBN":
        return "ARG1"
    return scene.lexicon.subject(sense)


def adjective(scene: Scene, i: int, host: int, node: int) -> None:
    """An attribute of a noun, and those that are coordinated with it."""
    draft, entity = scene.draft, scene.base(host)
    members = [i]
    for member in members:
        members += [kid for kid in scene.kids[member] if scene.deps[kid] == "conj"]
    for member in members:
        core_node = scene.base(member)
        if core_node < 0:
            continue
        scene.linked.add(member)
        word = scene.words[member]
        above = scene.wrap.get(member, -1)
        if above >= 0 or (draft.senses[core_node] and scene.tags[member] not in NOUN_TAGS):
            _describe(scene, member, entity)
        elif draft.labels[core_node] == "ordinal-entity":
            draft.edge(entity, "ord", core_node)
        elif word in closed.DETERMINERS:
            draft.edge(entity, closed.DETERMINERS[word], core_node)
        else:
            draft.edge(entity, "mod", core_node)
