"""The pages, as a browser shows them."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest
from browser import violations

from compsim.benchmarks.speed.service import Running
from compsim.serving.interface import interface
from compsim.serving.pages import policy

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def seen(url: str, folder: Path, width: int = 1280) -> str:
    """The document after its scripts have run."""
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    quiet = ("--disable-gpu", "--hide-scrollbars", "--disable-background-networking")
    done = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", *quiet, f"--user-data-dir={folder}",
            "--virtual-time-budget=20000", f"--window-size={width},900", "--dump-dom", url,
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def words(document: str) -> str:
    """The text of a document."""
    body = re.sub(r"<(script|style)\b.*?</\1>", " ", document, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_two_sentences_are_aligned(service: Running, tmp_path: Path) -> None:
    said = urlencode({"a": "The dog bit the man.", "b": "The man was bitten by the dog."})
    document = seen(f"{service.url}/#{said}", tmp_path)
    assert re.search(r"The score is 0\.\d{4}, by hybrid\.", words(document))
    assert document.count("<mark") > 4
    assert "<svg" in document


def test_documents_are_ranked_and_the_first_is_explained(service: Running, tmp_path: Path) -> None:
    said = urlencode(
        {"q": "Who bit the man?", "d": "Prices fell.\nIt rained. The dog bit the man."}
    )
    document = seen(f"{service.url}/#{said}", tmp_path, width=390)
    assert "2 documents, ranked by hybrid." in words(document)
    assert "The dog bit the man. (decides)" in words(document)
    assert re.search(
        r'aria-expanded="true"[^>]* hidden="">Why\?.*<mark.*>Why\?', document, re.DOTALL
    )


def test_each_document_has_a_button_that_compares_it_with_the_next(
    service: Running, tmp_path: Path
) -> None:
    said = urlencode({"q": "Who bit the man?", "d": "The dog bit the man.\nThe man bit the dog."})
    document = seen(f"{service.url}/#{said}", tmp_path)
    assert document.count(">Why above the next?</button>") == 1


def test_what_people_type_is_shown_and_not_run(service: Running, tmp_path: Path) -> None:
    evil = '<img src=x onerror="document.title=1"><script>document.title=2</script> dogs bark.'
    for said in ({"a": evil, "b": evil}, {"q": evil, "d": f"{evil}\nCats sleep."}):
        document = seen(f"{service.url}/#{urlencode(said)}", tmp_path)
        assert "<title>compsim: who did what to whom</title>" in document
        assert "<img" not in document
        assert document.count("<script") == 1


def test_errors_are_shown(service: Running, tmp_path: Path) -> None:
    text = words(seen(f"{service.url}/#{urlencode({'q': '?!', 'd': 'Dogs bark.'})}", tmp_path))
    assert "without a word" in text


def test_a_service_with_a_token_asks_for_it(small: Running, tmp_path: Path) -> None:
    said = urlencode({"a": "Dogs bark.", "b": "Cats sleep."})
    document = seen(f"{small.url}/#{said}", tmp_path)
    assert "the token is missing or wrong" in words(document)
    assert re.search(r'<div class="field" id="token-field">', document)


def test_everybody_can_read_it(service: Running, tmp_path: Path) -> None:
    asked = {
        "two sentences": {"a": "The dog bit the man.", "b": "The man did not bite a big dog."},
        "a ranking": {"q": "Who bit the man?", "d": "Prices fell.\nIt rained. The dog bit him."},
    }
    pages = {
        name: re.sub(
            r"<script\b.*?</script>", "", seen(f"{service.url}/#{urlencode(said)}", tmp_path)
        )
        for name, said in asked.items()
    }
    pages["the interface"] = httpx.get(f"{service.url}/docs").text
    folder = tmp_path / "frames"
    folder.mkdir()
    assert violations(pages, folder, [390, 1280]) == []


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_pages_load_nothing_from_elsewhere(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    rules = answer.headers["Content-Security-Policy"]
    assert rules.startswith("default-src 'none'; script-src ")
    script = rules.partition("script-src ")[2].partition(";")[0]
    assert "unsafe" not in script
    assert not re.search(r'\b(?:src|href)="(?!data:)(?:\w+:|//)', answer.text)
    assert not re.search(r"\son\w+=", answer.text)
    assert "url(" not in answer.text


def test_the_policy_names_what_stands_in_the_page() -> None:
    rules = policy("<p>no script</p>")
    assert "script-src 'none'" in rules
    assert "style-src-elem 'none'" in rules


def test_the_interface_tells_every_address_and_an_example_that_works(client: httpx.Client) -> None:
    described = client.get("/openapi.json").json()
    page = client.get("/docs").text
    for path, operations in described["paths"].items():
        assert f" {path}</code>" in page
        content = operations.get("post", {}).get("requestBody", {}).get("content", {})
        if content:
            example = content["application/json"]["example"]
            answer = client.post(path, json=example)
            # Not every method that can be served has a calibration.
            assert answer.status_code == 200 or "without a calibration" in answer.text


def test_the_interface_escapes_what_it_tells() -> None:
    described = {"info": {"title": "<b>", "version": "1"}, "paths": {}}
    assert "<b>" not in interface(described)
