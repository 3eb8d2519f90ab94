"""``compsim grammar``: the rules of the concept parser tried on examples, a corpus, a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from compsim.cli import terminal
from compsim.cli.options import Commands, TextForm, TextFormat

if TYPE_CHECKING:
    from compsim.comparison.examples import ExampleResult
    from compsim.graph import RoleGraph
    from compsim.parsers.grammar.checks import Usage
    from compsim.parsers.grammar.parser import ConceptParser
    from compsim.parsers.grammar.rules import Rule
    from compsim.parsers.grammar.trace import Match, TracedDraft

__all__ = ["app"]

app: Final = typer.Typer(
    cls=Commands, help="The rules that make role graphs of concepts.", rich_markup_mode=None
)

RuleFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="a rule file, checked together with the shipped rules; a file named like a "
        "shipped one replaces it; "
        "without it, all shipped rules",
    ),
]


@app.command()
def check(
    file: RuleFile = None,
    corpus: Annotated[
        Path | None, typer.Option(help="sentences, one a line: which rules never match in them?")
    ] = None,
    form: TextForm = TextFormat.TEXT,
) -> None:
    """Run the example pairs of rules, and find rules that do nothing or are undone.

    Each pair that says the same must score higher than each that does not, by verbnet-cn,
    and each rule must match in an example of its own. A rule is undone where, over all examples and
    the corpus, other rules take back all that it adds. The exit status is 1 where anything is
    wrong; rules that never match in the corpus are listed but do not count as errors.
    """
    from compsim.comparison.examples import check_examples
    from compsim.parsers.grammar.parser import ConceptParser

    parser = ConceptParser(rules=file)
    rules = [r for r in parser.grammar.rules if file is None or r.where.startswith(f"{file},")]
    results = check_examples(parser, rules)
    examples = [text for rule in parser.grammar.rules for text in rule.sentences]
    lines = [] if corpus is None else _lines(corpus)
    report = _report(rules, results, _usage(parser, [*examples, *lines]))
    if corpus is not None:
        report["unused"] = _usage(parser, lines).unused(rules)
    if form is TextFormat.JSON:
        terminal.say_json(report)
    else:
        terminal.say("\n".join(_lines_of_report(report)))
    if report["faults"]:
        raise typer.Exit(1)


@app.command()
def show(
    sentence: Annotated[str, typer.Argument(help="the sentence")],
    rules: Annotated[Path | None, typer.Option(help="a file of rules, as for check")] = None,
    form: TextForm = TextFormat.TEXT,
) -> None:
    """Show the graph of a sentence, and the rules that made it in the order in which they matched.

    Below each rule stands what it changed; one that matched and changed nothing stands alone.
    """
    from compsim.parsers.grammar.parser import ConceptParser

    parser = ConceptParser(rules=rules)
    (analysis,) = parser.analyse([sentence])
    draft = parser.trace(analysis)
    graph = parser.graph_of(draft, analysis)
    if form is TextFormat.JSON:
        matches = [_match_as_json(match, draft.words) for match in draft.matches]
        terminal.say_json({"graph": graph.to_json(), "matches": matches})
        return
    terminal.say("\n".join([*_lines_of_graph(graph), "", *_lines_of_matches(draft)]))


def _usage(parser: ConceptParser, sentences: list[str]) -> Usage:
    from compsim.parsers.grammar.checks import measure_usage

    analyses = parser.analyse(list(dict.fromkeys(sentences)))
    return measure_usage(parser.trace(analysis).matches for analysis in analyses)


def _lines(path: Path) -> list[str]:
    from compsim.storage.reading import read_text

    return [line for line in read_text(path).splitlines() if line.strip()]


def _report(rules: list[Rule], results: list[ExampleResult], usage: Usage) -> dict[str, Any]:
    undone = usage.undoings(rules)
    faults = [result.fault for result in results if not result.holds]
    faults += [f"{name!r} matches and changes nothing: remove it" for name in usage.idle(rules)]
    faults += [
        f"{each.rule!r} is undone by {', '.join(map(repr, each.by))}, each of its {each.changes} "
        "changes: remove one of them, or narrow its pattern"
        for each in undone
    ]
    scores = [
        {
            "rule": result.rule.name,
            "where": result.rule.where,
            "holds": result.holds,
            "same": [round(score, 4) for score in result.same],
            "other": [round(score, 4) for score in result.other],
        }
        for result in results
    ]
    return {"faults": faults, "rules": scores}


def _lines_of_report(report: dict[str, Any]) -> list[str]:
    lines = list(report["faults"])
    unused = report.get("unused")
    if unused is not None:
        names = ", ".join(map(repr, unused)) or "none"
        lines.append(f"never matched in the corpus: {names}")
    rules = report["rules"]
    good = sum(rule["holds"] for rule in rules)
    return [*lines, f"{good} of {len(rules)} rules hold in their examples"]


def _lines_of_graph(graph: RoleGraph) -> list[str]:
    lines = [graph.text]
    if not graph.nodes:
        return [*lines, f"  {graph.status}: {graph.reason}"]
    for node in graph.nodes:
        features = {name: value for name, value in node.features if name not in ("lemma", "pos")}
        about = [node.feature("lemma"), *(f"{name}={value}" for name, value in features.items())]
        lines.append(f"  {node.label}: {', '.join(about)}")
    for edge in graph.edges:
        source, target = graph.nodes[edge.source].label, graph.nodes[edge.target].label
        sure = "" if edge.confidence == 1 else f" ({edge.confidence:g})"
        lines.append(f"  {source} -{edge.role}-> {target}{sure}")
    return lines


def _lines_of_matches(draft: TracedDraft) -> list[str]:
    lines = []
    for match in draft.matches:
        words = ", ".join(f"{name} {word}" for name, word in _words(match, draft.words).items())
        lines.append(f"{match.rule.name} ({match.rule.group}): {words}")
        lines += [f"  {change}" for change in match.changes]
    return lines


def _match_as_json(match: Match, words: list[str]) -> dict[str, Any]:
    return {
        "rule": match.rule.name,
        "group": match.rule.group,
        "tokens": _words(match, words),
        "changes": [str(change) for change in match.changes],
    }


def _words(match: Match, words: list[str]) -> dict[str, str | None]:
    return {name: None if i is None else words[i] for name, i in match.tokens.items()}
