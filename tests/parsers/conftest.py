"""The parser that the tests of this folder share: its models are read once."""

from __future__ import annotations

import pytest

from compsim.parsers.roles.srl import SrlParser


@pytest.fixture(scope="session")
def parser() -> SrlParser:
    return SrlParser()
