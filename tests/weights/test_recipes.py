"""The recipes on tiny data: what they read, and what they make of it."""

from __future__ import annotations

import gzip
import json
import random
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from compsim.embeddings.word_flow import default_masses
from compsim.parsers.files.conll import Tree, read_conll
from compsim.parsers.pipeline.casing import recased as recased_text
from compsim.weights.build_masses import main as build_masses
from compsim.weights.build_names import main, names
from compsim.weights.propbank import Proposition, read_ewt, read_examples, read_lexicon
from compsim.weights.silver import Gold, agreement, attachment, choose
from compsim.weights.treebank.constructions import CONSTRUCTIONS
from compsim.weights.treebank.grammar import Node, written
from compsim.weights.treebank.phrases import Speaker
from compsim.weights.treebank.sentences import plain_sentences, recased
from compsim.weights.treebank.skeletons import Clause, Lexicon, clauses

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


def test_masses_of_words(tmp_path: Path) -> None:
    (tmp_path / "parses").mkdir()
    path = tmp_path / "parses" / "silver-en_core_web_sm-2.2.5.conll.gz"
    path.write_bytes(gzip.compress((CONLL * 2 + CONLL.replace("cats", "mice")).encode()))
    build_masses(data=tmp_path, out=tmp_path / "masses.txt")
    lines = (tmp_path / "masses.txt").read_text().splitlines()
    masses = {word: float(mass) for word, mass in (line.split("\t") for line in lines)}
    assert list(masses.values()) == sorted(masses.values())
    assert lines[0].startswith("chase\t")
    assert "." not in masses
    assert "mice" not in masses  # as rare as any
    assert masses["chase"] < masses["the"] < 0.9


def test_shipped_masses_are_those_of_small_and_common_words() -> None:
    masses = default_masses()
    assert len(masses) > 10_000
    assert max(masses.values()) <= 0.9
    assert masses["the"] < masses["in"] < masses["house"] < masses["violin"]


def test_clauses(tmp_path: Path) -> None:
    assert list(clauses(silver(tmp_path))) == [Clause("dog", "chase", "old", "cat", "in", "garden")]


#: Sentences that have something for every construction.
MORE = """\
Mary Mary NNP nsubj 1
gave give VBD ROOT 1
nurses nurse NNS dative 1
tea tea NN dobj 1

Nurses nurse NNS nsubj 2
quickly quickly RB advmod 2
pick pick VBP ROOT 2
up up RP prt 2
the the DT det 5
phone phone NN dobj 2
in in IN prep 2
old old JJ amod 9
city city NN compound 9
hospitals hospital NNS pobj 6

Mary Mary NNP nsubj 1
says say VBZ ROOT 1
the the DT det 3
nurse nurse NN nsubj 4
is be VBZ ccomp 1
giving give VBG dep 1
"""


def rich() -> list[Tree]:
    """Trees of which every construction can be made, and all forms of their verbs."""
    forms = {
        "give": "give gave giving given give gives",
        "pick": "pick picked picking picked pick picks",
    }
    forms["say"] = "say said saying said say says"
    tags = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
    blocks = [block.splitlines() for block in MORE.split("\n\n")] * 10
    for lemma, words in forms.items():
        pairs = zip(words.split(), tags, strict=True)
        blocks += [[f"{word} {lemma} {tag} ROOT 0"] for word, tag in pairs]
    rows = [[line.split() for line in block] for block in blocks]
    return [
        Tree(
            words=[row[0] for row in block],
            tags=[row[2] for row in block],
            pos=["X"] * len(block),
            lemmas=[row[1] for row in block],
            heads=[int(row[4]) for row in block],
            deps=[row[3] for row in block],
            spaces=[True] * len(block),
        )
        for block in rows
    ]


def assert_well_formed(tree: Tree) -> None:
    """One root that all words lead to, and no arcs that cross."""
    (root,) = [i for i, head in enumerate(tree.heads) if head == i]
    assert tree.deps[root] == "ROOT"
    for i in range(len(tree.words)):
        here = i
        for _ in tree.words:
            here = tree.heads[here]
        assert here == root
    arcs = [sorted((i, head)) for i, head in enumerate(tree.heads) if head != i]
    assert not any(a < c < b < d for a, b in arcs for c, d in arcs)


def test_few_words_make_few_constructions(tmp_path: Path) -> None:
    made = plain_sentences(silver(tmp_path) * 3, 5, random.Random(1))
    assert made
    for tree in made:
        assert_well_formed(tree)


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_every_construction_makes_trees(seed: int) -> None:
    speaker = Speaker(Lexicon(rich()), random.Random(seed))
    for maker, _ in CONSTRUCTIONS:
        with suppress(LookupError):
            assert_well_formed(written(maker(speaker)))


def test_plain_sentences_are_many_and_differ() -> None:
    made = plain_sentences(rich(), 400, random.Random(2))
    assert len(made) == 400
    assert len({tree.text for tree in made}) > 200
    labels = {dep for tree in made for dep in tree.deps}
    assert {
        "nsubj",
        "dobj",
        "dative",
        "prt",
        "relcl",
        "acl",
        "advcl",
        "expl",
        "nsubjpass",
    } <= labels


def test_a_node_is_written_from_left_to_right() -> None:
    owl = Node("owl", "NN", "nsubj", [Node("a", "DT", "det")])
    tree = written(Node("slept", "VBD", "ROOT", [owl], [Node(".", ".", "punct", tight=True)]))
    assert tree.text == "an owl slept."
    assert tree.heads == [1, 2, 2, 2]


def test_recased_trees_keep_their_heads() -> None:
    trees = rich()
    others = {tree.text.lower(): tree for tree in trees}
    again = list(recased(trees, 1.0, random.Random(3)))
    assert len(again) > len(trees) // 3
    assert all(tree.heads == others[tree.text.lower()].heads for tree in again)


def swapped(tree: Tree) -> Tree:
    """The tree with another word as the head of its subject."""
    return replace(tree, heads=[2, *tree.heads[1:]])


def test_gold_chooses_between_two_teachers() -> None:
    tree = rich()[0]
    wrong = swapped(tree)
    assert agreement(tree, wrong) == 0.75
    known = {
        "".join(tree.words): Gold(tree.words, replace(tree, deps=["nsubj", "root", "iobj", "obj"]))
    }
    assert list(choose([wrong], [tree], known)) == [tree]
    spans = (("ARG0", 0, 0), ("ARG2", 2, 3))
    spoken = Gold(tree.words, None, (Proposition((1,), "give.01", spans, True),))
    assert list(choose([tree], [wrong], {"".join(tree.words): spoken})) == []
    assert list(choose([tree], [wrong], {})) == [tree]
    two = replace(wrong, heads=[0, 1, 1, 1])
    assert list(choose([tree], [two], {})) == []


def test_attachment_sees_through_prepositions_and_copulas(tmp_path: Path) -> None:
    (tree,) = silver(tmp_path)
    labels = ["det", "amod", "nsubj", "root", "obj", "case", "obl", "punct"]
    ud = replace(tree, heads=[2, 2, 3, 3, 3, 6, 3, 3], deps=labels)
    assert attachment(tree, ud) == (5, 5)
    assert attachment(replace(tree, heads=[2, 2, 3, 3, 3, 4, 5, 3]), ud) == (4, 5)


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


def test_a_class_counts_once_whatever_the_versions_that_link_it(tmp_path: Path) -> None:
    result = (
        ("mould-3.5", "material"),
        ("mould-3.5", "material"),
        ("3.5", "material"),
        ("change-4.1", "patient"),
        ("turn-4.2-1", "patient"),
    )
    row = '<rolelink class="{}" resource="VerbNet">{}</rolelink>'
    role = f'<role n="1" f="PPT">{"".join(row.format(*link) for link in result)}</role>'
    frames = tmp_path / "frames.zip"
    with zipfile.ZipFile(frames, "w") as archive:
        archive.writestr(
            "thaw.xml",
            '<frameset><predicate lemma="thaw"><roleset id="thaw.01"><aliases>'
            f'<alias pos="v">thaw</alias></aliases><roles>{role}</roles></roleset>'
            "</predicate></frameset>",
        )
    links = tmp_path / "links.json"
    links.write_text("[]")
    assert read_lexicon(frames, links) == {"thaw": {"thaw.01": {"ARG1": "patient"}}}


def test_names(tmp_path: Path) -> None:
    lines = ["x\tWe saw Anna Lee at the new shop in New York on TV."] * 6
    lines += ["x\tOur New Plan Is Good", "x\tThe man met PERKINS there and had to go."] * 6
    (tmp_path / "text").mkdir()
    source = "\n".join(lines).encode()
    (tmp_path / "text" / "sentences.tsv.gz").write_bytes(gzip.compress(source))
    main(tmp_path, tmp_path / "names.txt")
    result = (tmp_path / "names.txt").read_text().splitlines()
    assert result == ["Anna", "Lee", "New York", "Perkins", "TV", "York"]
    assert names(["He may go.", "In May it rained, in May."]) == []


def test_the_shipped_names_are_what_the_recipe_makes(data_dir: Path, tmp_path: Path) -> None:
    main(data_dir, tmp_path / "names.txt")
    shipped = Path(__file__).parents[2] / "weights" / "names.txt"
    assert (tmp_path / "names.txt").read_bytes() == shipped.read_bytes()
    assert shipped.stat().st_size < 60_000
    assert recased_text("ANNA WENT TO LONDON.") == "Anna went to London."
