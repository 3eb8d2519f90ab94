"""Hypothesis strategies for role graphs: any at all, and small meaning graphs over known words."""

from __future__ import annotations

from itertools import chain

from hypothesis import strategies as st
from toys import KNOWN

from compsim.graph import Edge, Node, RoleGraph, Status
from compsim.plain_text import INVISIBLE

# Anything but surrogates, and often what breaks naive writers.
labels = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        'say "hi"',
        "a\nb",
        "\u2028",
        "\x85",
        "::snt x",
        "\\",
        "-",
        "5",
        "v0",
        "m",
        "#",
        "(",
        "name",
        "",
    ]
)
role_names = st.sampled_from(
    ["Agent", "ARG0", "op1", "mod", "consist-of", "prep-on-behalf-of", "é", ""]
)


@st.composite
def graphs(draw: st.DrawFn, with_variables: bool | None = None) -> RoleGraph:
    """Any valid graph: forests, cycles, reentrancies, constants, in any order."""
    text = draw(labels)
    size = draw(st.integers(0, 7))
    spans = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(
        lambda pair: (min(pair), max(pair))
    )
    names = draw(st.permutations(["a", "b", "m", "v0", "5", "-", "0.ü"]))
    kind = draw(st.booleans()) if with_variables is None else with_variables
    nodes = tuple(
        Node(
            draw(labels),
            draw(st.none() | spans),
            draw(st.none() | labels),
            names[index] if kind and draw(st.booleans()) else None,
            tuple(draw(st.lists(spans, max_size=2))),
            tuple(sorted(draw(st.dictionaries(labels, labels, max_size=2)).items())),
        )
        for index in range(size)
    )
    places = st.integers(0, size - 1)
    sure = st.sampled_from([1.0, 0.5, 0.4])
    edges = st.builds(Edge, places, role_names, places, st.none() | labels, sure)
    return RoleGraph(
        nodes,
        tuple(draw(st.lists(edges, max_size=10))) if size else (),
        draw(places) if size else None,
        text,
        draw(st.sampled_from(Status)),
        draw(labels),
        draw(labels),
    )


#: White space, and what has no width.
GAPS = (
    " ",
    "\n",
    "\t",
    "\r\n",
    "  ",
    "\u00a0",
    "\u2028",
    "\u3000",
    *(f" {mark}" for mark in INVISIBLE),
)


@st.composite
def respaced(draw: st.DrawFn, text: str) -> str:
    """The same words with other white space, and with characters of no width anywhere."""
    words = [
        "".join(draw(st.sampled_from(("", "", "", *INVISIBLE))) + letter for letter in word)
        for word in text.split()
    ]
    ends = st.sampled_from(("", *GAPS))
    gaps = [draw(ends), *(draw(st.sampled_from(GAPS)) for _ in words[1:])]
    return "".join(chain(*zip(gaps, words, strict=False))) + draw(ends)


LABELS = (*KNOWN[:6], "chase-01", "zzyzx", "cats-dogs", "-", "7", "big cats")
ROLES = ("ARG0", "ARG1", "mod", "polarity", "novel-role")


@st.composite
def meaning_graphs(draw: st.DrawFn, most: int = 6) -> RoleGraph:
    """A tree with some reentrant edges, and leaves of which some are constants."""
    size = draw(st.integers(1, most))
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=size, max_size=size))
    edges = []
    for i in range(1, size):
        ends = draw(st.integers(0, i - 1)), i
        source, target = ends if draw(st.booleans()) else ends[::-1]
        edges.append(Edge(source, draw(st.sampled_from(ROLES)), target))
    for _ in range(draw(st.integers(0, 2))):
        place = st.integers(0, size - 1)
        edges.append(Edge(draw(place), draw(st.sampled_from(ROLES)), draw(place)))
    joints = {0, *(edge.source for edge in edges)}
    targets = [edge.target for edge in edges]
    nodes = [
        Node(
            label,
            variable=None
            if i not in joints and targets.count(i) == 1 and draw(st.booleans())
            else f"z{i}",
        )
        for i, label in enumerate(labels)
    ]
    return RoleGraph(tuple(nodes), tuple(edges), 0)
