"""Graphviz's layout of a graph, through the pygraphviz package, whose wheels bring Graphviz along.

Takes and gives what :func:`compsim.layered.layered` does, so either can stand under a drawing.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from compsim.errors import MissingExtraError
from compsim.layered import Placed, Point, Route, Size, downward

__all__ = ["graphviz"]

_INCH = 72.0  # points; Graphviz counts in inches, y upwards


def graphviz(
    boxes: Sequence[Size],
    edges: Sequence[tuple[int, int]],
    labels: Sequence[Size],
    root: int,
) -> Placed:
    """Lay out with Graphviz's ``dot``; raises MissingExtraError where pygraphviz is not installed.

    As in the layered layout every edge leads away from the root, whichever way its arrow points.
    """
    try:
        import pygraphviz  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise MissingExtraError(
            "Graphviz's layout needs pygraphviz, which is not installed: run "
            'pip install "compsim[draw]", or leave layout= out',
            name="pygraphviz",
        ) from error

    rows, _ = downward(len(boxes), edges, root)
    turned = [rows[source] > rows[target] for source, target in edges]
    lines = list(_source(boxes, edges, labels, turned))
    graph = pygraphviz.AGraph(string="\n".join(lines))
    try:
        plain = graph.draw(format="plain", prog="dot").decode()
    finally:
        graph.close()
    return _read(plain, len(boxes), edges, turned)


def _source(
    boxes: Sequence[Size],
    edges: Sequence[tuple[int, int]],
    labels: Sequence[Size],
    turned: Sequence[bool],
) -> Iterator[str]:
    yield 'digraph { node [shape=box fixedsize=true label=""] ranksep=0.3 nodesep=0.25'
    for number, (width, height) in enumerate(boxes):
        yield f"{number} [width={width / _INCH:.4f} height={height / _INCH:.4f}]"
    for number, ((source, target), back) in enumerate(zip(edges, turned, strict=True)):
        start, end = (target, source) if back else (source, target)
        width, height = labels[number]
        # A table of fixed size stands for the label: Graphviz need not know the font.
        cell = f'<<table border="0" fixedsize="true" width="{width + 6:.0f}" height="{height:.0f}">'
        cell += "<tr><td></td></tr></table>>"
        yield f"{start} -> {end} [label={cell} arrowhead=none id={number}]"
    yield "}"


def _read(
    plain: str, size: int, edges: Sequence[tuple[int, int]], turned: Sequence[bool]
) -> Placed:
    """Read the ``plain`` format; edges of the same two nodes come in their order."""
    waiting: dict[tuple[int, int], list[int]] = {}
    for number, ((source, target), back) in enumerate(zip(edges, turned, strict=True)):
        waiting.setdefault((target, source) if back else (source, target), []).append(number)
    whole = (0.0, 0.0)
    centres: list[Point] = [(0.0, 0.0)] * size
    routes = [Route([], (0.0, 0.0))] * len(edges)
    for line in plain.splitlines():
        kind, *fields = shlex.split(line)
        if kind == "graph":
            whole = (float(fields[1]) * _INCH, float(fields[2]) * _INCH)
        elif kind == "node":
            centres[int(fields[0])] = _point(fields[1:3], whole)
        elif kind == "edge":
            number = waiting[int(fields[0]), int(fields[1])].pop(0)
            count = int(fields[2])
            ends = fields[3 : 3 + 2 * count]
            curve = [_point(ends[i : i + 2], whole) for i in range(0, len(ends), 2)]
            if turned[number]:
                curve.reverse()
            label = _point(fields[4 + 2 * count : 6 + 2 * count], whole)
            routes[number] = Route([curve], label)
    return Placed(whole, centres, routes)


def _point(fields: Sequence[str], whole: Size) -> Point:
    return float(fields[0]) * _INCH, whole[1] - float(fields[1]) * _INCH
