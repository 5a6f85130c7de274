"""Does one job of a tuner on the machine that an executor has chosen for it.

The worker keeps nothing: what it measures goes into a store in memory, and from there back to the
tuner. It refuses a job that it cannot do as the tuner means it, with the reason: the job is then
given to another worker.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.core.version import __version__
from fettle.processes.exclusive import DeviceBusyError, cpu_set, exclusive, visible_gpus
from fettle.store.plain import plain_of
from fettle.store.rows import offer_text
from fettle.store.sqlite import SqliteStore
from fettle.training.measure import Measurer
from fettle.training.program import Input, InputError, Program, ProgramError
from fettle.training.remote_job import input_of, measurer_of, put_known
from fettle.training.scratch import scratch_folder
from fettle.training.subject import machine_name


class RefusedError(FettleError):
    """This worker cannot do the job as the tuner means it; another one may."""


def describe(_: int = 0) -> dict[str, Any]:
    """What a worker is: host, machine, cores, GPUs, version and clock."""
    return {
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "machine": _machine(),
        "cpus": cpu_set(),
        "gpus": list(visible_gpus()),
        "fettle": __version__,
        "time": time.time(),
    }


@lru_cache(maxsize=1)
def _machine() -> str:
    return machine_name()


def do_job(job: dict[str, Any]) -> dict[str, Any]:
    """Measures an input; the answer says how that ended, and all that is known of it then."""

    def work(measurer: Measurer, given: Input) -> dict[str, Any]:
        match job["want"]:
            case "probe":
                measurer.probe(given)
            case "call":
                measurer.measure_call(given, job["call"])
            case want:
                measurer.measure(given, want)
        return {}

    return answer_to(job, work)


def answer_to(
    job: dict[str, Any], work: Callable[[Measurer, Input], dict[str, Any]]
) -> dict[str, Any]:
    """Does a job about an input by `work`, which returns what else the answer is to have."""
    worker = describe()
    answer: dict[str, Any] = {"status": "done", "message": "", "worker": worker, "contents": None}
    try:
        check_version(job)
        _check_machine(job, worker)
        _check_program(job)
        with exclusive(worker["cpus"], worker["gpus"]):
            _measure(job, answer, work)
    except (RefusedError, DeviceBusyError) as error:
        answer.update(status="refused", message=f"{worker['host']}: {error}")
    return answer


def _measure(
    job: dict[str, Any],
    answer: dict[str, Any],
    work: Callable[[Measurer, Input], dict[str, Any]],
) -> None:
    given = input_of(job)
    with SqliteStore(Path(":memory:")) as store, scratch_folder() as logs:
        measurer = measurer_of(job, store, logs, Silence())
        gpus = answer["worker"]["gpus"]
        measurer.device = gpus[0] if len(gpus) == 1 else ""
        key = measurer.key(given)
        if key.content != job["content"]:
            raise RefusedError(
                f"the files that the input {given.name} names are missing there, or are not those "
                f"of the tuner (in {measurer.program.directory}); copy them there"
            )
        put_known(job, store, key)
        for name, value in job.get("notes", {}).items():
            store.set_note(name, value)
        measurer.offer = store.offer(measurer.subject)
        try:
            answer.update(work(measurer, given))
        except InputError as error:
            answer.update(status="input", message=str(error))
        except FettleError as error:
            answer.update(status="program", message=str(error))
        offer = store.offer(measurer.subject)
        answer.update(
            contents=plain_of(store.contents(measurer.subject, key)),
            offer=None if offer is None or not measurer.offer_is_current else offer_text(offer),
            warnings=list(measurer.warnings),
            spent=dict(vars(measurer.spent)),
            notes=store.notes(),
        )


def check_version(job: dict[str, Any]) -> None:
    """Raises RefusedError where the tuner has another version of Fettle."""
    if job["fettle"] != __version__:
        raise RefusedError(
            f"the worker has Fettle {__version__}, the tuner {job['fettle']}; install the same "
            "version there"
        )


def _check_machine(job: dict[str, Any], worker: dict[str, Any]) -> None:
    wanted = job.get("machine")
    if wanted is not None and wanted != worker["machine"]:
        raise RefusedError(
            f"the worker is another machine ({worker['machine']}) than the one that is tuned for "
            f"({wanted}); their times are not mixed"
        )


def _check_program(job: dict[str, Any]) -> None:
    asked = job["program"]
    program = Program(
        asked["name"], Path(asked["directory"]), tuple(asked["prefix"]), asked["environment"]
    )
    try:
        fingerprint = program.fingerprint()
    except ProgramError as error:
        raise RefusedError(
            f"{error}. The tuner's folder has to be there, too, with the program"
        ) from None
    if fingerprint != asked["fingerprint"]:
        raise RefusedError(
            f"the program {program.path()} is another build than the tuner's; copy it there"
        )
