"""Methods of pairs and of graphs, which have no vectors, in every table that scores sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rating_server import rating
from scipy.stats import spearmanr
from toys import toy_options

from compsim.benchmarks.task import Task, run
from compsim.benchmarks.tasks import open_task
from compsim.benchmarks.workspace import Workspace

METHODS = ("llm-rating", "cross-encoder", "amr-s2match")
RATED = [
    ("The dog bit the man.", "The man was bitten by the dog.", 5.0),
    ("The dog bit the man.", "The man bit the dog.", 2.0),
    ("It rained.", "Prices fell.", 0.0),
    ("A cat sleeps.", "The cat is asleep.", 4.0),
]
SR = "sentence1,relation,relationscore,structure,structurescore\n" + "".join(
    f"The {a} bit the {b}.,The {b} bit the {a}.,{i},The {b} was bitten by the {a}.,{5 - i}\n"
    for i, (a, b) in enumerate([("dog", "man"), ("wolf", "child"), ("cat", "nurse")])
)
ANALOGIES = "".join(
    f"The {a} bit the {b}.\tThe {b} was bitten by the {a}.\tThe {b} was not bitten by the {a}.\t"
    f"The {b} bitten {a}.\tThe [MASK] was bitten.\tThe {b} {a}.\tby the {a} was bitten the {b}.\n"
    for a, b in [("dog", "man"), ("wolf", "child"), ("cat", "nurse")]
)
WORDS = "class,word,synonym\nint,red,scarlet\npri,fake,false\nsub,rare,scarce\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a few rows in the format of each set."""
    folder = tmp_path_factory.mktemp("every")
    for part in ("sr", "beir/qrels", "analogies"):
        (folder / part).mkdir(parents=True)
    rated = "".join(f"{a}\t{b}\t{score}\n" for a, b, score in RATED)
    (folder / "rated.tsv").write_text("sentence1\tsentence2\tscore\n" + rated)
    (folder / "sr" / "stsb.csv").write_text(SR)
    (folder / "words.csv").write_text(WORDS)
    (folder / "analogies" / "rel-passivization.tsv").write_text(ANALOGIES)
    passive, exchanged = RATED[0][1], RATED[1][1]
    triple = {"caption": RATED[0][0], "caption2": passive, "negative_caption": exchanged}
    (folder / "swap_obj.json").write_text(json.dumps([triple, triple]))
    contrast = f"passive\t{RATED[0][0]}\t{passive}\t{exchanged}\n"
    (folder / "contrasts.tsv").write_text("phenomenon\tsentence\tsame\tother\n" + contrast)
    captions = {"0": {"caption": passive, "negative_caption": exchanged}}
    (folder / "swap_att.json").write_text(json.dumps(captions))
    texts = [passive, exchanged, "It rained."]
    for name, key in (("corpus", "d"), ("queries", "q")):
        entries = [{"_id": f"{key}{i}", "text": text} for i, text in enumerate(texts)]
        lines = "".join(json.dumps(entry) + "\n" for entry in entries)
        (folder / "beir" / f"{name}.jsonl").write_text(lines)
    judged = "".join(f"q{i}\td{i}\t1\n" for i in range(3))
    (folder / "beir" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged)
    return folder


TABLES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "sts": lambda files: {"datasets": f"{files}/rated.tsv"},
    "triples": lambda files: {"files": [files / "swap_obj.json"]},
    "pairs": lambda files: {"files": [files / "swap_obj.json"]},
    "contrasts": lambda files: {"files": files / "contrasts.tsv"},
    "sr": lambda files: {"data": files / "sr"},
    "sugarcrepe": lambda files: {
        "files": [files / "swap_att.json"],
        "reference": f"{files}/rated.tsv",
    },
    "modifiers": lambda files: {"words": files / "words.csv", "nouns": "dog,law"},
    "analogies": lambda files: {"data": files / "analogies"},
    "evalrank": lambda files: {"build": f"{files}/rated.tsv", "level": "sentence"},
    "rerank": lambda files: {"files": files / "beir", "first": "bm25@3"},
}


def tables_of(name: str, files: Path, method: str) -> list[Task]:
    given = TABLES[name](files)
    options = ",".join(f"{key}={value}" for key, value in toy_options(method).items() if value)
    spec = method if method == "amr-s2match" or not options else f"{method}:{options}"
    first = [given.pop("files")] if "files" in given else []
    made = open_task(name)(*first, methods=spec, **given)
    return made if isinstance(made, list) else [made]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_a_row_of_each(name: str, method: str, files: Path, tmp_path: Path) -> None:
    for task in tables_of(name, files, method):
        rows = run(task, workspace=Workspace(tmp_path)).rows
        assert rows
        for row in rows:
            assert row.status == "ok", row.reason
            assert any(figure.value is not None for figure in row.figures.values())


def test_a_figure_is_of_the_ratings_that_were_answered(files: Path, tmp_path: Path) -> None:
    (task,) = tables_of("sts", files, "llm-rating")
    row = run(task, workspace=Workspace(tmp_path)).rows[0]
    answered = [rating(a, b) + rating(b, a) for a, b, _ in RATED]
    expected = spearmanr(answered, [score for *_, score in RATED]).statistic
    assert row.figures["all"].value == pytest.approx(expected)
