"""Formats of public sets, each on a few rows of our own, and malformed files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compsim.benchmarks.datasets import open_dataset
from compsim.benchmarks.datasets.pairs import LabelledPair, pair_format, read_pairs
from compsim.benchmarks.datasets.triples import Triple, read_triples, triple_format
from compsim.benchmarks.task import Spec, run
from compsim.benchmarks.tasks.finding import find
from compsim.benchmarks.tasks.minimal_pairs.pairs import pairs
from compsim.benchmarks.tasks.minimal_pairs.sugarcrepe import read_captions
from compsim.benchmarks.tasks.minimal_pairs.triples import triples
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError

HANS = "gold_label\tsentence1_binary_parse\tsentence1\tsentence2\tpairID\theuristic\tsubcase\n"
HANS += "entailment\t( )\tThe cat saw the dog .\tThe cat saw the dog .\tex0\tlexical_overlap\tle\n"
HANS += (
    "non-entailment\t( )\tThe cat saw the dog .\tThe dog saw the cat .\tex1\tlexical_overlap\tln\n"
)
LEVY = "the nurse, feeds, a child\ta nurse, gives food to, a child\tTrue\n"
LEVY += "a plane, leaves, Oslo\ta plane, lands in, Oslo\tFalse\n"
EVENTS = "ItemNum,TrialType,Voice,Plausibility,Sentence\n"
EVENTS += "1,AAN,active-voice,Plausible,The nurse fed the child.\n"
EVENTS += "1,AAN,passive-voice,Plausible,The child was fed by the nurse.\n"
EVENTS += "1,AAN,active-voice,Implausible,The child fed the nurse.\n"
EVENTS += "1,AAN,passive-voice,Implausible,The nurse was fed by the child.\n"
EVENTS += "2,AI,active-voice,Plausible,The nurse filled the cup.\n"
CHOICES = [
    ("She is awake.", ["She is not awake.", "She is asleep.", "She is not asleep."], 2),
    ("It is not cheap.", ["It is dear.", "It is not dear.", "It is cheap."], 0),
    ("He is tall.", ["He is not tall.", "He is not short.", "He is short."], 1),
]
VALSE = {
    "a_1": {"caption": "A cat sits.", "foil": "A cat runs.", "mturk": {"foil": 0, "caption": 3}},
    "a_2": {"caption": "A dog sits.", "foil": "A dog is.", "mturk": {"foil": 2, "caption": 1}},
}


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_hans(tmp_path: Path) -> None:
    path = write(tmp_path / "heuristics_evaluation_set.txt", HANS)
    assert pair_format(path) == "hans"
    first, second = "The cat saw the dog .", "The dog saw the cat ."
    assert read_pairs(path) == [
        LabelledPair("lexical_overlap", first, first, True),
        LabelledPair("lexical_overlap", first, second, False),
    ]
    write(path, HANS.replace("non-entailment", "neutral"))
    with pytest.raises(DataError, match=r"line 3: not heuristic.*HANS"):
        read_pairs(path)
    write(path, HANS + "entailment\tx\n")
    with pytest.raises(DataError, match="line 4"):
        read_pairs(path)


def test_levy_holt(tmp_path: Path) -> None:
    path = write(tmp_path / "dev.txt", LEVY)
    assert pair_format(path) == "levy-holt"
    assert read_pairs(path) == [
        LabelledPair("", "the nurse feeds a child", "a nurse gives food to a child", True),
        LabelledPair("", "a plane leaves Oslo", "a plane lands in Oslo", False),
    ]
    assert [pair.same for pair in read_pairs(write(path, LEVY.replace("True", "y")))] == [
        True,
        False,
    ]
    write(path, LEVY + "a, b, c\td, e, f\tperhaps\n")
    with pytest.raises(DataError, match=r"line 3: not two propositions"):
        read_pairs(path)


def test_events_adapt(tmp_path: Path) -> None:
    path = write(tmp_path / "events.csv", EVENTS)
    assert triple_format(path) == "events-adapt"
    texts = (
        "The nurse fed the child.",
        "The child was fed by the nurse.",
        "The child fed the nurse.",
    )
    assert read_triples(path) == [Triple("AAN", *texts)]
    (task,) = triples([path], "verbnet-cn,mean-cn", vectors="builtin")
    rows = run(task, workspace=Workspace(tmp_path / "kept")).rows
    assert [row.figures["AAN"].value for row in rows] == [1.0, 0.0]
    write(path, "".join(EVENTS.splitlines(keepends=True)[:3]))
    with pytest.raises(DataError, match="no item with a plausible sentence in both voices"):
        read_triples(path)
    write(path, EVENTS + "3,AI,active-voice,,x\n")
    with pytest.raises(DataError, match="line 7: 5 cells for 5 columns, or an empty one"):
        read_triples(path)


def semantoneg(path: Path) -> Path:
    entries = [
        {"idx": i, "label": label, "input": text, "sentences": sentences}
        for i, (text, sentences, label) in enumerate(CHOICES)
    ]
    return write(path, "".join(json.dumps(entry) + "\n" for entry in entries))


def test_semantoneg(tmp_path: Path) -> None:
    path = semantoneg(tmp_path / "SemAntoNeg.json")
    assert triple_format(path) == pair_format(path) == "semantoneg"
    result = read_triples(path)
    assert result[:2] == [
        Triple("semantoneg", "She is awake.", "She is not asleep.", other)
        for other in ("She is not awake.", "She is asleep.")
    ]
    labelled = read_pairs(path)
    assert labelled[3:6] == [
        LabelledPair("", "It is not cheap.", "It is dear.", True),
        LabelledPair("", "It is not cheap.", "It is not dear.", False),
        LabelledPair("", "It is not cheap.", "It is cheap.", False),
    ]
    (task,) = pairs([path], "mean-cn", vectors="builtin")
    assert run(task, workspace=Workspace(tmp_path / "kept")).rows[0].status == "ok"
    assert find(tmp_path, ["triples"], {"methods": "mean-cn"}).data[0].label == "SemAntoNeg.json"


@pytest.mark.parametrize(
    ("key", "value"),
    [("label", 3), ("label", True), ("label", "2"), ("sentences", ["a", "", "c"]),
     ("sentences", ["a"]), ("sentences", "abc"), ("input", None), ("input", " ")],
)  # fmt: skip
def test_an_entry_of_semantoneg_that_is_none(tmp_path: Path, key: str, value: object) -> None:
    path = semantoneg(tmp_path / "choices.jsonl")
    entry = {"label": 0, "input": "a", "sentences": ["b", "c"], key: value}
    write(path, path.read_text() + json.dumps(entry))
    with pytest.raises(DataError, match=r"choices\.jsonl, line 4: not a sentence"):
        read_triples(path)


def test_semantoneg_counts_sentences_as_its_authors_do(tmp_path: Path) -> None:
    path = semantoneg(tmp_path / "SemAntoNeg.json")
    given = [(0.9, 0.8, 0.7), (0.9, 0.3, 0.9), (0.6, 0.7, 0.5)]
    scores = {}
    for (text, sentences, label), (right, *wrong) in zip(CHOICES, given, strict=True):
        others = [one for i, one in enumerate(sentences) if i != label]
        scores |= {(text, sentences[label]): right}
        scores |= {(text, one): score for one, score in zip(others, wrong, strict=True)}

    def by_pair(first: list[str], second: list[str]) -> list[float]:
        return [scores[pair] for pair in zip(first, second, strict=True)]

    (task,) = triples([path])
    task.specs = [Spec("mine", model=by_pair)]
    results = run(task, workspace=Workspace(tmp_path / "kept"))
    (row,) = results.rows
    # A tie and a lost triple: each costs its sentence.
    assert row.figures["accuracy"].value == pytest.approx(1 / 3)
    assert row.figures["won"].value == pytest.approx(4 / 6)
    assert task.items_of(row).values.tolist() == [1.0, 0.0, 0.0]
    assert "He is not tall." in task.report(results)
    scores[CHOICES[0][0], CHOICES[0][1][0]] = float("nan")
    (row,) = run(task, workspace=Workspace(tmp_path / "other")).rows
    assert row.figures["accuracy"].value == 0
    assert task.items_of(row).values.tolist() == [0.0, 0.0, 0.0]


def test_valse(tmp_path: Path) -> None:
    path = write(tmp_path / "actions.json", json.dumps(VALSE))
    assert read_captions(path) == [("A cat sits.", "A cat runs.")]


def test_tasks_of_semeval_have_their_ratings_beside_them(tmp_path: Path) -> None:
    text = "Cats sleep.\tA cat sleeps.\nIt rains.\tIt snows.\nDogs bark.\tA dog.\tsource\tother\n"
    path = write(tmp_path / "STS.input.headlines.txt", text + 'He "ran\tHe ran.\n')
    with pytest.raises(DataError, match=r"there is no file .*STS\.gs\.headlines\.txt"):
        open_dataset(path)
    gold = write(tmp_path / "STS.gs.headlines.txt", "5\n\n1.5\n4\n")
    data = open_dataset(path)
    assert [(pair.first, pair.rating) for pair in data.pairs] == [
        ("Cats sleep.", 1.0),
        ("Dogs bark.", 0.3),
        ('He "ran', 0.8),
    ]
    write(gold, "5\n")
    with pytest.raises(DataError, match=r"4 pairs and STS\.gs\.headlines\.txt 1 lines"):
        open_dataset(path)


def test_semrel_is_not_taken_for_str(tmp_path: Path) -> None:
    rows = "".join(f'ENG-{n},"Cats sleep {n}.\nA cat sleeps.",0.{n}\n' for n in range(1, 4))
    for name, expected in {
        "eng_train.csv": "SemRel-2024",
        "sem_text_rel_ranked.csv": "STR-2022",
    }.items():
        data = open_dataset(write(tmp_path / name, "PairID,Text,Score\n" + rows))
        assert (data.name, len(data)) == (expected, 3)


def test_all_evaluations_find_them(tmp_path: Path) -> None:
    write(tmp_path / "hans.txt", HANS)
    write(tmp_path / "levy.txt", LEVY)
    write(tmp_path / "events.csv", EVENTS)
    write(tmp_path / "valse.json", json.dumps(VALSE))
    write(tmp_path / "STS.input.a.txt", "Cats sleep.\tA cat sleeps.\n" * 3)
    write(tmp_path / "STS.gs.a.txt", "5\n" * 3)
    kinds = ["sts", "triples", "pairs", "sugarcrepe"]
    result = find(tmp_path, kinds, {"methods": "mean-cn"})
    assert {(one.task, one.label) for one in result.data} == {
        ("sts", "STS.input.a.txt"),
        ("triples", "events.csv"),
        ("pairs", "hans.txt"),
        ("pairs", "levy.txt"),
        ("sugarcrepe", "valse.json"),
    }
    names = [pairs([tmp_path / name], "mean-cn")[0].data[0] for name in ("hans.txt", "levy.txt")]
    assert names == ["HANS", "Levy/Holt"]
