import numpy as np
import pytest
from made_up import bands, data_of

from fettle.classifiers.scaling import (
    fractional_sets,
    input_sets,
    is_count,
    is_size,
    model_inputs,
    scaled,
    transformed,
    warn_of_features,
)
from fettle.data.training_set import TrainingWarning
from fettle.model.model import ModelInput


@pytest.mark.parametrize(
    ("column", "logarithmic"),
    [
        (np.geomspace(1, 1e6, 50), True),
        (np.linspace(1, 1000, 50), False),  # three decades, but evenly spread
        (np.geomspace(1, 20, 50), False),  # less than two decades
        (np.append(np.geomspace(1, 1e6, 50), 0.0), False),  # zero has no logarithm
        (-np.geomspace(1, 1e6, 50), False),
        (np.append(np.geomspace(1, 1e6, 50), np.nan), False),
        (np.full(50, 1e6), False),
    ],
)
def test_sizes_are_positive_skewed_and_span_decades(column: object, logarithmic: bool) -> None:
    assert is_size(np.asarray(column)) == logarithmic


def test_sizes_enter_by_logarithm_and_pairs_of_them_by_ratio() -> None:
    data = bands(100)
    plain = model_inputs(data, "features")
    assert [(one.transform, one.feature) for one in plain] == [("log", "x"), ("log", "y")]
    extra = model_inputs(data, "ratios")[2:]
    assert [(one.transform, one.feature, one.divisor) for one in extra] == [("log_ratio", "y", "x")]
    assert input_sets(data) == ("features", "ratios")


def test_counts_are_sizes_in_whole_numbers() -> None:
    counts = np.round(np.geomspace(1, 1e6, 50))
    assert is_count(counts)
    assert not is_count(counts + 0.5)
    assert not is_count(np.arange(50.0))  # no size


def test_counts_enter_by_what_division_and_root_leave() -> None:
    data = bands(100)
    assert fractional_sets(data) == ()
    whole = data_of(np.round(data.values), data.costs)
    assert fractional_sets(whole) == ("fractions",)
    plain, extra = model_inputs(whole, "ratios"), model_inputs(whole, "fractions")
    assert extra[: len(plain)] == plain
    assert [(one.transform, one.feature, one.divisor) for one in extra[len(plain) :]] == [
        ("fraction", "y", "x"),
        ("root_fraction", "x", None),
        ("root_fraction", "y", None),
    ]
    table = transformed(extra[len(plain) :], ["x", "y"], np.array([[4.0, 9.0], [7.0, 28.0]]))
    assert table.tolist() == pytest.approx(np.array([[0.25, 0, 0], [0, 7**0.5 - 2, 28**0.5 - 5]]))


def test_ranges_are_those_of_the_transformed_values() -> None:
    low, high = (
        model_inputs(bands(100), "features")[0].low,
        model_inputs(bands(100), "features")[0].high,
    )
    values = np.log(bands(100).values[:, 0])
    assert (low, high) == (values.min(), values.max())


def test_features_that_never_vary_are_no_inputs() -> None:
    data = data_of([[1.0, 7.0], [2.0, 7.0], [3.0, np.nan]], [[1, 2]] * 3)
    assert [one.feature for one in model_inputs(data, "features")] == ["x"]
    with pytest.warns(TrainingWarning, match="'y' is 7 on every input and is not used"):
        warn_of_features(data)


def test_what_has_no_logarithm_is_taken_as_the_training_minimum() -> None:
    entry = ModelInput("log", "x", None, 2.0, 4.0)
    values = np.array([[np.exp(3.0)], [0.0], [-1.0], [np.nan], [np.inf]])
    assert transformed([entry], ["x"], values)[:, 0].tolist() == pytest.approx([3, 2, 2, 2, 2])
    assert scaled([entry], ["x"], values)[:, 0].tolist() == pytest.approx([0, -1, -1, -1, -1])


def test_ratios_divide_and_a_constant_input_scales_to_zero() -> None:
    ratio = ModelInput("ratio", "x", "y", 0.0, 8.0)
    constant = ModelInput("linear", "x", None, 6.0, 6.0)
    table = scaled([ratio, constant], ["x", "y"], np.array([[6.0, 3.0]]))
    assert table.tolist() == [[-0.5, 0.0]]
