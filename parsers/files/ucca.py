"""UCCA annotation read from its XML: scenes with their participants and adverbials.

UCCA (Abend and Rappoport 2013) sees a text as scenes, each with a process (P) or a state (S),
participants (A), adverbials (D), times (T) and the speaker's comments (G). Each scene becomes a
predicate with an edge to each of its units; units of the same category are numbered in text order:
A, A2, A3.

>>> import tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp(), "toy.xml")
>>> word = '<node ID="0.{0}" type="Word"><attributes text="{1}"/></node>'
>>> unit = '<node ID="1.{0}" type="FN"><edge toID="0.{1}" type="Terminal"/></node>'
>>> scene = ''.join(f'<edge toID="1.{i}" type="{tag}"/>' for i, tag in ((3, "A"), (4, "P")))
>>> _ = path.write_text('<root passageID="1"><layer layerID="0">' + word.format(1, "Cats")
...     + word.format(2, "sleep") + '</layer><layer layerID="1"><node ID="1.1" type="FN">'
...     + '<edge toID="1.2" type="H"/></node><node ID="1.2" type="FN">' + scene + '</node>'
...     + unit.format(3, 1) + unit.format(4, 2) + '</layer></root>')
>>> graph, = UccaParser(path).parse(["Cats sleep"])
>>> {role: node.label for role, node in graph.roles().items()}
{'Verb': 'sleep', 'A': 'Cats'}

The format is the standard XML of the package ``ucca`` (its page FORMAT.md), one passage a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

from compsim.errors import DataError
from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.nodes import Span
from compsim.parsers.files.stored_roles import StoredParser
from compsim.parsers.files.xml_files import local_name, read_xml

__all__ = ["UccaParser"]

_MAIN: Final = ("P", "S")
#: Categories of a scene's units that become roles.
_ROLES: Final = ("A", "D", "T", "G")
_TERMINAL: Final = "Terminal"
_PUNCTUATION: Final = "U"


@dataclass
class _Unit:
    """A node of a passage: the categories and identifiers of its units, and its word."""

    word: str = ""
    edges: list[tuple[str, str, bool]] = field(default_factory=list)


class UccaParser(StoredParser):
    """Looks UCCA passages up by their text, white space aside.

    ``path`` is an XML file of one passage, or a folder of such files. The main frame is the first
    of the scenes that are nearest to the top. Remote units, which a scene shares with another, are
    roles like its own; implicit ones have no words and are left out. A passage without a scene
    gives a failed graph. Raises ``DataError`` for a file that cannot be read or is no UCCA passage,
    and for a folder without any.
    """

    name = "ucca-stored"

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        files = sorted(self.path.glob("*.xml")) if self.path.is_dir() else [self.path]
        if not files:
            raise DataError(f"{self.path} has no XML files: give a folder of UCCA passages")
        read = [(read_xml(file), file) for file in files]
        graphs = [_Passage(root, file).graph(self.name) for (root, _), file in read]
        self._keep([(graph,) for graph in graphs], *(content for (_, content), _ in read))
        self._by_characters = {_squeezed(graph.text): graph for graph in reversed(graphs)}

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Return the stored graph of each sentence, a failed one for a sentence not stored."""
        results = [(self._by_characters.get(_squeezed(text)), text) for text in sentences]
        return [_over(graph, text) if graph else self._missing(text) for graph, text in results]


class _Passage:
    """The units of one file, its words set apart by one space."""

    def __init__(self, root: Element, path: Path) -> None:
        self._path = path
        self._units: dict[str, _Unit] = {}
        self._top = ""
        for layer in (one for one in root if local_name(one) == "layer"):
            for node in (one for one in layer if local_name(one) == "node"):
                self._read(node, layer.get("layerID", ""))
        if not self._top:
            raise DataError(f"{path} has no foundational layer of UCCA: is it the right file?")
        self._spans: dict[str, Span] = {}
        words = []
        place = 0
        for name, unit in self._units.items():
            if unit.word:
                self._spans[name] = place, place + len(unit.word)
                words.append(unit.word)
                place += len(unit.word) + 1
        self.text = " ".join(words)

    def _read(self, node: Element, layer: str) -> None:
        name = node.get("ID", "")
        unit = self._units.setdefault(name, _Unit())
        for one in node:
            kind = local_name(one)
            if kind == "attributes" and layer == "0":
                unit.word = one.get("text", "").strip()
            elif kind == "edge":
                remote = any(a.get("remote", "").lower() == "true" for a in one)
                unit.edges.append((one.get("type", ""), one.get("toID", ""), remote))
        if layer == "1" and not self._top:
            self._top = name

    def graph(self, parser: str) -> RoleGraph:
        """The scenes of the passage, those nearest to its top first."""
        nodes: list[Node] = []
        edges: list[Edge] = []
        for scene in self._scenes():
            hub = len(nodes)
            star = self._star(scene)
            if star is None:
                continue
            predicate, roles = star
            nodes.append(predicate)
            for role, node in roles:
                edges.append(Edge(hub, role, len(nodes)))
                nodes.append(node)
        if not nodes:
            return RoleGraph.failed(self.text, "the passage has no scene", parser)
        return RoleGraph(tuple(nodes), tuple(edges), 0, self.text, parser=parser)

    def _star(self, scene: str) -> tuple[Node, list[tuple[str, Node]]] | None:
        """The process or state of a scene and its other units; None where it has no words."""
        edges = self._units[scene].edges
        main = sorted({i for tag, to, _ in edges if tag in _MAIN for i in self._terminals(to)})
        if not main:
            return None
        units = sorted(
            (spans, tag) for tag, to, _ in edges if tag in _ROLES and (spans := self._terminals(to))
        )
        count: Counter[str] = Counter()
        roles = []
        for spans, tag in units:
            count[tag] += 1
            roles.append((tag if count[tag] == 1 else f"{tag}{count[tag]}", self._node(spans)))
        return self._node(main), roles

    def _scenes(self) -> Iterator[str]:
        """The units with a process or a state, level by level."""
        seen, level = {self._top}, [self._top]
        while level:
            yield from (
                name for name in level if any(e[0] in _MAIN for e in self._unit(name).edges)
            )
            below = [to for name in level for _, to, remote in self._unit(name).edges if not remote]
            level = [name for name in dict.fromkeys(below) if name not in seen]
            seen.update(level)

    def _unit(self, name: str) -> _Unit:
        if name not in self._units:
            raise DataError(f"{self._path}: an edge leads to {name!r}, which is no node: mend it")
        return self._units[name]

    def _terminals(self, name: str) -> list[Span]:
        """Return the spans of a unit's words, without punctuation and remote units."""
        seen, stack, result = {name}, [name], []
        while stack:
            unit = self._unit(stack.pop())
            for tag, to, remote in unit.edges:
                if tag == _TERMINAL and to in self._spans:
                    result.append(self._spans[to])
                elif not remote and tag != _PUNCTUATION and to not in seen:
                    seen.add(to)
                    stack.append(to)
        return sorted(result)

    def _node(self, words: list[Span]) -> Node:
        """The node of some words, those beside each other as one stretch."""
        spans: list[Span] = []
        for start, end in words:
            if spans and start <= spans[-1][1] + 1:
                spans[-1] = spans[-1][0], end
            else:
                spans.append((start, end))
        label = " ".join(self.text[start:end] for start, end in spans)
        whole = spans[0][0], spans[-1][1]
        return Node(label, whole, parts=tuple(spans) if len(spans) > 1 else ())


def _squeezed(text: str) -> str:
    """A text without white space."""
    return "".join(text.split())


def _over(graph: RoleGraph, text: str) -> RoleGraph:
    """The graph over a text that differs from its own in white space."""
    if text == graph.text:
        return graph
    here, there = (
        [i for i, character in enumerate(one) if not character.isspace()]
        for one in (graph.text, text)
    )
    place = dict(zip(here, there, strict=True))

    def moved(span: Span) -> Span:
        return place[span[0]], place[span[1] - 1] + 1

    nodes = [
        node
        if node.span is None
        else replace(node, span=moved(node.span), parts=tuple(map(moved, node.parts)))
        for node in graph.nodes
    ]
    shown = [
        replace(node, label=" ".join(text[start:end] for start, end in node.spans))
        for node in nodes
    ]
    return replace(graph, nodes=tuple(shown), text=text)
