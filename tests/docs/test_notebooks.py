"""The notebooks run, and print what is stored in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pages import REPOSITORY

if TYPE_CHECKING:
    from jupyter_client.manager import KernelManager

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOKS = sorted((REPOSITORY / "docs" / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KernelManager]:
    """Return a kernel for all notebooks, which loads modules and models once."""
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(cwd=str(tmp_path_factory.mktemp("notebooks")))
    client.stop_channels()
    yield manager
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, kernel: KernelManager) -> None:
    stored = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    # It starts without the names of the one before.
    notebook.cells.insert(0, nbformat.v4.new_code_cell("%reset -f"))
    nbclient.NotebookClient(notebook, km=kernel, timeout=300).execute(cleanup_kc=False)
    for cell, before in zip(notebook.cells[1:], stored.cells, strict=True):
        if cell.cell_type == "code":
            assert shown(cell) == shown(before), cell.source


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 2
    for path in NOTEBOOKS:
        text = json.loads(path.read_text(encoding="utf-8"))
        assert not any(
            o["output_type"] == "error" for c in text["cells"] for o in c.get("outputs", [])
        )


def shown(cell: Any) -> str:
    """Return a cell's output, without warnings and without drawings, which change with their style.

    A kernel may send one output in several pieces.
    """
    return "".join(
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for output in cell.outputs
        if output.get("name") != "stderr" and "image/svg+xml" not in output.get("data", {})
    ).strip()
