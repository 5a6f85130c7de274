"""Executors by name: what is told where one cannot be had."""

from __future__ import annotations

import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from fettle.training import remote_jobs
from fettle.training.executors import (
    ExecutorError,
    check_connection,
    has_no_workers,
    opened_executor,
    worker_count,
)
from fettle.training.remote_worker import describe


def test_without_a_name_this_process_measures() -> None:
    with opened_executor(None) as (executor, tunes):
        assert (executor, tunes) == (None, True)


@pytest.mark.parametrize("name", ["threads", "", "dask:/here"])
def test_an_unknown_name_is_refused(name: str) -> None:
    with (
        pytest.raises(ExecutorError, match=f"there is no executor {name!r}"),
        opened_executor(name),
    ):
        raise AssertionError


@pytest.mark.parametrize(
    ("name", "package", "told"),
    [
        ("dask://here:1", "distributed", r"package distributed.*pip install 'fettle\[dask\]'"),
        ("mpi", "mpi4py", r"package mpi4py.*pip install 'fettle\[mpi\]'"),
    ],
)
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str, told: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ExecutorError, match=told), opened_executor(name):
        raise AssertionError


class Client:
    """A client of a Dask scheduler with so many workers."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.asked: list[str] = []
        self.closed = False

    def __call__(self, address: str, **_: Any) -> Client:
        self.asked.append(address)
        return self

    def scheduler_info(self, **_: Any) -> dict[str, Any]:
        return {"workers": ["worker"] * self.workers}

    def get_executor(self, **_: Any) -> str:
        return "its executor"

    def close(self, **_: Any) -> None:
        self.closed = True


def put(monkeypatch: pytest.MonkeyPatch, client: Any) -> None:
    module = ModuleType("distributed")
    module.Client = client  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "distributed", module)


def test_a_scheduler_with_workers_is_used_and_left(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(2)
    put(monkeypatch, client)
    with opened_executor("dask://lab:8786") as (executor, tunes):
        assert (executor, tunes, client.closed) == ("its executor", True, False)
    assert (client.asked, client.closed) == (["tcp://lab:8786"], True)


def test_a_scheduler_without_workers_says_how_to_start_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client(0)
    put(monkeypatch, client)
    with (
        pytest.raises(ExecutorError, match="no workers; start some: dask worker lab:8786"),
        opened_executor("dask://lab:8786"),
    ):
        raise AssertionError
    assert client.closed


def test_a_scheduler_that_cannot_be_reached_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("timed out\nafter 10 s")

    put(monkeypatch, refuse)
    with (
        pytest.raises(ExecutorError, match=r"lab:8786 cannot be reached \(timed out\); start it"),
        opened_executor("dask://lab:8786"),
    ):
        raise AssertionError


def test_a_scheduler_that_is_lost_takes_no_more_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lost:
        __module__ = "distributed.client"

        def __init__(self, *states: str) -> None:
            self.states = list(states)

        @property
        def status(self) -> str:
            return self.states.pop(0) if len(self.states) > 1 else self.states[0]

    client = Lost("connecting", "connecting", "closed")
    with pytest.raises(ExecutorError, match="the connection to the Dask scheduler is lost"):
        check_connection(SimpleNamespace(_client=client))
    client.states = ["connecting", "running"]
    check_connection(SimpleNamespace(_client=client))
    check_connection(SimpleNamespace(_client="of another kind"))
    check_connection(object())


def test_a_scheduler_whose_workers_have_gone_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Client:
        __module__ = "distributed.client"
        status = "running"
        future: Future[dict[str, Any]]

        def scheduler_info(self, n_workers: int) -> dict[str, Any]:
            self.future.set_result({"status": "done", "worker": describe()})  # one has come
            return {"workers": {}}

    client = Client()

    def submit(*_: object) -> Future[dict[str, Any]]:
        client.future = Future()
        return client.future

    monkeypatch.setattr(remote_jobs, "QUIET_SECONDS", 0.0)
    said: list[str] = []
    executor = SimpleNamespace(_client=client, submit=submit)
    pool = remote_jobs.JobPool(executor, said.append)
    [(name, _)] = pool.each(describe, ["x"], lambda _: {})  # type: ignore[arg-type]
    assert (name, said) == ("x", [remote_jobs.NO_WORKERS])
    assert not has_no_workers(object())


def test_workers_are_counted_where_the_executor_says_how_many() -> None:
    class Client:
        __module__ = "distributed.client"
        status = "running"

        def scheduler_info(self, n_workers: int) -> dict[str, Any]:
            return {"workers": {"a": {"nthreads": 1}, "b": {"nthreads": 2}}}

    assert worker_count(SimpleNamespace(_client=Client())) == 3
    with ThreadPoolExecutor(5) as executor:
        assert worker_count(executor) == 5
    assert worker_count(object()) is None


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_no_more_jobs_are_given_than_asked(at_once: int) -> None:
    running = most = 0

    def work(_: dict[str, Any]) -> dict[str, Any]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        time.sleep(0.01)
        running -= 1
        return {"status": "done", "worker": describe()}

    with ThreadPoolExecutor(8) as executor:
        pool = remote_jobs.JobPool(executor, print)
        names = [str(number) for number in range(6)]
        found = [name for name, _ in pool.each(work, names, lambda _: {}, at_once=at_once)]
    assert sorted(found) == names
    assert most <= at_once


def test_a_job_of_one_process_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    package, futures = ModuleType("mpi4py"), ModuleType("mpi4py.futures")
    package.MPI = SimpleNamespace(  # type: ignore[attr-defined]
        COMM_WORLD=SimpleNamespace(Get_size=lambda: 1)
    )
    futures.MPICommExecutor = None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mpi4py", package)
    monkeypatch.setitem(sys.modules, "mpi4py.futures", futures)
    with pytest.raises(ExecutorError, match="needs two processes at least"), opened_executor("mpi"):
        raise AssertionError
