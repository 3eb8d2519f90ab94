"""Particles of verbs of moving, which are prepositions where an object comes after them."""

from __future__ import annotations

import pytest
from toys import make_tree

from compsim.parsers.roles.paths import lead

LEXICON = {
    "roll": ["roll.01", "roll_up.02"],
    "stroll": ["stroll.01"],
    "push": ["push.01"],
}


@pytest.mark.parametrize(
    ("verb", "particle", "path"),
    [
        ("roll", "down", True),
        ("stroll", "off", True),
        # Known as one verb, no verb of moving, no preposition of path, a verb that nobody knows.
        ("roll", "up", False),
        ("push", "down", False),
        ("stroll", "away", False),
        ("zorp", "down", False),
    ],
)
def test_what_is_rolled_down(verb: str, particle: str, path: bool) -> None:
    tree = make_tree(
        f"It {verb} {particle} the bank", "PRP VBD RP DT NN", [1, 1, 1, 4, 1],
        "nsubj ROOT prt det dobj",
    )  # fmt: skip
    tree.lemmas[1] = verb
    lead(tree, LEXICON)
    assert tree.deps[2:] == (["prep", "det", "pobj"] if path else ["prt", "det", "dobj"])
    assert tree.heads[4] == (2 if path else 1)


def test_a_particle_without_an_object_stays_one() -> None:
    tree = make_tree("It rolled down", "PRP VBD RP", [1, 1, 1], "nsubj ROOT prt")
    tree.lemmas[1] = "roll"
    lead(tree, LEXICON)
    assert tree.deps == ["nsubj", "ROOT", "prt"]
