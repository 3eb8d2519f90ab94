"""The recipe of the forms that are passives by themselves, on a few trees and two sentences."""

from __future__ import annotations

import gzip
from pathlib import Path

from toys import make_tree

from compsim.weights.build_passives import main, passives


def test_forms_are_counted() -> None:
    passive = make_tree("it was mended", "PRP VBD VBN", [2, 2, 2], "nsubjpass auxpass ROOT")
    reduced = make_tree("a net mended", "DT NN VBN", [1, 1, 1], "det ROOT acl")
    active = make_tree("it mended", "PRP VBD", [1, 1], "nsubj ROOT")
    with_object = make_tree("he mended nets", "PRP VBD NNS", [1, 1, 1], "nsubj ROOT dobj")
    assert passives([passive, reduced, with_object]) == ["mended"]
    assert passives([passive, reduced, passive, active]) == ["mended"]
    assert passives([passive, reduced, active]) == []
    # No past tense at all.
    eaten = make_tree("it was eaten", "PRP VBD VBN", [2, 2, 2], "nsubjpass auxpass ROOT")
    assert passives([eaten]) == ["eaten"]


def test_recipe(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    lines = "x\tThe tent was mended by a nurse.\nx\tA nurse yawned.\n"
    (tmp_path / "text" / "sentences.tsv.gz").write_bytes(gzip.compress(lines.encode()))
    main(tmp_path, tmp_path / "passives.txt")
    assert (tmp_path / "passives.txt").read_text() == "mended\n"
