"""All inputs of a function: which are measured, reused or left out, and when it is given up."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from stand_in import StandIn
from stand_in_measurer import Said, call, measurer_in, tell

from fettle.training.collect import GIVE_UP_AFTER, Collection, collect
from fettle.training.program import Input, ProgramError


def test_only_what_is_missing_is_measured(tmp_path: Path) -> None:
    app = StandIn(tmp_path)
    x, y = (tell(tmp_path, name, call(a=1e-3, b=2e-3)) for name in "xy")
    collect(measurer_in(tmp_path), [x])
    said = Said()
    found = collect(measurer_in(tmp_path, display=said), [x, y])
    assert (found.measured, found.reused, found.left_out) == ([y], [x], {})
    assert said.lines == ["f: 1 of 2 inputs are known already"]
    assert said.stages == [("f", 1)]
    assert app.runs() == ["a x", "b x", "a y", "b y"]


def test_features_alone_count_as_evaluated(tmp_path: Path) -> None:
    StandIn(tmp_path)
    given = tell(tmp_path, "x", call(a=1e-3, b=2e-3))
    said = Said()
    found = collect(measurer_in(tmp_path, display=said), [given], "features")
    assert (found.measured, found.evaluated) == ([], [given])
    assert said.stages == [("f features", 1)]


def test_an_input_that_fails_is_left_out_with_its_reason(tmp_path: Path) -> None:
    StandIn(tmp_path)
    good, bad = tell(tmp_path, "x", call(a=1e-3)), tell(tmp_path, "bad", begin="crash", calls=[])
    found = collect(measurer_in(tmp_path), [bad, good])
    assert found.complete([bad, good]) == [good]
    assert "crashed with SIGABRT before it called 'f'" in found.left_out["bad"]


def test_inputs_that_all_fail_are_given_up(tmp_path: Path) -> None:
    app = StandIn(tmp_path)
    bad = [tell(tmp_path, f"bad{k}", begin="crash") for k in range(GIVE_UP_AFTER + 2)]
    with pytest.raises(ProgramError, match=r"none of the 5 inputs tried could be measured"):
        collect(measurer_in(tmp_path), bad)
    assert len(app.runs("start")) == GIVE_UP_AFTER
    with pytest.raises(ProgramError, match=r"the only input tried could not be measured:\nbad0"):
        collect(measurer_in(tmp_path), bad[:1])
    assert len(collect(measurer_in(tmp_path), bad[:1], quiet=True).left_out) == 1


def test_no_input_is_begun_after_the_deadline(tmp_path: Path) -> None:
    app = StandIn(tmp_path)
    x, y = (tell(tmp_path, name, call(a=1e-3, b=2e-3)) for name in "xy")
    collect(measurer_in(tmp_path), [x])
    found = collect(measurer_in(tmp_path), [x, y], deadline=time.monotonic() - 1)
    assert found.left_out == {"y": "not measured: the time budget was spent"}
    assert "a y" not in app.runs()
    with pytest.raises(ProgramError, match="not measured: the time budget was spent"):
        collect(measurer_in(tmp_path), [y], deadline=time.monotonic() - 1)


def test_without_measuring_what_is_not_known_is_left_out(tmp_path: Path) -> None:
    StandIn(tmp_path)
    x, y = (tell(tmp_path, name, call(a=1e-3, b=2e-3)) for name in "xy")
    with pytest.raises(ProgramError, match=r"nothing is known of .*measure them first"):
        collect(measurer_in(tmp_path, may_measure=False), [x])
    collect(measurer_in(tmp_path), [x])
    found = collect(measurer_in(tmp_path, may_measure=False), [x, y])
    assert found.reused == [x]
    assert found.left_out == {"y": "not measured, and nothing is to be measured now"}


def test_collections_add_up() -> None:
    x, y = Input("x", ("x",)), Input("y", ("y",))
    whole = Collection(measured=[x], left_out={"z": "before"})
    whole.add(Collection(measured=[y], evaluated=[x], reused=[x], left_out={"z": "after"}))
    assert whole == Collection([x, y], [x], [x], {"z": "after"})
