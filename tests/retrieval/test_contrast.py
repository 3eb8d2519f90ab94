"""Comparison of two ranked documents: parts that add up, for any reranker and documents."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from browser import violations

from compsim import InputError, Reranker
from compsim.retrieval import Contrast

QUERY = "Who sued the landlord in 2019, but not the city?"
FIRST = "It rained. The tenant sued the landlord in 2019."
SECOND = "The landlord sued the tenant in 2020. The city sued the landlord."
LIGHT = {"whole": "mean-cn", "vectors": "builtin"}


@pytest.fixture(scope="module")
def hybrid() -> Reranker:
    return Reranker("hybrid", **LIGHT)


def adds_up(why: Contrast) -> bool:
    return sum(part.difference for part in why.parts) == pytest.approx(why.difference, abs=1e-6)


@pytest.mark.parametrize("method", ["hybrid", "verbnet-cn", "mean-cn"])
@pytest.mark.parametrize("combine", ["max", "mean", 2])
def test_parts_add_up_to_the_difference_of_the_scores(method: str, combine: str | int) -> None:
    options = LIGHT if method == "hybrid" else {"vectors": "builtin"}
    reranker = Reranker(method, combine=combine, **options)
    for first, second in ((FIRST, SECOND), (SECOND, FIRST), (FIRST, ""), ("", "..."), (FIRST,) * 2):
        why = reranker.compare(QUERY, first, second)
        scores = reranker.scores(QUERY, [first, second])
        assert why.difference == pytest.approx(scores[0] - scores[1], abs=1e-6)
        assert adds_up(why)
        assert [part.sentence for part in why.parts if not part.sentence.strip()] == []


def test_the_other_way_round_is_the_same_with_the_other_sign(hybrid: Reranker) -> None:
    there, back = hybrid.compare(QUERY, FIRST, SECOND), hybrid.compare(QUERY, SECOND, FIRST)
    assert there.difference == -back.difference
    assert sorted(part.difference for part in there.parts) == pytest.approx(
        sorted(-part.difference for part in back.parts), abs=1e-9
    )


def test_each_kind_of_reason_is_told(hybrid: Reranker) -> None:
    why = hybrid.compare(QUERY, FIRST, SECOND)
    assert why.verdict.startswith("A is above B by ")
    assert why.verdict.endswith(
        ': only A has "2019"; B has more of what the query leaves out (the city).'
    )
    swapped = hybrid.compare("Who sued the bank?", "The bank sued a town.", "A town sued the bank.")
    assert swapped.verdict.startswith("B is above A by ")
    assert "A contradicts the query (who does what to whom)" in swapped.verdict
    conflicts = {part.name: part for part in swapped.parts if part.kind == "conflict"}
    roles = conflicts["who does what to whom"]
    assert "sued" in roles.first
    assert roles.second == ""
    asked = conflicts["fact, possible or asked"]
    assert asked.first == 'the first sentence asks "Who", which the second does not answer'
    assert asked.second == 'the first sentence asks "Who", the second answers "town"'
    nearer = hybrid.compare("Dogs barked.", "Cats barked.", "Hounds barked.")
    assert '"Hounds" in B is nearer to "Dogs" than "Cats" in A' in nearer.verdict
    assert hybrid.compare(QUERY, FIRST, FIRST).verdict == "A and B have the same score."


def test_other_sentences_are_told_of_where_there_are_some() -> None:
    mean = Reranker("mean-cn", vectors="builtin", combine="mean")
    (result,) = (
        part
        for part in mean.compare("Dogs bark.", "Dogs bark.", "Dogs bark. It rained.").parts
        if part.kind == "sentences"
    )
    assert result.in_first == 0
    assert result.sentence == "the other sentences of B lower its score"
    both = mean.compare("Dogs bark.", "Dogs bark. It rained. It snowed.", "Cats bark. Dogs sleep.")
    assert "the other sentences of A lower its score more" in both.verdict
    single = mean.compare("Dogs bark.", "Cats bark.", "Dogs sleep.")
    assert "sentences" not in {part.kind for part in single.parts}


@pytest.mark.parametrize("method", ["hybrid", "mean-cn"])
def test_a_document_has_nothing_to_compare(method: str) -> None:
    reranker = Reranker(method, vectors="builtin")
    for first, second, empty in (("", "Mice sleep.", "A"), ("Mice. It rained.", " ", "B")):
        why = reranker.compare("cats", first, second)
        assert why.verdict.endswith(f": {empty} has nothing to compare.")
        assert [part.kind for part in why.parts] == ["empty"]
        assert adds_up(why)
    assert reranker.compare("cats", "", "").verdict == "A and B have the same score."


def test_probabilities_are_shown_beside_the_scores(hybrid: Reranker) -> None:
    query, first, second = "Who sued the bank?", "A town sued the bank.", "The bank sued a town."
    raw = hybrid.compare(query, first, second)
    assert "probability" not in str(raw) + raw.to_html() + str(raw.first)
    reranker = Reranker("hybrid", calibration=(6, -3), **LIGHT)
    why = reranker.compare(query, first, second)
    above, below = why.first.probability, why.second.probability
    assert why.parts == raw.parts
    assert adds_up(why)
    assert f"(probability {above:.2f} against {below:.2f})" in why.verdict
    swapped = reranker.compare(query, second, first).verdict
    assert f"(probability {above:.2f} against {below:.2f})" in swapped
    for shown in (str(why), why.to_html()):
        assert f"{why.first.score:.4f} (probability {above:.4f}): A town" in untagged(shown)
    assert str(why.first).startswith(f"score {why.first.score:.4f}, probability {above:.4f};")
    same = reranker.compare(query, first, first).verdict
    assert same == f"A and B have the same score (probability {above:.2f})."


def untagged(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html)


def test_text_json_and_html_say_the_same(hybrid: Reranker) -> None:
    why = hybrid.compare("Who sued the <bank>?", "The bank sued a town.", "A town sued the bank.")
    values = json.loads(why.to_json())
    assert values["verdict"] == why.verdict
    assert [part["difference"] for part in values["parts"]] == [one.difference for one in why.parts]
    lines = str(why).splitlines()
    assert max(map(len, lines)) <= 80
    scores = f"{why.first.score:.4f} {why.second.score:.4f} {why.difference:+.4f}"
    assert lines[-2].split() == ["score", *scores.split()]
    page = why.to_html()
    assert "<bank>" not in page
    assert page.count("<details>") >= 2
    assert why._repr_html_().count(why.verdict) == page.count(why.verdict) - 1  # its title


def test_everybody_can_read_the_page(hybrid: Reranker, tmp_path: Path) -> None:
    why = hybrid.compare("Who sued the bank?", "The bank sued a town.", "A town sued the bank.")
    assert violations({"contrast": why.to_html()}, tmp_path, [390, 1280]) == []


def test_a_query_without_a_word_is_refused(hybrid: Reranker) -> None:
    with pytest.raises(InputError, match="without a word"):
        hybrid.compare("?!", FIRST, SECOND)
    with pytest.raises(InputError, match="documents"):
        hybrid.compare(QUERY, FIRST, None)  # type: ignore[arg-type]
