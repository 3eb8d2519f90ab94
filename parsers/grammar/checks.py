"""What traces of sentences say about rules: which never match, change nothing, or are undone.

A rule is undone where other rules take back all that it adds and add all that it takes away, in
every sentence; an edge that goes to another token is not taken back. A single sentence says little:
give the examples of all rules.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from compsim.parsers.grammar.rules import Rule
from compsim.parsers.grammar.trace import Match

__all__ = ["Undone", "Usage", "measure_usage"]


@dataclass(frozen=True, slots=True)
class Undone:
    """A rule all of whose changes other rules undo; ``by`` names these, most active first."""

    rule: str
    by: tuple[str, ...]
    changes: int


@dataclass(slots=True)
class Usage:
    """How often rules matched and changed something, and who undid that, over some sentences."""

    matches: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    undone: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def unused(self, rules: Iterable[Rule]) -> list[str]:
        """The names of rules that never matched, in their order."""
        return [rule.name for rule in rules if not self.matches[rule.name]]

    def idle(self, rules: Iterable[Rule]) -> list[str]:
        """The names of rules that matched and never changed anything, in their order."""
        names = (rule.name for rule in rules)
        return [name for name in names if self.matches[name] and not self.changes[name]]

    def undoings(self, rules: Iterable[Rule]) -> list[Undone]:
        """The rules whose every change was undone by others, in their order."""
        result = []
        for name in (rule.name for rule in rules):
            by = self.undone[name]
            if self.changes[name] and by.total() == self.changes[name]:
                others = tuple(other for other, _ in by.most_common())
                result.append(Undone(name, others, self.changes[name]))
        return result


def measure_usage(traces: Iterable[Sequence[Match]]) -> Usage:
    """Count matches, changes, and changes that a later match of another rule undid.

    Args:
        traces: The matches of each sentence, in order.

    Returns:
        The counts, by names of rules.
    """
    usage = Usage()
    for matches in traces:
        last: dict[tuple[object, ...], tuple[str, bool]] = {}
        for match in matches:
            name = match.rule.name
            usage.matches[name] += 1
            for change in match.changes:
                key = (change.kind, *change.key)
                author, removed = last.get(key, (name, change.removed))
                if author != name and removed != change.removed and not change.moved:
                    usage.undone[author][name] += 1
                usage.changes[name] += 1
                last[key] = name, change.removed
    return usage
