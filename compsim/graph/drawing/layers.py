"""Layered layout of small graphs: positions of nodes, edges and labels, in plain Python.

The root stands on top and every edge leads downwards, whichever way its arrow points. An edge gets
a place of its own in each row that it crosses, one of them as wide as its label, so nothing covers
anything (after Sugiyama, Tagawa and Toda 1981; crossings are lowered by the barycentre heuristic).

>>> placed = layered([(60, 30), (40, 30)], [(0, 1)], [(30, 16)], root=0)
>>> placed.size, placed.centres
((60.0, 106.0), [(30.0, 15.0), (30.0, 91.0)])
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

__all__ = ["Placed", "Point", "Route", "Size", "downward", "layered"]

Point = tuple[float, float]
Size = tuple[float, float]

_ROW_GAP: Final = 15.0
_GAP: Final = 16.0
_PORT_GAP: Final = 14.0
_COMPONENT_GAP: Final = 36.0
_SWEEPS: Final = 12
_LOOP: Final = 30.0  # how far the edge from a node to itself reaches out


class Route(NamedTuple):
    """An edge from source to target: Bezier curves (1 + 3n points each) and its label's centre."""

    curves: list[list[Point]]
    label: Point


class Placed(NamedTuple):
    """The size of the whole, the centre of each node, the route of each edge; y runs down."""

    size: Size
    centres: list[Point]
    routes: list[Route]


def layered(
    boxes: Sequence[Size], edges: Sequence[tuple[int, int]], labels: Sequence[Size], root: int
) -> Placed:
    """Lay out nodes of the sizes ``boxes`` and edges (source, target) with labels of given sizes.

    Parts of a graph that hang together by no edge stand side by side, the root's part first.
    """
    depth, parts = downward(len(boxes), edges, root)
    part_of = {node: number for number, part in enumerate(parts) for node in part}
    centres: list[Point] = [(0.0, 0.0)] * len(boxes)
    routes = [Route([], (0.0, 0.0))] * len(edges)
    width = height = 0.0
    for number, part in enumerate(parts):
        own = [index for index, (source, _) in enumerate(edges) if part_of[source] == number]
        rows = _Rows(boxes, edges, labels, part, own, depth)
        left = width + _COMPONENT_GAP if number else 0.0
        size = rows.assign_coordinates(left)
        width, height = left + size[0], max(height, size[1])
        for node in part:
            centres[node] = rows.centre(node)
        for index in own:
            routes[index] = rows.route(index)
    return Placed((width, height), centres, routes)


def downward(
    size: int, edges: Sequence[tuple[int, int]], root: int
) -> tuple[list[int], list[list[int]]]:
    """Return the row of each node, and the connected parts with their nodes in reading order.

    Edges lead from the node nearer to the root, so there are no cycles left; a node's row is the
    longest way down to it. A part without the root starts at a node that no edge leads to, if any.
    """
    near: list[list[int]] = [[] for _ in range(size)]
    targets = set()
    for source, target in edges:
        if source != target:
            near[source].append(target)
            near[target].append(source)
            targets.add(target)
    order: dict[int, int] = {}
    parts: list[list[int]] = []
    for start in [root, *sorted(range(size), key=lambda node: node in targets)]:
        if start in order:
            continue
        order[start] = len(order)
        parts.append([start])
        queue = deque([start])
        while queue:
            for other in near[queue.popleft()]:
                if other not in order:
                    order[other] = len(order)
                    parts[-1].append(other)
                    queue.append(other)
    row = [0] * size
    for node in order:  # breadth first: whatever is above a node comes before it
        above = [row[other] + 1 for other in near[node] if order[other] < order[node]]
        row[node] = max(above, default=0)
    return row, parts


class _Rows:
    """One connected part: items (its nodes, and a place for each edge in each row) in rows.

    Node rows are even, rows of labels odd.
    """

    def __init__(
        self,
        boxes: Sequence[Size],
        edges: Sequence[tuple[int, int]],
        labels: Sequence[Size],
        nodes: list[int],
        own: list[int],
        depth: list[int],
    ) -> None:
        self._edges, self._labels = edges, labels
        self._sizes: list[Size] = [boxes[node] for node in nodes]
        self._item = {node: item for item, node in enumerate(nodes)}
        self._row = [2 * depth[node] for node in nodes]
        self._rows: list[list[int]] = [[] for _ in range(max(self._row) + 1)]
        for item, row in enumerate(self._row):
            self._rows[row].append(item)
        self._links: list[list[tuple[int, float]]] = [[] for _ in nodes]
        self._chains: dict[int, list[int]] = {}  # edge -> its items from top to bottom
        self._loops: dict[int, list[int]] = {}
        for edge in own:
            self._chain(edge)
        self._extra = [
            2 * sum(_LOOP + labels[loop][0] for loop in self._loops.get(item, []))
            for item in range(len(self._sizes))
        ]
        self._order()
        self._x = [0.0] * len(self._sizes)
        self._y = [0.0] * len(self._rows)
        self._ports: dict[tuple[int, int], float] = {}

    def _chain(self, edge: int) -> None:
        top, bottom = (self._item[node] for node in self._edges[edge])
        if top == bottom:
            self._loops.setdefault(top, []).append(edge)
            return
        if self._row[top] > self._row[bottom]:
            top, bottom = bottom, top
        first, last = self._row[top] + 1, self._row[bottom]
        middle = (first + last - 1) // 2 | 1
        chain = [top]
        for row in range(first, last):
            chain.append(len(self._sizes))
            self._rows[row].append(len(self._sizes))
            self._row.append(row)
            self._sizes.append(self._labels[edge] if row == middle else (0.0, 0.0))
            self._links.append([])
        chain.append(bottom)
        self._chains[edge] = chain
        for upper, lower in pairwise(chain):
            # Long edges are to be straight: the more so, the less they have nodes at their ends.
            ends = (upper == top) + (lower == bottom)
            weight = (4.0, 2.0, 1.0)[ends]
            self._links[upper].append((lower, weight))
            self._links[lower].append((upper, weight))

    def _order(self) -> None:
        """Order the items of each row so that few edges cross."""
        best, fewest = [list(row) for row in self._rows], self._crossings()
        for sweep in range(_SWEEPS):
            if not fewest:
                break
            step = 1 if sweep % 2 == 0 else -1
            for row in range(len(self._rows))[::step]:
                beside = row - step
                if not 0 <= beside < len(self._rows):
                    continue
                place = {item: i for i, item in enumerate(self._rows[beside])}
                keys = {}
                for i, item in enumerate(self._rows[row]):
                    near = [place[other] for other, _ in self._links[item] if other in place]
                    keys[item] = sum(near) / len(near) if near else float(i)
                self._rows[row].sort(key=keys.__getitem__)
            crossings = self._crossings()
            if crossings < fewest:
                best, fewest = [list(row) for row in self._rows], crossings
        self._rows = best

    def _crossings(self) -> int:
        count = 0
        for upper, lower in pairwise(self._rows):
            place = {item: i for i, item in enumerate(lower)}
            ends = [
                place[other]
                for item in upper
                for other in sorted(
                    (other for other, _ in self._links[item] if other in place),
                    key=place.__getitem__,
                )
            ]
            count += sum(
                ends[i] > ends[j] for i in range(len(ends)) for j in range(i + 1, len(ends))
            )
        return count

    def assign_coordinates(self, left: float) -> Size:
        """Give every item its x and every row its y; return the width and height."""
        for _ in range(_SWEEPS):
            for row in self._rows:
                self._align_to_neighbours(row)
            for row in reversed(self._rows):
                self._align_to_neighbours(row)
        for row in reversed(self._rows):  # at last, parents over their children
            self._align_to_neighbours(row, children_only=True)
        widths = [size[0] + extra for size, extra in zip(self._sizes, self._extra, strict=True)]
        low = min(x - width / 2 for x, width in zip(self._x, widths, strict=True))
        high = max(x + width / 2 for x, width in zip(self._x, widths, strict=True))
        self._x = [x - low + left for x in self._x]
        y = -_ROW_GAP
        for number, row in enumerate(self._rows):
            height = max(self._sizes[item][1] for item in row)
            self._y[number] = y + _ROW_GAP + height / 2
            y += _ROW_GAP + height
        self._spread_ports()
        return high - low, y

    def _align_to_neighbours(self, row: list[int], children_only: bool = False) -> None:
        """Move a row's items to the mean of their neighbours, as near as order and widths allow.

        That is isotonic regression, by pooling adjacent violators.
        """
        reach = [(self._sizes[item][0] + self._extra[item]) / 2 for item in row]
        offsets = list(accumulate((a + _GAP + b for a, b in pairwise(reach)), initial=0.0))
        blocks: list[list[float]] = []  # sum of weighted wishes, sum of weights, items
        for item, offset in zip(row, offsets, strict=True):
            links = self._links[item]
            if children_only:
                below = self._row[item] + 1
                links = [link for link in links if self._row[link[0]] == below] or [(item, 1.0)]
            weight = sum(weight for _, weight in links) or 1.0
            wish = sum(self._x[other] * weight for other, weight in links)
            blocks.append([wish - weight * offset, weight, 1])
            while len(blocks) > 1 and _mean(blocks[-2]) > _mean(blocks[-1]):
                last = blocks.pop()
                blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
        means = [_mean(block) for block in blocks for _ in range(int(block[2]))]
        for item, mean, offset in zip(row, means, offsets, strict=True):
            self._x[item] = mean + offset

    def _spread_ports(self) -> None:
        """Spread the ends of edges along a node, in the order of their targets."""
        below: dict[int, list[tuple[float, int]]] = {}
        above: dict[int, list[tuple[float, int]]] = {}
        for edge, chain in self._chains.items():
            below.setdefault(chain[0], []).append((self._x[chain[1]], edge))
            above.setdefault(chain[-1], []).append((self._x[chain[-2]], edge))
        for side, ends in enumerate((below, above)):
            for item, result in ends.items():
                step = min(_PORT_GAP, 0.7 * self._sizes[item][0] / len(result))
                for i, (_, edge) in enumerate(sorted(result)):
                    shift = (i - (len(result) - 1) / 2) * step
                    self._ports[edge, side] = self._x[item] + shift

    def centre(self, node: int) -> Point:
        """The centre of a node."""
        item = self._item[node]
        return self._x[item], self._y[self._row[item]]

    def route(self, edge: int) -> Route:
        """Return the curve of an edge, interrupted by its label."""
        source, target = self._edges[edge]
        if source == target:
            return self._loop(edge)
        chain = self._chains[edge]
        label = next(item for item in chain[1:-1] if self._sizes[item] == self._labels[edge])
        top, bottom = chain[0], chain[-1]
        points = [(self._ports[edge, 0], self._y[self._row[top]] + self._sizes[top][1] / 2)]
        halves = []
        for item in chain[1:-1]:
            x, y = self._x[item], self._y[self._row[item]]
            if item == label:
                reach = self._sizes[item][1] / 2
                halves.append([*points, (x, y - reach)])
                points = [(x, y + reach)]
            else:
                points.append((x, y))
        points.append(
            (self._ports[edge, 1], self._y[self._row[bottom]] - self._sizes[bottom][1] / 2)
        )
        curves = [_curve(half) for half in [*halves, points]]
        if self._item[source] != top:
            curves = [curve[::-1] for curve in reversed(curves)]
        return Route(curves, (self._x[label], self._y[self._row[label]]))

    def _loop(self, edge: int) -> Route:
        item = self._item[self._edges[edge][0]]
        loops = self._loops[item]
        place = loops.index(edge)
        x, y = self._x[item] + self._sizes[item][0] / 2, self._y[self._row[item]]
        out = x + sum(_LOOP + self._labels[loop][0] for loop in loops[:place]) + _LOOP
        reach = self._sizes[item][1] / 2 * (0.5 + place / len(loops) / 2)
        bend = (
            x + (out - x) / 0.75
        )  # the curve goes three quarters of the way to its control points
        curve = [(x, y - reach), (bend, y - reach - 4), (bend, y + reach + 4), (x, y + reach)]
        return Route([curve], (out + self._labels[edge][0] / 2, y))


def _mean(block: Sequence[float]) -> float:
    return block[0] / block[1]


def _curve(points: Iterable[Point]) -> list[Point]:
    """A Bezier curve through points, upright at each."""
    start, *rest = points
    curve = [start]
    for x, y in rest:
        middle = (curve[-1][1] + y) / 2
        curve += [(curve[-1][0], middle), (x, middle), (x, y)]
    return curve
