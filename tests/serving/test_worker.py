"""A method that hangs, crashes, grows or raises: what clients see of it, and what the log has."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from odd_encoder import ENCODER, RAISED

pytest.importorskip("fastapi")
if not sys.platform.startswith("linux"):
    pytest.skip("reads /proc", allow_module_level=True)

from compsim.benchmarks.speed.service import Running, running
from compsim.errors import InputError
from compsim.serving import Settings, create_app
from compsim.serving.process import Answer
from compsim.serving.refusal import RefusedError
from compsim.serving.worker import Due, Task, Worker

#: What nobody else writes, to be looked for in the log.
SECRET = "Zyzzyva"
ODD = ("--method", "callable", "-o", f"function={ENCODER}", "--timeout", "2")


@pytest.fixture(scope="module")
def log_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("worker") / "service.log"


@pytest.fixture(scope="module")
def odd(log_file: Path) -> Iterator[Running]:
    memory = ("--max-memory", str(1024**3))
    with log_file.open("wb") as log, running(*ODD, *memory, log=log) as result:
        yield result


@pytest.fixture(autouse=True)
def _is_ready(request: pytest.FixtureRequest) -> None:
    """Whatever an earlier test did to it, the service has its process again."""
    if "odd" in request.fixturenames:
        service = request.getfixturevalue("odd")
        until(lambda: health(service) == "ok")


# To read the certificates, which plain HTTP does without, takes longer than a request.
def ask(service: Running, said: str) -> httpx.Response:
    asked = {"first": f"{SECRET} {said}.", "second": "A dog barks."}
    return httpx.post(f"{service.url}/v1/similarity", json=asked, timeout=60, verify=False)


def health(service: Running) -> str:
    return str(httpx.get(f"{service.url}/healthz", timeout=10, verify=False).json()["status"])


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 180  # a busy machine starts a process, with its models, in a minute
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def ends(service: Running, reason: str) -> float:
    text = httpx.get(f"{service.url}/metrics", verify=False).text
    (line,) = (line for line in text.splitlines() if f'worker_ends{{reason="{reason}"}}' in line)
    return float(line.rpartition(" ")[2])


def computing(service: Running) -> int:
    """The process that computes, of those of a service."""
    children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children")
    everywhere = children.parent.parent.glob("*/children")
    results = [int(pid) for path in everywhere for pid in path.read_text().split()]
    return min(results)


def test_a_request_that_hangs_is_given_up_and_others_go_on(odd: Running) -> None:
    before = ends(odd, "late")
    answers: list[httpx.Response] = []
    hanging = threading.Thread(target=lambda: answers.append(ask(odd, "Hang")))
    hanging.start()
    time.sleep(0.3)
    waiting = threading.Thread(target=lambda: answers.append(ask(odd, "waits")))
    waiting.start()
    seen = {health(odd)}  # while it hangs
    hanging.join()
    until(lambda: seen.add(health(odd)) or "restarting" in seen)  # type: ignore[func-returns-value]
    refused = ask(odd, "meanwhile")
    waiting.join()
    statuses = [answer.status_code for answer in answers]
    assert statuses in ([504, 503], [503, 504])
    assert "ok" in seen
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) >= 1
    assert "again" in refused.json()["message"]
    until(lambda: health(odd) == "ok")
    assert ask(odd, "after").status_code == 200
    assert ends(odd, "late") == before + 1


#: It takes 100 seconds, with a look at the clock after each five pairs: their texts are long.
NAPS = {
    "first": [f"Nap {i} {'x' * 1900}." for i in range(200)],
    "second": [f"{i} {'y' * 1900}." for i in range(200)],
}


def test_what_nobody_waits_for_is_not_begun_or_ends_after_its_step() -> None:
    worker = Worker(Settings(method="callable", options={"function": ENCODER}))
    worker.open()
    naps = json.dumps(NAPS).encode()
    tasks = [Task("similarity-pairwise", naps, Due.within(300)) for _ in range(3)]

    async def run() -> Answer:
        left = [asyncio.create_task(worker.run(task)) for task in tasks]
        while not tasks[0].counts and not left[0].done():  # it runs
            await asyncio.sleep(0.01)
        for one in left:
            one.cancel()
        assert await asyncio.gather(*left, return_exceptions=True)
        body = b'{"first": "A dog barks.", "second": "A dog barks."}'
        return await worker.run(Task("similarity", body, Due.within(60)))

    try:
        assert asyncio.run(run()).status == 200
    finally:
        worker.stop()
    assert [task.answer.cancelled() for task in tasks] == [False, True, True]
    assert tasks[0].answer.result().status == 499
    assert tasks[1].body == tasks[2].body == b""


def test_clients_that_have_left_delay_nobody(tmp_path: Path) -> None:
    log_file = tmp_path / "service.log"
    patient = (*ODD[:-1], "60", "--max-requests", "4")
    with log_file.open("wb") as log, running(*patient, log=log) as service:
        for _ in range(4):
            with pytest.raises(httpx.ReadTimeout):
                httpx.post(f"{service.url}/v1/similarity_pairwise", json=NAPS, timeout=0.5)
        assert ask(service, "next").status_code == 200
        until(lambda: log_file.read_text().count('"status": 499') == 4)
        counted = 'requests_total{method="POST",path="/v1/similarity_pairwise",status="499"} 4.0'
        assert counted in httpx.get(f"{service.url}/metrics", verify=False).text
    assert '"error"' not in log_file.read_text()


def test_a_request_that_crashes_the_process_is_told_so(odd: Running) -> None:
    answer = ask(odd, "Crash")
    assert answer.status_code == 500
    assert SECRET not in answer.text
    until(lambda: health(odd) == "ok")
    assert ask(odd, "after").status_code == 200


def test_a_process_that_is_killed_while_it_waits_is_started_again(odd: Running) -> None:
    os.kill(computing(odd), signal.SIGKILL)
    until(lambda: health(odd) == "restarting")
    until(lambda: health(odd) == "ok")
    assert ask(odd, "after").status_code == 200


def test_a_process_that_grows_is_replaced_and_nobody_notices(odd: Running) -> None:
    before, process = ends(odd, "grown"), computing(odd)
    for _ in range(2):
        assert ask(odd, "Grow").status_code == 200
    until(lambda: ask(odd, "next").status_code == 200 and ends(odd, "grown") > before)
    assert computing(odd) != process
    assert ask(odd, "after").status_code == 200


def test_a_request_that_needs_too_much_memory_is_refused(odd: Running) -> None:
    answer = ask(odd, "Burst")
    assert answer.status_code == 413
    assert "memory" in answer.json()["message"]
    assert ask(odd, "after").status_code == 200


@pytest.mark.parametrize("kind", RAISED)
def test_whatever_a_method_raises_ends_its_request_only(
    odd: Running, log_file: Path, kind: str
) -> None:
    answer = ask(odd, kind)
    assert answer.status_code == 500
    assert "mistake of its own" in answer.json()["message"]
    assert ask(odd, "after").status_code == 200
    name = answer.headers["X-Request-ID"]
    until(lambda: name in log_file.read_text())
    (line,) = (line for line in log_file.read_text().splitlines() if name in line)
    assert json.loads(line)["error"] == kind
    assert "odd_encoder.py" in json.loads(line)["at"][-1]


def test_every_line_of_the_log_is_json_without_a_text(odd: Running, log_file: Path) -> None:
    assert ask(odd, "Speak").status_code == 200
    assert ask(odd, "Crash").status_code == 500
    until(lambda: health(odd) == "ok")
    until(lambda: '"SIGABRT' in log_file.read_text() or '"exit": -6' in log_file.read_text())
    text = log_file.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert all({"time", "level", "message"} <= set(line) for line in lines)
    assert any(line.get("warning") == "UserWarning" for line in lines)
    assert SECRET not in text


def test_the_process_ends_with_the_service() -> None:
    with running(*ODD) as service:
        process = computing(service)
        service.process.kill()
        until(lambda: not Path(f"/proc/{process}").exists())


def test_options_that_cannot_be_sent_are_refused() -> None:
    with pytest.raises(InputError, match="cannot be sent"):
        create_app(Settings(method="callable", options={"function": lambda texts: texts}))


def test_what_cannot_be_opened_is_told_and_leaves_nothing() -> None:
    worker = Worker(Settings(options={"vectors": "no-such-file"}))
    for _ in range(2):
        with pytest.raises(Exception, match="no-such-file"):
            worker.open()
    assert worker.state.status == "failed"


def test_an_application_that_was_not_started_starts_with_its_first_request() -> None:
    app = create_app(Settings(method="callable", options={"function": ENCODER}))

    async def once() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            asked = {"first": "Dogs bark.", "second": "Dogs bark."}
            return await client.post("/v1/similarity", json=asked, timeout=60)

    async def lived() -> httpx.Response:
        async with app.router.lifespan_context(app):
            return await once()

    for ask_once in (once, once, lived, once, lived):  # each in a loop of its own
        assert asyncio.run(ask_once()).json()["scores"] == pytest.approx([1.0], abs=1e-6)
    app.state.worker.stop()


def test_a_task_that_had_not_begun_in_time_is_forgotten() -> None:
    worker = Worker(Settings(method="callable", options={"function": ENCODER}))
    worker.open()

    async def answers() -> list[object]:
        tasks = [
            Task("similarity", b'{"first": "Hang.", "second": "a"}', Due.within(0.5)),
            Task("similarity", b'{"first": "a", "second": "a"}', Due.within(0.5)),
        ]
        return list(await asyncio.gather(*map(worker.run, tasks), return_exceptions=True))

    while worker.state.status != "ok":
        time.sleep(0.01)
    hanging, waiting = asyncio.run(answers())
    worker.stop()  # though it hangs
    assert isinstance(hanging, RefusedError)
    assert isinstance(waiting, RefusedError)
    assert (hanging.status, waiting.status) == (504, 503)


def test_a_service_stops_though_a_request_hangs() -> None:
    with running(*ODD) as service:
        process = computing(service)
        hanging = threading.Thread(target=lambda: ask(service, "Hang"))
        hanging.start()
        time.sleep(0.3)
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(60) == 0
        hanging.join()
        assert not Path(f"/proc/{process}").exists()
