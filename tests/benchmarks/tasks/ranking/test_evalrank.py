"""EvalRank: ranks against a slow twin, the specification's figures, bad input."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import toy_vectors, vectors_of_letters

from compsim.benchmarks.datasets.ranking.evalrank import Positives, open_evalrank, positives_of
from compsim.benchmarks.downstream import read_downstream
from compsim.benchmarks.spaces import Comparison, items_of_bags, items_of_vectors, items_of_words
from compsim.benchmarks.stats.neighbours import METRICS, Space, nearest, rank_pairs
from compsim.benchmarks.task import Spec, run
from compsim.benchmarks.tasks.ranking.evalrank import EvalRank, evalrank
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.errors import DataError, InputError, UnknownNameError
from compsim.vectors import WordVectors

NOWHERE = Workspace("/dev/null")


def slow_rank(vectors: Any, a: int, b: int, metric: str) -> tuple[int, int]:
    """The rank of b by likeness to a, and the ties, in exact arithmetic of whole numbers."""

    def alike(x: int) -> tuple[int, float]:
        u, v = vectors[a], vectors[x]
        if metric == "l2":
            return 0, -int(((u - v) ** 2).sum())
        product, length = int(u @ v), int(v @ v)
        # Of one u the cosine goes with its sign and product^2 / length.
        return int(np.sign(product)), np.sign(product) * product**2 / max(length, 1)

    if a == b:
        return 1, 0
    others = [x for x in range(len(vectors)) if x != a]
    rank = 1 + sum(alike(x) > alike(b) for x in others)
    return rank, sum(alike(x) == alike(b) for x in others if x != b)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Any, Any]:
    count = draw(st.integers(2, 9))
    row = st.lists(st.integers(-2, 2), min_size=2, max_size=2)
    vectors = np.array(draw(st.lists(row, min_size=count, max_size=count)))
    place = st.integers(0, count - 1)
    pairs = draw(st.lists(st.tuples(place, place), min_size=1, max_size=6))
    return vectors, np.array(pairs)


@given(cases(), st.sampled_from(METRICS))
def test_ranks_are_those_of_a_slow_twin(case: tuple[Any, Any], metric: str) -> None:
    vectors, pairs = case
    result = rank_pairs(Space(vectors.astype(np.float64), metric), pairs)
    for (a, b), rank, ties in zip(pairs.tolist(), result.ranks, result.ties, strict=True):
        expected = slow_rank(vectors, a, b, metric)
        if metric == "l2":
            assert (rank, ties) == expected
        else:  # equal cosines of unequal vectors may differ in the last bit
            assert expected[0] <= rank <= expected[0] + expected[1] - ties


def test_equal_vectors_share_a_rank_and_zeros_are_like_nothing() -> None:
    vectors = np.array([[1, 0], [0.1, 0.3], [0.1, 0.3], [0, 0], [0.1, -0.3]], dtype=np.float32)
    space = Space(vectors)
    result = rank_pairs(space, np.array([[0, 1], [1, 2], [3, 0], [0, 3], [2, 2]]))
    assert result.ranks.tolist() == [1, 1, 1, 4, 1]
    assert result.ties[[1, 2, 4]].tolist() == [0, 3, 0]
    assert space.zeros == 1
    row = space.rows(np.array([1]))[0][space.column]
    assert nearest(row, 1, 2) == [2, 0]
    with pytest.raises(InputError, match="NaN"):
        Space(np.array([[np.nan, 1]]))
    with pytest.raises(InputError, match="use cos, l2"):
        Space(vectors, "dot")


def word_folder(tmp_path: Path, pairs: str = "cats\tdogs\ndogs\tcats\n") -> Path:
    place = tmp_path / "word_evalrank"
    place.mkdir(exist_ok=True)
    (place / "pos_pair_1.txt").write_bytes(pairs.encode())
    (place / "basic_vocab.txt").write_text("mice\ncats\nzzyzx\n")
    with gzip.open(place / "wiki_vocab.txt.gz", "wt") as file:
        file.write("park\nBirds\n")
    return tmp_path


def test_files_of_words(tmp_path: Path) -> None:
    data = open_evalrank(word_folder(tmp_path, "Cats\tdogs\r\ncats\tdogs\r\ncats\tcats\r\n"))
    assert data.items == ("cats", "dogs", "mice", "zzyzx", "park", "birds")
    assert data.pairs == ((0, 1), (0, 0))
    assert "1 pairs are repeated" in data.problems[0]
    assert "rank is 1" in data.problems[1]
    basic = open_evalrank(tmp_path, background="basic", drop_identical=True)
    assert (basic.items, basic.pairs) == (data.items[:4], ((0, 1),))
    assert open_evalrank(tmp_path / "word_evalrank", background="none").items == data.items[:2]


def test_sentences_that_their_background_lacks(tmp_path: Path) -> None:
    place = tmp_path / "sent_evalrank"
    place.mkdir()
    with gzip.open(place / "pos_pair.txt.gz", "wt") as file:
        file.write("cats sleep .\tdogs sleep .\r\ncats sleep .\tmice run .\r\n")
    (place / "background_sent.txt").write_bytes(b"dogs sleep .\r\nbirds sing .\r\n")
    data = open_evalrank(tmp_path, "sentence")
    assert data.items == ("cats sleep .", "dogs sleep .", "mice run .", "birds sing .")
    assert data.problems == ("2 items of pairs are not in the background: added",)
    assert dict(data.sizes) == {"pairs": 3, "all": 4}
    own = tmp_path / "own.txt"
    own.write_text("one\ntwo\n")
    assert open_evalrank(tmp_path, "sentence", str(own)).items[3:] == ("one", "two")


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ("cats dogs\n", "line 1: 0 tabs, not one"),
        ("cats\tdogs\n\na\tb\tc", "line 3: 2 tabs, not one"),
        ("cats\t \n", "an item is empty"),
        ("\n", "has no pairs"),
    ],
)
def test_pairs_that_are_none(tmp_path: Path, pairs: str, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        open_evalrank(word_folder(tmp_path, pairs))


def test_what_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no pos_pair\.txt"):
        open_evalrank(tmp_path)
    folder = word_folder(tmp_path)
    with pytest.raises(UnknownNameError, match="word or sentence"):
        open_evalrank(folder, "text")
    with pytest.raises(UnknownNameError, match="basic"):
        open_evalrank(folder, background="all")
    with pytest.raises(DataError, match="1 item to rank among"):
        open_evalrank(word_folder(tmp_path, "cats\tcats\n"), background="none")
    for wrong in ({"metric": "dot"}, {"oov": "guess"}, {"normalize": "best"}):
        with pytest.raises(UnknownNameError, match="is not known"):
            evalrank(folder, **wrong)
    (folder / "word_evalrank" / "basic_vocab.txt").unlink()
    with pytest.raises(DataError, match=r"has no basic_vocab\.txt"):
        open_evalrank(folder)


@given(cases(), st.integers(2, 9))
def test_ranks_within_a_part_are_those_of_the_part(case: tuple[Any, Any], first: int) -> None:
    vectors, pairs = case
    first = max(min(first, len(vectors)), int(pairs.max()) + 1)
    space = Space(vectors.astype(np.float64), "l2")
    result = rank_pairs(space, pairs, within=[first, len(vectors)])
    part = rank_pairs(Space(vectors[:first].astype(np.float64), "l2"), pairs)
    assert result.within[:, 0].tolist() == part.ranks.tolist()
    assert result.within[:, 1].tolist() == result.ranks.tolist()


def toy_task(**more: Any) -> EvalRank:
    sentences = ("cats chase mice", "mice chase cats", "dogs help birds", "birds visit dogs")
    data = Positives("toy", "sentence", sentences, ((0, 1), (1, 0), (2, 3)))
    return EvalRank(data, [], **more)


def test_methods_with_vectors_and_without() -> None:
    task = toy_task()
    task.specs = [
        Spec("mean-cn", {"vectors": toy_vectors()}),
        Spec("mean-cn", {"vectors": toy_vectors(), "normalize": "abtt"}),
        Spec("verbnet-cn", {"vectors": "builtin"}),
    ]
    mean, abtt, roles = run(task, workspace=NOWHERE).rows
    assert mean.scores[:2] == [1.0, 1.0]
    assert abtt.of["normalize"] == "abtt"
    assert roles.figures["pairs"].value == 3
    assert "<h2>Which pairs rank worst?</h2>" in task.report(run(task, workspace=NOWHERE))
    drawn = toy_task(queries=1)
    drawn.specs = [Spec("verbnet-cn", {"vectors": "builtin"})]
    (row,) = run(drawn, workspace=NOWHERE).rows
    assert row.figures["pairs"].value == 1
    assert any("1 of 3 first items" in note for note in row.notes)
    apart = toy_task(metric="l2")
    apart.specs = drawn.specs
    with pytest.raises(InputError, match="verbnet-cn has no vectors"):
        run(apart, workspace=NOWHERE)


def test_published_rows_are_of_the_same_level_and_background(tmp_path: Path) -> None:
    folder = word_folder(tmp_path)
    options = {"methods": "words", "vectors": "builtin", "published": True}
    with_wiki = run(evalrank(folder, **options), workspace=NOWHERE)
    alone = run(evalrank(folder, background="basic", **options), workspace=NOWHERE)
    shown = [
        {row.of["method"]: row.figures["MRR"].value for row in results.literature}
        for results in (with_wiki, alone)
    ]
    assert shown[0]["fastText, published"] == 17.22
    assert shown[1]["fastText, published"] == 25.36
    assert run(evalrank(folder, background="none", **options), workspace=NOWHERE).literature == []
    unasked = evalrank(folder, methods="words", vectors="builtin")
    assert run(unasked, workspace=NOWHERE).literature == []
    with pytest.raises(InputError, match="EvalRank's own data"):
        evalrank(build="pairs.csv", published=True)


def test_a_component_that_is_removed_is_no_centring(tmp_path: Path) -> None:
    folder = word_folder(tmp_path)
    task = evalrank(folder, vectors="builtin", normalize="pcr", side_by_side=True)
    rows = run(task, workspace=NOWHERE).rows
    assert [(row.of["metric"], row.of["centred"]) for row in rows] == [("cos", "no"), ("l2", "no")]
    assert task.items_of(rows[0]) is not None
    assert task.items_of(rows[1]) is None


def words_of_letters(words: list[str]) -> Any:
    return vectors_of_letters(words)


def test_words_are_ranked_by_any_method_and_function(tmp_path: Path) -> None:
    folder = word_folder(tmp_path)
    task = evalrank(folder, methods="words,mean-cn,callable:toys:shared_words", vectors="builtin")
    task.specs = [*task.specs, Spec("letters", model=words_of_letters)]
    rows = run(task, workspace=NOWHERE).rows
    assert [row.status for row in rows] == ["ok"] * 4
    assert [row.figures["pairs"].value for row in rows] == [2] * 4
    assert "metric" not in rows[2].of  # scores have no metric
    assert rows[3].of["metric"] == "cos"


def test_ways_side_by_side() -> None:
    sentences = ("cats chase mice", "mice sleep", "cats chase dogs", "dogs chase mice")
    data = Positives("toy", "sentence", sentences, ((0, 1), (1, 0)))
    task = EvalRank(data, [], side_by_side=True)
    task.specs = [
        Spec("mean-cn", {"vectors": toy_vectors()}),
        Spec("callable", {"function": "toys:shared_words"}),
        Spec("mean-cn", {"vectors": toy_vectors(), "normalize": "whitening"}),
    ]
    results = run(task, workspace=NOWHERE)
    ways = [(row.of.get("metric"), row.of.get("centred")) for row in results.rows]
    # Scores have no metric, and what is normalised is centred.
    both = [("cos", "yes"), ("l2", "yes")]
    assert ways == [both[0], ("cos", "no"), both[1], (None, None), *both]
    page = task.report(results)
    assert "What do centring and the metric change?" in page
    assert "Why do the worst pairs score as they do?" in page


def test_figures_go_with_other_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tasks.csv"
    file.write_text(
        "model,MR,MRR,nli,set:MEN\nbuiltin,,,0.9,3\nother,300,20,0.5,2\nthird,500,10,0.4,1\n"
    )
    folder = str(word_folder(tmp_path))
    command = ["bench", "evalrank", "--data", folder, "--vectors", "builtin"]
    out, page = tmp_path / "out.json", tmp_path / "out.html"
    assert main([*command, f"--correlate={file}", f"--json={out}", f"--html={page}"]) == 0
    assert "nli, Spearman over models: MRR 1.000 (n=3)" in capsys.readouterr().out
    values = json.loads(out.read_text())["downstream"]["nli"]
    assert values["MR"] == {"spearman": pytest.approx(-1), "n": 3}
    assert values["set:MEN"] == {"spearman": pytest.approx(1), "n": 3}
    assert values["Hits@1"] == {"spearman": None, "n": 1}
    assert "Do ranks go with scores in other tasks?" in page.read_text()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: no names of columns"),
        ("a,1,2\nb,1,3\n", "line 1: no names of columns"),
        ("model,x\na,1\nb,2\n", "has 2 models"),
        ("model,x\na,1\na,2\n", "line 3: 'a' came before"),
        ("model,x\na,one\n", "line 2: 'one' is no number"),
        ("model,x\na,1,2\n", "line 2: more cells than columns"),
    ],
)
def test_scores_in_other_tasks_that_are_none(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "tasks.csv"
    file.write_text(text)
    with pytest.raises(DataError, match=reason):
        read_downstream(file)


def test_vectors_that_are_no_numbers() -> None:
    task = toy_task()
    task.specs = [
        Spec("nan", model=lambda texts: np.full((len(texts), 2), np.nan)),
        Spec("mean-cn", {"vectors": toy_vectors()}),
    ]
    bad, good = run(task, workspace=NOWHERE).rows
    assert "gave NaN or infinity" in bad.reason
    assert good.status == "ok"
    with pytest.raises(DataError, match="2 vectors hold NaN or infinity"):
        items_of_vectors(np.array([[1, np.nan], [1, 2], [np.inf, 1]]))
    scores = toy_task()
    scores.specs = [Spec("scores", model=lambda a, b: [np.nan] * len(a))]
    (row,) = run(scores, workspace=NOWHERE).rows
    assert row.figures["MRR, ties"].value < row.figures["MRR"].value  # NaN is the lowest score


def test_a_collapsed_model_is_warned_of() -> None:
    task = toy_task()
    task.specs = [Spec("same", model=lambda texts: np.ones((len(texts), 2)))]
    (row,) = run(task, workspace=NOWHERE).rows
    assert row.figures["MRR"].value == 100
    assert any("of the pairs have ties: see MRR, ties" in note for note in row.notes)
    assert any("items have the vector zero" in note for note in row.notes)


@pytest.mark.parametrize(
    ("name", "text", "known"),
    [
        ("header.txt", b"3 2\ncats 1 2\ndogs 2 1\nmice 0 1\n", 3),
        ("two.txt", b"cats 1 2\ndogs 2 1\nCats 5 5\n", 2),  # few columns; the first of a case
        ("entries.txt", b"3 2\nhot_dog 1 1\ncats 1 2\ndogs 2 1\n", 2),
        ("bytes.txt", b"3 2\ncats 1 2\n\xff\xfe 1 2\ndogs 2 1\n", 2),
    ],
)
def test_vector_files_of_all_kinds(tmp_path: Path, name: str, text: bytes, known: int) -> None:
    folder = word_folder(tmp_path)
    (tmp_path / name).write_bytes(text)
    task = evalrank(folder, vectors=str(tmp_path / name))
    (row,) = run(task, workspace=NOWHERE).rows
    assert row.status == "ok"
    assert (row.figures["pairs"].value, row.figures["among"].value) == (2, known)


def test_a_vector_file_that_is_cut_off(tmp_path: Path) -> None:
    folder = word_folder(tmp_path)
    file = tmp_path / "short.txt"
    file.write_bytes(b"3 2\ncats 1 2\ndogs 2\nmice 0 1\n")
    (row,) = run(evalrank(folder, vectors=str(file)), workspace=NOWHERE).rows
    assert row.status == "unavailable"
    assert "line 3" in row.reason


def test_words_that_are_unknown() -> None:
    table = WordVectors.from_arrays(["Cat", "cat", "dog"], [[1, 0], [0, 1], [1, 1]])
    words = ["cat", "zebra", "DOG"]
    dropped = items_of_words(table, words, how=Comparison(center=False))
    assert dropped.kept.tolist() == [0, 2]
    assert dropped.scores.rows(np.array([0])).max() == 1  # the first of those that differ in case
    average = items_of_words(table, words, how=Comparison(center=False, oov="average"))
    mean = np.mean([[1, 0], [0, 1], [0.5**0.5] * 2], axis=0)
    row = average.scores.rows(np.array([0]))[0][average.scores.column]
    assert row[1] == pytest.approx(mean[0])
    zero = items_of_words(table, words, how=Comparison(center=False, oov="zero"))
    assert "1 items have the vector zero" in zero.notes[0]
    bags = items_of_bags(table, ["dog cat", "cat  dog", "?"], how=Comparison(published=True))
    assert bags.kept.tolist() == [0, 1]
    assert bags.scores.column[0] == bags.scores.column[1]
    assert len(items_of_vectors(np.zeros((2, 3)), how=Comparison(oov="drop")).kept) == 0


def test_no_pair_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = EvalRank(
        Positives("toy", "word", ("zzyzx", "qwrt", "cat"), ((0, 1),)),
        [Spec("words", {"vectors": "builtin", "normalize": "none"})],
    )
    (row,) = run(task, workspace=NOWHERE).rows
    assert "builtin has vectors of 1 of the 3 items" in row.reason
    out = tmp_path / "out.json"
    folder = str(word_folder(tmp_path))
    command = ["bench", "evalrank", "--data", folder, "--vectors", "builtin", "--json", str(out)]
    assert main(command) == 0
    assert "MRR" in capsys.readouterr().out
    assert json.loads(out.read_text())["rows"][0]["pairs"] == 2


def test_best_rated_pairs_become_positives() -> None:
    rated = [("a", "b", 3.0), ("c", "d", 3.0), ("e", "f", 1.0), ("g", "g", 5.0)]
    made = positives_of(rated, top=0.5)
    assert [(made.items[a], made.items[b]) for a, b in made.pairs] == [
        ("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"),
    ]  # fmt: skip
    assert set(made.items) == set("abcdefg")
    assert len(positives_of(rated, top=0.5, keep_identical=True)) == 5
    with pytest.raises(InputError, match="no share"):
        positives_of(rated, top=0)
    with pytest.raises(InputError, match="either data"):
        evalrank()


def test_positives_from_a_file_of_ratings(tmp_path: Path) -> None:
    file = tmp_path / "rated.csv"
    file.write_text("sentence1,sentence2,score\nCat,dog,4\ncat,car,1\ndog,car,2\nsun,moon,1\n")
    task = evalrank(build=f"csv:{file}", vectors="builtin")
    (row,) = run(task, workspace=NOWHERE).rows
    assert (row.figures["pairs"].value, row.figures["among"].value) == (2, 5)


def test_built_sets_are_saved_and_read_again(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("sentence1,sentence2,score\nCats,dogs,4\ncats,mice,1\ndogs,mice,2\na,b,1\n")
    two.write_text("sentence1,sentence2,score\nbirds,mice,5\nbirds,house,0\nx,x,5\n")
    more = tmp_path / "more.txt"
    more.write_text("park\ncats\nsadly\n")
    files = f"csv:{one},csv:{two}"
    task = evalrank(build=files, background=str(more), vectors="builtin", save=tmp_path / "new")
    again = evalrank(tmp_path / "new", vectors="builtin")
    assert again.positives.items == task.positives.items
    assert again.positives.pairs == task.positives.pairs
    assert again.positives.sources == task.positives.sources == ("one", "one", "two", "two")
    assert {"park", "sadly"} < set(task.positives.items)
    results = run(task, workspace=NOWHERE)
    assert set(results.rows[0].details["sources"]) == {"one", "two"}
    assert list(results.rows[0].details["backgrounds"])[-1] == "whole"
    assert "Which sets of data are hard?" in task.report(results)
    with pytest.raises(InputError, match="holds files already"):
        evalrank(build=files, save=tmp_path / "new")
    with pytest.raises(InputError, match="save writes what build makes"):
        evalrank(tmp_path / "new", save=tmp_path / "other")
    with pytest.raises(InputError, match="the same name"):
        evalrank(build=f"csv:{one},csv:{one}")
    (tmp_path / "new" / "word_evalrank" / "pos_source.txt").write_text("one\n")
    with pytest.raises(DataError, match="1 lines for 4 pairs"):
        evalrank(tmp_path / "new")
    sentences = evalrank(build=files, level="sentence", save=tmp_path / "sentences")
    read = evalrank(tmp_path / "sentences", level="sentence").positives
    assert (read.items, read.pairs) == (sentences.positives.items, sentences.positives.pairs)


def test_columns_in_a_wrong_order(tmp_path: Path) -> None:
    file = tmp_path / "rated.csv"
    file.write_text("score,sentence1,sentence2\n4,cat,dog\n1,cat,car\n2,dog,car\n")
    positives = evalrank(
        build=f"csv:{file}", vectors="builtin"
    ).positives  # by the names of columns
    assert {positives.items[i] for pair in positives.pairs for i in pair} == {"cat", "dog"}
    file.write_text("sentence1,sentence2,score\n4,cat,dog\n1,cat,car\n2,dog,car\n")
    with pytest.raises(DataError, match="the rating 'dog' is no number"):
        evalrank(build=f"csv:{file}", vectors="builtin")


@pytest.fixture
def folder(data_dir: Path) -> Path:
    result = data_dir / "evalrank"
    if not result.is_dir():
        pytest.skip(f"there is no EvalRank in {data_dir}")
    return result


def measured(task: Any) -> list[dict[str, float]]:
    return [
        {name: round(float(figure.value or 0), 2) for name, figure in row.figures.items()}
        for row in run(task, workspace=NOWHERE).rows
    ]


@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
def test_figures_of_words(folder: Path) -> None:
    numberbatch = folder.parent / "numberbatch" / "numberbatch-en-mini.txt.gz"
    for vectors, more, expected in (
        (numberbatch, {}, (23.55, 10.40, 26.52, 62.65)),
        (numberbatch, {"normalize": "abtt"}, (23.57, 10.42, 26.55, 72.40)),
        (numberbatch, {"background": "basic"}, (34.56, 19.70, 39.97, 27.18)),
        (folder / "toy_emb.txt.gz", {}, (13.58, 5.99, 15.33, 331.18)),
        (folder / "toy_emb.txt.gz", {"metric": "l2"}, (12.53, 5.91, 13.80, 379.96)),
    ):
        if not vectors.is_file():
            pytest.skip(f"there are no vectors at {vectors}")
        (result,) = measured(evalrank(folder, vectors=str(vectors), **more))
        shown = [result[name] for name in ("MRR", "Hits@1", "Hits@3", "MR")]
        assert shown == pytest.approx(expected, abs=0.011)
