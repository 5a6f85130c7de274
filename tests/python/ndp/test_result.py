"""What a result says: against all candidates, the default, with the features charged."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from fettle.core.errors import FettleError
from fettle.data.tuning_result import FailedVariant
from fettle.ndp.result import JudgedInput, NdpResult, Outcome, read_outcomes

INPUTS = (
    JudgedInput("a", default=8.0, tuned=2.5, exhaustive=2.0, features=0.5, chosen="v1", best="v1"),
    JudgedInput(
        "b", default=4.0, tuned=8.5, exhaustive=4.0, features=0.5, chosen="v1", best="default"
    ),
)
OUTCOME = Outcome(
    function="f.openmp",
    expression="map>reduce",
    candidates=3,
    dropped=1,
    winners=("default", "v1"),
    features=("rows",),
    features_known=("rows", "elements"),
    feature_seconds=0.5,
    training_inputs=9,
    judged_by="held-out",
    inputs=INPUTS,
    measuring_seconds=1.0,
)


def test_shares_and_ratios() -> None:
    share, charged = OUTCOME.share_of_best, OUTCOME.charged_share_of_best
    assert (share.mean, share.worst, share.accuracy) == (pytest.approx(0.75), 0.5, 0.5)
    assert charged.mean == pytest.approx((2 / 2.5 + 4 / 8.5) / 2)
    assert OUTCOME.over_default == pytest.approx(math.sqrt(8 / 2.5 * 4 / 8.5))
    assert OUTCOME.possible_over_default == pytest.approx(2.0)


def test_text_and_json() -> None:
    result = NdpResult("openmp", Path("/x/fettle_config.hpp"), 12.0, (OUTCOME,), ())
    text = result.text()
    assert "f.openmp (map>reduce): 3 candidates (1 more did not compile), 9 training inputs" in text
    assert "tuned / exhaustive: mean 0.750" in text
    record = json.loads(result.json())
    [first] = record["computations"]
    assert first["share_of_best"]["mean"] == pytest.approx(0.75)
    assert first["inputs"][1]["best"] == "default"


def test_candidates_that_failed_are_said_first() -> None:
    failed = FailedVariant("v2", 1, 9, "a", "wrong result", "it is never chosen: look for a race")
    result = NdpResult("openmp", Path("/x/h"), 1.0, (replace(OUTCOME, failed=(failed,)),), ())
    assert result.text().startswith(
        "f.openmp: 'v2' failed on 1 of 9 inputs, first on 'a': wrong result; it is never chosen: "
        "look for a race\nf.openmp (map>reduce): "
    )


def test_outcomes_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    failed = FailedVariant("v2", 1, 9, "a", "wrong result")
    two = (OUTCOME, replace(OUTCOME, inputs=(), judged_by="", failed=(failed,)))
    path.write_text(NdpResult("cuda", Path("/x/h"), 12.0, two, ()).json(), encoding="utf-8")
    assert read_outcomes(path) == two
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(FettleError, match="not a result of tuning"):
        read_outcomes(path)


def test_too_few_inputs_to_judge() -> None:
    outcome = replace(OUTCOME, inputs=(), judged_by="")
    result = NdpResult("openmp", Path("/x/fettle_config.hpp"), 12.0, (outcome,), ())
    assert "too few inputs to judge the model" in result.text()
    assert "share_of_best" not in json.loads(result.json())["computations"][0]


def test_a_share_above_one_is_never_printed_as_it_is() -> None:
    inputs = tuple(replace(one, tuned=one.exhaustive / 1.6, features=0.0) for one in INPUTS)
    steady = tuple(replace(one, spread=0.5) for one in inputs)

    def text(outcome: Outcome) -> str:
        return NdpResult("openmp", Path("/x/fettle_config.hpp"), 12.0, (outcome,), ()).text()

    assert "(above 1 is an error of measuring, here by 0.600)" in text(
        replace(OUTCOME, inputs=inputs)
    )
    assert "above 1" not in text(replace(OUTCOME, inputs=steady)), "within the spread"


def test_a_busy_machine_is_said_first_and_nothing_is_claimed(tmp_path: Path) -> None:
    busy = replace(OUTCOME, unsteady="this machine is too busy to tell these apart: ...")
    result = NdpResult("openmp", Path("/x/fettle_config.hpp"), 12.0, (busy, OUTCOME), ())
    lines = result.text().splitlines()
    assert lines[1] == "  this machine is too busy to tell these apart: ..."
    assert "  2 held-out inputs, of which these figures say nothing:" in lines
    assert result.unsteady
    assert "is written" in lines[-1]
    alone = replace(result, outcomes=(busy,))
    assert alone.text().endswith("/x/fettle_config.hpp stays as it was\n")
    path = tmp_path / "result.json"
    path.write_text(alone.json(), encoding="utf-8")
    assert read_outcomes(path) == (busy,)
