"""Role graphs in PENMAN notation, there and back without loss.

The notation carries labels, roles and structure; a ``# ::snt`` comment carries the text and one
``# ::compsim`` comment, a JSON object, what the notation has no place for: status, reason, parser,
character spans, senses and PropBank labels, and the order of nodes or edges where it is not the
order of reading.  Phrases get variables ``v0``, ``v1``, ... that count only inside the text.
Stars that share no phrase hang below one ``multi-sentence`` node, as in AMR.

>>> from compsim.graph import RoleGraph
>>> print(to_penman(RoleGraph.star("", {"Verb": "chase", "Agent": "the dog"})))
# ::compsim {"unnamed":"all"}
(v0 / chase
    :Agent (v1 / "the dog"))
>>> from_penman('(e / eat-01 :ARG0-of (w / want-01) :polarity -)').edges
(Edge(source=1, role='ARG0', target=0, propbank=None), Edge(source=0, role='polarity', target=2, \
propbank=None))
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from compsim.errors import DataError, InputError
from compsim.graph import Edge, Node, RoleGraph, Status
from compsim.graph.nodes import FORWARD_OF_ROLES
from compsim.graph.penman_layout import FRAGILE, Layout, quote

if TYPE_CHECKING:
    import penman

__all__ = ["from_penman", "read_penman", "to_penman"]


def to_penman(graph: RoleGraph) -> str:
    """Write ``graph`` in PENMAN notation with its comments; ``()`` for a graph without nodes.

    Raises InputError for a graph nested more deeply than the penman package can write.
    """
    import penman

    layout = Layout(graph)
    metadata = {}
    sentence = " ".join(graph.text.split())
    plain = not (FRAGILE.search(sentence) or "::" in sentence)
    if sentence and plain:
        metadata["snt"] = sentence
    extras = layout.extras()
    if graph.text != metadata.get("snt", ""):
        extras["text"] = graph.text
    if extras:
        metadata["compsim"] = quote(extras).replace("::", r":\u003a")
    try:
        return str(penman.format(penman.Tree(layout.tree, metadata=metadata)))
    except RecursionError:
        raise InputError(
            "the graph is nested too deeply for PENMAN notation: write it with to_json()"
        ) from None


def from_penman(text: str) -> RoleGraph:
    """Read the one graph in ``text``; raises DataError if there is none, several or a bad one."""
    try:
        graphs = list(read_penman(text))
    except _TooDeepError:
        # The reader of AMRs needs no recursion. Its graphs lack what to_penman adds in a comment,
        # but to_penman writes no graph that is nested so deeply.
        from compsim.graph.penman_reader import read_amr

        graphs = list(read_amr(text))
    if len(graphs) != 1:
        raise DataError(
            f"expected one PENMAN graph, found {len(graphs)}: read several with read_penman()"
        )
    return graphs[0]


class _TooDeepError(DataError):
    """A graph that the penman package cannot read."""


def read_penman(lines: str | Iterable[str]) -> Iterator[RoleGraph]:
    """Yield the graphs in a string or an open file, in order; raises DataError at a bad one."""
    import penman
    from penman.models.amr import model

    graphs = penman.iterdecode(lines, model=model)
    while True:
        try:
            decoded = next(graphs, None)
        except penman.PenmanError as error:
            what = " ".join(str(error).split())
            raise DataError(f"malformed PENMAN ({what}): mend the graph there") from error
        except RecursionError:
            raise _TooDeepError(
                "a PENMAN graph is nested too deeply to be read here: use compsim.amr.read_amr()"
            ) from None
        if decoded is None:
            return
        yield _graph(decoded)


def _graph(decoded: penman.Graph) -> RoleGraph:
    """Turn penman's triples into a role graph, nodes in order of first mention."""
    metadata: Mapping[str, str] = decoded.metadata
    extras = _extras(metadata)
    variables = decoded.variables()
    labels: dict[str, str] = {}
    names: list[str | None] = []  # variable of each node, None for a constant
    constants: dict[int, str] = {}
    place: dict[str, int] = {}
    edges: list[tuple[int, str, int]] = []

    def node(variable: str) -> int:
        if variable not in place:
            place[variable] = len(names)
            names.append(variable)
        return place[variable]

    top = decoded.top
    forest = extras.get("forest") is True
    for source, role, target in decoded.triples:
        if source is None or (forest and source == top):  # "()", or the node above the stars
            continue
        start = node(source)
        if role == ":instance":
            labels[source] = _unquote(target)
            continue
        if target in variables:
            end = node(target)
        else:
            end = len(names)
            names.append(None)
            constants[end] = _unquote(target)
            if role.endswith("-of") and role[1:] not in FORWARD_OF_ROLES:
                # penman turns no edge from a constant
                start, role, end = end, role.removesuffix("-of"), start
        edges.append((start, role.removeprefix(":"), end))

    size = len(names)
    try:
        node_order = _permutation(extras.get("nodes"), size)
        edge_order = _permutation(extras.get("edges"), len(edges))
        unnamed = extras.get("unnamed", [])
        hidden = set(range(size)) if unnamed == "all" else {int(index) for index in unnamed}
        spans = _column(extras, "spans", size)
        parts = _column(extras, "parts", size)
        senses = _column(extras, "senses", size)
        propbank = _column(extras, "propbank", len(edges))
        nodes: list[Node] = [Node("")] * size
        for read, index in enumerate(node_order):
            name = names[read]
            nodes[index] = Node(
                constants[read] if name is None else labels.get(name, ""),
                None if spans[index] is None else _span(spans[index]),
                senses[index],
                None if index in hidden else name,
                tuple(_span(part) for part in parts[index] or ()),
            )
        ordered: list[Edge] = [Edge(0, "", 0)] * len(edges)
        for read, index in enumerate(edge_order):
            start, role, end = edges[read]
            ordered[index] = Edge(node_order[start], role, node_order[end], propbank[index])
        root = None
        if size:
            # The main star stands first in a forest, so its top is the first node mentioned.
            root = node_order[0 if forest else place[top]]
        return RoleGraph(
            tuple(nodes),
            tuple(ordered),
            root,
            extras.get("text", _sentence(metadata)),
            Status(extras.get("status", Status.OK)),
            extras.get("reason", ""),
            extras.get("parser", ""),
        )
    except (TypeError, ValueError) as error:
        raise DataError(f"a PENMAN graph does not fit its comment ({error}): mend one") from error


def _sentence(metadata: Mapping[str, str]) -> str:
    """Return the ``::snt`` comment; some corpora number it, ``::snt-17``."""
    keys = (key for key in metadata if key == "snt" or key.startswith("snt-"))
    return metadata.get(next(keys, ""), "")


def _extras(metadata: Mapping[str, str]) -> dict[str, Any]:
    if "compsim" not in metadata:
        return {}
    try:
        extras = json.loads(metadata["compsim"])
    except ValueError as error:
        raise DataError(f"the ::compsim comment is not JSON ({error}): mend or drop it") from error
    if not isinstance(extras, dict):
        raise DataError("the ::compsim comment is not a JSON object: mend or drop it")
    return extras


def _column(extras: Mapping[str, Any], key: str, size: int) -> list[Any]:
    column = extras.get(key)
    if column is None:
        return [None] * size
    if not isinstance(column, list) or len(column) != size:
        raise ValueError(f"{key} must list {size} entries")
    return column


def _permutation(order: Any, size: int) -> list[int]:
    if order is None:
        return list(range(size))
    if not isinstance(order, list) or sorted(order) != list(range(size)):
        raise ValueError(f"an order must be a permutation of {size} indices")
    return order


def _span(data: Any) -> tuple[int, int]:
    start, end = data
    return int(start), int(end)


def _unquote(value: str | None) -> str:
    """Undo ``_quote``; a foreign string with escapes that JSON lacks just loses its backslashes."""
    if value is None:
        return ""
    if not (len(value) > 1 and value[0] == value[-1] == '"'):
        return value
    try:
        return str(json.loads(value, strict=False))
    except ValueError:
        return re.sub(r"\\(.)", r"\1", value[1:-1])
