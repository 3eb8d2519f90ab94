"""``ef-sbert`` and ``spebert``: their parts, their formulas by hand, on tiny random models."""

from __future__ import annotations

import numpy as np
import pytest
from tiny_models import MODELS, sentence_transformer, transformer
from toys import make_tree

from compsim import InputError, load
from compsim.embeddings.elements import elements, main_pairs, pairs, words_node
from compsim.embeddings.joined import joined
from compsim.embeddings.sentence_transformer import SentenceTransformerMethod
from compsim.parsers.roles.srl import SrlParser
from compsim.transformers.token_states import TokenStates


def of(text: str) -> dict[str, list[str]]:
    (tree,) = SrlParser().trees([text])
    return {name: [tree.word(i) for i in words] for name, words in elements(tree).items()}


def test_elements_are_those_of_the_main_clause() -> None:
    assert of("In the park the old dog has not bitten a man, and it ran.") == {
        "predicate": ["has", "not", "bitten"],
        "subject": ["the", "old", "dog"],
        "object": ["a", "man"],
        "adverbial": ["In", "the", "park"],
    }
    assert of("The man was bitten by the dog.")["adverbial"] == ["by", "the", "dog"]
    assert list(of("Rain.")) == ["predicate"]
    assert of("?!") == of("") == {}
    two = of("Cats sleep. Dogs bark.")
    assert (two["subject"], two["predicate"]) == (["Cats", "Dogs"], ["sleep", "bark"])


def test_pairs_of_a_tree() -> None:
    tree = make_tree(
        "man was bitten by dogs .", "NN VBD VBN IN NNS .", [2, 2, 2, 2, 3, 2],
        "nsubjpass auxpass ROOT agent pobj punct",
    )  # fmt: skip
    assert pairs(tree) == [(2, 0), (2, 1), (2, 3), (3, 4)]
    assert main_pairs(tree) == [(2, 0), (2, 4)]
    node = words_node(tree, [0, 2], "man  was bitten by dogs .")
    assert (node.label, node.span, node.parts) == ("man bitten", (0, 15), ((0, 3), (9, 15)))


def test_joined_vectors_compare_part_by_part() -> None:
    rng = np.random.default_rng(1)
    whole, part = rng.normal(size=(2, 3, 4))
    part[2] = 0
    vectors = joined([whole, part], (0.7, 0.3)).astype(float)

    def cosine(x: np.ndarray, y: np.ndarray) -> float:
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    both = 0.7 * cosine(whole[0], whole[1]) + 0.3 * cosine(part[0], part[1])
    assert cosine(vectors[0], vectors[1]) == pytest.approx(both, abs=1e-6)
    one = 0.7 * cosine(whole[0], whole[2]) / np.sqrt(0.7)
    assert cosine(vectors[0], vectors[2]) == pytest.approx(one, abs=1e-6)


def test_ef_sbert_is_its_formula() -> None:
    model = sentence_transformer("bert")
    method, plain = load("ef-sbert", model=model, share=0.4), SentenceTransformerMethod(model)
    first, second = "The cats chase mice.", "Dogs visit the birds in the park."
    whole = plain.similarity(first, second)
    shared = [("The cats", "Dogs"), ("chase", "visit"), ("mice", "the birds")]
    c = sum(plain.similarity(x, y) for x, y in shared)
    expected = (0.6 * whole + 0.1 * c) / np.sqrt(0.9 * 1.0)  # only the second has an adverbial
    assert method.similarity(first, second) == pytest.approx(expected, abs=1e-5)
    assert load("ef-sbert", model=model, share=0).similarity(first, second) == pytest.approx(
        whole, abs=1e-6
    )
    rows = {row.role: row for row in method.explain(first, second).rows}
    assert (rows["object"].first.label, rows["object"].second.label) == ("mice", "the birds")
    assert rows["adverbial"].first is None
    assert rows["adverbial"].contribution == 0


def test_spebert_is_its_formula() -> None:
    model = transformer("bert")
    method, encoder = load("spebert", model=model), TokenStates(model)
    texts = ["cats chase mice", "dogs visit birds"]
    states = {}
    for part in encoder.read(texts, 2):
        for row, place in enumerate(part.places):
            kept = (part.mask[row] == 1) & (part.special[row] == 0)
            states[place] = part.states[row][kept].double().numpy()
    sides = []
    for place in range(2):
        subject, verb, obj = states[place]  # each word is one token of the tiny model
        means = states[place].mean(axis=0), ((subject + verb) / 2 + (verb + obj) / 2) / 2
        sides.append([mean / np.linalg.norm(mean) for mean in means])
    expected = (sides[0][0] @ sides[1][0] + sides[0][1] @ sides[1][1]) / 2
    assert method.similarity(*texts) == pytest.approx(expected, abs=1e-5)


def test_spebert_without_main_pairs_is_the_whole() -> None:
    main, every = (load("spebert", model=transformer("bert"), pairs=of) for of in ("main", "all"))
    alone = main.explain("mice in the house", "cats in the park").rows
    assert [row.role for row in alone] == ["whole sentence"]
    rows = every.explain("mice in the house", "cats in the park").rows
    assert [row.role for row in rows] == ["whole sentence", "pairs"]
    assert main.space != every.space


@pytest.mark.parametrize("share", [-0.1, 1.1, True, "half"])
def test_shares_that_are_none(share: object) -> None:
    with pytest.raises(InputError, match="give a number from 0 to 1"):
        load("ef-sbert", model=MODELS["ef-sbert"](), share=share)


def test_pairs_that_are_none() -> None:
    with pytest.raises(InputError, match="pairs='half' is not known"):
        load("spebert", model=MODELS["spebert"](), pairs="half")
