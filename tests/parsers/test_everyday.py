"""Sixty everyday sentences, written for this test: who does what to whom, from text to roles.

They are news, headlines, forum posts, questions, commands, relative clauses and more, none of them
seen in training. "-" says that a role must be empty.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

from compsim.graph import RoleGraph
from compsim.parsers.roles.srl import SrlParser

TABLE = Path(__file__).with_name("everyday.tsv")
FLOOR = 56


def cases() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def words(graph: RoleGraph, *roles: str) -> set[str]:
    result = graph.roles()
    return {
        word for role in roles if role in result for word in re.findall(r"\w+", result[role].label)
    }


def right(graph: RoleGraph, case: dict[str, str]) -> bool:
    """Return whether main verb, agent and patient (or theme) are as expected, and apart."""
    if graph.roles().get("Verb") is None or graph.roles()["Verb"].label.split()[0] != case["verb"]:
        return False
    for name, roles in (("agent", ("Agent",)), ("patient", ("Patient", "Theme"))):
        said = words(graph, *roles)
        if (said if case[name] == "-" else case[name] not in said) or case["verb"] in said:
            return False
    return True


def test_most_everyday_sentences_are_read_right() -> None:
    table = cases()
    graphs = SrlParser().parse([case["sentence"] for case in table])
    wrong = [
        case["sentence"]
        for graph, case in zip(graphs, table, strict=True)
        if not right(graph, case)
    ]
    assert len(table) == 60
    assert len(table) - len(wrong) >= FLOOR, wrong
