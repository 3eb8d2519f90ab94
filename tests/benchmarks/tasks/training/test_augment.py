"""The augmentation study, with a model that the test makes."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tiny_models import sentence_transformer

from compsim.benchmarks.datasets import Dataset, SentencePair
from compsim.benchmarks.datasets.sts.sr import open_sr
from compsim.benchmarks.rewriting.perturbation import shuffled_words
from compsim.benchmarks.task import run
from compsim.benchmarks.tasks.training.augment import (
    BEFORE,
    EXCHANGED,
    MORE,
    PLAIN,
    SHUFFLED,
    Augment,
    augment,
    generated_pairs,
)
from compsim.benchmarks.workspace import Workspace
from compsim.errors import InputError

pytest.importorskip("lemminflect")
pytest.importorskip("accelerate")
pytest.importorskip("datasets")
pytest.importorskip("sentence_transformers")

NAMES = ("cats", "dogs", "mice", "birds")
SENTENCES = [f"The {a} chase the {b}." for a in NAMES for b in NAMES if a != b]
HEAD = "sentence1,relation,relationscore,structure,structurescore"


@pytest.fixture(scope="module")
def model() -> Path:
    return sentence_transformer("bert")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> tuple[Dataset, Dataset, Dataset]:
    """SR, pairs to train on and pairs held out; one of those to train on stands in SR."""
    folder = tmp_path_factory.mktemp("sr")
    rows = [
        f"{text},{text[::-1]},{i % 3},It is that {text},{3 + i % 3}"
        for i, text in enumerate(SENTENCES[:4])
    ]
    (folder / "stsb.csv").write_text("\n".join([HEAD, *rows]))
    pairs = [SentencePair(a, b, i % 5 / 4) for i, (a, b) in enumerate(pairwise(SENTENCES))]
    held = Dataset("held", tuple(pairs[6:]), {"all": ()}, "the test")
    train = Dataset("train", tuple(pairs[3:6]), {"all": ()}, "the test")
    return open_sr(folder), train, held


def study(data: tuple[Dataset, Dataset, Dataset], model: Path, **more: object) -> Augment:
    sr, _, held = data
    train = Dataset("train", (SentencePair("Cats.", "Dogs.", 0.2), *data[1].pairs), {}, "the test")
    own = ["The nurse called the driver.", "The dog bit the postman.", "It rains."]
    return Augment(sr, train, held, own, str(model), epochs=1, **more)  # type: ignore[arg-type]


def test_three_models_are_judged(
    data: tuple[Dataset, Dataset, Dataset], model: Path, tmp_path: Path
) -> None:
    task = study(data, model, save=tmp_path / "models")
    # Two sentences can be rewritten, each into two pairs; what stands in SR is not trained on.
    assert [round(pair.rating * 5) for pair in task.made] == [1, 5, 1, 5]
    assert task.rated == [SentencePair("Cats.", "Dogs.", 0.2), data[1].pairs[1]]
    steps: list[int] = []
    results = run(
        task,
        workspace=Workspace(tmp_path / "kept"),
        advance=lambda name, count: steps.append(count),
    )
    assert [row.of["model"] for row in results.rows] == [BEFORE, PLAIN, MORE]
    assert sum(steps) == 3 * task.steps
    for row in results.rows:
        assert row.status == "ok", row.reason
        assert row.figures["stsb relation"].value is not None
        assert row.figures["held"].n == 5
        assert row.figures["mean relation"].value == row.figures["stsb relation"].value
    assert results.rows[2].details["generated pairs"] == 4
    assert sorted(folder.name for folder in (tmp_path / "models").iterdir()) == [
        "generated",
        "plain",
    ]
    assert "4 generated ones" in results.to_markdown()


def test_models_are_trained_on_perturbed_pairs(
    data: tuple[Dataset, Dataset, Dataset], model: Path, tmp_path: Path
) -> None:
    read: list[int] = []
    task = study(data, model, perturb=True, save=tmp_path / "models", advance=read.append)
    assert list(task.trained_on) == [BEFORE, PLAIN, MORE, SHUFFLED, EXCHANGED]
    for name in (SHUFFLED, EXCHANGED):
        for pair, other in zip(task.rated, task.trained_on[name], strict=True):
            assert (pair.first, pair.rating) == (other.first, other.rating)
            words = [one.second.lower().strip(".").split() for one in (pair, other)]
            assert set(words[0]) <= set(words[1])  # a cleft has some more
            assert name == EXCHANGED or sorted(words[0]) == sorted(words[1])
    # "Dogs." has no roles to exchange.
    exchanged = task.trained_on[EXCHANGED]
    assert exchanged[0] == task.rated[0]
    assert exchanged[1].second != task.rated[1].second
    # The sentences to rewrite, and the second sentences of the pairs.
    assert sum(read) == 3 + 2
    results = run(task, workspace=Workspace(tmp_path / "kept"))
    assert [row.status for row in results.rows] == ["ok"] * 5
    assert f"{EXCHANGED}: in 1 of 2 pairs" in results.to_markdown()
    folders = ["exchanged", "generated", "plain", "shuffled"]
    assert sorted(folder.name for folder in (tmp_path / "models").iterdir()) == folders


def test_perturbed_pairs_alone(
    data: tuple[Dataset, Dataset, Dataset], model: Path, tmp_path: Path
) -> None:
    task = study(data, model, perturb=True, generated=0)
    assert list(task.trained_on) == [BEFORE, PLAIN, SHUFFLED, EXCHANGED]
    rated = {"train": "A.,B.,1\nC.,D.,2\nT.,U.,0", "held": "E.,F.,0\nG.,H.,1\nI.,J.,2"}
    for name, pairs in rated.items():
        (tmp_path / f"{name}.csv").write_text(f"sentence1,sentence2,score\n{pairs}\n")
    (tmp_path / "stsb.csv").write_text(f"{HEAD}\n" + "K,L,1,M,2\nN,O,2,P,4\nQ,R,0,S,5\n")
    files = [f"csv:{tmp_path / name}.csv" for name in ("train", "held")]
    whole = augment(tmp_path, *files, datasets="stsb", base=str(model), generate=False)
    assert list(whole.trained_on) == [BEFORE, PLAIN]  # type: ignore[attr-defined]
    assert (task.made, task.steps) == ([], 1)
    assert "trained on 2 rated pairs, 1 epochs" in task.results([]).to_markdown()


def test_words_are_shuffled_by_seed_and_sentence() -> None:
    text = "The dog bit the postman in the garden."
    assert shuffled_words(text) == shuffled_words(text)
    assert len({shuffled_words(text, seed) for seed in range(5)}) > 1
    assert sorted(shuffled_words(text)[:-1].split()) == sorted(text[:-1].split())
    assert shuffled_words(text).endswith(".")
    assert [shuffled_words(one) for one in ("", "Go!", " ... ")] == ["", "Go!", "..."]


def test_what_was_measured_is_kept(
    data: tuple[Dataset, Dataset, Dataset], model: Path, tmp_path: Path
) -> None:
    workspace = Workspace(tmp_path / "kept")
    first = run(study(data, model), workspace=workspace).rows
    assert list((tmp_path / "kept" / "scores").iterdir())
    again = run(study(data, model), workspace=workspace).rows
    assert [row.figures for row in again] == [row.figures for row in first]


def test_bad_input(data: tuple[Dataset, Dataset, Dataset], model: Path, tmp_path: Path) -> None:
    sr, _, held = data
    with pytest.raises(InputError, match="all its pairs are judged on"):
        Augment(sr, held, held, ["The dog bit the man."])
    for bad in ({"generated": -1}, {"rated": 0}):
        with pytest.raises(InputError, match="there is nothing to train on: give 1 or more"):
            study(data, model, **bad)
    with pytest.raises(InputError, match="no sentence can be rewritten"):
        Augment(sr, Dataset("t", (SentencePair("A.", "B.", 1),), {}, ""), held, ["It rains."])
    files = tmp_path / "mine.csv"
    files.write_text("sentence1,sentence2,score\nA.,B.,1\nC.,D.,2\nE.,F.,0\n")
    (tmp_path / "stsb.csv").write_text(f"{HEAD}\n" + "A,B,1,C,2\n" * 3)
    with pytest.raises(InputError, match="exists already"):
        augment(tmp_path, f"csv:{files}", f"csv:{files}", datasets="stsb", save=tmp_path)


def test_no_more_sentences_are_rewritten_than_are_asked_for() -> None:
    names = [f"{first}{last}" for first in "ABCDEFGHIJKLMNOPQRST" for last in ("nna", "dam")]
    texts = [f"{a} called {b}." for a in names for b in names if a != b]
    read: list[int] = []
    made = generated_pairs(texts, 5, advance=read.append)
    assert len(made) == 10
    assert sum(read) < len(texts) == 1560
    assert made == generated_pairs(texts[: sum(read)], 5)
