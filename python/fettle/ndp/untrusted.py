"""Which candidates are not to be trusted: those that crashed or were wrong on some input."""

from __future__ import annotations

from collections.abc import Iterable

from fettle.training.recorder import NOT_RUN
from fettle.training.run import RAN_TOO_LONG
from fettle.tuning_result import Failure


def untrusted(failures: Iterable[Failure]) -> set[str]:
    """The variants that failed on some input otherwise than by being slow."""
    slow = (RAN_TOO_LONG, NOT_RUN)
    return {
        failure.variant
        for failure in failures
        if failure.variant is not None and not failure.reason.startswith(slow)
    }
