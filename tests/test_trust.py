"""Options that a file may set: the table, against all methods and all their options."""

from __future__ import annotations

import inspect
import math
from typing import Any, get_args

import pytest

from compsim import InputError
from compsim.amr.paths import Fillers
from compsim.amr.wlk.refinement import Direction
from compsim.amr.wlk.wasserstein import EdgeWeights
from compsim.embeddings.method import EmbeddingMethod
from compsim.graph_method import OnFailure
from compsim.registry import _METHODS, normalizations, options
from compsim.transformers.hub import Backend
from compsim.transformers.token_states import Pooling
from compsim.trust import _OPTIONS, check, undecided

#: Options that a file decides of no method, whatever is said.
NEVER = {"function", "api_key"}
#: Methods that a file may not name by itself.
GIVEN = {"callable", "llm-rating", "openai"}


def test_every_method_and_every_option_is_in_the_table() -> None:
    assert set(_OPTIONS) == set(_METHODS.built_in)
    for name in _METHODS.built_in:
        assert set(options(name)) - NEVER == set(_OPTIONS[name]), name


def test_the_defaults_of_a_method_are_a_files_to_decide() -> None:
    for name in _METHODS.built_in:
        for option, parameter in inspect.signature(_METHODS.find(name)).parameters.items():
            default = parameter.default
            if option in NEVER or default in (parameter.empty, True):
                continue
            left = undecided(name, {option: default})
            assert left == [*["method"] * (name in GIVEN)], (name, option)


@pytest.mark.parametrize(
    ("method", "option", "values"),
    [
        ("verbnet-cn", "on_failure", get_args(OnFailure)),
        ("verbnet-cn", "normalize", normalizations("verbnet-cn")),
        ("mean-cn", "normalize", EmbeddingMethod.normalizations),
        ("amr-cn", "fillers", get_args(Fillers)),
        ("amr-wlk", "direction", get_args(Direction)),
        ("amr-wwlk", "edge_weights", get_args(EdgeWeights)),
        ("sbert", "backend", get_args(Backend)),
        ("transformer", "pooling", get_args(Pooling)),
        ("sbert", "device", ("cpu", "mps", "cuda", "cuda:1")),
        ("amr-wlk", "k", (0, 2)),
        ("bertscore", "idf", (["Cats sleep."],)),
    ],
)
def test_every_choice_is_a_files_to_decide(
    method: str, option: str, values: tuple[Any, ...]
) -> None:
    for value in values:
        assert undecided(method, {option: value}) == []


@pytest.mark.parametrize(
    ("method", "option", "values"),
    [
        ("mean-cn", "vectors", ("sbert", "./builtin", "BUILTIN", ["builtin"], {}, 5, True)),
        ("hybrid", "whole", ("sbert:x", "sbert:", "openai", "callable", "use", "", 0, "plugged")),
        ("hybrid", "parser", ("srl:builtin", "srl:", "stored:x", "llm", "amr-server", "amrlib", 1)),
        ("sbert", "trust_remote_code", (True, 1, 0, "", None, "false")),
        ("sbert", "device", ("cuda:123", "cpu\n", "meta", "/dev/x", 5)),
        ("sbert", "batch_size", (0, -1, 1 << 40, True, 3.0, "3", math.nan)),
        ("sbert", "prompt", ("x" * 1001, 5, ["x"])),
        ("amr-smatch", "published", (1, 0, "yes")),
        ("bertscore", "idf", ("corpus.txt", ["x", 5], {"x": 1})),
        ("hybrid", "cache", (True, 0, "parses.sqlite")),
        ("verbnet-cn", "normalize", ("zscore", "x.npz")),
    ],
)
def test_nothing_near_a_choice_is(method: str, option: str, values: tuple[Any, ...]) -> None:
    for value in values:
        assert undecided(method, {option: value}) == [option], value


def test_numbers_are_numbers() -> None:
    for bad in (math.nan, math.inf, -1.0, True, "60"):
        assert undecided("openai", {"timeout": bad}) == ["method", "timeout"]
    assert undecided("hybrid", {"combine": 3, "exclude": None, "weight": 0.5, "blend": "rrf"}) == []
    assert undecided("hybrid", {"combine": "all"}) == ["combine"]


@pytest.mark.parametrize("method", ["openai", "llm-rating"])
def test_addresses_and_keys_are_never_a_files_to_decide(method: str) -> None:
    for option in ("url", "api_key"):
        for value in ("http://127.0.0.1:9/v1", "https://api.openai.com/v2", "", 5):
            assert undecided(method, {option: value}) == ["method", option]


@pytest.mark.parametrize("method", ["somebodys", "", 5, None, ["hybrid"]])
def test_a_method_of_another_package_decides_nothing(method: Any) -> None:
    assert undecided(method, {"combine": "max", "normalize": "none"}) == [
        *("method", "combine", "normalize")
    ]


def test_the_error_says_what_to_give() -> None:
    with pytest.raises(InputError, match=r"news names parser='llm:http://x', which .*: .*give it"):
        check("news", "hybrid", {"parser": "llm:http://x", "whole": "mean-cn"}, (), "give it")
    check("news", "hybrid", {"parser": "llm:http://x"}, {"parser"}, "give it")
    with pytest.raises(InputError, match=r"names function='a:\\x1b\[31m"):
        check("news", "callable", {"function": "a:\x1b[31m"}, {"method"}, "give it")
