"""The futures of jobs on an executor: waiting for the first, and what is said of a lost one."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, cast

import pytest

from fettle.training.remote_futures import first_done, gone


def test_a_future_that_is_done_is_returned_without_the_others() -> None:
    done: Future[int] = Future()
    done.set_result(1)
    pending: Future[int] = Future()
    assert first_done([pending, done]) == [done]


def test_a_future_that_fails_counts_as_done() -> None:
    failed: Future[int] = Future()
    failed.set_exception(OSError("lost"))
    assert first_done([failed]) == [failed]


def test_waiting_ends_once_a_future_is_done() -> None:
    release = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        slow, quick = pool.submit(release.wait), pool.submit(time.sleep, 0.05)
        assert first_done([slow, quick]) == [quick]
        release.set()


def test_waiting_without_a_result_ends_after_a_second() -> None:
    began = time.monotonic()
    assert first_done([Future()]) == []
    assert 0.5 < time.monotonic() - began < 30


class Foreign:
    """A future of another library, which concurrent.futures cannot wait for."""

    def __init__(self, asked: int) -> None:
        self.asked = asked

    def done(self) -> bool:
        """True from the given question on."""
        self.asked -= 1
        return self.asked <= 0


def test_futures_of_other_libraries_are_asked_until_one_is_done() -> None:
    late, soon = Foreign(1000), Foreign(3)
    assert first_done(cast(Any, [late, soon])) == [soon]
    assert late.asked == 997


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (OSError("connection lost\nand more"), "OSError: connection lost"),
        (RuntimeError("  "), "RuntimeError"),
        (ValueError("x" * 300), f"ValueError: {'x' * 200}"),
    ],
)
def test_a_lost_worker_is_named_by_the_first_line_of_the_error(error: Exception, what: str) -> None:
    said = gone(error)
    assert f"has gone ({what});" in said
    assert "\n" not in said
