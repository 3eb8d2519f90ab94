"""What explains a score: the concepts that agree, and each conflict with what it cost.

The rows come from the comparison that makes the score: the similarity of the whole sentences, the
share of each aligned pair of concepts in the agreement, what is left of both sentences taken
together, what concepts in the same roles add, what the conflicts of each type took off, the
strongest first, and another wording in sentences that are else alike.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from compsim.comparison.concepts import CONFLICTS
from compsim.comparison.pairs import CONTAINED, TERMS
from compsim.comparison.sentences import Side, plain_conflicts
from compsim.comparison.words import words_of
from compsim.explanation import Conflict, RoleRow
from compsim.explanation.plain_names import CONCEPT, LIMIT
from compsim.explanation.verdict import quoted
from compsim.graph import Node, RoleGraph
from compsim.graph_method import Parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compsim.comparison.batch import ConceptBatch
    from compsim.comparison.scheme import Scheme
    from compsim.comparison.single import Compared

__all__ = ["CONFLICT", "FILLERS", "WORDING", "parts"]

#: What the name of a row begins with where it is a conflict; behind it stands the type.
CONFLICT: Final = "conflict: "
#: The name of the row of concepts in the same roles.
FILLERS: Final = "roles"
#: The name of the row of what is left of both sentences.
REST: Final = "rest"
#: The type of a conflict of wordings.
WORDING: Final = "wording"
_WORDING, _REST = TERMS.index(WORDING), TERMS.index(REST)


def parts(
    batch: ConceptBatch,
    scheme: Scheme,
    compared: Compared | None,
    whole: float | None = None,
    kind: str = "none",
) -> Parts:
    """The rows of two sentences, a batch of two; ``whole`` is the similarity of the sentences.

    ``compared`` is their comparison, None where one of them has no concepts.
    """
    first, second = batch.graphs
    texts = [first.text, second.text]
    if compared is None:
        return Parts(_floored([] if whole is None else [_whole(texts, whole, 1.0)]))
    terms = compared.terms
    size = np.array([batch.sizes.mean()])
    roles, share = float(scheme.share_of_roles(terms)), scheme.agreement[kind]
    rows: list[RoleRow] = []
    if whole is not None:
        rows.append(_whole(texts, whole, (1.0 - roles) * (1.0 - share)))
    rows += _concepts(batch, compared, (1.0 - roles) * share)
    gain = (1.0 - roles) * share * float(scheme.gain_of_rest(terms, kind))
    if gain > 0.0:
        alike, reason = float(terms[_REST]), "what is left of both, taken together"
        rows.append(RoleRow(REST, None, None, alike, gain / alike, gain, reason))
    if roles > 0.0:
        alike, reason = float(terms[TERMS.index("fillers")]), "concepts in the same roles"
        rows.append(RoleRow(FILLERS, None, None, alike, roles, roles * alike, reason))
    base = max(0.0, sum(row.contribution for row in rows))
    losses = scheme.losses(terms[None], size)[0]
    sides = [Side.of(graph) for graph in (first, second)]
    for number, name in enumerate(CONFLICTS):
        strength = float(terms[TERMS.index(name)])
        if strength > 0.0:
            told = plain_conflicts(compared, number, *sides)
            loss = -base * float(losses[number])
            x, y = (next(iter(nodes), None) for nodes in (told[0].first, told[0].second))
            row = RoleRow(CONFLICT + name, x, y, strength, loss / strength, loss)
            rows.append(replace(row, conflicts=told))
    if terms[_WORDING] > 0.0:
        left = max(0.0, sum(row.contribution for row in rows))
        (lost,) = scheme.loss_of_wording(terms[None], size)
        rows.append(_wording(compared, (first, second), left * float(lost)))
    return Parts(_floored(rows), mapping=compared.pairs)


def _wording(compared: Compared, graphs: Sequence[RoleGraph], loss: float) -> RoleRow:
    """The row of the wordings that stand against each other."""
    strength = float(compared.terms[_WORDING])
    x, y = (_node(graph, part) for graph, part in zip(graphs, compared.wording, strict=True))
    sentence = f"{quoted(x.label)} in place of {quoted(y.label)}, and the rest is worded alike"
    row = RoleRow(CONFLICT + WORDING, x, y, strength, -loss / strength, -loss)
    return replace(row, conflicts=(Conflict(sentence, (x,), (y,), strength),))


def _node(graph: RoleGraph, part: slice) -> Node:
    """Some words of a text as a node, each concept with all of its words."""
    words = words_of(graph)[part]
    of_words = (
        graph.nodes[word.node].spans if word.node >= 0 and not word.feature else (word.span,)
        for word in words
    )
    spans = tuple(sorted({*chain.from_iterable(of_words)}))
    label = " ".join(graph.text[slice(*span)] for span in spans)
    return Node(label, (spans[0][0], spans[-1][1]), parts=spans)


def _whole(texts: Sequence[str], whole: float, share: float) -> RoleRow:
    """The row of the whole sentences, which count this share."""
    return replace(RoleRow.whole(texts, whole), weight=share, contribution=share * whole)


def _floored(rows: list[RoleRow]) -> list[RoleRow]:
    """The rows with what keeps their sum from 0 to 1."""
    total = sum(row.contribution for row in rows)
    rest = min(1.0, max(0.0, total)) - total
    if abs(rest) > 1e-12:
        reason = "a score is from 0 to 1"
        rows.append(RoleRow(LIMIT, None, None, None, 1.0, rest, reason))
    return rows


def _concepts(batch: ConceptBatch, compared: Compared, share: float) -> list[RoleRow]:
    """A row for each aligned pair of concepts, then those without a partner."""
    first, second = batch.graphs
    node = batch.parts["node"]
    weight = node.columns["weight"].astype(np.float64)
    start = int(node.indptr[1])
    mine, other = weight[:start] / weight[:start].sum(), weight[start:] / weight[start:].sum()
    pairs = list(zip(compared.pairs, compared.like, strict=True))
    result = [sum(like * float(mine[p]) for (p, _), like in pairs)]
    result.append(sum(like * float(other[q]) for (_, q), like in pairs))
    # What each concept is of the score, where it agrees in full.
    most = result[0] >= result[1]
    mine, other = (
        share * (CONTAINED if better else 1.0 - CONTAINED) * side
        for side, better in ((mine, most), (other, not most))
    )
    rows = []
    for (p, q), like in pairs:
        counts = float(mine[p] + other[q])
        rows.append(RoleRow(CONCEPT, first.nodes[p], second.nodes[q], like, counts, counts * like))
    aligned = {p for p, _ in compared.pairs}, {q for _, q in compared.pairs}
    for side, (graph, counts_of) in enumerate(((first, mine), (second, other))):
        for p, concept in enumerate(graph.nodes):
            if p not in aligned[side]:
                mine_only = concept if side == 0 else None
                other_only = concept if side == 1 else None
                counts = float(counts_of[p])
                rows.append(RoleRow(CONCEPT, mine_only, other_only, None, counts, 0.0))
    return rows
