"""The encoder of role graphs of concepts, opened once: opening it takes longer than most tests."""

from __future__ import annotations

from functools import cache

from compsim.comparison.batch import ConceptEncoder

__all__ = ["opened"]


@cache
def opened() -> ConceptEncoder:
    """Return the encoder with the built-in vectors."""
    return ConceptEncoder.open("builtin")
