"""The printed figures, and correlations of the authors' own scores."""

from __future__ import annotations

import csv
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from compsim.benchmarks import Spec, evaluate
from compsim.benchmarks import published as module
from compsim.benchmarks.datasets import Dataset, SentencePair, open_dataset, open_sts3k
from compsim.benchmarks.datasets.sts.scores import read_scores
from compsim.benchmarks.published import figures, published

FOLDER = Path("Data-model", "Sentence Similarities")
PAIRS = tuple(SentencePair(f"Cats chase {n} mice.", "Dogs help.", n / 10) for n in range(4))


def test_every_printed_figure_is_there() -> None:
    found = figures()
    per_table = {name: [f for f in found if f.table == name] for name in ("Table 9", "Table 11")}
    # 16 rows of 8 columns, less the dashes.
    dashes = {"AMR-SMATCH": 1, "AMR-WWLK": 1, "AMR-CN": 2, "VerbNet-CN": 4}
    assert len(per_table["Table 9"]) == 16 * 8 - sum(dashes.values())
    for row, count in dashes.items():
        assert len([f for f in per_table["Table 9"] if f.row == row]) == 8 - count
    assert len(per_table["Table 11"]) == 6
    assert all(-1 < f.value < 1 and round(f.value, 3) == f.value for f in found)
    tables = tomllib.loads(Path(module.__file__).with_name("published.toml").read_text())
    assert tables["doi"] == "10.1162/coli_a_00536"


@pytest.mark.parametrize(
    ("method", "normalize", "expected"),
    [
        ("verbnet-cn", "fixed", {"all": 0.672, "non": 0.652, "adv": 0.647}),
        ("verbnet-cn", "matched", {}),
        ("verbnet-cn", "", {}),
        ("mean-cn", "", {"all": 0.368, "non": 0.800, "adv": -0.291}),
        ("mean-cn", "none", {"all": 0.368, "non": 0.800, "adv": -0.291}),
        ("mean-cn", "zscore", {}),
        ("openai", "zscore", {"all": 0.598, "non": 0.890, "adv": 0.184}),
        ("openai", "", {}),
        ("ernie-0", "zscore", {"all": 0.423, "non": 0.799, "adv": -0.206}),
        ("amr-cn", "", {"all": 0.602, "non": 0.631, "adv": 0.608}),
        ("sbert", "zscore", {}),
        ("nothing", "", {}),
    ],
)
def test_published_knows_methods_as_printed(
    method: str, normalize: str, expected: dict[str, float]
) -> None:
    assert published("STS3k", method, normalize) == expected
    assert published("SICK", method, normalize) == {}


def test_all_sixteen_rows_have_a_method() -> None:
    rows = tomllib.loads(Path(module.__file__).with_name("published.toml").read_text())
    assert {known["row"] for known in rows["methods"].values()} == set(rows["tables"][0]["rows"])


def test_an_evaluation_shows_them() -> None:
    data = Dataset("STS3k", PAIRS, {"all": (0, 1, 2, 3)}, "made by the test")
    scores = Spec("amr-cn", scores=[0.1, 0.2, 0.5, 0.3])
    results = evaluate(data, [scores])
    assert results.rows[0].published == {"all": 0.602, "non": 0.631, "adv": 0.608}


def test_datasets_that_are_read_whole_have_their_column() -> None:
    assert published("STSb_captions_test", "mpnet", "zscore") == {"all": 0.929}
    assert published("STSS-131", "amr-cn", "") == {"all": 0.434}
    assert published("STR-2022", "amr-cn", "") == published("STSb", "amr-cn", "") == {}


# From here on, the real data.


@pytest.fixture(scope="module")
def folder(data_dir: Path) -> Path:
    found = data_dir / "compositional-semantics-eval"
    if not (found / FOLDER).is_dir():
        pytest.skip(f"{data_dir} has no {found.name}/{FOLDER}")
    return found


def test_the_table_of_the_authors_scores_is_what_scipy_says(folder: Path) -> None:
    data = open_sts3k(folder)
    files = sorted((folder / FOLDER).glob("STS3k_all_*_similarities.txt"))
    results = evaluate(data, [Spec(name, scores=values) for name, values in read_scores(files)])

    # The same from the files alone, without compsim.
    with (folder / "Data-experiment" / "STS3k_all.txt").open(newline="") as lines:
        ratings = np.array([float(row[2]) for row in csv.reader(lines, delimiter=";")])
    rows = {"all": np.arange(len(ratings))}
    for part, name in (("non", "non_adv"), ("adv", "adv_noneg")):
        path = folder / "Data-experiment" / f"STS3k_{name}_indices.txt"
        rows[part] = np.loadtxt(path, dtype=int)
    assert len(files) == len(results.rows) == 46
    for row, file in zip(results.rows, files, strict=True):
        values = np.loadtxt(file)
        for part, index in rows.items():
            found, pair = row.details["parts"][part], (values[index], ratings[index])
            assert row.figures[part].value == found["spearman"]
            assert found["spearman"] == pytest.approx(stats.spearmanr(*pair)[0], abs=1e-9)
            assert found["pearson"] == pytest.approx(stats.pearsonr(*pair)[0], abs=1e-9)
            assert found["kendall"] == pytest.approx(stats.kendalltau(*pair)[0], abs=1e-9)
            assert not math.isnan(found["spearman"] or math.nan)


def test_the_captions_are_whole_so_the_printed_figures_come_back(folder: Path) -> None:
    """All pairs of STSb-captions are at hand, and with them every model's printed figure."""
    path = folder / "Data-experiment" / "STSb_captions_test.txt"
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    data = open_dataset(path)
    ratings = [pair.rating for pair in data.pairs]
    of = {
        **{"mean-cn": "mean", "mult-cn": "mult", "conv-cn": "conv", "infersent": "infersent"},
        **{"use": "universal_norml", "ernie-12": "ernie_12_norml", "openai": "openai_norml"},
        **{"mpnet": "sentbert_mpnet_norml", "defsent": "defsent_cls_norml", "amr-cn": "AMR"},
        **{"amr-smatch": "smatch", "amr-wwlk": "WLK_Wasser", "amrbart": "amrbart_norml"},
        **{"s3bert": "S3BERT_norml", "verbnet-cn": "verbnet_fixedparms_basic"},
        # Published without normalisation for these pairs, and printed so.
        "ernie-0": "ernie_0",
    }
    methods = tomllib.loads(Path(module.__file__).with_name("published.toml").read_text())[
        "methods"
    ]
    assert set(of) == set(methods) - {"ernie"}
    for method, model in of.items():
        scores = np.loadtxt(folder / FOLDER / f"STSb_captions_test_{model}_similarities.txt")
        printed = published(data.name, method, methods[method]["normalize"])["all"]
        # Mult-CN comes to .2595 and is printed as .260.
        assert stats.spearmanr(scores, ratings)[0] == pytest.approx(printed, abs=0.0011), method
