"""``compsim export-onnx``: a transformer as a file that runs without PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["export_onnx"]


def export_onnx(
    model: Annotated[
        str | None,
        typer.Argument(help="a folder or a hub name; all-MiniLM-L6-v2 where none is given"),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="the folder to write; by default the model's own")
    ] = None,
    int8: Annotated[
        bool, typer.Option("--int8", help="also write a model quantised to int8")
    ] = False,
) -> None:
    """Write a sentence transformer as an ONNX file, for backend=onnx.

    This needs PyTorch and the package onnx, once; what runs the file does not.
    """
    from compsim.transformers.onnx_export import export_onnx as export

    for path in export(model, output, int8):
        print(f"{path} ({path.stat().st_size / 1e6:.0f} MB)")
