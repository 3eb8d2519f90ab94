"""Put a grammar of fewer rules in place of the shipped one, for tests that read all of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from compsim.parsers.grammar import grammar
from compsim.parsers.grammar.rules import Rule

__all__ = ["use_rules"]


def use_rules(patch: pytest.MonkeyPatch, rules: Sequence[Rule]) -> None:
    """Let these rules be the shipped ones as long as the patch holds."""
    fewer = grammar.Grammar(rules, None, grammar.Grammar.open().version)
    patch.setattr(grammar, "_shipped", lambda: fewer)
