"""FrameNet and UCCA annotation read from small files written by hand, and compared."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from compsim import load
from compsim.errors import DataError
from compsim.graph import Status
from compsim.parsers.files.framenet import FrameNetParser
from compsim.parsers.files.ucca import UccaParser
from compsim.parsers.files.xml_files import read_xml
from compsim.roles import FRAMENET, INVENTORIES, UCCA
from compsim.rolesim.scheme_file import read_scheme

SOLD, BOUGHT, EMPTY = "Ada sold Bob a boat.", "Bob bought a boat from Ada.", "Rain."


def labels(layer: str, *spans: tuple[str, int, int]) -> str:
    inner = "".join(f'<label name="{n}" start="{a}" end="{b}"/>' for n, a, b in spans)
    return f'<layer rank="1" name="{layer}">{inner}</layer>'


def annotation(frame: str, unit: str, *layers: str) -> str:
    inner = "".join(layers)
    return f'<annotationSet frameName="{frame}" luName="{unit}">{inner}</annotationSet>'


FULL_TEXT = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<fullTextAnnotation xmlns="http://framenet.icsi.berkeley.edu">
<sentence><text>{SOLD}</text>
<annotationSet status="UNANN"><layer name="PENN"/></annotationSet>
{annotation("Vehicle", "boat.n", labels("Target", ("Target", 15, 18)))}
{
    annotation(
        "Commerce_sell",
        "sell.v",
        labels("Target", ("Target", 4, 7)),
        labels("FE", ("Seller", 0, 2), ("Buyer", 9, 11), ("Goods", 13, 18)).replace(
            "</layer>", '<label name="Money" itype="INI"/></layer>'
        ),
        labels("GF", ("Ext", 0, 2)),
    )
}</sentence>
<sentence><text>{BOUGHT}</text>
{
    annotation(
        "Commerce_buy",
        "buy.v",
        labels("Target", ("Target", 4, 9)),
        labels("FE", ("Buyer", 0, 2), ("Goods", 11, 16), ("Seller", 18, 25)),
    )
}</sentence>
<sentence><text>{EMPTY}</text></sentence>
</fullTextAnnotation>"""


def passage(words: list[str], *units: tuple[str, list[tuple[str, str]]]) -> str:
    """A passage of words 0.1, 0.2 ... and of units with their edges; "@" marks a remote one."""
    layer = "".join(
        f'<node ID="0.{i}" type="Word"><attributes paragraph="1" text="{word}"/></node>'
        for i, word in enumerate(words, 1)
    )
    nodes = ""
    for name, edges in units:
        nodes += f'<node ID="{name}" type="FN"><attributes/>'
        for tag, to in edges:
            remote = "True" if to.startswith("@") else "False"
            nodes += f'<edge toID="{to.strip("@")}" type="{tag}"><attributes remote="{remote}"/>'
            nodes += "</edge>"
        nodes += "</node>"
    return (
        '<root annotationID="0" passageID="1"><attributes/>'
        f'<layer layerID="0"><attributes/>{layer}</layer>'
        f'<layer layerID="1"><attributes/>{nodes}</layer></root>'
    )


#: "Ada gave the book up and left ." with Ada as a remote participant of leaving.
GAVE_UP = passage(
    ["Ada", "gave", "the", "book", "up", "and", "left", "."],
    ("1.1", [("H", "1.2"), ("L", "1.6"), ("H", "1.7"), ("U", "1.9")]),
    ("1.2", [("A", "1.3"), ("P", "1.4"), ("A", "1.5")]),
    ("1.3", [("Terminal", "0.1")]),
    ("1.4", [("Terminal", "0.2"), ("Terminal", "0.5")]),
    ("1.5", [("E", "1.10"), ("C", "1.11")]),
    ("1.6", [("Terminal", "0.6")]),
    ("1.7", [("P", "1.8"), ("A", "@1.3"), ("A", "1.12")]),
    ("1.8", [("Terminal", "0.7")]),
    ("1.9", [("Terminal", "0.8")]),
    ("1.10", [("Terminal", "0.3")]),
    ("1.11", [("Terminal", "0.4")]),
    ("1.12", []),
)


@pytest.fixture
def full_text(tmp_path: Path) -> Path:
    path = tmp_path / "toy.xml"
    path.write_text(FULL_TEXT, encoding="utf-8")
    return path


def test_frames_and_their_elements(full_text: Path) -> None:
    sold, bought, empty, unknown = FrameNetParser(full_text).parse(
        [f" {SOLD}", BOUGHT, EMPTY, "Unknown."]
    )
    assert {role: node.label for role, node in sold.roles().items()} == {
        "Verb": "sold", "Seller": "Ada", "Buyer": "Bob", "Goods": "a boat",
    }  # fmt: skip
    predicate = sold.roles()["Verb"]
    assert (predicate.feature("frame"), predicate.feature("lemma")) == ("Commerce_sell", "sell")
    assert predicate.span == (5, 9)  # behind the space
    assert [frame.predicate.label for frame in sold.frames()] == ["sold", "boat"]
    assert bought.roles()["Seller"].label == "from Ada"
    assert (empty.status, empty.reason) == (Status.FAILED, "no frame is annotated")
    assert "not in toy.xml" in unknown.reason


def test_lexical_units_name_their_frame_once(tmp_path: Path) -> None:
    path = tmp_path / "lu.xml.gz"
    layers = labels("Target", ("Target", 4, 7)) + labels("FE", ("Seller", 0, 2), ("Seller", 9, 11))
    text = f'<lexUnit frame="Commerce_sell"><subCorpus><sentence><text>{SOLD}</text>'
    text += f"<annotationSet>{layers}</annotationSet></sentence></subCorpus></lexUnit>"
    path.write_bytes(gzip.compress(text.encode()))
    (graph,) = FrameNetParser(path).parse([SOLD])
    assert graph.roles()["Verb"].feature("frame") == "Commerce_sell"
    assert graph.roles()["Seller"].parts == ((0, 3), (9, 12))


def test_frame_elements_are_compared_by_name(full_text: Path) -> None:
    method = load(
        "verbnet-cn", parser=f"framenet-stored:{full_text}", weights="framenet", vectors="builtin"
    )
    rows = {row.role: row for row in method.explain(SOLD, BOUGHT).rows}
    assert rows["Buyer"].cosine == pytest.approx(1)
    assert rows["Goods"].cosine == pytest.approx(1)
    verb = rows["Verb"].cosine
    assert -1 < verb < 1
    assert method.similarity(SOLD, BOUGHT) == pytest.approx((3 + verb) / 4, abs=1e-6)


def test_scenes_and_their_units(tmp_path: Path) -> None:
    path = tmp_path / "1.xml"
    path.write_text(GAVE_UP, encoding="utf-8")
    text = "Ada gave the book up and left."  # not set apart as the words of the file are
    graph, unknown = UccaParser(path).parse([text, "Unknown."])
    first, second = graph.frames()
    assert {role: node.label for role, node in first.phrases().items()} == {
        "Verb": "gave up", "A": "Ada", "A2": "the book",
    }  # fmt: skip
    assert first.predicate.parts == ((4, 8), (18, 20))
    assert {role: node.label for role, node in second.phrases().items()} == {
        "Verb": "left", "A": "Ada",
    }  # fmt: skip
    assert graph.text == text
    assert second.predicate.span == (25, 29)
    assert unknown.status is Status.FAILED


def test_a_folder_of_passages_is_compared(tmp_path: Path) -> None:
    scene = [("1.1", [("H", "1.2")]), ("1.2", [("A", "1.3"), ("P", "1.4")])]
    scene += [("1.3", [("Terminal", "0.1")]), ("1.4", [("Terminal", "0.2")])]
    for number, words in enumerate((["Cats", "sleep"], ["Dogs", "sleep"], ["Rain"])):
        text = passage(words, *(scene if len(words) > 1 else [*scene[:1], ("1.2", [])]))
        (tmp_path / f"{number}.xml").write_text(text, encoding="utf-8")
    method = load("verbnet-cn", parser=f"ucca-stored:{tmp_path}", weights="ucca", vectors="builtin")
    rows = {row.role: row for row in method.explain("Cats sleep", "Dogs sleep").rows}
    assert rows["Verb"].cosine == pytest.approx(1)
    assert 0 < rows["A"].cosine < 1
    (graph,) = UccaParser(tmp_path).parse(["Rain"])
    assert graph.reason == "the passage has no scene"


@pytest.mark.parametrize("inventory", [FRAMENET, UCCA])
def test_shipped_weights_are_of_their_inventory(inventory: object) -> None:
    scheme = read_scheme(inventory.name)
    assert scheme.inventory == inventory == INVENTORIES[inventory.name]
    assert set(scheme.weights) == {1.0}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("no XML", "is no XML"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "defines entities"),
        ("<a/>", "has no sentence of FrameNet"),
        (FULL_TEXT.replace('end="7"', 'end="70"'), "lies outside"),
    ],
)
def test_files_that_are_not_framenet(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "bad.xml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=problem):
        FrameNetParser(path)


def test_files_that_are_not_ucca(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no XML files"):
        UccaParser(tmp_path)
    path = tmp_path / "bad.xml"
    path.write_text("<a/>", encoding="utf-8")
    with pytest.raises(DataError, match="has no foundational layer"):
        UccaParser(path)
    path.write_text(GAVE_UP.replace('toID="1.11"', 'toID="1.99"'), encoding="utf-8")
    with pytest.raises(DataError, match=r"leads to '1\.99', which is no node"):
        UccaParser(path)
    with pytest.raises(DataError):
        read_xml(tmp_path / "missing.xml")
