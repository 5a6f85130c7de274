"""How a start of the program ended: which inputs fail, and what is said of it."""

from __future__ import annotations

import signal
from dataclasses import replace

import pytest

from fettle.training.ended import Ended
from fettle.training.record import Header
from fettle.training.run import Ending

HEADER = Header("f", ("a", "b"), ("n",), "a", "s", False, {}, "app")
ENDING = Ending("exit", 0, None, HEADER, 1.0, "one line\nanother")
ENDED = Ended("f", "in 1", ["./app", "in 1"], ENDING)
COMMAND = "./app 'in 1'"


def ended(**changes: object) -> Ended:
    return replace(ENDED, ending=replace(ENDING, **changes))  # type: ignore[arg-type]


def test_a_start_that_measured_calls_is_no_failure() -> None:
    assert ENDED.failure(1) is None
    assert not ENDING.died


def test_a_program_that_called_nothing() -> None:
    assert ENDED.failure(0) == (
        f"in 1: the program never called 'f' in a way that could be measured (command: {COMMAND})"
    )


def test_a_program_without_the_function() -> None:
    said = ended(header=None).failure(0)
    assert said is not None
    assert said.startswith("in 1: the program ended without calling a tuned function named 'f'. ")
    assert said.endswith(f"\n  command: {COMMAND}\n  | one line\n  | another")


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        (
            {"kind": "signal", "code": signal.SIGSEGV},
            "crashed with SIGSEGV outside the variants of",
        ),
        ({"code": 3, "header": None}, "exited with code 3 before it called"),
        ({"code": 128 + 9}, "exited with code 137 (SIGKILL) outside the variants of"),
        (
            {"kind": "silence", "code": 5},
            "said nothing for 5 s and was killed outside the variants",
        ),
    ],
)
def test_a_program_that_died(changes: dict[str, object], where: str) -> None:
    it = ended(**changes)
    assert it.ending.died
    said = it.failure(0)
    assert said is not None and said.startswith(f"in 1: the program {where}")
    assert said.endswith("  | one line\n  | another")


def test_a_program_that_died_after_measured_calls_is_warned_of() -> None:
    it = ended(kind="signal", code=signal.SIGABRT, output="")
    assert it.failure(2) is None
    assert it.died_later(2) == (
        "in 1: the program crashed with SIGABRT outside the measured runs, such as in the default "
        "variant's own one, after 2 measured call(s); "
        "what was measured is kept"
    )
    said = it.failure(0)
    assert said is not None and said.endswith("\n  (it printed nothing)")
