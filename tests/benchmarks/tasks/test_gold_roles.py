"""Gold VerbNet roles: the reader of Parallel SemLink, and a parser's arguments against them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from compsim.benchmarks.datasets.trees.semlink import GoldVerb, plain_text, read_semlink
from compsim.benchmarks.task import run
from compsim.benchmarks.tasks.parsing.gold_roles import GoldRoles
from compsim.cli import main
from compsim.errors import DataError
from compsim.graph import Edge, Node, RoleGraph

GOLD = """# sentence_id = 1
# text = Ada gave Bo a book .
1\t0\tAda\tNNP\t-\t-\t(Agent*)
1\t1\tgave\tVBD\tgive\t13.1-1\t*
1\t2\tBo\tNNP\t-\t-\t(Recipient*)
1\t3\ta\tDT\t-\t-\t(Theme*
1\t4\tbook\tNN\t-\t-\t*)
1\t5\t.\t.\t-\t-\t*

# sentence_id = 2
# text = `` She slept , '' says Bo .
2\t0\t``\t``\t-\t-\t(Topic*
2\t1\tShe\tPRP\t-\t-\t*
2\t2\tslept\tVBD\tsleep\t-\t*
2\t3\t,\t,\t-\t-\t*)
2\t4\t''\t''\t-\t-\t*
2\t5\tsays\tVBZ\tsay\t37.7-1\t*
2\t6\tBo\tNNP\t-\t-\t(Agent*)
2\t7\t.\t.\t-\t-\t*

# sentence_id = 3
# text = Nothing .
3\t0\tNothing\tNN\t-\t-\t*
3\t1\t.\t.\t-\t-\t*
"""


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "vn.dev.conllu.gz"
    path.write_bytes(gzip.compress(GOLD.encode()))
    return path


def test_verbs_with_a_class_and_the_spans_of_their_roles(gold: Path) -> None:
    first, second, third = read_semlink(gold)
    assert first.text == "Ada gave Bo a book."
    roles = [("Agent", (0, 3)), ("Recipient", (9, 11)), ("Theme", (12, 18))]
    assert first.verbs == [GoldVerb((4, 8), "13.1-1", roles)]
    assert second.text == '"She slept," says Bo.'
    (verb,) = second.verbs
    assert [second.text[slice(*span)] for _, span in verb.roles] == ['"She slept,', "Bo"]
    assert third.verbs == []


def test_words_of_the_treebank_are_written_as_usual() -> None:
    words = [("I", "PRP"), ("paid", "VBD"), ("US$", "$"), ("3", "CD"), ("for", "IN"), ("a", "DT"),
             ("two", "CD"), ("-", "HYPH"), ("year", "NN"), ("boss", "NN"), ("'", "POS"),
             ("car", "NN"), ("...", ":")]  # fmt: skip
    text, spans = plain_text(words)
    assert text == "I paid US$3 for a two-year boss' car..."
    assert [text[first:last] for first, last in spans] == [word for word, _ in words]


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("\t*)\n1\t5", "\t*\n1\t5", "line 3: the brackets"),
        ("(Theme*", "*", "line 3: the brackets"),
        ("(Agent*)\n1\t1", "(Agent\n1\t1", "line 3: the brackets"),
        ("\t-\t(Agent*)\n1\t1", "\n1\t1", "line 3: 5 columns"),
        ("\t(Recipient*)", "\t(Recipient*)\t*", "line 5: 8 columns"),
        ("sleep\t-", "sleep\t40.4", "line 12: a sentence of 2 predicates with"),
    ],
)
def test_files_of_another_form(tmp_path: Path, before: str, after: str, says: str) -> None:
    path = tmp_path / "vn.conllu"
    assert before in GOLD
    path.write_text(GOLD.replace(before, after, 1))
    with pytest.raises(DataError, match=r"Parallel SemLink") as caught:
        read_semlink(path)
    assert says in str(caught.value)


def test_a_file_without_classes(tmp_path: Path) -> None:
    path = tmp_path / "vn.conllu"
    path.write_text(GOLD.partition("# sentence_id = 3")[2])
    with pytest.raises(DataError, match="no predicate with a frame"):
        read_semlink(path)


class Labelled:
    """Predicates of the first sentence, with some errors; the others fail."""

    name, version = "labelled", "1"

    def parse(self, sentences: list[str]) -> list[RoleGraph]:
        """One graph a sentence."""
        return [self._graph(text) if "gave" in text else RoleGraph.failed(text, "no")
                for text in sentences]  # fmt: skip

    def _graph(self, text: str) -> RoleGraph:
        phrases = ["gave", "Ada", "Bo a book.", "in Rome", "Bo"]
        places = [text.find(phrase) for phrase in phrases]
        nodes = tuple(
            Node(phrase, (at, at + len(phrase)) if at >= 0 else (0, 3))
            for phrase, at in zip(phrases, places, strict=True)
        )
        edges = (
            Edge(0, "Agent", 1, "ARG0"),
            Edge(0, "Theme", 2, "ARG1"),  # another span than the book's
            Edge(0, "Location", 3, "ARGM-LOC"),  # no role of VerbNet, so not judged
            Edge(0, "Agent", 4, "ARG2"),  # right span, other role
            Edge(0, "R-Agent", 2, "R-ARG0"),  # a relative word, not judged
            Edge(4, "Theme", 1, "ARG1"),  # a predicate without a class, not judged
        )
        return RoleGraph(nodes, edges, 0, text)


def test_counts_by_hand(gold: Path) -> None:
    results = run(GoldRoles(gold, Labelled()))
    result = {row.of["role"]: row.figures for row in results.rows}
    # Gold: three of "gave", two of "says"; said: Ada and Bo as Agents, "Bo a book".
    total = result["all"]
    assert [total[name].value for name in ("precision", "recall", "arguments")] == [1 / 3, 0.2, 5]
    assert result["any role"]["precision"].value == 2 / 3
    assert result["any role"]["recall"].value == 0.4
    assert result["Agent"]["precision"].value == 0.5
    assert set(result) == {"Agent", "Patient/Theme", "all", "any role"}
    assert {row.of["predicates"] for row in results.rows} == {"found"}
    assert (results.details["failed"], results.details["verbs"]) == (2, 2)


def test_the_shipped_parser_with_predicates_found_and_given(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "roles.json"
    assert main(["bench", "roles", "--gold", str(gold), "--json", str(out)]) == 0
    assert "3 sentences, 2 predicates with roles of VerbNet" in capsys.readouterr().out
    rows = json.loads(out.read_text())["rows"]
    totals = {row["predicates"]: row for row in rows if row["role"] == "all"}
    assert set(totals) == {"found", "given"}
    assert totals["given"]["recall"] == 1.0
    assert totals["found"]["arguments"] == 5


PROPBANK = """# sentence_id = 7
# text = Ada gobbled up a fig in May which Bo sold .
7\t0\tAda\tPROPN\tAda\t-\t(ARG0*)\t*
7\t1\tgobbled\tVERB\tgobble\tgobble_up.01\t(V*\t*
7\t2\tup\tADP\tup\t-\t*)\t*
7\t3\ta\tDET\ta\t-\t(ARG1*\t(ARG1*
7\t4\tfig\tNOUN\tfig\t-\t*)\t*)
7\t5\tin\tADP\tin\t-\t(ARGM-TMP*\t*
7\t6\tMay\tPROPN\tMay\t-\t*)\t*
7\t7\twhich\tPRON\twhich\t-\t*\t(R-ARG1*)
7\t8\tBo\tPROPN\tBo\t-\t*\t(ARG0*)
7\t9\tsold\tVERB\tsell\tsell.01\t*\t(V*)
7\t10\t.\tPUNCT\t.\t-\t*\t*
"""


class Propbank:
    """One predicate with its arguments, one of them under another label; no second predicate."""

    name, version = "propbank", "1"

    def parse(self, sentences: list[str]) -> list[RoleGraph]:
        """One graph a sentence."""
        return [self._graph(text) for text in sentences]

    def _graph(self, text: str) -> RoleGraph:
        phrases = ["gobbled up", "Ada", "a fig", "in May", "which"]
        nodes = tuple(Node(p, (text.find(p), text.find(p) + len(p))) for p in phrases)
        edges = (
            Edge(0, "Agent", 1, "ARG0"),
            Edge(0, "Theme", 2, "ARG2"),
            Edge(0, "Time", 3, "ARGM-TMP"),
            Edge(0, "Manner", 4, "ARGM-ADV+ARGM-MOD"),  # the second is in no class
        )
        return RoleGraph(nodes, edges, 0, text)


def test_labels_of_propbank_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "challengesrl.verbs.pb.conllu"
    path.write_text(PROPBANK)
    (sentence,) = read_semlink(path)
    first, second = sentence.verbs
    assert (first.frame, sentence.text[slice(*first.span)]) == ("gobble_up.01", "gobbled")
    assert [role for role, _ in second.roles] == ["ARG1", "R-ARG1", "ARG0"]
    results = run(GoldRoles(path, Propbank()))
    found = {row.of["role"]: row.figures for row in results.rows}
    # Gold: ARG0, ARG1, ARGM-TMP of the first, ARG1 and ARG0 of the second; parsed: ARG0, ARG2,
    # ARGM-TMP and ARGM-ADV, of which the first and the third are right.
    total = found["all"]
    assert [total[name].value for name in ("precision", "recall", "arguments")] == [0.5, 0.4, 5]
    assert found["any role"]["precision"].value == 0.75
    assert set(found) == {"ARG0", "ARG1", "ARGM-TMP", "all", "any role"}
    assert results.remarks == ["in no class, and so left out: R-ARG1"]


def test_roles_of_verbatlas_and_spans_without_one(tmp_path: Path) -> None:
    path = tmp_path / "challengesrl.verbs.va.conllu"
    roles = {"ARG0": "", "ARG1": "THEME", "ARGM-TMP": "TIME", "R-ARG1": "THEME"}
    text = PROPBANK
    for label, role in roles.items():
        text = text.replace(f"({label}*", f"({role}*")
    path.write_text(text.replace("gobble_up.01", "EAT_BITE").replace("sell.01", "SELL"))
    (sentence,) = read_semlink(path)
    assert [role for role, _ in sentence.verbs[0].roles] == ["THEME", "TIME"]
    results = run(GoldRoles(path, Propbank()))
    assert "roles of VerbAtlas" in results.to_markdown()
    found = {row.of["role"]: row.figures for row in results.rows}
    # Of the first: Theme and Time right, Agent and Manner too much; of the second nothing.
    assert [found["all"][n].value for n in ("precision", "recall", "arguments")] == [0.5, 0.5, 4]
    assert found["Time"]["F1"].value == 1.0  # a modifier, which counts here


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give data, or gold"),
        (["--gold", "x", "--roles", "gpt4"], "of other sentences than gold"),
        (["--gold", "nowhere.gz"], "nowhere.gz"),
    ],
)
def test_what_cannot_be_compared(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.delenv("COMPSIM_DATA", raising=False)
    assert main(["bench", "roles", *arguments]) == 2
    assert says in capsys.readouterr().err
