"""Places that stand for what is there: hay is loaded onto the truck that is loaded with hay.

The reading has the theme as its object, or its subject, and the place as a phrase; bees swarm in
the garden that swarms with bees. Who gets a thing may stand for it too: a school is provided with
the desks that are provided to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.labeller import Argument, Frame, core
from compsim.parsers.roles.nominal import may_act

__all__ = ["of_place"]

#: Prepositions that put nothing anywhere.
_NO_PLACES = frozenset(["with", "of", "for", "by", "about", "as"])

Kids = Sequence[Sequence[int]]


def of_place(tree: Tree, kids: Kids, frame: Frame, place: tuple[str, str, str]) -> Frame | None:
    """The reading in which the theme is the object, or the subject, and the place a phrase.

    None where nothing is in its place.
    """
    function, marker, label = place
    wanted = ("dobj", "nsubjpass") if function == "object" else ("nsubj",)
    held = next((a for a in frame.arguments if a.relation in wanted), None)
    themes = [a for a in frame.arguments if a.relation == "prep" and tree.lemmas[a.head] == marker]
    if function == "subject":
        # Who swims with somebody is no place.
        themes = [theme for theme in themes if core(theme.label)]
    if held is not None and not core(held.label):
        # "The truck that was loaded with hay": what the pronoun stands for.
        held = next((a for a in frame.arguments if not a.relation and core(a.label)), None)
    if held is None or (function == "subject" and may_act(tree, held.head)):
        return None
    theme_function = "dobj" if function == "object" else "nsubj"
    if themes:
        moved = {
            themes[0]: Argument(themes[0].head, "ARG1", theme_function, themes[0].more),
            held: Argument(held.head, label, "", held.more),
        }
    else:
        where = [a for a in frame.arguments if a.relation == "prep" and core(a.label)]
        # Who gets something is the same beside it ("provided desks to the school").
        if core(label) or not where or tree.lemmas[where[0].head] in _NO_PLACES:
            return None
        moved = {
            held: Argument(held.head, "ARG1", theme_function, held.more),
            where[0]: Argument(where[0].head, label, "", where[0].more),
        }
    return frame._replace(
        arguments=tuple(moved.get(argument, argument) for argument in frame.arguments)
    )
