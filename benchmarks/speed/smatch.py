"""Smatch against the public ``smatch`` package, and reading PENMAN against ``penman``.

``smatch_vs_package``: pairs a second over the STS3k development pairs, both sides with their graphs
read and turned into triples; ``smatch_vs_package_encoding`` counts the turning of graphs into
triples too, on both sides. ``smatch_vs_package_large``: pairs of Little Prince graphs with 30
variables or more in the two, the two releases of one sentence and each with the next such sentence.
``penman_vs_package``: reading the Little Prince into role graphs over ``penman.loads``;
``penman_vs_smatch``: over the package's own reader, up to its triples; ``_parses``: the parses of
STS3k.

All in one thread, the two sides in turns, the best of some rounds each. The package climbs from
five starts, as it does by default.

>>> from compsim.benchmarks.speed.smatch import measure
>>> figures = measure("data")  # doctest: +SKIP
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compsim.amr.smatch import smatch_pairwise, warm_up
from compsim.amr.smatch.triples import encode
from compsim.benchmarks.speed.rivals import best_times
from compsim.benchmarks.stats import library
from compsim.graph.penman_reader import read_amr
from compsim.storage.reading import read_text

if TYPE_CHECKING:
    from compsim.graph import RoleGraph

__all__ = ["development_graphs", "measure"]

_PARSES = Path("compositional-semantics-eval", "Data-model", "Sentence Parses", "AMR Parsing")
_PRINCE = ("amr-bank-struct-v1.6.txt.gz", "amr-bank-struct-v3.0.txt.gz")
_LARGE = 30

_Triples = tuple[Any, Any, Any]


def measure(data: str | Path, rounds: int = 5) -> Mapping[str, float]:
    """Time all; ``data`` is the folder that holds ``compositional-semantics-eval`` and ``amr``.

    Raises ``DataError`` for a file that is missing, ``MissingExtraError`` without the package.
    """
    import penman

    package = library("smatch", "smatch")
    logging.getLogger("penman").setLevel(logging.ERROR)
    folder = Path(data)
    first, second = development_graphs(folder)
    old, new = (read_text(folder / "amr" / name) for name in _PRINCE)
    pairs = zip(read_amr(old), read_amr(new), strict=True)
    large = [pair for pair in pairs if sum(map(_size, pair)) >= _LARGE]
    a, b = [pair[0] for pair in large], [pair[1] for pair in large]
    big = _work(package, a + a, [*b, *b[1:], b[0]])
    parses = "\n\n".join(graph.to_penman() for graph in first + second)
    warm_up()
    gc.freeze()  # or each reader's time would grow with what lies here of the others
    best = best_times(
        {
            **_work(package, first, second),
            "big": big["ours"],
            "big package": big["package"],
            "read": lambda: list(read_amr(new)),
            "read package": lambda: penman.loads(new),
            "read by smatch": lambda: _read_by_smatch(package, new),
            "read parses": lambda: list(read_amr(parses)),
            "read parses by smatch": lambda: _read_by_smatch(package, parses),
        },
        rounds,
    )
    gc.unfreeze()
    return {
        "smatch_vs_package": best["package"] / best["ours"],
        "smatch_vs_package_encoding": best["package with encoding"] / best["ours with encoding"],
        "smatch_vs_package_large": best["big package"] / best["big"],
        "smatch_pairs_per_second": len(first) / best["ours"],
        "smatch_large_pairs": float(2 * len(large)),
        "penman_vs_package": best["read package"] / best["read"],
        "penman_vs_smatch": best["read by smatch"] / best["read"],
        "penman_vs_smatch_parses": best["read parses by smatch"] / best["read parses"],
    }


def development_graphs(data: str | Path) -> tuple[list[RoleGraph], list[RoleGraph]]:
    """The published parses of the first and of the second sentences of STS3k."""
    first, second = (
        list(read_amr(read_text(Path(data) / _PARSES / f"STS3k_all_{side}_AMR_parse.txt")))
        for side in ("a", "b")
    )
    return first, second


def _work(
    package: Any, a: Sequence[RoleGraph], b: Sequence[RoleGraph]
) -> dict[str, Callable[[], object]]:
    """Both sides on pairs of graphs, triples at hand or built anew."""
    read = package.amr.AMR.parse_AMR_line
    parsed = [[read(_line(graph)) for graph in side] for side in (a, b)]
    for prefix, side in zip("ab", parsed, strict=True):
        for graph in side:
            graph.rename_node(prefix)

    def triples() -> list[tuple[_Triples, _Triples]]:
        return [(x.get_triples(), y.get_triples()) for x, y in zip(*parsed, strict=True)]

    def match(pairs: Sequence[tuple[_Triples, _Triples]]) -> None:
        for x, y in pairs:
            package.match_triple_dict.clear()
            package.get_best_match(*x, *y, "a", "b")

    encoded, built = (encode(a), encode(b)), triples()
    return {
        "ours": lambda: smatch_pairwise(*encoded, threads=1),
        "ours with encoding": lambda: smatch_pairwise(encode(a), encode(b), threads=1),
        "package": lambda: match(built),
        "package with encoding": lambda: match(triples()),
    }


def _read_by_smatch(package: Any, text: str) -> None:
    lines = StringIO(text)
    while line := package.amr.AMR.get_amr_line(lines):
        graph = package.amr.AMR.parse_AMR_line(line)
        graph.rename_node("a")  # as the tool does with every graph
        graph.get_triples()


def _size(graph: RoleGraph) -> int:
    return sum(node.variable is not None for node in graph.nodes)


def _line(graph: RoleGraph) -> str:
    lines = graph.to_penman().split("\n")
    return "".join(line.strip() for line in lines if not line.startswith("#"))
