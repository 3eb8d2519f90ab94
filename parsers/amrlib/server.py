"""A small HTTP service around an amrlib parser, for a parser that needs an environment of its own.

Run it where amrlib and the model are, and point ``AmrServerParser`` at it from anywhere::

    python -m compsim.parsers.amrlib.server --model model_parse_xfm_bart_large-v0_1_0 --port 8090

This file imports nothing of compsim and runs on Python 3.8, so it may be copied alone into another
environment (``python server.py --model ...``).  Another parser needs only the same two answers:

- ``POST /parse`` takes ``{"sentences": ["The dog barks."]}`` and answers
  ``{"graphs": ["(b / bark-01 :ARG0 (d / dog))"], "problems": [""]}``, both in the order of the
  sentences.  A graph is null where there is none; a problem says why, or what is wrong with it.
- ``GET /health`` answers ``{"status": "ok", "model": "...", "version": "..."}``, the version being
  another one whenever the output may be another one.

What cannot be answered gets ``{"error": "..."}`` with a status of 400, 404, 405, 411 or 413.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import re
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    Parsed = tuple[str | None, str]  # PENMAN or None, and what is wrong or ""

__all__ = ["MODELS", "main", "make_server", "model_folder", "model_version", "open_model", "parse"]

#: Where amrlib's models are listed.
MODELS = "https://github.com/bjascob/amrlib-models"
_LARGEST_REQUEST = 16 * 2**20  # bytes
#: What a model's files may name: amrlib would import any module, and call anything in it.
_PARSER = re.compile(r"\.parse_[a-z0-9_]+\.inference")


def model_folder(folder: str | os.PathLike[str] | None = None) -> str:
    """Return the model's folder, amrlib's own ``data/model_stog`` by default.

    Raises ImportError without amrlib, FileNotFoundError where no model is, both saying the mend.
    """
    if folder is None:
        from amrlib.defaults import data_dir

        folder = os.path.join(data_dir, "model_stog")
    folder = os.path.abspath(os.path.expanduser(os.fspath(folder)))
    # The very first model has its weights but no amrlib_meta.json.
    if not any(os.path.isfile(os.path.join(folder, n)) for n in ("amrlib_meta.json", "model.pt")):
        raise FileNotFoundError(
            f"there is no amrlib model in {folder}: download a parse model from {MODELS} and "
            "unpack it there, so that amrlib_meta.json lies in that folder"
        )
    return folder


def model_version(folder: str) -> str:
    """Return what the output depends on: amrlib, and the files of the model by name and size."""
    digest = hashlib.blake2b(digest_size=6)
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            digest.update(f"{name} {os.path.getsize(path)}\n".encode("utf-8", "surrogateescape"))
            if name.endswith(".json") and os.path.getsize(path) < 2**16:
                with open(path, "rb") as file:
                    digest.update(file.read())
    name = os.path.basename(os.path.realpath(folder))
    return f"amrlib-{metadata.version('amrlib')}/{name}-{digest.hexdigest()}"


def open_model(folder: str, device: str | None = None) -> Any:
    """Load the model with amrlib, on a GPU where there is one unless ``device`` says otherwise.

    A tokenizer in the model's folder is used; without one, amrlib fetches the one that the model
    names.  Raises OSError or ValueError for a folder that holds no sentence-to-graph model.
    """
    import amrlib

    options = {} if device is None else {"device": device}
    path = os.path.join(folder, "amrlib_meta.json")
    about = {}
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            about = json.load(file)
    if about.get("model_type", "stog") != "stog":
        raise ValueError(f"{folder} holds a {about['model_type']} model, not one that parses")
    named = [str(about.get(key, "")) for key in ("inference_module", "inference_class")]
    if about and not (_PARSER.fullmatch(named[0]) and named[1] == "Inference"):
        raise ValueError(f"{folder} names {'.'.join(named)[:80]!r}, which is no parser of amrlib")
    if os.path.isfile(os.path.join(folder, "tokenizer_config.json")):
        options["tok_name_or_path"] = folder
    return amrlib.load_stog_model(model_dir=folder, **options)


def parse(model: Any, sentences: Sequence[str]) -> list[Parsed]:
    """Return the graph of each sentence, and what is wrong with it or why there is none.

    amrlib makes its batches by itself; a call that fails is halved until the sentence at fault, or
    the batch that was too large for the memory, is alone.
    """
    texts = [" ".join(text.split()) for text in sentences]
    filled = [index for index, text in enumerate(texts) if text]
    results: list[Parsed] = [(None, "the sentence is empty")] * len(texts)
    for index, parsed in zip(filled, _halving(model, [texts[i] for i in filled])):  # noqa: B905
        results[index] = parsed
    return results


def _halving(model: Any, texts: list[str]) -> list[Parsed]:
    if not texts:
        return []
    try:
        graphs = model.parse_sents(texts, add_metadata=False)
        if len(graphs) != len(texts):
            raise ValueError(f"it gave {len(graphs)} graphs for {len(texts)} sentences")
        return [_judged(model, *pair) for pair in zip(texts, graphs)]  # noqa: B905
    except Exception as error:  # whatever a model does with a sentence
        if len(texts) == 1:
            why = " ".join(str(error).split()) or type(error).__name__
            return [(None, f"the parser failed ({why[:200]})")]
    middle = len(texts) // 2
    return _halving(model, texts[:middle]) + _halving(model, texts[middle:])


def _judged(model: Any, text: str, graph: str | None) -> Parsed:
    # An empty graph, "()", is how one of amrlib's models says that it has none.
    if graph is None or not graph.strip("() \n"):
        return None, "the parser made no well-formed graph"
    limit = getattr(model, "max_sent_len", None)  # tokens; amrlib drops the rest with a mere log
    if limit is not None and len(model.tokenizer(text)["input_ids"]) > limit:
        return graph, f"the parser reads only {limit} tokens, and the sentence is longer"
    return graph, ""


class _RequestError(Exception):
    """A request that cannot be answered, and the status that says so."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "compsim-amr/1"
    #: Seconds for a client to send its request, and again to take its answer: one that is
    #: silent, or drips, keeps no thread for longer.
    timeout = 60

    def setup(self) -> None:
        super().setup()
        # The time-outs of a socket begin anew with every byte, this one does not.
        self._late = threading.Timer(self.timeout, self._cut)
        self._late.daemon = True
        self._late.start()

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # the client has gone, or was too slow
            super().handle()

    def finish(self) -> None:
        self._late.cancel()
        with contextlib.suppress(OSError):
            super().finish()

    def _cut(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def do_GET(self) -> None:
        if self._path() == "/health":
            self._answer(200, {"status": "ok", **self.server.about})
        elif self._path() == "/parse":
            self._answer(405, {"error": "/parse takes POST with JSON"})
        else:
            self._unknown()

    def do_POST(self) -> None:
        if self._path() != "/parse":
            self._unknown()
            return
        try:
            sentences = self._sentences()
        except _RequestError as error:
            self.close_connection = True
            self._answer(error.status, {"error": str(error)})
            return
        self._late.cancel()  # a parse may take its time
        with self.server.one_at_a_time:
            parsed = parse(self.server.model, sentences)
        graphs, problems = [graph for graph, _ in parsed], [problem for _, problem in parsed]
        self._answer(200, {"graphs": graphs, "problems": problems})

    def _path(self) -> str:
        return self.path.partition("?")[0].rstrip("/")

    def _unknown(self) -> None:
        self._answer(404, {"error": "there is only POST /parse and GET /health"})

    def _sentences(self) -> list[str]:
        length = self.headers.get("Content-Length", "")
        # int() takes no more than some thousand digits.
        if not length.isdecimal() or len(length) > 18:
            raise _RequestError(411, "the request needs a Content-Length")
        if int(length) > _LARGEST_REQUEST:
            raise _RequestError(413, f"more than {_LARGEST_REQUEST} bytes: send fewer at once")
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError) as error:
            raise _RequestError(400, f"the body is not JSON ({error})") from error
        sentences = body.get("sentences") if isinstance(body, dict) else None
        if not isinstance(sentences, list) or not all(isinstance(s, str) for s in sentences):
            raise _RequestError(400, 'the body must be {"sentences": ["...", ...]}')
        return sentences

    def _answer(self, status: int, content: dict[str, Any]) -> None:
        raw = json.dumps(content).encode("ascii")
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)
        except OSError:
            self.close_connection = True  # the client has gone

    def log_message(self, format: str, *args: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    """Hands each request to a thread of its own; the model takes one at a time."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], model: Any, about: dict[str, str]) -> None:
        super().__init__(address, _Handler)
        self.model, self.about = model, about
        self.one_at_a_time = threading.Lock()


def make_server(model: Any, about: dict[str, str], host: str, port: int) -> ThreadingHTTPServer:
    """Return a server that parses one request at a time and answers ``/health`` meanwhile.

    ``about`` is the ``model`` and ``version`` that ``/health`` tells.  Port 0 takes a free one;
    raises OSError for a port that is taken.
    """
    return _Server((host, port), model, about)


def main(arguments: Sequence[str] | None = None) -> int:
    """Load the model, serve until interrupted, and return the exit status."""
    options = argparse.ArgumentParser(
        prog="compsim.parsers.amrlib.server", description="Serve an amrlib AMR parser."
    )
    options.add_argument("--model", help="folder of the model; amrlib's data/model_stog by default")
    options.add_argument("--host", default="127.0.0.1", help="0.0.0.0 answers other machines too")
    options.add_argument("--port", type=int, default=8090, help="0 takes a free one")
    options.add_argument("--device", help="such as cpu or cuda:1; a GPU by default if there is one")
    given = options.parse_args(arguments)
    try:
        folder = model_folder(given.model)
        about = {"model": os.path.basename(folder), "version": model_version(folder)}
        model = open_model(folder, given.device)
        server = make_server(model, about, given.host, given.port)
    except ImportError as error:
        why = f"amrlib can not be imported ({error}): run pip install amrlib unidecode"
        print(f"error: {why}", file=sys.stderr)
        return 2
    except (OSError, OverflowError, RuntimeError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"http://{given.host}:{server.server_address[1]} serves {about['model']}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
