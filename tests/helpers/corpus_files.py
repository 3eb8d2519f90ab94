"""The files of a corpus, looked at and changed as somebody could."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from compsim.corpus.manifest import NAME
from compsim.storage.checksums import json_checksum


def files(path: Path) -> dict[str, bytes]:
    """The content of all files below a folder, by their names there."""
    paths = path.rglob("*")
    return {str(p.relative_to(path)): p.read_bytes() for p in paths if p.is_file()}


def flip(path: Path) -> None:
    """Change a byte in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x5A
    path.write_bytes(data)


def rewritten(folder: Path, **changes: Any) -> None:
    """Change the manifest of a corpus, its checksum too."""
    values = json.loads((folder / NAME).read_text())
    values.pop("checksum")
    values |= changes
    (folder / NAME).write_text(json.dumps({**values, "checksum": json_checksum(values)}))
