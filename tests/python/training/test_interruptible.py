"""An interrupted session says how to go on; logs stay only where an error names them."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from fettle.core.progress import Silence
from fettle.training.interruptible import interruptible, log_folder
from fettle.training.log import LogError


class Heard(Silence):
    """A display that keeps what it is given."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.ends = 0

    def say(self, text: str) -> None:
        self.said.append(text)

    def end(self) -> None:
        self.ends += 1


def test_an_interrupt_says_how_to_go_on_and_goes_on_its_way() -> None:
    display = Heard()
    with pytest.raises(KeyboardInterrupt), interruptible(display, "db.sqlite"):
        raise KeyboardInterrupt
    (said,) = display.said
    assert said.startswith("stopped; everything measured so far is in db.sqlite. Run the same")
    assert display.ends == 2, "before the message, and at the end"


def test_sigterm_ends_the_session_like_ctrl_c_and_is_given_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    display = Heard()
    with pytest.raises(SystemExit) as ended, interruptible(display, "db"):
        os.kill(os.getpid(), signal.SIGTERM)
        signal.sigtimedwait([], 5)  # the handler runs in the main thread, at the latest here
    assert ended.value.code == 128 + signal.SIGTERM
    assert len(display.said) == 1
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_session_that_ends_says_nothing() -> None:
    display = Heard()
    with interruptible(display, "db"):
        pass
    assert (display.said, display.ends) == ([], 1)


def test_logs_stay_where_an_error_names_them() -> None:
    with log_folder() as folder:
        (folder / "log").write_text("")
    assert not folder.exists()
    named: list[Path] = []
    with pytest.raises(LogError), log_folder() as folder:
        named.append(folder)
        raise LogError("line 3 of the log is broken")
    assert named[0].is_dir()
    shutil.rmtree(named[0])
