"""The page on the systems of the papers names all of them, and commands that there are."""

from __future__ import annotations

import inspect
import re

import pytest
from pages import REPOSITORY

from compsim.benchmarks.tasks import TASKS, open_task
from compsim.parsers import _PARSERS
from compsim.registry import methods

PAGE = (REPOSITORY / "docs" / "systems.md").read_text(encoding="utf-8")
#: What stands in the tables of each paper, by the heading on the page.
NAMED = {
    "Compositionality and sentence meaning": (
        *("mean", "multiplicative", "convolution", "tensor product", "InferSent", "SentBERT"),
        *("Universal Sentence Encoder", "ERNIE", "DefSent", "OpenAI", "PropBank", "VerbNet"),
        *("FrameNet", "UCCA", "AMR-SMATCH", "AMR-WWLK", "AMRBART", "S3BERT", "AMR-CN", "DRS"),
        *("SemBERT", "Syntax-BERT", "SynWMD", "EF-SBERT", "SpeBERT", "VerbNet-CN", "SemParse"),
        *("GPT-4", "SPRING", "fine-tuned networks"),
    ),
    "SR": (
        *("MiniLM", "mpnet", "BERT base and large", "RoBERTa large", "Sentence-T5", "Instructor"),
        *("text-embedding-ada-002", "ChatGPT", "Figure 3", "Figure 4", "Table 5", "Table 6"),
    ),
    "Adjectives and nouns": (
        *("DPR", "LaBSE", "Specter", "text-embedding-3-small", "NV-Embed-v2"),
        *("stella_en_1.5B_v5", "GloVe", "word2vec"),
    ),
    "Just Rank": (
        *("GloVe", "word2vec", "fastText", "Dict2vec", "PSL", "ABTT", "InferSent", "BERT"),
        *("RoBERTa", "BERT-whitening", "BERT-flow", "SBERT", "SimCSE", "SciCite", "STS12"),
        *("SST5", "TREC", "MRPC", "SICK-E", "MPQA"),
    ),
    "Sentence analogies": (
        *("GloVe", "DCT", "SkipThought", "QuickThought", "InferSent", "GenSen", "USE-DAN", "USE-T"),
        *("BERT", "XLNet", "RoBERTa", "SBERT", "SRoBERTa", "power means"),
    ),
}


def section(heading: str) -> str:
    """Return what stands below a heading of the second level that begins so."""
    (text,) = [part for part in PAGE.split("\n## ")[1:] if part.startswith(heading)]
    return text


def rows() -> list[tuple[str, str, str, str]]:
    """Return system, method, what was run and why not more, of each row of a paper's table."""
    cells = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| (.*?) ?\|$", PAGE, re.MULTILINE)
    return [row for row in cells if row[0] != "system"]


@pytest.mark.parametrize("heading", NAMED)
def test_every_system_of_a_paper_has_a_row(heading: str) -> None:
    below = "\n".join(line for line in section(heading).splitlines() if line.startswith("|"))
    assert [name for name in NAMED[heading] if name not in below] == []


def test_every_row_says_what_was_run_and_why_not_more() -> None:
    ways = ("published", "tiny", "data", "with MiniLM", "a local server", "small files", "none")
    every = rows()
    assert len(every) > 60
    for system, _, run, why in every:
        assert any(way in run for way in (*ways, "MiniLM")), system
        assert why or run.startswith(("data", "published", "with MiniLM")), system


def test_every_method_and_command_is_there() -> None:
    names = {info.name for info in methods()}
    given = {name for task in TASKS for name in inspect.signature(open_task(task)).parameters}
    options = {f"--{no}{name.replace('_', '-')}" for name in given for no in ("", "no-")}
    for system, method, *_ in rows():
        if method == "none":
            continue
        pieces = re.findall(r"`([^`]+)`", method)
        assert pieces, system
        for piece in pieces:
            for option in re.findall(r"(?<!\S)--[a-z-]+", piece):
                assert option in options, f"{system}: {option}"
            for parser in re.findall(r"--parser ([a-z-]+)", piece):
                assert parser in _PARSERS.built_in
            if piece.startswith("compsim bench "):
                assert piece.split()[2] in TASKS, system
            elif named := re.match(r"([a-z][a-z0-9-]+)(:|$| [^=])", piece):
                known = names | set(_PARSERS.built_in) | {"semparse", "gpt4", *TASKS}
                assert named[1] in known, f"{system}: {named[1]}"
