"""Explanations in a browser, where one is installed: nothing is cut off, on a phone or a desk."""

from __future__ import annotations

from pathlib import Path

from browser import cut_off, violations
from explanations import CONFLICTS, LONG, NEGATIVE, SEVERAL, SINGLE, UNCOMMON, WORDS

SHOWN = {
    "conflicts": CONFLICTS,
    "single": SINGLE,
    "several": SEVERAL,
    "uncommon": UNCOMMON,
    "long": LONG,
    "negative": NEGATIVE,
    "words": WORDS,
}
PAGES = {name: explanation.to_html() for name, explanation in SHOWN.items()}


def test_nothing_is_cut_off(tmp_path: Path) -> None:
    assert cut_off(PAGES, tmp_path, (390, 700, 1280)) == []


def test_everybody_can_read_it(tmp_path: Path) -> None:
    assert violations(PAGES, tmp_path, (390, 1280)) == []
