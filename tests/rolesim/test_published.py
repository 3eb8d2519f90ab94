"""The role score against the authors' published values, pair by pair."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compsim.graph import RoleGraph
from compsim.roles import VERBNET
from compsim.rolesim import kernel
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.scheme_file import read_scheme
from compsim.vectors import WordVectors

PARSES = "Sentence Parses/VerbNet Parsing/full_VerbNet_pass_STS3k_all"


@pytest.fixture(scope="module")
def model_data(data_dir: Path) -> Path:
    folder = data_dir / "compositional-semantics-eval" / "Data-model"
    if not folder.is_dir():
        pytest.skip(f"no {folder}: the STS3k development part is not at hand")
    return folder


@pytest.fixture(scope="module")
def phrases(model_data: Path) -> dict[str, list[dict[str, str]]]:
    """The two sentences' role phrases of each pair, hand-fixed by the authors."""
    table = json.loads((model_data / f"{PARSES}_mod.json").read_text())
    return {
        key: [
            {r: p for r, p in star.items() if r in VERBNET.roles and p != "NONE"} for star in pair
        ]
        for key, pair in table.items()
    }


@pytest.fixture(scope="module")
def cosines(model_data: Path) -> dict[str, dict[str, float]]:
    """The authors' cosine of each role of each pair; absent or NaN where it has none."""
    path = model_data / f"{PARSES}_rolewise_similarities.json"
    table: dict[str, dict[str, float]] = json.loads(path.read_text())["conceptnet"]
    return table


def planted(stars: list[dict[str, list[float]]]) -> RoleBatch:
    rows = [
        sorted((VERBNET.roles.index(role), vector) for role, vector in star.items())
        for star in stars
    ]
    return RoleBatch.of_arrays(
        np.cumsum([0, *map(len, rows)]),
        np.array([role for row in rows for role, _ in row]),
        np.array([vector for row in rows for _, vector in row]),
        roles=VERBNET.roles,
    )


def test_scores_follow_from_the_published_cosines(
    model_data: Path,
    phrases: dict[str, list[dict[str, str]]],
    cosines: dict[str, dict[str, float]],
) -> None:
    """Plane vectors at the published angles, through the kernel: alignment, weights, divisor."""
    scheme = read_scheme("paper", "fixed")
    first: list[dict[str, list[float]]] = []
    second: list[dict[str, list[float]]] = []
    for key, (a, b) in phrases.items():
        first.append({role: [1.0, 0.0] for role in a})
        star = {role: [0.0, 1.0] for role in b}
        matches = scheme.matches(a, b)
        published = {role for role, value in cosines[key].items() if not math.isnan(value)}
        assert {match.role for match in matches} == published
        for match in matches:
            cosine = cosines[key][match.role]
            star[match.second] = [cosine, math.sqrt(max(0.0, 1 - cosine**2))]
        second.append(star)
    name = "Sentence Similarities/STS3k_all_verbnet_conceptnet_fixedparms_basic_similarities.txt"
    expected = np.loadtxt(model_data / name)
    assert len(expected) == len(phrases) == 1140
    scores = kernel.pairwise(planted(first), planted(second), scheme)
    np.testing.assert_allclose(scores, expected, atol=1e-6)


def test_role_cosines_are_near_the_published_ones(
    data_dir: Path,
    phrases: dict[str, list[dict[str, str]]],
    cosines: dict[str, dict[str, float]],
) -> None:
    table = data_dir / "numberbatch" / "numberbatch-en-mini.txt.gz"
    if not table.is_file():
        pytest.skip(f"no {table}: the small Numberbatch is not at hand")
    vectors = WordVectors.open(table)
    scheme = read_scheme("paper")

    def batch(side: int) -> RoleBatch:
        graphs = [RoleGraph.star("", pair[side]) for pair in phrases.values()]
        return RoleBatch.from_graphs(graphs, vectors, VERBNET)

    def covered(phrase: str) -> bool:
        words = vectors.content_words(phrase)
        rows = vectors.rows(words).tolist()
        results = [vectors.words[row] if row >= 0 else "" for row in rows]
        return bool(words) and results == words  # as they are, not by a base form

    a, b = batch(0), batch(1)
    differences: list[Any] = []
    for i, (key, (first, second)) in enumerate(phrases.items()):
        x, y = a.star(i), b.star(i)
        for role, one, other in scheme.matches(first, second):
            if covered(first[one]) and covered(second[other]):
                differences.append(float(x[one] @ y[other]) - cosines[key][role])
    assert len(differences) > 1000
    assert np.abs(differences).mean() < 0.03
