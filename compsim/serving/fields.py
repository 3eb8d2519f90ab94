"""Texts as fields of requests: none has half of a surrogate pair.

>>> from pydantic import TypeAdapter
>>> TypeAdapter(Texts).validate_python(["Dogs bark.", ""])
['Dogs bark.', '']
>>> has_surrogate("\\ud83d")
True
"""

from __future__ import annotations

import re
from typing import Annotated, Final

from pydantic import AfterValidator, Field
from pydantic_core import PydanticKnownError

__all__ = ["AnyText", "Text", "Texts", "has_surrogate"]

#: No part of Unicode; Python's JSON reader lets one through, and no answer could hold it.
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def has_surrogate(text: str) -> bool:
    """Return whether a text has half of a surrogate pair."""
    return _SURROGATE.search(text) is not None


def _checked(text: str) -> str:
    if has_surrogate(text):
        raise PydanticKnownError("string_unicode")
    return text


#: pydantic looks for surrogates only where a string has a length that it checks.
AnyText = Annotated[str, AfterValidator(_checked)]
Text = Annotated[str, Field(min_length=1)]
#: One wrong item is enough: an error for each of many takes seconds, and gigabytes.
Texts = Annotated[list[AnyText], Field(min_length=1, fail_fast=True)]
