from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.benchmarks.datasets.triples import Triple
from compsim.benchmarks.task import Spec, run
from compsim.benchmarks.tasks.minimal_pairs.contrasts import Contrasts
from compsim.benchmarks.tasks.minimal_pairs.margins import figures
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.embeddings.arithmetic import MeanMethod

HEADER = "phenomenon\tsentence\tsame\tother\n"
FILE = HEADER + (
    "order\tCats chase mice.\tMice are chased by cats.\tMice chase cats.\n"
    "order\tDogs visit birds.\tBirds are visited by dogs.\tBirds visit dogs.\n"
    "white space\tCats chase mice.\tCats\\nchase mice.\tDogs help birds.\n"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "triples.tsv"
    path.write_text(FILE)
    return path


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from([-1.0, 0.0, 5e-7, 0.5, math.nan])),
        min_size=1,
        max_size=12,
    )
)
def test_shares_by_hand(rows: list[tuple[str, float]]) -> None:
    result = figures([Triple(name, "x", "y", "z") for name, _ in rows], [m for _, m in rows])
    won = [margin == 0.5 for _, margin in rows]
    assert result["won"].value == pytest.approx(sum(won) / len(won))
    tied = [margin in (0.0, 5e-7) for _, margin in rows]
    assert result["tied"].value == pytest.approx(sum(tied) / len(tied))
    shares = []
    for group in dict(rows):
        own = [margin == 0.5 for name, margin in rows if name == group]
        shares.append(sum(own) / len(own))
    macro = result["macro"]
    assert macro.value == pytest.approx(sum(shares) / len(shares))
    assert macro.low is not None
    assert macro.high is not None
    assert 0 <= macro.low <= macro.high <= 1
    if len(set(won)) == 1:
        assert macro.low == macro.high == macro.value


def test_word_order_ties_where_words_are_all(file: Path, tmp_path: Path) -> None:
    task = Contrasts(
        file, [Spec("mine", model=MeanMethod("builtin")), Spec("nothing", optional=True)]
    )
    results = run(task, workspace=Workspace(tmp_path / "kept"))
    row, broken = results.rows
    assert row.figures["triples"].value == 3
    assert row.details["phenomena"]["white space"] == {"won": 1.0, "n": 1}
    assert row.details["phenomena"]["order"] == {"won": 0.0, "n": 2}
    assert row.figures["macro"].value == 0.5
    assert broken.status == "unavailable"
    page = task.report(results)
    assert "By phenomenon" in page
    assert '<th scope="row">white space</th><td data-head="n">1</td>' in page


def test_bench_contrasts_on_the_command_line(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, page = tmp_path / "found.json", tmp_path / "found.html"
    command = ["bench", "contrasts", str(file), "--methods", "verbnet-cn,mean-cn"]
    command += ["--vectors", "builtin", "--json", str(out), "--html", str(page)]
    assert main(command) == 0
    assert "order (n=2): verbnet-cn" in capsys.readouterr().out
    rows = json.loads(out.read_text())["rows"]
    assert [row["method"] for row in rows] == ["verbnet-cn", "mean-cn"]
    assert rows[0]["macro"] == 1
    assert rows[0]["phenomena"]["order"] == {"won": 1.0, "n": 2}
    assert len(rows[1]["margins"]) == 3
    assert "Lost by most: mean-cn" in page.read_text()
    assert main([*command[:5], "--vectors", "builtin", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["macro"] == 1
    assert main(["bench", "contrasts", str(tmp_path / "none.tsv")]) != 0
