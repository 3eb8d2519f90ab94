from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.penman import read_naively
from strategies import graphs

from compsim.errors import DataError
from compsim.graph import RoleGraph, Status
from compsim.graph.penman_reader import read_amr, read_entries

CORPORA = (
    "amr-bank-struct-v1.6.txt.gz",
    "amr-bank-struct-v3.0.txt.gz",
    "amr-release-dev-bio.txt.gz",
    "amr-release-test-bio.txt.gz",
)


@pytest.mark.parametrize("name", CORPORA)
def test_gold_corpora_are_read_as_by_penman(data_dir: Path, name: str) -> None:
    path = data_dir / "amr" / name
    if not path.is_file():
        pytest.skip(f"no {path}: the AMR corpus is not at hand")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        text = file.read()
    assert list(read_amr(text)) == list(read_naively(text))


@given(st.lists(graphs(), max_size=4))
def test_what_is_written_is_read_back(several: list[RoleGraph]) -> None:
    text = "\n\n".join(graph.to_penman() for graph in several)
    assert list(read_amr(text)) == several
    assert list(read_amr(text.split("\n"))) == several


SYMBOLS = st.sampled_from(["b", "go-01", '"x y"', '"a\\"b"', "-", "3", "é", "#1", "+", '"("', "x1"])
ROLES = st.sampled_from(
    [":ARG0", ":ARG0-of", ":consist-of", ":mod", ":op1", ":domain-of", ":", ":-of"]
)


@st.composite
def notations(draw: st.DrawFn) -> str:
    """A graph in PENMAN notation: any layout, alignments, missing concepts and targets."""
    number = iter(range(99))
    blank = st.sampled_from([" ", "\n  ", "  \t"])
    prefix = draw(st.sampled_from(["x", "", "0.", "ü"]))

    def node(depth: int) -> str:
        variable = f"{prefix}{next(number)}"
        concept = draw(st.sampled_from(["", " /", " / dog", "/dog", " / want-01~e.3", ' / "q r"']))
        parts = [variable + concept]
        for _ in range(draw(st.integers(0, 2 if depth < 3 else 0))):
            kind = draw(st.sampled_from(["node", "node", "atom", "variable", "none"]))
            target = {
                "node": lambda: node(depth + 1),
                "atom": lambda: draw(SYMBOLS.filter(lambda s: s[0] != "#")),
                "variable": lambda: f"{prefix}{draw(st.integers(0, 3))}",
                "none": lambda: "",
            }[kind]()
            parts.append(draw(ROLES) + draw(st.sampled_from(["", "~e.1"])) + draw(blank) + target)
        return "(" + draw(blank).join(parts) + ")"

    return node(0)


@pytest.mark.parametrize("side", ["a", "b"])
def test_published_parses_are_read_as_by_penman(data_dir: Path, side: str) -> None:
    folder = data_dir / "compositional-semantics-eval" / "Data-model" / "Sentence Parses"
    path = folder / "AMR Parsing" / f"STS3k_all_{side}_AMR_parse.txt"
    if not path.is_file():
        pytest.skip(f"no {path}: the published parses are not at hand")
    text = path.read_text(encoding="utf-8")
    assert list(read_amr(text)) == list(read_naively(text))


@given(notations())
def test_any_layout_is_read_as_by_penman(text: str) -> None:
    assert [*read_amr(text), RoleGraph.from_penman(text)] == 2 * list(read_naively(text))


@given(st.text(st.sampled_from('()/:~"\\# \na1-~.é'), max_size=40))
def test_no_text_stops_the_reader(text: str) -> None:
    for entry in read_entries(text):
        assert 1 <= entry.line <= text.count("\n") + 1
        assert (entry.graph.status is Status.FAILED) == entry.graph.reason.startswith("line ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(a / b", "line 1, column 7: the graph ends with 1 bracket open"),
        ("(a / b\n  :x (c", "line 2, column 8: the graph ends with 2 brackets open"),
        ("(a / a1 :ARG0 ())", "line 1, column 15: a bracket opens without a variable"),
        ("(a / b))", "line 1, column 8: ')' follows the bracket that closes the graph"),
        ("(a / b) :x c", "line 1, column 9: ':' follows the bracket that closes the graph"),
        (")", "line 1, column 1: a bracket closes that none opens"),
        ("\n\nNULL", "line 3, column 1: the graph is NULL"),
        ("dog", "line 1, column 1: 'dog' stands outside of a graph"),
        ("(a / b :x c d)", "line 1, column 13: 'd' stands without a role before it"),
        ("(a / b (c / d))", "line 1, column 8: a bracket opens without a role before it"),
        ("(a / b :x (/ d))", "line 1, column 11: a bracket opens without a variable"),
        ("(/ d)", "line 1, column 1: a bracket opens without a variable"),
        (":x (a / b)", "line 1, column 1: a role stands outside of a graph"),
        ('(a / "b)', "line 1, column 6: a quote opens a string that has no end"),
        ("(a / b ~ :x c)", "line 1, column 8: '~' stands alone"),
    ],
)
def test_an_error_points_at_its_place(text: str, reason: str) -> None:
    good = "\n\n# ::snt Dogs.\n(d / dog)\n"
    bad, after = read_amr(text + good)
    assert bad == RoleGraph.failed("", reason)
    assert after == RoleGraph.from_penman(good)
    with pytest.raises(DataError, match=re.escape(reason)):
        RoleGraph.from_penman(text)


def test_a_graph_the_convention_cannot_hold_is_one_failed_entry() -> None:
    bad, after = read_amr("# ::snt X.\n(a / b\n :x-of-of (c / d))\n(e / f)")
    assert (bad.text, bad.status) == ("X.", Status.FAILED)
    assert bad.reason.startswith("line 2, column 1: role 'x-of' is an inverse")
    assert after.nodes[0].label == "f"


def test_the_rest_of_a_stretch_is_read_after_an_error() -> None:
    items = list(read_amr("(a / b) (c / d)\n(e / f :x\n(g / h)\n\n(i / j)"))
    assert [graph.roles().get("Verb") is not None for graph in items] == [True, True, False, True]


def test_comments_belong_to_the_graph_that_follows() -> None:
    text = (
        "# a header\n\n# ::id 1 ::date today\n# ::snt One.\n(a / b)\n"
        "# ::snt-2 Two.\n(c / d)\n\n# ::id 3\n\n# ::id 4 ::snt Four.\n(e / f)\n\n# ::snt Five."
    )
    entries = list(read_entries(text))
    assert [entry.graph.text for entry in entries] == ["One.", "Two.", "", "Four.", "Five."]
    assert [entry.metadata.get("id") for entry in entries] == ["1", None, "3", "4", None]
    assert [entry.line for entry in entries] == [5, 7, 9, 12, 14]
    assert entries[2].graph.reason == "line 9, column 1: no graph follows the comments"
    assert entries[4].graph.reason == "line 14, column 1: no graph follows the comments"


def test_a_blank_line_may_stand_in_a_graph() -> None:
    (graph,) = read_amr("(a / b :ARG0\n\n  (c / d))")
    assert [node.label for node in graph.nodes] == ["b", "d"]


@pytest.mark.parametrize("text", ["", "\n \n", "# only a comment\n"])
def test_nothing_is_no_graph(text: str) -> None:
    assert list(read_amr(text)) == []


def test_odd_graphs_are_graphs() -> None:
    (empty,) = read_amr("()")
    assert (empty, empty.status) == (RoleGraph(), Status.OK)
    (bare,) = read_amr("(a)")
    assert (bare.nodes[0].label, bare.nodes[0].variable) == ("", "a")
    (twice,) = read_amr("(a / b :ARG0 (a / c))")
    assert [node.label for node in twice.nodes] == ["c"]
    (cycle,) = read_amr("(a / b :ARG0 (c / d :ARG1 a))")
    assert [(edge.source, edge.target) for edge in cycle.edges] == [(0, 1), (1, 0)]
    assert list(read_amr("(a :instance b)")) == list(read_amr("(a / b)"))
    (bare,) = read_amr("(0 / b : (0.1.1 / c) :-of (ü / d))")
    assert [node.variable for node in bare.nodes] == ["0", "0.1.1", "ü"]
    assert [(edge.source, edge.role) for edge in bare.edges] == [(0, ""), (2, "")]
    (unicode,) = read_amr('(n / name :op1 "Łódź \\u00e9" :op2 日本)')
    assert [node.label for node in unicode.nodes[1:]] == ["Łódź é", "日本"]


def test_nesting_has_no_limit() -> None:
    depth = 10 * sys.getrecursionlimit()
    (graph,) = read_amr("".join(f"(x{i} / c :ARG0 " for i in range(depth)) + "-" + ")" * depth)
    assert len(graph.nodes) == depth + 1


def test_files_are_read_and_missing_ones_named(tmp_path: Path) -> None:
    path = tmp_path / "a.amr"
    path.write_bytes(b"\xef\xbb\xbf# ::snt caf\xe9\r\n(a / b)\r\n\r\n(c / d)\r\n")
    first, second = read_amr(path)
    assert (first.text, second.nodes[0].label) == ("caf\ufffd", "d")
    with pytest.raises(DataError, match=r"none\.amr cannot be read"):
        list(read_amr(tmp_path / "none.amr"))


@pytest.mark.parametrize(
    "comment",
    [
        *("{", "[]", '"forest"', "{}}", "[" * 9999, '{"text":7}', '{"status":"fine"}'),
        *('{"spans":[1,2]}', '{"spans":[[0,true]]}', '{"parts":[[1]]}', '{"senses":[1]}'),
        *('{"nodes":[3]}', '{"edges":[0]}', '{"unnamed":[[]]}', '{"propbank":[0]}'),
        *('{"reason":[]}', '{"parser":{}}', '{"features":[{"lemma":1}]}', '{"features":[[]]}'),
    ],
)
def test_a_comment_that_does_not_fit_is_a_data_error(comment: str) -> None:
    with pytest.raises(DataError, match="line 2, column 1: the ::compsim comment does not fit"):
        RoleGraph.from_penman(f"# ::compsim {comment}\n(a / b)")


@pytest.mark.parametrize(
    "column", ["0.5", "[0.5]", '["0.5",null]', "[true,null]", "[0,null]", "[1.5,null]", "[NaN,1]"]
)
def test_a_confidence_that_does_not_fit_is_a_data_error(column: str) -> None:
    text = '# ::compsim {"confidence":%s}\n(a / b :ARG0 (c / d) :ARG1 (e / f))'
    good = RoleGraph.from_penman(text % "[0.5,null]")
    assert [edge.confidence for edge in good.edges] == [0.5, 1.0]
    with pytest.raises(DataError, match="line 2, column 1: the ::compsim comment does not fit"):
        RoleGraph.from_penman(text % column)


def test_a_comment_of_ours_that_is_broken_fails_its_graph_only() -> None:
    bad, good = read_amr('# ::compsim {"spans":\n(a / b)\n\n(c / d)')
    assert bad.status is Status.FAILED
    assert good.status is Status.OK
