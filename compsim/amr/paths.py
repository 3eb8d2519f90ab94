"""Paths of an AMR and their fillers: the roles of AMR-CN.

A node's path is made of the edge labels on the way to it from the root, in the tree that
``RoleGraph.to_penman`` writes; an edge walked against its direction ends in ``-of``.

>>> from compsim.graph import RoleGraph
>>> amr = RoleGraph.from_penman("(e / eat-01 :ARG0 (c / cat :mod (b / big)) :ARG1 (f / fish))")
>>> for mention in mentions(amr):
...     print(mention.path, amr.nodes[mention.node].label)
MAIN eat-01
MAIN.ARG0 cat
MAIN.ARG0.mod big
MAIN.ARG1 fish

A filler is the concept without its sense number, as a verb's base form. Two fillers are compared by
the cosine of their vectors; where either has none, they score 1 if they are the same and else 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, Literal, NamedTuple, get_args

from compsim.errors import check_choice
from compsim.graph import RoleGraph
from compsim.graph.penman_layout import Layout
from compsim.storage.places import weights_folder
from compsim.vectors.words import lemma_candidates

__all__ = ["ROOT", "Fillers", "Mention", "Slot", "filler", "mentions", "slots", "verb_lemma"]

#: The path of the root.
ROOT: Final = "MAIN"

#: Which fillers of a path count; see :func:`slots`.
Fillers = Literal["last", "all"]

_SENSE: Final = re.compile(r"-\d+$")


class Mention(NamedTuple):
    """One place of the tree: its path, the node, and whether the node was there before.

    ``number`` counts the nodes that are not constants by their first place in the tree, from 1.
    """

    path: str
    node: int
    again: bool
    number: int


class Slot(NamedTuple):
    """Filler of a path.

    ``words`` are looked up and their vectors averaged; ``key`` is compared as it is where no word
    has a vector; ``nodes`` are those that the words come from.
    """

    words: tuple[str, ...]
    key: str
    nodes: tuple[int, ...]


def mentions(graph: RoleGraph) -> Iterator[Mention]:
    """Yield the places of the tree in the order of reading, a reentrant node at each of its own.

    Nodes that no path joins to the root are left out.
    """
    if graph.root is None:
        return
    number, variables = {graph.root: 1}, 1
    named = any(node.variable is not None for node in graph.nodes)
    open_path = [(graph.root, ROOT)]
    depth = {graph.root: 0}
    yield Mention(ROOT, graph.root, False, 1)
    for index in Layout(graph).edge_order:
        edge = graph.edges[index]
        above, below = depth.get(edge.source, -1), depth.get(edge.target, -1)
        if above < 0 and below < 0:  # the next tree of a forest
            return
        forward = above >= below
        here, other = (edge.source, edge.target) if forward else (edge.target, edge.source)
        while open_path[-1][0] != here:
            del depth[open_path.pop()[0]]
        path = f"{open_path[-1][1]}.{edge.role}" + ("" if forward else "-of")
        again = other in number
        if not again:
            constant = named and graph.nodes[other].variable is None
            variables += not constant
            number[other] = 0 if constant else variables
            depth[other] = len(open_path)
            open_path.append((other, path))
        yield Mention(path, other, again, number[other])


def slots(graph: RoleGraph, fillers: Fillers = "last") -> dict[str, Slot]:
    """Return the filler of each path of a graph.

    - ``"last"`` is what the authors of AMR-CN compute, by their published values: the last filler
      of a path replaces those before it; of a concept in several words the first one counts
      (``government-organization``: government); a reentrant node is filled, at its later places,
      by its number, so that two of them are the same where they refer back to the same place.
    - ``"all"`` keeps every filler of a path, and the mean of their vectors is compared, as the
      paper puts it (section 4.6); all words of a concept count, and a reentrant node is filled by
      its concept everywhere. The order in which the graph is written does not matter but for where
      its tree is cut.
    """
    check_choice("fillers", fillers, get_args(Fillers))
    result: dict[str, list[int]] = {}
    last: dict[str, Slot] = {}
    for mention in mentions(graph):
        label = graph.nodes[mention.node].label
        if fillers == "all":
            result.setdefault(mention.path, []).append(mention.node)
        elif mention.again:
            last[mention.path] = Slot((), f"^{mention.number}", (mention.node,))
        else:
            word = filler(label, first_word=True)
            last[mention.path] = Slot((word,), word, (mention.node,))
    if fillers == "last":
        return last
    several: dict[str, Slot] = {}
    for path, nodes in result.items():
        words = sorted(filler(graph.nodes[node].label) for node in nodes)
        several[path] = Slot(tuple(words), " + ".join(words), tuple(nodes))
    return several


def filler(label: str, *, first_word: bool = False) -> str:
    """The filler that a concept or constant stands for.

    >>> filler("interesting"), filler("attack-01"), filler("have-org-role-91", first_word=True)
    ('interest', 'attack', 'have')
    """
    word = _SENSE.sub("", label)
    if first_word:
        word = word.split("-")[0]
    word = word.lower()
    return verb_lemma(word) if word else label


def verb_lemma(word: str) -> str:
    """The base form of a word as a verb; the word itself where it is no verb of PropBank.

    >>> verb_lemma("sleeping"), verb_lemma("morning")
    ('sleep', 'morning')
    """
    known = _verbs()
    if word in known or not word.endswith(("s", "ed", "ing")):
        return word
    return next((base for base in lemma_candidates(word) if base in known), word)


@cache
def _verbs() -> frozenset[str]:
    """The lemmas of PropBank's rolesets, as they ship with the role model."""
    path = weights_folder() / "roles" / "lexicon.json"
    lexicon: Mapping[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return frozenset(lexicon)
