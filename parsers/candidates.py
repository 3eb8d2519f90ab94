"""Predicates of a dependency tree and the constituents that may be their arguments.

Trees carry ClearNLP labels (spaCy's English pipelines speak them). Every verb that is neither an
auxiliary nor a mere modifier is a predicate. A candidate argument is the head token of a subtree:
a dependent of the predicate, a dependent of such a dependent (a parser that hangs "in the park" on
the object is overruled by the labeller, not trusted), and, climbing from the predicate through
coordination, control and relative clauses, the dependents of the words above it.

The *path* from predicate to candidate is a tuple of dependency labels, upward steps first::

    Cats that sleep chase mice.     sleep -> Cats    ("^relcl",)
                                    chase -> mice    ("dobj",)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["Candidate", "Tree", "candidates", "predicates"]

AUXILIARY = frozenset({"aux", "auxpass"})
MODIFIER = frozenset({"amod", "compound", "nmod", "case", "prep", "cc", "mark"})
IGNORED = frozenset({"punct", "conj", "cc", "preconj", "dep", "det", "predet", "meta", "intj", ""})
NOMINAL = frozenset({"nsubj", "nsubjpass", "dobj", "attr", "dative", "oprd", "pobj", "npadvmod"})
DETACHABLE = frozenset({"prep", "agent", "relcl", "acl", "advcl", "advmod", "npadvmod", "xcomp"})
INHERITED = frozenset(
    {"nsubj", "nsubjpass", "csubj", "csubjpass", "dobj", "dative", "attr", "prep", "agent"}
    | {"advmod", "npadvmod", "advcl", "neg", "aux", "expl", "acomp", "xcomp", "oprd", "mark"}
)
MAX_CLIMB = 3


class Tree:
    """Plain-list view of a spaCy ``Doc``: fast to walk, no token objects.

    ``starts`` and ``ends`` are character offsets into ``text``.
    """

    __slots__ = ("deps", "ends", "heads", "kids", "lemmas", "pos", "starts", "tags", "text")

    def __init__(self, doc: Doc) -> None:
        self.text: str = doc.text
        strings = doc.vocab.strings
        offsets = doc.to_array(["IDX", "LENGTH"]).astype("int64")
        self.starts: list[int] = offsets[:, 0].tolist()
        self.ends: list[int] = offsets.sum(axis=1).tolist()
        rows = doc.to_array(["HEAD", "DEP", "TAG", "POS", "LEMMA"])
        n = len(doc)
        self.heads: list[int] = [
            i + head for i, head in enumerate(rows[:, 0].astype("int64").tolist())
        ]
        names = {int(key): strings[int(key)] for key in set(rows[:, 1:].ravel().tolist())}
        self.deps: list[str] = [names[key] for key in rows[:, 1].tolist()]
        self.tags: list[str] = [names[key] for key in rows[:, 2].tolist()]
        self.pos: list[str] = [names[key] for key in rows[:, 3].tolist()]
        self.lemmas: list[str] = [names[key].lower() for key in rows[:, 4].tolist()]
        self.kids: list[list[int]] = [[] for _ in range(n)]
        for i, head in enumerate(self.heads):
            if head != i:
                self.kids[head].append(i)

    def word(self, i: int) -> str:
        """Token ``i`` as written."""
        return self.text[self.starts[i] : self.ends[i]]

    def __len__(self) -> int:
        return len(self.heads)

    def subtree(self, top: int, without: frozenset[int] = frozenset()) -> list[int]:
        """Tokens below and including ``top`` in text order, not entering any of ``without``."""
        found, stack = [], [top]
        while stack:
            i = stack.pop()
            found.append(i)
            stack += [kid for kid in self.kids[i] if kid not in without]
        return sorted(found)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible argument: its head token and the path of labels that leads to it."""

    head: int
    path: tuple[str, ...]


def is_predicate(tree: Tree, i: int) -> bool:
    """Whether token ``i`` is a verb that predicates something."""
    if tree.deps[i] in AUXILIARY or tree.deps[i] in MODIFIER:
        return False
    # Bare taggers of user pipelines may leave the class empty; the fine-grained tag then decides.
    return tree.pos[i] in ("VERB", "AUX") or (not tree.pos[i] and tree.tags[i].startswith("VB"))


def predicates(tree: Tree) -> list[int]:
    """Tokens that head a star of their own, in text order."""
    return [i for i in range(len(tree)) if is_predicate(tree, i)]


def candidates(tree: Tree, predicate: int) -> list[Candidate]:
    """Candidate arguments of ``predicate``; each head token once, by its shortest path."""
    deps, kids, heads = tree.deps, tree.kids, tree.heads
    found: dict[int, tuple[str, ...]] = {}

    for kid in kids[predicate]:
        dep = deps[kid]
        if dep in IGNORED:
            continue
        found[kid] = (dep,)
        if dep in NOMINAL:
            _below(tree, kid, (dep,), found)
        elif dep == "prep":
            for noun in kids[kid]:
                if deps[noun] == "pobj":
                    _below(tree, noun, (dep, "pobj"), found)

    path: tuple[str, ...] = ()
    here = predicate
    for _ in range(MAX_CLIMB):
        above = heads[here]
        if above == here:
            break
        path = (*path, "^" + deps[here])
        if deps[here] in ("relcl", "acl"):
            found.setdefault(above, path)
        verbal = tree.pos[above] in ("VERB", "AUX")
        for kid in kids[above]:
            if kid != here and verbal and deps[kid] in INHERITED:
                found.setdefault(kid, (*path, deps[kid]))
        here = above
    found.pop(predicate, None)
    return [Candidate(head, route) for head, route in sorted(found.items())]


def _below(tree: Tree, noun: int, path: tuple[str, ...], found: dict[int, tuple[str, ...]]) -> None:
    for kid in tree.kids[noun]:
        if tree.deps[kid] in DETACHABLE:
            found.setdefault(kid, (*path, tree.deps[kid]))
