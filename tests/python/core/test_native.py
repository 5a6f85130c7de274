"""fettle._native: what Python sees of the C++ predictors, races and machine description."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.model.model import Model, ModelInput
from fettle.model.model_directory import named_in, read_model, write_model
from fettle.model.svm import SvmPredictor
from fettle.model.trees import Tree, TreePredictor

native: Any = pytest.importorskip("fettle._native", reason="the extension module is not built")

STUMP = Tree((0, -1, -1), (3.0, 0.0, 0.0), (1, -1, -1), (2, -1, -1), ((), (1.0, 2.0), (4.0, 3.0)))


def stump_model(guard: float | None = 0.5) -> Model:
    return Model(
        function="sort",
        variants=("quick", "radix"),
        features=("unused", "n", "range"),
        inputs=(ModelInput("linear", "n", None, 1.0, 5.0), ModelInput("ratio", "n", "range", 0, 9)),
        predictor=TreePredictor((STUMP,)),
        default="radix",
        guard=guard,
        provenance={"tool": "a test"},
    )


@pytest.fixture
def stump(tmp_path: Path) -> Any:
    write_model(tmp_path, stump_model())
    return native.Model(tmp_path)


def test_a_model_tells_what_it_is(stump: Any) -> None:
    assert stump.function == "sort"
    assert stump.classifier == "tree"
    assert stump.variants == ["quick", "radix"]
    assert stump.features == ["unused", "n", "range"]
    assert stump.used_features == [False, True, True]
    assert stump.inputs == [("linear", "n", None, 1.0, 5.0), ("ratio", "n", "range", 0.0, 9.0)]
    assert stump.default == "radix"
    assert stump.provenance == [("tool", "a test")]


def test_it_selects_and_says_why(stump: Any) -> None:
    chosen = stump.select([0.0, 2.0, 1.0])
    assert (chosen.index, chosen.reason, chosen.scores) == (0, "model", [-1.0, -2.0])
    assert stump.select([0.0, 3.0, 1.0]).index == 0  # the threshold itself goes left
    assert stump.select([np.nan, 3.5, 1.0]).index == 1
    assert "index=0" in repr(chosen)


def test_the_default_stands_in_outside_the_trained_region(stump: Any, tmp_path: Path) -> None:
    outside = stump.select([0.0, -1.5, 1.0])
    assert (outside.index, outside.reason) == (1, "outside the trained region")
    assert outside.scores == [-1.0, -2.0]
    write_model(tmp_path, stump_model(guard=None))
    assert native.Model(tmp_path).select([0.0, -1.5, 1.0]).index == 0


def test_many_rows_give_what_single_ones_do(stump: Any) -> None:
    values = np.random.default_rng(1).uniform(-4, 9, (500, 3))
    indices, reasons = stump.select_many(values)
    single = [stump.select(row) for row in values]
    assert indices.tolist() == [chosen.index for chosen in single]
    assert reasons == [chosen.reason for chosen in single]
    assert len(set(reasons)) == 2


@pytest.mark.parametrize("values", [[1.0], [[1.0, 2.0, 3.0]], [1.0, 2.0, 3.0, 4.0]])
def test_the_wrong_number_of_features_is_refused(stump: Any, values: Any) -> None:
    with pytest.raises(FettleError, match="wants the values of its 3 features"):
        stump.select(values)
    with pytest.raises(FettleError, match="wants the values of its 3 features"):
        stump.select_many([values])


def test_a_broken_directory_is_a_fettle_error(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match=r"cannot open .*model\.txt.*run the tuning script"):
        native.Model(tmp_path / "nowhere")
    write_model(tmp_path, stump_model())
    path = tmp_path / "model.txt"
    path.write_text(path.read_text().replace("quick", "slow"))
    with pytest.raises(FettleError, match="line 12: the checksum does not match"):
        native.Model(str(tmp_path))


def test_it_chooses_what_libsvm_does_for_scaled_inputs(tmp_path: Path) -> None:
    svm = pytest.importorskip("libsvm.svmutil")
    random = np.random.default_rng(2)
    x = random.uniform(-1, 1, (120, 2))
    y = ((x[:, 0] * x[:, 1] > 0).astype(int) + (x[:, 0] > 0.5)).tolist()
    machine = svm.svm_train(y, [dict(enumerate(row, 1)) for row in x.tolist()], "-g 2 -c 10 -q")
    svm.svm_save_model(str(tmp_path / "libsvm"), machine)
    model = Model(
        function="f",
        variants=("a", "b", "c"),
        features=("u", "v"),
        inputs=(
            ModelInput("linear", "u", None, 0.0, 4.0),
            ModelInput("log", "v", None, 1.0, 3.0),
        ),
        predictor=SvmPredictor((tmp_path / "libsvm").read_text()),
        default="a",
        guard=None,
        provenance={},
    )
    write_model(tmp_path, model)
    assert read_model(tmp_path) == model
    inside = random.uniform(-1, 1, (1000, 2))
    values = np.column_stack([2 * inside[:, 0] + 2, np.exp(inside[:, 1] + 2)])
    scaled = np.column_stack([values[:, 0] / 2 - 1, np.log(values[:, 1]) - 2])
    loaded = svm.svm_load_model(str(tmp_path / named_in(tmp_path, "predictor")[0]))
    rows = [dict(enumerate(row, 1)) for row in scaled.tolist()]
    expected, _, _ = svm.svm_predict([], rows, loaded, "-q")
    indices, _ = native.Model(tmp_path).select_many(values)
    assert indices.tolist() == [int(label) for label in expected]
    assert len(set(expected)) == 3


def test_a_race_is_won_by_the_fastest() -> None:
    race = native.Race(3, minimum_samples=2, maximum_samples=10, out=[1])
    assert race.outcome == "running"
    while (variant := race.next()) is not None:
        assert variant != 1
        race.tell(variant, [1.0 + variant], 0.001)
    assert race.best() == 0
    assert race.outcome in ("settled", "single")
    assert race.samples(1) == []
    assert race.spent_seconds == pytest.approx(0.001 * sum(len(race.samples(k)) for k in range(3)))


def test_a_race_checks_its_variants() -> None:
    race = native.Race(2)
    for call in (race.disqualify, race.samples, lambda k: race.tell(k, [1.0], 0.1)):
        with pytest.raises(IndexError):
            call(2)
    with pytest.raises(IndexError):
        native.Race(2, out=[2])
    race.disqualify(0)
    race.disqualify(1)
    assert race.next() is None
    assert race.best() is None


def test_the_machine_is_described() -> None:
    machine = native.machine_description()
    assert machine["cores"] >= 1
    assert {"processor", "memory", "compiler"} <= machine.keys()
