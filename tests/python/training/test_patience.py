"""Slow runs are distinguished from hangs by waiting for a limited time."""

from __future__ import annotations

from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.failed import failed_variants
from fettle.training.patience import WAITS, Patience
from fettle.training.record import Start
from fettle.training.run import RAN_TOO_LONG, TOO_SLOW

START = Start(0, "quadratic", 2.0)


def test_a_run_past_its_limit_is_waited_for() -> None:
    patience = Patience(60)
    assert patience.limit(START) == 60
    assert patience.limit(Start(0, "first of all", 300.0)) == 300


def test_waiting_for_slow_runs_ends() -> None:
    patience = Patience(60)
    patience.ended(START, 1.9)
    assert patience.spent == {}, "within its limit"
    waited = 0.0
    while patience.limit(START) == 60:
        patience.ended(START, 50.0)
        waited += 50
    assert WAITS * 60 <= waited < WAITS * 60 + 50
    assert patience.limit(START) == 2
    assert not patience.is_hang(START, 2.0), "it has always ended until now"
    assert patience.limit(Start(0, "another", 2.0)) == 60


def test_a_hang_is_waited_for_once() -> None:
    patience = Patience(60)
    assert patience.is_hang(START, 60.1)
    assert patience.limit(START) == 2
    assert patience.is_hang(Start(0, "another", 2.0), 60.1)


def failures(**reasons: str) -> list[tuple[str, int]]:
    offer = Offer(("a", "quadratic"), (), "a", "s", False, {}, {})
    examples = [
        (
            name,
            [Example(0, {}, {}, {}, {"quadratic": ("failed" if reason else "measured", reason)})],
        )
        for name, reason in reasons.items()
    ]
    return [(one.variant, one.inputs) for one in failed_variants(offer, examples).variants]


def test_a_slow_run_is_no_failure_unless_the_variant_hangs_elsewhere() -> None:
    slow, hung, crash = f"{TOO_SLOW} of 2 s", f"{RAN_TOO_LONG} of 60 s", "crashed with SIGSEGV"
    assert failures(x=slow, y="") == []
    assert failures(x=slow, y=crash) == [("quadratic", 1)]
    assert failures(x=slow, y=hung) == [("quadratic", 2)]
