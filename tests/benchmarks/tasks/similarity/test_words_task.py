from __future__ import annotations

import json
from pathlib import Path

import pytest
from scipy.stats import spearmanr
from toys import KNOWN, toy_vectors

from compsim.benchmarks.tasks.similarity.words import measure, measure_file, read_pairs
from compsim.cli import main
from compsim.errors import DataError

VECTORS = toy_vectors()


def test_formats_of_word_pairs(tmp_path: Path) -> None:
    rows = [(a, b, 10 * i + j) for i, a in enumerate(KNOWN[:4]) for j, b in enumerate(KNOWN[4:8])]
    cosines = []
    for a, b, _ in rows:
        x, y = VECTORS.phrase(a), VECTORS.phrase(b)
        cosines.append(x @ y / (x @ x) ** 0.5 / (y @ y) ** 0.5)
    expected = spearmanr(cosines, [rating for *_, rating in rows]).statistic
    for separator, heading in (("\t", ""), (",", "word1,word2,score\n"), ("; ", "# from here\n")):
        file = tmp_path / "EN-toy.txt"
        lines = [separator.join(map(str, row)) for row in [*rows, ("zzyzx", "cats", 3)]]
        file.write_text(heading + "\n".join(lines) + "\n")
        result = measure_file(VECTORS, file)
        assert (result["pairs"].value, result["unknown"].value) == (16, 1)
        rho = result["spearman"]
        assert (rho.value, rho.n) == (pytest.approx(expected), 16)
        assert (rho.low or 1) < expected < (rho.high or -1)


def test_what_is_malformed_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the list, line 2: not two words and a rating"):
        read_pairs(["cats dogs 1", "cats dogs"])
    with pytest.raises(DataError, match="cannot be read"):
        measure_file(VECTORS, tmp_path / "none.txt")
    one = measure(VECTORS, read_pairs(["cats dogs 1"]))
    assert one["spearman"].note == "there are only 1 pairs"
    assert measure(VECTORS, [])["spearman"].value is None


def test_bench_words_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "toy.txt", tmp_path / "words.json"
    file.write_text("cat dog 9\ncat car 1\ndog car 2\ndog zzyzxq 2\n")
    command = ["bench", "words", str(file), "--vectors", "builtin", "--json", str(out)]
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == ["toy", "builtin"]
    row = json.loads(out.read_text())["rows"][0]
    assert (row["name"], row["vectors"], row["pairs"]) == ("toy", "builtin", 3)
