"""Downstream tasks: files of SentEval, classifiers on frozen vectors, and what foretells them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from toys import vectors_of_letters

from compsim.benchmarks.datasets import Dataset, SentencePair
from compsim.benchmarks.datasets.ranking.evalrank import Positives
from compsim.benchmarks.datasets.senteval import TASKS, ClassificationTask, Part, open_tasks
from compsim.benchmarks.spaces import bag_vectors
from compsim.benchmarks.stats.logistic import Classes, Levels, predict, predict_folds
from compsim.benchmarks.task import Spec, run
from compsim.benchmarks.tasks.vectors.downstream import Downstream, downstream
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.errors import DataError, InputError, UnknownNameError
from compsim.vectors import WordVectors

NOWHERE = Workspace("/dev/null")
WORDS = ("cats", "dogs", "mice", "birds", "park", "house", "chase", "help", "visit", "tree")

#: One or two lines of each file, in the form that SentEval's script writes.
FILES = {
    "MR/rt-polarity.pos": "a warm , funny film .\nit soars .\n",
    "MR/rt-polarity.neg": "dull .\n",
    "CR/custrev.pos": "it works\n",
    "CR/custrev.neg": "it broke\nso slow\n",
    "SUBJ/subj.objective": "he travels to rome .\n",
    "SUBJ/subj.subjective": "i loved it .\n",
    "MPQA/mpqa.pos": "good will\n",
    "MPQA/mpqa.neg": "axis of evil\n",
    "SST/binary/sentiment-train": "a gem\t1\n3 bad acts\t0\n",
    "SST/binary/sentiment-dev": "fine\t1\n",
    "SST/binary/sentiment-test": "poor\t0\n",
    "SST/fine/sentiment-train": "4 a gem\n0 awful\n",
    "SST/fine/sentiment-dev": "2 it is a film\n",
    "SST/fine/sentiment-test": "3 nice enough\n",
    "TREC/train_5500.label": "DESC:manner How did serfdom develop ?\nNUM:date When ?\n",
    "TREC/TREC_10.label": "LOC:city Where is Oslo ?\n",
    "MRPC/msr_paraphrase_train.txt": "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
    '1\t1\t2\tHe said "yes .\tHe agreed .\n',
    "MRPC/msr_paraphrase_test.txt": "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
    "0\t1\t2\tIt rose .\tIt fell .\n",
    "SICK/SICK_train.txt": "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment\n"
    "1\tA man runs\tA man walks\t3.5\tNEUTRAL\n",
    "SICK/SICK_trial.txt": "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment\n"
    "2\tA dog\tNo dog\t2.1\tCONTRADICTION\n",
    "SICK/SICK_test_annotated.txt": "pair_ID\tsentence_A\tsentence_B\tscore\tentailment\n"
    "3\tA cat\tAn animal\t4.8\tENTAILMENT\n",
    "STS/STSBenchmark/sts-train.csv": "main\tx\t2012\t1\t5.000\tA plane .\tAn air plane .\n",
    "STS/STSBenchmark/sts-dev.csv": "main\tx\t2012\t1\t0.500\tA .\tB .\textra\n",
    "STS/STSBenchmark/sts-test.csv": "main\tx\t2012\t1\t2\tC .\tD .\n",
    "SciCite/train.txt": '{"text": "We used BERT.", "label": "method"}\n',
    "SciCite/dev.txt": '{"string": "As shown before.", "label": "background"}\n',
    "SciCite/test.txt": '{"text": "Like theirs.", "label": "result"}\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / "downstream" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def test_every_task_is_read_from_its_files(folder: Path) -> None:
    tasks = {task.name: task for task in open_tasks(folder)}
    assert tuple(tasks) == TASKS
    assert tasks["MR"].train == Part(
        ("a warm , funny film .", "it soars .", "dull ."), (), ("1", "1", "0")
    )
    assert tasks["SUBJ"].train.labels == ("1", "0")
    assert tasks["SST2"].train == Part(("a gem", "3 bad acts"), (), ("1", "0"))
    assert tasks["SST5"].test == Part(("nice enough",), (), ("3",))
    assert tasks["TREC"].train.first == ("How did serfdom develop ?", "When ?")
    assert tasks["TREC"].test == Part(("Where is Oslo ?",), (), ("LOC",))
    assert tasks["MRPC"].train == Part(('He said "yes .',), ("He agreed .",), ("1",))
    assert tasks["SICK-E"].dev == Part(("A dog",), ("No dog",), ("CONTRADICTION",))
    assert (tasks["SICK-R"].levels, tasks["SICK-R"].train.labels) == ((1, 5), ("3.5",))
    assert (tasks["STS-B"].levels, tasks["STS-B"].test.labels) == ((0, 5), ("2",))
    assert tasks["SciCite"].dev == Part(("As shown before.",), (), ("background",))
    assert [task.test is None for task in tasks.values()] == [True] * 4 + [False] * 8
    assert tasks["STS-B"].sentences() == ["A plane .", "An air plane .", "A .", "B .", "C .", "D ."]
    assert [task.name for task in open_tasks(folder, ["trec", "CR"])] == ["CR", "TREC"]


def test_files_may_be_gzipped_in_latin_1_or_without_a_test_part(folder: Path) -> None:
    place = folder / "downstream"
    (place / "MR" / "rt-polarity.neg").write_bytes(
        "a clich\xe9\r\nd\xe9j\xe0 vu\r\n".encode("latin-1")
    )
    trial = place / "SICK" / "SICK_trial.txt"
    with gzip.open(f"{trial}.gz", "wt") as file:
        file.write(trial.read_text())
    trial.unlink()
    (place / "SICK" / "SICK_test_annotated.txt").unlink()
    review, entailment = open_tasks(folder, ["MR", "SICK-E"])
    assert review.train.first[2:] == ("a clich\xe9", "d\xe9j\xe0 vu")
    assert entailment.dev is None
    assert entailment.test == Part(("A dog",), ("No dog",), ("CONTRADICTION",))
    assert "SICK_test_annotated.txt is not there: tested on SICK_trial.txt" in entailment.note


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("TREC/TREC_10.label", "PLACE:city Where ?\n", r"10\.label, line 1: the label 'PLACE' is"),
        ("MRPC/msr_paraphrase_test.txt", "head\n1\t2\t3\tA .\n", "line 2: not enough values"),
        ("SICK/SICK_trial.txt", "head\n1\tA\tB\n", "line 2: it has too few columns"),
        ("STS/STSBenchmark/sts-dev.csv", "m\tx\ty\t1\t7\tA\tB\n", "'7' is no number from 0 to 5"),
        ("SST/fine/sentiment-dev", "9 what\n", "line 1: the label '9' is none of"),
        ("SciCite/test.txt", "[1]\n", "line 1: no text and label"),
        ("CR/custrev.pos", "\n\n", r"custrev\.pos has no examples"),
    ],
)
def test_a_malformed_line_is_named(folder: Path, file: str, text: str, reason: str) -> None:
    (folder / "downstream" / file).write_text(text)
    with pytest.raises(DataError, match=reason):
        open_tasks(folder)


def test_folders_and_names_that_are_none(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no folder"):
        open_tasks(tmp_path / "absent")
    with pytest.raises(UnknownNameError, match="no task 'SNLI': choose from MR, CR"):
        open_tasks(folder, ["SNLI"])
    (folder / "downstream" / "CR" / "custrev.neg").unlink()
    with pytest.raises(DataError, match=r"have no CR: put custrev\.pos, custrev\.neg there"):
        open_tasks(folder, ["CR"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="has the files of none of MR"):
        open_tasks(tmp_path / "empty")


def separable(count: int = 60, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    labels = np.array(["no", "yes"])[rng.integers(0, 2, count)]
    features = rng.normal(size=(count, 3)) * [1, 100, 0.01]
    features[:, 2] += np.where(labels == "yes", 0.04, 0)
    return features, labels


def test_a_classifier_finds_what_separates_at_any_scale() -> None:
    (train, test) = separable(), separable(seed=1)
    for dev in (None, separable(seed=2)):
        assert np.mean(predict(Classes(), train, test[0], dev) == test[1]) > 0.9
    scaled = predict(Classes(), (train[0] * 1e3, train[1]), test[0] * 1e3)
    assert scaled.tolist() == predict(Classes(), train, test[0]).tolist()


def test_no_example_is_predicted_by_what_has_learned_it() -> None:
    features, labels = separable()
    noise = np.random.default_rng(9).permutation(labels)
    # With more dimensions than examples any labels can be learned, but none foretold.
    wide = np.random.default_rng(8).normal(size=(60, 90))
    assert np.mean(predict(Classes(), (wide, noise), wide, (wide, noise)) == noise) == 1
    assert np.mean(predict_folds(Classes(), (wide, noise), 5) == noise) < 0.75
    predicted = predict_folds(Classes(), (features, labels), 5)
    assert np.mean(predicted == labels) > 0.9
    assert predicted.tolist() == predict_folds(Classes(), (features, labels), 5).tolist()


def test_scores_are_the_expected_level() -> None:
    kind = Levels(1, 5)
    features, levels, weights = kind.targets(np.arange(4.0)[:, None], np.array([1, 2.25, 5, 4.5]))
    rows = sorted(zip(features[:, 0].tolist(), levels.tolist(), weights.tolist(), strict=True))
    assert rows == [(0, 1, 1), (1, 2, 0.75), (1, 3, 0.25), (2, 5, 1), (3, 4, 0.5), (3, 5, 0.5)]
    rng = np.random.default_rng(1)
    points = rng.uniform(1, 5, (200, 1))
    predicted = predict(kind, (points[:150], points[:150, 0]), points[150:])
    assert pearsonr(predicted, points[150:, 0]).statistic > 0.95
    assert ((predicted >= 1) & (predicted <= 5)).all()
    assert kind.quality(np.ones(3), np.arange(3)) == -1


def sentences(count: int, seed: int = 0) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, 4, replace=False)) for _ in range(count)]


def toy_task(name: str = "CR") -> ClassificationTask:
    texts = sentences(60)
    labels = tuple("1" if "cats" in text.split() else "0" for text in texts)
    return ClassificationTask(name, Part(tuple(texts), (), labels))


def pair_task(name: str, levels: tuple[int, int] | None = None) -> ClassificationTask:
    parts = []
    for seed in (1, 2):
        first, second = sentences(80, seed), sentences(80, seed + 10)
        shared = [len({*a.split()} & {*b.split()}) for a, b in zip(first, second, strict=True)]
        labels = [str(n) if levels else "01"[n > 1] for n in shared]
        parts.append(Part(tuple(first), tuple(second), tuple(labels)))
    return ClassificationTask(name, parts[0], None, parts[1], levels)


def table(name: str, seed: int, noise: float) -> WordVectors:
    rng = np.random.default_rng(seed)
    vectors = np.eye(len(WORDS)) + noise * rng.normal(size=(len(WORDS), len(WORDS)))
    return WordVectors.from_arrays(list(WORDS), vectors, name=name)


def test_figures_of_tasks_of_one_text_of_pairs_and_of_scores() -> None:
    tasks = [toy_task(), pair_task("MRPC"), pair_task("STS-B", (0, 5))]
    good = Spec("bow", {"vectors": table("good", 0, 0.1), "normalize": "none"})
    bad = Spec("letters", model=lambda texts: np.ones((len(texts), 2)))
    task = Downstream(tasks, [good, bad], folds=3)
    clear, blind = run(task, workspace=NOWHERE).rows
    assert clear.figures["CR"].value == 100
    assert clear.figures["MRPC"].value > 85
    assert clear.figures["MRPC F1"].value > 85
    assert clear.figures["STS-B"].value > 80
    assert clear.figures["STS-B"].n == 80
    counts = np.unique(tasks[0].train.labels, return_counts=True)[1]
    assert blind.figures["CR"].value == pytest.approx(100 * counts.max() / 60)
    assert blind.figures["STS-B"].note == "all predictions are equal"
    with pytest.raises(InputError, match="verbnet-cn has no sentence vectors"):
        run(Downstream(tasks, [Spec("verbnet-cn")], folds=3), workspace=NOWHERE)
    with pytest.raises(DataError, match=r"CR has \d+ examples of the label '1', too few for 20"):
        Downstream(tasks, [good], folds=20)


def test_what_foretells_the_tasks_over_models() -> None:
    texts = sentences(12, 5)
    pairs = tuple(SentencePair(texts[i], texts[i + 6], i / 5) for i in range(6))
    rated = Dataset("rated", pairs, {"all": tuple(range(6))}, "made by the test")
    positives = Positives("toy", "sentence", tuple(texts), ((0, 1), (1, 0), (2, 3)))
    specs = [
        Spec("bow", {"vectors": table(f"noise {noise}", 3, noise), "normalize": "none"})
        for noise in (0.1, 0.8, 3.0)
    ]
    specs.append(Spec("letters", model=vectors_of_letters))
    task = Downstream([pair_task("MRPC")], specs, folds=3, positives=positives, ratings=[rated])
    results = run(task, workspace=NOWHERE)
    values = {
        name: [row.figures[name].value for row in results.rows]
        for name in ("MRPC", "MRR", "Hits@1", "rated")
    }
    result = results.details["downstream"]
    assert result["MRPC"]["MRR"] == {
        "spearman": pytest.approx(spearmanr(values["MRR"], values["MRPC"]).statistic),
        "n": 4,
    }
    assert result["MRPC"]["set:rated"]["spearman"] == pytest.approx(
        spearmanr(values["rated"], values["MRPC"]).statistic
    )
    assert results.summary[0].startswith("MRPC, Spearman over models: MRR ")
    page = task.report(results)
    assert "<h2>What foretells the tasks?</h2>" in page
    assert "<h2>Do the evaluations put the models in one order?</h2>" in page
    assert "bow noise 0.8, rated" in page


def test_words_are_normalised_before_their_mean_is_taken() -> None:
    words = table("words", 1, 0.5)
    plain, white = (bag_vectors(words, ["cats dogs", "zebra"], n) for n in ("none", "whitening"))
    matrix = words.take(np.arange(2)).astype(float)
    assert plain[0] == pytest.approx(matrix.mean(axis=0))
    moved = bag_vectors(words, ["cats", "dogs"], "whitening")
    assert white[0] == pytest.approx(moved.mean(axis=0))
    assert not plain[1].any()
    assert not white[1].any()


def test_the_command_compares_tables_of_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    task = toy_task().train
    for label, name in (("1", "custrev.pos"), ("0", "custrev.neg")):
        lines = [t for t, own in zip(task.first, task.labels, strict=True) if own == label]
        (data / name).write_text("\n".join(lines))
    place = tmp_path / "word_evalrank"
    place.mkdir()
    (place / "pos_pair.txt").write_text("cats\tdogs\ndogs\tcats\nmice\tbirds\n")
    (tmp_path / "rated.txt").write_text("cats dogs 9\ncats park 2\nmice house 1\n")
    for seed in range(3):
        noisy, lines = table("", seed, seed + 0.1), []
        for word, row in zip(WORDS, noisy.take(np.arange(len(WORDS))).tolist(), strict=True):
            lines.append(" ".join([word, *(f"{value:.4f}" for value in row)]))
        (tmp_path / f"table{seed}.txt").write_text("\n".join(lines))
    tables = ",".join(str(tmp_path / f"table{seed}.txt") for seed in range(3))
    command = ["bench", "downstream", f"--data={data}", "--level=word", f"--vectors={tables}"]
    command += ["--folds=3", f"--words={tmp_path / 'rated.txt'}", f"--evalrank={tmp_path}"]
    out = tmp_path / "out.json"
    (place / "basic_vocab.txt").write_text("\n".join(WORDS))
    (place / "wiki_vocab.txt").write_text("\n".join(WORDS))
    assert main([*command, f"--json={out}"]) == 0
    assert "CR, Spearman over models: MRR" in capsys.readouterr().out
    values = json.loads(out.read_text())
    assert next(row["CR"] for row in values["rows"]) == 100
    assert set(values["downstream"]["CR"]) == {"MRR", "Hits@1", "Hits@3", "set:rated"}
    assert main([*command[:3], "--words=x"]) == 2
    assert "give level=word" in capsys.readouterr().err


def test_options_that_cannot_be(folder: Path) -> None:
    with pytest.raises(UnknownNameError, match="level='text' is not known"):
        downstream(folder, level="text")
    with pytest.raises(InputError, match="folds=1 are too few"):
        downstream(folder, folds=1)


def test_sick_is_learned_from_real_sentences(data_dir: Path) -> None:
    (task,) = open_tasks(data_dir, ["SICK-E"])
    assert (len(task.train), len(task.test or ())) == (4500, 500)
    assert "tested on SICK_trial.txt" in task.note
