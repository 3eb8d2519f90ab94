"""Clauses: copulas, relative pronouns, modals, coordination, and the node at the top.

:func:`stand_ins` runs before concepts are made, :func:`layers` after: it puts modality, degree of
comparison and coordination above the concepts that they take.
"""

from __future__ import annotations

from typing import Final

from compsim.parsers.amr_rules import tables as closed
from compsim.parsers.amr_rules.scene import Scene

__all__ = ["layers", "negations", "stand_ins"]

_COMPLEMENTS: Final = ("attr", "acomp", "oprd", "ccomp", "xcomp", "prep", "advmod", "csubj")
_LIGHT: Final = frozenset({"take", "make", "have", "give", "do"})
#: Modals whose negation denies the modality itself.
_DENIED: Final = frozenset({"possible-01", "recommend-01", "probable-01"})
_CONJUNCTIONS: Final = {"or": "or", "nor": "or", "but": "contrast-01"}


def stand_ins(scene: Scene) -> None:
    """Find the words whose place another takes."""
    for i in range(len(scene)):
        if scene.tags[i].startswith("W"):
            _relative_pronoun(scene, i)
    for i in range(len(scene)):
        if scene.adposition(i):
            _preposition(scene, i)
        elif scene.verbal(i) and scene.deps[i] not in ("aux", "auxpass"):
            _verb(scene, i)
        elif scene.words[i] in closed.REFLEXIVES:
            _reflexive(scene, i)


def _relative_pronoun(scene: Scene, i: int) -> None:
    here = i
    for _ in range(4):
        above = scene.heads[here]
        if above == here:
            return
        if scene.deps[here] == "relcl":
            if scene.tags[i] in ("WDT", "WP", "WP$") and scene.stands_for(i, above):
                scene.relative[i] = above
            return
        here = above


def _preposition(scene: Scene, i: int) -> None:
    inner = scene.child(i, "pobj", "pcomp")
    if inner is None:
        inner = scene.child(i, "prep")
    if inner is None or (scene.words[i] in closed.RELATIVE and _relative_place(scene, i)):
        return
    scene.stands_for(i, inner)


def _relative_place(scene: Scene, i: int) -> bool:
    """Return whether a preposition is a place or time relative to its object: a concept."""
    if scene.words[i] == "since" or scene.label.get(i) not in ("ARG0", "ARG1"):
        return scene.child(i, "pobj", "pcomp") is not None
    return False


def _verb(scene: Scene, i: int) -> None:
    lemma = scene.lemmas[i]
    if lemma == "be":
        _copula(scene, i)
        return
    inner = scene.child(i, "xcomp")
    if inner is not None and _infinitive(scene, inner):
        progressive = scene.words[i] == "going" and scene.child(i, "aux") is not None
        if lemma == "have" or progressive or (lemma == "use" and scene.tags[i] == "VBD"):
            scene.stands_for(i, inner)
        return
    sense = scene.frames[i].sense if i in scene.frames else None
    if lemma in _LIGHT and sense and not sense[-1].isdigit():
        thing = scene.child(i, "dobj")
        if thing is not None and scene.lemmas[thing] in scene.lexicon.nouns:
            scene.stands_for(i, thing)
            scene.linked.add(thing)


def _infinitive(scene: Scene, i: int) -> bool:
    return any(scene.deps[kid] == "aux" and scene.words[kid] == "to" for kid in scene.kids[i])


def _copula(scene: Scene, i: int) -> None:
    existential = scene.child(i, "expl") is not None
    for dep in _COMPLEMENTS:
        kid = scene.child(i, dep)
        if kid is None or existential or (dep == "csubj" and kid < i):
            continue
        if dep == "prep" and scene.words[kid] in ("in", "on", "at", "near", *closed.RELATIVE):
            return  # be-located-at-91
        if dep == "advmod" and scene.tags[kid] != "JJ":
            return  # a place too, or a question about one
        if scene.child(i, *closed.SUBJECTS) is None and scene.deps[i] not in ("relcl", "conj"):
            return
        if scene.stands_for(i, kid):
            scene.copula[i] = kid
            scene.linked.add(kid)
            _extraposed(scene, i, kid)
        return


def _extraposed(scene: Scene, copula: int, complement: int) -> None:
    """In "it is easy to fall" the clause is what is easy, and "it" is nothing."""
    subject = scene.child(copula, "nsubj")
    if subject is None or scene.words[subject] != "it":
        return
    for parent in (copula, complement):
        clause = scene.child(parent, "xcomp", "ccomp", "advcl")
        if clause is not None and clause > complement and scene.verbal(clause):
            opening = [scene.words[kid] for kid in scene.kids[clause] if kid < clause]
            if ("to" in opening or "that" in opening) and scene.stands_for(subject, clause):
                scene.linked.add(clause)
            return


def _reflexive(scene: Scene, i: int) -> None:
    here = i
    for _ in range(3):
        here = scene.heads[here]
        subject = scene.child(here, "nsubj")
        if subject is not None:
            if subject != i and subject < i:
                scene.stands_for(i, subject)
            return


def layers(scene: Scene) -> None:
    """Put modality, comparison and coordination above their concepts."""
    for i in range(len(scene)):
        _comparison(scene, i)
    for i in range(len(scene)):
        if scene.base(i) >= 0:
            _modality(scene, i)
    for i in range(len(scene)):
        if scene.deps[i] != "conj" and scene.base(i) >= 0:
            _coordination(scene, i)


def _comparison(scene: Scene, i: int) -> None:
    """have-degree-91 above a compared adjective; who is so is added with the adjective's noun."""
    tag = scene.tags[i]
    if scene.core[i] < 0 or tag not in ("JJ", "JJR", "JJS"):
        return
    if scene.deps[i] not in ("amod", "acomp", "attr", "conj", "ROOT", "oprd", "relcl"):
        return
    word, at = {"JJR": "more", "JJS": "most"}.get(tag, ""), (i,)
    for kid in scene.kids[i]:
        if scene.deps[kid] == "advmod" and scene.words[kid] in ("more", "most", "less", "least"):
            word, at = scene.words[kid], (kid,)
            scene.linked.add(kid)
    if not word or scene.words[i] in ("more", "most", "less", "least", "other"):
        return
    if scene.child(i, "prep") is None and at == (i,) and scene.lemmas[i] == scene.words[i]:
        return
    draft = scene.draft
    node = draft.concept("have-degree-91", (i,), "have-degree.91")
    draft.edge(node, "ARG2", scene.core[i])
    degree = scene.core[at[0]] if at != (i,) else draft.concept(word, at)
    draft.relabel(degree, word)
    draft.edge(node, "ARG3", degree)
    for kid in scene.kids[i]:
        if scene.words[kid] == "than" and scene.base(kid) >= 0:
            draft.edge(node, "ARG4", scene.tip(kid))
            scene.linked.add(kid)
    scene.wrap[i] = node


def _modality(scene: Scene, i: int) -> None:
    if scene.words[i] in closed.MODAL_ADVERBS:
        return
    frames: list[tuple[str, str, int]] = []
    if scene.lemmas[i] == "have" and scene.stand[i] != i and scene.child(i, "xcomp") is not None:
        frames.append(("obligate-01", "ARG2", i))
    for kid in scene.kids[i]:
        word = scene.words[kid]
        if scene.deps[kid] == "aux" and word in closed.MODALS:
            frames.append((*closed.MODALS[word], kid))
        elif scene.deps[kid] == "advmod" and word in closed.MODAL_ADVERBS:
            frames.append((*closed.MODAL_ADVERBS[word], kid))
            scene.linked.add(kid)
    for name, role, at in frames:
        inner = scene.tip(i)
        node = scene.core[at] if scene.core[at] >= 0 and at != i else scene.draft.concept("", (at,))
        scene.draft.relabel(node, name, name.replace("-", "."))
        scene.draft.edge(node, role, inner)
        scene.wrap[i] = node


def _coordination(scene: Scene, i: int) -> None:
    members = [i]
    for member in members:
        members += [kid for kid in scene.kids[member] if scene.deps[kid] == "conj"]
    members = [member for member in members if scene.base(member) >= 0]
    if len(members) < 2 or scene.deps[i] == "amod":
        return
    members.sort()
    scene.members[i] = members
    joined = [kid for member in members for kid in scene.kids[member] if scene.deps[kid] == "cc"]
    word = next((scene.words[kid] for kid in joined), "and")
    name = _CONJUNCTIONS.get(word, "and")
    if name == "contrast-01" and not scene.verbal(i):
        name = "and"
    tokens = tuple(kid for kid in joined if scene.words[kid] == word)
    contrast = name == "contrast-01"
    node = scene.draft.concept(name, tokens, "contrast.01" if contrast else None)
    # One modal over all: the others have neither modal nor subject of their own.
    shared = (
        i in scene.wrap
        and scene.verbal(i)
        and all(
            member == i or scene.child(member, "aux", *closed.SUBJECTS) is None
            for member in members
        )
    )
    for place, member in enumerate(members, start=1):
        target = scene.base(member) if shared else scene.tip(member)
        scene.draft.edge(node, f"ARG{place}" if contrast else f"op{place}", target)
        if member != i:
            scene.linked.add(member)
    if shared:
        scene.draft.move(scene.wrap[i], scene.base(i), node)
    else:
        scene.group[i] = node


def negations(scene: Scene) -> None:
    """``:polarity -`` on what "not", "no" and "never" deny."""
    for i in range(len(scene)):
        word = scene.words[i]
        if word not in closed.NEGATIONS or scene.core[i] >= 0:
            continue
        head = scene.heads[i] if scene.base(scene.heads[i]) >= 0 else scene.host(i)
        node = scene.base(head)
        above = scene.wrap.get(head, -1)
        if above >= 0 and scene.draft.labels[above] in _DENIED and scene.deps[i] != "det":
            node = above
        if node < 0:
            continue
        scene.draft.constant(node, "polarity", "-", (i,))
        if word == "never":
            scene.draft.edge(node, "time", scene.draft.concept("ever", (i,)))
