"""The role graph of a sentence in the making: what the rules of the grammar write to.

Its tokens are those of the tree, which never changes; rules add edges between tokens, set features
of them, and say which of them are concepts.

>>> tree = Tree("cats sleep", [0, 5], [4, 10], [1, 1], ["nsubj", "ROOT"], ["NNS", "VBP"],
...             ["NOUN", "VERB"], ["cat", "sleep"])
>>> draft = Draft(tree, Lexicon.open())
>>> draft.add(1, "agent", 0)
>>> list(draft.edges()), draft.targets(1, ["agent"])
([(1, 'agent', 0, 1.0)], [0])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from compsim.parsers.grammar.lexicon import Lexicon
from compsim.parsers.pipeline.tree import Tree

if TYPE_CHECKING:
    from compsim.parsers.grammar.antecedents import Antecedents

__all__ = ["CONTRACTED", "Draft"]

#: Dependents of a token that rules look at, and edges that are redirected at once: far more than
#: sentences have, so that rules over pairs of them take linear time in any text.
_MOST: Final = 100
#: Auxiliaries that are cut short: "can't", "won't", "she'll".
CONTRACTED: Final = {
    "ca": "can", "wo": "will", "sha": "shall", "ai": "be", "'ll": "will", "\u2019ll": "will",
    "'d": "would", "\u2019d": "would",
}  # fmt: skip
_FINITE: Final = ("MD", "VBP", "VBZ", "VBD")


class Draft:
    """Edges, features and concepts over the tokens of a tree.

    ``out`` and ``inn`` map a token to the edges that leave and reach it, as role to tokens with
    the confidence of each edge; ``concepts`` maps a token to all tokens of its concept;
    ``by_dep`` and ``by_pos`` list tokens by label and part of speech, heads before dependents;
    ``by_role`` has the tokens that edges of a role leave or have left, ``seen`` every word and
    lemma, ``given`` the name of every feature that a token has or has had; ``taken_up`` maps a
    function word to the token whose feature it has become: "few" in "few people".
    """

    def __init__(self, tree: Tree, lexicon: Lexicon) -> None:
        self.tree = tree
        self.lexicon = lexicon
        children = tree.children()
        self.children = [kids[:_MOST] if len(kids) > _MOST else kids for kids in children]
        self.words = [tree.word(i).lower() for i in range(len(tree))]
        days = lexicon.plural_days
        self.lemmas = [
            self._lemma(i) if lemma in CONTRACTED else days.get(lemma, lemma)
            for i, lemma in enumerate(tree.lemmas)
        ]
        self.seen = {*self.words, *self.lemmas}
        self.given: set[str] = set()
        self.features: list[dict[str, str]] = [{} for _ in range(len(tree))]
        self.concepts: dict[int, list[int]] = {}
        self.taken_up: dict[int, int] = {}
        self.out: dict[int, dict[str, dict[int, float]]] = {}
        self.inn: dict[int, dict[str, dict[int, float]]] = {}
        self.by_role: dict[str, set[int]] = {}
        self.antecedents: Antecedents | None = None
        self.by_dep: dict[str, list[int]] = {}
        self.by_pos: dict[str, list[int]] = {}
        for i in _downwards(tree, children):
            self.by_dep.setdefault(tree.deps[i], []).append(i)
            self.by_pos.setdefault(tree.pos[i], []).append(i)

    def _lemma(self, i: int) -> str:
        """The lemma of a token, spelled out where it is a contracted auxiliary."""
        lemma, head = self.tree.lemmas[i], self.tree.heads[i]
        if self.tree.tags[i] not in _FINITE:
            return lemma
        # "He'd gone" is "he had gone", "he'd have gone" is not.
        had = lemma.endswith("d") and self.tree.tags[head] == "VBN"
        if had and not any(self.tree.lemmas[kid] == "have" for kid in self.children[head]):
            return "have"
        return CONTRACTED[lemma]

    def add(self, source: int, role: str, target: int, confidence: float = 1.0) -> None:
        """Add an edge between two tokens, or raise the confidence of one that is there."""
        if source == target:
            return
        targets = self.out.setdefault(source, {}).setdefault(role, {})
        if targets.get(target, 0.0) < confidence:
            targets[target] = confidence
            self.by_role.setdefault(role, set()).add(source)
            self.inn.setdefault(target, {}).setdefault(role, {})[source] = confidence

    def remove(self, source: int, role: str, target: int) -> None:
        """Remove an edge where it is there."""
        self.out.get(source, {}).get(role, {}).pop(target, None)
        self.inn.get(target, {}).get(role, {}).pop(source, None)

    def redirect(
        self,
        token: int,
        other: int,
        moves: Callable[[int, int], bool] = lambda source, target: True,
    ) -> None:
        """Let the edges of a token leave or reach another token instead.

        ``moves`` is asked with the source and the target of each, and may leave it where it is.
        """
        for role, targets in list(self.out.get(token, {}).items()):
            for target, confidence in list(islice(targets.items(), _MOST)):
                if moves(token, target):
                    self.remove(token, role, target)
                    self.add(other, role, target, confidence)
        for role, sources in list(self.inn.get(token, {}).items()):
            for source, confidence in list(islice(sources.items(), _MOST)):
                if moves(source, token):
                    self.remove(source, role, token)
                    self.add(source, role, other, confidence)

    def relate(self, source: int, preposition: int, target: int, confidence: float = 1.0) -> None:
        """Add the relation that a preposition names, in its canonical direction."""
        role, inverse = self.relation(preposition)
        if inverse:
            source, target = target, source
        self.add(source, role, target, confidence)

    def relation(self, preposition: int) -> tuple[str, bool]:
        """The relation that a preposition names, and whether it is turned round."""
        phrase = self.features[preposition].get("phrase", "")
        for word in (phrase, self.words[preposition], self.lemmas[preposition]):
            entry = self.lexicon.entry("preposition", word) if word else None
            if entry is not None:
                return entry.features["relation"], "inverse" in entry.features
        return self.words[preposition], False

    def holders(self, roles: Sequence[str]) -> list[int]:
        """The tokens that edges of some roles leave or have left, in text order."""
        return sorted(set().union(*(self.by_role.get(role, ()) for role in roles)))

    def targets(self, source: int, roles: Sequence[str]) -> list[int]:
        """The tokens that edges of some roles lead to."""
        edges = self.out.get(source)
        return [] if edges is None else [t for role in roles for t in edges.get(role, ())]

    def sources(self, target: int, roles: Sequence[str]) -> list[int]:
        """The tokens that edges of some roles come from."""
        edges = self.inn.get(target)
        return [] if edges is None else [t for role in roles for t in edges.get(role, ())]

    def closure(self, first: int, labels: frozenset[str]) -> list[int]:
        """A token and all that are reached from it by dependencies with some labels."""
        reached = [first]
        deps = self.tree.deps
        for i in reached:
            for kid in self.children[i]:
                if deps[kid] in labels:
                    reached.append(kid)
        return reached

    def keep(self, token: int) -> None:
        """Make a token a concept."""
        self.concepts.setdefault(token, [token])

    def drop(self, token: int) -> None:
        """Make a token no concept."""
        self.concepts.pop(token, None)

    def merge(self, token: int, other: int) -> None:
        """Let another token belong to the concept of a token, its lemma too."""
        self.drop(other)
        if token in self.concepts and other not in self.concepts[token]:
            self.concepts[token].append(other)
            parts = sorted((token, other))
            self.rename(token, "_".join(self.lemmas[part] for part in parts))

    def rename(self, token: int, lemma: str) -> None:
        """Give a token another lemma."""
        self.lemmas[token] = lemma
        self.seen.add(lemma)

    def set_feature(self, token: int, name: str, value: str) -> None:
        """Give a token a feature, in place of one of that name."""
        self.features[token][name] = value
        self.given.add(name)

    def clear_feature(self, token: int, name: str) -> None:
        """Take a feature from a token, where it has it."""
        self.features[token].pop(name, None)

    def take_up(self, word: int, token: int) -> None:
        """Note that what a word says is said by a feature of a token."""
        if word != token:
            self.taken_up[word] = token

    def phrase(self, preposition: int, *words: int) -> None:
        """Note the phrase that a preposition stands for, such as "in front of"."""
        self.set_feature(preposition, "phrase", " ".join(self.words[i] for i in words))

    def edges(self) -> Iterator[tuple[int, str, int, float]]:
        """Every edge, in text order of its ends."""
        for source, roles in sorted(self.out.items()):
            for role, targets in sorted(roles.items()):
                for target, confidence in sorted(targets.items()):
                    yield source, role, target, confidence


def _downwards(tree: Tree, children: list[list[int]]) -> list[int]:
    """All tokens, each behind its head."""
    order = [i for i, head in enumerate(tree.heads) if head == i]
    for i in order:
        order += children[i]
    return order
