from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from compsim.kernels.locks import SharedLock


@contextmanager
def held(lock: SharedLock) -> Iterator[None]:
    """Another thread holds the lock."""
    taken, done = threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            taken.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait()
    try:
        yield
    finally:
        done.set()
        thread.join()


def enter(lock: SharedLock) -> None:
    with lock, lock:
        pass


def test_one_thread_at_a_time() -> None:
    lock, steps = SharedLock(), []

    def step(number: int) -> None:
        with lock:
            steps.append(number)
            threading.Event().wait(0.001)
            steps.append(number)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(step, range(20)))
    assert steps[::2] == steps[1::2]


def test_a_copy_is_open() -> None:
    lock = SharedLock()
    with held(lock):
        for twin in (copy.copy(lock), copy.deepcopy(lock), pickle.loads(pickle.dumps(lock))):
            assert twin is not lock
            enter(twin)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_finds_it_open() -> None:
    lock = SharedLock()
    with held(lock):
        child = multiprocessing.get_context("fork").Process(target=enter, args=(lock,))
        child.start()
        child.join(60)
        child.kill()
    assert child.exitcode == 0
