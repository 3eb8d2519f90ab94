"""Verdict of a guard on two texts: same, different or unsure, with probability and reasons.

>>> verdict = Verdict("different", 0.04, differences=(Difference("name", ((0, 4),), ((0, 5),), 0.9,
...     '"Rome" in the first sentence, "Paris" in the second'),))
>>> bool(verdict), verdict.answer
(False, 'different')
>>> print(verdict)
different (probability of the same 0.04)
name: "Rome" in the first sentence, "Paris" in the second
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from compsim.graph.nodes import Span

__all__ = ["Answer", "Difference", "Verdict"]

Answer: TypeAlias = Literal["same", "different", "unsure"]


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that one of two texts says, and the other does not or says otherwise.

    Attributes:
        kind: The type of the conflict, "wording" for one that stands for another while all else is
            the same, or "missing" for what one text alone has.
        first: Where it stands in the first text: characters ``[start, end)``, none or more.
        second: Where it stands in the second.
        sure: How sure it is, up to 1.
        sentence: One plain sentence.

    Examples:
        >>> Difference("missing", ((0, 3),), (), 0.3, "only in the first").to_dict()["first"]
        [[0, 3]]
    """

    kind: str
    first: tuple[Span, ...]
    second: tuple[Span, ...]
    sure: float
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values.

        Returns:
            A dictionary that JSON can hold.
        """
        return {
            "kind": self.kind,
            "first": [list(span) for span in self.first],
            "second": [list(span) for span in self.second],
            "sure": self.sure,
            "sentence": self.sentence,
        }


class Verdict:
    """Verdict on two texts: same, different or unsure.

    It is true only where the answer is "same".

    Args:
        answer: "same", "different" or "unsure".
        probability: That a person would call the two interchangeable.
        reason: Why it is unsure, or what decided instead of the method; else empty.
        max_false: The upper bound of the share of different pairs that are answered "same"; None
            where nothing was counted.
        differences: What differs, or a function that finds it when it is first asked for.

    Examples:
        >>> bool(Verdict("same", 0.97)), bool(Verdict("unsure", 0.6))
        (True, False)
    """

    __slots__ = ("_differences", "answer", "max_false", "probability", "reason")

    def __init__(
        self,
        answer: Answer,
        probability: float,
        reason: str = "",
        max_false: float | None = None,
        differences: tuple[Difference, ...] | Callable[[], tuple[Difference, ...]] = (),
    ) -> None:
        self.answer: Answer = answer
        self.probability = probability
        self.reason = reason
        self.max_false = max_false
        self._differences = differences

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Differences of the texts, the surest first; computed at first access."""
        if callable(self._differences):
            self._differences = self._differences()
        return self._differences

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain values.

        Returns:
            A dictionary that JSON can hold.
        """
        return {
            "answer": self.answer,
            "probability": self.probability,
            "reason": self.reason,
            "max_false": self.max_false,
            "differences": [each.to_dict() for each in self.differences],
        }

    def __bool__(self) -> bool:
        return self.answer == "same"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verdict) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self.answer, self.probability, self.reason, self.max_false, self.differences
        return Verdict, parts

    def __repr__(self) -> str:
        return f"Verdict({self.answer!r}, {self.probability:.3f})"

    def __str__(self) -> str:
        lines = [f"{self.answer} (probability of the same {self.probability:.2f})"]
        lines += [self.reason] * bool(self.reason)
        lines += [f"{each.kind}: {each.sentence}" for each in self.differences]
        return "\n".join(lines)
