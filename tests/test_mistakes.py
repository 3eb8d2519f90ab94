"""Mistakes of new users: each is told in one sentence what is wrong, why, and how to mend it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import one_line

import compsim
from compsim.cli import main

DOG, MAN = "The dog bit the man.", "The man bit the dog."
#: Calls that a type checker refuses are mistakes too.
api: Any = compsim

CALLS: list[tuple[Callable[[], object], str]] = [
    (lambda: api.similarity(None, DOG), "the first argument is None: give a string or a list"),
    (lambda: api.similarity(b"dog", DOG), "a single bytes: decode it to a string"),
    (lambda: api.similarity({DOG, MAN}, DOG), "is a set, which has no order: give a list"),
    (lambda: api.similarity({DOG: 1}, DOG), "is a dict: give a list of its texts"),
    (lambda: api.similarity([(DOG, MAN)], [DOG]), "for pairs give the first sentences as one list"),
    (lambda: api.similarity([DOG, float("nan")], DOG), 'is nan: drop what has no text, or put ""'),
    (
        lambda: api.similarity_pairwise([DOG], [DOG, MAN]),
        "1 sentences and the second 2: give as many of each, or use similarity",
    ),
    (lambda: api.similarity_pairwise(DOG, MAN), "a single str: give a list of strings"),
    (lambda: api.explain([DOG], [MAN]), "explain takes two sentences, so call it for each pair"),
    (lambda: api.load("hybird"), "there is no method 'hybird': did you mean 'hybrid'?"),
    (lambda: api.load("all-MiniLM-L6-v2"), "load(\"sbert\", model='all-MiniLM-L6-v2')"),
    (
        lambda: api.load(compsim.Method),
        "the class Method: give a name that `compsim methods` lists",
    ),
    (lambda: api.load("hybrid", vector="builtin"), "no option 'vector': did you mean 'vectors'?"),
    (lambda: api.load("hybrid", weights="paper"), "no option 'weights', which verbnet-cn has"),
    (lambda: api.similarity(DOG, MAN, options={"whole": "sbert"}), "give its items, as **options"),
    (lambda: api.load("hybrid", vectors="glove.txt"), "no vectors at glove.txt; give the path"),
    (lambda: api.load("hybrid", vectors="numberbatch"), "run `compsim download numberbatch`"),
    (lambda: api.load("hybrid", whole="verbnet-cn"), "gives no sentence vectors: give static,"),
    (lambda: api.load("hybrid", parser=object()), "srl:en_core_web_sm for a pipeline of spaCy"),
    (lambda: api.load("verbnet-cn", on_failure="skip"), "use one of fallback, raise, nan"),
    (lambda: api.load("cross-encoder"), "needs model: give cross-encoder:model=...;"),
    (lambda: api.load("sbert:modle=x"), "no option 'modle': did you mean 'model'?"),
    (lambda: api.rank("Who bit?", DOG), "documents is a single str: give a list of strings"),
    (lambda: api.rank("", [DOG]), "without a word: give at least one"),
    (lambda: api.rank("Who bit?", [DOG], top_k=0), "not a whole number above 0, or None for all"),
    (lambda: api.same(DOG, MAN, max_false=5), "no share: give a number between 0 and 1"),
    (lambda: api.similarity(DOG, MAN, api.load(), whole="sbert"), "made already: leave out whole"),
]

COMMANDS = [
    (["similarity", DOG], "give two texts, or --pairs FILE"),
    (["similarity", "The", "dog", "bit"], "put a sentence in quotes"),
    (["similarty", DOG, MAN], "Did you mean 'similarity'?"),
    (["similarity", DOG, MAN, "--vector", "builtin"], "--vectors"),
    (["similarity", DOG, MAN, "-o", "whole"], "'whole' is not NAME=VALUE"),
    (["similarity", DOG, MAN, "--output", "x.csv"], "--output is where --pairs FILE goes"),
    (["similarity", "--pairs", "none.csv"], "none.csv can not be read"),
    (["explain", DOG, MAN, "--output", "why.pdf"], "end it in .html, .json, .txt or .svg"),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_a_call_says_how_to_mend_it(number: int) -> None:
    call, says = CALLS[number]
    with pytest.raises(compsim.CompsimError) as caught:
        call()
    message = str(caught.value)
    assert says in message
    assert "\n" not in message


@pytest.mark.parametrize(("arguments", "says"), COMMANDS)
def test_a_command_says_how_to_mend_it(
    arguments: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert says in one_line(capfd.readouterr().err)


def test_files_that_are_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pairs = tmp_path / "pairs.csv"
    method = ["--method", "mean-cn"]
    pairs.write_bytes("first,second\nä,b\n".encode("latin-1"))
    assert main(["similarity", "--pairs", str(pairs), *method]) == 2
    assert "save it as CSV or TSV in UTF-8" in one_line(capfd.readouterr().err)
    pairs.write_text("first,second\na,b\n")
    nowhere = str(tmp_path / "none" / "scores.csv")
    assert main(["similarity", "--pairs", str(pairs), "--output", nowhere, *method]) == 2
    assert "make its folder, or name another file" in one_line(capfd.readouterr().err)
