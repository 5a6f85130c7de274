"""Stores of measurements, and measuring on several workers: how much they take in a second.

    python benchmarks/common/record.py store -- python benchmarks/tuner/store/run.py

- insert, resume: samples into a store as a tuner keeps them, the records of one input at once; then
  all of them back, made comparable, as at the next start of the tuner. SQLite, and Redis where
  redis-server is installed.
- merge: runs of one store into another, and once more.
- workers: a program is measured by one Dask worker and by two, on one core each: one that sleeps,
  so that the figure is what handing out inputs costs, and one that sorts, in one thread.

Each time stands beside the processor seconds of this process, which a busy machine changes little.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "benchmarks" / "common"), str(ROOT / "tests" / "python")]

from dask_workers import executor_on  # noqa: E402
from record import append_rows  # noqa: E402
from stand_in import StandIn  # noqa: E402

from fettle import Autotuner, CodeVariant  # noqa: E402
from fettle.autotuner import Arguments  # noqa: E402
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


def held(database: Path) -> list[str]:
    """What a tuner's store knows of its inputs, times aside."""
    with SqliteStore(database) as store:
        [subject] = store.subjects()
        known = [store.contents(subject, given) for given in store.inputs(subject)]
        return sorted(
            repr((one.calls, one.verdicts, [pair[0] for pair in one.features.values()]))
            for one in known
        )


def sleeping(place: Path, inputs: int) -> Autotuner:
    """A program that sleeps in place of computing: what remains is the cost of handing out."""
    StandIn(place, variants=["a", "b", "c"], features=["n"])
    names = [f"in{number:02}" for number in range(inputs)]
    for number, name in enumerate(names):
        call = {"features": {"n": number}, "variants": {"a": "slow", "b": "slow", "c": 1e-3}}
        (place / name).write_text(json.dumps({"calls": [call]}))
    return tuner_of("app", place, names)


def sorting(place: Path, inputs: int) -> Autotuner:
    """The program of examples/first: it computes on its core, in one thread."""
    source = ROOT / "examples" / "first" / "sort.cpp"
    flags = ["-std=c++20", "-O2", f"-I{ROOT / 'include'}"]
    subprocess.run(
        [os.environ.get("FETTLE_CXX", "c++"), *flags, source, "-o", place / "sort"], check=True
    )
    return tuner_of("sort", place, [[str(40_000 + 500 * one), "random"] for one in range(inputs)])


def tuner_of(program: str, place: Path, inputs: Sequence[Arguments]) -> Autotuner:
    """A tuner of one function that keeps everything in its folder."""
    made = Autotuner(program, working_directory=place, report_directory=None, comparing=None)
    made.set_training_args(inputs)
    return made


def workers(folder: Path, inputs: int) -> list[Line]:
    """One Dask worker, and two, on one core each; what the store holds is the same."""
    lines: list[Line] = []
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        return []
    for function, make in {"f": sleeping, "sort": sorting}.items():
        place = folder / make.__name__
        place.mkdir()
        made = make(place, inputs)
        known = []
        for count in (1, 2):
            settings = replace(made.settings, database=Path(f"{count}.sqlite"))
            with executor_on(cores[:count]) as executor:
                clock = Clock()
                measure_session(
                    replace(settings, executor=executor), [CodeVariant(function)], Silence()
                )
                lines.append(
                    clock.line(case=f"workers, {make.__name__}", workers=count, inputs=inputs)
                )
            known.append(held(place / settings.database))
        assert known[0] == known[1], set(known[0]) ^ set(known[1])
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
    parser.add_argument("--inputs", type=int, default=40, help="that workers measure")
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
