import numpy as np
from made_up import data_of
from numpy.typing import NDArray

from fettle.classifiers.regret import best_fixed, contenders
from fettle.data.training_set import TrainingSet


def with_shares(shares: NDArray[np.float64], **options: object) -> TrainingSet:
    """Costs with these shares of best; a share of 0 is a variant that failed."""
    with np.errstate(divide="ignore"):
        return data_of(np.zeros((len(shares), 1)), 1 / shares, **options)


def test_contenders_leave_out_what_hardly_ever_wins() -> None:
    rng = np.random.default_rng(0)
    shares = np.full((1000, 4), 0.5)
    shares[np.arange(1000), rng.integers(0, 2, 1000)] = 1.0
    shares[0] = (0.9, 0.9, 1.0, 0.5)  # the third wins once, by little
    assert contenders(with_shares(shares)) == [0, 1]
    assert contenders(with_shares(shares), 0.0) == [0, 1, 2]


def test_a_variant_that_saves_one_input_from_disaster_contends() -> None:
    shares = np.tile((1.0, 0.4), (100, 1))
    shares[0] = (0.0, 1.0)  # a failed there
    assert contenders(with_shares(shares)) == [0, 1]


def test_the_first_of_equal_variants_is_the_best_fixed_one() -> None:
    shares = np.array([[0.5, 1.0, 1.0], [1.0, 1.0, 1.0]])
    assert best_fixed(with_shares(shares)) == 1
    assert best_fixed(with_shares(shares, default="c")) == 2


def test_of_measured_variants_those_are_equal_whose_shares_hardly_differ() -> None:
    shares = np.tile((0.9995, 1.0, 0.998), (10, 1))
    none = np.zeros((10, 3))
    assert best_fixed(with_shares(shares)) == 1
    assert best_fixed(with_shares(shares, default="a", spread=none)) == 0
    assert best_fixed(with_shares(shares, default="c", spread=none)) == 0
