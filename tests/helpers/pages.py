"""The documentation as blocks of code, and what is printed below them.

A block of Python or of commands is followed by what it prints, where that is shown: by a block of
plain text, or in a block of commands by the lines below each ``$``. An HTML comment that begins
with "not run:" and a reason stands before a block that tests leave out.

>>> blocks("```python\\nprint(1)\\n```\\n\\n```text\\n1\\n```\\n")
[Block(language='python', code='print(1)', output='1', line=1, skipped='')]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PAGES", "REPOSITORY", "Block", "blocks"]

REPOSITORY = Path(__file__).resolve().parents[2]

#: README.md and the pages of the site; what is included in others is tested where it stands.
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]

_FENCE = re.compile(
    r"(?:^<!-- not run: (?P<skipped>[^\n]*?) -->\n)?"
    r"^```(?P<language>[a-z]*)[^\n]*\n(?P<code>.*?)^```[ ]*$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A block of code: what stands in it, and what is shown to be printed, None for nothing."""

    language: str
    code: str
    output: str | None
    line: int
    skipped: str = ""


def blocks(text: str) -> list[Block]:
    """The blocks of Python and of commands of a page, in order."""
    results: list[Block] = []
    fences = list(_FENCE.finditer(text))
    for place, fence in enumerate(fences):
        if fence["language"] not in ("python", "sh", "console"):
            continue
        after = fences[place + 1] if place + 1 < len(fences) else None
        shown = (
            after is not None
            and after["language"] in ("", "text")
            and not text[fence.end() : after.start()].strip()
        )
        output = after["code"].rstrip("\n") if shown and after is not None else None
        line = text.count("\n", 0, fence.start()) + 1
        code = fence["code"].rstrip("\n")
        results.append(Block(fence["language"], code, output, line, fence["skipped"] or ""))
    return results
