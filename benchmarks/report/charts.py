"""Plots for a page: bars, lines, points, histograms and grids, drawn by vl-convert (Vega-Lite).

Every plot is as wide as a phone (its text has 12 pixels there, and grows with the plot to a desk's)
and stands in a ``<figure>`` with its legend as HTML, which wraps. Names stand beside what they
name, so that no colour must be told from another; colours are CSS variables and ``currentColor``,
so that a dark page, a light one and paper each have their own. Every mark has a ``<title>`` with
its figures, which browsers show on hover.

Why vl-convert and not matplotlib: it is one wheel (88 MB; matplotlib and the seven packages that it
needs come to 96 MB), is imported in 0.07 s (0.8 s), passes colours such as ``var(--s0)`` on where
matplotlib wants to know them, writes text as text in a font whose widths every system knows (Arial,
or Liberation Sans, which is as wide), and names each mark. Both work without a network.

>>> bars(["verbnet-cn"], {"all": [0.722]}, (0.0, 1.0), title="How well?").startswith("<figure")
True
"""

from __future__ import annotations

import json
import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.stats import library

__all__ = ["STYLE", "Points", "bars", "dots", "grid", "histogram", "points"]

_WIDTH: Final = 356  # what a phone of 390 pixels has between the margins of the page
_TEXT: Final = 12
_COLOURS: Final = 8
#: Symbols as paths within -1 and 1, for who sees no colours.
_SHAPES: Final = (
    "M.9,0A.9,.9,0,1,1,-.9,0A.9,.9,0,1,1,.9,0Z", "M-.8,-.8h1.6v1.6h-1.6Z", "M0,-1L.95,.75H-.95Z",
    "M0,-1.1L1.1,0L0,1.1L-1.1,0Z", "M-.3,-1h.6v.7h.7v.6h-.7v.7h-.6v-.7h-.7v-.6h.7Z",
    "M0,1L.95,-.75H-.95Z", "M-1,-.3h2v.6h-2Z", "M-.3,-1h.6v2h-.6Z",
)  # fmt: skip
_DIAMOND: Final = "M0,-1L1,0L0,1L-1,0Z"

#: What a page that holds charts must have in its style. After Okabe and Ito, each colour as dark,
#: or on a dark page as light, as a mark must be to be seen (a contrast of three to one).
STYLE: Final = """
:root { --s0: #0072b2; --s1: #c26a00; --s2: #00815f; --s3: #b5518a; --s4: #3592c9; --s5: #b03a00;
  --s6: #6b6b6b; --s7: #8a7800; }
@media screen and (prefers-color-scheme: dark) {
  :root { --s0: #4ea8e0; --s1: #f0a830; --s2: #2fc496; --s3: #e08fbb; --s4: #8ccff5; --s5: #ff7f45;
    --s6: #a8a8a8; --s7: #d8c840; }
}
.plot { margin: 1rem 0; max-width: 32rem; }
.chart { display: block; width: 100%; height: auto; overflow: visible; }
.legend { list-style: none; margin: 0 0 .5rem; padding: 0; display: flex; flex-wrap: wrap;
  gap: .15rem 1rem; font-size: .85rem; }
.legend svg { width: .9em; height: .9em; margin-right: .4em; vertical-align: -.08em; }
@media print { .plot { break-inside: avoid; max-width: 26rem; } }
"""

_CONFIG: Final[dict[str, Any]] = {
    "font": "Arial, 'Liberation Sans', sans-serif",
    "view": {"stroke": None},
    "axis": {
        "aria": False,
        "domain": False,
        "gridColor": "currentColor",
        "gridOpacity": 0.15,
        "labelColor": "currentColor",
        "labelFontSize": _TEXT,
        "labelLimit": 0,
        "labelPadding": 4,
        "ticks": False,
        "title": None,
        "titleColor": "currentColor",
        "titleFontSize": _TEXT,
        "titleFontWeight": "normal",
        "titleLimit": 0,
    },
    "axisX": {"labelPadding": 8},
    "rule": {"aria": False, "color": "currentColor"},
    "text": {"aria": False, "color": "currentColor", "fontSize": _TEXT, "limit": 0},
}

Interval = tuple[float, float]
Series = Mapping[str, Sequence[float | None]]
Intervals = Mapping[str, Sequence[Interval | None]]


class Points(NamedTuple):
    """One colour of a scatter plot: x and y (n,), and what each point is called."""

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
    told, others = intervals or {}, published or {}
    alone = len(series) == 1 and max(map(len, groups), default=0) <= 26
    labels: list[str] = []
    lines: list[dict[str, Any]] = []
    for place, group in enumerate(groups):
        if not alone:
            for part in _folded(group, 48):
                lines.append({"i": len(labels), "head": part})
                labels.append("")
        for number, (name, values) in enumerate(series.items()):
            value = _finite(values[place])
            if value is None:
                continue
            ends = told.get(name, [None] * len(groups))[place]
            # What is too long for one line stands in the lines above, which have no bar.
            beside = _folded(group if alone else "" if len(series) == 1 else name, 24)
            labels += beside[:-1]
            line = {"i": len(labels), "v": value, "of": f"s{number % _COLOURS}", "s": _said(value)}
            said = f"{group}, {name}: {_said(value)}"
            if ends is not None:
                line |= {"low": ends[0], "high": ends[1]}
                said += f" [{_said(ends[0])}, {_said(ends[1])}]"
            other = _finite(others.get(name, [None] * len(groups))[place])
            if other is not None:
                line["other"] = other
                said += f", published {_said(other)}"
            lines.append({**line, "told": said})
            labels.append(beside[-1])
    if not any("v" in line for line in lines):
        return ""
    given = [line[key] for line in lines for key in ("v", "low", "high", "other") if key in line]
    given += [*limits, *([ceiling] if ceiling is not None else [])]
    extent = max(map(_wide, labels)) + 8
    rows = {"domain": list(range(len(labels))), "paddingInner": 0.2}
    y = {"field": "i", "type": "ordinal", "scale": rows}
    axis = {"labelExpr": f"{json.dumps(labels)}[datum.value]", "grid": False, "labelPadding": 6}
    axis |= {"minExtent": extent, "maxExtent": extent, "labelOverlap": False}
    ticks = {"tickCount": max(int((_WIDTH - 55 - extent) / 45), 2)}
    x = _numbers("v", (min(given), min(max(given), cut)))
    x["scale"]["clamp"] = True
    layers = [
        _layer(
            {"type": "bar", "height": {"band": 1.0}},
            {"x": {**x, "axis": ticks}, "y": {**y, "axis": axis}, "color": _colour()},
            "datum.v != null",
        ),
        _layer({"type": "rule", "opacity": 0.7}, {"x": {"datum": 0.0}}),
        _layer(
            {"type": "rule", "strokeWidth": 1.5},
            {"x": _numbers("low"), "x2": {"field": "high"}, "y": y},
            "datum.low != null",
        ),
        _layer(
            {"type": "point", "shape": _DIAMOND, "size": 60, "stroke": "currentColor",
             "fill": "Canvas", "aria": False},
            {"x": _numbers("other"), "y": y},
            "datum.other != null",
        ),
        _layer(
            {"type": "text", "align": "right"},
            {"x": {"value": {"expr": "width + 46"}}, "y": y, "text": {"field": "s"}},
            "datum.v != null",
        ),
        _layer(
            {"type": "text", "align": "left", "baseline": "middle", "fontWeight": "bold", "dy": 2},
            {"x": {"value": -extent}, "y": y, "text": {"field": "head"}},
            "datum.head != null",
        ),
    ]  # fmt: skip
    keys = []
    if ceiling is not None:
        layers.append(_layer({"type": "rule", "strokeDash": [5, 4]}, {"x": {"datum": ceiling}}))
        keys.append((_key('M0,-5V5" stroke-dasharray="3 2'), f"ceiling {ceiling:.3f}"))
    if any("low" in line for line in lines):
        keys.append((_key("M-5,0H5"), "95 % interval"))
    if any("other" in line for line in lines):
        keys.append((_key("M0,-4L4,0L0,4L-4,0Z"), "as published"))
    return _figure(lines, layers, title, keys, right=4, height={"step": 18})


def dots(
    groups: Sequence[str], series: Series, *, title: str, intervals: Intervals | None = None
) -> str:
    """A line through one dot for each group, for each series; for groups that have an order.

    :param groups: what stands below the dots, "" for nothing.
    :param series: for each name one value for each group; ``None`` leaves a gap.
    :param title: what a screen reader says of the plot.
    :param intervals: two ends for the values of some series, drawn as whiskers.
    :returns: HTML.
    :raises MissingExtraError: where vl-convert is not installed.
    """
    lines: list[dict[str, Any]] = []
    for number, (name, values) in enumerate(series.items()):
        ends = (intervals or {}).get(name, [None] * len(groups))
        shift = (number - (len(series) - 1) / 2) * 0.06 * bool(intervals)
        for place, (group, given) in enumerate(zip(groups, values, strict=True)):
            value = _finite(given)
            if value is None:
                continue
            line = {"x": place + shift, "v": value, "of": f"s{number % _COLOURS}", "n": number}
            line["told"] = f"{group}, {name}: {_said(value)}"
            if (pair := ends[place]) is not None:
                line |= {"low": pair[0], "high": pair[1]}
            lines.append(line)
    if not lines:
        return ""
    named = [i for i, group in enumerate(groups) if group]
    room = (_WIDTH - 50) / max(len(named), 1) / 6.2
    labels = [_folded(group, max(int(room), 3)) for group in groups]
    axis = {"values": named, "labelExpr": f"{json.dumps(labels)}[datum.value]", "grid": False}
    x = _numbers("x", (-0.4, len(groups) - 0.6))
    y = {**_numbers("v"), "scale": {"zero": False, "nice": True}}
    shape = _shape(len(series))
    encoded = {"x": {**x, "axis": {**axis, "labelOverlap": False}}, "color": _colour()}
    layers = [
        _layer({"type": "line", "opacity": 0.7, "aria": False}, {**encoded, "y": y}),
        _layer(
            {"type": "rule", "strokeWidth": 1.5},
            {"x": x, "y": _numbers("low"), "y2": {"field": "high"}, "color": _colour()},
            "datum.low != null",
        ),
        _layer(
            {"type": "point", "filled": True, "size": 60, "opacity": 1},
            {"x": x, "y": y, "color": _colour(), "shape": shape},
        ),
    ]
    return _figure(lines, layers, title, _keys(series), height=210)


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
        {"x": x, "y": y, "of": f"s{number % _COLOURS}", "n": number, "told": name}
        for number, part in enumerate(series.values())
        for x, y, name in zip(part.x.tolist(), part.y.tolist(), part.names, strict=True)
    ]
    if not lines:
        return ""
    shape = _shape(len(series))
    free = {"zero": False, "nice": True}
    below, beside = _folded(across, 44), _folded(up, 44)
    layer = _layer(
        {"type": "point", "filled": True, "size": 22, "opacity": 0.55},
        {
            "x": {
                **_numbers("x"),
                "scale": free,
                "axis": {"title": below, "tickCount": 6},
            },
            "y": {**_numbers("y"), "scale": free, "axis": {"title": beside}},
            "color": _colour(),
            "shape": shape,
        },
    )
    return _figure(lines, [layer], title, _keys(series), height=300)


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
        if (value := _finite(given)) is not None
    ]
    if not cells:
        return ""
    left = [_folded(name, 16) for name in rows]
    above, keys = list(columns), []
    if max(map(_wide, above)) > (_WIDTH - max(map(_wide, left)) - 8) / len(columns) - 4:
        above = [f"{number}" for number, _ in enumerate(columns, 1)]
        keys = [(f"{number}: ", name) for number, name in enumerate(columns, 1)]
    x = {"field": "j", "type": "ordinal"}
    y = {"field": "i", "type": "ordinal"}
    axes: list[dict[str, Any]] = [
        {"labelExpr": f"{json.dumps(of)}[datum.value]", "labelAngle": 0, "labelOverlap": False}
        for of in (above, left)
    ]
    axes[0]["orient"] = "top"
    step = max(34, 15 * max(map(len, left)) + 8)
    # Never so dark that the figure is hard to read.
    dark = {"domain": [0, 1], "range": [0.05, 0.5]}
    shade = {"field": "v", "type": "quantitative", "legend": None, "scale": dark}
    layers = [
        _layer(
            {"type": "rect", "fill": "var(--s0)"},
            {"x": {**x, "axis": axes[0]}, "y": {**y, "axis": axes[1]}, "fillOpacity": shade},
        ),
        _layer({"type": "text"}, {"x": x, "y": y, "text": {"field": "s"}}),
    ]
    return _figure(cells, layers, title, keys, right=2, height={"step": step})


def histogram(values: npt.NDArray[np.float64], *, title: str) -> str:
    """How often values fall into each of thirty equally wide bins.

    :param values: (n,), at least one, all finite.
    :param title: what a screen reader says of the plot.
    :returns: HTML.
    :raises MissingExtraError: where vl-convert is not installed.
    """
    counts, edges = np.histogram(values, bins=30)
    lines = [
        {"x": low, "x2": high, "v": count, "told": f"{low:.3g} to {high:.3g}: {count}"}
        for count, low, high in zip(
            counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True
        )
    ]
    free = {"zero": False, "nice": False}
    layer = _layer(
        {"type": "rect", "fill": "var(--s0)", "stroke": "Canvas", "strokeWidth": 0.6},
        {
            "x": {**_numbers("x"), "scale": free, "axis": {"tickCount": 5, "grid": False}},
            "x2": {"field": "x2"},
            "y": {**_numbers("v"), "axis": {"tickCount": 3, "format": "d"}},
            "y2": {"datum": 0},
        },
    )
    return _figure(lines, [layer], title, (), height=110)


def _layer(mark: Mapping[str, Any], encoding: Mapping[str, Any], only: str = "") -> dict[str, Any]:
    """One kind of marks; those that a reader may point at say what they show."""
    encoding = dict(encoding)
    if mark["type"] in ("bar", "rect", "point") and mark.get("aria", True):
        encoding["description"] = {"field": "told"}
    chosen = {"transform": [{"filter": only}]} if only else {}
    return {"mark": dict(mark), "encoding": encoding, **chosen}


def _numbers(field: str, limits: Interval | None = None) -> dict[str, Any]:
    """An axis of numbers, between limits where there are some."""
    scale = {"scale": {"domain": list(limits), "nice": False}} if limits else {}
    return {"field": field, "type": "quantitative", **scale}


def _colour() -> dict[str, Any]:
    """The colours of the page, by their variables."""
    names = [f"s{number}" for number in range(_COLOURS)]
    scale = {"domain": names, "range": [f"var(--{name})" for name in names]}
    return {"field": "of", "type": "nominal", "scale": scale, "legend": None}


def _shape(count: int) -> dict[str, Any]:
    """The symbols of so many series, which start anew where there are more than symbols."""
    found = [_SHAPES[i % len(_SHAPES)] for i in range(count)]
    scale = {"domain": list(range(count)), "range": found}
    return {"field": "n", "type": "nominal", "scale": scale, "legend": None}


def _figure(
    rows: Sequence[Mapping[str, Any]],
    layers: Sequence[Mapping[str, Any]],
    title: str,
    keys: Iterable[tuple[str, str]],
    *,
    height: int | Mapping[str, int],
    right: int = 10,
) -> str:
    """The plot of some layers below its legend."""
    drawn: str = library("vl_convert").vegalite_to_svg(
        {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "autosize": {"type": "fit-x", "contains": "padding"},
            "background": None,
            "config": _CONFIG,
            "data": {"values": list(rows)},
            "height": dict(height) if isinstance(height, Mapping) else height,
            "layer": list(layers),
            "padding": {"left": 2, "right": right, "top": 6, "bottom": 4},
            "width": _WIDTH,
        },
        vl_version="5.21",
    )
    legend = "".join(f"<li>{key}{escape(name)}</li>" for key, name in keys)
    legend = f'<ul class="legend">{legend}</ul>' if legend else ""
    return f'<figure class="plot">{legend}{_plain(drawn, title)}</figure>'


def _plain(svg: str, title: str) -> str:
    """The drawing as one image: what marks say is shown on hover, and said by the image's name."""
    box = re.search(r'viewBox="[^"]*"', svg)
    assert box is not None
    start = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" {box.group()} role="img"'
    svg = re.sub(r"<svg [^>]*>", f'{start} aria-label="{escape(title)}">', svg, count=1)
    body = svg.index(">") + 1
    inside = re.sub(r'<path aria-label="([^"]*)"([^>]*)/>', r"<path\2><title>\1</title></path>",
                    svg[body:])  # fmt: skip
    inside = re.sub(r' (?:role|aria-[a-z]+|pointer-events|stroke-miterlimit)="[^"]*"', "", inside)
    inside = re.sub(r'<path class="(?:back|fore)ground"[^>]*/>', "", inside)
    return svg[:body] + re.sub(r"(\.\d)\d{3,}", r"\1", inside)


def _keys(names: Iterable[str]) -> list[tuple[str, str]]:
    """The symbol and the colour of each name; none where there is nothing to tell apart."""
    found = []
    for number, name in enumerate(names):
        path, colour = _SHAPES[number % len(_SHAPES)], f"var(--s{number % _COLOURS})"
        drawn = f'<svg viewBox="-1.2 -1.2 2.4 2.4" aria-hidden="true"><path d="{path}" '
        found.append((f'{drawn}fill="{colour}"/></svg>', name))
    return found


def _key(path: str) -> str:
    """A line of the legend's colour."""
    drawn = '<svg viewBox="-5 -5 10 10" aria-hidden="true"><path fill="none" '
    return f'{drawn}stroke="currentColor" stroke-width="1.5" d="{path}"/></svg>'


def _folded(text: str, width: int) -> list[str]:
    """A text in lines of so many characters at most, words longer than that cut in two."""
    return textwrap.wrap(text, width) or [""]


def _wide(text: str | Sequence[str]) -> float:
    """About how many pixels a text is wide, its longest line; rather more than fewer."""
    lines = [text] if isinstance(text, str) else text
    narrow, broad = set(" .,:;|!'()[]iljtfrI-"), set("mwMWOQGD@%")
    return max(
        sum(4.0 if c in narrow else 10.5 if c in broad else 7.6 if c.isupper() else 6.9 for c in of)
        for of in lines
    )


def _said(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 1000 else f"{value:.3g}"


def _finite(value: float | None) -> float | None:
    """The value, None for what is no number."""
    return value if value is not None and math.isfinite(value) else None
