import numpy as np

from fettle.classifiers.regret import best_fixed, contenders


def test_contenders_leave_out_what_hardly_ever_wins() -> None:
    rng = np.random.default_rng(0)
    shares = np.full((1000, 4), 0.5)
    shares[np.arange(1000), rng.integers(0, 2, 1000)] = 1.0
    shares[0] = (0.9, 0.9, 1.0, 0.5)  # the third wins once, by little
    assert contenders(shares) == [0, 1]
    assert contenders(shares, 0.0) == [0, 1, 2]


def test_a_variant_that_saves_one_input_from_disaster_contends() -> None:
    shares = np.tile((1.0, 0.4), (100, 1))
    shares[0] = (0.0, 1.0)  # a failed there
    assert contenders(shares) == [0, 1]


def test_the_first_of_equal_variants_is_the_best_fixed_one() -> None:
    assert best_fixed(np.array([[0.5, 1.0, 1.0], [1.0, 1.0, 1.0]])) == 1
