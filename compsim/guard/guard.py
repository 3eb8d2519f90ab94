"""The guard: a method, its calibration and a budget of false answers.

>>> from compsim.guard.names import LIGHT_METHOD
>>> guard = Guard(LIGHT_METHOD, vectors="builtin")
>>> guard.same("The dog bit the man.", "The man was bitten by the dog.").answer
'same'
>>> verdict = guard.same("The dog bit the man.", "The man bit the dog.")
>>> bool(verdict), verdict.answer, verdict.differences[0].kind
(False, 'different', 'roles')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, Unpack, overload

import numpy as np
import numpy.typing as npt

from compsim.defaults import DEFAULT_METHOD
from compsim.errors import InputError
from compsim.guard.calibration import Calibration, Curve, shipped
from compsim.guard.differences import differences
from compsim.guard.doubts import doubt, is_long
from compsim.guard.features import (
    SCORE,
    feature_names,
    kind_of,
    pair_features,
    signs,
)
from compsim.guard.files import read_guard, save_guard
from compsim.guard.fitting import fit_logistic
from compsim.guard.folds import folds_of
from compsim.guard.long_texts import compare_long
from compsim.guard.names import MAX_FALSE, MAX_MISSED
from compsim.guard.report import GuardReport
from compsim.guard.spelling import corrected
from compsim.guard.verdict import Answer, Difference, Verdict
from compsim.method import Method
from compsim.normal_form import same_wording
from compsim.plain_text import plain
from compsim.registry import check_unmade, load
from compsim.sentences import check_pairs, check_sentences

if TYPE_CHECKING:
    from compsim.method_options import AnyOptions

__all__ = ["Guard", "Thresholds"]

#: Pairs that are encoded at a time.
_AT_ONCE: Final = 4096
#: Pairs of each label that a fit needs at least.
_LEAST: Final = 10
_WORDING: Final = (
    "the texts differ at most in white space, case, final stop, contractions or spelling"
)
_UNPARSED: Final = "one of the texts could not be parsed"

Floats = npt.NDArray[np.float64]


class Thresholds(NamedTuple):
    """Probabilities at which the answers of a guard begin.

    Attributes:
        upper: From this probability on the answer is "same"; None where the budget allows none.
        lower: Below this one it is "different".
        bound: The upper bound of the share of different pairs above ``upper``; None without that.
    """

    upper: float | None
    lower: float
    bound: float | None


class Guard:
    """Decides whether texts say the same.

    Args:
        method: The name of a method, or a method. Those over concepts have a calibration; another
            one needs ``fit``.
        max_false: The share of different pairs that may be answered "same". The threshold is the
            least for which the upper bound of that share (Clopper and Pearson, 95 %) on pairs that
            were left out of the fit is not above it; where no threshold is, nothing is "same" but
            equal wording.
        max_missed: The share of same pairs that may be answered "different".
        **options: Options of the method, as for ``load``.

    Raises:
        InputError: A budget is not between 0 and 1, or the method has no such option.
        UnknownNameError: There is no method of this name.
        MissingExtraError: A package that the method needs is not installed.

    Examples:
        >>> from compsim import Guard
        >>> guard = Guard(vectors="builtin", max_false=0.02)
        >>> guard.same("He bought a used car.", "He did not buy a used car.").answer
        'different'
    """

    def __init__(
        self,
        method: str | Method[Any] = DEFAULT_METHOD,
        max_false: float = MAX_FALSE,
        max_missed: float = MAX_MISSED,
        **options: Unpack[AnyOptions],
    ) -> None:
        for name, value in (("max_false", max_false), ("max_missed", max_missed)):
            if not isinstance(value, int | float) or not 0.0 < value < 1.0:
                raise InputError(f"{name}={value!r} is no share: give a number between 0 and 1")
        check_unmade(method, options)
        self.method = method if isinstance(method, Method) else load(method, **options)
        self.max_false, self.max_missed = float(max_false), float(max_missed)
        self.kind = kind_of(self.method)
        self._calibration = None if self.kind == SCORE else shipped()[self.kind]
        self._report: GuardReport | None = None

    def __repr__(self) -> str:
        return f"Guard({self.method!r}, max_false={self.max_false:g})"

    @property
    def calibration(self) -> Calibration:
        """The calibration in use; raises ``InputError`` for a method that has none."""
        if self._calibration is None:
            raise InputError(
                f"method {self.method.info.name!r} ships without a calibration: fit the guard on "
                "pairs, or load one that was fitted"
            )
        return self._calibration

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds that the budgets allow; looked up in the calibration at each call."""
        curve = self.calibration.curve
        upper, lower = curve.upper(self.max_false), curve.lower(self.max_missed)
        if upper is None:
            return Thresholds(None, lower, None)
        return Thresholds(upper, min(lower, upper), curve.false_bound(upper))

    @property
    def upper(self) -> float | None:
        """From this probability on the answer is "same"; None where the budget allows none."""
        return self.thresholds.upper

    @property
    def lower(self) -> float:
        """Below this probability the answer is "different"."""
        return self.thresholds.lower

    @overload
    def same(self, first: str, second: str) -> Verdict: ...  # type: ignore[overload-overlap]
    @overload
    def same(self, first: str | Iterable[str], second: Iterable[str]) -> list[Verdict]: ...
    def same(
        self, first: str | Iterable[str], second: str | Iterable[str]
    ) -> Verdict | list[Verdict]:
        """Decide whether two texts say the same, one and each of a list, or two lists row by row.

        Args:
            first: A text, or n of them.
            second: A text, or n of them.

        Returns:
            A verdict for two texts, a list of n for a list.

        Raises:
            InputError: The lists are not equally long, something is no string, or the method has no
                calibration.
        """
        if isinstance(first, str) and isinstance(second, str):
            return self._same([first], [second])[0]
        if isinstance(first, str):
            others = check_sentences(second, "the second list")
            return self._same(check_sentences([first]) * len(others), others)
        if isinstance(second, str):
            raise InputError(
                "the second argument is a string and the first is not: give the one text first"
            )
        return self._same(*check_pairs(first, second))

    def probabilities(self, first: Iterable[str], second: Iterable[str]) -> Floats:
        """Return the probability that each pair of texts says the same, without more.

        Args:
            first: n texts.
            second: As many.

        Returns:
            float64 (n,): 1 for equal wording, NaN where nothing can be said (a blank text).

        Raises:
            InputError: As for ``same``.
        """
        return self._judge(*check_pairs(first, second))[1]

    def encode(self, texts: Iterable[str]) -> Any:
        """Encode texts with the method, misspelt words put right where it is one over concepts.

        Args:
            texts: n texts.

        Returns:
            A batch of n, for ``probabilities_encoded``.

        Raises:
            InputError: Something is no string.
        """
        listed = check_sentences(texts)
        if self.kind != SCORE:
            listed = [corrected(text).text for text in listed]
        return self.method.encode(listed)

    def probabilities_encoded(self, a: Any, b: Any) -> Floats:
        """Return the probabilities of rows of two batches that the method has encoded.

        Args:
            a: A batch of n texts, from ``encode``.
            b: Another.

        Returns:
            float64 (n,), NaN where a text has no parse. Equal wording is not looked for.

        Raises:
            InputError: The batches were not made by this method.
        """
        features, known = pair_features(self.method, a, b)
        return np.where(known, self.calibration.probabilities(features), np.nan)

    def fit(
        self,
        pairs: Iterable[tuple[str, str]],
        same: Iterable[Any],
        folds: int = 5,
    ) -> Self:
        """Fit the calibration to pairs of your own, which replaces the one that was there.

        Coefficients are drawn toward those of the calibration before, so that few pairs do no harm.
        The figures of ``report`` and the thresholds come from cross-validation: each pair is judged
        by a model that saw neither of its texts.

        Args:
            pairs: n pairs of texts.
            same: Whether each says the same, n of 0 and 1 or False and True.
            folds: How many folds there are.

        Returns:
            The guard itself.

        Raises:
            InputError: There are too few pairs of a label, or ``same`` is not as long as ``pairs``.
            MissingExtraError: Without SciPy.
        """
        listed = list(pairs)
        labels = _labels(same, len(listed))
        if not 2 <= folds <= _LEAST:
            raise InputError(f"folds={folds!r}: give a number from 2 to {_LEAST}")
        first, second = check_pairs([x for x, _ in listed], [y for _, y in listed])
        features, known = self._features(first, second)
        usable = np.flatnonzero(known)
        y = labels[usable]
        if min(y.sum(), (~y).sum()) < _LEAST:
            raise InputError(
                f"{int(y.sum())} pairs say the same and {int((~y).sum())} do not, of those that "
                f"can be compared: give at least {_LEAST} of each"
            )
        names = feature_names(self.kind)
        toward = None if self._calibration is None else self._calibration.values
        fitted = partial(fit_logistic, signs=signs(names), toward=toward)
        fold = folds_of([(plain(first[i]), plain(second[i])) for i in usable], folds)
        left_out = np.full(len(usable), float(y.mean()))
        for number in range(folds):
            held = fold == number
            if held.any() and len(set(y[~held].tolist())) == 2:
                intercept, values = fitted(features[usable[~held]], y[~held])
                part = self._made(intercept, values, Curve((), (), (), 0, 0))
                left_out[held] = part.probabilities(features[usable[held]])
        intercept, values = fitted(features[usable], y)
        self._calibration = self._made(intercept, values, Curve.of(left_out, y))
        self._report = GuardReport.of(self, left_out, y, f"{folds}-fold cross-validation")
        return self

    def evaluate(self, pairs: Iterable[tuple[str, str]], same: Iterable[Any]) -> GuardReport:
        """Measure the guard on pairs that it was not fitted on.

        Args:
            pairs: n pairs of texts.
            same: Whether each says the same.

        Returns:
            The report.

        Raises:
            InputError: As for ``same``, or all pairs have one label.
        """
        listed = list(pairs)
        labels = _labels(same, len(listed))
        values = self.probabilities([x for x, _ in listed], [y for _, y in listed])
        return GuardReport.of(self, values, labels, "pairs that were not used to fit")

    def report(self) -> GuardReport:
        """Return the figures of the calibration: those of ``fit``, or of what ships.

        Returns:
            A report that prints as a table and shows itself as a page in a notebook.

        Raises:
            InputError: The method has no calibration.
        """
        return self._report or GuardReport.of_curve(self, self.calibration.curve)

    def save(self, path: str | Path) -> None:
        """Write the method's name and options, the calibration and the budgets as JSON.

        Args:
            path: The file.

        Raises:
            InputError: The method was made with options that JSON cannot hold.
            DataError: The file cannot be written.
        """
        save_guard(self, path)

    @classmethod
    def load(cls, path: str | Path, **options: Unpack[AnyOptions]) -> Self:
        """Read a guard that ``save`` wrote.

        Args:
            path: The file.
            **options: Options of the method that a file may not decide (a model's folder), or that
                shall be others.

        Returns:
            The guard.

        Raises:
            DataError: The file is no guard, or one of another method or version.
            InputError: The file names an option that it may not decide.
        """
        stored = read_guard(path, dict(options))
        guard = cls(stored.method, stored.max_false, stored.max_missed, **stored.options)
        guard._calibration = stored.checked(guard.kind)
        return guard

    def _made(self, intercept: float, values: Floats, curve: Curve) -> Calibration:
        names = feature_names(self.kind)
        coefficients = dict(zip(names, values.tolist(), strict=True))
        return Calibration(self.kind, intercept, coefficients, curve)

    def _features(
        self, first: Sequence[str], second: Sequence[str]
    ) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Features of pairs of texts, each text encoded once; NaN-free, with which rows count."""
        features = np.zeros((len(first), len(feature_names(self.kind))))
        known = np.zeros(len(first), dtype=bool)
        for start in range(0, len(first), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            rows = {text: i for i, text in enumerate(dict.fromkeys([*first[part], *second[part]]))}
            batch = self.encode(list(rows))
            a, b = (
                batch[np.array([rows[text] for text in side[part]], dtype=np.int64)]
                for side in (first, second)
            )
            features[part], known[part] = pair_features(self.method, a, b)
        return features, known

    def _same(self, first: list[str], second: list[str]) -> list[Verdict]:
        """Verdicts of pairs."""
        verdicts, values = self._judge(first, second)
        rows = [i for i, verdict in enumerate(verdicts) if verdict is None]
        if rows:
            limits = self.thresholds
            for i in rows:
                verdicts[i] = (
                    Verdict("unsure", 0.5, _UNPARSED)
                    if np.isnan(values[i])
                    else self.verdict(float(values[i]), limits, first[i], second[i])
                )
        return [verdict for verdict in verdicts if verdict is not None]

    def _judge(self, first: list[str], second: list[str]) -> tuple[list[Verdict | None], Floats]:
        """Return the verdicts that pairs have without the method, and all pairs' probabilities.

        Those that need the method go through it together. A probability is NaN where nothing can
        be said.
        """
        verdicts = [self._without_method(*pair) for pair in zip(first, second, strict=True)]
        values = np.array([1.0 if verdict else np.nan for verdict in verdicts])
        rows = [i for i, verdict in enumerate(verdicts) if verdict is None]
        if rows:
            features, known = self._features([first[i] for i in rows], [second[i] for i in rows])
            values[rows] = np.where(known, self.calibration.probabilities(features), np.nan)
        return verdicts, values

    def _without_method(self, first: str, second: str) -> Verdict | None:
        """The verdict of a pair that the method need not, or cannot, compare; else None."""
        doubts = [
            f"the {name} text {why}"
            for name, text in (("first", first), ("second", second))
            if (why := doubt(text))
        ]
        if plain(first) == plain(second) and any(map(str.isalnum, first)):
            return Verdict("same", 1.0, "" if first == second else _WORDING)
        if doubts:
            return Verdict("unsure", 0.5, " and ".join(doubts))
        if same_wording(corrected(first).text, corrected(second).text):
            return Verdict("same", 1.0, _WORDING)
        if is_long(first) or is_long(second):
            return compare_long(self, first, second)
        return None

    def verdict(self, value: float, limits: Thresholds, first: str, second: str) -> Verdict:
        """Return the verdict of two texts whose probability is known.

        Args:
            value: The probability.
            limits: The guard's thresholds.
            first: A text.
            second: Another.

        Returns:
            The verdict; its differences are found when they are asked for.
        """
        answer: Answer = "unsure"
        reason = ""
        if limits.upper is not None and value >= limits.upper:
            answer = "same"
        elif value < limits.lower:
            answer = "different"
        elif limits.upper is None:
            reason = (
                f"the calibration has {self.calibration.curve.n_different} different pairs, too "
                f"few to promise that at most {self.max_false:g} of them are called the same"
            )
        else:
            reason = (
                f"the probability {value:.2f} is between {limits.lower:.2f}, below which texts are "
                f"different, and {limits.upper:.2f}, from which on they are the same"
            )
        result = partial(self._differences, first, second)
        return Verdict(answer, value, reason, limits.bound, result)

    def _differences(self, first: str, second: str) -> tuple[Difference, ...]:
        one, two = corrected(first), corrected(second)
        return tuple(
            replace(
                each,
                first=tuple(map(one.before, each.first)),
                second=tuple(map(two.before, each.second)),
            )
            for each in differences(self.method, self.encode([first]), self.encode([second]))
        )


def _labels(same: Iterable[Any], count: int) -> npt.NDArray[np.bool_]:
    """The labels of pairs; raises ``InputError`` for what is neither 0 nor 1, or too few."""
    listed = list(same)
    if len(listed) != count:
        raise InputError(f"there are {count} pairs and {len(listed)} labels: give one for each")
    if any(value not in (0, 1) for value in listed):
        raise InputError("a label is neither 0 nor 1: give 1 for a pair that says the same")
    return np.array(listed, dtype=bool)
