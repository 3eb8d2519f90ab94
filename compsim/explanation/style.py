"""The look of an explanation in HTML: on light and dark, wide and narrow, and on paper.

Text always takes the reader's own colour. A role's colour is a half transparent ground and a firm
line, so that words on it stay as legible as any others; whoever sees no colours has the names.

>>> ".compsim .c1 { --tone: 15 97 211; }" in STYLE
True
"""

from __future__ import annotations

from typing import Final

from compsim.graph.drawing.colours import COLOURS

__all__ = ["STYLE"]

_TONES: Final = "\n".join(
    f".compsim .c{place} {{ --tone: {red} {green} {blue}; }}"
    for place, (red, green, blue) in enumerate(COLOURS)
)

_AGREES: Final = " ".join(map(str, COLOURS[1]))
#: What is said against each other: ``charts.AGAINST``.
_AGAINST: Final = "211 47 47"

STYLE: Final = f"""
.compsim {{ font: 15px/1.5 system-ui, sans-serif; container-type: inline-size;
  overflow-wrap: anywhere; text-align: start; }}
{_TONES}
.compsim p, .compsim h1, .compsim ul {{ margin: .4em 0; padding: 0; }}
.compsim .verdict {{ font-size: 1.5em; font-weight: 600; line-height: 1.3; }}
.compsim .score {{ font-weight: 600; font-size: 1.15em; }}
.compsim .by {{ font-weight: 400; font-size: .8em; opacity: .8; margin-inline-start: .5em; }}
.compsim .levels {{ display: flex; gap: 3px; max-width: 36em; margin-bottom: 1em; }}
.compsim .levels > * {{ flex: 1; padding: .3em .2em; text-align: center; font-size: .8em;
  line-height: 1.2; font-weight: 400; border-top: .4em solid rgb(128 128 128 / .35);
  overflow-wrap: normal; }}
.compsim .levels .on {{ font-weight: 600; border-color: rgb({_AGREES}); }}
.compsim .head {{ font-weight: 600; margin-top: 1em; }}
.compsim .beside {{ display: flex; flex-wrap: wrap; column-gap: 2.5em; }}
.compsim .lists {{ flex: 1 1 18em; min-width: 0; }}
.compsim .beside figure {{ margin: .6em 0 0; max-width: 100%; }}
.compsim .conflicts {{ list-style: none; }}
.compsim .conflicts li {{ border-inline-start: .25em solid rgb({_AGAINST}); margin: .6em 0;
  padding: 0 0 0 .7em; break-inside: avoid; }}
.compsim .conflicts li > span {{ display: block; }}
.compsim .conflicts li > .cost {{ display: inline; white-space: nowrap; margin-inline-start: .4em;
  font-variant-numeric: tabular-nums; }}
.compsim .both bdi, .compsim .only bdi {{ display: inline-block; margin: 0 .15em .3em 0;
  padding: 0 .45em; border: 1px solid rgb({_AGREES} / .8); border-radius: .3em;
  max-width: 100%; box-sizing: border-box; }}
.compsim .only bdi {{ border: 1px dashed rgb(128 128 128); }}
.compsim .chart {{ font: 14px system-ui, sans-serif; }}
.compsim .chart text {{ fill: currentColor; font-variant-numeric: tabular-nums; }}
.compsim .chart .join {{ stroke: rgb(128 128 128 / .7); fill: none; }}
.compsim details {{ margin: 1em 0; }}
.compsim summary {{ cursor: pointer; font-weight: 600; padding: .4em 0; }}
.compsim .about {{ font-size: .9em; opacity: .8; }}
.compsim .sentence {{ font-size: 1.1em; line-height: 1.9; display: flex; gap: .6em;
  break-inside: avoid; }}
.compsim .sentence > span {{ flex: 1; min-width: 0; padding-inline-end: .3em; }}
.compsim .sentence::before {{ content: attr(data-number); opacity: .65;
  font-variant-numeric: tabular-nums; }}
.compsim mark {{ color: inherit; background: rgb(var(--tone) / .2); padding: .1em .2em;
  border-bottom: .18em solid rgb(var(--tone)); border-radius: .2em .2em 0 0;
  -webkit-box-decoration-break: clone; box-decoration-break: clone;
  -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
.compsim mark.against {{ --tone: {_AGAINST}; }}
.compsim mark.alone {{ background: none; border-bottom: .12em dashed rgb(128 128 128); }}
.compsim mark[data-role]::after {{ content: attr(data-role); font-size: .65em; opacity: .85;
  margin-inline-start: .4em; }}
.compsim .reason {{ font-style: italic; }}
.compsim table {{ border-collapse: collapse; margin: .7em 0; width: 100%;
  table-layout: fixed; }}
.compsim thead th:nth-child(1) {{ width: 8em; }}
.compsim thead th:nth-child(4), .compsim thead th:nth-child(5) {{ width: 5.6em; }}
.compsim thead th:nth-child(6) {{ width: 7.6em; }}
.compsim th, .compsim td {{ padding: .3em .6em; text-align: start; vertical-align: top;
  background: none; color: inherit; white-space: normal; }}
.compsim th:first-child, .compsim td:first-child {{ padding-inline-start: 0; }}
.compsim tbody tr {{ break-inside: avoid; }}
.compsim thead tr, .compsim tbody tr, .compsim tfoot tr {{
  border-bottom: 1px solid rgb(128 128 128 / .3); background: none; }}
.compsim tr.reasoned {{ border-bottom: 0; }}
.compsim tr.reason td {{ padding-top: 0; font-size: .9em; }}
.compsim .number {{ text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }}
.compsim th {{ font-size: .85em; font-weight: 600; }}
.compsim .unmatched td {{ opacity: .7; }}
.compsim figure {{ margin: 1.2em 0; break-inside: avoid; }}
.compsim figure svg {{ display: block; max-width: 100%; height: auto; }}
@container (max-width: 36em) {{
  .compsim table, .compsim tbody, .compsim tfoot {{ display: block; }}
  .compsim thead {{ display: none; }}
  .compsim tbody tr, .compsim tfoot tr {{ display: flex; flex-wrap: wrap;
    column-gap: .9em; padding: .5em 0; }}
  .compsim tr.reasoned {{ padding-bottom: 0; }}
  .compsim td, .compsim th {{ padding: .1em 0; }}
  .compsim td.wide {{ flex: 0 0 100%; }}
  .compsim td.phrase {{ display: flex; gap: .6em; }}
  .compsim td[data-name]::before {{ content: attr(data-name); opacity: .7; font-size: .85em; }}
  .compsim td.number {{ text-align: start; font-size: .92em; min-width: 5.9em; }}
  .compsim td.number:nth-child(4) {{ min-width: 6.7em; }}
  .compsim td.number:last-child {{ flex: 1 0 auto; }}
  .compsim td.number::before {{ margin-inline-end: .4em; }}
  .compsim tr.reason {{ display: block; padding-top: 0; }}
  .compsim tr.reason td:first-child {{ display: none; }}
  .compsim tfoot th.number {{ text-align: start; }}
}}
"""
