"""Tables with a row a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.data.table import read_table
from fettle.data.training_set import TrainingWarning
from fettle.objectives.learning import failed_variants, training_set_by
from fettle.objectives.measured_table import Columns, MeasuredTable, read_measured
from fettle.objectives.metrics import declare_metrics
from fettle.objectives.objective import maximize, minimize

HEAD = "device,matrix,rows,variant,seconds,watts\n"
ROWS = HEAD + "V,a,1,x,1,100\nV,a,1,y,2,90\nW,a,1,x,5,5\nV,b,2,x,3,80\nV,b,2,y,,\n"


def read(
    tmp_path: Path, text: str, where: dict[str, str] | None = None, features: str = "rows"
) -> MeasuredTable:
    path = tmp_path / "t.csv"
    path.write_text(text)
    columns = Columns(("device", "matrix"), "variant", (features,))
    return read_measured(
        read_table(path), columns, declare_metrics(["seconds", "watts"]), where or {}
    )


def test_rows_become_inputs_by_variants(tmp_path: Path) -> None:
    found = read(tmp_path, ROWS)
    assert found.runs.inputs == ("V a", "W a", "V b")
    assert found.runs.variants == ("x", "y")
    np.testing.assert_array_equal(
        found.runs.measured["seconds"], [[1, 2], [5, np.nan], [3, np.nan]]
    )
    assert found.runs.ran().tolist() == [[True, True], [True, False], [True, False]]
    assert found.values.tolist() == [[1], [1], [2]]
    assert found.lines == (2, 4, 5)


def test_where_keeps_rows(tmp_path: Path) -> None:
    assert read(tmp_path, ROWS, {"device": "V"}).runs.inputs == ("V a", "V b")
    with pytest.raises(FettleError, match="no row where device is 'P'; it is one of V, W"):
        read(tmp_path, ROWS, {"device": "P"})


def test_medians_are_taken_of_rows_that_repeat(tmp_path: Path) -> None:
    with pytest.warns(TrainingWarning, match="2 rows repeat an input and a variant"):
        found = read(tmp_path, ROWS + "V,a,1,x,9,100\nV,a,1,x,4,100\n")
    assert found.runs.measured["seconds"][0, 0] == 4


def test_a_failed_run_withholds_the_variant(tmp_path: Path) -> None:
    found = read(tmp_path, ROWS + "V,c,3,x,failed,\nV,c,3,y,1,1\n")
    assert found.failed.tolist()[3] == [True, False]
    [failed] = failed_variants(found)
    assert (failed.variant, failed.inputs, failed.ran_on) == ("x", 1, 4)
    with pytest.warns(TrainingWarning, match="2 of 4 inputs are left out"):
        data, _ = training_set_by(minimize("seconds"), found, "f", [failed])
    assert data.inputs == ("V a", "V c")
    assert np.isinf(data.costs[:, 0]).all()
    [allowed] = failed_variants(found, ["x"])
    assert allowed.allowed
    with pytest.raises(FettleError, match="none of the variants x, y"):
        failed_variants(found, ["z"])


def test_several_objectives_come_from_the_same_table(tmp_path: Path) -> None:
    found = read(tmp_path, ROWS)
    fast, _ = training_set_by(minimize("seconds"), found, "f")
    cool, _ = training_set_by(maximize("1 / watts"), found, "f")
    assert fast.costs[0].tolist() == [1, 2]
    assert cool.costs[0].tolist() == [100, 90]
    assert (fast.cost_seconds, cool.cost_seconds) == (1.0, None)
    with pytest.raises(FettleError, match="the default 'z' is none of the variants"):
        training_set_by(minimize("seconds"), found, "f", default="z")


@pytest.mark.parametrize(
    ("text", "features", "said"),
    [
        (HEAD + "V,a,1,x,1,1\nV,a,2,y,1,1\n", "rows", "line 3: rows is 2, but 1 in line 2"),
        (HEAD + "V,a,1,x,1,1\n", "rows", "has one value only, 'x'"),
        (HEAD + "V,a,1,x,1s,1\nV,a,1,y,1,1\n", "rows", "line 2: seconds is '1s'"),
        (HEAD + "V,a,1,x,1,1\nV,a,1,,1,1\n", "rows", "line 3: variant is empty; name the row's"),
        (ROWS, "seconds", "--features names 'seconds', which --metrics names"),
        (ROWS, "nnz", "no column 'nnz'"),
        (ROWS.replace("watts", "volts"), "rows", "no column 'watts'"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, features: str, said: str) -> None:
    with pytest.raises(FettleError, match=said):
        read(tmp_path, text, features=features)
