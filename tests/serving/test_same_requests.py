"""Decisions of a service are those of the library."""

from __future__ import annotations

import json

import pytest

from compsim import Guard
from compsim.defaults import DEFAULT_METHOD
from compsim.serving.due import Due
from compsim.serving.engine import Engine
from compsim.serving.jobs import Jobs
from compsim.serving.settings import Settings

DOGS = "The dog bit the man.", "The man bit the dog."
OPTIONS = {"whole": "mean-cn", "vectors": "builtin"}


@pytest.fixture(scope="module")
def jobs() -> Jobs:
    settings = Settings(DEFAULT_METHOD, OPTIONS)
    return Jobs(settings, Engine.open(settings))


def answered(jobs: Jobs, **asked: object) -> dict[str, object]:
    job = jobs.read("same", json.dumps(asked).encode())
    values: dict[str, object] = json.loads(job.answer(Due.within(60)))
    return values


def test_one_text_and_a_list_and_two_lists(jobs: Jobs) -> None:
    guard = Guard(**OPTIONS)
    texts = [*DOGS, "The man was bitten by the dog.", " "]
    expected = [json.loads(json.dumps(each.to_dict())) for each in guard.same(DOGS[0], texts)]
    result = answered(jobs, first=DOGS[0], second=texts)
    assert result == {"method": DEFAULT_METHOD, "verdicts": expected}
    assert answered(jobs, first=[DOGS[0]] * 4, second=texts) == result
    assert answered(jobs, first=DOGS[0], second=DOGS[1])["verdicts"] == [expected[1]]


def test_a_budget_is_kept(jobs: Jobs) -> None:
    passive = "The man was bitten by the dog."
    answers = [
        answered(jobs, first=DOGS[0], second=passive, max_false=share)["verdicts"][0]["answer"]  # type: ignore[index]
        for share in (0.05, 1e-6)
    ]
    assert answers == ["same", "unsure"]
