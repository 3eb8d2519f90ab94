from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.errors import DataError, InputError, UnknownNameError
from compsim.graph import Edge, Node, RoleGraph, Status
from compsim.parsers import load
from compsim.parsers.base import Parser
from compsim.parsers.files.stored_roles import StoredParser, graph_from_phrases, write_jsonl
from compsim.roles import VERBNET

CATS = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"}, parser="srl")
ODD = RoleGraph.star('A "b"\u2028\nç \ud800', {"Verb": 'A "b"'}, parser="srl")


def write(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_jsonl_gives_back_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "parses.jsonl"
    write_jsonl([CATS, ODD, RoleGraph.failed("Hm.", "why")], path)
    parser = load("stored", path=path)
    assert isinstance(parser, Parser)
    assert parser.parse([ODD.text, "Cats sleep.", "Hm."])[:2] == [ODD, CATS]
    missing = parser.parse(["Dogs bark."])[0]
    assert (missing.status, missing.text) == ("failed", "Dogs bark.")
    assert "parses.jsonl" in missing.reason
    assert parser.parse([]) == []


def test_a_frame_without_predicate_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "parses.jsonl"
    star = RoleGraph.star("Cats.", {"Agent": "Cats"}, parser="mine")
    result = RoleGraph.star("Dogs.", {"Agent": "Dogs"}, status=Status.PARTIAL, reason="no verb")
    second = replace(CATS, nodes=(*CATS.nodes, Node("")), edges=(*CATS.edges, Edge(2, "Agent", 1)))
    sense = RoleGraph.star("Owls.", {"Verb": Node("", sense="be.01"), "Theme": "Owls"})
    write_jsonl([star, result, second, sense], path)
    graphs = load("stored", path=path).parse([star.text, result.text, second.text, sense.text])
    why = "parses.jsonl, line {}: a frame has no predicate"
    assert graphs == [
        replace(star, status=Status.PARTIAL, reason=why.format(1)),
        result,
        replace(second, status=Status.PARTIAL, reason=why.format(3)),
        sense,
    ]


def test_write_jsonl_is_all_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "parses.jsonl"
    write_jsonl([CATS], path)
    before = path.read_bytes()

    def breaks() -> object:
        yield ODD
        raise RuntimeError("parser died")

    with pytest.raises(RuntimeError):
        write_jsonl(breaks(), path)  # type: ignore[arg-type]
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["parses.jsonl"]


def test_version_follows_the_content(tmp_path: Path) -> None:
    write_jsonl([CATS], tmp_path / "a.jsonl")
    write_jsonl([CATS], tmp_path / "b.jsonl")
    write_jsonl([ODD], tmp_path / "c.jsonl")
    a, b, c = (StoredParser(tmp_path / f"{name}.jsonl").version for name in "abc")
    assert a == b != c


def test_published_phrases_by_row_number(tmp_path: Path) -> None:
    rows = {
        "2": [{"Agent": "the dog", "Verb": "saw", "Theme": "the Dog 's tail", "Time": "NA"}, {}],
        "1": [{"Verb": "sleep", "Agent": "Cats", "Patient": "NONE"}, {"Verb": "x", "Cause": "y"}],
    }
    text = "Cats sleep.;No.;0.5\nThe dog saw the dog's tail.;Nothing.;0.1\n"
    path, sentences = write(tmp_path / "p.json", rows), write(tmp_path / "s.txt", text)
    parser = load("stored", path=path, sentences=sentences)
    dog, nothing, no = parser.parse(["The dog saw the dog's tail.", "Nothing.", "No."])
    assert {role: node.span for role, node in dog.roles().items()} == {
        "Verb": (8, 11),
        "Agent": (0, 7),
        "Theme": (12, 26),
    }
    assert (nothing.status, nothing.reason) == ("failed", "the parse holds no roles")
    assert (no.status, no.reason) == ("partial", "dropped Cause")
    assert [left.text for left, _ in StoredParser(path, sentences).pairs()] == [
        "Cats sleep.",
        "The dog saw the dog's tail.",
    ]
    bare = StoredParser(path)
    assert [len(left.edges) for left, _ in bare.pairs()] == [1, 2]
    assert "without its sentences" in bare.parse(["Cats sleep."])[0].reason


@pytest.mark.parametrize(
    ("name", "content", "sentences", "match"),
    [
        ("p.jsonl", '{"text":"a","status":"ok"}\n{"text":', None, r"p\.jsonl, line 2: not JSON"),
        ("p.jsonl", '\n{"text":"a","status":"fine"}\n', None, r"p\.jsonl, line 2: .*fine"),
        ("p.jsonl", "[]", None, r"p\.jsonl, line 1: .*no role graph"),
        ("p.json", '{"1": [{},\n {}],\n}', None, r"p\.json, line 3: not JSON"),
        ("p.json", "[]", None, r"p\.json, line 1"),
        ("p.json", '{"1": [{}, {}],\n "x": [{}]}', None, r"p\.json, line 2: row 'x'"),
        ("p.json", '{"1": [{}, {}],\n "2": ["a"]}', None, r"p\.json, line 2: row '2'"),
        ("p.json", '{"2": [{}, {}]}', "a;b;0.1\n", "row 2 .* matches no line of the 1"),
        ("p.json", '{"1": [{}, {}]}', "a;b;0.1\na;b;c;0.1\n", r"s\.txt, line 2: 4 fields"),
        ("p.json", '{"1": [{}, {}]}', None, None),
    ],
)
def test_malformed_files_name_file_and_line(
    tmp_path: Path, name: str, content: str, sentences: str | None, match: str | None
) -> None:
    path = write(tmp_path / name, content)
    text = None if sentences is None else write(tmp_path / "s.txt", sentences)
    if match is None:
        assert len(StoredParser(path, text).pairs()) == 1
        return
    with pytest.raises(DataError, match=match):
        StoredParser(path, text)


def test_missing_and_undecodable_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.jsonl cannot be read"):
        StoredParser(tmp_path / "none.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b'{"text": "\xe9"}')
    with pytest.raises(DataError, match="not UTF-8"):
        StoredParser(tmp_path / "latin.jsonl")
    write_jsonl([CATS], tmp_path / "p.jsonl")
    with pytest.raises(DataError, match="not a pair"):
        StoredParser(tmp_path / "p.jsonl").pairs()
    with pytest.raises(DataError, match="leave sentences= out"):
        StoredParser(tmp_path / "p.jsonl", tmp_path / "s.txt")


def test_load_names_near_parsers_and_unknown_options() -> None:
    with pytest.raises(UnknownNameError, match="'stored'"):
        load("store")
    with pytest.raises(InputError, match="timeout, url"):
        load("verbnet-server", port=8080)


fillers = st.none() | st.text(max_size=9) | st.sampled_from(["NONE", "na", " the dog ", "saw", 7])


@given(st.dictionaries(st.sampled_from([*VERBNET.roles, "Cause", "AM-DIR medium"]), fillers))
def test_any_phrases_make_a_graph(phrases: dict[str, object]) -> None:
    graph = graph_from_phrases("The dog saw the dog.", phrases, "stored")
    assert set(graph.roles()) <= set(VERBNET.roles)
    assert (graph.status == "ok") == (graph.reason == "")


@pytest.mark.parametrize(
    ("parses", "text", "rows"),
    [
        ("VerbNet_pass_STS3k_all_mod", "STS3k_all.txt", 1140),
        ("VerbNet_pass_STS3k_all_raw", "STS3k_all.txt", 1140),
        ("GPT4_pass_STS3k_all", "STS3k_all.txt", 1140),
        ("VerbNet_pass_STSb_captions_test_mod", "STSb_captions_test.txt", 624),
    ],
)
def test_the_published_parses(data_dir: Path, parses: str, text: str, rows: int) -> None:
    folder = data_dir / "compositional-semantics-eval"
    path = folder / "Data-model" / "Sentence Parses" / "VerbNet Parsing" / f"full_{parses}.json"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    pairs = StoredParser(path, folder / "Data-experiment" / text).pairs()
    graphs = [graph for pair in pairs for graph in pair]
    assert len(pairs) == rows
    nodes = [(graph.text, node) for graph in graphs for node in graph.nodes]
    located = [(text, node) for text, node in nodes if node.span]
    assert len(located) > 0.9 * len(nodes)
    for sentence, node in located:
        assert node.span is not None
        result = sentence[slice(*node.span)]
        assert "".join(result.lower().split()) == "".join(node.label.lower().split())
    for graph in graphs[:50]:
        assert RoleGraph.from_penman(graph.to_penman()) == graph
