"""Arrays that a compiled function uses without counting references to them.

Compiled code counts references to an array wherever it is passed on or read from a tuple, by an
atomic operation each time; functions with tuples of many arrays spend most of their time on that,
the more so where threads count references to the same arrays. A borrowed array has no count: the
caller holds it for as long as the function runs.

>>> import numba, numpy as np
>>> @numba.njit
... def total(arrays):
...     return borrowed(arrays)[1].sum()
>>> int(total((np.zeros(2), np.arange(4))))
6
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic, overload

__all__ = ["borrowed"]


def borrowed(arrays: Any) -> Any:
    """Return an array, or a tuple of arrays and tuples, without counts of references.

    Plain Python gets the arrays as they are. The result must not outlive the arrays.
    """
    return arrays


def _clear_counts(typing: Any, arrays: Any) -> Any:
    """Return the signature of the compiled function, and what generates its code."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return _without_counts(context, builder, arrays, values[0])

    return arrays(arrays), generate


def _without_counts(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Generate code that clears the owner of each array in a value."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        items: Any = kind
        for place, item in enumerate(items.types):
            part = builder.extract_value(value, place)
            part = _without_counts(context, builder, item, part)
            value = builder.insert_value(value, part, place)
    return value


_cleared: Any = intrinsic(_clear_counts)


@overload(borrowed)
def _compiled_borrowed(arrays: Any) -> Any:
    """Return what is compiled in place of ``borrowed``."""

    def without_counts(arrays: Any) -> Any:
        return _cleared(arrays)

    return without_counts
