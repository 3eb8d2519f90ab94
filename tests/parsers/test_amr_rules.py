"""The rule-based AMR parser on the constructions of English, and on whatever a user may type."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toys import make_tree

from compsim.benchmarks.task import run
from compsim.benchmarks.tasks.parsing.amr import Amr, read_gold
from compsim.cli import main
from compsim.errors import DataError
from compsim.graph import RoleGraph, Status
from compsim.parsers import load
from compsim.parsers.amr_rules.draft import MAX_DEPTH, Draft
from compsim.parsers.amr_rules.lexicon import AmrLexicon
from compsim.parsers.amr_rules.parser import BuiltinAmrParser
from compsim.parsers.roles.analysis import Analysis
from compsim.parsers.roles.srl import SrlParser
from compsim.weights.build_amr import adverbs, read_rolesets, tables
from compsim.weights.propbank import read_ewt


@pytest.fixture(scope="module")
def parser() -> BuiltinAmrParser:
    return BuiltinAmrParser()


def triples(graph: RoleGraph) -> set[str]:
    """Edges as ``source role target``, by label."""
    label = [node.label for node in graph.nodes]
    return {f"{label[edge.source]} {edge.role} {label[edge.target]}" for edge in graph.edges}


# (sentence, concept at the root, edges that must be there)
CONSTRUCTIONS = {
    "active": (
        "The dog chased the cat.",
        "chase-01",
        ["chase-01 ARG0 dog", "chase-01 ARG1 cat"],
    ),
    "passive": (
        "The letter was written by the queen.",
        "write-01",
        ["write-01 ARG0 queen", "write-01 ARG1 letter"],
    ),
    "particle": ("She gave up smoking.", "give-up-07", ["give-up-07 ARG0 she"]),
    "copula": ("The sky is blue.", "blue", ["blue domain sky"]),
    "copula with a roleset": ("The dog is friendly.", "friendly-01", ["friendly-01 ARG1 dog"]),
    "copula with a noun": ("Whales are mammals.", "mammal", ["mammal domain whale"]),
    "place": ("The cat is under the table.", "be-located-at-91", ["under op1 table"]),
    "negation": ("The boy did not eat the cake.", "eat-01", ["eat-01 polarity -"]),
    "never": ("She never drinks coffee.", "drink-01", ["drink-01 polarity -"]),
    "no": ("No bird sings.", "sing-01", ["bird polarity -"]),
    "negative adjective": ("He is unhappy.", "happy-01", ["happy-01 polarity -"]),
    "possibility": ("Birds can fly.", "possible-01", ["possible-01 ARG1 fly-01"]),
    "obligation": (
        "You must not smoke here.",
        "obligate-01",
        ["obligate-01 ARG2 smoke-02", "smoke-02 polarity -", "smoke-02 location here"],
    ),
    "have to": ("He has to leave.", "obligate-01", ["obligate-01 ARG2 leave-11"]),
    "recommendation": ("You should eat.", "recommend-01", ["recommend-01 ARG1 eat-01"]),
    "control": (
        "The girl wants to win.",
        "want-01",
        ["want-01 ARG0 girl", "want-01 ARG1 win-01", "win-01 ARG0 girl"],
    ),
    "relative clause": (
        "The dog that Mary fed slept.",
        "sleep-01",
        ["feed-01 ARG1 dog", "feed-01 ARG0 person", "name op1 Mary"],
    ),
    "coordinated nouns": (
        "Dogs and cats chase mice.",
        "chase-01",
        ["chase-01 ARG0 and", "and op1 dog", "and op2 cat"],
    ),
    "coordinated verbs": (
        "The man sang and danced.",
        "and",
        ["and op1 sing-01", "and op2 dance-01", "dance-01 ARG0 man"],
    ),
    "one modal over two verbs": (
        "They can eat and drink.",
        "possible-01",
        ["possible-01 ARG1 and", "and op1 eat-01", "and op2 drink-01"],
    ),
    "adjective": ("The friendly dog slept.", "sleep-01", ["friendly-01 ARG1 dog"]),
    "plain adjective": ("The old dog slept.", "sleep-01", ["dog mod old"]),
    "number": ("Three dogs slept.", "sleep-01", ["dog quant 3"]),
    "possessor": ("She lost his book.", "lose-02", ["book poss he"]),
    "relative": (
        "My brother slept.",
        "sleep-01",
        [
            "have-rel-role-91 ARG0 person",
            "have-rel-role-91 ARG1 i",
            "have-rel-role-91 ARG2 brother",
        ],
    ),
    "agent noun": ("The teacher slept.", "sleep-01", ["teach-01 ARG0 person"]),
    "nominal predicate": (
        "The attack on the city failed.",
        "fail-01",
        ["attack-01 ARG1 city"],
    ),
    "weekday": ("They slept on Monday.", "sleep-01", ["date-entity weekday monday"]),
    "duration": (
        "They slept for three hours.",
        "sleep-01",
        ["sleep-01 duration temporal-quantity", "temporal-quantity unit hour"],
    ),
    "cause": ("Birds sing because they are happy.", "sing-01", ["cause-01 ARG1 sing-01"]),
    "condition": ("If it rains, we will stay.", "stay-01", ["stay-01 condition rain-01"]),
    "manner": ("He ran quickly.", "run-02", ["run-02 manner quick-02"]),
    "comparison": (
        "The horse is bigger than the dog.",
        "have-degree-91",
        ["have-degree-91 ARG1 horse", "have-degree-91 ARG2 big", "have-degree-91 ARG4 dog"],
    ),
    "imperative": (
        "Close the door!",
        "close-01",
        ["close-01 mode imperative", "close-01 ARG0 you"],
    ),
    "question": ("Did the nurse help you?", "help-01", ["help-01 polarity amr-unknown"]),
    "wh question": ("Who ate the cake?", "eat-01", ["eat-01 ARG0 amr-unknown"]),
    "extraposition": ("It is impossible to leave.", "possible-01", ["possible-01 ARG1 leave-11"]),
    "existence": ("There was a fire.", "be-02", ["be-02 ARG1 fire-01"]),
    "city": ("John lives in Paris.", "live-01", ["city name name", "name op1 Paris"]),
    "noun phrase": ("A small cup", "cup", ["cup mod small"]),
}


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_construction(parser: BuiltinAmrParser, name: str) -> None:
    sentence, root, expected = CONSTRUCTIONS[name]
    graph = parser.parse([sentence])[0]
    assert graph.status is Status.OK, graph.reason
    assert graph.root is not None
    assert graph.nodes[graph.root].label == root
    assert set(expected) <= triples(graph)


def test_every_graph_says_that_it_is_an_approximation(parser: BuiltinAmrParser) -> None:
    for graph in parser.parse(["Cats chase mice.", ""]):
        assert graph.parser == "amr (approximation)"


def test_loaded_by_name() -> None:
    assert isinstance(load("amr"), BuiltinAmrParser)
    assert load("amr").version != load("srl").version


def test_two_sentences(parser: BuiltinAmrParser) -> None:
    graph = parser.parse(["The dog barked. The cat slept."])[0]
    assert graph.nodes[0].label == "multi-sentence"
    assert {"multi-sentence snt1 bark-01", "multi-sentence snt2 sleep-01"} <= triples(graph)


def test_nodes_know_their_words_and_senses(parser: BuiltinAmrParser) -> None:
    graph = parser.parse(["She gave it up."])[0]
    (verb,) = [node for node in graph.nodes if node.sense]
    assert verb.sense == "give_up.07"
    assert [graph.text[start:end] for start, end in verb.parts] == ["gave", "up"]
    assert verb.variable == "g"


def test_alone_and_in_a_batch(parser: BuiltinAmrParser) -> None:
    sentences = [sentence for sentence, _, _ in CONSTRUCTIONS.values()]
    assert parser.parse(sentences) == [parser.parse([sentence])[0] for sentence in sentences]


def check(graph: RoleGraph) -> None:
    """Check any graph: one piece, variables, spans, no directed cycle, PENMAN."""
    if graph.status is Status.FAILED:
        assert graph.reason
        assert not graph.nodes
        return
    assert graph.root == 0
    near: dict[int, set[int]] = {i: set() for i in range(len(graph.nodes))}
    ahead: dict[int, set[int]] = {i: set() for i in range(len(graph.nodes))}
    for edge in graph.edges:
        near[edge.source].add(edge.target)
        near[edge.target].add(edge.source)
        ahead[edge.source].add(edge.target)
    assert _reached(near, 0) == set(near)
    for i in ahead:
        assert i not in set().union(*(_reached(ahead, after) for after in ahead[i]))
    assert len(set(graph.edges)) == len(graph.edges)
    constants = {i for i, node in enumerate(graph.nodes) if node.variable is None}
    for i in constants:
        assert [edge.target for edge in graph.edges].count(i) == 1
        assert not ahead[i]
    for node in graph.nodes:
        assert node.label
        for start, end in filter(None, (node.span, *node.parts)):
            assert 0 <= start < end <= len(graph.text)
    assert RoleGraph.from_penman(graph.to_penman()) == graph


def _reached(edges: dict[int, set[int]], start: int) -> set[int]:
    result, todo = {start}, [start]
    while todo:
        fresh = edges[todo.pop()] - result
        result |= fresh
        todo += fresh
    return result


VOCABULARY = """
the a dog dogs old Mary London that who not can is was be to of in under and or but if more than
three 1990 May Monday ? . , ran give up quickly teacher brother my himself it there because
never very biggest what how many has
"""
LABELS = """
nsubj dobj prep pobj pcomp conj cc relcl acl advcl amod advmod det neg aux attr acomp xcomp
ccomp compound nummod poss expl dative mark npadvmod appos oprd intj dep
"""
TAGS = """
NN NNS NNP VB VBD VBN IN JJ JJR RB DT PRP PRP$ CD WDT WP WRB MD
"""

WORDS = st.sampled_from(VOCABULARY.split())


@given(st.lists(st.text(max_size=60), max_size=4))
def test_anything_gives_a_sound_graph(parser: BuiltinAmrParser, texts: list[str]) -> None:
    graphs = parser.parse(texts)
    assert len(graphs) == len(texts)
    for graph in graphs:
        check(graph)


@settings(max_examples=50)
@given(st.lists(st.lists(WORDS, max_size=14).map(" ".join), min_size=1, max_size=3))
def test_any_words_give_a_sound_graph(parser: BuiltinAmrParser, texts: list[str]) -> None:
    graphs = parser.parse(texts)
    for graph in graphs:
        check(graph)
        if re.search(r"\w", graph.text):
            assert graph.nodes
    assert graphs == [parser.parse([text])[0] for text in texts]


@settings(max_examples=50)
@given(st.data())
def test_any_tree_gives_a_sound_graph(parser: BuiltinAmrParser, data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 9))
    words = [data.draw(WORDS) for _ in range(size)]
    labels = st.sampled_from(LABELS.split())
    tags = st.sampled_from(TAGS.split())
    heads = [data.draw(st.integers(0, i)) for i in range(size)]
    deps = ["ROOT" if head == i else data.draw(labels) for i, head in enumerate(heads)]
    tree = make_tree(
        " ".join(words), " ".join(data.draw(tags) for _ in words), heads, " ".join(deps)
    )
    if data.draw(st.booleans()):  # the other way round
        for column in (tree.deps, tree.tags, tree.pos):
            column.reverse()
        tree.heads[:] = [size - 1 - head for head in reversed(tree.heads)]
    check(parser.graph(Analysis(tree, [])))


def test_deep_nesting_is_cut_and_says_so(parser: BuiltinAmrParser) -> None:
    draft = Draft()
    nodes = [draft.concept("thing") for _ in range(20 * MAX_DEPTH)]
    for above, below in pairwise(nodes):
        draft.edge(above, "mod", below)
    graph = draft.graph(nodes[:1], "", [], "amr")
    assert graph.status is Status.PARTIAL
    assert graph.reason
    check(graph)
    check(parser.parse(["the cat of " * 1500])[0])


@pytest.mark.parametrize("text", ["", "  ", "!!!", "\n\t", "🐈"])
def test_text_without_a_word_fails_softly(parser: BuiltinAmrParser, text: str) -> None:
    graphs = parser.parse([text, "Cats chase mice."])
    assert [graph.status for graph in graphs] == [Status.FAILED, Status.OK]
    assert graphs[0].reason


@pytest.mark.parametrize("kind", [BuiltinAmrParser, SrlParser])
def test_a_noun_phrase_that_looks_like_a_clause(kind: type[SrlParser]) -> None:
    graph = kind().parse(["fat legs and dirty streaky faces"])[0]
    assert graph.text.startswith("fat")


def test_analysis_is_shared() -> None:
    ((tree, frames),) = SrlParser().analyse(["Cats chase mice."])
    assert tree.lemmas[:3] == ["cat", "chase", "mouse"]
    assert [frame.sense for frame in frames] == ["chase.01"]


def test_tables_are_small_and_closed() -> None:
    lexicon = AmrLexicon.shipped()
    assert lexicon.nouns["attack"] == "attack.01"
    assert "building" not in lexicon.nouns
    assert lexicon.agents["teacher"] == ("teach.01", "ARG0")
    assert lexicon.adjectives["angry"] == ("anger.01", "ARG1")
    assert lexicon.opposite("unhappy") == "happy"
    assert lexicon.opposite("happy") is None


FRAME = """<frameset><predicate lemma="zap"><roleset id="zap.01"><aliases>
<alias pos="v">zap</alias><alias pos="n">zap</alias><alias pos="j">zappy</alias>
<argalias arg="0" pos="n">zapper</argalias></aliases>
<roles><role n="0" f="PAG"/><role n="1" f="PPT"/></roles>
<usagenotes><usage resource="AMR" version="2019" inuse="+"/></usagenotes></roleset>
<roleset id="zap.02"><aliases><alias pos="v">zap</alias></aliases><roles><role n="1" f="PPT"/>
</roles><usagenotes><usage resource="AMR" version="2019" inuse="-"/></usagenotes></roleset>
</predicate></frameset>"""


def test_recipe(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "frames.zip", "w") as archive:
        archive.writestr("zap.xml", FRAME)
        archive.writestr("broken.xml", "<frameset>")
    rows = [
        "1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t*",
        "2\tzap\tzap\tNOUN\tNN\t_\t0\troot\tzap.01\t(V*)",
        "3\tof\tof\tADP\tIN\t_\t4\tcase\t_\t(ARG1*",
        "4\tmice\tmouse\tNOUN\tNNS\t_\t2\tnmod\t_\t*)",
    ]
    path = tmp_path / "ewt.conll.gz"
    path.write_bytes(gzip.compress("\n".join([*rows, "", ""]).encode()))
    made = tables(list(read_rolesets(tmp_path / "frames.zip")), list(read_ewt(path)), [])
    assert made["nouns"] == {"zap": "zap.01"}
    assert made["adjectives"] == {"zappy": ["zap.01", "ARG1"]}
    assert made["agents"] == {"zapper": ["zap.01", "ARG0"]}
    assert made["markers"] == {"": {"of": "ARG1"}}
    assert made["unused"] == {"zap.02": "zap.01"}
    assert json.dumps(made)


def test_recipe_of_adverbs(tmp_path: Path) -> None:
    path = tmp_path / "relations.tsv.gz"
    lines = ["quickly\tpertainym\tquick", "bodily\tsynonym\tbody", "fast\tpertainym\tfast"]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    assert adverbs(path) == {"quickly": "quick"}


GOLD = """# AMR release, a header

# ::id 1 ::snt Cats chase mice.
(c / chase-01 :ARG0 (c2 / cat) :ARG1 (m / mouse))

# ::id 2
# ::snt-17 Dogs sleep.
(s / sleep-01 :ARG0 (d / dog))

# ::snt Broken.
(b / break-01
"""


def test_scores_of_a_file(
    parser: BuiltinAmrParser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "gold.txt"
    path.write_text(GOLD)
    assert [graph.text for graph in read_gold(path)][:2] == ["Cats chase mice.", "Dogs sleep."]
    done: list[int] = []
    details = run(Amr([path], parser), advance=lambda name, count: done.append(count)).details
    assert (details["f1"], details["pairs"]) == (1.0, 2)
    assert (details["failed"], details["unread"]) == (0, 1)
    assert done == [2]
    out = tmp_path / "figures.json"
    assert main(["bench", "amr", str(path), "--json", str(out)]) == 0
    assert "1.0000" in capsys.readouterr().out
    assert json.loads(out.read_text())["f1"] == 1.0


def test_files_without_graphs(parser: BuiltinAmrParser, tmp_path: Path) -> None:
    (tmp_path / "gold.txt").write_text("# nothing\n")
    with pytest.raises(DataError, match="no PENMAN graph"):
        Amr([tmp_path / "gold.txt"], parser)
    for name in ("missing.txt", "missing.txt.gz"):
        with pytest.raises(DataError, match="cannot be read"):
            Amr([tmp_path / name], parser)


def test_gold_corpus_is_read(data_dir: Path) -> None:
    graphs = read_gold(data_dir / "amr" / "amr-bank-struct-v3.0.txt.gz")
    assert sum(bool(graph.nodes and graph.text) for graph in graphs) == 1562
