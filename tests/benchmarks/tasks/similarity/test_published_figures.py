"""The printed figures, and correlations of the authors' own scores."""

from __future__ import annotations

import csv
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from tiny_models import transformer

from compsim.benchmarks import Spec, evaluate
from compsim.benchmarks import published as module
from compsim.benchmarks.datasets import Dataset, SentencePair, open_dataset, open_sts3k
from compsim.benchmarks.datasets.sts.scores import read_scores
from compsim.benchmarks.published import (
    Ran,
    figures,
    published,
    published_rows,
    published_source,
)
from compsim.benchmarks.report.figures import beside_published
from compsim.benchmarks.task import names_of, run
from compsim.benchmarks.tasks.similarity.sts import specs_of, sts
from compsim.benchmarks.workspace import Workspace
from compsim.errors import InputError
from compsim.registry import options

FILES = ("STSb_captions_test.txt", "GS2011_processed.csv", "Fodor_pilot_2022.txt")
FOLDER = Path("Data-model", "Sentence Similarities")
PAIRS = tuple(SentencePair(f"Cats chase {n} mice.", "Dogs help.", n / 10) for n in range(4))


def test_every_printed_figure_is_there() -> None:
    result = figures()
    per_table = {name: [f for f in result if f.table == name] for name in ("Table 9", "Table 11")}
    # 16 rows of 8 columns, less the dashes.
    dashes = {"AMR-SMATCH": 1, "AMR-WWLK": 1, "AMR-CN": 2, "VerbNet-CN": 4}
    assert len(per_table["Table 9"]) == 16 * 8 - sum(dashes.values())
    for row, count in dashes.items():
        assert len([f for f in per_table["Table 9"] if f.row == row]) == 8 - count
    assert len(per_table["Table 11"]) == 6
    assert all(-1 < f.value < 1 and round(f.value, 3) == f.value for f in result)
    tables = tomllib.loads(Path(module.__file__).with_name("published.toml").read_text())
    assert tables["doi"] == "10.1162/coli_a_00536"


PAPER = {"weights": "paper", "normalize": "fixed"}
HUB = "sentence-transformers/all-mpnet-base-v2"
TABLE_9 = {"all": 0.672, "non": 0.652, "adv": 0.647}


@pytest.mark.parametrize(
    ("ran", "expected"),
    [
        (Ran("verbnet-cn", "fixed", PAPER, "hand-fixed", "numberbatch"), TABLE_9),
        (
            Ran("verbnet-cn", "fixed", PAPER, "gpt4", "numberbatch"),
            {"all": 0.673, "non": 0.685, "adv": 0.627},
        ),
        (Ran("verbnet-cn", "fixed", PAPER, "semparse", "numberbatch"), {}),
        (Ran("verbnet-cn", "fixed", PAPER, "", "numberbatch"), {}),
        (Ran("verbnet-cn", "fixed", PAPER, "hand-fixed", "builtin"), {}),
        (Ran("verbnet-cn", "fixed", {}, "hand-fixed", "numberbatch"), {}),
        (Ran("verbnet-cn", "matched", {"weights": "paper"}, "hand-fixed", "numberbatch"), {}),
        (
            Ran("mean-cn", "none", {"vectors": "x"}, "", "numberbatch-en"),
            {"all": 0.368, "non": 0.800, "adv": -0.291},
        ),
        (Ran("mean-cn", "", {}, "", "builtin"), {}),
        (Ran("mean-cn", "zscore", {}, "", "numberbatch"), {}),
        (
            Ran("openai", "zscore", {"model": "text-embedding-ada-002"}),
            {"all": 0.598, "non": 0.890, "adv": 0.184},
        ),
        (Ran("openai", "zscore"), {}),
        (Ran("ernie", "zscore", {"layer": 0}), {"all": 0.423, "non": 0.799, "adv": -0.206}),
        (Ran("ernie", "zscore", {"layer": 12}), {"all": 0.576, "non": 0.834, "adv": 0.227}),
        (Ran("ernie", "zscore"), {"all": 0.576, "non": 0.834, "adv": 0.227}),
        (Ran("ernie", "zscore", {"layer": 6}), {}),
        (Ran("ernie", "zscore", {"pooling": "cls"}), {}),
        (Ran("ernie", "zscore", {"model": "mine"}), {}),
        (Ran("mpnet", "zscore", {"device": "cpu"}), {"all": 0.580, "non": 0.866, "adv": 0.145}),
        (Ran("mpnet", "zscore", {"model": "mine"}), {}),
        (Ran("mpnet", "zscore", {"prompt": "query"}), {}),
        (Ran("sbert", "zscore", {"model": HUB}), {"all": 0.580, "non": 0.866, "adv": 0.145}),
        (Ran("sbert", "zscore"), {}),
        (
            Ran("amr-cn", "", {}, "spring", "numberbatch"),
            {"all": 0.602, "non": 0.631, "adv": 0.608},
        ),
        (Ran("amr-cn", "", {}, "", "numberbatch"), {}),
        (
            Ran("amr-smatch", "", {"published": True}, "spring"),
            {"all": 0.424, "non": 0.666, "adv": 0.029},
        ),
        (Ran("amr-smatch", "", {}, "spring"), {}),
        (Ran("nothing"), {}),
        (Ran(""), {}),
    ],
)
def test_figures_are_of_what_ran(ran: Ran, expected: dict[str, float]) -> None:
    assert published("STS3k", ran) == expected
    assert published("SICK", ran) == {}


@pytest.mark.parametrize(
    ("data", "pairs", "ran", "expected"),
    [
        ("STSb", 1379, Ran("sbert"), {"all": 0.8203}),
        ("STSb", 1379, Ran("sbert", "zscore"), {}),
        ("STSb", 1500, Ran("sbert"), {}),
        ("STSb", 1379, Ran("sbert", "", {"model": HUB}), {}),
        ("SICK", 9927, Ran("labse", "none"), {"all": 0.6999}),
        (
            "SemRel-2024",
            2600,
            Ran("transformer", "", {"model": "bert-base-uncased"}),
            {"all": 0.726},
        ),
        ("SemRel-2024", 2600, Ran("transformer"), {}),
        ("SemRel-2024", 250, Ran("transformer", "", {"model": "bert-base-uncased"}), {}),
    ],
)
def test_figures_of_public_data_are_of_their_split(
    data: str, pairs: int, ran: Ran, expected: dict[str, float]
) -> None:
    assert published(data, ran, pairs) == expected


def test_public_rows_are_of_methods_and_say_where_from() -> None:
    tables = tomllib.loads(Path(module.__file__).with_name("published.toml").read_text())
    for table in tables["public"]:
        data = table["data"], table["pairs"]
        rows = {row: {"all": value} for row, value in table["rows"].items()}
        assert rows == published_rows(*data)
        assert published_rows(table["data"]) == {}
        assert "https://" in published_source(*data)
        for entry in table["runs"]:
            assert entry["row"] in rows
            assert set(entry.get("options", {})) <= set(options(entry["method"]))


def test_a_table_shows_the_figure_of_its_split() -> None:
    pairs = tuple(SentencePair(f"Cats chase {n} mice.", f"Dogs help {n}.", n) for n in range(2600))
    data = Dataset("SemRel-2024", pairs, {"all": tuple(range(2600))}, "made by the test")
    specs = [Spec("mean-cn"), Spec("static", scores=[float(n) for n in range(2600)])]
    results = evaluate(data, specs)
    assert [row.published for row in results.rows] == [{}, {}]
    drawn = beside_published(results)
    assert "lexical overlap, all: 0.670" in drawn
    assert "Semantic_Relatedness_SemEval2024" in drawn
    assert "Theirs are over" not in drawn


def test_all_sixteen_rows_have_a_method() -> None:
    tables = tomllib.loads(Path(module.__file__).with_name("published.toml").read_text())
    rows = {entry["row"] for entry in tables["runs"] if "table" not in entry}
    assert rows == set(tables["tables"][0]["rows"])
    for entry in tables["runs"]:
        chosen = {name: values[-1] for name, values in entry.get("options", {}).items()}
        assert chosen.keys() <= set(options(entry["method"]))
        model = {"model": entry["models"][0]} if entry.get("named") else {}
        ran = Ran(
            entry["method"],
            entry.get("normalize", ""),
            {**chosen, **model},
            entry.get("roles", ""),
            entry.get("vectors", ""),
        )
        assert published("STS3k", ran)


def test_an_evaluation_shows_those_of_its_layer_and_roles(tmp_path: Path) -> None:
    data = Dataset("STS3k", PAIRS, {"all": (0, 1, 2, 3)}, "made by the test")
    specs = specs_of("ernie:layer=0,ernie:layer=2", "zscore", model=str(transformer("ernie")))
    specs += [Spec("amr-cn", scores=[0.1, 0.2, 0.5, 0.3]), Spec("amr-wlk")]
    rows = evaluate(data, specs, workspace=Workspace(tmp_path)).rows
    assert names_of(rows)[:2] == ["ernie:layer=0", "ernie:layer=2"]
    assert rows[0].scores != rows[1].scores
    # A model in a folder is not the one of the paper, and scores are nobody's.
    assert all(row.status == "ok" and row.published == {} for row in rows)


def test_datasets_that_are_read_whole_have_their_column() -> None:
    spring = Ran("amr-cn", "", {}, "spring", "numberbatch")
    assert published("STSb_captions_test", Ran("mpnet", "zscore")) == {"all": 0.929}
    assert published("STSS-131", spring) == {"all": 0.434}
    assert published("STR-2022", spring) == published("STSb", spring) == {}


# From here on, the real data.


@pytest.fixture(scope="module")
def folder(data_dir: Path) -> Path:
    result = data_dir / "compositional-semantics-eval"
    if not (result / FOLDER).is_dir():
        pytest.skip(f"{data_dir} has no {result.name}/{FOLDER}")
    return result


def test_the_table_of_the_authors_scores_is_what_scipy_says(folder: Path) -> None:
    data = open_sts3k(folder)
    files = sorted((folder / FOLDER).glob("STS3k_all_*_similarities.txt"))
    assert len(files) == 46
    files = files[::4]
    results = evaluate(data, [Spec(name, scores=values) for name, values in read_scores(files)])

    # The same from the files alone, without compsim.
    with (folder / "Data-experiment" / "STS3k_all.txt").open(newline="") as lines:
        ratings = np.array([float(row[2]) for row in csv.reader(lines, delimiter=";")])
    rows = {"all": np.arange(len(ratings))}
    for part, name in (("non", "non_adv"), ("adv", "adv_noneg")):
        path = folder / "Data-experiment" / f"STS3k_{name}_indices.txt"
        rows[part] = np.loadtxt(path, dtype=int)
    assert len(files) == len(results.rows)
    for row, file in zip(results.rows, files, strict=True):
        values = np.loadtxt(file)
        for part, index in rows.items():
            result, pair = row.details["parts"][part], (values[index], ratings[index])
            assert row.figures[part].value == result["spearman"]
            assert result["spearman"] == pytest.approx(stats.spearmanr(*pair)[0], abs=1e-9)
            assert result["pearson"] == pytest.approx(stats.pearsonr(*pair)[0], abs=1e-9)
            assert result["kendall"] == pytest.approx(stats.kendalltau(*pair)[0], abs=1e-9)
            assert not math.isnan(result["spearman"] or math.nan)


def test_the_captions_are_whole_so_the_printed_figures_come_back(folder: Path) -> None:
    """All pairs of STSb-captions are at hand, and with them every model's printed figure."""
    path = folder / "Data-experiment" / "STSb_captions_test.txt"
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    data = open_dataset(path)
    ratings = [pair.rating for pair in data.pairs]
    of = {
        **{"Mean-CN": "mean", "Mult-CN": "mult", "Conv-CN": "conv", "InferSent": "infersent"},
        **{"USE": "universal_norml", "ERNIE-12": "ernie_12_norml", "OpenAI": "openai_norml"},
        **{"SentBERT": "sentbert_mpnet_norml", "DefSent": "defsent_cls_norml", "AMR-CN": "AMR"},
        **{"AMR-SMATCH": "smatch", "AMR-WWLK": "WLK_Wasser", "AMRBART": "amrbart_norml"},
        **{"S3BERT": "S3BERT_norml", "VerbNet-CN": "verbnet_fixedparms_basic"},
        # Published without normalisation for these pairs, and printed so.
        "ERNIE-0": "ernie_0",
    }
    rows = published_rows(data.name)
    assert set(of) == set(rows)
    for row, model in of.items():
        scores = np.loadtxt(folder / FOLDER / f"STSb_captions_test_{model}_similarities.txt")
        # Mult-CN comes to .2595 and is printed as .260.
        rho = stats.spearmanr(scores, ratings)[0]
        assert rho == pytest.approx(rows[row]["all"], abs=0.0011), row


def test_the_hand_fixed_roles_of_the_other_files(folder: Path, data_dir: Path) -> None:
    """Captions, GS2011 and the pilot set have published roles too; the paper has .565 for captions.

    The vectors at hand lack some common words.
    """
    vectors = data_dir / "numberbatch" / "numberbatch-en-mini.txt.gz"
    files = [folder / "Data-experiment" / name for name in FILES]
    expected = {"hand-fixed": (0.565, 0.183, 0.903), "semparse": (0.517, 0.192, 0.875)}
    for roles, figures_ in expected.items():
        tasks = sts(
            ",".join(map(str, files)),
            roles=roles,
            vectors=str(vectors),
            normalize="fixed",
            option={"weights": "paper"},
        )
        rows = [run(task).rows[0] for task in tasks]
        for row, figure in zip(rows, figures_, strict=True):
            assert row.figures["all"].value == pytest.approx(figure, abs=0.03)
            assert row.of["parser"] == roles
        assert rows[0].published == ({"all": 0.565} if roles == "hand-fixed" else {})
    # One AMR for each sentence comes with them as well.
    (task, *_) = sts(str(files[2]), "amr-wlk", roles="spring")
    assert run(task).rows[0].figures["all"].n == 120


def test_other_pairs_have_no_published_roles(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    lines = [f"cats chase {n} mice,dogs help,{n}" for n in range(4)]
    file.write_text("sentence1,sentence2,score\n" + "\n".join(lines))
    with pytest.raises(InputError, match=r"no published parses of .*mine\.csv: leave roles out"):
        run(sts(str(file), roles="hand-fixed")[0])
    with pytest.raises(InputError, match="parser and roles exclude each other"):
        sts(str(file), parser="srl", roles="hand-fixed")
