"""The glossary against the package: its terms are those of the sources."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_terms_are_sorted_and_used_by_the_package() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"^\| ([^|]+?) \| (?!meaning)", page, re.MULTILINE)
    assert len(terms) >= 30
    assert terms == sorted(terms, key=str.lower)
    files = [*(ROOT / "compsim").rglob("*.py"), *(ROOT / "parsers").rglob("*.py")]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in files).lower()
    unused = [
        term for term in terms if term.lower().replace("-", " ") not in sources.replace("-", " ")
    ]
    assert unused == []
