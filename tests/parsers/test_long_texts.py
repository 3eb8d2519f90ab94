"""Long texts take time in proportion to their length."""

from __future__ import annotations

import copy
import gc
import time

import pytest

from compsim.parsers.amr_rules.parser import BuiltinAmrParser
from compsim.parsers.roles.analysis import MAX_CHARACTERS, AnalysisParser
from compsim.parsers.roles.srl import SrlParser

TEXTS = {
    "sentences": "The dog that bit the man chased a cat, and she said that he saw it. ",
    "mended": "The owl drew the mouse and the gardener yawned. By whom was the otter bitten? ",
    "nested": "she said that he thought that ",
    "no verb": "word ",
}


def seconds(parser: AnalysisParser, text: str) -> float:
    """The least time of three for all but the pipeline, which is spaCy's."""
    (tree,) = parser._trees([text], 1)
    found = []
    for _ in range(3):
        fresh = copy.deepcopy(tree)
        gc.collect()
        start = time.process_time()
        (analysis,) = parser._label([fresh])
        parser.graph(analysis).frames()
        found.append(time.process_time() - start)
    return min(found)


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("parser", [SrlParser(), BuiltinAmrParser()], ids=lambda one: one.name)
def test_time_is_linear(parser: AnalysisParser, kind: str) -> None:
    text = TEXTS[kind] * (16_000 // len(TEXTS[kind]))
    short, long = seconds(parser, text[: len(text) // 4]), seconds(parser, text)
    # What is quadratic takes 16 times as long; the sizes of caches and phrases matter too.
    assert long < 9 * short + 0.05


def test_what_is_far_too_long_is_cut() -> None:
    text = TEXTS["sentences"] * (100_000 // len(TEXTS["sentences"]))
    first, second = SrlParser().parse([text, text[:MAX_CHARACTERS]])
    assert (first.nodes, first.edges) == (second.nodes, second.edges)
    assert f"{MAX_CHARACTERS:,} of {len(text.strip()):,}" in first.reason
