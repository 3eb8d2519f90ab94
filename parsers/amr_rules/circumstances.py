"""Relations of adjuncts: prepositional phrases, clauses and spans beside a verb.

PropBank's modifier labels are coarser than AMR's relations: what both call manner may be an
instrument, what PropBank calls time may be a duration.
"""

from __future__ import annotations

from compsim.parsers.amr_rules import tables as closed
from compsim.parsers.amr_rules.scene import Scene

__all__ = ["clause_role", "link", "phrase_role", "prepositional_object", "span_role"]


def link(scene: Scene, source: int, role: str, target: int) -> None:
    """An edge; causes hang below cause-01, and a whole has its part."""
    draft = scene.draft
    if role == "cause":
        node = scene.predicate("cause.01", ())
        draft.edge(node, "ARG1", source)
        draft.edge(node, "ARG0", target)
    elif role.startswith("time-"):
        node = draft.concept(role.removeprefix("time-"))
        draft.edge(node, "op1", target)
        draft.edge(source, "time", node)
    elif role == "part-of":
        draft.edge(target, "part", source)
    elif role == "have-03":
        draft.edge(node := scene.predicate("have.03", ()), "ARG0", source)
        draft.edge(node, "ARG1", target)
    else:
        draft.edge(source, role, target)


def prepositional_object(scene: Scene, i: int) -> int:
    """The object of a preposition, else the word itself."""
    inner = scene.child(i, "pobj", "pcomp")
    return i if inner is None else inner


def phrase_role(scene: Scene, i: int, label: str = "") -> str:
    """The role of a prepositional phrase beside a verb."""
    word, inner = scene.words[i], prepositional_object(scene, i)
    node = scene.core[inner]
    kind = scene.draft.labels[node] if node >= 0 else ""
    timely = kind == "date-entity" or scene.lemmas[inner] in closed.TIMES
    if kind == "temporal-quantity" and word in ("for", "in", "within", "over"):
        return "duration" if word != "in" else "time"
    if word == "because" or (word == "due" and label == "ARGM-CAU"):
        return "cause"
    if word == "with" and label in ("ARGM-MNR", "") and scene.tags[inner] in ("NN", "NNS"):
        event = node >= 0 and scene.draft.senses[node] is not None
        return "manner" if event and label else "instrument" if label else "accompanier"
    if word == "without" and node >= 0:
        scene.draft.constant(node, "polarity", "-", (i,))
        return "manner"
    if word == "for" and label in ("", "ARGM-PRP"):
        return "purpose" if label or scene.deps[inner] == "pcomp" else "beneficiary"
    if timely and word not in ("of", "with", "to", "about"):
        return "time"
    if label and label not in ("ARGM-ADV", "ARGM-DIS", "ARGM-GOL", "ARGM-DIR", "ARGM-PRD"):
        return closed.MODIFIERS[label]
    if label == "ARGM-DIR" and word not in closed.VERB_PREPOSITIONS:
        return "direction"
    return closed.VERB_PREPOSITIONS.get(word, closed.MODIFIERS.get(label, "mod"))


def clause_role(scene: Scene, i: int, label: str = "") -> str:
    """The role of an adverbial clause, by the word that opens it."""
    for kid in scene.kids[i]:
        word = scene.words[kid]
        if scene.deps[kid] in ("mark", "advmod", "prep") and word in closed.SUBORDINATORS:
            if kid > i:
                continue
            if word == "unless":
                scene.draft.constant(scene.base(i), "polarity", "-", (kid,))
            if word in ("before", "after", "until", "since") and scene.deps[kid] == "mark":
                return f"time-{word}"
            return closed.SUBORDINATORS[word]
    if any(scene.deps[k] == "aux" and scene.words[k] == "to" for k in scene.kids[i]):
        return "purpose"
    return closed.MODIFIERS.get(label, "manner")


def span_role(scene: Scene, i: int, role: str) -> str:
    """``role``, or what a quantity is: a duration or an extent."""
    node = scene.core[i]
    if node >= 0 and scene.draft.labels[node].endswith("-quantity"):
        return "duration" if scene.draft.labels[node].startswith("temporal") else "extent"
    return role
