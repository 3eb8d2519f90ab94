r"""JSON as text that any reader takes.

>>> json_text({"half": "\ud800"})
'{"half": "\\ud800"}'
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

__all__ = ["json_text"]

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def json_text(data: Any, indent: int | None = None) -> str:
    """Return JSON types as text, letters of all scripts as they are.

    Half a surrogate pair cannot be written as UTF-8, so it stays escaped. Raises ``ValueError`` for
    a number that JSON does not have.
    """
    text = json.dumps(data, ensure_ascii=False, indent=indent, allow_nan=False)
    return _SURROGATE.sub(lambda results: f"\\u{ord(results[0]):04x}", text)
