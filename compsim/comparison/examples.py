"""Example pairs of the grammar's rules, scored: ``same`` pairs above ``other`` pairs, rule by rule.

>>> from compsim.parsers.grammar.parser import ConceptParser
>>> parser = ConceptParser()
>>> rules = [rule for rule in parser.grammar.rules if rule.name == "nobody"]
>>> (result,) = check_examples(parser, rules)
>>> result.fires, result.holds
(True, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from compsim.comparison.method import ConceptMethod

if TYPE_CHECKING:
    from pathlib import Path

    from compsim.parsers.grammar.parser import ConceptParser
    from compsim.parsers.grammar.rules import Rule

__all__ = ["EXAMPLES", "ExampleResult", "check_examples"]

#: How many pairs of each kind a rule has at least.
EXAMPLES: Final = 2


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """The scores of the example pairs of a rule, in their order, and whether it matched in them."""

    rule: Rule
    fires: bool
    same: tuple[float, ...]
    other: tuple[float, ...]

    @property
    def enough(self) -> bool:
        """Whether there are as many pairs of each kind as a rule must have."""
        return min(len(self.same), len(self.other)) >= EXAMPLES

    @property
    def ordered(self) -> bool:
        """Whether each pair that says the same scores higher than each that does not."""
        return min(self.same, default=1.0) > max(self.other, default=0.0)

    @property
    def holds(self) -> bool:
        """Whether there are enough pairs, the rule matches in them, and the scores are in order."""
        return self.enough and self.fires and self.ordered

    @property
    def fault(self) -> str:
        """What is wrong, in a sentence; empty if nothing is."""
        name = self.rule.name
        if not self.enough:
            return (
                f"{name!r} has {len(self.same)} same and {len(self.other)} other pairs: "
                f"give {EXAMPLES} of each"
            )
        if not self.fires:
            return f"{name!r} matches in none of its examples: mend its pattern or the examples"
        if self.ordered:
            return ""
        low, high = min(self.same), max(self.other)
        same, other = self.rule.same[self.same.index(low)], self.rule.other[self.other.index(high)]
        return (
            f"{name!r}: {' / '.join(same)} scores {low:.3f} as the same, and "
            f"{' / '.join(other)} {high:.3f} as another"
        )


def check_examples(
    parser: ConceptParser, rules: Sequence[Rule], vectors: str | Path | None = "builtin"
) -> list[ExampleResult]:
    """Score the example pairs of rules by the method ``verbnet-cn``.

    Args:
        parser: What parses them; the rules are among its rules.
        rules: The rules to check.
        vectors: Word vectors, as for the method.

    Returns:
        A result for each rule.
    """
    pairs = list(chain.from_iterable((*rule.same, *rule.other) for rule in rules))
    texts = list(dict.fromkeys(chain.from_iterable(pairs)))
    analyses = dict(zip(texts, parser.analyse(texts), strict=True))
    graphs, names = {}, {}
    for text, analysis in analyses.items():
        draft = parser.trace(analysis)
        graphs[text] = parser.graph_of(draft, analysis)
        names[text] = {match.rule.name for match in draft.matches}
    method = ConceptMethod(parser, vectors=vectors, cache=False)
    sides = [method.encode_graphs([graphs[pair[side]] for pair in pairs]) for side in (0, 1)]
    scores = iter(method.similarity_pairwise(*sides).tolist() if pairs else ())
    return [
        ExampleResult(
            rule,
            any(rule.name in names[text] for text in rule.sentences),
            tuple(next(scores) for _ in rule.same),
            tuple(next(scores) for _ in rule.other),
        )
        for rule in rules
    ]
