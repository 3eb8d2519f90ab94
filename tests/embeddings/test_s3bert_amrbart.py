"""Vectors in pieces by aspect, and vectors of linearised graphs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import kernels as naive
from tiny_models import KNOWN, sentence_transformer, transformer
from toys import ToyParser

from compsim import load
from compsim.amr.amrbart import AmrBart
from compsim.amr.linear import linear
from compsim.embeddings.s3bert import ASPECTS, S3Bert
from compsim.errors import DataError, InputError, ParseError
from compsim.graph import Edge, Node, RoleGraph

torch = pytest.importorskip("torch")
pytest.importorskip("sentence_transformers")

_kept: list[S3Bert] = []


def s3bert() -> S3Bert:
    if not _kept:
        _kept.append(S3Bert(sentence_transformer("mpnet")))
    return _kept[0]


# --- s3bert --------------------------------------------------------------------------------------

texts = st.lists(st.sampled_from(KNOWN), min_size=1, max_size=6).map(" ".join)


@given(texts, texts)
@settings(max_examples=20)
def test_the_pieces_make_up_the_score(s: str, t: str) -> None:
    method = s3bert()
    x, y = method.encode([s, t]).vector.tolist()
    explanation = method.explain(s, t)
    assert [row.role for row in explanation] == [*ASPECTS, "residual"]
    assert explanation.score == pytest.approx(naive.cosine(x, y), abs=1e-6)
    aspects = method.aspects([s], [t])
    lengths = math.hypot(*x) * math.hypot(*y)
    for i, row in enumerate(explanation):
        p, q = (v[i : i + 1] if i < 15 else v[15:] for v in (x, y))
        expected = naive.cosine(p, q)
        assert row.cosine == pytest.approx(expected, abs=1e-5)
        assert aspects[row.role][0] == pytest.approx(expected, abs=1e-5)
        assert row.weight == pytest.approx(math.hypot(*p) * math.hypot(*q) / lengths, abs=1e-6)
        assert row.contribution == pytest.approx(row.weight * expected, abs=1e-6)


def test_the_pieces_of_the_published_size() -> None:
    method = s3bert()
    dim, size = method.dim, method.aspect_size
    method.__dict__["dim"], method.aspect_size = 384, 16
    try:
        pieces = method.pieces()
    finally:
        method.__dict__["dim"], method.aspect_size = dim, size
    assert pieces["concepts"] == slice(0, 16)
    assert pieces["wwlk"] == slice(224, 240)
    assert pieces["residual"] == slice(240, 384)
    assert (dim, size) == (16, 1)


def test_s3bert_options_and_odd_sentences() -> None:
    method = s3bert()
    assert method.explain("", "cats").score == 0
    assert method.aspects(["", "cats"], ["", "cats"])["negation"].tolist() == pytest.approx([0, 1])
    with pytest.raises(InputError, match="as many of each"):
        method.aspects(["a"], [])
    for size in (0, 2, True):
        with pytest.raises(InputError, match="from 1 to 1"):
            S3Bert(sentence_transformer("mpnet"), aspect_size=size)
    with pytest.raises(DataError, match=r"s3bert_all-mpnet-base-v2\.tar\.gz"):
        load("s3bert")


# --- linearised graphs ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amr", "with_pointers", "without"),
    [
        (
            '(s / see-01 :ARG0 (p / person :name (n / name :op1 "Ann")) :polarity -)',
            "( <pointer:0> see-01 :ARG0 ( <pointer:1> person :name ( <pointer:2> name "
            ':op1 "Ann" ) ) :polarity - )',
            '( see-01 :ARG0 ( person :name ( name :op1 "Ann" ) ) :polarity - )',
        ),
        (
            "(b / boy :ARG0-of (s / sleep-01 :ARG1 b))",
            "( <pointer:0> boy :ARG0-of ( <pointer:1> sleep-01 :ARG1 <pointer:0> ) )",
            "( boy :ARG0-of ( sleep-01 :ARG1 boy ) )",
        ),
        ("(c / cat)", "( <pointer:0> cat )", "( cat )"),
    ],
)
def test_linear(amr: str, with_pointers: str, without: str) -> None:
    graph = RoleGraph.from_penman(amr)
    assert linear(graph) == with_pointers
    assert linear(graph, pointers=False) == without


def test_linear_of_odd_graphs() -> None:
    assert linear(RoleGraph.failed("x", "no verb", "toy")) == ""
    star = RoleGraph.star("", {"Verb": "chase", "Agent": "the  dog"})
    assert linear(star, pointers=False) == "( chase :Agent ( the dog ) )"
    deep = RoleGraph(
        tuple(Node("x", variable=f"v{i}") for i in range(5000)),
        tuple(Edge(i, "mod", i + 1) for i in range(4999)),
        0,
    )
    assert linear(deep, pointers=False).count("( x") == 5000


# --- amrbart -------------------------------------------------------------------------------------


def amrbart(**options: object) -> AmrBart:
    return AmrBart(transformer("bart"), ToyParser(), **options)  # type: ignore[arg-type]


def test_amrbart_is_the_mean_state_of_the_line() -> None:
    from transformers import AutoTokenizer, BartModel

    folder = transformer("bart")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    encoder = BartModel.from_pretrained(folder).get_encoder().eval()
    sentences = ["cats chase mice", "Dogs visit birds in the park", "cats help dogs"]
    for text, vector in zip(sentences, amrbart().encode(sentences).vector, strict=True):
        line = linear(ToyParser().parse([text])[0])
        read = tokenizer(line, return_tensors="pt", truncation=True, max_length=60)
        with torch.no_grad():
            state = encoder(input_ids=read["input_ids"]).last_hidden_state[0].mean(dim=0)
        np.testing.assert_allclose(vector, (state / state.norm()).numpy(), atol=1e-5)


def test_amrbart_without_a_graph() -> None:
    method = amrbart()
    scores = method.similarity_pairwise(["cats mice", "mice", ""], ["mice cats", "dogs", ""])
    np.testing.assert_allclose(scores, [1, 0, 0], atol=1e-6)
    assert "counts" in method.explain("cats mice", "mice cats").note
    assert np.isnan(amrbart(on_failure="nan").similarity(["cats"], ["cats chase mice"])).all()
    with pytest.raises(ParseError):
        amrbart(on_failure="raise").encode(["cats"])


def test_amrbart_explains_with_the_graphs() -> None:
    explanation = amrbart().explain("cats chase mice", "dogs help birds")
    (row,) = explanation
    assert row.first is not None
    assert row.first.label == "( chase :Agent ( cats ) :Patient ( mice ) )"
    assert explanation.parser == "toy"
    batches = [
        AmrBart(transformer(name), ToyParser()).encode(["cats"]) for name in ("bart", "bert")
    ]
    with pytest.raises(InputError, match="encoded differently"):
        amrbart().similarity(*batches)


def test_a_missing_amrbart_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPSIM_OFFLINE", "1")
    with pytest.raises(DataError, match="hf download xfbai/AMRBART-large"):
        load("amrbart", parser=ToyParser())
