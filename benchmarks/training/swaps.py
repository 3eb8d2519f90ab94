"""The sets that defaults are chosen on, and pairs of swapped roles made from them.

SICK train, STSb train, GS2011 and the pilot set hold few sentences whose roles are swapped, or
whose paths are turned round ("into", "out of"). So some are made: sentences of SICK and STSb train
with the phrases of two roles exchanged or, where roles alone are judged, with the opposite
preposition, each taken for half as like as the sentence that it was made from (SICK's own swaps are
rated .45 to .55 of the range). The half keeps a penalty from growing for ever: where swaps are
pushed below unrelated pairs, the figures fall again. Who leaves out when and where something
happened says less, and nothing else: such a sentence is to be nearer than one with its participants
exchanged. Neither STS3k nor another set for evaluation is opened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from compsim.benchmarks.datasets import open_dataset
from compsim.benchmarks.datasets.triples import Triple
from compsim.graph import Node, RoleGraph
from compsim.parsers.grammar.lexicon import Lexicon

__all__ = [
    "REDUCED", "SETS", "Pairs", "made_swaps", "reduced", "reduced_triples", "sets_of", "shares",
    "swapped", "turned",
]  # fmt: skip

#: Two sentences and their rating, each.
Pairs: TypeAlias = Sequence[tuple[str, str, float]]

#: The files, by what a table calls them.
SETS: Final = {
    "SICK": "sick:sick/SICK_train.txt.gz",
    "STSb": "stsb:stsbenchmark/sts-train.csv.gz",
    "GS2011": "sts3k-pairs:compositional-semantics-eval/Data-experiment/GS2011_processed.csv",
    "pilot": "sts3k-pairs:compositional-semantics-eval/Data-experiment/Fodor_pilot_2022.txt",
}
PAIRS: Final = 1500
#: The kind of triples of a sentence, itself without adjuncts, and with exchanged participants.
REDUCED: Final = "reduced"
#: Swaps are made of pairs that are rated at least this, of each set at most so many.
_ALIKE: Final = 0.7
_SWAPS: Final = 225
#: Prepositions of a path or an order, and those that turn it round.
_TURNED: Final = {
    "to": "from", "from": "to", "into": "out of", "out of": "into", "onto": "off", "off": "onto",
    "before": "after", "after": "before",
}  # fmt: skip
#: Roles of phrases without which a sentence says less and nothing else, and the words that are left
#: at least.
_ADJUNCTS: Final = ("Time", "Location", "Manner", "Instrument", "Co-Agent", "Beneficiary")
_SHORTEST: Final = 3
_ARTICLES: Final = frozenset(("a", "an", "the", "some", "this", "that", "two", "three"))


def sets_of(data: Path, most: int = PAIRS) -> dict[str, Pairs]:
    """The pairs of the four sets in a folder, of a larger set a sample of ``most``."""
    sets: dict[str, Pairs] = {}
    for name, source in SETS.items():
        form, _, path = source.partition(":")
        pairs: Pairs = open_dataset(f"{form}:{data / path}").pairs
        if len(pairs) > most:
            drawn = np.random.RandomState(1).permutation(len(pairs))[:most]
            pairs = [pairs[i] for i in sorted(drawn.tolist())]
        sets[name] = pairs
    return sets


def shares(pairs: Pairs) -> Pairs:
    """The pairs with their ratings as shares of the range of ratings."""
    ratings = [rating for *_, rating in pairs]
    low, high = min(ratings), max(ratings)
    return [(first, second, (rating - low) / (high - low)) for first, second, rating in pairs]


def swapped(graph: RoleGraph) -> str | None:
    """The text with Agent and Patient, or Theme, of the main frame exchanged; None if it cannot be.

    Only short phrases of one piece without a preposition change places.
    """
    roles = graph.roles()
    agent, other = roles.get("Agent"), roles.get("Patient") or roles.get("Theme")
    if agent is None or other is None or not (_moves(agent) and _moves(other)):
        return None
    (start, end), (begin, stop) = sorted([agent.spans[0], other.spans[0]])
    if end > begin:
        return None
    text = graph.text
    first, second = text[start:end], text[begin:stop]
    if first.split()[0].lower() in _ARTICLES:
        first = first[0].lower() + first[1:]
    if start == 0:
        second = second[0].upper() + second[1:]
    new = text[:start] + second + text[end:begin] + first + text[stop:]
    return None if new == text else new


def reduced(graph: RoleGraph) -> str | None:
    """The text without phrases of when, where and how; None where the main event has none.

    Single words stay, as "never" and "only" do.
    """
    text = graph.text
    left_out = sorted(
        (
            node.spans[0]
            for role, node in graph.roles().items()
            if role in _ADJUNCTS and len(node.label.split()) > 1
        ),
        reverse=True,
    )
    for start, end in left_out:
        text = text[:start] + text[end:]
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r" ([,.])", r"\1", text).strip(" ,")
    return text if left_out and len(text.split()) >= _SHORTEST else None


def reduced_triples(
    parse: Callable[[Sequence[str]], Sequence[RoleGraph]], sets: Mapping[str, Pairs]
) -> list[Triple]:
    """Sentences of SICK and STSb, each less its adjuncts, and with its participants exchanged."""
    pairs = [*sets["SICK"], *sets["STSb"]]
    texts = sorted({text for first, second, _ in pairs for text in (first, second)})
    triples = []
    for graph in parse(texts):
        same, other = reduced(graph), swapped(graph)
        if same is not None and other is not None:
            triples.append(Triple(REDUCED, graph.text, same, other))
    return triples


def _moves(node: Node) -> bool:
    return (
        len(node.spans) == 1
        and 0 < len(node.label.split()) <= 5
        and Lexicon.open().entry("preposition", node.label.split()[0].lower()) is None
    )


def turned(graph: RoleGraph) -> str | None:
    """The text with the first preposition of a path or an order turned round; None without one."""
    main = graph.main_frame()
    for node in () if main is None else main.roles.values():
        start = node.span[0] if node.span else 0
        for word, other in _TURNED.items():
            if graph.text[start:].startswith(f"{word} "):
                return graph.text[:start] + other + graph.text[start + len(word) :]
    return None


def made_swaps(
    parse: Callable[[Sequence[str]], Sequence[RoleGraph]],
    sets: Mapping[str, Pairs],
    makers: Sequence[Callable[[RoleGraph], str | None]] = (swapped,),
) -> tuple[Pairs, Pairs]:
    """Pairs that are alike, and pairs of their first sentence with either one made another.

    ``makers`` are :func:`swapped` and :func:`turned`.

    Ratings are shares of the range of their set, as :func:`shares` makes them.
    """
    alike: list[tuple[str, str, float]] = []
    swaps: list[tuple[str, str, float]] = []
    for name in ("SICK", "STSb"):
        pairs = sets[name]
        order = np.random.RandomState(3).permutation(len(pairs)).tolist()
        chosen = [pairs[i] for i in order if pairs[i][2] >= _ALIKE and pairs[i][0] != pairs[i][1]]
        graphs = parse([text for pair in chosen for text in pair[:2]])
        twice = [pair for pair in chosen for _ in range(2)]
        for make in makers:
            results = [
                (first, second, rating, new)
                for (first, second, rating), graph in zip(twice, graphs, strict=True)
                if (new := make(graph)) is not None
            ][: 2 * _SWAPS]
            alike += [(first, second, rating) for first, second, rating, _ in results]
            swaps += [(first, new, rating / 2) for first, _, rating, new in results]
    return alike, swaps
