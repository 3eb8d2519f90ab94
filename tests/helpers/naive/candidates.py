"""Slow, obvious twin of what finds and describes the candidates of the role labeller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.candidates import COLUMNS, code

MAX_CLIMB = 3
INHERITED = (
    "nsubj nsubjpass csubj csubjpass dobj dative attr prep agent advmod npadvmod advcl neg aux "
    "expl acomp xcomp oprd mark"
)
OBJECT = "dobj dative attr acomp oprd ccomp xcomp"
SETS = {
    name: set(labels.split())
    for name, labels in (
        ("IGNORED", "punct conj cc preconj dep det predet meta intj"),
        ("NOMINAL", "nsubj nsubjpass dobj attr dative oprd pobj npadvmod"),
        ("DETACHABLE", "prep agent relcl acl advcl advmod npadvmod xcomp"),
        ("INHERITED", INHERITED),
        ("OBJECT", OBJECT),
        ("FRAME", OBJECT + " nsubj nsubjpass csubj expl prep agent prt"),
        ("PASSIVE", "auxpass nsubjpass agent"),
        ("AUXILIARY", "aux auxpass"),
    )
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible argument: its head token and the path of labels that leads to it."""

    head: int
    path: tuple[str, ...]

    @property
    def direct(self) -> bool:
        """True if one step leads to it."""
        return len(self.path) == 1

    @property
    def above(self) -> bool:
        """True if it is a word above the predicate, such as the noun of a relative clause."""
        return self.path[-1].startswith("^")

    @property
    def inner_place(self) -> bool:
        """True if it is a prepositional phrase inside what may be another argument."""
        steps = [step for step in self.path if not step.startswith("^")]
        return len(steps) == len(self.path) > 1 and steps[-1] == "prep"


def candidates(tree: Tree, predicate: int) -> list[Candidate]:
    """Candidate arguments of ``predicate``; each head token once, by its shortest path."""
    deps, kids, heads = tree.deps, tree.kids, tree.heads
    result: dict[int, tuple[str, ...]] = {}

    for kid in kids(predicate):
        dep = deps[kid]
        if dep in SETS["IGNORED"] or not dep:
            continue
        result[kid] = (dep,)
        if dep in SETS["NOMINAL"]:
            _below(tree, kid, (dep,), result)
        elif dep == "prep":
            for noun in kids(kid):
                if deps[noun] == "pobj":
                    _below(tree, noun, (dep, "pobj"), result)

    path: tuple[str, ...] = ()
    here = predicate
    for _ in range(MAX_CLIMB):
        above = heads[here]
        if above == here:
            break
        path = (*path, "^" + deps[here])
        if deps[here] in ("relcl", "acl"):
            result.setdefault(above, path)
        verbal = tree.pos[above] in ("VERB", "AUX")
        for kid in kids(above):
            if kid != here and verbal and deps[kid] in SETS["INHERITED"]:
                result.setdefault(kid, (*path, deps[kid]))
        here = above
    result.pop(predicate, None)
    return [Candidate(head, route) for head, route in sorted(result.items())]


def _below(
    tree: Tree, noun: int, path: tuple[str, ...], results: dict[int, tuple[str, ...]]
) -> None:
    for kid in tree.kids(noun):
        if tree.deps[kid] in SETS["DETACHABLE"]:
            results.setdefault(kid, (*path, tree.deps[kid]))


def voice(tree: Tree, predicate: int) -> str:
    """``passive`` (also for participles after their noun), else ``active``."""
    below = {tree.deps[kid] for kid in tree.kids(predicate)}
    if not below.isdisjoint(SETS["PASSIVE"]):
        return "passive"
    participle = tree.tags[predicate] == "VBN" and tree.deps[predicate] in ("acl", "amod", "advcl")
    return "passive" if participle and below.isdisjoint(SETS["AUXILIARY"]) else "active"


def content_token(tree: Tree, head: int) -> int:
    """The token that carries a phrase's meaning: the object of a preposition, else the head."""
    if tree.deps[head] in ("prep", "agent", "dative") and tree.tags[head] in ("IN", "TO", "RP"):
        for kid in tree.kids(head):
            if tree.deps[kid] in ("pobj", "pcomp"):
                return kid
    return head


def _marker(tree: Tree, head: int, content: int) -> str:
    """Preposition, subordinator or complementiser that introduces a phrase."""
    if content != head or tree.deps[head] in ("prep", "agent"):
        return tree.lemmas[head]
    for kid in tree.kids(head):
        opening = kid < head and tree.tags[kid] in ("WRB", "WDT", "WP", "TO")
        if opening or tree.deps[kid] == "mark":
            return tree.lemmas[kid]
    return ""


def candidate_rows(tree: Tree, predicate: int, results: Sequence[Candidate]) -> list[list[int]]:
    """One row of column codes for each candidate of ``predicate``: (len(found), len(COLUMNS))."""
    deps, lemmas, tags = tree.deps, tree.lemmas, tree.tags
    kids = tree.kids(predicate)
    spoken = voice(tree, predicate)
    frame = ["<" * (kid < predicate) + deps[kid] for kid in kids if deps[kid] in SETS["FRAME"]]
    preps = "+".join(sorted(lemmas[kid] for kid in kids if deps[kid] == "prep"))
    particle = "+".join(lemmas[kid] for kid in kids if deps[kid] == "prt")
    objects = "+".join(deps[kid] for kid in kids if deps[kid] in SETS["OBJECT"])
    subject = next((lemmas[kid] for kid in kids if deps[kid] in ("nsubj", "nsubjpass")), "")
    shared = {
        "predicate": code(lemmas[predicate]),
        "tag": code(tags[predicate]),
        "voice": code(spoken),
        "relation": code(deps[predicate]),
        "frame": code(" ".join(frame)),
        "preps": code(preps),
        "particle": code(particle),
        "objects": code(objects),
        "subject": code(subject),
    }
    ranks: dict[tuple[str, ...], int] = {}
    rows = []
    for candidate in results:
        head, path = candidate.head, candidate.path
        rank = ranks[path] = ranks.get(path, -1) + 1
        content = content_token(tree, head)
        below = tree.kids(content)
        edge = lemmas[below[0]] if below and below[0] < content else ""
        row = {
            **shared,
            "path": code(">".join(path)),
            "dep": code(deps[head]),
            "lemma": code(lemmas[head]),
            "ctag": code(tags[head]),
            "marker": code(_marker(tree, head, content)),
            "content": code(lemmas[content]),
            "content_tag": code(tags[content]),
            "suffix": code(lemmas[content][-2:]),
            "side": code("before" if head < predicate else "after"),
            "edge": code(edge),
            "host": code(lemmas[tree.heads[head]] if len(path) > 1 else ""),
            "rank": rank,
            "shape": code(f"{len(below)}"),
            "last": int(candidate is results[-1]),
        }
        rows.append([row[name] for name in COLUMNS])
    return rows


def sense_row(tree: Tree, predicate: int) -> list[int]:
    """Codes of what tells a predicate's senses apart: (len(SENSE_COLUMNS),)."""
    deps, lemmas, kids = tree.deps, tree.lemmas, tree.kids(predicate)
    values = (
        "",
        voice(tree, predicate),
        " ".join(deps[kid] for kid in kids if deps[kid] in SETS["FRAME"]),
        "+".join(sorted(lemmas[kid] for kid in kids if deps[kid] == "prep")),
        "+".join(lemmas[kid] for kid in kids if deps[kid] == "prt"),
        "+".join(deps[kid] for kid in kids if deps[kid] in SETS["OBJECT"]),
        next((lemmas[kid] for kid in kids if deps[kid] in ("dobj", "nsubjpass", "attr")), ""),
        next((lemmas[kid] for kid in kids if deps[kid] == "nsubj"), ""),
    )
    return [code(value) for value in values]
