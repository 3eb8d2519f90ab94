from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr
from toys import KNOWN, UNKNOWN, toy_vectors

from compsim.benchmarks.datasets import open_sts3k
from compsim.embeddings.method import EmbeddingMethod
from compsim.embeddings.postprocess import Normalizer
from compsim.errors import DataError, InputError
from compsim.registry import load
from compsim.vectors import WordVectors
from compsim.vectors.words import content_words

VECTORS = toy_vectors()
METHODS = ("mean-cn", "weighted-mean-cn", "mult-cn", "conv-cn")
KINDS = ("zscore", "abtt", "pcr", "whitening", "flow")

texts = st.lists(st.sampled_from([*KNOWN, *UNKNOWN, "the", "in"]), max_size=8).map(" ".join)
lists = st.lists(texts, min_size=1, max_size=6)


def build(name: str, **options: Any) -> EmbeddingMethod:
    method = load(name, vectors=VECTORS, **options)
    assert isinstance(method, EmbeddingMethod)
    return method


def words_of(text: str) -> np.ndarray:
    """The vectors of the known content words, one row each, float64."""
    phrases = [VECTORS.phrase(word) for word in content_words(text) if word in VECTORS]
    return np.array(phrases, dtype=np.float64).reshape(-1, VECTORS.dim)


def circular(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    n = len(x)
    return np.array([sum(x[j] * y[(i - j) % n] for j in range(n)) for i in range(n)])


def naive(name: str, text: str) -> np.ndarray:
    words = words_of(text)
    if not len(words):
        return np.zeros(VECTORS.dim)
    if name == "mean-cn":
        return words.mean(axis=0)
    if name == "weighted-mean-cn":
        from wordfreq import word_frequency

        known = [word for word in content_words(text) if word in VECTORS]
        weights = [1e-3 / (1e-3 + word_frequency(word, "en")) for word in known]
        return np.average(words, axis=0, weights=weights)
    product = words[0]
    for word in words[1:]:
        product = product * word if name == "mult-cn" else circular(product, word)
    return product


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    lengths = np.linalg.norm(x) * np.linalg.norm(y)
    return float(x @ y / lengths) if lengths else 0.0


@pytest.mark.parametrize("name", METHODS)
@given(lists)
def test_composition_is_the_slow_one(name: str, sentences: list[str]) -> None:
    result = build(name).embed(sentences)
    for text, vector in zip(sentences, result, strict=True):
        expected = naive(name, text)
        assert vector.any() == expected.any()
        if expected.any():
            assert cosine(vector.astype(np.float64), expected) == pytest.approx(1, abs=1e-5)


@given(texts, texts)
def test_the_tensor_product_is_that_of_kronecker(one: str, other: str) -> None:
    one, other = " ".join(one.split()[:4]), " ".join(other.split()[:4])
    score = load("tensor-cn", vectors=VECTORS).similarity_pairwise([one], [other])[0]
    built = []
    for text in (one, other):
        product = np.ones(1)
        for word in words_of(text):
            product = np.kron(product, word)
        built.append(product)
    if len(built[0]) != len(built[1]):
        assert score == 0
    elif len(built[0]) > 1:
        assert score == pytest.approx(cosine(*built), abs=1e-5)
    else:
        assert score == float(bool(one.strip()) and one.strip() == other.strip())


@pytest.mark.parametrize("name", ["mult-cn", "conv-cn", "tensor-cn", "weighted-mean-cn"])
def test_ten_thousand_words_neither_vanish_nor_overflow(name: str) -> None:
    text = "cats chase mice " * 3334
    method = load(name, vectors=VECTORS)
    assert method.similarity_pairwise([text], [text])[0] == pytest.approx(1, abs=1e-4)
    assert np.isfinite(method.similarity([text, "cats"], [text, ""])).all()


@pytest.mark.parametrize("name", ["mean-cn", "weighted-mean-cn"])
@given(texts, texts)
def test_contributions_of_words_add_up(name: str, one: str, other: str) -> None:
    method = build(name)
    explanation = method.explain(one, other)
    assert explanation.score == pytest.approx(method.similarity([one], [other])[0, 0], abs=2e-6)
    assert explanation.vectors == "toy-vectors"
    for row in explanation:
        assert row.first is not None
        assert row.first.span is not None
        assert one[slice(*row.first.span)] == row.first.label
        # The last row has what rounding leaves.
        assert row.contribution == pytest.approx((row.cosine or 0) * row.weight, abs=1e-6)
    if words_of(one).size and words_of(other).size:
        assert len(explanation.rows) == len(words_of(one))


def test_explanations_without_parts() -> None:
    for name in ("mult-cn", "conv-cn"):
        assert [row.role for row in build(name).explain("cats chase", "dogs")] == ["whole sentence"]
    tensor = load("tensor-cn", vectors=VECTORS)
    assert "cats~dogs" in tensor.explain("cats chase", "dogs chase").note
    assert "2 and 1 known content words" in tensor.explain("cats chase", "dogs").note


# --- normalisation -------------------------------------------------------------------------------


@given(st.integers(2, 30), st.integers(0, 100))
def test_what_normalisers_do(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(3, 2, size=(count, 5)).astype(np.float32)
    assert Normalizer.fit("zscore", vectors)(vectors) == pytest.approx(
        (vectors - vectors.mean(axis=0)) / (vectors.astype(np.float64).std(axis=0) + 0.001),
        rel=1e-3,
        abs=1e-4,
    )
    removed = Normalizer.fit("abtt", vectors)
    centred = vectors - vectors.mean(axis=0)
    top = np.linalg.svd(centred)[2][0]
    assert removed(vectors) == pytest.approx(centred - np.outer(centred @ top, top), abs=1e-3)
    first = np.linalg.svd(vectors.astype(np.float64))[2][0]
    kept = vectors - np.outer(vectors @ first, first)
    assert Normalizer.fit("pcr", vectors)(vectors) == pytest.approx(kept, abs=1e-4)
    white = Normalizer.fit("whitening", vectors)(vectors).astype(np.float64)
    assert white.shape[1] == min(5, count - 1)
    assert white.T @ white / count == pytest.approx(np.eye(white.shape[1]), abs=1e-3)


def test_abtt_of_few_sentences_removes_no_more_than_they_spread_in() -> None:
    vectors = np.zeros((2, 300), dtype=np.float32)
    vectors[0, 0] = vectors[1, 1] = 1
    fitted = Normalizer.fit("abtt", vectors)  # three components of 300 dimensions, but one line
    assert np.linalg.matrix_rank(fitted.matrix) == 299
    assert fitted(vectors) == pytest.approx(np.zeros((2, 300)), abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_top_k_normalises_before_it_scores_in_blocks(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = [f"{noun} chase {other}" for noun in KNOWN[3:7] for other in KNOWN[4:8]]
    documents = [f"{noun} visit park" for noun in KNOWN[3:7]]
    method = build("mean-cn", normalize=kind)
    scores = method.similarity(queries, documents)
    monkeypatch.setattr("compsim.method._SCORES_AT_ONCE", 1)
    indices, best = method.top_k(queries, documents, 2)
    np.testing.assert_allclose(best, np.sort(scores)[:, :-3:-1], atol=1e-6)
    np.testing.assert_allclose(np.take_along_axis(scores, indices, axis=1), best, atol=1e-6)
    with pytest.raises(InputError, match="not fitted"):
        _ = method.normalizer


def test_rows_of_zeros_neither_count_nor_move() -> None:
    vectors = np.array([[1, 2], [3, 5], [0, 0]], dtype=np.float32)
    for kind in KINDS:
        fitted = Normalizer.fit(kind, vectors)
        assert fitted.mean.tolist() == ([0, 0] if kind == "pcr" else [2, 3.5])
        assert not fitted(vectors)[2].any()
        assert np.isfinite(Normalizer.fit(kind, vectors[2:])(vectors)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_normalisation_is_fitted_to_what_is_scored_or_before(kind: str, tmp_path: Path) -> None:
    first = [f"{noun} chase {other}" for noun in KNOWN[3:7] for other in KNOWN[4:8]]
    second = [f"{noun} visit park" for noun in KNOWN[3:7] for _ in range(4)]
    method = build("mean-cn", normalize=kind)
    assert method.normalize == kind
    scores = method.similarity_pairwise(first, second)
    by_hand = Normalizer.fit(kind, VECTORS.texts([*dict.fromkeys(first + second)]))  # type: ignore[arg-type]
    x, y = by_hand(VECTORS.texts(first)), by_hand(VECTORS.texts(second))
    expected = [cosine(*pair) for pair in zip(x.astype(float), y.astype(float), strict=True)]
    assert scores == pytest.approx(expected, abs=1e-5)
    matrix = method.similarity(first, second)
    np.testing.assert_allclose(np.diag(matrix), scores, atol=1e-5)
    best, result = method.top_k(first[:2], second, k=3)
    assert result[0, 0] >= result[0, 1]
    assert best.shape == (2, 3)
    with pytest.raises(InputError, match=r"call fit\(\)"):
        method.explain("cats chase mice", "mice chase cats")
    fitted = method.fit(first + second)
    assert fitted.similarity_pairwise(first[:1], second[:1]) == pytest.approx(scores[:1], abs=1e-6)
    assert fitted.explain(first[0], second[0]).score == pytest.approx(scores[0], abs=1e-6)
    fitted.normalizer.save(tmp_path / "fitted.npz")
    for again in (tmp_path / "fitted.npz", Normalizer.load(tmp_path / "fitted.npz")):
        opened = build("mean-cn", normalize=again)
        assert opened.normalize == kind
        np.testing.assert_array_equal(
            opened.similarity_pairwise(first, second), fitted.similarity_pairwise(first, second)
        )


def test_normalisers_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="normalize='sum' is not known: use one of none, zscore"):
        build("mean-cn", normalize="sum")
    with pytest.raises(InputError, match="nothing to fit"):
        build("mean-cn").fit(["cats"])
    file = tmp_path / "other.npz"
    file.write_bytes(b"PK junk")
    with pytest.raises(DataError, match="cannot be read as a fitted normaliser"):
        build("mean-cn", normalize=file)
    np.savez(file, kind="sum", mean=np.zeros(2), matrix=np.ones(2))
    with pytest.raises(DataError, match="'sum'"):
        Normalizer.load(file)
    with file.open("wb") as bare:
        np.save(bare, np.eye(2))
    with pytest.raises(DataError, match=r"no \.npz file"):
        Normalizer.load(file)
    for mean, matrix in ((np.zeros(2), np.ones(3)), (np.full(2, np.nan), np.ones(2))):
        np.savez(file, kind="zscore", mean=mean, matrix=matrix)
        with pytest.raises(DataError, match="not finite, or do not fit"):
            Normalizer.load(file)
    np.savez(file, kind="zscore", mean=np.array(["x"]), matrix=np.array(["y"]))
    with pytest.raises(DataError, match="cannot be read as a fitted normaliser"):
        Normalizer.load(file)
    for wrong in (None, 3, np.eye(2)):
        with pytest.raises(InputError, match="give a name, a path or a Normalizer"):
            build("mean-cn", normalize=wrong)
    fitted = Normalizer.fit("zscore", np.eye(3))
    with pytest.raises(InputError, match="fitted to 3 dimensions and the vectors have 8"):
        build("mean-cn", normalize=fitted).similarity(["cats"], ["dogs"])


# --- against the authors' values -----------------------------------------------------------------


@pytest.fixture(scope="module")
def covered(data_dir: Path) -> tuple[Any, WordVectors, list[int]]:
    """The development part, vectors, and the pairs whose words are all in the table as they are."""
    table = data_dir / "numberbatch" / "numberbatch-en-mini.txt.gz"
    if not table.is_file() or not (data_dir / "compositional-semantics-eval").is_dir():
        pytest.skip(f"{data_dir} has no STS3k or no Numberbatch")
    data, vectors = open_sts3k(data_dir), WordVectors.open(table)
    known = [
        i
        for i, pair in enumerate(data.pairs)
        if all(word in vectors for text in pair[:2] for word in content_words(text))
    ]
    return data, vectors, known


@pytest.mark.parametrize(("name", "bound"), [("mean", 0.99), ("mult", 0.95), ("conv", 0.75)])
def test_published_values(
    covered: tuple[Any, WordVectors, list[int]], name: str, bound: float
) -> None:
    data, vectors, known = covered
    file = f"STS3k_all_{name}_similarities.txt"
    published = np.loadtxt(data.folder / "Data-model" / "Sentence Similarities" / file)
    pairs = [data.pairs[i] for i in known]
    assert len(pairs) > 300
    method = load(f"{name}-cn", vectors=vectors)
    scores = method.similarity_pairwise([p.first for p in pairs], [p.second for p in pairs])
    assert spearmanr(scores, published[known]).statistic >= bound
    assert not math.isnan(scores.sum())


def test_published_convolutions_are_rolled(covered: tuple[Any, WordVectors, list[int]]) -> None:
    """The published values are ours where the lengths are alike, else ours out of step."""
    data, vectors, known = covered
    file = data.folder / "Data-model" / "Sentence Similarities" / "STS3k_all_conv_similarities.txt"
    published = np.loadtxt(file)[known]
    sides = list(zip(*(data.pairs[i][:2] for i in known), strict=True))
    count = [np.array([len(content_words(text)) for text in side]) for side in sides]
    method = load("conv-cn", vectors=vectors)
    assert isinstance(method, EmbeddingMethod)
    plain = [method.embed(list(side)).astype(float) for side in sides]
    rolled = [
        [np.roll(v, (n - 1) * (vectors.dim // 2 + 1)) for v, n in zip(*side, strict=True)]
        for side in zip(plain, count, strict=True)
    ]
    alike = count[0] == count[1]
    for result, part, bound in ((plain, alike, 0.94), (plain, ~alike, 0.1), (rolled, ~alike, 0.48)):
        scores = np.array([cosine(*pair) for pair in zip(*result, strict=True)])
        rho = spearmanr(scores[part], published[part]).statistic
        assert rho < bound if bound == 0.1 else rho > bound


def test_published_norml_values_are_those_of_centred_columns(data_dir: Path) -> None:
    """Each column less its own mean, all rows counted, and no feature divided by its deviation."""
    pytest.importorskip("sentence_transformers")
    folder = data_dir / "compositional-semantics-eval"
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    text = (folder / "Data-experiment" / "GS2011_processed.csv").read_text(encoding="utf-8-sig")
    sides = list(zip(*(line.split(";")[:2] for line in text.splitlines()), strict=True))
    file = "GS2011_processed_sentbert_norml_similarities.txt"
    published = np.loadtxt(folder / "Data-model" / "Sentence Similarities" / file)
    method = load("sbert")
    centred = [x - x.mean(axis=0) for x in (method.encode(s).vector.astype(float) for s in sides)]
    scores = np.array([cosine(*pair) for pair in zip(*centred, strict=True)])
    assert scores == pytest.approx(published, abs=1e-3)
    zscored = [Normalizer.fit("zscore", x)(x).astype(float) for x in centred]
    others = np.array([cosine(*pair) for pair in zip(*zscored, strict=True)])
    assert np.abs(others - published).mean() > 0.003
