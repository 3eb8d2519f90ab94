"""A relative clause has its verb, and its noun is in it what the relative word is."""

from __future__ import annotations

import pytest
from toys import make_tree

from compsim.parsers.pipeline.relative_clauses import part
from compsim.parsers.roles.srl import SrlParser

VERBS = {"sting", "wind", "yelp", "saddle"}
IRREGULAR = {"stung": ["sting"], "wound": ["wind"]}


@pytest.mark.parametrize(
    ("words", "tags", "heads", "deps", "verb"),
    [
        (
            "the mule who the wasp stung yelped .",
            "DT NN WP DT NN NN VBD .",
            [1, 1, 6, 5, 5, 6, 1, 1],
            "det ROOT dobj det compound nsubj relcl punct",
            5,
        ),
        (
            "the mule the wasp stung yelped .",
            "DT NN DT NN NN VBD .",
            [1, 5, 4, 4, 5, 5, 5],
            "det nsubj det compound nsubj ROOT punct",
            4,
        ),
    ],
)
def test_its_verb(words: str, tags: str, heads: list[int], deps: str, verb: int) -> None:
    tree = make_tree(words, tags, heads, deps)
    part(tree, VERBS, IRREGULAR)
    named = {tree.word(i): (tree.word(tree.heads[i]), tree.deps[i]) for i in range(len(tree))}
    assert named["wasp"] == ("stung", "nsubj")
    assert named["stung"] == ("mule", "relcl")
    assert named["mule"] == ("yelped", "nsubj")
    assert named["yelped"] == ("yelped", "ROOT")
    assert named["."] == ("yelped", "punct")
    assert named.get("who", ("stung", "dobj")) == ("stung", "dobj")
    assert (tree.tags[verb], tree.lemmas[verb]) == ("VBD", "sting")


@pytest.mark.parametrize(
    ("words", "tags", "heads", "deps"),
    [
        # No noun waits for a verb.
        ("the stomach wound healed", "DT NN NN VBD", [2, 2, 3, 3], "det compound nsubj ROOT"),
        # A verb that looks as it always does, and a noun that is none.
        (
            "the mule the pack saddle hurt",
            "DT NN DT NN NN VBD",
            [1, 5, 4, 4, 5, 5],
            "det nsubj det compound nsubj ROOT",
        ),
        (
            "the mule the farm dog bit",
            "DT NN DT NN NN VBD",
            [1, 5, 4, 4, 5, 5],
            "det nsubj det compound nsubj ROOT",
        ),
        # The noun of the clause is in another place already.
        (
            "he fed a mule who the wasp stung hurt",
            "PRP VBD DT NN WP DT NN NN VBD",
            [1, 1, 3, 1, 8, 7, 7, 8, 3],
            "nsubj ROOT det dobj dobj det compound nsubj relcl",
        ),
    ],
)
def test_what_stays(words: str, tags: str, heads: list[int], deps: str) -> None:
    tree = make_tree(words, tags, heads, deps)
    part(tree, VERBS, IRREGULAR)
    assert (tree.heads, tree.deps) == (heads, deps.split())


@pytest.mark.parametrize(
    ("text", "predicate", "roles"),
    [
        ("The mule that a wasp stung sneezed.", "stung", {"Patient": "mule", "Agent": "wasp"}),
        (
            "The mule that a wasp stung in May sneezed.",
            "stung",
            {"Patient": "mule", "Agent": "wasp", "Time": "may"},
        ),
        ("The porter who a pony bit sneezed.", "bit", {"Patient": "porter", "Agent": "pony"}),
        ("The porter the pony bit sneezed.", "bit", {"Patient": "porter", "Agent": "pony"}),
        (
            "The vase that the cook broke had been glued.",
            "broke",
            {"Patient": "vase", "Agent": "cook"},
        ),
        (
            "The carpet that the thief stole was found.",
            "stole",
            {"Patient": "carpet", "Agent": "thief"},
        ),
        ("The miller who the guard shot fell.", "shot", {"Patient": "miller", "Agent": "guard"}),
        (
            "They praised the miller, whose sons filled the hall.",
            "filled",
            {"Agent": "son", "Patient": "hall"},
        ),
        ("They sold a kettle that is empty.", "is", {"Agent": "kettle", "Theme": "empty"}),
        ("They raised a ferry that sank.", "sank", {"Patient": "ferry"}),
        ("The porter who was bitten sneezed.", "bitten", {"Patient": "porter"}),
    ],
)
def test_roles_in_it(text: str, predicate: str, roles: dict[str, str]) -> None:
    (graph,) = SrlParser().parse([text])
    frame = next(each for each in graph.frames() if each.predicate.label == predicate)
    found = {role: node.feature("head") or node.label for role, node in frame.roles.items()}
    assert found == roles
