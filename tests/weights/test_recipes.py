"""The recipes on tiny data: what they read, and what they make of it."""

from __future__ import annotations

import gzip
import json
import random
import zipfile
from pathlib import Path

from compsim.parsers.files.conll import Tree, read_conll
from compsim.parsers.pipeline.casing import recased
from compsim.weights.build_names import main, names
from compsim.weights.plain import Clause, clauses, plain_sentences
from compsim.weights.propbank import read_ewt, read_examples, read_lexicon

CONLL = """\
# text = The old dogs chase cats in gardens.
1\tThe\tthe\tDET\tDT\t_\t3\tdet\t_\t_
2\told\told\tADJ\tJJ\t_\t3\tamod\t_\t_
3\tdogs\tdog\tNOUN\tNNS\t_\t4\tnsubj\t_\t_
4\tchase\tchase\tVERB\tVBP\t_\t0\tROOT\t_\t_
5\tcats\tcat\tNOUN\tNNS\t_\t4\tdobj\t_\t_
6\tin\tin\tADP\tIN\t_\t4\tprep\t_\t_
7\tgardens\tgarden\tNOUN\tNNS\t_\t6\tpobj\t_\tSpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\tSpaceAfter=No

"""


def silver(tmp_path: Path) -> list[Tree]:
    path = tmp_path / "trees.conll.gz"
    path.write_bytes(gzip.compress(CONLL.encode()))
    return list(read_conll(path))


def test_read_conll(tmp_path: Path) -> None:
    (tree,) = silver(tmp_path)
    assert tree.text == "The old dogs chase cats in gardens."
    assert tree.heads[3] == 3
    assert tree.lemmas[2] == "dog"


def test_clauses(tmp_path: Path) -> None:
    assert list(clauses(silver(tmp_path))) == [Clause("dog", "chase", "old", "cat", "in", "garden")]


def test_plain_sentences_are_well_formed_trees(tmp_path: Path) -> None:
    trees = silver(tmp_path)
    for seed in range(20):
        for tree in plain_sentences(trees, 5, random.Random(seed)):
            assert tree.deps.count("ROOT") == 1
            assert {"nsubj", "dobj"} <= set(tree.deps)
            root = tree.deps.index("ROOT")
            assert tree.heads[root] == root
            assert tree.heads[tree.deps.index("nsubj")] == root


def test_read_ewt(tmp_path: Path) -> None:
    rows = [
        "1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t(ARG0*)",
        "2\tread\tread\tVERB\tVBD\t_\t0\troot\tread.01\t(V*)",
        "3\tthe\tthe\tDET\tDT\t_\t4\tdet\t_\t(ARG1*",
        "4\tnews\tnews\tNOUN\tNN\t_\t2\tobj\t_\t*)",
    ]
    path = tmp_path / "ewt.conll.gz"
    path.write_bytes(gzip.compress("\n".join(["# sent_id = 1", *rows, "", ""]).encode()))
    ((tokens, (proposition,)),) = read_ewt(path)
    assert tokens == ["She", "read", "the", "news"]
    assert proposition.roleset == "read.01"
    assert proposition.arguments == (("ARG0", 0, 0), ("ARG1", 2, 3))


def test_read_examples(tmp_path: Path) -> None:
    row = {"roleset": "eat.01", "tokens": ["I", "eat"], "rel": [1], "args": [["ARG0", 0, 0]]}
    path = tmp_path / "examples.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(row).encode()))
    ((tokens, (proposition,)),) = read_examples(path)
    assert tokens == ["I", "eat"]
    assert proposition.arguments == (("ARG0", 0, 0),)


def test_read_lexicon(tmp_path: Path) -> None:
    link = '<rolelink class="x-1" resource="VerbNet" version="3.3">{}</rolelink>'
    linked = (
        '<frameset><predicate lemma="throw"><roleset id="throw.01"><aliases>'
        '<alias pos="v">throw</alias></aliases><roles>'
        f'<role n="0" f="PAG">{link.format("agent")}</role>'
        f'<role n="1" f="PPT">{link.format("theme")}</role>'
        "</roles></roleset></predicate></frameset>"
    )
    bare = (
        '<frameset><predicate lemma="zap"><roleset id="zap.01"><aliases>'
        '<alias pos="v">zap</alias></aliases><roles>'
        '<role n="1" f="PPT"/><role n="2" f="LOC"/></roles></roleset>'
        "</predicate></frameset>"
    )
    frames = tmp_path / "frames.zip"
    with zipfile.ZipFile(frames, "w") as archive:
        archive.writestr("throw.xml", linked)
        archive.writestr("zap.xml", bare)
        archive.writestr("broken.xml", "<frameset>")
    links = tmp_path / "links.json"
    links.write_text("[]")
    lexicon = read_lexicon(frames, links)
    assert lexicon["throw"]["throw.01"] == {"ARG0": "agent", "ARG1": "theme"}
    assert lexicon["zap"]["zap.01"] == {"ARG2": "ARGM-LOC"}


def test_names(tmp_path: Path) -> None:
    lines = ["x\tWe saw Anna Lee at the new shop in New York on TV."] * 6
    lines += ["x\tOur New Plan Is Good", "x\tThe man met PERKINS there and had to go."] * 6
    (tmp_path / "text").mkdir()
    source = "\n".join(lines).encode()
    (tmp_path / "text" / "sentences.tsv.gz").write_bytes(gzip.compress(source))
    main(tmp_path, tmp_path / "names.txt")
    found = (tmp_path / "names.txt").read_text().splitlines()
    assert found == ["Anna", "Lee", "New York", "Perkins", "TV", "York"]
    assert names(["He may go.", "In May it rained, in May."]) == []


def test_the_shipped_names_are_what_the_recipe_makes(data_dir: Path, tmp_path: Path) -> None:
    main(data_dir, tmp_path / "names.txt")
    shipped = Path(__file__).parents[2] / "weights" / "names.txt"
    assert (tmp_path / "names.txt").read_bytes() == shipped.read_bytes()
    assert shipped.stat().st_size < 60_000
    assert recased("ANNA WENT TO LONDON.") == "Anna went to London."
