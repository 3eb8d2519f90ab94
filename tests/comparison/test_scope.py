"""Quantifiers and modals in all combinations: what says the same scores above what does not."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from compsim import load

#: Noun phrases by what part of their kind they stand for, and whether they are plural.
QUANTIFIED = {
    "all": ("All the lamps+", "Every lamp", "Each lamp", "All of the lamps+"),
    "none": ("No lamp", "None of the lamps+", "Not one lamp", "Not a single lamp", "No lamps+"),
    "some": ("Some lamps+", "Some of the lamps+"),
    "not all": ("Not all lamps+", "Not every lamp", "Not all of the lamps+"),
    "most": ("Most lamps+", "Most of the lamps+"),
    "few": ("Few lamps+", "Few of the lamps+"),
    "half": ("Half of the lamps+", "Half the lamps+"),
}
PREDICATES = (
    ("glows", "glow"), ("was lit", "were lit"), ("is green", "are green"), ("is a toy", "are toys"),
    ("is in the barn", "are in the barn"), ("can glow", "can glow"), ("needs oil", "need oil"),
    ("must be sold", "must be sold"), ("has a cover", "have covers"), ("has fallen", "have fallen"),
)  # fmt: skip
#: What somebody may, must, will, wants to do or has done.
EVENTS = {
    "may": ("may leave", "is allowed to leave", "is permitted to leave"),
    "must": ("must leave", "has to leave", "needs to leave", "is required to leave"),
    "must not": ("must not leave", "is not allowed to leave", "is forbidden to leave"),
    "need not": ("does not have to leave", "need not leave", "is not required to leave"),
    "did": ("left", "has left"),
    "did not": ("did not leave", "never left"),
    "will": ("will leave", "is going to leave"),
    "tried": ("tried to leave", "attempted to leave"),
    "wants": ("wants to leave", "wishes to leave"),
    "might": ("might leave", "will perhaps leave"),
    "almost": ("almost left", "nearly left"),
    "began": ("began to leave", "started to leave"),
}
#: Meanings of which one follows from the other.
NEAR = (
    {"some", "not all"}, {"some", "few"}, {"not all", "few"}, {"most", "not all"},
    {"may", "might"}, {"almost", "did not"},
)  # fmt: skip
#: The score that parts what says the same from what does not.
APART = 0.8


@pytest.mark.parametrize(
    ("groups", "least"),
    [
        *(
            (
                {
                    kind: [
                        f"{noun.strip('+')} {several if noun.endswith('+') else single}."
                        for noun in nouns
                    ]
                    for kind, nouns in QUANTIFIED.items()
                },
                0.97,
            )
            for single, several in PREDICATES
        ),
        ({kind: [f"The guard {event}." for event in EVENTS[kind]] for kind in EVENTS}, 0.97),
    ],
    ids=[*(several for _, several in PREDICATES), "modality"],
)
def test_meanings_are_told_apart(groups: dict[str, list[str]], least: float) -> None:
    method = load("verbnet-cn", vectors="builtin")
    texts = [(kind, text) for kind, several in groups.items() for text in several]
    pairs = [(a, b) for a, b in combinations(texts, 2) if {a[0], b[0]} not in NEAR]
    scores = method.similarity_pairwise([a for (_, a), _ in pairs], [b for _, (_, b) in pairs])
    same = np.array([a[0] == b[0] for a, b in pairs])
    right = (np.array(scores) >= APART) == same
    for (a, b), score, good in zip(pairs, scores, right, strict=True):
        if not good:
            print(f"{score:.2f}", a, b)
    assert right.mean() >= least
