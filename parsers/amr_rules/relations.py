"""The edges between the concepts: PropBank arguments first, then a relation for every other word.

:func:`relate` links each token's node to that of its head. The labeller's arguments decide where
they can; what it does not label goes by its dependency label and its preposition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from compsim.parsers.amr_rules import tables as closed
from compsim.parsers.amr_rules.circumstances import (
    clause_role,
    link,
    phrase_role,
    prepositional_object,
    span_role,
)
from compsim.parsers.amr_rules.concepts import number
from compsim.parsers.amr_rules.properties import adjective, copular, predicative, subject_role
from compsim.parsers.amr_rules.scene import Scene
from compsim.parsers.pipeline.tree import NOUN_TAGS
from compsim.parsers.roles.labeller import Argument, Frame, core

__all__ = ["relate"]

_CORE_DEPS: Final = {
    "nsubjpass": "ARG1", "csubjpass": "ARG1", "dobj": "ARG1", "dative": "ARG2", "agent": "ARG0",
    "attr": "ARG2", "oprd": "ARG2", "acomp": "ARG2", "ccomp": "ARG1", "xcomp": "ARG1",
    "pcomp": "ARG1", "prt": "mod",
}  # fmt: skip

#: The role after the first one.
_AFTER: Final = {"ARG0": "ARG1", "ARG1": "ARG2", "ARG2": "ARG3", "ARG3": "ARG4", "ARG4": "ARG5"}


def relate(scene: Scene) -> None:
    """Draw all edges between tokens."""
    for frame, argument in scene.arguments():
        if not _raised(scene, frame, argument):
            _argument(scene, frame, argument)
    for i, inner in _relative_prepositions(scene):
        scene.draft.edge(scene.core[i], "op1", scene.tip(inner))
        scene.linked.add(inner)
    for copula, complement in scene.copula.items():
        copular(scene, copula, complement)
    complements = set(scene.copula.values())
    for i in range(len(scene)):
        if scene.deps[i] in ("acomp", "oprd") and i not in complements:
            predicative(scene, i)
        if scene.heads[i] == i or i in scene.linked:
            continue
        node = scene.tip(i)
        if node < 0:
            if scene.deps[i] in ("nummod", "quantmod"):
                _counted(scene, i)
            elif scene.words[i] == "please" and scene.host(i) != i:
                scene.draft.constant(scene.base(scene.host(i)), "polite", "+", (i,))
            continue
        host = scene.host(i)
        if host != i and scene.base(host) >= 0:
            _RULES.get(scene.deps[i], _modifier)(scene, i, host, node)


def _relative_prepositions(scene: Scene) -> list[tuple[int, int]]:
    relative_prepositions = []
    for i in range(len(scene)):
        if scene.adposition(i) and scene.core[i] >= 0:
            inner = scene.child(i, "pobj", "pcomp")
            if inner is not None:
                relative_prepositions.append((i, inner))
    return relative_prepositions


def _raised(scene: Scene, frame: Frame, argument: Argument) -> bool:
    """Return whether an argument belongs to the clause beside it ("the birds began to sing")."""
    for other in frame.arguments:
        if other.label != argument.label or other.head == argument.head or not core(other.label):
            continue
        inner = scene.frames.get(other.head)
        if inner is not None and scene.deps[other.head] in ("xcomp", "ccomp"):
            shared = any(
                item.head == argument.head and core(item.label) for item in inner.arguments
            )
            if shared:
                scene.linked.add(argument.head)
                return True
    return False


def _argument(scene: Scene, frame: Frame, argument: Argument) -> None:
    predicate, head = frame.predicate, argument.head
    label = argument.label.removeprefix("R-")
    source = scene.core[predicate] if predicate not in scene.copula else -1
    own = scene.below(head, predicate)
    if predicate in scene.stand and scene.stand[predicate] != predicate:
        # A copula or light verb: only its circumstances matter, the rest follows from its words.
        source = scene.base(predicate)
        if core(label) and not (
            own and scene.deps[head] in closed.SUBJECTS and _light(scene, predicate)
        ):
            return
    target = scene.tip(head)
    if source < 0 or target < 0 or label.startswith("C-"):
        return
    if core(label):
        if scene.draft.has(source, label) and argument.label.startswith("R-"):
            return
        above = scene.heads[predicate] == head or head in scene.relative
        scene.draft.edge(source, label, scene.base(head) if above else target)
        if own and head not in scene.relative:
            scene.linked.add(head)
        elif above and scene.relative_predicate(predicate):
            scene.linked.add(predicate)
    elif label in closed.MODIFIERS and own and argument.label == label:
        if label in ("ARGM-LOC", "ARGM-TMP") and _be_at(scene, source):
            scene.draft.edge(source, "ARG2", target)
            scene.linked.add(head)
            return
        _circumstance(scene, head, source, target, label)
        scene.linked.add(head)


def _be_at(scene: Scene, node: int) -> bool:
    return scene.draft.labels[node].startswith("be-") and not scene.draft.has(node, "ARG2")


def _light(scene: Scene, i: int) -> bool:
    return scene.deps[scene.stand[i]] == "dobj"


def _circumstance(scene: Scene, i: int, source: int, target: int, label: str) -> None:
    """A modifier of a predicate: its PropBank label, corrected by what it is made of."""
    if scene.deps[i] == "advmod":
        _adverb(scene, i, source, target, label)
    elif scene.deps[i] in ("prep", "agent", "dative"):
        link(scene, source, phrase_role(scene, i, label), target)
    elif scene.deps[i] == "advcl":
        link(scene, source, clause_role(scene, i, label), target)
    elif scene.deps[i] == "npadvmod":
        link(scene, source, span_role(scene, i, closed.MODIFIERS[label]), target)
    else:
        link(scene, source, closed.MODIFIERS[label], target)


def _adverb(scene: Scene, i: int, source: int, target: int, label: str = "") -> None:
    word, tag = scene.words[i], scene.tags[i]
    adjectival = scene.tags[scene.heads[i]][:2] in ("JJ", "RB")
    if tag == "WRB" and word in closed.QUESTION_ROLES:
        relative = scene.deps[scene.heads[i]] in ("relcl", "advcl", "ccomp")
        if scene.draft.labels[target] == "amr-unknown" and not relative:
            link(scene, source, closed.QUESTION_ROLES[word], target)
            return
        role = closed.QUESTION_ROLES[word]
    elif word in closed.FREQUENCIES:
        role = "frequency"
    elif word in closed.TIME_ADVERBS or label == "ARGM-TMP":
        role = "time"
    elif word in closed.DEGREES and (adjectival or label in ("ARGM-EXT", "")):
        role = "degree"
    elif word in closed.PLACES or label == "ARGM-LOC":
        role = "direction" if label == "ARGM-DIR" else "location"
    elif word in closed.DIRECTIONS or label == "ARGM-DIR":
        role = "direction"
    elif word in closed.MODS:
        role = "mod"
    elif adjectival:
        role = "degree" if not word.endswith("ly") else "manner"
    else:
        role = "manner" if word.endswith("ly") or label == "ARGM-MNR" else "mod"
    scene.draft.edge(source, role, target)


def _determiner(scene: Scene, i: int, host: int, node: int) -> None:
    role = closed.DETERMINERS.get(scene.words[i], "mod")
    scene.draft.edge(scene.base(host), role, node)


def _counted(scene: Scene, i: int) -> None:
    digits = number(scene.words[i])
    host = scene.host(i)
    if digits is not None and host != i:
        scene.draft.constant(scene.base(host), "quant", digits, (i,))


def _possessor(scene: Scene, i: int, host: int, node: int) -> None:
    draft, source = scene.draft, scene.base(host)
    if scene.words[i] == "whose" and i in scene.relative:
        node = scene.base(i)
    sense = draft.senses[source]
    if sense is not None:
        draft.edge(source, scene.lexicon.marked(sense, "'s") or "poss", node)
    elif not _related(scene, host, node):
        part = scene.lemmas[host] in closed.PARTS
        link(scene, source, "part-of" if part else "poss", node)


def _related(scene: Scene, host: int, node: int) -> bool:
    """Fill the other side of have-rel-role-91, have-org-role-91, or of an agent's verb."""
    person = scene.base(host)
    lemma = scene.lemmas[host]
    for source, role in scene.draft.above(person):
        label = scene.draft.labels[source]
        if role == "ARG0" and label in ("have-rel-role-91", "have-org-role-91"):
            scene.draft.edge(source, "ARG1", node)
            return True
        if lemma in scene.lexicon.agents and role == scene.lexicon.agents[lemma][1]:
            free = next(r for r in ("ARG1", "ARG2") if r != role)
            scene.draft.edge(source, free, node)
            return True
    return False


def _preposition(scene: Scene, i: int, host: int, node: int) -> None:
    draft, source, word = scene.draft, scene.base(host), scene.words[i]
    sense = draft.senses[source]
    nominal = not scene.verbal(scene.resolve(host))
    if not nominal:
        link(scene, source, phrase_role(scene, i), node)
        return
    if word in ("of", "to") and sense is None and _related(scene, host, node):
        return
    inner = prepositional_object(scene, i)
    timely = scene.lemmas[inner] in closed.TIMES or (
        scene.core[inner] >= 0 and draft.labels[scene.core[inner]] == "date-entity"
    )
    role = closed.NOUN_PREPOSITIONS.get(word, "mod")
    if sense is not None:
        marked = scene.lexicon.marked(sense, word)
        if word == "of" and scene.child(host, "acl") is not None:
            marked = scene.lexicon.subject(sense)
        if marked is not None and (core(marked) or role == "mod"):
            role = marked if core(marked) else closed.MODIFIERS.get(marked, role)
            if not (timely and role in ("location", "mod")):
                draft.edge(source, role, node)
                return
    lemma = scene.lemmas[host]
    if word == "of" and lemma in closed.COLLECTIVES:
        role = "consist-of"
    elif word == "of" and lemma in closed.PARTS:
        role = "part-of"
    elif word == "of" and lemma in closed.AMOUNTS:
        role = "mod"
    elif timely and role in ("location", "mod", "purpose"):
        role = "time"
    link(scene, source, role, node)


def _compound(scene: Scene, i: int, host: int, node: int) -> None:
    """A noun before a noun: what an event happens to, else a modifier."""
    draft, source = scene.draft, scene.base(host)
    sense = draft.senses[source]
    if sense is not None and scene.tags[i] in NOUN_TAGS:
        label = "ARG1" if scene.lexicon.subject(sense) == "ARG0" else "mod"
        draft.edge(source, "mod" if draft.has(source, label) else label, node)
    else:
        draft.edge(source, "mod", node)


def _clause(scene: Scene, i: int, host: int, node: int) -> None:
    """A clause beside a noun that fills no known role of it."""
    draft, source = scene.draft, scene.base(host)
    predicate = scene.base(i)
    opening = {scene.words[kid] for kid in scene.kids[i] if scene.tags[kid] == "WRB"}
    for word, role in (("where", "location"), ("when", "time"), ("why", "cause")):
        if word in opening:
            link(scene, predicate, role, source)
            return
    infinitive = any(scene.deps[k] == "aux" and scene.words[k] == "to" for k in scene.kids[i])
    sense = draft.senses[source]
    if sense is not None and scene.deps[i] == "acl":
        label = scene.lexicon.marked(sense, "to") or ""
        draft.edge(source, label if core(label) else "ARG1", node)
    elif infinitive:
        draft.edge(source, "purpose", node)
    elif draft.senses[predicate] is not None and scene.verbal(i):
        own = draft.senses[predicate] or ""
        first = scene.lexicon.subject(own)
        free = "ARG1" if scene.tags[i] == "VBN" or draft.has(predicate, first) else first
        draft.edge(predicate, free, source)
    else:
        draft.edge(source, "mod", node)


def _adverbial_clause(scene: Scene, i: int, host: int, node: int) -> None:
    link(scene, scene.base(host), clause_role(scene, i), node)


def _subject(scene: Scene, i: int, host: int, node: int) -> None:
    source = scene.base(host)
    sense = scene.draft.senses[source]
    if sense is None:
        scene.draft.edge(source, "domain", node)
    else:
        scene.draft.edge(source, subject_role(scene, scene.resolve(host), sense), node)


def _adverbial(scene: Scene, i: int, host: int, node: int) -> None:
    _adverb(scene, i, scene.base(host), node)


def _measure(scene: Scene, i: int, host: int, node: int) -> None:
    """A noun used as an adverb, "last week" or "three miles"."""
    role = "time" if scene.lemmas[i] in closed.TIMES or scene.deps[i] == "tmod" else "mod"
    label = scene.draft.labels[node]
    link(
        scene,
        scene.base(host),
        span_role(scene, i, "time" if label == "date-entity" else role),
        node,
    )


def _raise(scene: Scene, i: int, host: int, node: int) -> None:
    """Put a clause where the labeller has put its subject ("the birds began to sing")."""
    subject = scene.child(host, "nsubj", "nsubjpass")
    frame = scene.frames.get(i)
    heads = [argument.head for argument in frame.arguments] if frame else []
    source = scene.base(host)
    if (
        subject is not None
        and subject in heads
        and (source, "ARG1") in scene.draft.above(scene.tip(subject))
    ):
        scene.draft.move(source, scene.tip(subject), node)
    else:
        scene.draft.edge(source, "ARG2", node)


def _modifier(scene: Scene, i: int, host: int, node: int) -> None:
    """Whatever has no rule of its own."""
    source, sense = scene.base(host), scene.draft.senses[scene.base(host)]
    role = _CORE_DEPS.get(scene.deps[i], "mod") if sense else "mod"
    if sense and scene.deps[i] in ("xcomp", "ccomp") and not scene.verbal(scene.resolve(host)):
        own = scene.lexicon.markers.get(sense, {}).get("to", "")
        role = own if core(own) else _AFTER[subject_role(scene, scene.resolve(host), sense)]
    elif scene.deps[i] == "xcomp" and scene.draft.has(source, role):
        _raise(scene, i, host, node)
        return
    scene.draft.edge(source, role, node)


_RULES: Final[dict[str, Callable[[Scene, int, int, int], None]]] = {
    "amod": adjective,
    "det": _determiner,
    "predet": _determiner,
    "poss": _possessor,
    "prep": _preposition,
    "compound": _compound,
    "nmod": _compound,
    "relcl": _clause,
    "acl": _clause,
    "advcl": _adverbial_clause,
    "advmod": _adverbial,
    "npadvmod": _measure,
    "nsubj": _subject,
    "csubj": _subject,
}
