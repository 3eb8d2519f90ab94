"""What all tests share: the real data, where it is at hand, and a user-data folder of their own."""

from __future__ import annotations

import os

# One of several processes that run the tests: threads of each would wait for those of the others.
# Before the first import of a library that reads it.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from http_services import client, log_path, service, small, small_client  # noqa: F401
from hypothesis import settings

import compsim.weights

if TYPE_CHECKING:
    from compsim.parsers.roles.srl import SrlParser

# Timings vary too much for a limit on each example; the suite as a whole is what has to be quick.
settings.register_profile("compsim", deadline=None)
settings.load_profile("compsim")

REPOSITORY = Path(__file__).resolve().parent.parent

# Recipes are not installed, so where the package is, their tests find them in the repository.
if (recipes := str(REPOSITORY / "weights")) not in compsim.weights.__path__:
    compsim.weights.__path__.append(recipes)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Return the real data's folder, ``COMPSIM_DATA`` or ``../shared/data``; skip if neither."""
    named = os.environ.get("COMPSIM_DATA")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}: set COMPSIM_DATA to its folder")
    return folder


@pytest.fixture(scope="session")
def parser() -> SrlParser:
    """Return the shipped parser of roles, whose models are read once."""
    from compsim.parsers.roles.srl import SrlParser

    return SrlParser()


@pytest.fixture(scope="session", autouse=True)
def isolated_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Point ``COMPSIM_HOME`` at an empty folder, so that no test reads or writes the user's."""
    home = tmp_path_factory.mktemp("compsim-home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPSIM_HOME", str(home))
        # Processes that tests start must find the installed package, not the folder beside them.
        patch.setenv("PYTHONSAFEPATH", "1")
        # How wide a table may be does not depend on who runs the tests.
        patch.delenv("COLUMNS", raising=False)
        yield home
