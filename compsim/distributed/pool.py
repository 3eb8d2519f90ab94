"""Shards handed to workers: actors of Ray Data, each of which opens the method once.

Only names of shards go through Ray's store. An actor has one shard in hand and one waiting, so
memory does not grow with the corpus (back-pressure); where an actor dies, Ray starts another and
gives it the same shards.
"""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from compsim import errors
from compsim.distributed.shards import Shard
from compsim.distributed.work import Job
from compsim.errors import CompsimError, DataError
from compsim.missing import missing

__all__ = ["in_this_process", "on_ray"]

#: Bytes of Ray's own store on a machine that it is started on: names of shards need no more.
_STORE: Final = 100_000_000
#: How often Ray is started: it gives its own processes 15 seconds, too few on a busy machine.
_ATTEMPTS: Final = 3


def in_this_process(job: Job, shards: Sequence[Shard]) -> Iterator[tuple[int, int]]:
    """Do shards one after another: the number of each, and how many of its documents failed."""
    for i, shard in enumerate(shards):
        yield i, job.run(shard)


def on_ray(
    job: Job, shards: Sequence[Shard], workers: int, cores: float, address: str | None
) -> Iterator[tuple[int, int]]:
    """The same by so many workers, in the order in which shards are done.

    A Ray that runs in this process, or that ``address`` or ``RAY_ADDRESS`` names, is used; else one
    is started on this machine, bound to the loopback address, and stopped at the end. Raises
    ``MissingExtraError`` without Ray, and what ``Job.run`` raises, by its message.
    """
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise missing("ray (or workers=0)", "distributed", error) from error

    with _started(ray, workers, cores, address), _quiet(ray):
        numbers = [{"number": i} for i in range(len(shards))]
        done = ray.data.from_items(numbers, override_num_blocks=len(numbers)).map(
            _Worker,
            # As bytes, or Ray would make the method again in this process too.
            fn_constructor_args=(ray.cloudpickle.dumps(job), list(shards)),
            num_cpus=cores,
            compute=ray.data.ActorPoolStrategy(
                size=min(workers, len(shards)), max_tasks_in_flight_per_actor=2
            ),
        )
        try:
            for result in done.iter_rows():
                if result["error"]:
                    kind = getattr(errors, result["kind"], DataError)
                    raise kind(result["error"])
                yield int(result["number"]), int(result["failed"])
        except ray.exceptions.RayError as error:
            raise DataError(
                f"Ray gave up ({error}): see its logs; what is done stays, run it again for the "
                "rest"
            ) from error


class _Worker:
    """An actor: unpickling the job makes its method, once."""

    def __init__(self, job: bytes, shards: list[Shard]) -> None:
        self.job: Job = pickle.loads(job)
        self.shards = shards

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        failed, kind, said = 0, "", ""
        try:
            failed = self.job.run(self.shards[row["number"]])
        except CompsimError as error:  # told in our own words, not in a trace of Ray's
            kind, said = type(error).__name__, str(error)
        return {"number": row["number"], "failed": failed, "kind": kind, "error": said}


@contextmanager
def _started(ray: Any, workers: int, cores: float, address: str | None) -> Iterator[None]:
    """A Ray that runs, stopped at the end where it was started or reached here."""
    if ray.is_initialized():
        yield
        return
    options: dict[str, Any] = {"logging_level": logging.WARNING, "log_to_driver": False}
    if address is None and not os.environ.get("RAY_ADDRESS"):
        address = "local"
        options |= {
            "num_cpus": max(1, round(workers * cores)),
            "include_dashboard": False,
            "object_store_memory": _STORE,
            "_node_ip_address": "127.0.0.1",
        }
    try:
        _start(ray, _ATTEMPTS if address == "local" else 1, address=address, **options)
        yield
    finally:
        ray.shutdown()


def _start(ray: Any, attempts: int, **options: Any) -> None:
    """Start Ray or reach it. Raises ``DataError`` where it does not start."""
    for attempt in range(attempts):
        try:
            with _environment(RAY_USAGE_STATS_ENABLED="0"), _loopback(options):
                ray.init(**options)
            return
        except Exception as error:  # Ray raises Exception itself where its processes are late
            ray.shutdown()
            if attempt == attempts - 1:
                raise DataError(
                    f"Ray does not start ({error}): see its logs, or use workers=0"
                ) from error


@contextmanager
def _quiet(ray: Any) -> Iterator[None]:
    """No bars and no news of Ray Data: a library does not print."""
    context, log = ray.data.DataContext.get_current(), logging.getLogger("ray.data")
    before = context.enable_progress_bars, log.level
    context.enable_progress_bars = False
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        context.enable_progress_bars = before[0]
        log.setLevel(before[1])


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    """Environment variables, for the processes that are started meanwhile."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _loopback(options: Mapping[str, Any]) -> Iterator[None]:
    """Keep the loopback address that the options name, if they do.

    Ray keeps it on macOS and Windows only, and elsewhere listens on the network for machines that
    might join; which of the two is a constant of its own.
    """
    constants = import_module("ray._private.ray_constants")
    before = getattr(constants, "ENABLE_RAY_CLUSTER", None)
    if before is None or "_node_ip_address" not in options:
        yield
        return
    constants.ENABLE_RAY_CLUSTER = False  # type: ignore[attr-defined]
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = before  # type: ignore[attr-defined]
