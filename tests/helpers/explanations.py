"""Explanations made by hand: roles, conflicts, phrases left over, other scripts, long phrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compsim.explanation import Conflict, Explanation, MatrixWord, RoleRow, WordMatrix
from compsim.explanation.figure import drawing
from compsim.graph import Edge, Node, RoleGraph

__all__ = ["CONFLICTS", "LONG", "NEGATIVE", "SEVERAL", "SINGLE", "UNCOMMON", "WORDS", "explained"]

#: Role, first phrase, second phrase, cosine, reason.
Told = tuple[str, str | None, str | None, float | None, str]


def explained(texts: tuple[str, str], items: Sequence[Told]) -> Explanation:
    """An explanation with its drawing; the rows weigh 1 and begin with the predicates."""
    nodes: tuple[list[Node], list[Node]] = ([], [])
    edges: tuple[list[Edge], list[Edge]] = ([], [])
    rows, mapping = [], []
    compared = sum(cosine is not None for *_, cosine, _ in items)
    for role, *phrases, cosine, reason in items:
        results: list[Node | None] = [None, None]
        for side, phrase in enumerate(phrases):
            if not isinstance(phrase, str):
                continue
            start = texts[side].index(phrase)
            results[side] = node = Node(phrase, (start, start + len(phrase)))
            nodes[side].append(node)
            if len(nodes[side]) > 1:
                edges[side].append(Edge(0, role.split("~")[-side], len(nodes[side]) - 1))
        if None not in results:
            mapping.append((len(nodes[0]) - 1, len(nodes[1]) - 1))
        assert not isinstance(cosine, str)
        part = cosine / compared if cosine is not None else 0.0
        rows.append(RoleRow(role, results[0], results[1], cosine, 1.0, part, str(reason)))
    graphs = [RoleGraph(tuple(nodes[i]), tuple(edges[i]), 0, texts[i]) for i in (0, 1)]
    figure = drawing(rows, graphs[0], graphs[1], mapping)
    return Explanation("verbnet-cn", texts, tuple(rows), normalize="matched", figure=figure)


SINGLE = explained(
    ("The dog bit the man.", "The man was bitten by the dog."),
    [
        ("Verb", "bit", "was bitten", 0.95, "same lemma"),
        ("Agent", "The dog", "the dog", 1.0, ""),
        ("Patient", "the man", "The man", 1.0, ""),
    ],
)

SEVERAL = explained(
    (
        "The old man who lives next door said that the dog had not bitten the postman in the "
        "garden yesterday, although the cook laughed loudly.",
        "He told us that the postman was bitten by Zyxwqu's dog behind the house, and then the "
        "neighbour quickly went home.",
    ),
    [
        ("Verb", "said", "told", 0.7, ""),
        ("Agent", "The old man who lives next door", "He", 1.0, "he = the old man"),
        (
            "Theme",
            "that the dog had not bitten the postman in the garden yesterday",
            "that the postman was bitten by Zyxwqu's dog behind the house",
            0.83,
            "",
        ),
        ("Patient", None, "us", None, ""),
        ("Verb", "bitten", "was bitten", -0.2, "same lemma"),
        ("Agent", "the dog", "Zyxwqu's dog", 0.6, "no vector: compared as names"),
        ("Location~Manner", "in the garden", "behind the house", 0.4, ""),
        ("Agent", "the cook", None, None, ""),
        ("Manner", None, "quickly", None, ""),
    ],
)

UNCOMMON = explained(
    (
        "القط الكبير طارد الفأر في الحديقة \x1b[31m\u202e\x07",
        "那只大猫在花园里追赶了一只非常小的老鼠 🐈\u200d⬛🐭 <b>&\u2028",
    ),
    [
        ("Verb", "طارد", "追赶了", 0.8, ""),
        ("Agent", "القط الكبير", "那只大猫", 0.9, "\x9b1m"),
        ("Patient", "الفأر", "一只非常小的老鼠 🐈\u200d⬛🐭", 0.7, "compared as names"),
        ("Location", "الحديقة \x1b[31m\u202e\x07", "<b>&\u2028", 0.7, ""),
    ],
)

_WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenverordnung"
_CLAUSE = f"that the government should gradually withdraw the {_WORD} from all of the provinces "
_CLAUSE += "in which it had been applied without the consent of the local councils"

LONG = explained(
    (
        f"The committee of the ministers recommended in its long-awaited report {_CLAUSE}.",
        f"Ministers were urged to repeal the {_WORD}.",
    ),
    [
        ("Verb", "recommended", "were urged", 0.5, ""),
        ("Agent", "The committee of the ministers", None, None, ""),
        ("Theme", _CLAUSE, f"to repeal the {_WORD}", 0.7, ""),
        ("Location", "in its long-awaited report", None, None, ""),
    ],
)

_TAKING_OFF = explained(
    (
        "After the long meeting, the manager sent Ann three letters.",
        "Ann received two letters before the meeting.",
    ),
    [
        ("Verb", "sent", "received", -0.6693, ""),
        ("Agent", "the manager", "Ann", 0.4378, ""),
        ("Patient", "three letters", "two letters", 0.8766, "three, two: by value"),
        ("Time", "After the long meeting", "before the meeting", -0.1833, ""),
    ],
)
#: Cosines and contributions with a minus, and weights with more digits than anybody reads.
NEGATIVE = replace(
    _TAKING_OFF,
    rows=tuple(
        replace(row, weight=weight)
        for row, weight in zip(
            _TAKING_OFF.rows, (0.962833, 1.09391, 1.17205, 0.799247), strict=True
        )
    ),
)

_FIRST = ("[CLS]", *_CLAUSE.split()[:14], "القط", "<b>&\x1b\u202e", "[SEP]")
_SECOND = ("[CLS]", "Ministers", "were", "urged", "to", "repeal", "the", _WORD, ".", "[SEP]")

#: What each pair of words adds, ever less, some taking off.
WORDS = Explanation(
    "sbert",
    (" ".join(_FIRST[1:-1]), " ".join(_SECOND[1:-1])),
    (RoleRow.whole((" ".join(_FIRST[1:-1]), " ".join(_SECOND[1:-1])), 0.25),),
    words=WordMatrix(
        *(
            tuple(
                MatrixWord(word, None, "special" if word in ("[CLS]", "[SEP]") else "word")
                for word in side
            )
            for side in (_FIRST, _SECOND)
        ),
        tuple(
            tuple(
                0.25 if i == j == 0 else (-1) ** j * 0.02 / (i + 1) if i > 0 and j < 8 else 0.0
                for j in range(len(_SECOND))
            )
            for i in range(len(_FIRST))
        ),
    ),
)

_SMALL, _BIT = Node("small", (4, 9)), Node("bit", (14, 17))
_DOGS = Node("dog", (10, 13)), Node("dog", (16, 19))
_MEN = Node("man", (22, 25)), Node("man", (4, 7))
_CITIES = Node("Rome", (29, 33)), Node("Paris", (23, 28))
_PLACES = '"dog" and "man" changed places'
_SIDES = 'in the first sentence "bit" is done by "dog", in the second "bit" is done by "man"'

#: Two types of conflicts, one with two sentences, a gap, and what keeps the score from 0 to 1.
CONFLICTS = Explanation(
    "hybrid",
    ("The small dog bit the man in Rome.", "The man bit the dog in Paris."),
    (
        RoleRow.whole(("The small dog bit", "The man bit"), 0.3),
        RoleRow("concept", _DOGS[0], _DOGS[1], 1.0, 0.1, 0.1),
        RoleRow("concept", _BIT, Node("bit", (8, 11)), 1.0, 0.15, 0.15),
        RoleRow("concept", _MEN[0], _MEN[1], 1.0, 0.05, 0.05),
        RoleRow("concept", _SMALL, None, None, 0.05, 0.0),
        RoleRow(
            "conflict: name",
            _CITIES[0],
            _CITIES[1],
            0.5,
            -0.3,
            -0.15,
            conflicts=(
                Conflict(
                    '"Rome" in the first sentence, "Paris" in the second',
                    _CITIES[:1],
                    _CITIES[1:],
                    0.5,
                ),
            ),
        ),
        RoleRow(
            "conflict: roles",
            _DOGS[0],
            _DOGS[1],
            1.0,
            -0.5,
            -0.5,
            conflicts=(
                Conflict(_PLACES, (_DOGS[0], _MEN[0]), (_DOGS[1], _MEN[1]), 1.0, _SIDES),
                Conflict("another <b>reason</b>", _MEN[:1], _MEN[1:], 0.4),
            ),
        ),
        RoleRow("limit", None, None, None, 1.0, 0.05, "a score is from 0 to 1"),
    ),
)
