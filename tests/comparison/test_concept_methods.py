"""The methods over role graphs of concepts: scores, explanations, search, schemes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import compsim
from compsim.comparison import clauses, kernel
from compsim.comparison.scheme import CONSTANTS, KINDS, Scheme
from compsim.comparison.single import kernel_is_loaded
from compsim.errors import DataError
from compsim.graph import RoleGraph
from compsim.method import Method
from compsim.parsers import load as load_parser

PAIRS = (
    ("The nurse called the doctor.", "The doctor called the nurse."),
    ("The farmer sold two horses.", "Two horses were sold by the farmer."),
    ("Maria never answered the letter.", "Maria answered the letter."),
    ("A lamp stands on a shelf.", "It rained all day in Oslo."),
    ("!!!", "A lamp stands on a shelf."),
    ("", ""),
)


@pytest.fixture(scope="module")
def graphs() -> Method:
    return compsim.load("verbnet-cn", vectors="builtin", cache=False)


@pytest.fixture(scope="module")
def hybrid() -> Method:
    return compsim.load("hybrid", whole="mean-cn", vectors="builtin", cache=False)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("name", ["graphs", "hybrid"])
def test_an_explanation_adds_up(
    name: str, pair: tuple[str, str], request: pytest.FixtureRequest
) -> None:
    method = request.getfixturevalue(name)
    explanation = method.explain(*pair)
    total = sum(row.contribution for row in explanation)
    assert total == pytest.approx(
        float(method.similarity_pairwise([pair[0]], [pair[1]])[0]), abs=1e-6
    )
    assert 0.0 <= explanation.score <= 1.0


def test_the_same_said_otherwise_scores_above_exchanged_roles(
    hybrid: Method, graphs: Method
) -> None:
    for method in (graphs, hybrid):
        text = "The nurse called the doctor."
        same, other = method.similarity_pairwise(
            [text] * 2, ["The doctor was called by the nurse.", "The doctor called the nurse."]
        )
        assert same > other + 0.1


def test_both_sentences_of_a_pair_are_parsed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = load_parser("concepts")
    calls: list[list[str]] = []
    parse = parser.parse

    def counted(sentences: Sequence[str]) -> list[RoleGraph]:
        calls.append(list(sentences))
        return parse(sentences)

    monkeypatch.setattr(parser, "parse", counted)
    for method in (
        compsim.load("verbnet-cn", parser=parser, vectors="builtin", cache=False),
        compsim.load("hybrid", parser=parser, whole="mean-cn", vectors="builtin", cache=False),
    ):
        calls.clear()
        method.similarity(*PAIRS[0])
        method.explain(*PAIRS[0])
        assert calls == [list(PAIRS[0])] * 2


def test_few_pairs_score_alike_before_and_after_warming_up(
    hybrid: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = map(list, zip(*PAIRS, strict=True))
    with monkeypatch.context() as patch:
        patch.setattr(kernel, "is_loaded", lambda: False)
        plain = hybrid.similarity_pairwise(first, second)
    hybrid.warm_up()
    assert kernel_is_loaded()
    with monkeypatch.context() as patch:
        patch.setattr(clauses, "compare_one", None)  # plain Python is no longer used
        scores = hybrid.similarity_pairwise(first, second)
    np.testing.assert_array_equal(scores, plain)


def test_words_that_both_texts_have_are_told_apart(graphs: Method) -> None:
    """A tabby is a cat, but not where the other text has both."""
    pairs = [
        ("The cat chased the tabby.", "The tabby chased the cat."),
        ("The cat chased the mouse.", "The tabby chased the mouse."),
    ]
    swapped, near = graphs.similarity_pairwise(*zip(*pairs, strict=True))
    assert swapped < 0.7 < near
    rows = [row for row in graphs.explain(*pairs[0]) if row.role == "concept"]
    assert {(row.first.label, row.second.label) for row in rows if row.first and row.second} == {
        ("cat", "cat"), ("chased", "chased"), ("tabby", "tabby"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The salt and pepper mills are empty.", "The pepper and salt mills are empty."),
        ("A crate of lemons and limes by the door.", "A crate of limes and lemons near the door."),
        ("The pump is connected to the tank.", "The tank is connected to the pump."),
        ("They wrote to each other.", "They wrote to one another."),
        ("Ann fixed the keybord of the lap top.", "Ann fixed the keyboard of the laptop."),
        ("U.S. sends aid to Peru", "US sends aid to Peru"),
    ],
)
def test_an_order_or_a_spelling_that_says_nothing(graphs: Method, first: str, second: str) -> None:
    assert graphs.similarity(first, second) > 0.95
    assert not [row for row in graphs.explain(first, second) if row.role.startswith("conflict")]


def test_opposites_among_people_exclude_each_other(graphs: Method) -> None:
    result = graphs.explain("A man opens the gate.", "A woman opens the gate.")
    (conflict,) = [row for row in result if row.role == "conflict: participant"]
    assert conflict.contribution < -0.05
    near = graphs.similarity("A person opens the gate.", "A woman opens the gate.")
    assert result.score < near


def test_a_concept_stands_for_one_other(graphs: Method) -> None:
    """Of two attributes on both sides each stands for its own partner, none for two."""
    result = graphs.explain("The shed is clean and ready.", "The shed is tidy and prepared.")
    for row in result:
        for conflict in row.conflicts:
            labels = {node.label for node in (*conflict.first, *conflict.second)}
            assert labels not in ({"ready", "tidy"}, {"clean", "prepared"})


def test_fillers_of_the_same_roles_count(hybrid: Method, graphs: Method) -> None:
    text = "The nurse called the doctor."
    for method in (graphs, hybrid):
        near, far = method.similarity_pairwise(
            [text] * 2, ["The nurse phoned the surgeon.", "The horse ate the apple."]
        )
        assert near > far + 0.2
    (row,) = (
        row for row in graphs.explain(text, "The nurse phoned the surgeon.") if row.role == "roles"
    )
    assert row.cosine is not None
    assert 0.0 < row.contribution <= row.weight < 1.0


def test_what_is_left_counts_as_a_whole(hybrid: Method, graphs: Method) -> None:
    text = "The council built a bicycle path."
    near, far = "The council built a route for cyclists.", "The council built a school for girls."
    for method in (graphs, hybrid):
        rows = [row for row in method.explain(text, near) if row.role == "rest"]
        assert [row.cosine is not None and row.cosine > 0.2 for row in rows] == [True]
        assert 0.0 < rows[0].contribution <= rows[0].weight < 1.0
        assert method.similarity(text, near) > method.similarity(text, far)


def test_search_by_the_bound_finds_what_full_comparison_finds(hybrid: Method) -> None:
    who = ("nurse", "doctor", "waiter", "farmer", "singer", "pilot", "judge", "baker")
    verbs = ("called", "paid", "saw", "helped", "hired")
    texts = [f"The {a} {v} the {b}." for a in who for b in who for v in verbs if a != b]
    assert len(texts) > 256
    documents = hybrid.encode(texts)
    query = hybrid.encode(["The doctor was hired by the judge."])
    places, scores = hybrid.top_k(query, documents, 3)
    every = hybrid.similarity(query, documents)[0]
    best = np.lexsort((np.arange(len(texts)), -every))[:3]
    assert places[0].tolist() == best.tolist()
    assert scores[0].tolist() == every[best].tolist()
    assert texts[int(places[0, 0])] == "The judge hired the doctor."


def scheme_text(share: object = 0.3, **changed: object) -> str:
    conflicts = dict.fromkeys(CONSTANTS, 0.2) | changed
    shares = "\n".join(f"{kind} = 0.5" for kind in KINDS)
    weights = "\n".join(f"{name} = {value}" for name, value in conflicts.items())
    return f"roles = {share}\nwording = 0.1\n[agreement]\n{shares}\n[conflicts]\n{weights}\n"


def test_a_scheme_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(scheme_text(roles=0.9))
    harsh = compsim.load("verbnet-cn", vectors="builtin", scheme=path, cache=False)
    mild = compsim.load("verbnet-cn", vectors="builtin", cache=False)
    pair = ["The nurse called the doctor."], ["The doctor called the nurse."]
    assert harsh.similarity_pairwise(*pair)[0] < mild.similarity_pairwise(*pair)[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[agreement]\nwords = 1\n", "tables"),
        (scheme_text(roles=2), "roles"),
        (scheme_text(share=1.5), "roles"),
        (scheme_text().partition("\n")[2], "roles"),
        (scheme_text(colour=0.1), "constants"),
        ("[agreement", "TOML"),
    ],
)
def test_a_damaged_scheme_is_one_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        Scheme.open(path)


def test_a_batch_is_saved_and_read(hybrid: Method, tmp_path: Path) -> None:
    texts = [text for pair in PAIRS for text in pair]
    batch = hybrid.encode(texts)
    batch.save(tmp_path / "batch")
    again = type(batch).load(tmp_path / "batch")
    np.testing.assert_allclose(
        hybrid.similarity(again, batch), hybrid.similarity(batch, batch), atol=1e-6
    )


@pytest.mark.parametrize(
    ("first", "second", "kind", "sentence"),
    [
        ("The nurse fed the cat.", "The cat fed the nurse.", "roles",
         '"nurse" and "cat" changed places'),
        ("Anna paid the waiter.", "The waiter paid Anna.", "roles",
         '"Anna" and "waiter" changed places'),
        ("The train left Oslo.", "The train did not leave Oslo.", "polarity",
         'only the second sentence denies "leave"'),
        ("All doors are open.", "Some doors are open.", "quantity",
         'all of "doors" in the first sentence, some of "doors" in the second'),
        ("You must wait.", "You may wait.", "modality",
         '"wait" is necessary in the first sentence, "wait" is possible in the second'),
        ("The pen is in the drawer.", "The pen is outside the drawer.", "direction",
         'in the first sentence "pen" is inside "drawer", in the second "pen" is outside "drawer"'),
        ("A black horse and a white cow ate.", "A white horse and a black cow ate.", "binding",
         'in the first sentence "horse" is described as "black", '
         'in the second "cow" is described as "black"'),
    ],
)  # fmt: skip
def test_a_conflict_is_one_plain_sentence(
    graphs: Method, first: str, second: str, kind: str, sentence: str
) -> None:
    why = graphs.explain(first, second)
    (row,) = (row for row in why.conflicts if row.role == f"conflict: {kind}")
    assert sentence in [one.sentence for one in row.conflicts]
    for one in row.conflicts:
        assert all(node.label in first for node in one.first)
        assert all(node.label in second for node in one.second)
