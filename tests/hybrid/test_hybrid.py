"""The hybrid: the kernel and its plain twin, what it promises, and its bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from role_batches import DIM, SCHEME, batch_of
from toys import ToyParser, toy_vectors

from compsim import load
from compsim.embeddings.batch import VectorBatch
from compsim.errors import CompsimError, DataError, InputError, UnknownNameError
from compsim.hybrid import kernel
from compsim.hybrid.batch import HybridBatch
from compsim.hybrid.method import HybridMethod
from compsim.hybrid.scheme import KINDS, HybridScheme, Terms, read_scheme
from compsim.hybrid.search import STEP
from compsim.hybrid.terms import groups, terms
from compsim.method import Method
from compsim.roles import EVERYDAY, PROPBANK

RULE = read_scheme("hybrid").transformer


def toy_hybrid(**options: object) -> HybridMethod:
    return HybridMethod("mean-cn", parser=ToyParser(), vectors=toy_vectors(), **options)  # type: ignore[arg-type]


def random_sentence(rng: np.random.RandomState) -> list[tuple]:  # type: ignore[type-arg]
    """A sentence of frames, no two of which are exactly as like a third: then pairs are certain."""
    return [
        (
            {
                int(role): (
                    rng.randn(DIM).tolist(),
                    float(rng.rand()),
                    float(rng.rand() / 5),
                    False,
                )
                for role in rng.choice(len(SCHEME.roles), rng.randint(1, 5), replace=False)
            },
            int(rng.choice([-1, 1])),
            int(rng.randint(3)),
        )
        for _ in range(rng.randint(1, 5))
    ]


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=60)
def test_the_kernel_is_the_plain_formula_and_symmetric(seed: int, readings: bool) -> None:
    rng = np.random.RandomState(seed)
    a, b = (batch_of([random_sentence(rng) for _ in range(3)], readings) for _ in range(2))
    whole = np.array([-1.0, 0.6, 1.0])
    got = kernel.scores(whole, kernel.pair_terms(a, b, SCHEME), RULE)
    plain = [RULE.score(v, terms(a, i, b, i, SCHEME)[0]) for i, v in enumerate(whole.tolist())]
    np.testing.assert_allclose(got, plain, atol=1e-5)
    turned = kernel.scores(whole, kernel.pair_terms(b, a, SCHEME), RULE)
    np.testing.assert_allclose(got, turned, atol=1e-5)
    square = np.tile(whole.astype(np.float32), (3, 1)).T.copy()
    np.testing.assert_allclose(kernel.matrix(square, a, b, SCHEME, RULE).diagonal(), got, atol=1e-5)


@given(
    st.floats(-1, 1),
    st.floats(-1, 1),
    *[st.floats(0, 1)] * 3,
    st.sampled_from(["hybrid", "roles-first"]),
    st.sampled_from(KINDS),
)
def test_range_bound_and_parts(
    whole: float, roles: float, comparable: float, exchange: float, cover: float,
    name: str, kind: str,
) -> None:  # fmt: skip
    scheme = read_scheme(name).of(kind)
    found = Terms(roles, comparable, exchange, cover)
    score = scheme.score(whole, found)
    slope, most = scheme.most
    assert -2 <= score <= slope * whole + most + 1e-9 <= 1 + 1e-9
    parts = scheme.parts(whole, found)
    assert max(parts.neutral, parts.exchange, parts.difference) <= 0
    assert min(parts.of_roles, parts.cover) >= 0
    assert scheme.score(whole, found._replace(exchange=0.0)) >= score


def test_no_exchange_costs_nothing_and_one_costs() -> None:
    batch = load("verbnet-cn", vectors="builtin", cache=False).encode(
        [
            "The dog bit the man.",
            "The man bit the dog.",
            "The man was bitten by the dog.",
            "Mary went from Paris to Rome.",
            "Mary went from Rome to Paris.",
        ]
    )
    swapped, swap = terms(batch, 0, batch, 1, SCHEME)
    assert swapped.exchange > 0.5
    assert swapped.cover == pytest.approx(1.0, abs=1e-6)
    assert len(swap.phrases) == 2
    told_otherwise, none = terms(batch, 0, batch, 2, SCHEME)
    assert told_otherwise.exchange == 0
    assert none.phrases == ()
    assert terms(batch, 3, batch, 4, SCHEME)[0].exchange > 0.05


def test_which_roles_exchange_phrases() -> None:
    of = dict(zip(PROPBANK.roles, groups(PROPBANK.roles).tolist(), strict=True))
    assert [role for role, group in of.items() if group >= 0] == [f"ARG{i}" for i in range(6)]
    of = dict(zip(EVERYDAY.roles, groups(EVERYDAY.roles).tolist(), strict=True))
    assert of["Agent"] == of["Patient"] == of["Theme"] != of["Origin"] == of["Location"] >= 0
    assert of["Verb"] == of["Time"] == -1


WORDS = ("dogs", "cats", "mice", "birds", "chase", "see", "visit")


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), min_size=1))
@settings(max_examples=25, deadline=None)
def test_the_best_are_found_without_comparing_all(texts: list[str]) -> None:
    method = toy_hybrid()
    documents = method.encode((texts * STEP)[: 2 * STEP + 7])
    queries = method.encode(["dogs chase cats", ""])
    for k, cutoff in ((3, None), (5, 0.4), (2 * STEP + 7, None)):
        found = method.top_k(queries, documents, k, cutoff)
        expected = Method.top_k(method, queries, documents, k, cutoff)
        np.testing.assert_allclose(found[1], expected[1], atol=1e-6)
        scores = method.similarity(queries, documents)
        for row, places in enumerate(found[0]):
            own = scores[row][places[places >= 0]]
            np.testing.assert_allclose(own, found[1][row][places >= 0], atol=1e-6)


def test_a_sentence_without_a_parse_scores_as_a_whole() -> None:
    method = load("hybrid", whole="mean-cn", vectors="builtin", cache=False)
    pair = ["The dog bit the man."], ["?!"]
    (score,) = method.similarity_pairwise(*pair)
    assert score == method.whole.similarity_pairwise(*pair)[0]
    told = method.explain(pair[0][0], pair[1][0])
    assert told.score == score
    assert "so the score is that of the whole sentences" in told.note


def test_the_explanation_names_what_changed_places() -> None:
    method = load("hybrid", whole="mean-cn", vectors="builtin", cache=False)
    told = method.explain("The dog bit the man.", "The man bit the dog.")
    rows = {row.role: row for row in told.rows}
    assert rows["exchange"].reason == '"The dog" and "the man" change places'
    assert rows["exchange"].contribution < 0
    assert "mean-cn (whole sentences)" in told.vectors
    for frame in told.frames:
        own = sum(row.contribution for row in told.rows if row.frame == 0)
        assert frame.share * frame.score == pytest.approx(own)
    assert "change places" in str(told)
    page = told.to_html()
    assert "change places" in page
    assert "<h2>1. " in page
    assert "<h2>2. " not in page


def test_batches_are_sliced_joined_and_saved(tmp_path: Path) -> None:
    method = toy_hybrid()
    batch = method.encode(["dogs chase cats", "cats chase dogs", "birds sleep"])
    scores = method.similarity(batch, batch)
    joined = HybridBatch.concat([batch[1:], batch[:1]])
    assert list(joined.texts) == ["cats chase dogs", "birds sleep", "dogs chase cats"]
    batch.save(tmp_path / "batch")
    again = HybridBatch.load(tmp_path / "batch")
    assert list(again.texts) == list(batch.texts)
    np.testing.assert_array_equal(method.similarity(again, again), scores)
    other = HybridBatch(VectorBatch(np.ones((3, 2)), texts=batch.texts), batch.roles)
    with pytest.raises(InputError, match="encoded differently"):
        method.similarity(batch, other)
    with pytest.raises(InputError, match="3 vectors and 1 parses"):
        HybridBatch(batch.whole, batch.roles[:1])


@pytest.mark.parametrize("whole", ["verbnet-cn", "bertscore"])
def test_what_gives_no_sentence_vectors_is_refused(whole: str) -> None:
    with pytest.raises(CompsimError, match=r"gives no sentence vectors|needs a package"):
        HybridMethod(whole, parser=ToyParser(), vectors=toy_vectors())


def test_a_transformer_and_words_have_constants_of_their_own() -> None:
    schemes = read_scheme("hybrid")
    assert toy_hybrid().scheme == schemes.words
    assert schemes.words != schemes.transformer
    assert toy_hybrid(scheme=schemes).scheme == schemes.words


GOOD = "roles = 1\nsharpness = 1\ncover = 0.5\nexchange = 1\ndifference = 1\nneutral = 0.5\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (GOOD.replace("neutral = 0.5", "neutral = 2"), "neutral of transformer is 2"),
        (GOOD.replace("cover = 0.5", "cover = 1.5"), "cover of transformer is 1.5"),
        (GOOD.replace("roles = 1", "roles = -1"), "roles of transformer is -1"),
        (GOOD.replace("roles = 1", "roles = true"), "roles of transformer is True"),
        (GOOD.replace("roles = 1", "roles = 1e400"), "roles of transformer is inf"),
        (GOOD.replace("roles = 1", "roles = nan"), "roles of transformer is nan"),
        (GOOD.replace("roles = 1", "roles ="), "not valid TOML"),
        (f"{GOOD}words = 3\n", "words is 3"),
        (f"{GOOD}sharp = 1\n", "unknown key 'sharp'"),
        (f"{GOOD}[words]\nsharp = 1\n", "unknown key 'sharp'"),
        ("", "transformer has no roles"),
    ],
)
def test_schemes_that_are_none(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "scheme.toml"
    file.write_text(text)
    with pytest.raises(DataError, match=reason):
        read_scheme(file)


def test_a_scheme_that_is_not_known() -> None:
    with pytest.raises(UnknownNameError, match="neither a scheme that ships"):
        read_scheme("hybird")


def test_a_scheme_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        "roles = 0\nsharpness = 1\ncover = 0\nexchange = 0\ndifference = 0\nneutral = 0.5\n"
        "[words]\nexchange = 1\n"
    )
    found = read_scheme(file)
    assert found.name == "mine"
    assert found.transformer == HybridScheme(0, 1, 0, 0, 0, 0.5)
    assert found.words.exchange == 1
    plain = toy_hybrid(scheme=file)
    plain.scheme = found.transformer
    texts = ["dogs chase cats"], ["cats chase birds"]
    whole = plain.whole.similarity_pairwise(*texts)
    np.testing.assert_allclose(plain.similarity_pairwise(*texts), whole)
