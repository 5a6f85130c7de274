"""What holds while a session measures: where logs go, and how Ctrl-C ends it."""

from __future__ import annotations

import contextlib
import signal
import threading
import types
from collections.abc import Iterator
from pathlib import Path

from fettle.core.progress import Display
from fettle.training.log import LogError
from fettle.training.scratch import keep, remove_abandoned, scratch_folder


@contextlib.contextmanager
def log_folder() -> Iterator[Path]:
    """A folder for training logs; it stays only where a message names a log in it."""
    remove_abandoned()
    with scratch_folder() as folder:
        try:
            yield folder
        except LogError:
            keep(folder)
            raise


@contextlib.contextmanager
def interruptible(display: Display, store: str) -> Iterator[None]:
    """Ctrl-C and SIGTERM give the terminal back and say how to go on."""

    def stop(number: int, _: types.FrameType | None) -> None:
        raise SystemExit(128 + number)

    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, stop) if is_main else None
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        display.end()
        display.say(
            f"stopped; everything measured so far is in {store}. Run the same script again to "
            "go on from there"
        )
        raise
    finally:
        display.end()
        if is_main:
            signal.signal(signal.SIGTERM, before)
