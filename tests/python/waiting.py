"""Waiting for what other processes do, for as long as a busy machine may take."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300.0  # seconds; what takes longer will not come


def wait_for(what: Callable[[], bool]) -> None:
    """Looks again and again until it is so."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, f"it did not come to that within {PATIENCE} s"
        time.sleep(0.01)
