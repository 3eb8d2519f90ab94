"""Tense, aspect, modality of a verb, from its own auxiliaries (Quirk et al. 1985, chapter 4)."""

from __future__ import annotations

from typing import Final

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.features.clause import Clause
from compsim.parsers.roles.features.semi_modals import MODALS, had_better

__all__ = ["tell_time"]

_TENSES: Final = {"VBD": "past", "VBZ": "present", "VBP": "present"}
_FUTURE: Final = frozenset(("will", "shall", "wo", "sha", "'ll", "\u2019ll"))
_SHORT_HAVE: Final = frozenset(("'ve", "\u2019ve", "ve"))
_HAVE: Final = _SHORT_HAVE | {"have"}
_WOULD_OR_HAD: Final = frozenset(("'d", "\u2019d"))


def tell_time(tree: Tree, i: int, clause: Clause) -> None:
    """Write tense, aspect and modality of verb ``i`` into its clause."""
    tag = tree.tags[i]
    if not clause.auxiliaries:
        if tag == "VBD" or (tag == "VBN" and clause.subject >= 0):
            clause.tense = "past"
        elif tag in ("VBZ", "VBP") and clause.subject >= 0:
            clause.tense = "present"
        return
    have = be = False
    for place, kid in enumerate(clause.auxiliaries):
        word, form = tree.lemmas[kid], tree.tags[kid]
        if had_better(tree, kid):
            clause.modality = "necessary"
            continue
        if word in _WOULD_OR_HAD and tag == "VBN":
            word, form = "have", "VBD"
        if word in MODALS:
            clause.modality = MODALS[word]
        elif word in _FUTURE:
            clause.tense = "future"
        if not place and (form in _TENSES or word in _SHORT_HAVE):
            clause.tense = _TENSES.get(form, "present")
        have = have or word in _HAVE or (be and tree.tags[kid] == "VBN")
        be = be or word == "be"
        if form == "VBG" and tag == "VBN":
            clause.aspect = "progressive"
    if tag == "VBG" and be:
        clause.aspect = "progressive"
    if have:
        clause.aspect = "perfect progressive" if clause.aspect else "perfect"
