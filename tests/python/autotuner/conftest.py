"""A stand-in program, and tuners for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stand_in import StandIn
from tuned_stand_in import tune_args

from fettle.autotuner import Autotuner
from fettle.core.progress import Silence


@pytest.fixture
def app(tmp_path: Path) -> StandIn:
    return StandIn(tmp_path, variants=["small", "large"])


@pytest.fixture
def tuner(tmp_path: Path) -> Callable[..., Autotuner]:
    def make(count: int = 12, **options: Any) -> Autotuner:
        # Pictures take a second, comparing a start for each input.
        options = {"report_directory": None, "comparing": None, **options}
        made = Autotuner("app", working_directory=tmp_path, display=Silence(), **options)
        made.set_training_args(tune_args(tmp_path, count))
        return made

    return make
