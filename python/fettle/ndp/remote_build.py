"""Builds shards on the workers of an executor, each by a separate Ninja in the shard's folder.

The build directory has to be on a file system that the workers share with the tuner.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fettle.core.errors import FettleError
from fettle.core.progress import Display, Silence
from fettle.core.version import __version__
from fettle.ndp.ninja_run import Step, run_steps
from fettle.processes.exclusive import exclusive
from fettle.training.build import BuildError
from fettle.training.executors import worker_count
from fettle.training.remote_jobs import AT_ONCE, Executor
from fettle.training.remote_pool import Pool
from fettle.training.remote_worker import RefusedError, check_version, describe


def run_parts(
    executor: Executor, parts: Mapping[str, Sequence[Step]], *, what: str, display: Display
) -> dict[Path, str]:
    """Brings the outputs of all parts up to date, as `run_steps` does those of one.

    A part is done by one worker. Returns what failing commands printed, by output. Raises
    BuildError where a worker's files are not seen here, and LostError.
    """
    pool = Pool(executor, display.say)
    failed: dict[Path, str] = {}
    if parts:
        display.begin(what, len(parts), "part")
    try:
        jobs = {name: _job(name, steps) for name, steps in parts.items()}
        # No more than there are workers: a scheduler would queue a long part behind another one.
        at_once = worker_count(executor) or AT_ONCE
        for name, answer in pool.each(build_job, list(jobs), jobs.__getitem__, at_once=at_once):
            host = answer["worker"]["host"]
            pool.done[host] += 1
            failed |= {Path(output): said for output, said in answer["failed"].items()}
            if answer["status"] == "program":
                raise BuildError(f"{name} on {host}: {answer['message']}")
            for step in parts[name]:
                is_made = step.output.exists()
                if not is_made and not any(one.output in failed for one in parts[name]):
                    raise BuildError(
                        f"{host} has built {step.output}, which is not seen here: the build "
                        "directory has to be on a file system that all machines share "
                        "(--build-directory)"
                    )
            display.input(f"{name} (on {host})")
            display.advance()
    finally:
        display.end()
    if pool.done:
        display.say(pool.summary("part").replace("measured", "built", 1))
    return failed


def _job(name: str, steps: Sequence[Step]) -> dict[str, Any]:
    return {
        "fettle": __version__,
        "name": name,
        "folder": str(steps[0].output.parent),
        "steps": [
            {
                "output": str(step.output),
                "command": [str(word) for word in step.command],
                "inputs": [[str(path), _size(path)] for path in step.inputs],
                "what": step.what,
                "lists_files": step.lists_files,
                "but": step.but,
            }
            for step in steps
        ],
    }


def build_job(job: dict[str, Any]) -> dict[str, Any]:
    """What a worker does: one part, with one compiler at a time."""
    worker = describe()
    answer: dict[str, Any] = {"status": "done", "message": "", "worker": worker, "failed": {}}
    try:
        check_version(job)
        _check_files(job)
        steps = [
            Step(
                output=Path(one["output"]),
                command=one["command"],
                inputs=[Path(path) for path, _ in one["inputs"]],
                what=one["what"],
                lists_files=one["lists_files"],
                but=one["but"],
            )
            for one in job["steps"]
        ]
        with exclusive(worker["cpus"], []):  # compiling would disturb those who measure
            failed = run_steps(
                Path(job["folder"]), steps, jobs=1, what=job["name"], display=Silence()
            )
        answer["failed"] = {str(output): said for output, said in failed.items()}
    except RefusedError as error:
        answer.update(status="refused", message=f"{worker['host']}: {error}")
    except FettleError as error:
        answer.update(status="program", message=str(error))
    return answer


def _check_files(job: dict[str, Any]) -> None:
    outputs = {one["output"] for one in job["steps"]}
    for one in job["steps"]:
        compiler = one["command"][0]
        if shutil.which(compiler) is None:
            raise RefusedError(
                f"the worker lacks the compiler {compiler}; install it there, or put it on the "
                "PATH of the worker"
            )
        for path, size in one["inputs"]:
            if path not in outputs and size is not None and _size(Path(path)) != size:
                raise RefusedError(
                    f"the worker lacks {path}, or has another one; the sources and the build "
                    "directory have to be on a file system that all machines share"
                )


def _size(path: Path) -> int | None:
    try:
        return os.stat(path).st_size  # noqa: PTH116  # of any file system
    except OSError:
        return None
