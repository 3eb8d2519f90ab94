"""Draw the pictures of the documentation: ``python docs/pictures/make.py [FOLDER]``.

Every number in them is computed here, with what the package ships; a test draws them again and
compares. They are SVG, with a white ground, so that they can be read on dark pages too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

import compsim
from compsim.graph.drawing.colours import hex_of
from compsim.graph.drawing.pieces import text_width

HERE = Path(__file__).resolve().parent

_STYLE = """
text { font: 16px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1b1f24; }
.big { font-size: 22px; } .bold { font-weight: 600; } .small { font-size: 13px; }
.soft { fill: #4a5059; } .middle { text-anchor: middle; } .end { text-anchor: end; }
"""

#: Whole sentences are compared by means of word vectors: the same numbers with and without torch.
_HYBRID = {"method": "hybrid", "vectors": "builtin"}


def picture(title: str, width: int, height: int, parts: Iterable[str]) -> str:
    """A whole picture; ``title`` is what a screen reader says."""
    label = escape(title, quote=True)
    style = " ".join(_STYLE.split())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        f"<style>{style}</style>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#fff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def text(x: float, y: float, words: str, kinds: str = "", more: str = "") -> str:
    """A line of text."""
    return f'<text class="{kinds}" x="{x:.1f}" y="{y:.1f}"{more}>{escape(words)}</text>'


def pair() -> str:
    """Two sentences, their concepts, what agrees and what is in conflict, and the score."""
    first, second = "Cats chase mice.", "Mice chase cats."
    why = compsim.explain(first, second, vectors="builtin")
    words = compsim.similarity(first, second, method="mean-cn", vectors="builtin")
    scale, gap, left, top, bottom = 1.9, 44.0, 130.0, 74.0, 214.0
    parts = [text(24, 36, "Who did what to whom?", "bold")]

    def middle(sentence: str, span: tuple[int, int]) -> tuple[float, float]:
        start = (
            left + scale * text_width(sentence[: span[0]]) + gap * sentence[: span[0]].count(" ")
        )
        return start, scale * text_width(sentence[span[0] : span[1]])

    boxes = []
    concepts = [row for row in why if row.role == "concept" and row.first and row.second]
    for row, role in zip(concepts, ("Agent", "Verb", "Patient"), strict=True):
        colour = hex_of(role)
        ends = []
        for sentence, node, y in ((first, row.first, top), (second, row.second, bottom)):
            assert node is not None
            assert node.span is not None
            x, wide = middle(sentence, node.span)
            boxes.append(
                f'<rect x="{x - 6:.1f}" y="{y:.1f}" width="{wide + 12:.1f}" height="42" rx="6" '
                f'fill="{colour}" fill-opacity=".14" stroke="{colour}" stroke-width="2"/>'
            )
            boxes.append(text(x + wide / 2, y + 28, node.label, "big middle"))
            ends.append(x + wide / 2)
        parts.append(
            f'<line x1="{ends[0]:.1f}" y1="{top + 42}" x2="{ends[1]:.1f}" y2="{bottom}" '
            f'stroke="{colour}" stroke-width="2.5"/>'
        )
        at = (ends[0] + ends[1]) / 2
        parts.append(
            f'<rect x="{at - 30:.1f}" y="{(top + 42 + bottom) / 2 - 14:.1f}" width="60" '
            f'height="26" rx="13" fill="#fff" stroke="{colour}"/>'
        )
        parts.append(text(at, (top + 42 + bottom) / 2 + 4, f"{row.cosine:.2f}", "middle"))
    parts += boxes
    parts.append(text(24, top + 28, "sentence 1", "soft"))
    parts.append(text(24, bottom + 28, "sentence 2", "soft"))
    agree = sum(row.contribution for row in why if row.contribution > 0)
    cost = -sum(row.contribution for row in why if row.contribution < 0)
    parts.append(text(24, 312, f"compsim  {why.score:.2f}", "bold"))
    parts.append(
        text(140, 312, f"= {agree:.2f} what agrees \u2212 {cost:.2f} who does what to whom")
    )
    parts.append(text(24, 340, f"mean of the word vectors  {words:.2f}", "soft"))
    title = (
        f"{first} and {second} score {why.score:.2f}: all their concepts agree, but those who "
        f"chase and those who are chased changed places. The mean of the word vectors gives "
        f"{words:.2f}."
    )
    return picture(title, 500, 362, parts)


def concepts() -> str:
    """Two role graphs of concepts, as compsim draws them."""
    why = compsim.explain(
        "The small dog bit the man.", "The man was bitten by a big dog.", vectors="builtin"
    )
    assert why.figure is not None
    return grounded(why.figure())


def rolesim() -> str:
    """An active sentence and its passive in phrases, as compsim draws them."""
    why = compsim.explain(
        "The dog bit the man.",
        "The man was bitten by the dog.",
        method="verbnet-cn",
        vectors="builtin",
        weights="paper",
    )
    assert why.figure is not None
    return grounded(why.figure())


def smatch() -> str:
    """Two meaning graphs under the best mapping."""
    why = compsim.explain("Cats chase mice.", "Mice chase cats.", method="amr-smatch")
    assert why.figure is not None
    return grounded(why.figure())


def grounded(svg: str) -> str:
    """A drawing of compsim's on white, in dark colours whatever the reader's scheme."""
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    assert size is not None
    ground = f'<rect width="{size[1]}" height="{size[2]}" rx="8" fill="#fff"/>'
    own = "<style>svg { color: #1b1f24; color-scheme: light; }</style>"
    head, _, rest = svg.partition(">")
    return f"{head}>\n{own}\n{ground}\n{rest}\n"


def methods() -> str:
    """Methods of the table of ``choosing-a-method.md``: ordinary pairs, swapped roles."""
    table = (HERE.parent / "choosing-a-method.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip().replace("*", "").replace("`", "") for cell in line.split("|")[1:4]]
        for line in table.partition("| ordinary pairs |")[2].splitlines()[2:7]
    ]
    left, right, top, bottom = 90.0, 600.0, 60.0, 330.0

    def place(ordinary: float, swapped: float) -> tuple[float, float]:
        return (
            left + (right - left) * (ordinary - 0.66) / 0.24,
            bottom - (bottom - top) * (swapped + 0.5) / 1.3,
        )

    parts = [text(24, 34, "Agreement with people (Spearman): both high is best", "bold")]
    for value in (-0.4, 0.0, 0.4, 0.8):
        y = place(0.66, value)[1]
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#d5dae1"/>')
        parts.append(
            text(left - 10, y + 5, f"{value:.1f}".replace("-", "\u2212"), "small soft end")
        )
    for value in (0.70, 0.75, 0.80, 0.85):
        x = place(value, 0)[0]
        parts.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" stroke="#eceff3"/>')
        parts.append(text(x, bottom + 20, f"{value:.2f}", "small soft middle"))
    parts.append(text((left + right) / 2, bottom + 44, "ordinary pairs (STSb dev)", "soft middle"))
    turned = f' transform="rotate(-90 34 {(top + bottom) / 2:.0f})"'
    parts.append(text(34, (top + bottom) / 2, "swapped roles (STS3k adv)", "soft middle", turned))
    for name, ordinary, swapped in rows:
        x, y = place(float(ordinary), float(swapped))
        ours = name.startswith(("hybrid", "verbnet-cn"))
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="{"#0b57d0" if ours else "#6b7480"}"/>'
        )
        partition = name.replace("all-MiniLM-L6-v2", "MiniLM").partition(",")[0]
        # Two points are near each other, and one is near the edge.
        above = "with MiniLM" in partition or y > bottom - 30
        parts.append(text(x, y - 14 if above else y + 26, partition, "middle"))
    partition = "; ".join(f"{name}: {ordinary} and {swapped}" for name, ordinary, swapped in rows)
    return picture(f"Ordinary pairs and swapped roles. {partition}.", 640, 390, parts)


PICTURES: dict[str, Callable[[], str]] = {
    "pair": pair,
    "methods": methods,
    "concepts": concepts,
    "rolesim": rolesim,
    "smatch": smatch,
}


def main(folder: Path) -> None:
    """Write all pictures."""
    for name, draw in PICTURES.items():
        (folder / f"{name}.svg").write_text(draw(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
