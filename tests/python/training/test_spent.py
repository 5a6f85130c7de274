"""What counts as spent: starts to measure and starts to evaluate features, runs and seconds."""

from __future__ import annotations

from pathlib import Path

from stand_in import StandIn
from stand_in_measurer import call, measurer_in, tell

from fettle.training.spent import Spent


def test_nothing_is_spent_at_first(tmp_path: Path) -> None:
    StandIn(tmp_path)
    tuner = measurer_in(tmp_path)
    assert tuner.spent == Spent(0.0, 0, 0, 0, 0)
    assert measurer_in(tmp_path).spent is not tuner.spent


def test_a_start_for_features_is_no_measuring_start(tmp_path: Path) -> None:
    StandIn(tmp_path)
    tuner = measurer_in(tmp_path)
    tuner.measure(tell(tmp_path, "x", call(a=1e-3, b=2e-3)), "features")
    assert (tuner.spent.program_starts, tuner.spent.measuring_starts) == (1, 0)
    assert tuner.spent.variant_runs == 0
    assert tuner.spent.seconds > 0


def test_a_crash_costs_another_start(tmp_path: Path) -> None:
    StandIn(tmp_path)
    tuner = measurer_in(tmp_path)
    given = tell(tmp_path, "x", call(a="crash", b=2e-3))
    tuner.measure(given)
    assert (tuner.spent.program_starts, tuner.spent.measuring_starts) == (2, 2)
    assert tuner.spent.variant_runs == 2, "the samples of b; the run that crashed has none"
    before = Spent(**vars(tuner.spent))
    tuner.measure(given)
    assert tuner.spent == before, "everything is known"
