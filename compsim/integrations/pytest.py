"""compsim in tests: an assertion that two texts say the same.

>>> assert_same_meaning("It's raining.", "it is raining", vectors="builtin")
"""

from __future__ import annotations

from typing import Any

from compsim.guard.api import same

__all__ = ["assert_same_meaning"]


def assert_same_meaning(actual: str, expected: str, **options: Any) -> None:
    """Fail unless two texts say the same, with what differs.

    Args:
        actual: What was made.
        expected: What should have been.
        **options: Those of ``compsim.same``: its method, budget and the method's options.

    Raises:
        AssertionError: The verdict is "different" or "unsure".
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    verdict = same(actual, expected, **options)
    if not verdict:
        raise AssertionError(f"{verdict}\nactual:   {actual!r}\nexpected: {expected!r}")
