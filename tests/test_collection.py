"""Pausing the garbage collector: as before afterwards, whatever happens."""

from __future__ import annotations

import gc

import pytest

from compsim.collection import paused


@paused()
def broken() -> None:
    with paused():
        assert not gc.isenabled()
    assert not gc.isenabled()
    raise KeyError


@pytest.mark.parametrize("before", [True, False])
def test_goes_on_as_before(before: bool) -> None:
    if not before:
        gc.disable()
    try:
        with pytest.raises(KeyError):
            broken()
        assert gc.isenabled() is before
    finally:
        gc.enable()


def test_parsing_makes_no_garbage_that_refers_to_itself() -> None:
    from compsim.parsers.roles.srl import SrlParser

    parser = SrlParser()
    texts = [f"The dog that bit man {number} barked." for number in range(100)]
    parser.parse(texts)
    gc.collect()
    gc.disable()
    try:
        graphs = parser.parse(texts)
        assert gc.collect() < len(graphs)
    finally:
        gc.enable()
