"""Datasets: each format on a few rows of its own, tables of the user's, the real files."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset as HubDataset
from datasets import DatasetDict
from hypothesis import given
from hypothesis import strategies as st

from compsim.benchmarks.datasets import Dataset, STS3k, open_dataset
from compsim.benchmarks.datasets.sts.formats import FORMATS, third_person
from compsim.benchmarks.datasets.sts.records import Record, dataset
from compsim.errors import DataError, InputError, UnknownNameError


def rows(data: Dataset) -> list[tuple[str, str, float]]:
    return [(pair.first, pair.second, round(pair.rating, 9)) for pair in data.pairs]


A, B, C, D = "Dogs bark.", "Cats, too.", 'He says "yes".', "It rains; it pours."

#: By format: the file, the pairs scaled, types, parts.
PUBLISHED: dict[str, tuple[str, list[tuple[str, str, float]], tuple[str, ...], list[str]]] = {
    "stsb": (
        f"main-news\tMSRpar\t2012\t0001\t5.000\t{A}\t{B}\tsome\tsource\n"
        f"main-news\tMSRpar\t2012\t0002\t2.5\t{C}\t{D}\n"
        f'main-news\tMSRpar\t2012\t0003\t0\t"{A}\t{D}\n'
        f"main-captions\tMSRvid\t2012\t0004\t1\t{D}\t{A}\n",
        [(A, B, 1), (C, D, 0.5), ('"' + A, D, 0), (D, A, 0.2)],
        (),
        ["all", "main-news"],
    ),
    "sick": (
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\r\n"
        f"1\t{A}\t{B}\t5\tNEUTRAL\r\n2\t{C}\t{D}\t3\tENTAILMENT\r\n3\t{A}\t{D}\t1\tNEUTRAL\r\n",
        [(A, B, 1), (C, D, 0.5), (A, D, 0)],
        ("NEUTRAL", "ENTAILMENT", "NEUTRAL"),
        ["all"],
    ),
    "stss131": (
        f'1;{A};{B};4.0;0\n2;"{D}";{A};1;0.5\n3;{B};{A};0;1\n',
        [(A, B, 1), (D, A, 0.25), (B, A, 0)],
        (),
        ["all"],
    ),
    "str2022": (
        'PairID,Text,Score\n1,"Dogs bark.\nCats, too.",1.0\n'
        '2,"He says ""yes"".\nDogs bark.",0.5\n3,"Cats, too.\nDogs bark.",0\n',
        [(A, B, 1), (C, A, 0.5), (B, A, 0)],
        (),
        ["all"],
    ),
    "gs2011": (
        "participant verb subject object landmark input hilo\n"
        "p1 carry dog stick wash 1 LOW\np2 carry dog stick wash 3 LOW\n"
        "p1 write man book spell 7 HIGH\np1 have man dog own 4 HIGH\n",
        [
            ("the dog carries the stick", "the dog washes the stick", round(1 / 6, 9)),
            ("the man writes the book", "the man spells the book", 1),
            ("the man has the dog", "the man owns the dog", 0.5),
        ],
        ("LOW", "HIGH", "HIGH"),
        ["all"],
    ),
    "gs2012": (
        "sentence_id annotator_id adj_subj subj landmark verb adj_obj obj annotator_score\n"
        "1 a1 young man lift carry big box 7\n1 a2 young man lift carry big box 4\n"
        "2 a1 young man sell carry big box 1\n3 a1 old dog guard watch red door 4\n",
        [
            ("the young man carries the big box", "the young man lifts the big box", 0.75),
            ("the young man carries the big box", "the young man sells the big box", 0),
            ("the old dog watches the red door", "the old dog guards the red door", 0.5),
        ],
        (),
        ["all"],
    ),
    "ks2013": (
        "annotator subject1 verb1 object1 subject2 verb2 object2 score\n"
        "1 dog carry stick man buy book 1\n2 dog carry stick man buy book 1\n"
        "1 man buy book boy get story 7\n1 a b c d e f 4\n",
        [
            ("the dog carries the stick", "the man buys the book", 0),
            ("the man buys the book", "the boy gets the story", 1),
            ("the a bs the c", "the d es the f", 0.5),
        ],
        (),
        ["all"],
    ),
    "mitchell324": (
        "p1 verbobjects 1 tea drink milk pour 1\np2 verbobjects 1 tea drink milk pour 7\n"
        "p1 compoundnouns 2 tea cup coffee pot 7\np1 adjectivenouns 0 hot tea old book 1\n",
        [
            ("drink tea", "pour milk", 0.5),
            ("tea cup", "coffee pot", 1),
            ("hot tea", "old book", 0),
        ],
        ("verbobjects", "compoundnouns", "adjectivenouns"),
        ["all"],
    ),
    "bird": (
        "id\tterm1\tterm2\tr\tn\tm\tscore\n"
        "1\thot tea\twarm milk\tx\t1\t1\t0.75\n2\thot tea\ttea\tx\t1\t1\t1\n"
        "3\thot tea\tbook\tx\t1\t1\t0\n",
        [("hot tea", "warm milk", 0.75), ("hot tea", "tea", 1), ("hot tea", "book", 0)],
        (),
        ["all"],
    ),
    "sts3k-pairs": (
        f"{A};{B};1.000\n{C};{A};0.5\n{B};{A};0",
        [(A, B, 1), (C, A, 0.5), (B, A, 0)],
        (),
        ["all"],
    ),
}


PUBLISHED["semrel"] = PUBLISHED["str2022"]
#: Sets whose columns say little: their files are known by their names.
NAMES = {"bird": "BiRD.txt", "semrel": "eng_train.csv"}


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("zipped", [False, True])
def test_formats_are_read_and_recognised(kind: str, zipped: bool, tmp_path: Path) -> None:
    text, pairs, types, parts = PUBLISHED[kind]
    path = tmp_path / (NAMES.get(kind, "data.txt") + ".gz" * zipped)
    data = text.encode()
    path.write_bytes(gzip.compress(data) if zipped else data)
    for item in (open_dataset(f"{kind}:{path}"), open_dataset(path)):
        assert rows(item) == pairs
        assert item.types == types
        assert list(item.parts) == parts
        assert item.problems == ()
        assert item.name == (FORMATS[kind].name or "data")
        assert item.source == str(path)


@pytest.mark.parametrize("kind", FORMATS)
def test_bad_rows_of_a_format_are_left_out_and_named(kind: str, tmp_path: Path) -> None:
    text, pairs, _, _ = PUBLISHED[kind]
    path = tmp_path / "x.txt"
    path.write_text("\ufeff" + text.rstrip() + "\n\nnonsense\n")
    result = open_dataset(f"{kind}:{path}")
    assert rows(result) == pairs
    number = len(text.rstrip().split("\n")) + 2
    assert [p.partition(":")[0] for p in result.problems] == [f"x.txt, line {number}"]


def test_no_first_row_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text(f"{A};{B};nan\n{A};{C};.1\n{A};{D};.2\n".replace(D, "It rains.") + f"{B};{C};1")
    result = open_dataset(f"sts3k-pairs:{path}")
    assert result.problems == ("p.txt, line 1: the rating 'nan' is no number: left out",)
    path.write_text("n;first;second;mean;sd\n" + PUBLISHED["stss131"][0])
    assert rows(open_dataset(f"stss131:{path}")) == PUBLISHED["stss131"][1]


def test_the_whole_sick_has_parts(tmp_path: Path) -> None:
    path = tmp_path / "SICK.txt"
    head = "pair_ID\tsentence_A\tsentence_B\tentailment_label\trelatedness_score\tSemEval_set\n"
    lines = [
        f"{i}\tDogs {i}.\tCats.\tNEUTRAL\t{i % 5 + 1}\t{'TRAIN' if i < 4 else 'TEST'}\n"
        for i in range(8)
    ]
    path.write_text(head + "".join(lines))
    result = open_dataset(path)
    assert result.parts == {"all": tuple(range(8)), "train": (0, 1, 2, 3), "test": (4, 5, 6, 7)}


# --- tables of the user's ------------------------------------------------------------------------

TABLE = [
    {"A": A, "b": B, "r1": 5, "r2": "", "Kind": "x"},
    {"A": C, "b": D, "r1": 3, "r2": 4, "Kind": "y"},
    {"A": D, "b": A, "r1": 0, "r2": 1, "Kind": "x"},
]


def write(path: Path, table: list[dict[str, Any]]) -> Path:
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in table))
        return path
    with path.open("w", newline="") as out:
        mark = {".csv": ",", ".tsv": "\t", ".ssv": ";"}[path.suffix]
        writer = csv.DictWriter(out, table[0], delimiter=mark)
        writer.writeheader()
        writer.writerows(table)
    return path


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.ssv", "t.jsonl"])
def test_tables_with_named_columns(name: str, tmp_path: Path) -> None:
    path = write(tmp_path / name, TABLE)
    names = {"first": "a", "second": "B", "types": "kind", "low": 0, "high": 5}
    result = open_dataset(path, rating=["r1", "R2"], **names)
    assert rows(result) == [(A, B, 1), (C, D, 0.7), (D, A, 0.1)]
    assert (result.name, result.types, result.problems) == ("t", ("x", "y", "x"), ())
    kind = "csv" if name == "t.ssv" else path.suffix[1:]
    assert open_dataset(f"{kind}:{path}", rating="r1", **names).pairs[1].rating == 0.6
    free = open_dataset(path, first="A", second="b", rating="r1")
    assert free.problems[0].startswith(f"{name}: no scale is known, so ratings from 0 to 5")
    with pytest.raises(DataError, match=r"no column 'c': choose from a, b, r1, r2, kind"):
        open_dataset(path, first="c")
    with pytest.raises(
        DataError, match=r"none of its columns a, b.*as the first: name it as first"
    ):
        open_dataset(path)


def test_common_names_are_known_and_splits_are_parts(tmp_path: Path) -> None:
    table = [
        {"sentence1": f"Dogs {i}.", "sentence2": A, "score": i, "split": "ab"[i % 2], "type": "t"}
        for i in range(7)
    ]
    result = open_dataset(write(tmp_path / "t.csv", table), low=0, high=6)
    assert result.parts == {"all": tuple(range(7)), "a": (0, 2, 4, 6), "b": (1, 3, 5)}
    assert result.types == ("t",) * 7


def test_bad_rows_and_repeated_pairs_are_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "first,second,rating\n"
        'One.,"Two,\nor three.",1\n'  # lines 2 and 3
        "One.,Two.,x\n"
        "One.,Two.,NaN\n"
        "One.,Two.,inf\n"
        "One.,Two.,6\n"
        ",Two.,3\n"
        "One.,,3\n"
        "One.,Two.,\n"
        "One, two.,Three.,3\n"
        "One.\n"
        "One.,Four.,2\n"
        "One.,Five.,3\n"
        "One.,Four.,4\n"
    )
    result = open_dataset(path, low=1, high=5)
    assert rows(result) == [
        ("One.", "Two,\nor three.", 0),
        ("One.", "Four.", 0.25),
        ("One.", "Five.", 0.5),
        ("One.", "Four.", 0.75),
    ]
    assert result.problems == (
        "t.csv, line 4: the rating 'x' is no number: left out",
        "t.csv, line 5: the rating 'NaN' is no number: left out",
        "t.csv, line 6: the rating 'inf' is no number: left out",
        "t.csv, line 7: the rating 6 is not on the scale 1 to 5: left out",
        "t.csv, line 8: the first sentence is empty: left out",
        "t.csv, line 9: the second sentence is empty: left out",
        "t.csv, line 10: the rating is empty: left out",
        "t.csv, line 11: there are 4 cells under 3 columns: left out",
        "t.csv, line 12: the second sentence is empty: left out",
        "t.csv, line 15: the same pair as in line 13",
    )


@pytest.mark.parametrize(
    ("name", "content", "options", "error", "says"),
    [
        ("t.csv", None, {}, DataError, "there is no file"),
        ("t.csv", b"", {}, DataError, r"none of its columns \(none\)"),
        ("t.csv", b"\xff\xfe\x00", {}, DataError, "is not UTF-8"),
        ("t.csv.gz", b"\x1f\x8bbroken", {}, DataError, "cannot be read"),
        ("t.csv", b"first,second,rating\na,b,1\na,c,x\na,d,2", {}, DataError, "2 usable.*line 3"),
        ("t.csv", b"first,second,rating\na,b,1\na,c,1\na,d,1", {}, DataError, "all ratings .* 1:"),
        ("t.csv", b"first,second,rating\na,b,1", {"low": 2, "high": 1}, InputError, "from 2 to 1"),
        ("t.jsonl", b'{"first": 1}\n[1]\n', {}, DataError, "line 2: no object"),
        ("t.jsonl", b'{"first": 1}\n{\n', {}, DataError, r"t\.jsonl, line 2: .*give JSON"),
        ("t.txt", b"a;b;1\n", {"low": 1}, InputError, "has its own columns and scale"),
    ],
)
def test_bad_files(
    tmp_path: Path,
    name: str,
    content: bytes | None,
    options: dict[str, Any],
    error: type[Exception],
    says: str,
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(error, match=says):
        open_dataset(tmp_path / name, **options)


def test_a_gzipped_file_damaged_anywhere_is_said_to_be(tmp_path: Path) -> None:
    packed = gzip.compress(b"".join(b"Dogs %d bark.;Cats.;0.%d\n" % (i, i % 9) for i in range(200)))
    path = tmp_path / "t.txt.gz"
    for place in range(10, len(packed), 13):
        damaged = bytearray(packed)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        with pytest.raises(DataError, match="cannot be read"):
            open_dataset(path)


def test_unknown_formats_and_things(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"no format 'sock': choose from .*sick"):
        open_dataset("sock:x.txt")
    with pytest.raises(InputError, match="int is no dataset"):
        open_dataset(3)
    with pytest.raises(DataError, match="holds no Data-experiment"):
        open_dataset(tmp_path)
    with pytest.raises(InputError, match=r"STS3k at .* has its own columns and scale"):
        open_dataset(tmp_path, low=0)


def test_datasets_of_hugging_face() -> None:
    table = {"sentence1": [A, B, C, D], "sentence2": [B, C, D, A], "label": [0.0, 5, 2.5, -1]}
    whole = HubDataset.from_dict(table)
    result = open_dataset(whole, low=0, high=5)
    assert rows(result) == [(A, B, 0), (B, C, 1), (C, D, 0.5)]
    assert result.problems == (
        "dataset, row 3: the rating -1 is not on the scale 0 to 5: left out",
    )
    splits = DatasetDict({"train": whole.select([0, 1, 2]), "test": whole.select([2, 1, 0])})
    result = open_dataset(splits, low=0, high=5)
    assert result.parts == {"all": tuple(range(6)), "train": (0, 1, 2), "test": (3, 4, 5)}
    assert len(result.problems) == 3


# --- records -------------------------------------------------------------------------------------

texts = st.sampled_from(["a", "b", "c", " "])
ratings = st.one_of(st.floats(), st.integers(-1, 6), st.none(), st.sampled_from(["x", "", "3"]))


def usable(value: Any) -> bool:
    try:
        return 0 <= float(value) <= 5
    except (TypeError, ValueError):
        return False


@given(st.lists(st.tuples(texts, texts, ratings), max_size=12), st.booleans())
def test_every_row_is_a_pair_or_a_problem(table: list[tuple[str, str, Any]], raters: bool) -> None:
    records = [Record(i, *row) for i, row in enumerate(table, start=1)]
    good = [row for row in table if row[0].strip() and row[1].strip() and usable(row[2])]
    pairs: dict[Any, list[float]] = {}
    for number, row in enumerate(good):
        pairs.setdefault(row[:2] if raters else number, []).append(float(row[2]) / 5)
    if len(pairs) < 3:
        with pytest.raises(DataError, match=f"{len(pairs)} usable pairs"):
            dataset("x", "x", records, low=0, high=5, raters=raters)
        return
    result = dataset("x", "x", records, low=0, high=5, raters=raters)
    means = [sum(values) / len(values) for values in pairs.values()]
    assert [pair.rating for pair in result.pairs] == pytest.approx(means)
    left_out = [problem for problem in result.problems if problem.endswith("left out")]
    assert len(left_out) == len(table) - len(good)
    repeated = len(good) - len({row[:2] for row in good})
    assert len(result.problems) - len(left_out) == (0 if raters else repeated)


@pytest.mark.parametrize(
    ("verb", "form"),
    [("carry", "carries"), ("buy", "buys"), ("watch", "watches"), ("go", "goes"), ("have", "has")],
)
def test_third_person(verb: str, form: str) -> None:
    assert third_person(verb) == form


# From here on, the real data.


@pytest.mark.parametrize(
    ("name", "file", "count", "problems"),
    [
        ("STSb", "stsbenchmark/sts-dev.csv.gz", 1500, 2),
        ("STSb", "stsbenchmark/sts-train.csv.gz", 5749, 43),
        ("SICK", "sick/SICK_train.txt.gz", 4500, 30),
        ("SICK", "sick/SICK_trial.txt.gz", 500, 0),
        ("STS3k", "compositional-semantics-eval", 1140, 0),
        ("STSb_captions_test", "STSb_captions_test.txt", 624, 0),
        ("GS2011_processed", "GS2011_processed.csv", 199, 0),
        ("Fodor_pilot_2022", "Fodor_pilot_2022.txt", 120, 0),
    ],
)
def test_published_files(data_dir: Path, name: str, file: str, count: int, problems: int) -> None:
    experiment = data_dir / "compositional-semantics-eval" / "Data-experiment"
    path = data_dir / file if "/" in file or "-" in file else experiment / file
    if not path.exists():
        pytest.skip(f"there is no {path}")
    result = open_dataset(path)
    assert (result.name, len(result), len(result.problems)) == (name, count, problems)
    assert all(0 <= pair.rating <= 1 for pair in result.pairs)
    assert all(problem.count("the same pair as") for problem in result.problems)
    assert isinstance(result, STS3k) == (name == "STS3k")


@pytest.mark.parametrize("file", ["sts-dev.csv.gz", "sts-train.csv.gz"])
def test_stsb_has_the_sentences_of_its_file(data_dir: Path, file: str) -> None:
    """The slow twin: the fields of each line as they are; some sentences are all quotation."""
    path = data_dir / "stsbenchmark" / file
    if not path.exists():
        pytest.skip(f"there is no {path}")
    lines = gzip.decompress(path.read_bytes()).decode().split("\n")
    fields = [line.split("\t") for line in lines if line]
    expected = [(f[5].strip(), f[6].strip(), float(f[4]) / 5) for f in fields]
    assert [tuple(pair) for pair in open_dataset(path).pairs] == expected
