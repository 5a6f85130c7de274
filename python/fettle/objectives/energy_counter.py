"""Writes an energy counter for programs in training: zeus, or whatever else knows joules in Python.

    from fettle.objectives.energy_counter import write_counter, zeus_joules

    write_counter("/tmp/joules", zeus_joules(gpu=0))    # until it is interrupted

A program that is tuned with meters="energy" and FETTLE_ENERGY_COUNTER=/tmp/joules reads it as
`fettle::file_sensor`.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from os import PathLike
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.core.written_file import write_whole


def zeus_joules(gpu: int = 0) -> Callable[[], float]:
    """The energy counter of a GPU as zeus (PyPI: zeus) reads it, in joules.

    Raises FettleError where zeus is not installed.
    """
    try:
        device = importlib.import_module("zeus.device")
    except ImportError as error:
        raise FettleError(f"zeus cannot be imported ({error}); pip install zeus") from None
    gpus = device.get_gpus()
    return lambda: float(gpus.get_total_energy_consumption(gpu)) / 1e3


def write_counter(
    path: str | PathLike[str],
    joules: Callable[[], float],
    interval: float = 0.1,
    times: int | None = None,
) -> None:
    """Replaces the file by the present joules every `interval` seconds, so many times or for ever.

    A reader never sees half of a number.
    """
    left = times
    while left is None or left > 0:
        write_whole(Path(path), f"{joules()!r}\n".encode())
        left = None if left is None else left - 1
        if left != 0:
            time.sleep(interval)
