"""Dask workers on this machine, one process a core: the executor that these benchmarks measure."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from distributed import Client, LocalCluster


@contextmanager
def executor_on(cores: Sequence[int]) -> Iterator[Any]:
    """The executor of a cluster with one worker on each of the cores."""
    with (
        LocalCluster(
            n_workers=0, processes=True, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        words = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address]
        words += ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        workers = [
            subprocess.Popen(
                ["taskset", "-c", str(core), *words],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for core in cores
        ]
        try:
            client.wait_for_workers(len(cores), timeout=60)
            yield client.get_executor(pure=False)
        finally:
            for one in workers:
                one.kill()
                one.wait()
