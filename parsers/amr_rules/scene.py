"""State of a sentence while its AMR is built: tree, frames, and the node of each token.

A token is met in three ways. Its *base* is the node of its own concept, from which edges to its
dependents go; its *tip* is the node that others point at: the ``and`` above a coordination, the
``possible-01`` above "can go". And a token may let another *stand in* for it: a preposition its
object, a copula its complement, a relative pronoun its antecedent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from compsim.graph import Span
from compsim.parsers.amr_rules.draft import Draft
from compsim.parsers.amr_rules.lexicon import AmrLexicon, concept
from compsim.parsers.pipeline.tree import VERBAL, Tree
from compsim.parsers.roles.analysis import Analysis
from compsim.parsers.roles.labeller import Argument, Frame

__all__ = ["VERB_TAGS", "Rolesets", "Scene"]

#: Verb lemma -> its rolesets.
Rolesets = dict[str, dict[str, dict[str, str]]]
VERB_TAGS: Final = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
_PREPOSITIONS: Final = frozenset({"prep", "agent", "dative"})


class Scene:
    """One sentence, or text of several, and the draft of its graph."""

    def __init__(self, analysis: Analysis, lexicon: AmrLexicon, rolesets: Rolesets) -> None:
        tree = analysis.tree
        size = len(tree)
        self.tree: Tree = tree
        self.lexicon = lexicon
        self.rolesets = rolesets
        self.draft = Draft()
        self.heads, self.deps, self.tags, self.lemmas = (
            tree.heads, tree.deps, tree.tags, tree.lemmas,
        )  # fmt: skip
        text = tree.text
        self.spans: list[Span] = list(zip(tree.starts, tree.ends, strict=True))
        self.words = [text[start:end].lower() for start, end in self.spans]
        self.kids: list[list[int]] = [[] for _ in range(size)]
        for i, head in enumerate(tree.heads):
            if head != i:
                self.kids[head].append(i)
        self.frames: dict[int, Frame] = {frame.predicate: frame for frame in analysis.frames}
        #: Label of each token that is a predicate's argument and hangs below it.
        self.label: dict[int, str] = {
            argument.head: argument.label
            for frame in analysis.frames
            for argument in frame.arguments
            if tree.heads[argument.head] == frame.predicate
        }
        self.stand = list(range(size))
        self.core = [-1] * size
        self.wrap: dict[int, int] = {}  # token -> node of a modality or degree above it
        self.group: dict[int, int] = {}  # token -> node of the coordination it begins
        self.members: dict[int, list[int]] = {}  # the tokens of that coordination
        self.relative: dict[int, int] = {}  # relative pronoun -> antecedent
        self.copula: dict[int, int] = {}  # copula -> complement
        self.linked: set[int] = set()  # tokens that need no edge from their head
        self.absorbed: set[int] = set()  # tokens that are part of another's concept
        self.roots: list[int] = [i for i, head in enumerate(tree.heads) if head == i]

    def __len__(self) -> int:
        return len(self.heads)

    def child(self, i: int, *deps: str) -> int | None:
        """The first dependent with one of the labels."""
        return next((kid for kid in self.kids[i] if self.deps[kid] in deps), None)

    def verbal(self, i: int) -> bool:
        """Return whether a token is a verb by its class or tag."""
        return self.tree.pos[i] in VERBAL or self.tags[i] in VERB_TAGS

    def adposition(self, i: int) -> bool:
        """Return whether a token is a preposition that may have an object."""
        if self.deps[i] == "pcomp":  # "because of", "out of"
            return self.tags[i] == "IN" and self.child(i, "pobj") is not None
        return self.deps[i] in _PREPOSITIONS and self.tags[i] in ("IN", "TO", "RP", "VBG", "VBN")

    def stands_for(self, i: int, other: int) -> bool:
        """Let ``other`` stand in for ``i``, unless that would go round in a circle."""
        if self.stand[i] != i or self.resolve(other) == i:
            return False
        self.stand[i] = other
        return True

    def resolve(self, i: int) -> int:
        """The token that in the end stands for ``i``."""
        while self.stand[i] != i:
            i = self.stand[i]
        return i

    def base(self, i: int) -> int:
        """The node from which edges to dependents of ``i`` go, -1 if there is none."""
        return self.core[self.resolve(i)]

    def tip(self, i: int) -> int:
        """The node that edges to ``i`` point at, -1 if there is none."""
        while True:
            if i in self.relative:
                return self.base(i)
            if i in self.group:
                return self.group[i]
            if i in self.wrap:
                return self.wrap[i]
            if self.stand[i] == i:
                return self.core[i]
            i = self.stand[i]

    def host(self, i: int) -> int:
        """The nearest token above ``i`` that has a node, ``i`` itself if there is none."""
        here = i
        while self.heads[here] != here:
            here = self.heads[here]
            if self.base(here) >= 0:
                return here
        return i

    def below(self, i: int, top: int) -> bool:
        """Return whether ``i`` hangs within a few steps below ``top``."""
        for _ in range(6):
            above = self.heads[i]
            if above == top:
                return True
            if above == i:
                return False
            i = above
        return False

    def relative_predicate(self, i: int) -> bool:
        """Return whether ``i`` heads a clause that says something of the noun above it."""
        return self.deps[i] in ("relcl", "acl")

    def roleset(self, i: int) -> str | None:
        """The roleset of a verb as AMR uses it: the labeller's, else the first of its lemma."""
        frame = self.frames.get(i)
        sense = frame.sense if frame else None
        known = self.rolesets.get(self.lemmas[i], {})
        for kid in self.kids[i]:
            if self.deps[kid] == "prt" and "_" not in (sense or ""):
                # AMR names the particle: "turn off" is no sense of "turn".
                whole = f"{self.lemmas[i]}_{self.words[kid]}."
                sense = min((name for name in known if name.startswith(whole)), default=sense)
        if sense is None or not sense[-1].isdigit():
            plain = [name for name in known if name[-1].isdigit() and "_" not in name]
            sense = min(plain, default=None)
        return self.lexicon.unused.get(sense, sense) if sense else None

    def predicate(self, roleset: str, tokens: tuple[int, ...]) -> int:
        """Add the concept of a roleset."""
        return self.draft.concept(concept(roleset), tokens, roleset)

    def arguments(self) -> Iterator[tuple[Frame, Argument]]:
        """Each argument with its frame, in text order of predicates."""
        for _, frame in sorted(self.frames.items()):
            for argument in frame.arguments:
                yield frame, argument
