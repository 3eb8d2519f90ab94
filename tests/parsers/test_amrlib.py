"""The AMR parsers: amrlib on a tiny model that is built here, stored files, and the service."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import json_server
import pytest
from json_server import Answer, serve

from compsim.errors import DataError, InputError, MissingExtraError, ServiceError
from compsim.graph import RoleGraph
from compsim.parsers import load
from compsim.parsers.amrlib import server
from compsim.parsers.base import Parser
from compsim.parsers.files.stored_amr import StoredAmrParser, graph_from_amr
from compsim.parsers.remote.amr_server import AmrServerParser

DOG = "(b / bark-01 :ARG0 (d / dog))"
CAT = "(c / chase-01 :ARG0 (d / dog) :ARG1 (c2 / cat))"

#: What the tiny model learns: amrlib's linearisation of a graph, and one that it can not read back.
LESSONS = {
    "the dog barks": "( bark-01 :ARG0 ( dog ) )",
    "the dog chases the cat": "( chase-01 :ARG0 ( dog ) :ARG1 ( cat ) )",
    "cat": ":ARG0 :ARG0",
}


# amrlib


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a model of one-layer BART in amrlib's ``parse_xfm`` format that knows ``LESSONS``."""
    pytest.importorskip("amrlib", reason="needs the amr extra")
    pytest.importorskip("unidecode", reason="amrlib needs unidecode")
    transformers = pytest.importorskip("transformers", reason="needs the amr extra")
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    folder = tmp_path_factory.mktemp("tiny-model")
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    texts = [text for lesson in LESSONS.items() for text in lesson]
    words = [*special, *dict.fromkeys(" ".join(texts).split())]
    vocabulary = {word: index for index, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    names = dict(zip(["bos_token", "pad_token", "eos_token", "unk_token"], special, strict=True))
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)
    fast.save_pretrained(folder)

    torch.manual_seed(0)
    sizes = {"encoder_layers": 1, "decoder_layers": 1, "d_model": 32}
    widths = {f"{part}_ffn_dim": 32 for part in ("encoder", "decoder")}
    heads = {f"{part}_attention_heads": 2 for part in ("encoder", "decoder")}
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    # The tokenizer's name is one of a hub: only the files in the folder can be meant.
    lengths = {"max_in_len": 12, "max_out_len": 24, "model_name_or_path": "nobody/nowhere"}
    model = transformers.BartForConditionalGeneration(
        transformers.BartConfig(
            vocab_size=len(words),
            max_position_embeddings=64,
            dropout=0.0,
            forced_eos_token_id=None,
            task_specific_params={"parse_amr": lengths},
            **sizes,
            **widths,
            **heads,
            **ids,
        )
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    inputs = fast(list(LESSONS), padding=True, return_tensors="pt")
    labels = fast(list(LESSONS.values()), padding=True, return_tensors="pt")["input_ids"]
    labels[labels == 1] = -100
    for _ in range(100):
        optimizer.zero_grad()
        attention = inputs["attention_mask"]
        model(
            input_ids=inputs["input_ids"], attention_mask=attention, labels=labels
        ).loss.backward()
        optimizer.step()
    model.save_pretrained(folder)
    about = {
        "model_type": "stog",
        "version": "0.0.1",
        "inference_module": ".parse_xfm.inference",
        "inference_class": "Inference",
        "model_fn": "model.safetensors",
        "kwargs": {"num_beams": 1},
    }
    (folder / "amrlib_meta.json").write_text(json.dumps(about))
    return folder


def test_amrlib_parses_each_sentence_in_order(tiny_model: Path) -> None:
    parser = load(f"amrlib:{tiny_model}")
    assert isinstance(parser, Parser)
    long = "the dog barks " * 5
    texts = ["the dog barks", "", "cat", "the dog chases\n the cat", "dog \udc80 barks", long]
    dog, empty, bad, cat, odd, cut = parser.parse(texts)
    assert [graph.text for graph in (dog, empty, bad, cat, odd, cut)] == texts
    assert [(role, node.label) for role, node in cat.roles().items()] == [
        ("Verb", "chase-01"),
        ("ARG0", "dog"),
        ("ARG1", "cat"),
    ]
    assert (dog.status, dog.parser, dog.nodes[0].variable) == ("ok", "amrlib", "b")
    assert (empty.status, empty.reason) == ("failed", "the sentence is empty")
    assert (bad.status, bad.reason) == ("failed", "the parser made no well-formed graph")
    # The tokenizer raises for it, and only it is lost.
    assert odd.status == "failed"
    assert "the parser failed" in odd.reason
    assert "reads only 12 tokens" in cut.reason
    assert parser.parse(texts[:1]) == [dog]
    assert parser.parse([]) == []


@pytest.mark.parametrize(
    ("module", "name"),
    [("subprocess", "Popen"), ("..utils.md5sum", "md5sum"), (".parse_xfm.inference", "torch.load")],
)
def test_a_model_names_no_code_but_a_parser_of_amrlib(
    module: str, name: str, tmp_path: Path
) -> None:
    about = {"model_type": "stog", "inference_module": module, "inference_class": name}
    (tmp_path / "amrlib_meta.json").write_text(json.dumps(about | {"model_fn": "x"}))
    with pytest.raises(DataError, match="which is no parser of amrlib"):
        load("amrlib", model=tmp_path).parse(["Cats sleep."])


def test_amrlib_version_is_that_of_the_files(tiny_model: Path) -> None:
    first, second = load("amrlib", model=tiny_model), load("amrlib", model=tiny_model, device="cpu")
    assert first.version == second.version
    assert first.version.startswith("amrlib-")
    assert tiny_model.name in first.version


def test_a_missing_model_names_download_and_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"amrlib-models.*unpack it there") as error:
        load("amrlib", model=tmp_path / "none").parse(["Cats sleep."])
    assert str(tmp_path / "none") in str(error.value)
    assert error.value.__cause__ is not None


def test_amrlibs_own_folder_is_the_default() -> None:
    defaults = pytest.importorskip("amrlib.defaults", reason="needs the amr extra")
    if Path(defaults.data_dir, "model_stog").exists():
        pytest.skip("amrlib has a model in its own folder")
    with pytest.raises(DataError, match="model_stog"):
        _ = load("amrlib").version


def test_a_damaged_model_is_told(tmp_path: Path) -> None:
    pytest.importorskip("amrlib", reason="needs the amr extra")
    (tmp_path / "amrlib_meta.json").write_text('{"model_type": "gtos"}')
    with pytest.raises(DataError, match="gtos model, not one that parses"):
        load("amrlib", model=tmp_path).parse(["Cats sleep."])
    (tmp_path / "amrlib_meta.json").write_text("{")
    with pytest.raises(DataError, match="does not load"):
        load("amrlib", model=tmp_path).parse(["Cats sleep."])


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "amrlib", None)
    (tmp_path / "amrlib_meta.json").write_text("{}")
    with pytest.raises(MissingExtraError, match=r'pip install "\.\[amr\]"'):
        load("amrlib", model=tmp_path).parse(["Cats sleep."])


# stored files

CORPUS = f"""\
# ::id one ::date 2020-01-01
# ::snt-1 The dog barks.
{DOG}

# ::snt-2 Birds sing.
NULL

# ::snt-3 Cats sleep.
(s / sleep-01 :ARG0 (c / cat)

# ::snt-4 The dog barks.
{CAT}
"""


def test_stored_amrs_by_sentence(tmp_path: Path) -> None:
    path = tmp_path / "parses.txt"
    path.write_text(CORPUS)
    parser = load("amr-stored", path=path)
    assert isinstance(parser, StoredAmrParser)
    dog, null, bad, none, spaced = parser.parse(
        ["The dog barks.", "Birds sing.", "Cats sleep.", "Fish swim.", " The  dog barks."]
    )
    assert (dog.nodes[0].label, dog.status, dog.parser) == ("bark-01", "ok", "amr-stored")
    assert (null.status, "NULL" in null.reason) == ("failed", True)
    assert (bad.status, bad.reason.split(":")[0]) == ("failed", "parses.txt, line 9, column 30")
    path.write_text("(d / dog)\n\n# ::snt Hm.\n()\n")
    (empty,) = StoredAmrParser(path).parse(["Hm."])
    assert empty.reason == "parses.txt, line 4: the graph is empty"
    path.write_text(CORPUS)
    assert none == RoleGraph.failed("Fish swim.", "the sentence is not in parses.txt", "amr-stored")
    assert (spaced.text, spaced.nodes) == (" The  dog barks.", dog.nodes)
    assert [graph.text for graph in parser.graphs] == [
        "The dog barks.",
        "Birds sing.",
        "Cats sleep.",
        "The dog barks.",
    ]
    assert parser.version == StoredAmrParser(path).version


def test_stored_amrs_by_position(tmp_path: Path) -> None:
    path, lines = tmp_path / "parses.txt", tmp_path / "sentences.txt"
    path.write_text(CORPUS)
    names = ["A dog barks", "Birds", "Cats", "It chases it"]
    lines.write_text("\n".join(names) + "\n")
    for sentences in (names, lines):
        parser = StoredAmrParser(path, sentences)
        dog, cat, gone = parser.parse(["A dog barks", "It chases it", "The dog barks."])
        assert [dog.text, dog.nodes[0].label] == ["A dog barks", "bark-01"]
        assert [cat.text, cat.nodes[0].label] == ["It chases it", "chase-01"]
        assert gone.status == "failed"
    assert parser.version != StoredAmrParser(path).version
    with pytest.raises(DataError, match="4 graphs for 2 sentences"):
        StoredAmrParser(path, names[:2])


def test_our_own_notation_comes_back_with_spans(tmp_path: Path) -> None:
    text = "Cats  sleep."
    graph = RoleGraph.star(text, {"Verb": "sleep", "Agent": "Cats"}, parser="srl")
    (tmp_path / "own.txt").write_text(graph.to_penman() + "\n")
    parser = StoredAmrParser(tmp_path / "own.txt")
    assert parser.parse([text]) == [graph]
    (respaced,) = parser.parse(["Cats sleep."])
    assert respaced.text == "Cats sleep."
    assert [node.span for node in respaced.nodes] == [(5, 10), (0, 4)]


def test_published_amr_json(tmp_path: Path) -> None:
    path = tmp_path / "parse.json"
    rows = {"10": ["D", "C", DOG, CAT], "2": ["A", "B", "NULL", None]}
    path.write_text(json.dumps(rows, indent=1))
    parser = StoredAmrParser(path)
    assert [graph.reason for graph in parser.graphs[:2]] == [
        "parse.json, line 8, row 2: line 1, column 1: the graph is NULL",
        "parse.json, line 8, row 2: the parser made no graph",
    ]
    assert [graph.text for graph in parser.graphs] == ["A", "B", "D", "C"]
    assert [graph.status.value for graph in parser.graphs] == ["failed", "failed", "ok", "ok"]
    assert [(a.text, b.text) for a, b in parser.pairs()] == [("A", "B"), ("D", "C")]
    with pytest.raises(DataError, match="holds its sentences itself"):
        StoredAmrParser(path, ["A"])
    for broken in ('{"1": ["a", "b"]}', '{"x": ["a", "b", "c", "d"]}', '{"1": ', "{}{}"):
        path.write_text(broken)
        with pytest.raises(DataError, match=r"parse\.json"):
            StoredAmrParser(path)
    with pytest.raises(DataError, match="cannot be read"):
        StoredAmrParser(tmp_path / "none.txt")


def test_published_parses(data_dir: Path) -> None:
    folder = data_dir / "compositional-semantics-eval/Data-model/Sentence Parses/AMR Parsing"
    if not folder.is_dir():
        pytest.skip(f"no published AMR parses at {folder}")
    for path in sorted(folder.iterdir()):
        parser = StoredAmrParser(path)
        graphs = parser.parse([graph.text for graph in parser.graphs])
        assert len(graphs) > 100
        assert all(graph.status == "ok" and graph.nodes for graph in graphs)
        if path.suffix == ".json":
            names = [path.with_name(f"{path.stem[:-9]}{x}_AMR_parse.txt") for x in "ab"]
            sizes = {len(StoredAmrParser(name).graphs) for name in names}
            assert sizes == {len(parser.pairs())}


def test_graph_from_amr_reads_whatever_a_parser_writes() -> None:
    assert graph_from_amr("a", DOG, "p").status == "ok"
    for amr in (None, "", "NULL", "()", "(a / b", f"{DOG}\n\n{CAT}"):
        graph = graph_from_amr("a", amr, "p")
        assert (graph.status, graph.text, graph.parser) == ("failed", "a", "p")
        assert graph.reason
    assert graph_from_amr("a", None, "p", "why").reason == "why"
    partial = graph_from_amr("a", DOG, "p", "why")
    assert (partial.status, partial.reason, len(partial.nodes)) == ("partial", "why", 2)


# the service


class Echo:
    """Substitute for amrlib's model behind the service: it barks, and chokes on ``bad``."""

    def parse_sents(self, sentences: list[str], add_metadata: bool = True) -> list[str | None]:
        assert not add_metadata
        if any("bad" in text for text in sentences):
            raise RuntimeError("CUDA out of\nmemory")
        return [None if text == "none" else DOG for text in sentences]


@pytest.fixture
def service() -> Iterator[str]:
    about = {"model": "echo", "version": "7"}
    with server.make_server(Echo(), about, "127.0.0.1", 0) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{http.server_address[1]}"
        http.shutdown()
        thread.join()


def quick(url: str, **options: Any) -> AmrServerParser:
    parser = load("amr-server", url=url, **options)
    assert isinstance(parser, AmrServerParser)
    parser._service._backoff = 0.01
    return parser


def test_server_parser_asks_in_batches(service: str) -> None:
    texts = ["one dog", "", "bad", "none", "two \ud800 dogs", "three", "four"]
    one, empty, bad, none, odd, *rest = quick(service, batch=3).parse(texts)
    assert one == graph_from_amr("one dog", DOG, "amr-server")
    assert odd.text == "two \ud800 dogs"
    assert {graph.status.value for graph in (one, odd, *rest)} == {"ok"}
    assert (empty.status, empty.reason) == ("failed", "the sentence is empty")
    assert (bad.status, bad.reason) == ("failed", "the parser failed (CUDA out of memory)")
    assert (none.status, none.reason) == ("failed", "the parser made no well-formed graph")
    assert quick(service).parse(texts) == [one, empty, bad, none, odd, *rest]
    assert quick(service).parse([]) == []
    assert quick(service).version == f"1 {service} 7"


def asked(url: str, body: bytes | None = None, **headers: str) -> tuple[int, Any]:
    request = Request(url, body, headers)
    try:
        with urlopen(request, timeout=10) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_service_answers_bad_requests_with_an_error(service: str) -> None:
    assert asked(f"{service}/health") == (200, {"status": "ok", "model": "echo", "version": "7"})
    good = json.dumps({"sentences": ["a dog"]}).encode()
    assert asked(f"{service}/parse", good) == (200, {"graphs": [DOG], "problems": [""]})
    assert asked(f"{service}/parse", b'{"sentences": []}') == (200, {"graphs": [], "problems": []})
    for status, path, body in [
        (404, "/", None),
        (404, "/pars", good),
        (405, "/parse", None),
        (400, "/parse", b"{"),
        (400, "/parse", b"\xff\xfe"),
        (400, "/parse", b"[" * 100_000),
        (400, "/parse", b"[]"),
        (400, "/parse", b'{"sentences": "a dog"}'),
        (400, "/parse", b'{"sentences": [1]}'),
    ]:
        code, answer = asked(service + path, body)
        assert (code, list(answer)) == (status, ["error"])


def test_service_refuses_a_request_without_or_with_too_great_a_length(service: str) -> None:
    host, port = service.removeprefix("http://").split(":")
    for header, status in [
        ("", "411"),
        ("Content-Length: -5\r\n", "411"),
        (f"Content-Length: {'9' * 9000}\r\n", "411"),
        ("Transfer-Encoding: chunked\r\n", "411"),
        (f"Content-Length: {2**40}\r\n", "413"),
    ]:
        with socket.create_connection((host, int(port)), timeout=10) as raw:
            raw.sendall(f"POST /parse HTTP/1.1\r\nHost: {host}\r\n{header}\r\n".encode())
            assert raw.makefile("rb").readline().split()[1].decode() == status


PARSE = b"POST /parse HTTP/1.1\r\n"


@pytest.mark.parametrize(
    "start",
    [b"", b"POST /par", PARSE + b"X: ", PARSE + b"Content-Length: 99\r\n\r\n"],
    ids=["nothing", "line", "header", "body"],
)
def test_service_cuts_off_a_client_that_drips(
    start: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    about = {"model": "echo", "version": "7"}
    with server.make_server(Echo(), about, "127.0.0.1", 0) as http:
        http.RequestHandlerClass.timeout = 0.3  # type: ignore[attr-defined]
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        host, port = http.server_address[:2]
        with socket.create_connection((str(host), port), timeout=5) as raw:
            raw.sendall(start)
            gone = False
            for _ in range(100):
                threading.Event().wait(0.02)
                try:
                    raw.sendall(b"x")
                except OSError:
                    gone = True
                    break
        http.shutdown()
        thread.join()
    assert gone
    assert "Traceback" not in capsys.readouterr().err


def test_nothing_listens() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"
    with pytest.raises(ServiceError, match="can not be reached"):
        quick(url, retries=0).parse(["a", "b"])
    with pytest.raises(ServiceError, match="can not be reached"):
        _ = quick(url, retries=0).version
    with pytest.raises(InputError, match="batch of 0"):
        load("amr-server", batch=0)


@pytest.mark.parametrize("answer", [{}, [], {"graphs": []}, {"graphs": [1, 2]}, "x", None])
def test_another_service_is_told(answer: Any) -> None:
    with serve(lambda request, earlier: (200, answer)) as service:
        graphs = quick(service.url).parse(["a", "b"])
        assert {graph.status.value for graph in graphs} == {"failed"}
        assert "one graph for each sentence" in graphs[0].reason
        with pytest.raises(ServiceError, match="is it an AMR"):
            _ = quick(service.url).version


def test_one_sentence_that_a_service_can_not_take_spoils_no_other() -> None:
    def answer(request: json_server.Request, earlier: Sequence[json_server.Request]) -> Answer:
        sentences = request.body["sentences"]
        return 500 if "bad" in sentences else 200, {"graphs": [DOG] * len(sentences)}

    with serve(answer) as service:
        graphs = quick(service.url, retries=0).parse(["a", "bad", "c"])
    assert [graph.status.value for graph in graphs] == ["ok", "failed", "ok"]
    assert "500" in graphs[1].reason


def test_service_as_a_file_of_its_own(tiny_model: Path, tmp_path: Path) -> None:
    copy = tmp_path / "serve_alone.py"
    source = Path(server.__file__).read_text(encoding="utf-8")
    copy.write_text(source, encoding="utf-8")
    assert "import compsim" not in source
    assert "from compsim" not in source
    command = [sys.executable, str(copy), "--model", str(tiny_model), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert f"serves {tiny_model.name}" in line
            parser = quick(line.split()[0])
            texts = ["the dog barks", "cat"]
            theirs, ours = parser.parse(texts), load("amrlib", model=tiny_model).parse(texts)
            assert [graph.nodes for graph in theirs] == [graph.nodes for graph in ours]
            assert [graph.reason for graph in theirs] == [graph.reason for graph in ours]
            assert parser.version.endswith(server.model_version(str(tiny_model)))
        finally:
            process.terminate()


def test_service_without_a_model_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert server.main(["--model", str(tmp_path)]) == 2
    assert server.MODELS in capsys.readouterr().err
