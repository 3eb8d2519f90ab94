"""Actions of rules that no pattern can say, by name; a rule runs one with ``call NAME A ...``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from compsim.parsers.roles.features.antecedents import Antecedents

if TYPE_CHECKING:
    from compsim.parsers.grammar.draft import Draft

__all__ = ["ACTIONS"]


def corefer(draft: Draft, pronoun: int) -> None:
    """Let the edges of a pronoun lead to the noun that it stands for, if there is one."""
    if draft.antecedents is None:
        draft.antecedents = Antecedents(draft.tree, draft.children)
    noun = draft.antecedents.token(pronoun)
    if noun < 0 or noun == pronoun or noun not in draft.concepts:
        return
    draft.set_feature(pronoun, "antecedent", "yes")
    draft.redirect(pronoun, noun)
    draft.drop(pronoun)


def measure(draft: Draft, part: int, noun: int) -> None:
    """Let a noun take the place of the word that measures or groups it: "a group of people"."""
    draft.remove(part, "of", noun)
    draft.redirect(part, noun)
    draft.add(noun, "quantity", part)


def strip(draft: Draft, verb: int, noun: int) -> None:
    """Take the arguments from a verb that only carries a relation: "is positioned behind"."""
    for role in ("agent", "patient"):
        draft.remove(verb, role, noun)


ACTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "corefer": corefer,
    "measure": measure,
    "strip": strip,
}
