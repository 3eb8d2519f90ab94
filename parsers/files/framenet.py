"""FrameNet annotation read from its XML: frames, their targets and their frame elements.

>>> import tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp(), "toy.xml")
>>> _ = path.write_text('''<fullTextAnnotation><sentence><text>Ada sold a boat.</text>
... <annotationSet frameName="Commerce_sell" luName="sell.v"><layer name="Target" rank="1">
... <label name="Target" start="4" end="7"/></layer><layer name="FE" rank="1">
... <label name="Seller" start="0" end="2"/><label name="Goods" start="9" end="14"/></layer>
... </annotationSet></sentence></fullTextAnnotation>''')
>>> graph, = FrameNetParser(path).parse(["Ada sold a boat."])
>>> {role: node.label for role, node in graph.roles().items()}
{'Verb': 'sold', 'Seller': 'Ada', 'Goods': 'a boat'}

The files are those of the FrameNet releases (Baker, Fillmore and Lowe 1998), full texts
(``fulltext/*.xml``) or lexical units (``lu/*.xml``); compsim ships none.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

from compsim.errors import DataError
from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.nodes import Span
from compsim.parsers.files.stored_roles import StoredParser
from compsim.parsers.files.xml_files import local_name, read_xml

__all__ = ["FrameNetParser"]

_TARGET: Final = "Target"
_ELEMENTS: Final = "FE"
#: What a role cannot be written with.
_UNWRITABLE: Final = re.compile(r"[\s\"()/:~]+")


class FrameNetParser(StoredParser):
    """Looks FrameNet annotation up by sentence, white space aside.

    ``path`` is an XML file of FrameNet's full texts or lexical units. A frame is a predicate, its
    target, with the feature ``frame``, and an edge to the phrase of each frame element; null
    instantiations have no phrase and are left out, and of labels that overlap, the first of a name
    counts. The main frame is that of the verb whose target and elements have most characters; where
    no verb has a frame, that of another word. A sentence without an annotated frame gives a failed
    graph. Raises ``DataError`` for a file that cannot be read, is no FrameNet XML, or has a label
    outside its sentence.
    """

    name = "framenet-stored"

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        root, content = read_xml(self.path)
        frame = root.get("frame", "")
        results: list[tuple[RoleGraph, ...]] = [
            (self._graph(sentence, frame),)
            for sentence in root.iter()
            if local_name(sentence) == "sentence"
        ]
        if not results:
            raise DataError(f"{self.path} has no sentence of FrameNet: is it the right file?")
        self._keep(results, content)

    def _graph(self, sentence: Element, frame: str) -> RoleGraph:
        """The graph of a sentence; ``frame`` is that of the file, which sets of labels may name."""
        text = next((one.text or "" for one in sentence if local_name(one) == "text"), "")
        stars: list[tuple[tuple[bool, int], Node, dict[str, Node]]] = []
        for labels in sentence:
            if local_name(labels) != "annotationSet":
                continue
            name = labels.get("frameName", frame)
            target, elements = self._labels(labels, text)
            if name and target is not None:
                unit = labels.get("luName", "")
                lemma, _, pos = unit.rpartition(".")
                features = [("frame", name)]
                features += [("lemma", lemma)] if lemma else []
                predicate = Node(
                    target.label, target.span, parts=target.parts, features=tuple(features)
                )
                size = sum(map(_length, (target, *elements.values())))
                stars.append(((pos == "v", size), predicate, elements))
        if not stars:
            return RoleGraph.failed(text, "no frame is annotated", self.name)
        main = max(range(len(stars)), key=lambda i: (stars[i][0], -i))
        order = [main, *(i for i in range(len(stars)) if i != main)]
        nodes: list[Node] = []
        edges: list[Edge] = []
        for _, predicate, elements in (stars[i] for i in order):
            hub = len(nodes)
            nodes.append(predicate)
            for role, node in elements.items():
                edges.append(Edge(hub, role, len(nodes)))
                nodes.append(node)
        return RoleGraph(tuple(nodes), tuple(edges), 0, text, parser=self.name)

    def _labels(self, labels: Element, text: str) -> tuple[Node | None, dict[str, Node]]:
        """The target of a set of labels, None where it has none, and its frame elements."""
        target: list[Span] = []
        elements: dict[str, tuple[str, list[Span]]] = {}
        for layer in labels:
            for label in layer:
                kind, name = layer.get("name"), label.get("name", "")
                if kind not in (_TARGET, _ELEMENTS) or label.get("start") is None:
                    continue
                span = self._span(label, text)
                if kind == _TARGET:
                    target.append(span)
                    continue
                rank = layer.get("rank", "")
                role = _UNWRITABLE.sub("_", name)
                first, spans = elements.setdefault(role, (rank, []))
                if first == rank:
                    spans.append(span)
        filled = {role: _phrase(text, spans) for role, (_, spans) in elements.items()}
        return (_phrase(text, target) if target else None), filled

    def _span(self, label: Element, text: str) -> Span:
        """The characters of a label, whose last one the file names."""
        start, end = label.get("start", ""), label.get("end", "")
        if start.isdecimal() and end.isdecimal() and int(start) <= int(end) < len(text):
            return int(start), int(end) + 1
        raise DataError(
            f"{self.path}: a label {label.get('name')!r} from {start!r} to {end!r} lies outside "
            f"{text!r}: mend the file"
        )


def _phrase(text: str, spans: list[Span]) -> Node:
    """The node of one stretch of text or of several."""
    spans = sorted(spans)
    label = " ".join(text[start:end] for start, end in spans)
    return Node(label, (spans[0][0], spans[-1][1]), parts=tuple(spans) if len(spans) > 1 else ())


def _length(node: Node) -> int:
    return sum(end - start for start, end in node.spans)
