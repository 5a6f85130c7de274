"""Processor seconds of a compilation, which other programs disturb less than the wall clock."""

import os
import resource
import subprocess
from collections.abc import Sequence
from pathlib import Path


def compile_seconds(command: Sequence[str], source: Path) -> float:
    """Of compiling `source` to an object file by `command`, in user and system mode."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command, "-c", str(source), "-o", os.devnull], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
