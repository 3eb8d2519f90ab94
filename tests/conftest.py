"""Fixtures of all tests: the real data, if present, and a user-data folder of their own."""

from __future__ import annotations

import gc
import os

# One of several processes that run the tests: threads of each would wait for those of the others.
# Before the first import of a library that reads it.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

import subprocess
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import kernels_ahead
import pytest
from http_services import client, log_path, service, small, small_client  # noqa: F401
from hypothesis import settings

import compsim.weights

if TYPE_CHECKING:
    from compsim.parsers.roles.srl import SrlParser

# Timings vary too much for a limit on each example; the suite as a whole is what has to be quick.
# ``COMPSIM_EXAMPLES`` says how many examples a property is tried with that does not say it itself.
settings.register_profile(
    "compsim", deadline=None, max_examples=int(os.environ.get("COMPSIM_EXAMPLES", "40"))
)
settings.load_profile("compsim")

# Byte code is written whatever the caller's shell says: each of the several hundred processes that
# the tests start would compile all modules again.
sys.dont_write_bytecode = False

REPOSITORY = Path(__file__).resolve().parent.parent
#: Bytes of memory that are enough for the files of all tests, many times over.
MEMORY: Final = 1024**3
#: Files that wait for servers and other processes, or hold one test of half a minute. Begun first,
#: they leave no process of the tests alone at the end.
LONGEST: Final = frozenset(
    (
        *("test_connections.py", "test_distributed.py", "test_limits.py", "test_mcp.py"),
        *("test_notebooks.py", "test_site.py", "test_threads.py"),
        *("test_sr.py", "test_worker.py"),
    )
)
#: The processes that compile the kernels, where this one starts those that test.
COMPILING: Final = pytest.StashKey[list[subprocess.Popen[bytes]]]()

# Recipes are not installed, so where the package is, their tests find them in the repository.
if (recipes := str(REPOSITORY / "weights")) not in compsim.weights.__path__:
    compsim.weights.__path__.append(recipes)


def in_memory() -> Path | None:
    """Return a folder that is kept in memory, where there is one with room for the tests' files."""
    folder = Path("/dev/shm")
    if not os.access(folder, os.W_OK):
        return None
    state = os.statvfs(folder)
    roomy = state.f_bavail * state.f_frsize >= MEMORY
    return folder if roomy and not state.f_flag & os.ST_NOEXEC else None


def pytest_configure(config: pytest.Config) -> None:
    """Begin to compile the kernels where a whole folder is tested in several processes.

    Temporary files go to memory: a corpus is written to disk, and waited for, thousands of times.
    """
    if (folder := in_memory()) is not None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))
    several = getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput")
    if several and any(Path(argument).is_dir() for argument in config.args):
        config.stash[COMPILING] = kernels_ahead.begin()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Give out the tests, which are collected meanwhile, once the kernels are compiled."""
    for process in session.config.stash.get(COMPILING, []):
        process.wait()
    return (yield)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over the modules: a look at all of them takes a second."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    """End what still compiles where the tests did not come to it."""
    for process in config.stash.get(COMPILING, []):
        process.kill()
        process.wait()


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
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        # How wide a table may be does not depend on who runs the tests.
        patch.delenv("COLUMNS", raising=False)
        yield home
