"""Options behind the name of a method, wherever a method is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import compsim
from compsim.cli import main
from compsim.corpus import Corpus
from compsim.errors import InputError, UnknownNameError
from compsim.integrations.options import check_options
from compsim.registry import method_class, normalizations, options, resolved
from compsim.retrieval.reranker import Reranker
from compsim.trust import undecided

NAME = "hybrid:mean-cn,vectors=builtin"
FIRST, SECOND = "The dog bit the man.", "The man bit the dog."


@pytest.fixture(scope="module")
def score() -> float:
    return compsim.load("hybrid", whole="mean-cn", vectors="builtin").similarity(FIRST, SECOND)


@pytest.mark.parametrize(
    "scored",
    [
        lambda: compsim.load(NAME).similarity(FIRST, SECOND),
        lambda: compsim.similarity(FIRST, SECOND, NAME),
        lambda: compsim.similarity_pairwise([FIRST], [SECOND], NAME)[0],
        lambda: compsim.explain(FIRST, SECOND, NAME).score,
        lambda: Reranker(NAME).method.similarity(FIRST, SECOND),
        lambda: compsim.Guard(NAME).method.similarity(FIRST, SECOND),
        lambda: compsim.load("hybrid:mean-cn", vectors="builtin").similarity(FIRST, SECOND),
    ],
)
def test_a_name_with_options_is_the_method_with_them(
    scored: Callable[[], float], score: float
) -> None:
    np.testing.assert_allclose(scored(), score, rtol=1e-6)


def test_what_compares_whole_sentences_takes_options(score: float) -> None:
    method = compsim.load("hybrid", whole="mean-cn:vectors=builtin,normalize=none")
    np.testing.assert_allclose(method.similarity(FIRST, SECOND), score, rtol=1e-6)


def test_decisions_take_such_names() -> None:
    assert compsim.same(FIRST, SECOND, NAME).answer == "different"
    assert compsim.deduplicate([FIRST, SECOND], method=NAME).texts == [FIRST, SECOND]


def test_a_guard_of_such_a_name_is_saved_with_its_options(tmp_path: Path) -> None:
    compsim.Guard(NAME).save(tmp_path / "guard.json")
    again = compsim.Guard.load(tmp_path / "guard.json")
    assert again.method._options == {"whole": "mean-cn", "vectors": "builtin"}


def test_a_corpus_keeps_the_plain_name(tmp_path: Path) -> None:
    Corpus(tmp_path / "c", NAME).add([FIRST, SECOND])
    told = Corpus.open(tmp_path / "c", "hybrid")
    assert told.info["method"] == "hybrid"
    assert told.search(FIRST, 1)[0]["text"] == FIRST


def test_what_is_asked_of_a_name_knows_its_options() -> None:
    assert resolved(NAME, {"cache": False})[1].keys() == {"whole", "vectors", "cache"}
    assert options("hybrid:sbert") == options("hybrid")
    assert method_class(NAME) is method_class("hybrid")
    assert normalizations("sbert:a") == normalizations("sbert")
    check_options(NAME, {"combine": 2})
    # What a file may not decide, it may not decide behind a name.
    assert undecided(*resolved("hybrid:static", {})) == []
    assert undecided(*resolved("hybrid:sbert=models/mine", {})) == ["whole"]


def test_the_command_line_takes_such_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["same", FIRST, SECOND, "--method", NAME]) == 1
    assert "different" in capsys.readouterr().out


def test_what_is_wrong_with_a_name_is_named() -> None:
    with pytest.raises(InputError, match=r"vectors stands behind the name in 'hybrid:mean-cn,"):
        compsim.load(NAME, vectors="builtin")
    with pytest.raises(InputError, match="method 'hybrid' has no option 'hue'"):
        compsim.load("hybrid:static,hue=3")
    with pytest.raises(InputError, match="'hybrid:' has no option behind its colon"):
        compsim.load("hybrid:")
    with pytest.raises(UnknownNameError, match="no method 'hybird': did you mean 'hybrid'"):
        compsim.Guard("hybird:static")
    with pytest.raises(UnknownNameError, match="no method 'statik'"):
        compsim.load("hybrid:statik")
