"""Executors by name, for the command line: engines that exist, each an optional dependency.

`dask://HOST:PORT` is the scheduler of a Dask cluster; `mpi` the processes of an MPI job, of which
the first one tunes and the others measure.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterator
from typing import Any

from fettle.core.errors import FettleError

DASK = "dask://"
MPI = "mpi"
CONNECT_SECONDS = 10


class ExecutorError(FettleError):
    """An executor cannot be had."""


@contextlib.contextmanager
def opened_executor(name: str | None) -> Iterator[tuple[Any, bool]]:
    """The executor of a name, and whether this process tunes: a worker of an MPI job does not.

    A worker comes to the block when there are no more jobs for it. Raises ExecutorError.
    """
    if name is None:
        yield None, True
    elif name.startswith(DASK):
        with _dask(name.removeprefix(DASK)) as executor:
            yield executor, True
    elif name == MPI:
        with _mpi() as executor:
            yield executor, executor is not None
    else:
        raise ExecutorError(
            f"there is no executor {name!r}; give dask://HOST:PORT or mpi, or pass any "
            "concurrent.futures.Executor to the tuner in the script"
        )


@contextlib.contextmanager
def _dask(address: str) -> Iterator[Any]:
    try:
        import distributed
    except ModuleNotFoundError:
        raise ExecutorError(
            "an executor of Dask needs the Python package distributed; install it here and on the "
            "workers: pip install 'fettle[dask]'"
        ) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the tuner reports failures
    try:
        connect: Any = distributed.Client
        client = connect(f"tcp://{address}", timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ExecutorError(
            f"the Dask scheduler at {address} cannot be reached ({_first_line(error)}); start it "
            "(dask scheduler) and its workers (dask worker), and check host, port and firewall"
        ) from None
    try:
        if not client.scheduler_info(n_workers=-1)["workers"]:
            raise ExecutorError(
                f"the Dask scheduler at {address} has no workers; start some: dask worker "
                f"{address} --nthreads 1"
            )
        yield client.get_executor(pure=False)
    finally:
        with contextlib.suppress(Exception):
            client.close(timeout=2)


@contextlib.contextmanager
def _mpi() -> Iterator[Any]:
    try:
        from mpi4py import MPI as mpi  # noqa: N811  # its name as a module
        from mpi4py.futures import MPICommExecutor
    except (ImportError, RuntimeError) as error:
        raise ExecutorError(
            f"an executor of MPI needs the Python package mpi4py and an MPI library "
            f"({_first_line(error)}); install them: pip install 'fettle[mpi]'"
        ) from None
    if mpi.COMM_WORLD.Get_size() < 2:
        raise ExecutorError(
            "an executor of MPI needs two processes at least, one that tunes and others that "
            "measure; start it as: mpiexec -n 3 fettle tune --executor mpi script.py"
        )
    with MPICommExecutor(mpi.COMM_WORLD, root=0) as executor:
        yield executor


def check_connection(executor: object) -> None:
    """Raises ExecutorError where a Dask executor has lost its scheduler and cannot reconnect.

    It would take jobs then that nothing ever answers. Executors of other kinds say so themselves.
    """
    client = _dask_client(executor)
    if client is None:
        return
    until = time.monotonic() + CONNECT_SECONDS
    while client.status == "connecting" and time.monotonic() < until:
        time.sleep(0.05)
    if client.status != "running":
        raise ExecutorError("the connection to the Dask scheduler is lost")


def has_no_workers(executor: object) -> bool:
    """Whether it is a Dask executor whose scheduler is there and has no workers any more."""
    client = _dask_client(executor)
    if client is None or client.status != "running":
        return False
    try:
        return not client.scheduler_info(n_workers=-1)["workers"]
    except Exception:  # the scheduler goes away just now
        return False


def worker_count(executor: object) -> int | None:
    """How many jobs the executor runs at a time; None where it does not say."""
    client = _dask_client(executor)
    if client is not None:
        with contextlib.suppress(Exception):  # the scheduler goes away just now
            workers = client.scheduler_info(n_workers=-1)["workers"].values()
            return sum(int(worker["nthreads"]) for worker in workers) or None
        return None
    count = getattr(executor, "_max_workers", None)  # of those of concurrent.futures
    return count if isinstance(count, int) and count > 0 else None


def _dask_client(executor: object) -> Any:
    client = getattr(executor, "_client", None)
    return client if type(client).__module__.startswith("distributed") else None


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
