"""The site is built strictly, is read without a network, and has no fault that axe-core knows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from browser import BROWSER, violations
from pages import REPOSITORY

pytest.importorskip("mkdocs")
pytest.importorskip("material")
pytest.importorskip("mkdocstrings")

#: One page of each kind.
MAIN = (
    "index",
    "ten-minutes",
    "choosing-a-method",
    "figures",
    "models/vectors",
    "notebooks/explaining-scores",
    "api/retrieval",
)
#: What a browser would fetch by itself.
FETCHED = re.compile(
    r"<(?:script|img|iframe|link)\b[^>]*?\b(?:src|href)=\"?(https?:)?//[^>]*>|url\(\"?(?:https?:)?//"
)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / ".ci" / "docs.py"), str(folder)],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / ".ci")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_nothing_is_fetched(site: Path) -> None:
    for file in [*site.rglob("*.html"), *site.rglob("*.css")]:
        match = FETCHED.search(file.read_text(encoding="utf-8"))
        # The canonical address of a page is told, not fetched.
        assert match is None or "canonical" in match[0], f"{file}: {match[0]}"


def test_search_needs_no_server(site: Path, tmp_path: Path) -> None:
    if BROWSER is None:
        pytest.skip("no Chromium is installed")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += ["--virtual-time-budget=30000", f"--user-data-dir={tmp_path / 'profile'}"]
    address = f"{(site / 'index.html').as_uri()}?q=conflict"
    done = subprocess.run([*command, address], capture_output=True, timeout=300, check=False)
    shown = done.stdout.decode("utf-8", "replace")
    if "md-search-result" not in shown:
        pytest.skip("the browser does not start here")
    assert re.search(r"\d+ matching documents", shown)


def test_pages_are_accessible(site: Path, tmp_path: Path) -> None:
    pages = {}
    for name in MAIN:
        file = site / f"{name}.html"
        base = f'<base href="{file.as_uri()}">'
        text = file.read_text(encoding="utf-8")
        pages[name] = text.replace("<head>", f"<head>{base}", 1)
    assert violations(pages, tmp_path, [390, 1280]) == []
