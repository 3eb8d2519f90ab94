"""Plots for a page: bars, lines, points, histograms and grids, drawn by vl-convert (Vega-Lite).

Every plot is as wide as a phone (its text has 12 pixels there, and grows with the plot to a desk's)
and stands in a ``<figure>``. Names stand beside what they name, so that no colour must be told from
another, and an image's name says what it answers.

Why vl-convert and not matplotlib: it is one wheel (88 MB; matplotlib and the seven packages that it
needs come to 96 MB), is imported in 0.07 s (0.8 s), passes colours such as ``var(--s0)`` on where
matplotlib wants to know them, writes text as text in a font whose widths every system knows (Arial,
or Liberation Sans or DejaVu Sans Condensed, which are as wide), and names each mark. Both work
without a network.

>>> bars(["verbnet-cn"], {"all": [0.722]}, (0.0, 1.0), title="How well?")[:21]
'<figure class="plot">'
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.report.vega import (
    COLOURS,
    MARKERS,
    POINT,
    STYLE,
    WIDTH,
    colour,
    drawing,
    figure,
    finite,
    folded,
    label_axis,
    layer,
    line_key,
    numbers,
    one_line,
    said,
    shape,
    symbols,
    wide,
)

__all__ = ["MARKERS", "STYLE", "Points", "bars", "dots", "grid", "histogram", "points"]

#: Lines of bars in one drawing, which no end of a page shall cut.
_PAGE: Final = 36
_DIAMOND: Final = "M0,-1L1,0L0,1L-1,0Z"

Interval = tuple[float, float]
Series = Mapping[str, Sequence[float | None]]
Intervals = Mapping[str, Sequence[Interval | None]]


class Points(NamedTuple):
    """One colour of a scatter plot: x and y (n,), and what each point is called, "" for nothing."""

    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    names: Sequence[str]


def bars(
    groups: Sequence[str],
    series: Series,
    limits: Interval = (0.0, 1.0),
    *,
    title: str,
    intervals: Intervals | None = None,
    published: Series | None = None,
    ceiling: float | None = None,
    cut: float = math.inf,
) -> str:
    """Horizontal bars under the name of each group, each beside its own name and before its value.

    :param groups: names of the groups; where there is one series they stand beside the bars.
    :param series: for each name one value for each group; ``None`` leaves the bar out.
    :param limits: the axis, longer where a value or an end of an interval lies beyond it.
    :param title: what a screen reader says of the plot.
    :param intervals: two ends for the values of some series, drawn as whiskers.
    :param published: what others found for the values of some series, drawn as diamonds.
    :param ceiling: a dashed line across all bars.
    :param cut: where longer bars end, lest one of them make the others too short to compare.
    :returns: HTML.
    :raises MissingExtraError: where vl-convert is not installed.
    """
    lines = _bar_lines(groups, series, intervals or {}, published or {})
    drawn = [line for group in lines for line in group if "v" in line]
    if not drawn:
        return ""
    given = [line[key] for line in drawn for key in ("v", "low", "high", "other") if key in line]
    given += [*limits, *([ceiling] if ceiling is not None else [])]
    ends = min(given), min(max(given), cut)
    extent = max(wide(line["label"]) for line in drawn) + 8
    over, keys = [], []
    if ceiling is not None:
        over.append(one_line({"strokeDash": [5, 4]}, ceiling))
        keys.append((line_key('M0,-5V5" stroke-dasharray="3 2'), f"ceiling {ceiling:.3f}"))
    if any("low" in line for line in drawn):
        keys.append((line_key("M-5,0H5"), "95 % interval"))
    if any("other" in line for line in drawn):
        keys.append((line_key("M0,-4L4,0L0,4L-4,0Z"), "as published"))
    plots = []
    for part in _pages(lines):
        rows = [{**line, "i": i} for i, line in enumerate(part)]
        layers = [*_bar_layers([line["label"] for line in part], ends, extent), *over]
        plots.append(drawing(rows, layers, title, height={"step": 18}))
    return figure(*plots, keys=keys)


def _pages(groups: Sequence[Sequence[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """The lines of groups, as many together as fit on a sheet of paper; none is taken apart."""
    pages: list[list[dict[str, Any]]] = [[]]
    for group in groups:
        if pages[-1] and len(pages[-1]) + len(group) > _PAGE:
            pages.append([])
        pages[-1] += group
    return pages


def _bar_lines(
    groups: Sequence[str], series: Series, intervals: Intervals, published: Series
) -> list[list[dict[str, Any]]]:
    """The lines of each group, each with what stands beside it: a heading, bars, long names."""
    none = [None] * len(groups)
    alone = len(series) == 1 and max(map(len, groups), default=0) <= 26
    results = []
    for place, group in enumerate(groups):
        heads = [] if alone else folded(group, 48)
        lines: list[dict[str, Any]] = [{"label": "", "head": part} for part in heads]
        for number, (name, values) in enumerate(series.items()):
            value = finite(values[place])
            if value is None:
                continue
            # What is too long for one line stands in the lines above, which have no bar.
            *above, label = folded(group if alone else "" if len(series) == 1 else name, 24)
            lines += [{"label": part} for part in above]
            line = {"label": label, "v": value, "of": f"s{number % COLOURS}", "s": said(value)}
            result = f"{group}, {name}: {said(value)}"
            if (ends := intervals.get(name, none)[place]) is not None:
                line |= {"low": ends[0], "high": ends[1]}
                result += f" [{said(ends[0])}, {said(ends[1])}]"
            if (other := finite(published.get(name, none)[place])) is not None:
                line["other"] = other
                result += f", published {said(other)}"
            lines.append({**line, "told": result})
        results.append(lines)
    return results


def _bar_layers(labels: Sequence[str], limits: Interval, extent: float) -> list[dict[str, Any]]:
    """The bars between limits, and what is drawn over and beside them; labels have an extent."""
    places = {"domain": list(range(len(labels))), "paddingInner": 0.2}
    y = {"field": "i", "type": "ordinal", "scale": places}
    axis = label_axis(labels, labelPadding=6, minExtent=extent, maxExtent=extent)
    x = numbers("v", limits)
    x["scale"]["clamp"] = True
    x["axis"] = {"tickCount": max(int((WIDTH - 55 - extent) / 45), 2)}
    head = {"type": "text", "align": "left", "baseline": "middle", "fontWeight": "bold", "dy": 2}
    other = {"type": "point", "shape": _DIAMOND, "size": 60, "aria": False}
    other |= {"stroke": "currentColor", "fill": "Canvas"}
    ends = {"x": numbers("low"), "x2": {"field": "high"}, "y": y}
    value = {"x": {"value": {"expr": "width + 46"}}, "y": y, "text": {"field": "s"}}
    heading = {"x": {"value": -extent}, "y": y, "text": {"field": "head"}}
    return [
        layer(
            {"type": "bar", "height": {"band": 1.0}},
            {"x": x, "y": {**y, "axis": axis}, "color": colour()},
            "datum.v != null",
        ),
        one_line({"opacity": 0.7}, 0.0),
        layer({"type": "rule", "strokeWidth": 1.5}, ends, "datum.low != null"),
        layer(other, {"x": numbers("other"), "y": y}, "datum.other != null"),
        layer({"type": "text", "align": "right"}, value, "datum.v != null"),
        layer(head, heading, "datum.head != null"),
    ]


def dots(groups: Sequence[str], series: Series, *, title: str) -> str:
    """A line through one dot for each group, for each series; for groups that have an order.

    :param groups: what stands below the dots, "" for nothing.
    :param series: for each name one value for each group; ``None`` leaves a gap.
    :param title: what a screen reader says of the plot.
    :returns: HTML.
    :raises MissingExtraError: where vl-convert is not installed.
    """
    lines = [
        {"x": place, "v": value, "of": f"s{number % COLOURS}", "n": number}
        | {"told": f"{group}, {name}: {said(value)}"}
        for number, (name, values) in enumerate(series.items())
        for place, (group, given) in enumerate(zip(groups, values, strict=True))
        if (value := finite(given)) is not None
    ]
    if not lines:
        return ""
    named = [i for i, group in enumerate(groups) if group]
    room = max(int((WIDTH - 50) / max(len(named), 1) / 6.2), 3)
    axis = label_axis([folded(group, room) for group in groups], values=named)
    x = {**numbers("x", (-0.4, len(groups) - 0.6)), "axis": axis}
    y = {**numbers("v"), "scale": {"zero": False, "nice": True}}
    encoded = {"x": x, "y": y, "color": colour()}
    layers = [
        layer({"type": "line", "opacity": 0.7, "aria": False}, encoded),
        layer(
            {"type": "point", "filled": True, "size": 60, "opacity": 1},
            {**encoded, "shape": shape(len(series))},
        ),
    ]
    return figure(drawing(lines, layers, title, height=210), keys=symbols(series))


def points(series: Mapping[str, Points], *, title: str, across: str, up: str) -> str:
    """A scatter plot; both axes are as long as the values need.

    :param series: the points of each kind.
    :param title: what a screen reader says of the plot.
    :param across: what x is.
    :param up: what y is.
    :returns: HTML.
    :raises MissingExtraError: where vl-convert is not installed.
    """
    lines = [
        {"x": x, "y": y, "of": f"s{number % COLOURS}", "n": number, "told": name}
        for number, part in enumerate(series.values())
        for x, y, name in zip(part.x.tolist(), part.y.tolist(), part.names, strict=True)
    ]
    if not lines:
        return ""
    free = {"scale": {"zero": False, "nice": True}}
    x = {**numbers("x"), **free, "axis": {"title": folded(across, 44), "tickCount": 6}}
    y = {**numbers("y"), **free, "axis": {"title": folded(up, 44)}}
    drawn = {"x": x, "y": y, "color": colour(), "shape": shape(len(series))}
    marks = [
        layer({**POINT, "aria": False}, drawn, "datum.told == ''"),
        layer(POINT, drawn, "datum.told != ''"),
    ]
    return figure(drawing(lines, marks, title, height=300), keys=symbols(series))


def grid(rows: Mapping[str, Mapping[str, float | None]], *, title: str = "") -> str:
    """A heat map of values from 0 to 1, the darker the higher; ``None`` leaves a gap.

    Columns are called by numbers, which the legend explains, where their names are too long.

    :param rows: the values of each row by their columns.
    :param title: what a screen reader says of the plot.
    :returns: HTML.
    :raises MissingExtraError: where vl-convert is not installed.
    """
    columns = list(dict.fromkeys(name for row in rows.values() for name in row))
    cells = [
        {"i": i, "j": columns.index(name), "v": value, "s": f"{value:.2f}"}
        | {"told": f"{group}, {name}: {value:.3f}"}
        for i, (group, row) in enumerate(rows.items())
        for name, given in row.items()
        if (value := finite(given)) is not None
    ]
    if not cells:
        return ""
    left = [folded(name, 16) for name in rows]
    above, keys = list(columns), []
    if max(map(wide, above)) > (WIDTH - max(map(wide, left)) - 8) / len(columns) - 4:
        above = [f"{number}" for number, _ in enumerate(columns, 1)]
        keys = [(f"{number}: ", name) for number, name in enumerate(columns, 1)]
    x: dict[str, Any] = {"field": "j", "type": "ordinal"}
    y: dict[str, Any] = {"field": "i", "type": "ordinal"}
    x["axis"] = label_axis(above, labelAngle=0, orient="top")
    y["axis"] = label_axis(left)
    step = max(34, 15 * max(map(len, left)) + 8)
    # Never so dark that the figure is hard to read.
    dark = {"domain": [0, 1], "range": [0.05, 0.5]}
    shade = {"field": "v", "type": "quantitative", "legend": None, "scale": dark}
    layers = [
        layer(
            {"type": "rect", "fill": "var(--s0)"},
            {"x": x, "y": y, "fillOpacity": shade},
        ),
        layer({"type": "text"}, {"x": x, "y": y, "text": {"field": "s"}}),
    ]
    return figure(drawing(cells, layers, title, height={"step": step}), keys=keys)


def histogram(values: npt.NDArray[np.float64], *, title: str) -> str:
    """Draw the distribution of values in thirty bins of equal width.

    :param values: (n,), at least one, all finite.
    :param title: what a screen reader says of the plot.
    :returns: HTML.
    :raises MissingExtraError: where vl-convert is not installed.
    """
    counts, edges = np.histogram(values, bins=30)
    bins = zip(counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    lines = [
        {"x": low, "x2": high, "v": count, "told": f"{low:.3g} to {high:.3g}: {count}"}
        for count, low, high in bins
    ]
    free = {"zero": False, "nice": False}
    marks = layer(
        {"type": "rect", "fill": "var(--s0)", "stroke": "Canvas", "strokeWidth": 0.6},
        {
            "x": {**numbers("x"), "scale": free, "axis": {"tickCount": 5, "grid": False}},
            "x2": {"field": "x2"},
            "y": {**numbers("v"), "axis": {"tickCount": 3, "format": "d"}},
            "y2": {"datum": 0},
        },
    )
    return figure(drawing(lines, [marks], title, height=110))
