"""The method of the paper on toys: scores by hand, its options, how its explanation looks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from naive import kernels as naive
from toys import ToyParser, toy_vectors, verbnet

from compsim.errors import InputError, ParseError
from compsim.graph import RoleGraph
from compsim.parsers.cache import ParseCache
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.method import RoleSimMethod


def word_cosine(first: str, second: str) -> float:
    vectors = toy_vectors()
    return naive.cosine(vectors.phrase(first).tolist(), vectors.phrase(second).tolist())


def test_verbnet_cn_by_hand() -> None:
    agent, patient = word_cosine("cats", "dogs"), word_cosine("mice", "birds")
    pair = ["Cats chase mice"], ["Dogs chase birds in the park"]
    total = 3 + 2 * agent + 2 * patient
    for normalize, n in [("matched", 7), ("union", 7.5), ("fixed", 11)]:
        got = verbnet(normalize=normalize).similarity_pairwise(*pair)[0]
        assert got == pytest.approx(total / n, abs=1e-6)
    uniform = verbnet(weights="uniform").similarity_pairwise(*pair)[0]
    assert uniform == pytest.approx((1 + agent + patient) / 3, abs=1e-6)


def test_fixed_does_not_promise_identity() -> None:
    assert verbnet(normalize="fixed").info.identity is None
    assert verbnet().info.identity == 1
    assert RoleSimMethod.info.identity == 1


def test_aligned_roles_are_named_in_the_explanation() -> None:
    explanation = verbnet().explain("Cats visit mice quickly", "Dogs chase birds")
    rows = {row.role: row for row in explanation}
    assert list(rows) == ["Verb", "Agent", "Theme~Patient", "Manner"]
    theme = rows["Theme~Patient"]
    assert theme.weight == 2
    assert theme.first is not None
    assert theme.second is not None
    assert (theme.first.span, theme.second.span) == ((11, 15), (11, 16))
    manner = rows["Manner"]
    assert (manner.second, manner.cosine, manner.contribution) == (None, None, 0)
    assert explanation.divisor == 7
    assert explanation.vectors == "toy-vectors"
    assert explanation.parser == "toy"
    other_way = verbnet().explain("Dogs chase birds", "Cats visit mice")
    assert [row.role for row in other_way] == ["Verb", "Agent", "Patient~Theme"]


def test_unknown_words_count_as_present_with_cosine_0() -> None:
    method = verbnet()
    assert method.similarity_pairwise(["zzyzx chase mice"], ["zzyzx chase mice"])[0] == (
        pytest.approx(5 / 7, abs=1e-6)
    )


def test_fallback_is_the_cosine_of_whole_sentences() -> None:
    method = verbnet()
    expected = word_cosine("cats mice", "dogs chase birds")
    explanation = method.explain("cats mice", "Dogs chase birds")
    assert explanation.score == pytest.approx(expected, abs=1e-6)
    assert explanation.statuses == ("failed", "ok")
    assert "first sentence has no role (no verb)" in explanation.note
    assert method.similarity(["Dogs chase birds", "x"], ["cats mice"])[0, 0] == (
        pytest.approx(expected, abs=1e-6)
    )
    # Neither has a word with a vector: equal texts that are not blank score 1, all else 0.
    wordless = ["zzyzx", " zzyzx ", "qwrt", "", "  "]
    expected_table = np.zeros((5, 5))
    expected_table[:2, :2] = 1
    expected_table[2, 2] = 1
    np.testing.assert_array_equal(method.similarity(wordless, wordless), expected_table)
    for i, s1 in enumerate(wordless):
        for j, s2 in enumerate(wordless):
            assert method.explain(s1, s2).score == expected_table[i, j]
    assert method.similarity_pairwise(["cats"], [""])[0] == 0


def test_on_failure_nan_and_raise() -> None:
    method = verbnet(on_failure="nan")
    scores = method.similarity(["Cats chase mice", "cats"], ["Cats chase mice", ""])
    assert np.isnan(scores).tolist() == [[False, True], [True, True]]
    assert np.isnan(method.similarity_pairwise(["cats"], ["Cats chase mice"]))[0]
    explanation = method.explain("cats", "Cats chase mice")
    assert math.isnan(explanation.score)
    assert explanation.to_dict()["score"] is None
    assert "undefined" in str(explanation)
    assert "nan" in explanation.to_html()
    indices, _ = method.top_k(["Cats chase mice"], ["cats", "Cats chase mice"], 2)
    assert indices.tolist() == [[1, -1]]
    with pytest.raises(ParseError, match=r"sentence 1, 'cats'.*no verb"):
        verbnet(on_failure="raise").encode(["Cats chase mice", "cats"])


def test_options_are_checked(tmp_path: Path) -> None:
    for options in (
        {"on_failure": "ignore"},
        {"normalize": "some"},
        {"parser": 3},
        {"vectors": 3},
        {"cache": 3},
    ):
        with pytest.raises(InputError):
            verbnet(**options)
    with pytest.raises(TypeError, match="colour"):
        verbnet(colour="red")


def test_the_cache_spares_the_parser() -> None:
    parser = ToyParser()
    method = verbnet(parser=parser, cache=ParseCache(None))
    first = method.similarity(["Cats chase mice"], ["Dogs help birds"])
    second = method.similarity(["Cats chase mice"], ["Dogs help birds"])
    assert parser.parsed == ["Cats chase mice", "Dogs help birds"]
    np.testing.assert_array_equal(first, second)
    assert method.vectors.name == "toy-vectors"
    assert method.explain("Cats chase mice", "Dogs help birds").parser == "toy"


def test_cache_true_is_the_users_cache() -> None:
    parser = ToyParser()
    for _ in range(2):
        verbnet(parser=parser, cache=True).encode(["Cats visit mice in the park"])
    assert len(parser.parsed) == 1


def test_one_list_twice_is_parsed_once() -> None:
    parser = ToyParser()
    sentences = ["Cats chase mice"]
    verbnet(parser=parser).similarity(sentences, sentences)
    assert parser.parsed == sentences


def test_a_parser_that_loses_a_sentence_is_found_out() -> None:
    class Lossy(ToyParser):
        def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
            return super().parse(sentences)[1:]

    with pytest.raises(ParseError, match="0 graphs for 1"):
        verbnet(parser=Lossy()).encode(["Cats chase mice"])


def test_batches_of_other_vectors_or_methods_are_refused() -> None:
    method = verbnet()
    batch = method.encode(["Cats chase mice"])
    assert isinstance(batch, RoleBatch)
    batch.space = "other:1"
    with pytest.raises(InputError, match="other:1"):
        method.similarity(batch, ["Cats chase mice"])


def test_explanation_as_table() -> None:
    text = str(verbnet().explain("Cats chase mice", "Dogs chase birds in the park"))
    lines = text.splitlines()
    assert lines[0].startswith("Little in common: ")
    start = lines.index("How was this computed?")
    assert lines[start + 1] == "vectors toy-vectors, parser toy, normalize matched (N = 7)"
    table = lines[start + 2 :]
    assert table[0].split() == ["role", "1", "2", "cosine", "weight", "contribution"]
    assert table[1].split() == ["Verb", "chase", "chase", "1.0000", "3.0", "0.4286"]
    assert table[4].split() == ["Location", "-", "the", "park", "-", "0.5", "0.0000"]
    assert len({len(line) for line in table}) == 1


def test_explanation_as_rich_table() -> None:
    from rich.console import Console

    console = Console(width=120)
    with console.capture() as capture:
        console.print(verbnet().explain("[red]Cats chase mice", "Dogs chase birds"))
    assert "[red]Cats" in capture.get()
    assert "0.4286" in capture.get()


def test_explanation_as_html() -> None:
    explanation = verbnet().explain("<b>cats & chase mice", 'Dogs chase "birds"')
    page = explanation.to_html()
    assert page.startswith("<!DOCTYPE html>")
    assert "<b>" not in page
    assert "&lt;b&gt;cats &amp;</mark>" in page
    assert "&quot;birds&quot;" in page
    # Nothing is fetched: the only address is the name of a format.
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "<script" not in page
    assert "color-scheme: light dark" in page
    fragment = explanation._repr_html_()
    # A page has the score as its heading, a piece of another page must not.
    assert fragment.replace('<p class="score">', '<h1 class="score">').count("<h1") == 1
    assert "<h1" not in fragment
    assert fragment.partition("</p>")[2] in page
    assert fragment.count("<mark") == 3 + 3 + 3


def test_explanation_as_dict_and_json() -> None:
    import json

    explanation = verbnet().explain("Cats chase mice", "Dogs visit birds quickly")
    data = json.loads(explanation.to_json())
    assert data == explanation.to_dict()
    assert data["roles"][0]["first"] == {"phrase": "chase", "span": [5, 10], "parts": []}
    assert sum(role["contribution"] for role in data["roles"]) == data["score"]
