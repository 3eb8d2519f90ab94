from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import ToyParser

from compsim.benchmarks.datasets import PUBLISHED_ROLES, STS3k, open_sts3k
from compsim.benchmarks.sides import parse_once
from compsim.benchmarks.stats.correlation import correlate
from compsim.benchmarks.task import Figure, Spec, run
from compsim.benchmarks.tasks.parsing import roles
from compsim.benchmarks.tasks.parsing.roles import Roles, compare, role_words
from compsim.benchmarks.tasks.similarity.sts import evaluate
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.errors import DataError
from compsim.graph import RoleGraph
from compsim.parsers.files.conll import read_conll
from compsim.storage.places import weights_folder

TEXT = "Data-experiment/STS3k_all.txt"
NON = "Data-experiment/STS3k_non_adv_indices.txt"
ADV = "Data-experiment/STS3k_adv_noneg_indices.txt"
PARSES = "Data-model/Sentence Parses/VerbNet Parsing"
PAIRS = [
    ("Cats chase mice.", "Dogs chase birds.", 0.7),
    ("Cats chase mice.", "Mice chase cats.", 0.4),
    ("Dogs help cats.", "Birds visit park.", 0.1),
    ("Dogs help cats.", "Dogs help cats.", 1.0),
    ("Birds chase cats sadly.", "Cats chase birds in house.", 0.3),
    ("Mice visit house.", "Dogs visit park.", 0.5),
    ("Dogs help cats.", "Cats help dogs.", 0.45),
]
Copy = Callable[..., Path]


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """Make a small repository of the published layout; files given replace those of its own."""

    def make(**files: str | None) -> Path:
        parser = ToyParser()
        phrases = {
            str(i): [
                {role: node.label for role, node in parser.parse([text])[0].roles().items()}
                for text in pair[:2]
            ]
            for i, pair in enumerate(PAIRS, start=1)
        }
        phrases["1"][0]["Time"] = "NONE"
        content: dict[str, str | None] = {
            "text": "".join(f"{a};{b};{rating}\n" for a, b, rating in PAIRS),
            "non": "0\n1\n3\n5",
            "adv": "2\n4\n6",
            "gold": json.dumps(phrases),
        } | files
        places = {"text": TEXT, "non": NON, "adv": ADV, "gold": f"{PARSES}/full_"}
        places["gold"] = f"{PARSES}/{PUBLISHED_ROLES['hand-fixed']}"
        root = tmp_path / "compositional-semantics-eval"
        for name, text in content.items():
            path = root / places[name]
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is not None:
                path.write_text(text, encoding="utf-8")
        return root

    return make


def test_the_folder_and_its_parent_both_do(copy: Copy) -> None:
    root = copy()
    for folder in (root, root.parent):
        data = open_sts3k(folder)
        assert [tuple(pair) for pair in data.pairs] == PAIRS
        assert data.parts == {"all": tuple(range(7)), "non": (0, 1, 3, 5), "adv": (2, 4, 6)}
        assert len(data.sentences()) == len(set(data.sentences())) == 10
        assert [pair[0].text for pair in data.roles("hand-fixed")] == [pair[0] for pair in PAIRS]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"non": None}, "has no Data-experiment/STS3k_non_adv_indices.txt: fetch"),
        ({"text": None}, "has no Data-experiment/STS3k_all.txt"),
        ({"text": ""}, "gives 0 pairs"),
        ({"text": "a;b;0.1\nc;d;0.2\n", "non": "0", "adv": "1"}, "gives 2 pairs"),
        ({"adv": "1\n2"}, "gives 2 pairs"),
        ({"text": "a;b\n"}, "line 1: not s1;s2;score"),
        ({"text": "a;b;0.1\n\nc;d;0.2\n"}, "line 2: not s1;s2;score"),
        ({"text": "a;b;0.1\na;b;nan\n"}, "line 2: the rating 'nan'"),
        ({"text": "a;b;high\n"}, "the rating 'high'"),
        ({"adv": "1\n2\n7"}, "line 3: '7' is not a row number from 0 to 6"),
        ({"adv": "1\n2\n-1"}, "line 3: '-1'"),
        ({"adv": "1\n2\n2"}, "line 3: '2'"),
    ],
)
def test_bad_data_names_file_and_line(copy: Copy, files: dict[str, str | None], says: str) -> None:
    with pytest.raises(DataError, match="bmmlab/compositional-semantics-eval") as caught:
        open_sts3k(copy(**files))
    assert says in caught.value.args[0].replace("\\", "/")


def test_folders_that_are_none(tmp_path: Path, copy: Copy) -> None:
    with pytest.raises(DataError, match="there is no folder"):
        open_sts3k(tmp_path / "none")
    with pytest.raises(DataError, match="holds no Data-experiment"):
        open_sts3k(tmp_path)
    data = open_sts3k(copy(gold=None))
    with pytest.raises(DataError, match="has no Data-model"):
        data.roles("hand-fixed")
    short = open_sts3k(copy(gold='{"1": [{"Verb": "chase"}, {}]}'))
    with pytest.raises(DataError, match="the roles of 1 pairs"):
        short.roles("hand-fixed")


def star(**phrases: str) -> RoleGraph:
    return RoleGraph.star("", phrases)


def test_role_words_are_content_words_by_class() -> None:
    graph = star(Verb="Chased", Theme="the dog 's tail,", Patient="tail", Cause="rain", Time="at 5")
    assert role_words(graph) == {
        ("Verb", "chased"),
        ("Patient/Theme", "dog"),
        ("Patient/Theme", "tail"),
        ("Time", "5"),
    }
    assert role_words(RoleGraph.failed("x", "y")) == set()


def test_compare_counts_by_hand() -> None:
    gold = [star(Verb="chase", Agent="cats", Location="park"), star(Verb="help", Theme="mice")]
    results = [
        star(Verb="chase", Theme="cats", Trajectory="the park"),
        RoleGraph.failed("Dogs help.", "no"),
    ]
    scores = compare(gold, results)
    total = scores["all"]
    assert [total[name].value for name in ("precision", "recall", "words")] == [2 / 3, 0.4, 5]
    assert total["F1"].value == pytest.approx(0.5)
    low, high = total["F1"].low, total["F1"].high
    assert low is not None
    assert high is not None
    assert low < 0.5 < high
    assert [scores["Agent"][name].value for name in ("precision", "recall", "F1")] == [0, 0, 0]
    assert scores["Patient/Theme"]["F1"].value == 0
    assert scores["Location/Trajectory"]["F1"].value == 1
    assert scores["Time"]["F1"] == Figure(0.0, 2)
    with pytest.raises(DataError, match="hold no words"):
        compare([star(), star()], results)


words = st.sampled_from(["cats", "mice", "park", "chase", "the"])
stars = st.dictionaries(st.sampled_from(["Verb", "Agent", "Theme", "Patient", "Location"]), words)
pairs = st.lists(st.tuples(stars, stars), min_size=1, max_size=4)


@given(pairs)
def test_compare_agrees_with_counting_one_by_one(
    gold: list[tuple[dict[str, str], dict[str, str]]],
) -> None:
    truth = [g for a, b in gold for g in (star(Verb="go", **_no_verb(a)), star(**b))]
    items = list(reversed(truth))
    tp = fp = fn = 0
    for one, other in zip(truth, items, strict=True):
        for item in role_words(one) | role_words(other):
            in_one, in_other = item in role_words(one), item in role_words(other)
            tp += in_one and in_other
            fp += in_other and not in_one
            fn += in_one and not in_other
    total = compare(truth, items)["all"]
    assert total["words"].value == tp + fn
    assert total["precision"].value == tp / (tp + fp)
    assert total["F1"].value == 2 * tp / (2 * tp + fp + fn)
    assert compare(truth, truth)["all"]["F1"].value == 1


def _no_verb(phrases: dict[str, str]) -> dict[str, str]:
    return {role: phrase for role, phrase in phrases.items() if role != "Verb"}


def test_a_parser_is_asked_once_for_each_sentence(copy: Copy) -> None:
    data, parser = open_sts3k(copy()), ToyParser()
    outcome: list[int] = []
    results = run(Roles(data, parser), advance=lambda name, count: outcome.append(count))
    assert results.details["f1"] == 1
    assert sorted(parser.parsed) == sorted(data.sentences())
    assert sum(outcome) == len(data.sentences())


def test_parses_are_kept_where_none_failed(copy: Copy, tmp_path: Path) -> None:
    data, workspace = open_sts3k(copy()), Workspace(tmp_path / "kept")
    spec, result = Spec("toy", {"parser": "toy"}), []
    for _ in range(2):
        parser = ToyParser()
        result.append(parser.parsed)
        graphs = parse_once(parser, data.sentences(), spec, workspace, lambda name, count: None)
        assert list(graphs) == data.sentences()
    assert [bool(parsed) for parsed in result] == [True, False]
    for _ in range(2):
        parser = ToyParser()
        parse_once(parser, ["None of these."], spec, workspace, lambda name, count: None)
        assert parser.parsed == ["None of these."]


CONLL = """# text = Cats' mice slept.
1\tCats\t-PRON-\tNOUN\tNNS\t_\t3\tposs\t_\t_
2\t'\t'\tPART\tPOS\t_\t1\tcase\t_\t_
3\tmice\tmouse\tNOUN\tNNS\t_\t4\tnsubj\t_\t_
4\tslept\tsleep\tVERB\tVBD\t_\t0\tROOT\t_\t_
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

1\tThey\t-PRON-\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tslept\tsleep\tVERB\tVBD\t_\t0\tROOT\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_
"""


def test_conll_spaces_come_from_the_text_else_from_the_last_column(tmp_path: Path) -> None:
    path = tmp_path / "trees.conll"
    path.write_text(CONLL)
    assert [tree.text for tree in read_conll(path)] == ["Cats' mice slept.", "They slept."]
    path.write_text(CONLL.replace("# text = Cats'", "# text = Dogs'"))
    assert next(read_conll(path)).text == "Cats ' mice slept ."


def test_trees_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "trees.conll"
    path.write_text(CONLL + "\n" + CONLL)
    trees = roles._read_trees(path, {"Cats' mice slept.", "They slept.", "None."})
    assert {text: tree.text for text, tree in trees.items()} == {text: text for text in trees}
    assert len(trees) == 2
    tree = trees["They slept."]
    assert [tree.word(i) for i in range(3)] == ["They", "slept", "."]
    assert tree.lemmas == ["they", "sleep", "."]
    assert tree.heads == [1, 1, 1]
    assert tree.deps == ["nsubj", "ROOT", "punct"]


@pytest.mark.parametrize(
    "content",
    [
        "a\tb\n",
        CONLL.replace("\t3\tposs", "\t99\tposs"),
        CONLL.replace("\t3\tposs", "\t2\tposs"),
        "\x00\n",
    ],
)
def test_files_that_are_not_conll(tmp_path: Path, content: str) -> None:
    path = tmp_path / "trees.conll"
    path.write_text(content)
    with pytest.raises(DataError, match="as CoNLL"):
        roles._read_trees(path, {"Cats' mice slept."})
    with pytest.raises(DataError, match="as CoNLL"):
        roles._read_trees(tmp_path / "none.conll", set())


def test_bench_roles_on_the_command_line(
    copy: Copy, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    root, out = copy(), tmp_path / "roles.json"
    arguments = ["bench", "roles", "--data", str(root), "--json", str(out)]
    assert main([*arguments, "--roles", "hand-fixed"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == ["role", "precision", "recall", "F1", "words"]
    assert table[-2].split()[:4] == ["all", "1.0000", "1.0000", "1.0000"]
    values = json.loads(out.read_text())
    assert (values["f1"], values["failed"]) == (1.0, [])
    assert set(values["per_role"]) >= {"Verb", "Agent", "Patient/Theme", "Location/Trajectory"}
    stored = f"stored:{root / PARSES / PUBLISHED_ROLES['hand-fixed']}"
    assert main([*arguments, "--parser", stored]) == 0
    again = json.loads(out.read_text())
    assert (again["rows"], again["per_role"]) == (values["rows"], values["per_role"])
    capsys.readouterr()
    empty = tmp_path / "none.jsonl"
    empty.write_text("")
    assert main([*arguments, "--parser", f"stored:{empty}"]) == 0
    output, errors = capsys.readouterr()
    assert "10 distinct ones without a parse" in output
    assert errors.splitlines()[-1] == "compsim: no parse: and 5 more"
    assert json.loads(out.read_text())["f1"] == 0


def test_bench_sts3k_on_the_command_line(
    copy: Copy, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    root, out = copy(), tmp_path / "sts3k.json"
    arguments = ["bench", "sts3k", "--data", str(root.parent), "--vectors", "builtin"]
    arguments += ["--json", str(out)]
    assert main([*arguments, "--roles", "hand-fixed", "--normalize", "all"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert "all (n=7)" in table[0]
    # Three ways, and each of the others against the first.
    assert table[4:6] == ["", table[5]]
    assert [line.count("verbnet-cn") for line in table[6:]] == [2] * 2
    rows = json.loads(out.read_text())["rows"]
    assert [row["normalize"] for row in rows] == ["matched", "union", "fixed"]
    assert rows[0].keys() >= {"method", "normalize", "all", "non", "adv", "n"}
    assert all(-1 <= row["all"] <= 1 for row in rows)


def test_constant_scores_are_said(
    copy: Copy, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    gold = {str(i): [{"Verb": "chase"}] * 2 for i in range(1, 8)}
    root, out = copy(gold=json.dumps(gold)), tmp_path / "sts3k.json"
    arguments = ["bench", "sts3k", "--data", str(root), "--vectors", "builtin"]
    arguments += ["-o", "weights=paper"]
    assert main([*arguments, "--roles", "hand-fixed", "--json", str(out)]) == 0
    output, errors = capsys.readouterr()
    assert "undefined" in output
    assert "all: all scores are 1" in errors
    assert json.loads(out.read_text())["rows"][0]["all"] is None


# From here on, the real data.


@pytest.fixture(scope="module")
def development(data_dir: Path) -> STS3k:
    if not (data_dir / "compositional-semantics-eval").is_dir():
        pytest.skip(f"{data_dir} has no compositional-semantics-eval")
    return open_sts3k(data_dir)


def test_the_published_roles_score_as_published(development: STS3k) -> None:
    # Over all pairs .840 and .845; this is the development part.
    for name, printed in (("hand-fixed", 1.0), ("semparse", 0.840), ("gpt4", 0.845)):
        result = run(Roles(development, "", roles=name)).details["f1"]
        assert result == pytest.approx(printed, abs=0.01)


def test_published_scores_correlate_as_published(development: STS3k) -> None:
    name = "STS3k_all_verbnet_conceptnet_fixedparms_basic_similarities.txt"
    scores = np.loadtxt(development.folder / "Data-model" / "Sentence Similarities" / name)
    ratings = np.array([pair.rating for pair in development.pairs])
    assert correlate(scores, ratings).spearman == pytest.approx(0.672, abs=0.01)


def test_hand_fixed_roles_reach_the_reference(development: STS3k, data_dir: Path) -> None:
    vectors = data_dir / "numberbatch" / "numberbatch-en-mini.txt.gz"
    specs = [
        Spec(
            "verbnet-cn",
            {"vectors": str(vectors), "weights": "paper", "normalize": way},
            roles="hand-fixed",
        )
        for way in ("fixed", "matched")
    ]
    results = evaluate(development, specs)
    assert results.columns == {"all": 1140, "non": 431, "adv": 680}
    fixed, matched = (row.to_dict() for row in results.rows)
    assert fixed["all"] == pytest.approx(0.66, abs=0.02)
    assert matched["adv"] > fixed["adv"] > 0.58


def test_roles_from_stored_trees(development: STS3k, data_dir: Path) -> None:
    if not (weights_folder() / "roles" / "model.npz").is_file():
        pytest.skip("the role model is not trained yet")
    trees = data_dir / "parses" / "en_core_web_sm-2.2.5-sts3k.conll.gz"
    details = run(Roles(development, "srl", parses=trees)).details
    assert details["f1"] > 0.85
    assert len(details["failed"]) < 30
