"""JSON as its standard has it: Python's reader takes NaN, and gives up on deep nesting.

>>> read(b'{"top_n": 3}')
{'top_n': 3}
>>> read(b'{"top_n": NaN}')
Traceback (most recent call last):
...
compsim.serving.refusal.RefusedError: the body has NaN, which is no JSON: send a number or null
"""

from __future__ import annotations

import json
from typing import Any, Never

from compsim.serving.refusal import RefusedError

__all__ = ["read"]


def read(body: bytes) -> Any:
    """Return the value that a body holds; raises ``RefusedError`` (400) where it is no JSON."""
    try:
        return json.loads(body, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        message = f"the body is not JSON ({error.msg}): send an object as /docs has it"
        raise RefusedError(400, message) from error
    except RecursionError as error:
        raise RefusedError(400, "the body is nested too deeply: send a flat object") from error
    except ValueError as error:  # not UTF-8, or a number with thousands of digits
        message = "the body cannot be read: send JSON in UTF-8, with numbers of usual length"
        raise RefusedError(400, message) from error


def _refuse(name: str) -> Never:
    message = f"the body has {name}, which is no JSON: send a number or null"
    raise RefusedError(400, message)
