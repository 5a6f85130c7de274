"""Stores of measurements, and measuring on several workers: how much they take in a second.

    python benchmarks/common/record.py store -- python benchmarks/tuner/store/run.py

- insert, resume: samples into a store as a tuner keeps them, the records of one input at once; then
  all of them back, made comparable, as at the next start of the tuner. SQLite, and Redis where
  redis-server is installed.
- merge: runs of one store into another, and once more.
- workers: a program that sleeps is measured by one worker and by two, on one core each. It has one
  thread and takes nothing of the machine, so that the figure is what handing out inputs costs.

Each time stands beside the processor seconds of this process, which a busy machine changes little.
"""

import argparse
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import Manager
from os import sched_getaffinity, sched_setaffinity
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "benchmarks" / "common"), str(ROOT / "tests" / "python")]

from record import append_rows  # noqa: E402
from stand_in import StandIn  # noqa: E402

from fettle import Autotuner, CodeVariant  # noqa: E402
from fettle.core.progress import Silence  # noqa: E402
from fettle.store.base import Store  # noqa: E402
from fettle.store.contents import Row, Run, StoredRun  # noqa: E402
from fettle.store.merge import merge  # noqa: E402
from fettle.store.place import open_store  # noqa: E402
from fettle.store.sqlite import SqliteStore  # noqa: E402
from fettle.store.subject import InputKey, Offer, Subject  # noqa: E402
from fettle.training.session import measure_session  # noqa: E402

SUBJECT = Subject("/home/me/app", "f", "a processor, 2 cores", "metric=seconds")
VARIANTS = tuple(f"v{number}" for number in range(10))
SAMPLES, RUNS = 10, 10  # of a record; of an input
Line = dict[str, object]


class Clock:
    """Seconds, and processor seconds, since it was made."""

    def __init__(self) -> None:
        self._began, self._used = time.perf_counter(), time.process_time()

    def line(self, **what: object) -> Line:
        """What was done, with both times."""
        seconds = time.perf_counter() - self._began
        used = time.process_time() - self._used
        return {**what, "seconds": round(seconds, 3), "processor_seconds": round(used, 3)}


def insert(store: Store, inputs: int) -> None:
    """The records of each input at once."""
    store.set_offer(SUBJECT, Offer(VARIANTS, ("n",), "v0", "s", False, {}))
    for number in range(inputs):
        given = InputKey(f"input{number}", "")
        with store.together():
            store.add_call(SUBJECT, given, 0, {"n": float(number)}, {"n": 1e-6})
            for _ in range(RUNS):
                run = Run(host="host", fettle="0.1.0")
                for place, variant in enumerate(VARIANTS):
                    values = [1e-3 + 1e-6 * place + 1e-9 * one for one in range(SAMPLES)]
                    store.add_samples(SUBJECT, given, 0, variant, values, run)
            for variant in VARIANTS:
                store.add_verdict(SUBJECT, given, 0, variant, "measured")
            store.finish(SUBJECT, given, 1)


def insert_and_resume(kind: str, place: str, samples: int) -> list[Line]:
    """Into a store at `place`, and back."""
    inputs = samples // (SAMPLES * RUNS * len(VARIANTS))
    clock = Clock()
    with open_store(place) as store:
        insert(store, inputs)
    lines = [clock.line(case="insert", store=kind, samples=samples)]
    clock, count = Clock(), 0
    with open_store(place) as store:
        for given in store.inputs(SUBJECT):
            for example in store.examples(SUBJECT, given):
                count += sum(map(len, example.samples.values()))
    assert count == samples
    return [*lines, clock.line(case="resume", store=kind, samples=samples)]


def merged(kind: str, place: str, folder: Path, runs: int) -> list[Line]:
    """A file into a store that has as many other runs, and once more."""

    def fill(store: Store, name: str) -> None:
        for begin in range(0, runs, 1000):
            with store.together():
                for number in range(begin, min(begin + 1000, runs)):
                    given = InputKey(f"input{number % (runs // 10)}", "")
                    run = Run(guid=f"{name}{number}", host=name)
                    store.add_call(SUBJECT, given, 0, {"n": 1.0}, {"n": 1e-6})
                    row = Row(0, 0, "v0", "", (1e-3, 1e-3))
                    store.add_rows(SUBJECT, given, StoredRun(run, 1, [row]))

    lines: list[Line] = []
    with open_store(place) as into, SqliteStore(folder / f"other of {kind}") as other:
        fill(into, "here")
        fill(other, "there")
        for time_ in ("first", "second"):
            clock = Clock()
            found = merge(into, other)
            lines.append(
                clock.line(case=f"merge, {time_}", store=kind, runs=runs, new_runs=found.runs)
            )
        assert sum(into.starts(SUBJECT, given) for given in into.inputs(SUBJECT)) == 2 * runs
    return lines


def pin(cores: "Queue[int]") -> None:
    """Each worker takes one core."""
    sched_setaffinity(0, {cores.get()})


def workers(folder: Path, inputs: int) -> list[Line]:
    """One worker, and two, on one core each; what the store holds is the same."""
    lines: list[Line] = []
    held = []
    cores = sorted(sched_getaffinity(0))
    if len(cores) < 2:
        return []
    for count in (1, 2):
        place = folder / f"workers{count}"
        place.mkdir()
        StandIn(place, variants=["a", "b", "c"], features=["n"])
        names = [f"in{number:02}" for number in range(inputs)]
        for number, name in enumerate(names):
            call = {"features": {"n": number}, "variants": {"a": "slow", "b": "slow", "c": 1e-3}}
            (place / name).write_text(json.dumps({"calls": [call]}))
        with Manager() as manager:
            queue = manager.Queue()
            for core in cores[:count]:
                queue.put(core)
            with ProcessPoolExecutor(count, initializer=pin, initargs=(queue,)) as executor:
                made = Autotuner(
                    "app",
                    working_directory=place,
                    executor=executor,
                    display=Silence(),
                    report_directory=None,
                    comparing=None,
                )
                made.set_training_args(names)
                clock = Clock()
                measure_session(made.settings, [CodeVariant("f", 3)], Silence())
                lines.append(clock.line(case="workers", workers=count, inputs=inputs))
        with SqliteStore(place / "fettle.sqlite") as store:
            [subject] = store.subjects()
            known = [store.contents(subject, given) for given in store.inputs(subject)]
            held.append(
                sorted(
                    repr((one.calls, one.verdicts, [pair[0] for pair in one.features.values()]))
                    for one in known
                )
            )
    assert held[0] == held[1], set(held[0]) ^ set(held[1])
    return lines


@contextmanager
def redis_server(folder: Path) -> Iterator[str | None]:
    """The address of a server with an append-only file; None where there is none."""
    if shutil.which("redis-server") is None:
        yield None
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    words = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes"]
    server = subprocess.Popen(["redis-server", *words, "--dir", folder], stdout=subprocess.DEVNULL)
    try:
        time.sleep(1.0)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.kill()
        server.wait()


def main() -> None:
    """Measures and records."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--samples", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--inputs", type=int, default=24, help="that workers measure")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fettle-") as name:
        folder = Path(name)
        lines = workers(folder, options.inputs)
        lines += insert_and_resume("sqlite", str(folder / "sqlite"), options.samples)
        lines += merged("sqlite", str(folder / "into"), folder, options.runs)
        with redis_server(folder) as address:
            if address is not None:
                lines += insert_and_resume("redis", address, options.samples)
                lines += merged("redis", address.replace("/0", "/1"), folder, options.runs)
    for line in lines:
        print(json.dumps(line))
    append_rows(lines)


if __name__ == "__main__":
    main()
