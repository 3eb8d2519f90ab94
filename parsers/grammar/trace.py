"""Which rules matched in a sentence, in order, and what each changed.

>>> from compsim.parsers.grammar.parser import ConceptParser
>>> parser = ConceptParser()
>>> (trace,) = map(parser.trace, parser.analyse(["The dog did not bark."]))
>>> changes = [str(change) for match in trace.matches for change in match.changes]
>>> [change for change in changes if change.startswith("bark is ")][1:]
['bark is negated=yes', 'bark is tense=past', 'bark is aspect=simple']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from compsim.parsers.grammar.draft import Draft
from compsim.parsers.grammar.lexicon import Lexicon
from compsim.parsers.grammar.rules import Rule
from compsim.parsers.pipeline.tree import Tree

__all__ = ["Change", "Match", "TracedDraft"]


@dataclass(frozen=True, slots=True)
class Change:
    """Something that a rule added, or took away if ``removed``.

    ``kind`` is ``"edge"``, ``"concept"``, ``"feature"`` or ``"lemma"``; ``key`` identifies it: ends
    and role of an edge, a token, a token with the name and value of a feature or with a lemma.
    ``moved`` marks an edge that has gone to another token, ``text`` says it with the words of the
    sentence.
    """

    kind: str
    key: tuple[int | str, ...]
    removed: bool
    moved: bool
    text: str = field(compare=False)

    def __str__(self) -> str:
        return f"no longer {self.text}" if self.removed else self.text


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a rule: the token of each name of its pattern, and what its actions changed."""

    rule: Rule
    tokens: Mapping[str, int | None]
    changes: list[Change]


class TracedDraft(Draft):
    """A draft that remembers what each match of a rule changed."""

    def __init__(self, tree: Tree, lexicon: Lexicon) -> None:
        super().__init__(tree, lexicon)
        self.matches: list[Match] = []
        self._moving = False

    def begin(self, rule: Rule, tokens: Mapping[str, int | None]) -> None:
        """Begin a match: what changes from now on is its doing."""
        self.matches.append(Match(rule, tokens, []))

    def add(self, source: int, role: str, target: int, confidence: float = 1.0) -> None:
        """Add an edge as ``Draft.add``."""
        before = self._confidence(source, role, target)
        super().add(source, role, target, confidence)
        if self._confidence(source, role, target) > before:
            self._note_edge(source, role, target, removed=False)

    def remove(self, source: int, role: str, target: int) -> None:
        """Remove an edge as ``Draft.remove``."""
        before = self._confidence(source, role, target)
        super().remove(source, role, target)
        if before:
            self._note_edge(source, role, target, removed=True)

    def redirect(
        self,
        token: int,
        other: int,
        moves: Callable[[int, int], bool] = lambda source, target: True,
    ) -> None:
        """Let the edges of a token belong to another one as ``Draft.redirect``."""
        self._moving = True
        super().redirect(token, other, moves)
        self._moving = False

    def keep(self, token: int) -> None:
        """Make a token a concept as ``Draft.keep``."""
        if token not in self.concepts:
            self._note("concept", (token,), f"{self.words[token]} is a concept", removed=False)
        super().keep(token)

    def drop(self, token: int) -> None:
        """Make a token no concept as ``Draft.drop``."""
        if token in self.concepts:
            self._note("concept", (token,), f"{self.words[token]} is a concept", removed=True)
        super().drop(token)

    def set_feature(self, token: int, name: str, value: str) -> None:
        """Give a token a feature as ``Draft.set_feature``."""
        before = self.features[token].get(name)
        if before != value:
            if before is not None:
                self._note_feature(token, name, before, removed=True)
            self._note_feature(token, name, value, removed=False)
        super().set_feature(token, name, value)

    def clear_feature(self, token: int, name: str) -> None:
        """Take a feature from a token as ``Draft.clear_feature``."""
        before = self.features[token].get(name)
        if before is not None:
            self._note_feature(token, name, before, removed=True)
        super().clear_feature(token, name)

    def rename(self, token: int, lemma: str) -> None:
        """Give a token another lemma as ``Draft.rename``."""
        before = self.lemmas[token]
        if before != lemma:
            word = self.words[token]
            self._note("lemma", (token, before), f"{word} has the lemma {before}", removed=True)
            self._note("lemma", (token, lemma), f"{word} has the lemma {lemma}", removed=False)
        super().rename(token, lemma)

    def _confidence(self, source: int, role: str, target: int) -> float:
        return self.out.get(source, {}).get(role, {}).get(target, 0.0)

    def _note_edge(self, source: int, role: str, target: int, removed: bool) -> None:
        text = f"{self.words[source]} -{role}-> {self.words[target]}"
        self._note("edge", (source, role, target), text, removed)

    def _note_feature(self, token: int, name: str, value: str, removed: bool) -> None:
        text = f"{self.words[token]} is {name}={value}"
        self._note("feature", (token, name, value), text, removed)

    def _note(self, kind: str, key: tuple[int | str, ...], text: str, removed: bool) -> None:
        # The labeller's arguments are there before the first rule.
        if self.matches:
            self.matches[-1].changes.append(Change(kind, key, removed, self._moving, text))
