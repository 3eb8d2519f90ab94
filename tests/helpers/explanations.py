"""Explanations made by hand: one frame, several, some left over, other scripts, long phrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compsim.explanation import Explanation, FrameRow, MatrixWord, RoleRow, WordMatrix
from compsim.explanation.figure import drawing
from compsim.graph import Edge, Node, RoleGraph

__all__ = ["LONG", "NEGATIVE", "SEVERAL", "SINGLE", "UNCOMMON", "WORDS", "explained"]

#: Role, first phrase, second phrase, cosine, reason.
Told = tuple[str, str | None, str | None, float | None, str]


def explained(texts: tuple[str, str], pairs: Sequence[tuple[FrameRow, list[Told]]]) -> Explanation:
    """An explanation with its drawing; rows of a frame begin with its predicates, and weigh 1.

    Only share, factor and notes of the frames are taken; one is left over where its predicate is.
    """
    nodes: tuple[list[Node], list[Node]] = ([], [])
    edges: tuple[list[Edge], list[Edge]] = ([], [])
    rows, frames, mapping = [], [], []
    for place, (frame, told) in enumerate(pairs):
        compared = sum(cosine is not None for *_, cosine, _ in told)
        heads = len(nodes[0]), len(nodes[1])
        own = []
        for role, *phrases, cosine, reason in told:
            found: list[Node | None] = [None, None]
            for side, phrase in enumerate(phrases):
                if not isinstance(phrase, str):
                    continue
                start = texts[side].index(phrase)
                found[side] = node = Node(phrase, (start, start + len(phrase)))
                nodes[side].append(node)
                if len(nodes[side]) - 1 > heads[side]:
                    own_role = role.split("~")[-side]
                    edges[side].append(Edge(heads[side], own_role, len(nodes[side]) - 1))
            if None not in found:
                mapping.append((len(nodes[0]) - 1, len(nodes[1]) - 1))
            assert not isinstance(cosine, str)
            part = frame.share * frame.factor * cosine / compared if cosine is not None else 0.0
            own.append(RoleRow(role, found[0], found[1], cosine, 1.0, part, place, str(reason)))
        score = sum(row.contribution for row in own) / frame.share
        frames.append(
            FrameRow(own[0].first, own[0].second, frame.share, score, frame.factor, frame.notes)
        )
        rows += own
    graphs = [
        RoleGraph(tuple(nodes[i]), tuple(edges[i]), 0 if nodes[i] else None, texts[i])
        for i in (0, 1)
    ]
    return Explanation(
        "verbnet-cn",
        texts,
        tuple(rows),
        normalize="matched",
        frames=tuple(frames),
        figure=drawing(rows, graphs[0], graphs[1], mapping),
    )


def _frame(share: float = 1.0, factor: float = 1.0, *notes: str) -> FrameRow:
    return FrameRow(None, None, share, 0.0, factor, notes)


SINGLE = explained(
    ("The dog bit the man.", "The man was bitten by the dog."),
    [
        (
            _frame(),
            [
                ("Verb", "bit", "was bitten", 0.95, "same lemma"),
                ("Agent", "The dog", "the dog", 1.0, ""),
                ("Patient", "the man", "The man", 1.0, ""),
            ],
        )
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
        (
            _frame(0.6),
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
            ],
        ),
        (
            _frame(0.4, 0.5, "negated in one"),
            [
                ("Verb", "bitten", "was bitten", -0.2, "same lemma"),
                ("Agent", "the dog", "Zyxwqu's dog", 0.6, "no vector: compared as names"),
                ("Location~Manner", "in the garden", "behind the house", 0.4, ""),
            ],
        ),
        (
            _frame(0.1),
            [("Verb", "laughed", None, None, ""), ("Agent", "the cook", None, None, "")],
        ),
        (_frame(0.1), [("Verb", None, "went", None, ""), ("Manner", None, "quickly", None, "")]),
    ],
)

UNCOMMON = explained(
    (
        "القط الكبير طارد الفأر في الحديقة \x1b[31m\u202e\x07",
        "那只大猫在花园里追赶了一只非常小的老鼠 🐈\u200d⬛🐭 <b>&\u2028",
    ),
    [
        (
            _frame(1.0, 1.0, "tense differs: \x1b[2J past \u2067in one"),
            [
                ("Verb", "طارد", "追赶了", 0.8, ""),
                ("Agent", "القط الكبير", "那只大猫", 0.9, "\x9b1m"),
                ("Patient", "الفأر", "一只非常小的老鼠 🐈\u200d⬛🐭", 0.7, "compared as names"),
                ("Location", "الحديقة \x1b[31m\u202e\x07", "<b>&\u2028", 0.7, ""),
            ],
        )
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
        (
            _frame(),
            [
                ("Verb", "recommended", "were urged", 0.5, ""),
                ("Agent", "The committee of the ministers", None, None, ""),
                ("Theme", _CLAUSE, f"to repeal the {_WORD}", 0.7, ""),
                ("Location", "in its long-awaited report", None, None, ""),
            ],
        )
    ],
)

_TAKING_OFF = explained(
    (
        "After the long meeting, the manager sent Ann three letters.",
        "Ann received two letters before the meeting.",
    ),
    [
        (
            _frame(),
            [
                ("Verb", "sent", "received", -0.6693, ""),
                ("Agent", "the manager", "Ann", 0.4378, ""),
                ("Patient", "three letters", "two letters", 0.8766, "three, two: by value"),
                ("Time", "After the long meeting", "before the meeting", -0.1833, ""),
            ],
        )
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
