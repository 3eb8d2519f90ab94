"""Vega-Lite layers rendered as HTML figures in the colours of the page, for all plots.

Colours are CSS variables and ``currentColor``, so that a dark page, a light one and paper each have
their own. A legend is HTML, which wraps. A mark that says what it shows (``told``) has that as its
``<title>``, which browsers show on hover. The symbols of points stand on the page once
(``MARKERS``), and points that say nothing are corners of one path for each series: a tenth of the
bytes.

>>> folded("a long name of a method", 12), said(-0.25)
(['a long name', 'of a method'], '-0.250')
"""

from __future__ import annotations

import json
import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

from compsim.benchmarks.stats import library

__all__ = [
    "COLOURS",
    "MARKERS",
    "POINT",
    "STYLE",
    "WIDTH",
    "colour",
    "drawing",
    "figure",
    "finite",
    "folded",
    "label_axis",
    "layer",
    "line_key",
    "numbers",
    "one_line",
    "said",
    "shape",
    "symbols",
    "wide",
]

#: Pixels between the margins of a page on a phone of 390.
WIDTH: Final = 356
COLOURS: Final = 8
_TEXT: Final = 12
#: How large and how opaque the points of a scatter plot are.
POINT: Final[dict[str, Any]] = {"type": "point", "filled": True, "size": 22, "opacity": 0.55}
#: Symbols as paths within -1 and 1, for who sees no colours.
_SHAPES: Final = (
    "M.9,0A.9,.9,0,1,1,-.9,0A.9,.9,0,1,1,.9,0Z", "M-.8,-.8h1.6v1.6h-1.6Z", "M0,-1L.95,.75H-.95Z",
    "M0,-1.1L1.1,0L0,1.1L-1.1,0Z", "M-.3,-1h.6v.7h.7v.6h-.7v.7h-.6v-.7h-.7v-.6h.7Z",
    "M0,1L.95,-.75H-.95Z", "M-1,-.3h2v.6h-2Z", "M-.3,-1h.6v2h-.6Z",
)  # fmt: skip

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
.chart text { font-family: Arial, 'Liberation Sans', 'DejaVu Sans Condensed', sans-serif;
  font-size: 12px; fill: currentColor; }
.chart text[font-weight] { stroke: Canvas; stroke-width: 4px; paint-order: stroke; }
.chart line { stroke: currentColor; }
.legend { list-style: none; margin: 0 0 .5rem; padding: 0; display: flex; flex-wrap: wrap;
  gap: .15rem 1rem; font-size: .85rem; }
.legend svg { width: .9em; height: .9em; margin-right: .4em; vertical-align: -.08em; }
@media print { .plot { max-width: 22.5rem; } .chart { break-inside: avoid; } }
""" + "".join(f".marks{i} {{ fill: none; marker: url(#mark{i}); }}\n" for i in range(COLOURS))

#: What a page that holds charts must have in its body: the symbols of points without a name.
MARKERS: Final = "".join(
    [
        '<svg width="0" height="0" style="position: absolute" aria-hidden="true"><defs>',
        *(
            f'<marker id="mark{i}" overflow="visible" markerUnits="userSpaceOnUse"><path '
            f'id="dot{i}" fill="var(--s{i})" opacity="{POINT["opacity"]}" d="{path}" '
            f'transform="scale({POINT["size"] ** 0.5 / 2:.3f})"/></marker>'
            for i, path in enumerate(_SHAPES)
        ),
        "</defs></svg>",
    ]
)

_CONFIG: Final[dict[str, Any]] = {
    "font": "Arial, 'Liberation Sans', 'DejaVu Sans Condensed', sans-serif",
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


def layer(mark: Mapping[str, Any], encoding: Mapping[str, Any], only: str = "") -> dict[str, Any]:
    """One kind of marks; those that a reader may point at say what they show."""
    encoding = dict(encoding)
    if mark["type"] in ("bar", "rect", "point") and mark.get("aria", True):
        encoding["description"] = {"field": "told"}
    chosen = {"transform": [{"filter": only}]} if only else {}
    return {"mark": dict(mark), "encoding": encoding, **chosen}


def one_line(mark: Mapping[str, Any], place: float) -> dict[str, Any]:
    """A line across the plot at one value of x, drawn once and not for each row."""
    drawn = {"type": "rule", **mark}
    return {"mark": drawn, "encoding": {"x": {"datum": place}}, "data": {"values": [{}]}}


def numbers(field: str, limits: tuple[float, float] | None = None) -> dict[str, Any]:
    """An axis of numbers, between limits where there are some."""
    scale = {"scale": {"domain": list(limits), "nice": False}} if limits else {}
    return {"field": field, "type": "quantitative", **scale}


def colour() -> dict[str, Any]:
    """The colours of the page, by their variables."""
    names = [f"s{number}" for number in range(COLOURS)]
    scale = {"domain": names, "range": [f"var(--{name})" for name in names]}
    return {"field": "of", "type": "nominal", "scale": scale, "legend": None}


def shape(count: int) -> dict[str, Any]:
    """The symbols of so many series, which start anew where there are more than symbols."""
    results = [_SHAPES[i % len(_SHAPES)] for i in range(count)]
    scale = {"domain": list(range(count)), "range": results}
    return {"field": "n", "type": "nominal", "scale": scale, "legend": None}


def label_axis(labels: Sequence[str | Sequence[str]], **more: Any) -> dict[str, Any]:
    """An axis of places from 0 on, each called by its label, or by the lines of it."""
    expression = f"{json.dumps(labels)}[datum.value]"
    return {"labelExpr": expression, "labelOverlap": False, "grid": False, **more}


def drawing(
    rows: Sequence[Mapping[str, Any]],
    layers: Sequence[Mapping[str, Any]],
    title: str,
    *,
    height: int | Mapping[str, int],
) -> str:
    """A plot of some layers, as SVG.

    :param rows: what the layers draw, their fields as JSON types.
    :param layers: from ``layer``.
    :param title: what a screen reader says of the plot.
    :param height: of the plot in pixels, or ``{"step": pixels}`` for each place.
    :raises MissingExtraError: where vl-convert is not installed.
    """
    drawn: str = library("vl_convert").vegalite_to_svg(
        {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "autosize": {"type": "fit-x", "contains": "padding"},
            "background": None,
            "config": _CONFIG,
            "data": {"values": list(rows)},
            "height": dict(height) if isinstance(height, Mapping) else height,
            "layer": list(layers),
            "padding": {"left": 2, "right": 6, "top": 6, "bottom": 4},
            "width": WIDTH,
        },
        vl_version="5.21",
    )
    return _plain(drawn, title)


def figure(*drawings: str, keys: Iterable[tuple[str, str]] = ()) -> str:
    """Drawings below their legend, as HTML.

    :param drawings: from ``drawing``.
    :param keys: the drawing and the name of each entry of the legend.
    """
    legend = "".join(f"<li>{key}{escape(name)}</li>" for key, name in keys)
    legend = f'<ul class="legend">{legend}</ul>' if legend else ""
    return f'<figure class="plot">{legend}{"".join(drawings)}</figure>'


#: What a drawing becomes, step by step: marks say what they are when they are pointed at, what the
#: style of the page says is not said again, and places are told by tenths of a pixel.
_SHORTER: Final = tuple(
    (re.compile(pattern), to)
    for pattern, to in (
        (r'<path aria-label="([^"]*)"([^>]*)/>', r"<path\2><title>\1</title></path>"),
        (r'<path class="(?:back|fore)ground"[^>]*/>|<text[^>]*/>', ""),
        (r' (?:role|aria-[a-z]+|pointer-events|stroke-miterlimit|font-family)="[^"]*"', ""),
        (r' (?:(?:stroke-)?(?:opacity|width)="1"|font-size="12px"|transform="[^"]*\(0,0\)")', ""),
        (r'(<text[^>]*) fill="currentColor"', r"\1"),
        (
            r'(<text[^>]*) transform="translate\(([^,]*),([^)]*)\)"([^>]*>)(?!<tspan)',
            r'\1 x="\2" y="\3"\4',
        ),
        (r'(<line[^>]*) stroke="currentColor"', r"\1"),
        (r' (?:d|transform|x|y)="[^"]*"', lambda found: re.sub(r"(\.\d)\d+", r"\1", found[0])),
    )
)
#: A point: its x, its y, and the number of its series.
_POINT: Final = (
    r'<path transform="translate\(([^,]*),([^)]*)\)" d="[^"]*" fill="var\(--s(\d)\)"'
    rf' stroke-width="2" opacity="{POINT["opacity"]}"'
)


def _plain(svg: str, title: str) -> str:
    """The drawing as one image: what marks say is shown on hover, and said by the image's name."""
    box = re.search(r'viewBox="[^"]*"', svg)
    assert box is not None
    start = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" {box.group()} role="img"'
    inside = svg[svg.index(">") + 1 :]
    for pattern, to in _SHORTER:
        inside = pattern.sub(to, inside)
    inside = re.sub(f"(?:{_POINT}/>)+", _corners, inside)
    inside = re.sub(f"{_POINT}>(.*?)</path>", r'<use href="#dot\3" x="\1" y="\2">\4</use>', inside)
    return f'{start} aria-label="{escape(title)}">{inside}'


def _corners(points: re.Match[str]) -> str:
    """Points without a name, as a path of each colour."""
    result: dict[str, list[str]] = {}
    for x, y, series in re.findall(_POINT, points.group()):
        result.setdefault(series, []).append(f"{x},{y}")
    return "".join(
        f'<path class="marks{series}" d="M{" ".join(places)}"/>'
        for series, places in result.items()
    )


def symbols(names: Iterable[str]) -> list[tuple[str, str]]:
    """The symbol and the colour of each name; none where there is nothing to tell apart."""
    results = []
    for number, name in enumerate(names):
        path, colour = _SHAPES[number % len(_SHAPES)], f"var(--s{number % COLOURS})"
        drawn = f'<svg viewBox="-1.2 -1.2 2.4 2.4" aria-hidden="true"><path d="{path}" '
        results.append((f'{drawn}fill="{colour}"/></svg>', name))
    return results


def line_key(path: str) -> str:
    """A line of the legend's colour."""
    drawn = '<svg viewBox="-5 -5 10 10" aria-hidden="true"><path fill="none" '
    return f'{drawn}stroke="currentColor" stroke-width="1.5" d="{path}"/></svg>'


def folded(text: str, width: int) -> list[str]:
    """A text in lines of so many characters at most, words longer than that cut in two."""
    return textwrap.wrap(text, width) or [""]


def wide(text: str | Sequence[str]) -> float:
    """About how many pixels a text is wide, its longest line; rather more than fewer."""
    lines = [text] if isinstance(text, str) else text
    narrow, broad = set(" .,:;|!'()[]iljtfrI-"), set("mwMWOQGD@%")
    return max(
        sum(4.0 if c in narrow else 10.5 if c in broad else 7.6 if c.isupper() else 6.9 for c in of)
        for of in lines
    )


def said(value: float) -> str:
    """A value with three digits after the point, large ones with three in all."""
    return f"{value:.3f}" if abs(value) < 1000 else f"{value:.3g}"


def finite(value: float | None) -> float | None:
    """The value, None for what is no number."""
    return value if value is not None and math.isfinite(value) else None
