from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import json_server
import pytest
import raw_server
from hypothesis import given
from hypothesis import strategies as st
from json_server import Answer, Request, Server

from compsim.errors import InputError, ServiceError
from compsim.parsers import load
from compsim.parsers.base import Parser
from compsim.parsers.remote.llm import LlmParser, read_answer
from compsim.parsers.remote.sentences import SentenceService
from compsim.parsers.remote.verbnet_server import VerbNetServerParser
from compsim.roles import VERBNET


def text_of(request: Request) -> str:
    """The sentence that a parser asked for, in a query or as the last message of a chat."""
    if request.body is not None:
        text: str = request.body["messages"][-1]["content"]
        return text
    return parse_qs(urlsplit(request.path).query, strict_parsing=True)["utterance"][0]


def asked(server: Server) -> list[str]:
    return [text_of(request) for request in server.requests]


def serve(answer: Callable[[str, int], Answer]) -> AbstractContextManager[Server]:
    """A service that answers by a function of (sentence, how often it was asked)."""

    def reply(request: Request, earlier: Sequence[Request]) -> Answer:
        text = text_of(request)
        return answer(text, [text_of(other) for other in earlier].count(text))

    return json_server.serve(reply)


def span(start: int, end: int, text: str, pb: str, vn: str = "", **more: Any) -> dict[str, Any]:
    label = " <-> ".join(filter(None, [pb, vn]))
    return {"start": start, "end": end, "text": text, "pb": pb, "vn": vn, "label": label,
            "isPredicate": False, **more}  # fmt: skip


def tokens(*chunks: str) -> list[dict[str, Any]]:
    return [{"text": chunk} for chunk in chunks]


DOG = {
    "tokens": tokens("The woman 's dog", "chased", "the cat yesterday ."),
    "props": [
        {
            "sense": "chase-51.6",
            "spans": [
                span(0, 3, "The woman 's dog", "A0", "Agent"),
                span(4, 4, "chased", "V", isPredicate=True),
                span(5, 6, "the cat", "A1", "Theme"),
                span(7, 7, "yesterday", "AM-TMP"),
            ],
        }
    ],
}


def verbs(text: str, count: int) -> Answer:
    word = text.split()[0]
    spans = [span(0, 0, word, "V", isPredicate=True)]
    return 200, {"tokens": tokens(text), "props": [{"sense": "x", "spans": spans}]}


def odd_start(number: bytes) -> bytes:
    """An answer whose only span begins at a number as JSON, or Python's reader of it, has it."""
    answer = {"props": [{"spans": [span(0, 0, "go", "V", isPredicate=True)]}]}
    return json.dumps(answer).encode().replace(b'"start": 0', b'"start": ' + number)


def chat(content: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": content}}]}


def unused_url() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def verbnet(url: str, **options: Any) -> Parser:
    parser = load("verbnet-server", url=url, **options)
    assert isinstance(parser, VerbNetServerParser)
    parser._service._backoff = 0.01
    return parser


def llm(url: str, **options: Any) -> Parser:
    parser = load("llm", url=url, model="tiny", **{"api_key": "sk-1", **options})
    assert isinstance(parser, LlmParser)
    parser._service._backoff = 0.01
    return parser


def test_verbnet_roles_with_their_characters() -> None:
    with serve(lambda text, count: (200, DOG)) as server:
        graph = verbnet(server.url).parse(["The woman's dog chased the cat yesterday."])[0]
    assert graph.status == "ok"
    assert [(role, node.label) for role, node in graph.roles().items()] == [
        ("Verb", "chased"),
        ("Agent", "The woman's dog"),
        ("Theme", "the cat"),
        ("Time", "yesterday"),
    ]
    assert all(node.span and graph.text[slice(*node.span)] == node.label for node in graph.nodes)
    assert [edge.propbank for edge in graph.edges] == ["ARG0", "ARG1", "ARGM-TMP"]


def test_main_predicate_pieces_references_and_what_was_left_out() -> None:
    answer = {
        "tokens": tokens("Cats", "who", "sleep", "give up", "hope ."),
        "props": [
            {"sense": "40.4", "spans": [
                span(0, 0, "Cats", "A0", "Agent"), span(1, 1, "who", "R-A0", "Agent"),
                {**span(2, 2, "sleep", "V"), "predicate": True}]},
            {"sense": "x", "spans": [
                span(0, 0, "Cats", "A0"), span(3, 3, "give", "V", isPredicate=True),
                span(2, 2, "sleep", "A1", "Patient"), span(5, 5, "hope", "C-A1", "Patient"),
                span(4, 4, "up", "AM-MOD")]},
            {"sense": "no predicate", "spans": []},
        ],
    }  # fmt: skip
    text = "Cats who sleep give up hope. Dogs do not."
    with serve(lambda _, count: (200, answer)) as server:
        graph = verbnet(server.url).parse([text])[0]
    assert (graph.status, graph.reason) == ("partial", "the service parsed only the first sentence")
    main, other = graph.frames()
    assert [(role, node.label) for role, node in main.phrases().items()] == [
        ("Verb", "give"), ("Agent", "Cats"), ("Patient", "sleep hope")
    ]  # fmt: skip
    assert main.roles["Patient"].parts == ((9, 14), (23, 27))
    assert list(other.phrases()) == ["Verb", "Agent"]


def test_older_services_list_verbnet_spans_apart() -> None:
    spans = [
        {"start": 0, "end": 0, "label": "Agent", "text": "Cats"},
        {"start": 1, "end": 1, "label": "Verb", "text": "sleep", "isPredicate": True},
        {"start": 2, "end": 2, "label": "AM-LOC", "text": "here"},
        {"start": 3, "end": 3, "label": "Initial Location", "text": "there"},
    ]
    answer = {"props": [{"sense": "40.4", "propBankSpans": [], "verbNetSpans": spans}]}
    with serve(lambda _, count: (200, answer)) as server:
        graph = verbnet(server.url).parse(["Cats sleep here there"])[0]
    assert list(graph.roles())[:3] == ["Verb", "Agent", "Location"]
    assert len(graph.edges) == 3
    assert graph.roles()["Location"].span == (11, 15)


def test_a_batch_keeps_order_and_survives_every_kind_of_bad_answer() -> None:
    bad: dict[str, Answer] = {
        "garbage": (200, b"<html>"),
        "empty": (200, b""),
        "list": (200, []),
        "null": (200, None),
        "nothing": (200, {"props": []}),
        "odd": (200, {"props": [{"spans": [{"start": "x"}]}]}),
        "number": (200, {"props": 3, "tokens": 4}),
        "deep": (200, b"[" * 100_000),
        "closed and deep": (200, b'{"props":' + b"[" * 950 + b"]" * 950 + b"}"),
        "infinite": (200, odd_start(b"Infinity")),
        "minus infinite": (200, odd_start(b"-Infinity")),
        "no number": (200, odd_start(b"NaN")),
        "many digits": (200, odd_start(b"9" * 9000)),
        "too large": (200, b"[" + b" " * 2**20 + b"]"),
        "broken": (500, {"error": "no"}),
        "moved": (302, b"", {"Location": "http://127.0.0.1:9/"}),
        "lost": (404, b""),
        "binary": (200, bytes(range(256))),
    }

    def answer(text: str, count: int) -> Answer:
        if text == "slow":
            time.sleep(0.8)
        return bad.get(text) or verbs(text, count)

    sentences = [f"go{index}" for index in range(20)]
    sentences[3:3] = [*bad, "slow", "", "  \n"]
    with serve(answer) as server:
        graphs = verbnet(server.url, timeout=0.3, retries=1).parse(sentences)
    assert [graph.text for graph in graphs] == sentences
    for text, graph in zip(sentences, graphs, strict=True):
        assert (graph.status == "ok") == text.startswith("go"), text
        assert (graph.reason == "") == text.startswith("go")
    assert not {"", "  \n"} & set(asked(server))
    assert asked(server).count("broken") == 2
    assert asked(server).count("slow") == 1
    assert "did not answer within 0.3 s" in graphs[sentences.index("slow")].reason


@pytest.mark.parametrize("make", [verbnet, llm])
def test_nothing_listening_is_said_at_once(make: Callable[..., Parser]) -> None:
    parser = make(unused_url(), retries=1)
    with pytest.raises(ServiceError, match=r"can not be reached .* start the service"):
        parser.parse(["", "Cats sleep.", "Dogs bark."])
    assert parser.parse([]) == []
    assert parser.parse([""])[0].status == "failed"


def test_a_service_that_goes_away_later_fails_sentences_only() -> None:
    with serve(verbs) as server:
        parser = verbnet(server.url, retries=0)
        assert parser.parse(["go"])[0].status == "ok"
    assert [graph.status for graph in parser.parse(["go", "come"])] == ["failed", "failed"]


def test_500_then_ok_and_retry_after() -> None:
    def answer(text: str, count: int) -> Answer:
        if count == 0:
            return (503 if text == "go" else 429), b"", {"Retry-After": "0.3"}
        return verbs(text, count)

    with serve(answer) as server:
        graphs = verbnet(server.url).parse(["go", "come"])
    assert [graph.status for graph in graphs] == ["ok", "ok"]


def test_a_connection_cut_short_is_tried_again() -> None:
    def answer(text: str, count: int) -> Answer:
        if count == 0:
            raise ConnectionAbortedError
        return verbs(text, count)

    with serve(answer) as server:
        assert verbnet(server.url).parse(["go"])[0].status == "ok"
        assert asked(server) == ["go", "go"]


HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "raw",
    [
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n-5\r\nabc\r\n0\r\n\r\n",
        HEAD + b"Content-Length: 50\r\n\r\n{",
        HEAD + b"Content-Length: -5\r\n\r\n{}",
        b"garbage\r\n\r\n",
        b"",
    ],
    ids=["chunk", "cut", "length", "garbage", "nothing"],
)
def test_a_first_sentence_without_a_whole_answer_fails_alone(raw: bytes) -> None:
    good = json.dumps(verbs("go", 0)[1]).encode()
    whole = HEAD + b"Content-Length: %d\r\n\r\n" % len(good) + good
    with raw_server.serve(
        lambda connection, request: connection.sendall(raw if b"=bad" in request else whole)
    ) as (url, _):
        graphs = verbnet(url, retries=0).parse(["bad", "go", "bad", "go"])
    assert [graph.status for graph in graphs] == ["failed", "ok", "failed", "ok"]


def test_a_service_that_answers_nobody_is_given_up_after_three_sentences() -> None:
    with raw_server.serve(lambda connection, request: None) as (url, asked):
        with pytest.raises(ServiceError, match="gave no answer"):
            verbnet(url, retries=0).parse(["go"] * 1000)
        assert len(asked) == 3
        with pytest.raises(ServiceError, match="gave no answer"):
            verbnet(url, retries=0).parse(["", "go"])


def test_a_phrase_of_a_million_words_takes_no_time_to_look_for() -> None:
    spans = [span(0, 0, "go " * 300_000, "V", isPredicate=True)]
    with serve(lambda text, count: (200, {"props": [{"spans": spans}]})) as server:
        assert verbnet(server.url).parse(["go go go"])[0].status == "ok"


def test_several_sentences_are_asked_at_a_time() -> None:
    barrier = threading.Barrier(3, timeout=5)

    def answer(text: str, count: int) -> Answer:
        if text != "first":
            barrier.wait()
        return verbs(text, count)

    with serve(answer) as server:
        graphs = verbnet(server.url, workers=3).parse(["first", "a", "b", "c", "d", "e", "f"])
    assert {graph.status for graph in graphs} == {"ok"}


@pytest.mark.parametrize(
    "text", ["lone \ud800 surrogate", "é & ? # % + 你好 \u2028 \x00", "a" * 9000]
)
def test_odd_sentences_arrive_whole(text: str) -> None:
    with serve(verbs) as server:
        graph = verbnet(server.url).parse([text])[0]
    assert asked(server) == [text.replace("\ud800", "\ufffd")]
    assert (graph.text, graph.status) == (text, "ok")


def test_llm_request_and_graph() -> None:
    roles = {"Verb": "chase", "Agent": "The dog", "Patient": "a cat", "Theme": "NONE"}
    with serve(lambda text, count: (200, chat(json.dumps(roles)))) as server:
        parser = llm(server.url + "/v1/")
        graph = parser.parse(["The dog chased a \ud800 cat."])[0]
    path, headers, body = server.requests[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer sk-1"
    assert (body["model"], body["temperature"]) == ("tiny", 0)
    assert all(role in body["messages"][0]["content"] for role in VERBNET.roles)
    assert body["messages"][-1]["content"] == "The dog chased a \ufffd cat."
    assert [(role, node.span) for role, node in graph.roles().items()] == [
        ("Verb", None),
        ("Agent", (0, 7)),
        ("Patient", None),
    ]
    assert graph.parser == "llm"
    assert "tiny" in parser.version


def test_llm_key_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(lambda text, count: (200, chat("{'Verb': 'go'}"))) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-env")
        llm(server.url, api_key=None).parse(["Go."])
        monkeypatch.delenv("OPENAI_API_KEY")
        llm(server.url, api_key=None).parse(["Go."])
    assert [headers.get("Authorization") for _, headers, _ in server.requests] == [
        "Bearer sk-env",
        None,
    ]


def test_llm_refusals_are_raised_at_the_start_only_and_hide_the_key() -> None:
    with serve(lambda text, count: (401, {"error": "bad key"})) as server:
        with pytest.raises(ServiceError, match=r"401 .*check the API key") as caught:
            llm(server.url).parse(["Go.", "Come."])
        assert asked(server) == ["Go."]
    assert "sk-1" not in str(caught.value)


def test_llm_hides_a_key_that_the_answer_echoes() -> None:
    with serve(lambda text, count: (200, chat(f"\x1b[31m{text} sk-1 \u202e"))) as server:
        graph = llm(server.url).parse(["Go."])[0]
    assert graph.reason == "the model's answer holds no roles: '[31mGo. ***'"


def test_llm_phrases_hold_no_key_and_no_control_characters() -> None:
    odd = "\x1b[31mred \x9b \u202e sk-1\x07"
    roles = {"Verb": odd, "Agent": "Bearer sk-1", odd: "x", "Theme": "no\tkey"}
    for content in (json.dumps(roles), json.dumps(roles, ensure_ascii=False), repr(roles)):
        with serve(lambda text, count, content=content: (200, chat(content))) as server:
            graph = llm(server.url).parse(["Go."])[0]
        assert graph.status == "partial"
        said = [graph.reason, *(node.label for node in graph.nodes)]
        assert "sk-1" not in "".join(said)
        assert "".join(said).replace("\t", "").isprintable()
        assert graph.roles()["Verb"].label == "\ufffd[31mred \ufffd \ufffd ***\ufffd"
        assert graph.roles()["Theme"].label == "no\tkey"


def test_a_word_of_the_request_is_not_taken_for_the_key() -> None:
    roles = {"Verb": "say", "Theme": "EMPTY words"}
    with serve(lambda text, count: (200, chat(json.dumps(roles)))) as server:
        graph = llm(server.url, api_key="EMPTY").parse(["He says EMPTY words."])[0]
    assert graph.roles()["Theme"].span == (8, 19)


def test_llm_survives_every_kind_of_bad_answer() -> None:
    answers: dict[str, Any] = {
        "good": chat('{"Verb": "go"}'),
        "prose": chat("I am sorry, I can not."),
        "refusal": chat(None),
        "number": chat(3),
        "cut": chat('{"Verb": "go", "Agent": "the'),
        "braces": chat("{{{{"),
        "empty": chat(""),
        "unknown": chat('{"Doer": "x"}'),
        "absent": chat('{"Verb": "NONE", "Agent": "NA"}'),
        "no choices": {"choices": []},
        "error": {"error": {"message": "overloaded"}},
        "list": [],
        "deep": chat([]),
        "deep phrase": chat('{"Verb": ' + "[" * 990 + "]" * 990 + "}"),
    }
    for _ in range(450):
        answers["deep"] = chat([answers["deep"]["choices"][0]["message"]["content"]])
    with serve(lambda text, count: (200, answers[text])) as server:
        graphs = llm(server.url).parse(list(answers))
    assert [graph.status.value for graph in graphs] == ["ok"] + ["failed"] * (len(answers) - 1)
    assert all(graph.reason for graph in graphs[1:])


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('```json\n{"Verb": "eat", "Agent": "Ann"}\n```', {"Verb": "eat", "Agent": "Ann"}),
        ("Here: {'verb': 'eat', 'AGENT': \"Ann's dog\"}", {"Verb": "eat", "Agent": "Ann's dog"}),
        ("{‘Verb’: ‘is’, ‘Theme’, ‘what people eat’}", {"Verb": "is", "Theme": "what people eat"}),
        ("{‘Verb’: ‘eat’, ‘Agent’: ‘Ann’s dog’}", {"Verb": "eat", "Agent": "Ann's dog"}),
        ('{"Verb": "eat", "Agent": "“Ann”"}', {"Verb": "eat", "Agent": "“Ann”"}),
        ('{"roles": {"Verb": "eat", "Theme": ["a", "b"]}}', {"Verb": "eat", "Theme": "a b"}),
        (
            '{"Verb": "eat", "Time": null, "Manner": 5}',
            {"Verb": "eat", "Time": None, "Manner": "5"},
        ),
        ('{"Verb": "eat", "Purpose": "fun"}', {"Verb": "eat", "Purpose": "fun"}),
        ('{} {"Verb": "eat", "Agent": "Ann"} {x}', {"Verb": "eat", "Agent": "Ann"}),
        ("no roles", {}),
    ],
)
def test_answers_are_read_in_many_shapes(content: str, expected: dict[str, Any]) -> None:
    assert read_answer(content) == expected


@given(st.text() | st.text("{}[]'\":, VerbAgent‘’\\", max_size=80))
def test_read_answer_never_raises(content: str) -> None:
    assert isinstance(read_answer(content), dict)


def test_a_long_hostile_answer_is_read() -> None:
    for hostile in (
        "{" * 20_000,
        "'Verb': '" * 3_000,
        "{'a':" * 5_000 + "}" * 5_000,
        "{}" * 20_000,
        "'Verb': '" * 100_000 + "x",
        "Verb: '" + "' " * 500_000,
        "{'a': " + "-" * 500_000 + "1}",
        "{'a': 1" + "+1" * 100_000 + "}",
    ):
        assert isinstance(read_answer(hostile), dict)


@pytest.mark.parametrize(
    "options",
    [
        {"url": "localhost:8080"},
        {"url": "http://"},
        {"timeout": 0},
        {"retries": -1},
        {"workers": 0},
    ],
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        SentenceService(**{"url": "http://localhost", **options})


def test_parsers_know_their_failures_may_pass() -> None:
    parser = VerbNetServerParser("http://localhost:1")
    assert parser.cacheable_failures is False
    assert isinstance(parser, Parser)
