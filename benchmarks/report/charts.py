"""Plots as SVG text: bars, dots, points and histograms, for light and dark pages of any width.

Colours come from the page (``currentColor``) and from a palette that colour-blind readers can tell
apart (Okabe and Ito). Every mark has a ``<title>`` with its figures, which browsers show on hover.

>>> chart = bars(["verbnet-cn"], {"all": [0.722]}, (0.0, 1.0), title="Correlations")
>>> chart.startswith("<svg"), "verbnet-cn, all: 0.722" in chart
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["STYLE", "Points", "bars", "dots", "grid", "histogram", "points"]

_PALETTE: Final = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#b8a500",
)  # fmt: skip
_WIDTH: Final = 520
_LABELS: Final = 140  # room for names at the left
_LINE: Final = 18

#: What a page that holds charts must have in its style.
STYLE: Final = """
.chart { display: block; width: 100%; max-width: 44rem; height: auto; overflow: visible;
  font: 12px system-ui, sans-serif; }
.chart text { fill: currentColor; }
.chart .grid { stroke: currentColor; stroke-opacity: .15; }
.chart .zero { stroke: currentColor; stroke-opacity: .6; }
.chart .whisker { stroke: currentColor; stroke-opacity: .7; }
.chart .ceiling { stroke: currentColor; stroke-dasharray: 5 4; }
.chart .end { text-anchor: end; } .chart .middle { text-anchor: middle; }
"""

Interval = tuple[float, float]


class Points(NamedTuple):
    """One colour of a scatter plot: x and y (n,), and what each point is called."""

    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    names: Sequence[str]


def bars(
    groups: Sequence[str],
    series: Mapping[str, Sequence[float | None]],
    limits: Interval,
    *,
    title: str,
    intervals: Mapping[str, Sequence[Interval | None]] | None = None,
    ceiling: float | None = None,
) -> str:
    """Horizontal bars, one of each series in each group; ``None`` leaves a gap.

    ``intervals`` are drawn as whiskers, ``ceiling`` as a dashed line.
    """
    thick = 10
    step = thick * len(series) + 12
    height = step * len(groups) + 2 * _LINE + _LINE * bool(series)
    place = _Scale(limits, (_LABELS, _WIDTH - 12))
    zero = place(max(limits[0], min(0.0, limits[1])))
    parts = _vertical_grid(place, limits, height - _LINE)
    for row, group in enumerate(groups):
        top = _LINE + row * step
        parts.append(_text(_LABELS - 8, top + step / 2, group, "end"))
        for number, (name, values) in enumerate(series.items()):
            value = values[row]
            if value is None or math.isnan(value):
                continue
            y = top + 4 + number * thick
            left, right = sorted((zero, place(value)))
            whisker = (intervals or {}).get(name, [None] * len(groups))[row]
            told = f"{group}, {name}: {value:.3f}"
            if whisker is not None:
                told += f" [{whisker[0]:.3f}, {whisker[1]:.3f}]"
            parts.append(
                f'<rect x="{left:.1f}" y="{y}" width="{max(right - left, 0.5):.1f}" '
                f'height="{thick - 2}" fill="{_colour(number)}">{_title(told)}</rect>'
            )
            if whisker is not None:
                ends = f'x1="{place(whisker[0]):.1f}" x2="{place(whisker[1]):.1f}"'
                middle = y + (thick - 2) / 2
                parts.append(f'<line class="whisker" {ends} y1="{middle}" y2="{middle}"/>')
    parts.append(_vertical("zero", zero, _LINE, height - _LINE))
    if ceiling is not None:
        parts.append(_vertical("ceiling", place(ceiling), _LINE, height - _LINE))
        parts.append(_text(place(ceiling), 12, f"ceiling {ceiling:.3f}", "middle"))
    legend, end = _legend(list(series), height)
    return _svg(title, end, [*parts, *legend])


def dots(
    groups: Sequence[str],
    series: Mapping[str, Sequence[float | None]],
    *,
    title: str,
    intervals: Mapping[str, Sequence[Interval | None]] | None = None,
) -> str:
    """A line through one dot for each group, for each series."""
    found = [v for values in series.values() for v in values if v is not None]
    found += [v for of in (intervals or {}).values() for pair in of if pair for v in pair]
    limits = _rounded(min(found, default=0.0), max(found, default=1.0))
    bottom = 240
    across = _Scale((-0.5, len(groups) - 0.5), (40, _WIDTH - 10))
    up = _Scale(limits, (bottom, 12))
    parts = _horizontal_grid(up, limits, 40)
    for i, group in enumerate(groups):
        # Long names of neighbours do not meet when every other one is a line lower.
        parts.append(_text(across(i), bottom + 16 + 14 * (i % 2), group, "middle"))
    for number, (name, values) in enumerate(series.items()):
        colour = _colour(number)
        shift = (number - (len(series) - 1) / 2) * 4
        there = [(across(i) + shift, v) for i, v in enumerate(values) if v is not None]
        path = " ".join(f"{x:.1f},{up(v):.1f}" for x, v in there)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-opacity=".6"/>'
        )
        whiskers = (intervals or {}).get(name, [None] * len(groups))
        for i, value in enumerate(values):
            if value is None:
                continue
            x = across(i) + shift
            if (whisker := whiskers[i]) is not None:
                ends = f'y1="{up(whisker[0]):.1f}" y2="{up(whisker[1]):.1f}"'
                parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" {ends} stroke="{colour}"/>')
            told = _title(f"{groups[i]}, {name}: {value:.3f}")
            parts.append(
                f'<circle cx="{x:.1f}" cy="{up(value):.1f}" r="4" fill="{colour}">{told}</circle>'
            )
    legend, end = _legend(list(series), bottom + 54)
    return _svg(title, end, [*parts, *legend])


def points(series: Mapping[str, Points], *, title: str, across: str, up: str) -> str:
    """A scatter plot; both axes are as long as the values need."""
    x = np.concatenate([part.x for part in series.values()] or [np.zeros(1)])
    y = np.concatenate([part.y for part in series.values()] or [np.zeros(1)])
    bottom = 330
    limits = _rounded(float(x.min()), float(x.max())), _rounded(float(y.min()), float(y.max()))
    right, high = _Scale(limits[0], (48, _WIDTH - 12)), _Scale(limits[1], (bottom, 12))
    parts = _horizontal_grid(high, limits[1], 48)
    for tick in _ticks(limits[0]):
        parts.append(_text(right(tick), bottom + 16, f"{tick:g}", "middle"))
    for number, part in enumerate(series.values()):
        marks = [
            f'<circle cx="{right(a):.1f}" cy="{high(b):.1f}" r="2.6">{_title(name)}</circle>'
            for a, b, name in zip(part.x.tolist(), part.y.tolist(), part.names, strict=True)
        ]
        colour = _colour(number)
        parts.append(f'<g fill="{colour}" fill-opacity=".55">{"".join(marks)}</g>')
    parts.append(_text((48 + _WIDTH) / 2, bottom + 34, across, "middle"))
    turned = f'transform="rotate(-90 12 {bottom / 2})"'
    parts.append(f'<text class="middle" x="12" y="{bottom / 2}" {turned}>{escape(up)}</text>')
    legend, end = _legend(list(series), bottom + 48)
    return _svg(title, end, [*parts, *legend])


def grid(rows: Mapping[str, Mapping[str, float | None]], *, title: str = "") -> str:
    """A heat map of values from 0 to 1, the darker the higher; ``None`` leaves a gap."""
    columns = list(dict.fromkeys(name for row in rows.values() for name in row))
    wide = (_WIDTH - _LABELS) / max(len(columns), 1)
    parts = [
        _text(_LABELS + (i + 0.5) * wide, _LINE - 5, name, "middle")
        for i, name in enumerate(columns)
    ]
    for line, (group, row) in enumerate(rows.items()):
        top = _LINE + line * 2 * _LINE
        parts.append(_text(_LABELS - 8, top + _LINE + 4, group, "end"))
        for i, name in enumerate(columns):
            value = row.get(name)
            if value is None or math.isnan(value):
                continue
            left = _LABELS + i * wide
            # Never so dark that the figure is hard to read.
            parts.append(
                f'<rect x="{left:.1f}" y="{top}" width="{wide - 2:.1f}" height="{2 * _LINE - 2}" '
                f'fill="{_colour(0)}" fill-opacity="{0.05 + 0.45 * value:.2f}">'
                f"{_title(f'{group}, {name}: {value:.3f}')}</rect>"
            )
            parts.append(_text(left + wide / 2, top + _LINE + 4, f"{value:.2f}", "middle"))
    return _svg(title, _LINE * (2 * len(rows) + 1) + 6, parts)


def histogram(values: npt.NDArray[np.float64], *, title: str) -> str:
    """How often values fall into each of thirty equally wide bins."""
    limits = _rounded(float(values.min()), float(values.max()))
    counts, edges = np.histogram(values, bins=30, range=limits)
    bottom = 90
    right = _Scale(limits, (8, _WIDTH - 8))
    high = _Scale((0, max(int(counts.max()), 1)), (bottom, 4))
    parts = [
        f'<rect x="{right(low) + 0.5:.1f}" y="{high(count):.1f}" fill="{_PALETTE[0]}" '
        f'width="{right(above) - right(low) - 1:.1f}" height="{bottom - high(count):.1f}">'
        + _title(f"{low:.3g} to {above:.3g}: {count}")
        + "</rect>"
        for count, low, above in zip(
            counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True
        )
    ]
    parts += [_text(right(tick), bottom + 16, f"{tick:g}", "middle") for tick in _ticks(limits)]
    return _svg(title, bottom + 22, parts)


class _Scale:
    """From values to places on the page."""

    def __init__(self, values: Interval, places: Interval) -> None:
        self._first, self._start = values[0], places[0]
        self._by = (places[1] - places[0]) / ((values[1] - values[0]) or 1.0)

    def __call__(self, value: float) -> float:
        return self._start + (value - self._first) * self._by


def _rounded(low: float, high: float) -> Interval:
    """Round limits that hold both values, and are not the same."""
    high = max(high, low + 1e-3 * max(1.0, abs(low)))
    step = _step(low, high)
    first = math.floor(low / step)
    return first * step, max(math.ceil(high / step), first + 1) * step


def _step(low: float, high: float) -> float:
    """A round distance of ticks: 1, 2 or 5 times a power of ten."""
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * by for by in (1, 2, 5, 10) if power * by >= rough * (1 - 1e-9))


def _ticks(limits: Interval) -> list[float]:
    step = _step(*limits)
    first, last = math.ceil(limits[0] / step - 1e-9), math.floor(limits[1] / step + 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


def _vertical_grid(place: _Scale, limits: Interval, bottom: float) -> list[str]:
    parts = []
    for tick in _ticks(limits):
        parts.append(_vertical("grid", place(tick), _LINE, bottom))
        parts.append(_text(place(tick), bottom + 14, f"{tick:g}", "middle"))
    return parts


def _horizontal_grid(place: _Scale, limits: Interval, left: float) -> list[str]:
    parts = []
    for tick in _ticks(limits):
        y = place(tick)
        kind = "zero" if tick == 0 else "grid"
        line = f'x1="{left}" x2="{_WIDTH - 10}" y1="{y:.1f}" y2="{y:.1f}"'
        parts.append(f'<line class="{kind}" {line}/>')
        parts.append(_text(left - 6, y + 4, f"{tick:g}", "end"))
    return parts


def _vertical(kind: str, x: float, top: float, bottom: float) -> str:
    return f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>'


def _legend(names: Sequence[str], y: float) -> tuple[list[str], float]:
    """Colours and names, as many in a line as fit, and where they end."""
    parts = []
    x, line = 40.0, y + 10
    for number, name in enumerate(names):
        width = 26 + 6.6 * len(name)
        if x + width > _WIDTH:
            x, line = 40.0, line + _LINE
        parts.append(
            f'<rect x="{x:.0f}" y="{line - 9:.0f}" width="10" height="10" '
            f'fill="{_colour(number)}"/>'
        )
        parts.append(_text(x + 15, line, name))
        x += width
    return parts, line + 8


def _colour(number: int) -> str:
    return _PALETTE[number % len(_PALETTE)]


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    of = f' class="{kind}"' if kind else ""
    return f'<text{of} x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>"


def _svg(title: str, height: float, parts: Iterable[str]) -> str:
    box = f'viewBox="0 0 {_WIDTH} {height:.0f}"'
    label = f'role="img" aria-label="{escape(title)}"'
    space = 'xmlns="http://www.w3.org/2000/svg"'
    return f'<svg {space} class="chart" {box} {label}>{"".join(parts)}</svg>'
