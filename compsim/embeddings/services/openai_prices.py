"""What OpenAI asks for its embedding models: data with a date, for the estimate before a run.

>>> DOLLARS_PER_MILLION_TOKENS["text-embedding-3-small"]
0.02
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["AS_OF", "DOLLARS_PER_MILLION_TOKENS"]

#: When the prices were looked up, in the service's public documentation.
AS_OF: Final = "2026-11-21"

#: The price of a million tokens of input by the name of the model, in US dollars.
DOLLARS_PER_MILLION_TOKENS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "text-embedding-3-small": 0.02,
        "text-embedding-3-large": 0.13,
        "text-embedding-ada-002": 0.10,
    }
)
