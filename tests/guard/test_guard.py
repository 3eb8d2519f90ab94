"""The guard: its decisions, its calibration, and files of it."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim import Guard, InputError, Verdict, same
from compsim.defaults import DEFAULT_METHOD
from compsim.errors import DataError
from compsim.guard.bounds import CONFIDENCE, upper_bound
from compsim.guard.calibration import Calibration, Curve, shipped
from compsim.guard.features import feature_names, kind_of, signs
from compsim.guard.fitting import fit_logistic
from compsim.guard.folds import folds_of
from compsim.guard.names import LIGHT_METHOD
from compsim.guard.report import area, calibration_error, hits_at

OPTIONS = {"whole": "mean-cn", "vectors": "builtin"}
DOGS = "The dog bit the man.", "The man bit the dog."
TEXTS = [
    *DOGS,
    "The man was bitten by the dog.",
    "He did not buy a used car.",
    "He bought a used car.",
    "Turn off the lights.",
    "Turn on the lights.",
    "It rained in London.",
]


@pytest.fixture(scope="module")
def guard() -> Guard:
    return Guard(**OPTIONS)


@pytest.fixture(scope="module")
def light() -> Guard:
    return Guard(LIGHT_METHOD, vectors="builtin")


def labelled() -> tuple[list[tuple[str, str]], list[int]]:
    """Pairs of a toy set: passives say the same, exchanged roles do not."""
    names = ["dog", "man", "cat", "boy", "girl", "king", "nurse", "thief", "bear", "wolf", "farmer"]
    pairs, labels = [], []
    for a, b in pairwise(names):
        text = f"The {a} chased the {b}."
        pairs += [(text, f"The {b} was chased by the {a}."), (text, f"The {b} chased the {a}.")]
        labels += [1, 0]
    return pairs, labels


def test_what_says_the_same_and_what_does_not(guard: Guard, light: Guard) -> None:
    for one in (guard, light):
        assert one.same(DOGS[0], "The man was bitten by the dog.")
        assert one.same(*DOGS).answer == "different"
        denied = one.same("He bought a used car.", "He did not buy a used car.")
        assert denied.answer == "different"
        assert any(each.kind == "polarity" for each in denied.differences)


def test_differences_point_into_both_texts(guard: Guard) -> None:
    first, second = "Anna paid the waiter.", "The waiter paid Anna."
    (exchanged, *_) = guard.same(first, second).differences
    assert exchanged.kind == "roles"
    assert [first[start:end] for start, end in exchanged.first] == ["Anna", "waiter"]
    assert [second[start:end] for start, end in exchanged.second] == ["Anna", "waiter"]
    assert exchanged.sentence.startswith('"Anna" and "waiter" changed places: in the first')
    assert 0 < exchanged.sure <= 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The dog bit the man.", "The dog bit the man."),
        ("The dog bit the man.", " The  dog\nbit the man. "),
        ("The dog bit the man.", "the DOG bit the man"),
        ("I'd like to see what they've bought.", "I would like to see what they have bought."),
        ("It isn't open.", "It is not open."),
        ("He can't swim and won't try.", "He cannot swim and will not try."),
        ("Isn't she coming?", "Is she not coming?"),
        ("She's left.", "She has left."),
        ("It\u2019s late.", "It is late."),
        ("The colour of the centre was analysed.", "The color of the center was analyzed."),
        ("He cancelled his travelling programmes.", "He canceled his traveling programs."),
        (
            "They organised a catalogue of aluminium tyres.",
            "They organized a catalog of aluminum tires.",
        ),
        ("1,000 people came.", "1000 people came"),
        ("for (int i = 0; i < n; i++) { f(i); }", "for (int i = 0; i < n; i++) { f(i); }"),
    ],
)
def test_wording_alone_is_always_the_same(guard: Guard, first: str, second: str) -> None:
    for pair in ((first, second), (second, first)):
        verdict = guard.same(*pair)
        assert verdict, verdict
        assert verdict.probability == 1.0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("You are open.", "Are you open?"),
        ("He would cut it.", "He had cut it."),
        ("He called the four men.", "He called for men."),
        ("They filled the form.", "They filed the form."),
        ("It costs 1,5 euros.", "It costs 15 euros."),
    ],
)
def test_other_words_are_other_wording(guard: Guard, first: str, second: str) -> None:
    assert guard.same(first, second).probability < 1.0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the second text is blank"),
        (" \n\u200b", "the second text is blank"),
        ("?!", "the second text has no word"),
        ("Wie spät ist es und wo ist der Bahnhof?", "the second text is not in English"),
        ("¿Dónde está la estación de trenes?", "the second text is not in English"),
        ("駅はどこですか", "the second text is not in English"),
        ("def f(x):\n    return x + 1", "the second text is code"),
        ("SELECT name FROM users WHERE id = 3;", "the second text is code"),
    ],
)
def test_nothing_is_decided_of_bad_input(guard: Guard, text: str, reason: str) -> None:
    verdict = guard.same(DOGS[0], text)
    assert (verdict.answer, verdict.reason) == ("unsure", reason)
    assert not verdict


def test_an_unsure_verdict_says_why(light: Guard) -> None:
    passive = "The man was bitten by the dog."
    strict = Guard(light.method, max_false=1e-6)
    verdict = strict.same(DOGS[0], passive)
    assert verdict.answer == "unsure"
    assert verdict.reason.endswith(
        "too few to promise that at most 1e-06 of them are called the same"
    )
    # Something can be said: the probability counts.
    assert strict.probabilities([DOGS[0]], [passive]) == [verdict.probability]
    limits = light.thresholds
    assert limits.upper is not None
    verdict = light.verdict((limits.lower + limits.upper) / 2, limits, *DOGS)
    assert verdict.reason.endswith(f"and {limits.upper:.2f}, from which on they are the same")
    assert [light.verdict(value, limits, *DOGS).reason for value in (0.0, 1.0)] == ["", ""]


def test_two_blank_texts_are_not_the_same(guard: Guard) -> None:
    assert guard.same("", " ").reason == "the first text is blank and the second text is blank"


def test_long_texts_are_compared_sentence_by_sentence(light: Guard) -> None:
    names = ["dog", "cat", "bird", "horse", "nurse"]
    many = [f"The {a} saw {n} men and the {b}." for n in range(2, 12) for a in names for b in names]
    first = " ".join(many)
    assert light.same(first, first.upper())
    verdict = light.same(
        first,
        first.replace("The cat saw 7 men and the bird.", "The cat did not see 7 men and the bird."),
    )
    assert verdict.answer == "unsure"
    assert "sentence by sentence" in verdict.reason
    assert verdict.probability < 0.5
    (start, end), *_ = verdict.differences[0].first
    assert first[start:end] in "The cat saw 7 men and the bird."


def test_lists_are_compared_as_their_pairs_are(guard: Guard) -> None:
    rows = guard.same(TEXTS, TEXTS[::-1])
    assert rows == [guard.same(a, b) for a, b in zip(TEXTS, TEXTS[::-1], strict=True)]
    assert guard.same(DOGS[0], TEXTS) == [guard.same(DOGS[0], text) for text in TEXTS]
    assert guard.same([], []) == []
    assert same(DOGS[0], TEXTS[:2], **OPTIONS) == guard.same(DOGS[0], TEXTS[:2])


def test_what_is_no_pair_is_refused(guard: Guard) -> None:
    with pytest.raises(InputError, match="give the one text first"):
        guard.same([DOGS[0]], DOGS[1])  # type: ignore[call-overload]
    with pytest.raises(InputError, match="the first list has 1 sentences"):
        guard.same([DOGS[0]], TEXTS)
    with pytest.raises(InputError, match=r"max_false=1\.5 is no share"):
        Guard(LIGHT_METHOD, max_false=1.5)


def test_probabilities_are_symmetric_and_the_same_in_a_batch(guard: Guard) -> None:
    first = [a for a in TEXTS for _ in TEXTS]
    second = TEXTS * len(TEXTS)
    values = guard.probabilities(first, second)
    assert values.min() >= 0
    assert values.max() <= 1
    np.testing.assert_allclose(values, guard.probabilities(second, first), rtol=1e-6)
    single = [guard.same(a, b).probability for a, b in zip(first, second, strict=True)]
    np.testing.assert_allclose(values, single, rtol=1e-5)
    batch = guard.method.encode(TEXTS)
    encoded = guard.probabilities_encoded(batch, batch[::-1])
    np.testing.assert_allclose(encoded, guard.probabilities(TEXTS, TEXTS[::-1]), rtol=1e-5)


@given(
    kind=st.sampled_from(["transformer", "words", "none"]),
    values=st.lists(st.floats(0, 1), min_size=30, max_size=30),
    more=st.floats(0, 1),
)
def test_probabilities_are_monotone(kind: str, values: list[float], more: float) -> None:
    names = feature_names(kind)
    row = np.array([values[: len(names)]])
    before = shipped()[kind].probabilities(row)[0]
    assert 0 <= before <= 1
    for k, sign in enumerate(signs(names)):
        raised = row.copy()
        raised[0, k] += more
        if sign:
            assert sign * (shipped()[kind].probabilities(raised)[0] - before) >= 0


def test_a_budget_holds_on_the_pairs_that_were_counted() -> None:
    for calibration in shipped().values():
        curve, before = calibration.curve, 0.0
        for budget in (0.2, 0.1, 0.05, 0.02):
            upper = curve.upper(budget)
            assert upper is not None
            assert curve.false_share(upper) <= curve.false_bound(upper) <= budget
            assert upper >= before
            before = upper
        assert curve.upper(1e-6) is None


def test_without_enough_pairs_for_a_budget_only_equal_wording_is_the_same() -> None:
    careful = Guard(LIGHT_METHOD, max_false=1e-5, vectors="builtin")
    assert careful.upper is None
    assert not careful.same(DOGS[0], "The man was bitten by the dog.")
    assert careful.same(DOGS[0], DOGS[0].lower())
    assert careful.report().hits == 0


@pytest.mark.parametrize(("count", "n"), [(0, 10), (1, 10), (5, 200), (199, 200), (40, 5000)])
def test_bounds_are_those_of_scipy(count: int, n: int) -> None:
    from scipy.stats import beta

    assert upper_bound(count, n) == pytest.approx(beta.ppf(CONFIDENCE, count + 1, n - count))


def test_a_fit_keeps_signs_and_tells_the_sides_apart() -> None:
    rng = np.random.default_rng(1)
    x = rng.random((300, 3))
    y = x[:, 0] + x[:, 1] > 1
    intercept, values = fit_logistic(x, y, np.array([1, -1, 0]))
    assert values[0] > 1
    assert values[1] == 0  # it would be positive
    assert area(intercept + x @ values, y) > 0.75
    with pytest.raises(InputError, match="the same label"):
        fit_logistic(x, np.ones(300), np.array([1, -1, 0]))


def test_pairs_that_share_a_text_are_in_one_fold() -> None:
    pairs = [("a", "b"), ("c", "d"), ("e", "b"), ("d", "f"), ("g", "h")]
    folds = folds_of(pairs, 3)
    assert folds[0] == folds[2]
    assert folds[1] == folds[3]
    assert len(set(folds.tolist())) == 3


def test_a_guard_is_fitted_saved_and_loaded(tmp_path: Path) -> None:
    pairs, labels = labelled()
    guard = Guard(LIGHT_METHOD, max_false=0.3, vectors="builtin").fit(pairs, labels)
    report = guard.report()
    assert report.figures["AUC"] > 0.9
    assert "cross-validation" in str(report)
    assert report._repr_html_().count("<circle") == len(report.bins)
    assert json.loads(json.dumps(report.to_dict()))["n_same"] == 10
    path = tmp_path / "guard.json"
    guard.save(path)
    again = Guard.load(path)
    assert again.calibration == guard.calibration
    assert again.same(*DOGS) == guard.same(*DOGS)
    assert guard.evaluate(pairs, labels).figures["AUC"] > 0.9


def test_a_method_without_a_calibration_is_fitted_first() -> None:
    guard = Guard("mean-cn", vectors="builtin")
    with pytest.raises(InputError, match="ships without a calibration"):
        guard.same(*DOGS)
    pairs, labels = labelled()
    guard.fit(pairs, labels)
    assert 0 <= guard.same(*DOGS).probability <= 1
    assert guard.same(*DOGS).differences == ()


def test_a_fit_needs_pairs_of_both_labels() -> None:
    guard = Guard(LIGHT_METHOD, vectors="builtin")
    with pytest.raises(InputError, match="give at least 10 of each"):
        guard.fit([DOGS], [0])
    with pytest.raises(InputError, match="1 pairs and 2 labels"):
        guard.fit([DOGS], [0, 1])
    with pytest.raises(InputError, match="neither 0 nor 1"):
        guard.fit([DOGS], [0.5])


def test_a_file_of_another_method_or_version_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "guard.json"
    Guard(LIGHT_METHOD, vectors="builtin").save(path)
    data = json.loads(path.read_text())
    broken = [
        {**data, "compsim guard": 99},
        {**data, "method": "mean-cn"},
        {**data, "calibration": {}},
        {**data, "calibration": {**data["calibration"], "coefficients": {"agreement": 1.0}}},
        {key: value for key, value in data.items() if key != "options"},
        [],
    ]
    raising = {**data["calibration"]["coefficients"], "polarity": 1.0}
    broken.append({**data, "calibration": {**data["calibration"], "coefficients": raising}})
    for value in broken:
        path.write_text(json.dumps(value))
        with pytest.raises(DataError, match=r"guard\.json.*fit"):
            Guard.load(path)
    path.write_text(json.dumps({**data, "options": {"vectors": "/etc/passwd"}}))
    with pytest.raises(InputError, match="which a file may not decide"):
        Guard.load(path)


def test_a_verdict_pickles_with_its_differences(light: Guard) -> None:
    verdict = light.same(*DOGS)
    again = pickle.loads(pickle.dumps(verdict))
    assert again == verdict
    assert json.loads(json.dumps(again.to_dict()))["answer"] == "different"
    assert verdict != Verdict("same", 1.0)


def test_figures_of_known_cases() -> None:
    scores, labels = np.array([0.9, 0.8, 0.8, 0.1]), np.array([True, True, False, False])
    assert area(scores, labels) == 0.875
    assert hits_at(scores, labels, 0.0) == 0.5
    assert calibration_error([0.25] * 4, [1, 0, 0, 0]) == 0.0
    assert Curve.of(scores, labels).hits(0.8) == 1.0


def test_a_calibration_has_every_feature() -> None:
    with pytest.raises(DataError, match="another version of the comparison"):
        Calibration("none", 0.0, {"agreement": 1.0}, Curve((), (), (), 0, 0))


def test_the_named_methods_are_those_that_have_terms(guard: Guard, light: Guard) -> None:
    assert (guard.method.info.name, kind_of(guard.method)) == (DEFAULT_METHOD, "words")
    assert (light.method.info.name, kind_of(light.method)) == (LIGHT_METHOD, "none")
