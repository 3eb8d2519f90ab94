"""Names in words, in drawings, for roles that no inventory has.

>>> role_name("Agent"), role_name("ARGM-NEG"), role_name("R-Agent")
('Agent', 'negation', 'Agent, relative word')
"""

from __future__ import annotations

from typing import Final

__all__ = ["role_name"]

_NAMES: Final = {
    # PropBank's modifiers (Bonial and others 2012, section 1.4) as far as VerbNet has no role.
    "ARGM-ADJ": "adjective",
    "ARGM-ADV": "adverbial",
    "ARGM-CAU": "cause",
    "ARGM-COM": "company",
    "ARGM-CXN": "construction",
    "ARGM-DIS": "discourse",
    "ARGM-EXT": "extent",
    "ARGM-GOL": "goal",
    "ARGM-LVB": "light verb",
    "ARGM-MOD": "modal",
    "ARGM-NEG": "negation",
    "ARGM-PNC": "purpose",
    "ARGM-PRD": "state",
    "ARGM-PRP": "purpose",
    "ARGM-REC": "reciprocal",
}
#: What PropBank puts before the role of a phrase that takes up another one.
_AGAIN: Final = {"R-": "relative word", "C-": "continued"}


def role_name(role: str) -> str:
    """A role as a reader knows it; one that is known by its own name stays as it is."""
    for prefix, what in _AGAIN.items():
        if role.startswith(prefix):
            return f"{role_name(role.removeprefix(prefix))}, {what}"
    return _NAMES.get(role, role)
