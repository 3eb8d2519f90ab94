"""Sentence analogies as the published code answers them, which its figures depend on.

What Zhu and de Melo (2020) print is not what their paper says, by their code
(contemn1/sentence_embeddings): A and B are shut out in every second pair only, C always;
3CosMul takes cosines as they are, so that negative ones turn its sign; sentences that stand twice
are two candidates, and an answer counts only with the right one of them; of ties the first wins.
Their column of 3CosAdd without exclusion holds 3CosMul without exclusion.

>>> vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8], [0.0, 1.0]])
>>> result = answer(vectors[[0, 2]], vectors[[1, 3]], np.array([0, 1]), np.array([1, 0]))
>>> {name: right.tolist() for name, right in result.items()}
{'3cosadd': [True, True], '3cosmul': [True, True], '3cosmul-U': [True, True]}
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["RULES", "answer", "choose"]

Array = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Right = npt.NDArray[np.bool_]

#: What is printed, by its right name.
RULES: Final = ("3cosadd", "3cosmul", "3cosmul-U")
_AMONG_ALL: Final = 1e-5
_AMONG_SIX: Final = 1e-3


def answer(first: Array, second: Array, i: Places, j: Places) -> dict[str, Right]:
    """Return the correct answers (q,) by rule, among all 2 n sentences, as booleans.

    ``first`` and ``second`` (n, dim) are the vectors of each pair at unit length, i and j (q,) the
    pairs of each question.
    """
    vectors = np.concatenate([first, second])
    count = len(first)
    result = {name: np.zeros(len(i), dtype=bool) for name in RULES}
    to_c = first @ vectors.T
    for pair in np.unique(i):
        places = np.flatnonzero(i == pair)
        c, d = j[places], count + j[places]
        near_a, near_b = vectors @ first[pair], vectors @ second[pair]
        near_c = to_c[c]
        lines = np.arange(len(c))
        for name, scores in (
            ("3cosadd", near_b - near_a + near_c),
            ("3cosmul", near_b * near_c / (near_a + _AMONG_ALL)),
        ):
            if name == "3cosmul":
                result["3cosmul-U"][places] = scores.argmax(axis=1) == d
            scores[lines, c] = -np.inf
            if pair % 2 == 0:
                scores[:, [pair, count + pair]] = -np.inf
            result[name][places] = scores.argmax(axis=1) == d
    return result


def choose(
    vectors: Array, first: Places, second: Places, choices: Places, i: Places, j: Places
) -> dict[str, Right]:
    """Return the correct answers (q,) by rule, among the choices (n, c), the true one first."""
    result = {name: np.zeros(len(i), dtype=bool) for name in RULES[:2]}
    of_c = np.einsum("ncd,nd->nc", vectors[choices], vectors[first])
    for pair in np.unique(i):
        places = np.flatnonzero(i == pair)
        own = choices[j[places]]
        near_a = (vectors @ vectors[first[pair]])[own]
        near_b = (vectors @ vectors[second[pair]])[own]
        near_c = of_c[j[places]]
        product = near_b * near_c / (near_a + _AMONG_SIX)
        result["3cosadd"][places] = (near_b - near_a + near_c).argmax(axis=1) == 0
        result["3cosmul"][places] = product.argmax(axis=1) == 0
    return result
