"""Parses from a running verbnet-parser (SemParse) service, the parser behind VerbNet-CN.

``GET {url}/predict/semantics?utterance=...`` answers the tokens, and for every predicate its spans
of tokens, each with a PropBank label and, where one is aligned, a VerbNet role.  The eight roles
come from the VerbNet role, where there is none from the PropBank label.  Start a service with
``docker run -p 8080:8080 jgung/verbnet-parser:0.1-SNAPSHOT``, then:

>>> parser = VerbNetServerParser("http://localhost:8080")
>>> parser.parse(["The dog chased a cat."])  # doctest: +SKIP
[RoleGraph(...)]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

from compsim.graph import Edge, Node, RoleGraph, Span, Status
from compsim.graph.spans import locate, token_spans
from compsim.parsers.remote.sentences import SentenceService, without_surrogates
from compsim.parsers.roles.consolidation import consolidate, from_propbank

__all__ = ["VerbNetServerParser"]

#: Bytes. The parse of a long sentence has some ten thousand; looking for the characters of every
#: phrase takes its time, so that a far larger answer could hold up a batch.
_LARGEST_ANSWER: Final = 2**20
# PropBank labels as the service writes them: A0, AM-TMP, C-A1
_LABEL = re.compile(r"(?:([CR])-)?(A(?:M-[A-Z]+|[0-9A]))")


class VerbNetServerParser:
    """Asks the service at ``url``, ``workers`` sentences at a time.

    ``timeout`` is in seconds per attempt, ``retries`` counts further attempts after a connection
    error or a 5xx answer.  The main predicate is the one whose phrases cover most tokens.  The
    service parses only the first sentence of a text; what it leaves out makes the parse partial.
    """

    name = "verbnet-server"
    cacheable_failures = False

    def __init__(
        self,
        url: str = "http://localhost:8080",
        timeout: float = 30.0,
        retries: int = 2,
        workers: int = 4,
    ) -> None:
        self._service = SentenceService(
            url,
            timeout=timeout,
            retries=retries,
            workers=workers,
            largest_answer=_LARGEST_ANSWER,
        )
        self.version = f"1 {self._service.url}"

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Return one graph per sentence; raises ServiceError when nothing listens at all."""
        return self._service.parse(self._parse, sentences, self.name)

    def _parse(self, text: str) -> RoleGraph:
        utterance = quote(without_surrogates(text), safe="")
        answer = self._service.get(f"predict/semantics?utterance={utterance}")
        with self._service.reading("verbnet-parser"):
            return _graph(text, answer, self.name)


def _graph(text: str, answer: dict[str, Any], parser: str) -> RoleGraph:
    tokens = [token for chunk in answer.get("tokens") or [] for token in chunk["text"].split()]
    places = token_spans(without_surrogates(text), tokens)
    nodes: list[Node] = []
    edges: list[Edge] = []
    root, widest = None, -1
    for prop in answer["props"]:
        spans = _spans(prop)
        verb = [span for span in spans if _is_predicate(span)]
        if not verb:
            continue
        predicate = len(nodes)
        nodes.append(_node(text, verb, tokens, places))
        for role, (label, fillers) in _fillers(spans).items():
            edges.append(Edge(predicate, role, len(nodes), label))
            nodes.append(_node(text, fillers, tokens, places))
        width = sum(int(span["end"]) - int(span["start"]) + 1 for span in spans)
        if width > widest:
            root, widest = predicate, width
    if root is None:
        return RoleGraph.failed(text, "the service found no predicate", parser)
    status, reason = Status.OK, ""
    if places and places[-1] is not None and re.search(r"\w", text[places[-1][1] :]):
        status, reason = Status.PARTIAL, "the service parsed only the first sentence"
    return RoleGraph(tuple(nodes), tuple(edges), root, text, status, reason, parser)


def _spans(prop: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the spans of one predicate; older services list the VerbNet ones apart."""
    spans = prop.get("spans")
    if spans is None:
        spans = prop.get("verbNetSpans") or prop.get("propBankSpans") or []
    return sorted(spans, key=lambda span: int(span["start"]))


def _is_predicate(span: dict[str, Any]) -> bool:
    return bool(span.get("isPredicate") or span.get("predicate"))


def _fillers(spans: list[dict[str, Any]]) -> dict[str, tuple[str | None, list[dict[str, Any]]]]:
    """Return role -> PropBank label and spans: a role may be in pieces, or filled twice."""
    fillers: dict[str, tuple[str | None, list[dict[str, Any]]]] = {}
    for span in spans:
        if _is_predicate(span):
            continue
        match = _LABEL.match(str(span.get("pb") or span["label"]))
        if match and match[1] == "R":  # "who", "which": the phrase itself has its own span
            continue
        label = re.sub(r"^A", "ARG", match[2]) if match else None
        thematic = span.get("vn") or ("" if label else span["label"])
        role = consolidate(thematic.replace(" ", "_")) if thematic else from_propbank(label or "")
        if role is None:
            continue
        fillers.setdefault(role, (label, []))[1].append(span)
    return fillers


def _node(
    text: str, spans: list[dict[str, Any]], tokens: list[str], places: list[Span | None]
) -> Node:
    """Make the phrase of one or more spans, with its characters where they can be found."""
    parts = [_characters(text, span, tokens, places) for span in spans]
    known = sorted({part for part in parts if part is not None})
    if len(known) < len(spans):
        return Node(" ".join(str(span["text"]) for span in spans))
    label = " ".join(text[start:end] for start, end in known)
    whole = (known[0][0], max(end for _, end in known))
    return Node(label, whole, parts=tuple(known) if len(known) > 1 else ())


def _characters(
    text: str, span: dict[str, Any], tokens: list[str], places: list[Span | None]
) -> Span | None:
    start, end = int(span["start"]), int(span["end"])  # tokens, the end included
    if 0 <= start <= end < len(places) and " ".join(tokens[start : end + 1]) == span["text"]:
        first, last = places[start], places[end]
        if first is not None and last is not None:
            return first[0], last[1]
    return locate(text, [span["text"]])[0]
