"""Learning to choose among some of the variants that were measured, and measuring elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn

from fettle.autotuner import Autotuner
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.model.model_directory import read_model
from fettle.training.examples import Table
from fettle.training.session import measure_session, run_session
from fettle.training.settings import Settings

VARIANTS = ["safe", "small", "large", "twin"]
Maker = Callable[..., Autotuner]


def settings_of(folder: Path, tuner: Maker, *, test: int = 0) -> Settings:
    """Inputs whose first half is best done by "small", the others by "large" or its twin."""
    StandIn(folder, variants=VARIANTS)
    names = []
    for size in range(12 + test):
        seconds = [9e-3, 1e-3 * (size + 1), 6.5e-3, 6.6e-3 if size % 2 else 6.4e-3]
        call = {"features": {"n": size}, "variants": dict(zip(VARIANTS, seconds, strict=True))}
        names.append(f"in{size:02}")
        (folder / names[-1]).write_text(json.dumps({"calls": [call]}))
    made = tuner()
    made.set_training_args(names[:12])
    if test:
        made.set_test_args(names[12:])
    return made.settings


def function() -> CodeVariant:
    return CodeVariant("f", VARIANTS, classifier=QuickClassifier())


def without_the_twin(table: Table) -> tuple[str, ...]:
    assert table.data.variants == tuple(VARIANTS)
    return "safe", "small", "large"


@pytest.mark.parametrize("test", [0, 4])
def test_the_model_knows_what_was_kept_and_is_judged_by_everything(
    tmp_path: Path, tuner: Maker, test: int
) -> None:
    settings = settings_of(tmp_path, tuner, test=test)
    [result] = run_session(settings, [function()], None, Silence(), without_the_twin)
    assert result.training.variants == ("safe", "small", "large")
    assert result.measured is not None
    assert result.measured.variants == tuple(VARIANTS)
    assert (result.held_out is None) == (test == 0)
    model = read_model(tmp_path / "fettle_models" / "f")
    assert model.variants == ("safe", "small", "large")
    shares = [1.0 if size % 2 else 6.4 / 6.5 for size in range(12, 16)]
    if test:
        assert model.provenance["share_of_best"] == f"{sum(shares) / 4:.4f}"
        assert model.provenance["share_of_best_worst"] == f"{6.4 / 6.5:.4f}"
    else:
        assert float(model.provenance["share_of_best_worst"]) <= 6.4 / 6.5


def test_measuring_and_training_can_be_done_in_turn(tmp_path: Path, tuner: Maker) -> None:
    settings = settings_of(tmp_path, tuner).changed(
        filed_under="the program", machine="elsewhere", config_header=None
    )
    measure_session(settings, [function()], Silence())
    assert not (tmp_path / "fettle_models").exists()
    assert not (tmp_path / "fettle_config.hpp").exists()
    (tmp_path / "app").unlink()
    here = settings.changed(measure=False)
    [result] = run_session(here, [function()], None, Silence())
    assert result.effort.reused_inputs == 12
    assert result.effort.program_starts == 0


def test_training_without_measurements_says_what_is_missing(tmp_path: Path, tuner: Maker) -> None:
    settings = settings_of(tmp_path, tuner).changed(filed_under="the program", measure=False)
    with pytest.raises(FettleError, match=r"nothing is known of any of the 12 .*\(the program on"):
        run_session(settings, [function()], None, Silence())


def test_measurements_of_other_variants_are_refused(tmp_path: Path, tuner: Maker) -> None:
    settings = settings_of(tmp_path, tuner)
    run_session(settings, [function()], None, Silence())
    other = CodeVariant("f", ["safe", "new"], classifier=QuickClassifier())
    with pytest.raises(FettleError, match="has the variants safe, new, the program registers 4"):
        run_session(settings.changed(measure=False, filed_under=None), [other], None, Silence())


def test_a_returned_time_is_a_time(tmp_path: Path, tuner: Maker) -> None:
    settings = settings_of(tmp_path, tuner)
    StandIn(tmp_path, variants=VARIANTS, unit="returned")
    [plain] = run_session(settings, [function()], None, Silence())
    assert (plain.unit, plain.training.cost_seconds) == ("returned", None)
    timed = function()
    timed.metric = "seconds"
    [result] = run_session(settings, [timed], None, Silence())
    assert (result.unit, result.training.cost_seconds) == ("s", 1.0)
