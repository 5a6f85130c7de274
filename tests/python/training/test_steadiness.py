"""Which measurements say that a machine was too busy, and which do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.data.training_set import TrainingSet
from fettle.training.spread import spreads
from fettle.training.steadiness import impossible_choice, unsteadiness

SEEDS = range(20)
Floats = NDArray[np.float64]


def measured(
    true: Floats, noise: float, seed: int, samples: int = 9, outliers: float = 0.0
) -> TrainingSet:
    """What is measured of variants that cost `true`: medians of samples, with their spread.

    Three samples are one batch, disturbed together, as the program takes them. A share `outliers`
    of the samples is ten times as long.
    """
    random = np.random.default_rng(seed)
    batches = np.repeat(random.normal(0, noise, (*true.shape, samples // 3)), 3, axis=-1)
    logs = np.log(true)[..., None] + batches + random.normal(0, noise / 2, batches.shape)
    logs += np.log(10) * (random.random(logs.shape) < outliers)
    costs = np.exp(np.median(logs, axis=-1))
    half = logs.shape[-1] // 2
    earlier, later = np.median(logs[..., :half], axis=-1), np.median(logs[..., half:], axis=-1)
    rows = np.arange(len(true))
    exhaustive = np.exp(later)[rows, earlier.argmin(axis=1)] / 2
    exhaustive += np.exp(earlier)[rows, later.argmin(axis=1)] / 2
    return TrainingSet(
        function="f",
        features=(),
        variants=tuple(f"v{k}" for k in range(true.shape[1])),
        inputs=tuple(f"i{k}" for k in range(len(true))),
        values=np.empty((len(true), 0)),
        costs=costs,
        feature_seconds=np.empty(0),
        default="v0",
        spread=np.array([spreads(row) for row in logs.tolist()]),
        exhaustive=exhaustive,
    )


def equal(inputs: int = 20, variants: int = 4) -> Floats:
    return np.full((inputs, variants), 1e-3)


def different(factor: float, inputs: int = 20, variants: int = 4) -> Floats:
    """On each half of the inputs other variants are better by this factor."""
    true = equal(inputs, variants) * factor
    true[: inputs // 2, 1] /= factor
    true[inputs // 2 :, 0] /= factor
    return true


@pytest.mark.parametrize("seed", SEEDS)
def test_a_quiet_machine_tells_apart_what_differs(seed: int) -> None:
    assert unsteadiness(measured(different(1.2), 0.01, seed)) is None


@pytest.mark.parametrize("variants", [2, 4, 100])
@pytest.mark.parametrize("seed", SEEDS[:8])
def test_equal_variants_of_a_quiet_machine_are_no_sign_of_a_busy_one(
    seed: int, variants: int
) -> None:
    assert unsteadiness(measured(equal(variants=variants), 0.01, seed)) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_noise_of_a_third_hides_no_factor_of_ten(seed: int) -> None:
    assert unsteadiness(measured(different(10.0), 0.3, seed)) is None


@pytest.mark.parametrize("variants", [2, 4, 100])
@pytest.mark.parametrize("seed", SEEDS[:8])
def test_noise_of_a_third_hides_a_tenth(seed: int, variants: int) -> None:
    found = unsteadiness(measured(different(1.1, variants=variants), 0.3, seed))
    assert found is not None
    assert found.unclear >= 10
    assert found.spread > 0.1
    assert str(found).startswith("this machine is too busy to tell these apart: on ")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_every_input_says_is_known_though_none_is_sure_of_it(seed: int) -> None:
    true = equal(60, 2)
    true[:, 1] *= 0.8
    assert unsteadiness(measured(true, 0.15, seed)) is None
    slower = equal(60, 2)
    slower[:, 1] *= 1.25
    assert unsteadiness(measured(slower, 0.15, seed)) is None, "the default is the best, surely"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("true", [equal(), different(1.2)], ids=["equal", "different"])
def test_samples_that_were_disturbed_once_are_no_sign(seed: int, true: Floats) -> None:
    assert unsteadiness(measured(true, 0.01, seed, outliers=0.02)) is None


def test_a_few_small_inputs_that_no_clock_can_time_are_no_sign() -> None:
    quiet, noisy = measured(different(1.1), 0.01, 1), measured(different(1.1), 0.3, 1)
    few = np.arange(20) < 6
    costs = np.where(few[:, None], noisy.costs, quiet.costs)
    assert noisy.spread is not None
    spread = np.where(few[:, None], noisy.spread, quiet.spread)
    assert unsteadiness(with_costs(quiet, costs, spread)) is None
    assert unsteadiness(noisy) is not None


@pytest.mark.parametrize("seed", SEEDS)
def test_a_few_inputs_that_differ_by_much_are_told_where_the_others_tie(seed: int) -> None:
    true = equal(12)
    true[:4, 2] *= 0.2
    found = measured(true, 0.1, seed)
    assert unsteadiness(found) is None
    assert found.spread is not None
    tied = slice(4, None)
    rest = replace(
        found.only(found.variants),
        inputs=found.inputs[tied],
        values=found.values[tied],
        costs=found.costs[tied],
        spread=found.spread[tied],
        exhaustive=None,
    )
    assert unsteadiness(rest) is not None, "these alone are ties in the noise"


def with_costs(data: TrainingSet, costs: Floats, spread: Floats | None) -> TrainingSet:
    return replace(data, costs=costs, spread=spread)


def test_without_spread_or_rivals_there_is_nothing_to_say() -> None:
    noisy = measured(equal(), 0.3, 1)
    assert unsteadiness(noisy) is not None
    assert unsteadiness(with_costs(noisy, noisy.costs, None)) is None
    assert unsteadiness(noisy.only(["v0"])) is None
    failed = noisy.costs.copy()
    failed[:, 1:] = np.inf
    assert unsteadiness(with_costs(noisy, failed, noisy.spread)) is None


def test_nothing_is_faster_than_an_exhaustive_search() -> None:
    quiet = measured(different(1.2), 0.01, 3)
    best = quiet.costs.argmin(axis=1)
    assert impossible_choice(quiet, best) is None
    assert quiet.exhaustive is not None
    drifted = replace(quiet, exhaustive=1.6 * quiet.exhaustive)
    found = impossible_choice(drifted, best)
    assert found is not None
    assert found.impossible == pytest.approx(1.6, rel=0.02)
    assert f"would be {found.impossible:.2f} times as fast as the best" in str(found)


def test_one_input_of_many_that_was_disturbed_is_not_impossible_on_the_whole() -> None:
    quiet = measured(different(1.2, inputs=60), 0.01, 3)
    assert quiet.exhaustive is not None
    assert quiet.spread is not None
    once = quiet.exhaustive.copy()
    once[7] *= 10
    spread = quiet.spread.copy()
    spread[7] = np.log(10) / 2
    best = quiet.costs.argmin(axis=1)
    assert impossible_choice(replace(quiet, exhaustive=once, spread=spread), best) is None
