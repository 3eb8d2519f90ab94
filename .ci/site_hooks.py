"""Notebooks as pages of the site, with what is stored in them; what keys can scroll."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put a page in place of each notebook."""
    for file in list(files):
        if file.src_uri.endswith(".ipynb"):
            files.remove(file)
            place = file.src_uri.removesuffix(".ipynb") + ".md"
            text = Path(config.docs_dir, file.src_uri).read_text(encoding="utf-8")
            files.append(File.generated(config, place, content=page(json.loads(text))))
    return files


def on_page_content(html: str, **_: Any) -> str:
    """Let keys reach code and tables, which scroll where they are wider than the page."""
    return re.sub(r"(?<=<pre>)((?:<span></span>)?)<code>", r'\1<code tabindex="0">', html).replace(
        "<table>", '<table tabindex="0">'
    )


def page(notebook: dict[str, Any]) -> str:
    """The cells as Markdown."""
    return "\n\n".join(_cell(cell) for cell in notebook["cells"]) + "\n"


def _cell(cell: dict[str, Any]) -> str:
    source = _text(cell["source"])
    if cell["cell_type"] != "code":
        return source
    return "\n\n".join([f"```python\n{source}\n```", *map(_output, cell["outputs"])])


def _output(output: dict[str, Any]) -> str:
    """A picture or a page where there is one, else the text."""
    if output["output_type"] == "stream":
        return _shown(_text(output["text"]))
    data = output.get("data", {})
    if "image/svg+xml" in data:
        return f'<div class="output">{" ".join(_text(data["image/svg+xml"]).split())}</div>'
    if "text/html" in data:
        # A frame of its own: its style sheet shall not reach the page.
        inside = html.escape(_text(data["text/html"])).replace("\n", "&#10;")
        return f'<iframe class="output" title="output of the cell" srcdoc="{inside}"></iframe>'
    return _shown(_text(data.get("text/plain", "")))


def _shown(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def _text(lines: str | list[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)
