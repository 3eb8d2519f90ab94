"""The notebooks run, and print what is stored in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pages import REPOSITORY

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOKS = sorted((REPOSITORY / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.usefixtures("without_torch")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, tmp_path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=place).execute()
    for cell, before in zip(notebook.cells, stored.cells, strict=True):
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
