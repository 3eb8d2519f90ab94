"""Who a headline says was rescued is not who rescues."""

from __future__ import annotations

from pathlib import Path

import pytest
from toys import make_tree

from compsim.errors import DataError
from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles import bare_passives
from compsim.parsers.roles.bare_passives import pattern, restore
from compsim.parsers.roles.srl import SrlParser


def told(subject: str, verb: str, tag: str = "NNS") -> Tree:
    return make_tree(
        f"{subject} {verb} near Oslo", f"{tag} VBD IN NNP", [1, 1, 1, 2], "nsubj ROOT prep pobj"
    )


@pytest.mark.parametrize(
    ("tree", "undergoes"),
    [
        (told("skiers", "rescued"), True),
        (told("skiers", "cooked"), False),
        (told("they", "rescued", "PRP"), False),
        (make_tree("the skiers rescued", "DT NNS VBD", [1, 2, 2], "det nsubj ROOT"), False),
        (make_tree("crews rescued skiers", "NNS VBD NNS", [1, 1, 1], "nsubj ROOT dobj"), False),
        (make_tree("guard seen hiding", "NN VBD VBG", [1, 1, 1], "nsubj ROOT xcomp"), True),
        (make_tree("bridge blown up", "NN VBD RP", [1, 1, 1], "nsubj ROOT prt"), True),
        (make_tree("boat took off", "NN VBD RP", [1, 1, 1], "nsubj ROOT prt"), False),
        # The object is shared, or what was compared, or the noun before the clause.
        (
            make_tree(
                "crews found and rescued skiers",
                "NNS VBD CC VBD NNS",
                [1, 1, 1, 1, 3],
                "nsubj ROOT cc conj dobj",
            ),
            False,
        ),
        (
            make_tree(
                "it cost more than experts expected",
                "PRP VBD JJR IN NNS VBD",
                [1, 1, 1, 5, 5, 2],
                "nsubj ROOT dobj mark nsubj advcl",
            ),
            False,
        ),
        (
            make_tree(
                "skiers crews rescued yawned",
                "NNS NNS VBD VBD",
                [3, 2, 0, 3],
                "nsubj nsubj relcl ROOT",
            ),
            False,
        ),
    ],
)
def test_whose_subject_undergoes_it(tree: Tree, undergoes: bool) -> None:
    before = list(tree.deps)
    restore(tree)
    assert ("nsubjpass" in tree.deps) == undergoes
    assert undergoes or tree.deps == before


def test_the_pattern_of_a_verb() -> None:
    tree = make_tree(
        "crew forced out to wait",
        "NN VBD RP TO VB",
        [1, 1, 1, 4, 1],
        "nsubj ROOT prt aux xcomp",
    )
    assert pattern(tree, 1) == "forced out to"


def test_headlines_and_whole_sentences_have_the_same_roles() -> None:
    short, whole, active = SrlParser().parse(
        [
            "Two climbers arrested in Lima",
            "Two climbers were arrested in Lima.",
            "They paint in Lima.",
        ]
    )
    assert {role: node.label for role, node in short.roles().items()} == {
        "Verb": "arrested",
        "Patient": "Two climbers",
        "Location": "in Lima",
    }
    assert short.roles().keys() == whole.roles().keys()
    assert "Agent" in active.roles()


def test_a_damaged_table_is_the_installations_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bare_passives, "weights_folder", lambda: tmp_path)
    bare_passives._patterns.cache_clear()
    with pytest.raises(DataError, match="reinstall compsim"):
        restore(told("skiers", "rescued"))
    bare_passives._patterns.cache_clear()
