"""Everyday English through the shipped parser: identity, odd texts, and what a score must tell."""

from __future__ import annotations

import gzip
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compsim import load
from compsim.rolesim.method import RoleSimMethod


@pytest.fixture(scope="module")
def method() -> RoleSimMethod:
    return load("verbnet-cn", vectors="builtin", cache=False)


@given(text=st.text(max_size=40))
@settings(max_examples=60, deadline=None)
def test_any_text_scores_1_with_itself(method: RoleSimMethod, text: str) -> None:
    score = method.similarity_pairwise([text], [text])[0]
    # A text with nothing in it is like nothing.
    assert score == pytest.approx(1 if text.strip() else 0, abs=1e-6) or not text.isprintable()


@pytest.mark.parametrize("empty", ["", " \n", "\u200b\u2060"])
def test_a_text_with_nothing_in_it_is_like_nothing(method: RoleSimMethod, empty: str) -> None:
    for other in (empty, "", "The dog barked."):
        why = method.explain(empty, other)
        assert why.score == method.similarity_pairwise([empty], [other])[0] == 0
        assert "the score is 0: a text with nothing in it" in why.note


def test_what_was_not_compared_is_said(method: RoleSimMethod) -> None:
    why = method.explain("The dog barked.", "The dog barked. " * 2000)
    assert why.note.startswith("Of the second text, only the first 20,000 of 31,999 characters")
    why = method.explain("+", "The dog barked. " * 2000)
    assert "Of the second text, only" in why.note
    assert "The first sentence has no role (only" not in why.note


def test_real_sentences_score_1_with_themselves(method: RoleSimMethod, data_dir: Path) -> None:
    path = data_dir / "text" / "sentences.tsv.gz"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = [line.rstrip("\n").split("\t")[1] for line in lines][::60]
    batch = method.encode(texts)
    np.testing.assert_allclose(method.similarity_pairwise(batch, batch), 1, atol=1e-6)
    assert not batch.failed.any()


ODD = ["", "   ", "\U0001f600\U0001f600", "...", "Zaphira", "42", "no", "?!", "a" * 2000]


def test_odd_texts_have_a_score_and_an_explanation(method: RoleSimMethod) -> None:
    for text in ODD:
        for other in ("The cat slept.", text):
            explanation = method.explain(text, other)
            score = method.similarity_pairwise([text], [other])[0]
            assert explanation.score == pytest.approx(score, abs=1e-6)
            assert explanation.rows or explanation.note


def test_a_text_that_is_cut_says_so(method: RoleSimMethod) -> None:
    clause = "The clerk who knew the baker thanked the nurse, and "
    batch = method.encode([clause * 2000])
    assert batch.status[0] == 1
    assert "characters" in batch.graphs[0].reason
    assert method.similarity_pairwise(batch, batch)[0] == pytest.approx(1, abs=1e-6)


def test_hundreds_of_clauses_are_paired(method: RoleSimMethod) -> None:
    names = ["baker", "nurse", "clerk", "pilot", "judge"]
    verbs = ["slept", "sang", "laughed", "waited", "coughed", "smiled", "ran"]
    clauses = [f"the {names[i % 5]} {verbs[i % 7]}" for i in range(350)]
    text = ", and ".join(clauses) + "."
    turned = ", and ".join(reversed(clauses)) + "."
    assert method.similarity_pairwise([text], [text])[0] == pytest.approx(1, abs=1e-6)
    assert method.similarity_pairwise([text], [turned])[0] > 0.9


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        ("The nurse fed the goat.", "The goat was fed by the nurse.", "The goat fed the nurse."),
        ("He met her.", "She was met by him.", "They met us."),
        ("The goat did not eat.", "The goat never ate.", "The goat ate."),
        ("All guests sang.", "Every guest sang.", "No guests sang."),
        ("He ran before lunch.", "Before lunch he ran.", "He ran after lunch."),
        ("The pilot slept and the cook sang.", "The cook sang and the pilot slept.",
         "The cook slept and the pilot sang."),
        ("Zaphira thanked Quorvel.", "Quorvel was thanked by Zaphira.",
         "Quorvel thanked Zaphira."),
        ("The door is open.", "The door is open now.", "The door is closed."),
        ("Kim postponed the trip.", "Kim put off the trip.", "Kim put on the hat."),
        ("She hurried up the hill.", "Up the hill she hurried.", "She hurried down the hill."),
        ("A statue stands in front of the museum.", "In front of the museum stands a statue.",
         "A statue stands behind the museum."),
        ("He won because of the wind.", "Because of the wind he won.", "He won despite the wind."),
        ("He rested because he was tired.", "Because he was tired, he rested.",
         "He rested although he was tired."),
        ("She dances like her aunt.", "Like her aunt she dances.", "She dances unlike her aunt."),
        ("The aunt of the groom sang.", "The groom's aunt sang.", "The groom of the aunt sang."),
        ("The barn has a stove.", "There is a stove in the barn.",
         "There is no stove in the barn."),
        ("The barn lacks a stove.", "There is no stove in the barn.", "The barn has a stove."),
        ("The kite drifted up.", "The kite drifted upwards.", "The kite drifted down."),
    ],
)  # fmt: skip
def test_what_means_the_same_scores_higher(
    method: RoleSimMethod, text: str, same: str, other: str
) -> None:
    near, far = method.similarity_pairwise([text, text], [same, other])
    assert near > far


def test_who_is_asked_for_matches_at_a_cost(method: RoleSimMethod) -> None:
    asked, told = method.similarity_pairwise(
        ["Who fed the goat?"] * 2, ["The nurse fed the goat.", "Who fed the goat?"]
    )
    assert 0.6 < asked < told


def test_lines_are_drawn_between_the_phrases_of_the_events_that_were_paired(
    method: RoleSimMethod,
) -> None:
    # Both events of the first have the manager and the time, in nodes of their own.
    why = method.explain(
        "After the long meeting, the manager who had hired Ann quickly sent her three letters and "
        "did not call Bob.",
        "Bob was called by the manager, but Ann received two letters before the meeting.",
    )
    assert isinstance(why.figure, partial)
    first, second, mapping, roles = why.figure.args
    matched = [row for row in why if row.first is not None and row.second is not None]
    assert [(first.nodes[i], second.nodes[j]) for i, j in mapping] == [
        (row.first, row.second) for row in matched
    ]
    assert list(roles) == [row.role for row in matched]
    for (i, j), row in zip(mapping, matched, strict=True):
        frame = why.frames[row.frame]
        for graph, place, head in ((first, i, frame.first), (second, j, frame.second)):
            # Another reading of an event has its predicate at the same place.
            above = {graph.nodes[edge.source] for edge in graph.edges if edge.target == place}
            same = head in above and {node.span for node in above} == {head.span}
            assert graph.nodes[place] == head or same


def test_what_is_lacked_is_read_as_not_had(method: RoleSimMethod) -> None:
    (frame,) = method.explain("The barn lacks a stove.", "There is no stove in the barn.").frames
    assert frame.notes == ("lacks, read as not be",)


def test_a_comparison_told_from_the_other_side_is_not_called_denied(
    method: RoleSimMethod,
) -> None:
    def notes(first: str, second: str) -> tuple[str, ...]:
        return method.explain(first, second).frames[0].notes

    taller = "Tom is taller than his brother."
    round_ = ("compared the other way round",)
    assert notes(taller, "His brother is taller than Tom.") == round_
    assert notes("His brother is taller than Tom.", taller) == round_
    assert notes(taller, "His brother is less tall than Tom.") == round_
    assert notes(taller, "Tom is not taller than his brother.") == ("denied in the second only",)


def test_numbers_tell_phrases_apart(method: RoleSimMethod) -> None:
    others = ["3 nurses slept.", "Nurses slept.", "Thirty nurses slept."]
    same, none, other = method.similarity_pairwise(["Three nurses slept."] * 3, others)
    assert same == pytest.approx(1, abs=0.01)
    assert other < none < 0.99


def test_what_differs_is_told(method: RoleSimMethod) -> None:
    why = method.explain("The nurse did not feed Zaphira.", "The nurse feeds Zaphyra.")
    assert any("denied in the first only" in note for frame in why.frames for note in frame.notes)
    reasons = {row.role: row.reason for row in why}
    assert reasons["Verb"] == "same lemma"
    assert "by spelling" in reasons["Patient"]
    assert why.score == pytest.approx(sum(row.contribution for row in why))


@pytest.mark.parametrize(
    ("first", "second", "role", "reason"),
    [
        ("The nurse fed Zaphira.", "The nurse fed Quixley.", "Patient", "Zaphira, Quixley: no"),
        ("The nurse fed Zaphira.", "The nurse fed cats.", "Patient", "Zaphira: no vector"),
        ("The nurse fed 2 goats.", "The nurse fed 3 goats.", "Patient", "2, 3: by value"),
        ("She fed the goat.", "We fed the goat.", "Agent", "She, We: by person"),
        ("The nurse fed 2 goats.", "The nurse fed hens.", "Patient", "number: 2 / none"),
        # One side alone has such a word, or it says little beside the others.
        ("The nurse fed Zaphira's goat.", "The nurse fed the farmer's goat.", "Patient", ""),
        ("The nurse fed the goat that ate 2 old apples.", "The nurse fed a dog.", "Patient", ""),
        # What stands in both decides nothing else.
        ("The nurse fed Zaphira's goat.", "The nurse fed Zaphira's hens.", "Patient", ""),
        # "By" says nothing that the role does not; "from" and "to" do.
        ("The nurse fed the goat.", "The goat was fed by the nurse.", "Agent", ""),
        ("Ann drove to Leeds.", "Ann drove from Leeds.", "Trajectory~Origin", "prep: to / from"),
    ],
)
def test_a_reason_is_told_where_it_decides(
    method: RoleSimMethod, first: str, second: str, role: str, reason: str
) -> None:
    told = {row.role: row.reason for row in method.explain(first, second)}
    assert told[role].startswith(reason) if reason else told[role] == ""


def test_a_long_text_is_explained_by_the_pairs_that_make_its_score(method: RoleSimMethod) -> None:
    """The kernel pairs the frames; what is left out of a page stands in it once."""
    verbs = ["met", "heard", "called", "left"]
    first, second = (
        " ".join(f"The {who} {verb} the nurse." for who in ("cook", "guard", one) for verb in verbs)
        for one in ("judge", "clerk")
    )
    nested = "He thought that she said that " * 20 + "the cook sang."
    for pair in ((first * 3, second * 2), (nested, nested), (nested, first)):
        why = method.explain(*pair)
        assert why.score == method.similarity_pairwise([pair[0]], [pair[1]])[0]
        assert why.score == pytest.approx(sum(row.contribution for row in why))
        assert "best pairing" in why.note
    assert why.to_html().count(nested) == 1


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        (
            "The umpire announced that Petra had insulted Jonas.",
            "The umpire announced that Jonas had been insulted by Petra.",
            "The umpire announced that Jonas had insulted Petra.",
        ),
        (
            "We photographed the heron that the otter had bitten.",
            "We photographed the heron that had been bitten by the otter.",
            "We photographed the heron that had bitten the otter.",
        ),
        (
            "He is dreaming of moving from Oslo to Lisbon.",
            "He dreams of moving to Lisbon from Oslo.",
            "He is dreaming of moving from Lisbon to Oslo.",
        ),
    ],
)
def test_who_does_what_in_a_clause(method: RoleSimMethod, text: str, same: str, other: str) -> None:
    alike, swapped = method.similarity_pairwise([text] * 2, [same, other])
    assert alike > 0.9 > swapped
