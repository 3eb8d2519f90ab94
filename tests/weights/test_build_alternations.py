"""The recipe of alternating verbs and event nouns, on small sources, and the shipped table."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from compsim.parsers.grammar.lexicon import Lexicon
from compsim.weights.build_alternations import rows

CLASS = """<VNCLASS ID="{name}"><MEMBERS>{members}</MEMBERS><FRAMES/><SUBCLASSES/></VNCLASS>"""
RELATIONS = (
    "kind\tsimilar\tgentle\nunkind\tsimilar\tcruel\nunkind\tantonym\tkind\nkind\tantonym\tunkind\n"
    "unlock\tantonym\tlock\ndistant\tsimilar\tfar\ndistant\tantonym\tclose\n"
)


@pytest.fixture
def sources(tmp_path: Path) -> tuple[Path, Path]:
    verbnet, relations = tmp_path / "verbnet.zip", tmp_path / "relations.tsv.gz"
    classes = {"break-45.1": "crack grow pull_apart", "marry-36.2": "wed kiss", "eat-39.1": "eat"}
    with zipfile.ZipFile(verbnet, "w") as archive:
        for name, verbs in classes.items():
            members = "".join(f'<MEMBER name="{verb}"/>' for verb in verbs.split())
            archive.writestr(f"{name}.xml", CLASS.format(name=name, members=members))
    with gzip.open(relations, "wt", encoding="utf8") as file:
        file.write(RELATIONS)
    return verbnet, relations


def words(sources: tuple[Path, Path], kind: str) -> list[str]:
    cells = (row.split("\t") for row in rows(*sources))
    return [word for word, _, of, _, _ in cells if of == kind]


def test_verbs_of_the_classes_but_for_those_left_out(sources: tuple[Path, Path]) -> None:
    assert words(sources, "inchoative") == ["crack"]
    assert words(sources, "symmetric") == ["wed"]


def test_adjectives_that_deny_by_a_prefix(sources: tuple[Path, Path]) -> None:
    assert words(sources, "negative_adjective") == ["unkind"]


def test_shipped_table() -> None:
    lexicon = Lexicon.open()
    assert lexicon.feature("eventive", "destruction", "base") == "destroy"
    assert "attack" in lexicon.members("converted")
    assert lexicon.feature("negative_adjective", "impossible", "base") == "possible"
    assert {"melt", "open"} <= lexicon.members("inchoative")
