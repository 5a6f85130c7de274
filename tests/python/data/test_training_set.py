"""Training sets: parts of them, and what evaluating features takes."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.training.trainer import columns

TIMES = np.array([[1.0, 10.0, 20.0], [2.0, 40.0, 30.0]])


def data(**changes: object) -> TrainingSet:
    values = {
        "function": "f",
        "features": ("n", "longest", "variation"),
        "variants": ("a", "b", "c"),
        "inputs": ("x", "y"),
        "values": np.zeros((2, 3)),
        "costs": np.array([[1.0, 2.0, 3.0], [6.0, 5.0, 4.0]]),
        "feature_seconds": np.median(TIMES, axis=0),
        "default": "a",
        "feature_times": TIMES,
        "shared_features": (frozenset(["longest", "variation"]),),
    }
    return TrainingSet(**{**values, **changes})  # type: ignore[arg-type]


def test_features_that_are_found_together_cost_what_the_dearest_does() -> None:
    assert data().evaluation_seconds([]).tolist() == [0.0, 0.0]
    assert data().evaluation_seconds(["longest"]).tolist() == [10.0, 40.0]
    assert data().evaluation_seconds(["n", "longest", "variation"]).tolist() == [21.0, 42.0]
    apart = data(shared_features=())
    assert apart.evaluation_seconds(["n", "longest", "variation"]).tolist() == [31.0, 72.0]


def test_without_times_of_each_input_the_median_holds() -> None:
    known = data(feature_times=None)
    assert known.evaluation_seconds(["n", "longest"]).tolist() == [26.5, 26.5]


def test_parts_keep_what_belongs_to_them() -> None:
    second = data().rows([1])
    assert second.evaluation_seconds(["n", "variation"]).tolist() == [32.0]
    fewer = columns(data(), ("variation", "n"))
    assert fewer.evaluation_seconds(["n", "variation"]).tolist() == [21.0, 32.0]


def test_some_of_the_variants() -> None:
    chosen = data().only(["c", "a"])
    assert chosen.variants == ("c", "a")
    assert chosen.costs.tolist() == [[3.0, 1.0], [4.0, 6.0]]
    assert chosen.default == "a"
    assert data().only(["b"]).default is None


def test_on_how_many_inputs_variants_failed_goes_with_them() -> None:
    known = data(failed_on=(0, 2, 1))
    assert known.only(["c", "a"]).failed_on == (1, 0)
    assert known.rows([0]).failed_on == (0, 2, 1)
    assert data().only(["c"]).failed_on == ()
    with pytest.raises(FettleError, match="failed_on has 2 numbers, but there are 3 variants"):
        data(failed_on=(0, 1))


def test_times_must_fit() -> None:
    with pytest.raises(FettleError, match=r"feature_times have shape \(1, 3\)"):
        data(feature_times=TIMES[:1])


def test_the_script_says_what_is_shared() -> None:
    function = CodeVariant("f", shared_features=[["longest", "variation"]])
    assert function.shared_features == (frozenset(["longest", "variation"]),)
    with pytest.raises(FettleError, match="shared_features must be a list of lists of features"):
        CodeVariant("f", shared_features=["longest"])


def test_a_narrowed_set_has_the_inputs_on_which_its_variants_work() -> None:
    inf = float("inf")
    costs = np.array([[1.0, 2.0, 3.0], [1.0, inf, inf], [3.0, 2.0, inf]])
    whole = TrainingSet(
        "f", (), ("a", "b", "c"), ("x", "y", "z"), np.zeros((3, 0)), costs, np.zeros(0)
    )
    assert whole.narrowed(["a", "b", "c"]) is whole
    with pytest.warns(TrainingWarning, match="1 of 3 inputs are left out"):
        some = whole.narrowed(["c", "b"])
    assert (some.inputs, some.variants) == (("x", "z"), ("c", "b"))
    assert some.costs.tolist() == [[3.0, 2.0], [inf, 2.0]]
