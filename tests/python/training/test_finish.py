"""The end of tuning one function: what is written, kept and said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn
from stand_in_measurer import Said, call, measurer_in, tell

from fettle import CodeVariant
from fettle.data.tuning_result import TuningResult
from fettle.model.model_directory import read_model
from fettle.training.measure import Measurer
from fettle.training.settings import Settings
from fettle.training.tune import tune_function


def tuned(folder: Path, *calls: dict[str, Any], **options: Any) -> tuple[TuningResult, Measurer]:
    """Tunes f on the inputs in0, in1, ..., one call each."""
    if not (folder / "app").exists():
        StandIn(folder)
    settings = Settings(
        program="app",
        working_directory=folder,
        comparing=None,
        training_inputs=tuple(tell(folder, f"in{k}", its) for k, its in enumerate(calls)),
    )
    measurer = measurer_in(folder, display=Said())
    options = {"classifier": QuickClassifier(), **options}
    return tune_function(settings, CodeVariant("f", **options), measurer, None), measurer


def calls(count: int = 8) -> list[dict[str, Any]]:
    """The variant a is the best for small n, b for large n."""
    return [call(n, a=1e-3 * (n + 1), b=4.5e-3) for n in range(count)]


def test_the_model_is_written_with_where_it_comes_from(tmp_path: Path) -> None:
    result, measurer = tuned(tmp_path, *calls())
    assert result.delivered is not None
    assert result.delivered.deployed == "new"
    assert read_model(tmp_path / "fettle_models/f") == result.model
    assert result.model.provenance["machine"] == "here"
    assert result.effort.measured_inputs == 8
    assert f"model: {tmp_path}/fettle_models/f" in measurer.display.lines  # type: ignore[attr-defined]


def test_inputs_that_were_known_are_reused(tmp_path: Path) -> None:
    tuned(tmp_path, *calls())
    result, _ = tuned(tmp_path, *calls(9))
    assert (result.effort.measured_inputs, result.effort.reused_inputs) == (1, 8)
    assert result.effort.variant_runs == 4


def test_objectives_have_models_beside_and_are_not_compared(tmp_path: Path) -> None:
    result, _ = tuned(
        tmp_path, *calls(), objectives={"slow": "maximize seconds", "fast": "minimize seconds"}
    )
    assert result.delivered is not None
    assert result.delivered.reason.startswith("programs are not compared by an objective:")
    folder = tmp_path / "fettle_models/f"
    assert sorted(path.name for path in folder.glob("objective*")) == [
        "objective-fast",
        "objective-slow",
        "objectives.json",
    ]
    assert read_model(folder).provenance["objective_name"] == "slow"
    assert len(result.objectives) >= 2
    tuned(tmp_path, *calls())
    assert not list(folder.glob("objective*")), "the script wants none any more"


@pytest.mark.parametrize("monitor", [0, 100])
def test_a_monitored_function_has_expectations(tmp_path: Path, monitor: int) -> None:
    result, _ = tuned(tmp_path, *calls(), monitor=monitor)
    assert bool(result.model.expectations) == bool(monitor)
