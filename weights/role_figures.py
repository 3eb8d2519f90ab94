"""Quality of a labeller on PropBank's arguments: the F1 of exact spans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from compsim.parsers.pipeline.tree import Tree, predicates
from compsim.parsers.roles.labeller import PLACE_LABEL, RoleLabeller, core
from compsim.weights.propbank import Proposition

__all__ = ["argument_f1", "closed"]

_PAIRS = (("(", ")"), ("[", "]"), ('"', '"'), ("``", "''"), ("\u201c", "\u201d"), ("'", "'"))


def argument_f1(
    labeller: RoleLabeller, parsed: list[tuple[Tree, list[Proposition]]]
) -> dict[str, float]:
    """Argument F1 (label and exact span) and sense accuracy over all gold verbal predicates."""
    hit = said = gold_total = numbered = numbered_said = numbered_gold = senses = verbs = 0
    for tree, propositions in parsed:
        frames = {f.predicate: f for f in labeller.frames([(tree, predicates(tree))])[0]}
        for proposition in propositions:
            if not proposition.verbal:
                continue
            frame = frames.get(proposition.predicate[0])
            gold = {a for a in proposition.arguments if not a[0].startswith(("C-", "R-"))}
            result = set() if frame is None else set(_spans(tree, frame))
            hit += len(gold & result)
            said += len(result)
            gold_total += len(gold)
            numbered += sum(core(a[0]) for a in gold & result)
            numbered_said += sum(core(a[0]) for a in result)
            numbered_gold += sum(core(a[0]) for a in gold)
            verbs += frame is not None
            senses += frame is not None and frame.sense == proposition.roleset
    return {
        "f1": 2 * hit / (said + gold_total),
        "numbered_f1": 2 * numbered / (numbered_said + numbered_gold),
        "sense_accuracy": senses / verbs,
    }


def _spans(tree: Tree, frame: Any) -> Iterator[tuple[str, int, int]]:
    """(label, first, last) of each argument of a frame, as PropBank writes them.

    The noun that predicates beside a light verb (ARGM-PRR) stands alone: "walk" of "take a walk".
    """
    arguments = [argument for argument in frame.arguments if argument.label != PLACE_LABEL]
    parts = tree.parts({frame.predicate, *(i for a in arguments for i in (a.head, *a.more))})
    for argument in arguments:
        if argument.label.startswith(("C-", "R-")):
            continue
        tokens = [i for head in (argument.head, *argument.more) for i in parts[head]]
        if argument.label == "ARGM-PRR":
            tokens = [argument.head]
        spoken = [i for i in tokens if tree.deps[i] != "punct"] or tokens
        yield argument.label, *closed(tree, min(spoken), max(spoken))


def closed(tree: Tree, start: int, end: int) -> tuple[int, int]:
    """A span with the bracket or quotation mark next to it whose partner is in it or beside it."""
    before = tree.word(start - 1) if start else ""
    after = tree.word(end + 1) if end + 1 < len(tree) else ""
    if (before, after) in _PAIRS:
        return start - 1, end + 1
    inside = [tree.word(i) for i in range(start, end + 1)]
    for opening, closing in _PAIRS:
        opened, shut = inside.count(opening), inside.count(closing)
        odd = opening == closing and opened % 2 == 1
        if after == closing and (opened > shut or odd):
            return start, end + 1
        if before == opening and (opened < shut or odd):
            return start - 1, end
    return start, end
