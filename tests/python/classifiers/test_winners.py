"""The winners against brute force over all sets of variants."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.classifiers import winners as classifiers_winners
from fettle.classifiers.winners import winners
from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet


def training_set(costs: NDArray[np.float64], default: str | None = None) -> TrainingSet:
    count, variants = costs.shape
    return TrainingSet(
        function="f",
        features=(),
        variants=tuple(f"v{place}" for place in range(variants)),
        inputs=tuple(f"i{place}" for place in range(count)),
        values=np.empty((count, 0)),
        costs=costs,
        feature_seconds=np.empty(0),
        default=default,
    )


def random_costs(seed: int) -> NDArray[np.float64]:
    """Few variants, close to one another, so that every choice of the solver has rivals."""
    random = np.random.default_rng(seed)
    shape = int(random.integers(1, 13)), int(random.integers(1, 8))
    costs = 1.0 + random.integers(0, 6, shape) * random.choice([0.005, 0.01, 0.3])
    costs[random.random(shape) < 0.1] = math.inf
    costs[:, 0] = np.where(np.isfinite(costs[:, 0]), costs[:, 0], 1.0)
    return costs


def by_brute_force(data: TrainingSet, loss: float) -> tuple[int, float]:
    """Size and mean share of the best set."""
    share = data.costs.min(axis=1, keepdims=True) / data.costs
    best_single = int(share.mean(axis=0).argmax())
    always = {best_single} | ({0} if data.default == "v0" else set())
    found = []
    for size in range(1, share.shape[1] + 1):
        for chosen in itertools.combinations(range(share.shape[1]), size):
            reached = share[:, chosen].max(axis=1)
            if always <= set(chosen) and (reached >= 1 - loss).all():
                found.append(float(reached.mean()))
        if found:
            return size, max(found)
    raise AssertionError("all variants together lose nothing")


@pytest.mark.parametrize("seed", range(150))
@pytest.mark.parametrize("default", [None, "v0"])
def test_no_set_is_smaller_or_better(seed: int, default: str | None) -> None:
    data = training_set(random_costs(seed), default)
    loss = [0.0, 0.01, 0.05][seed % 3]
    chosen = winners(data, loss=loss, gain=0.0)
    share = data.costs.min(axis=1, keepdims=True) / data.costs
    reached = share[:, [data.variants.index(name) for name in chosen]].max(axis=1)
    size, mean = by_brute_force(data, loss)
    assert (reached >= 1 - loss).all()
    assert len(chosen) == size
    assert reached.mean() == pytest.approx(mean, abs=1e-6)


def test_the_order_is_the_programs() -> None:
    costs = np.array([[9.0, 1.0, 9.0], [9.0, 9.0, 1.0], [1.0, 9.0, 9.0]])
    assert winners(training_set(costs, "v0")) == ("v0", "v1", "v2")


def test_what_is_not_to_be_trusted_is_neither_kept_nor_the_yardstick() -> None:
    costs = np.array([[2.0, 1.0, 4.0], [2.0, 1.0, 1.9]])
    assert winners(training_set(costs, "v0"), never={"v1"}) == ("v0", "v2")
    assert winners(training_set(costs, "v0"), never={"v1"}, loss=0.06) == ("v0",)


def test_what_a_chain_of_thresholds_names_is_kept_and_serves_others_too() -> None:
    costs = np.array([[9.0, 1.0, 1.001, 9.0], [1.0, 9.0, 9.0, 9.0]])
    assert winners(training_set(costs, "v0")) == ("v0", "v1")
    # v2 is kept, and near enough to the best for v1 not to be needed.
    assert winners(training_set(costs, "v0"), always={"v2"}) == ("v0", "v2")
    assert winners(training_set(costs, "v0"), always={"v2", "v3"}) == ("v0", "v2", "v3")


def test_what_was_best_once_by_a_little_is_left_out() -> None:
    costs = np.tile([[3.0, 1.0, 1.0, 1.0]], (100, 1))
    costs[0] = [3.0, 1.08, 1.0, 2.0]  # v2 adds 0.0007 to the mean share of v1
    costs[1:40] = [3.0, 2.0, 2.0, 1.0]
    costs[40:] = [3.0, 1.0, 2.0, 2.0]
    data = training_set(costs, "v0")
    assert winners(data, gain=0.0) == ("v0", "v1", "v2", "v3")
    assert winners(data) == ("v0", "v1", "v3")


def test_inputs_that_nothing_trusted_serves_do_not_count() -> None:
    costs = np.array([[math.inf, 1.0], [1.0, 2.0]])
    assert winners(training_set(costs, "v0"), never={"v1"}) == ("v0",)


def test_a_space_of_real_size() -> None:
    """200 inputs on a line, 300 variants each of which is good near a place of its own."""
    random = np.random.default_rng(1)
    inputs, places = random.random((200, 1)), random.random((1, 300))
    costs = 1.0 + np.abs(inputs - places) + random.random((200, 300)) * 0.01
    chosen = winners(training_set(costs, "v0"), loss=0.02, gain=0.0)
    share = costs.min(axis=1, keepdims=True) / costs
    kept = [int(name[1:]) for name in chosen]
    assert (share[:, kept].max(axis=1) >= 0.98).all()
    assert 20 < len(kept) < 50, "an interval of 0.04 is covered by each"


def test_a_space_that_is_not_solved_gets_a_set_that_serves_all_inputs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Shares that no place explains, of which the solver would prove the best set for minutes."""
    monkeypatch.setattr(classifiers_winners, "NODES", 1)
    costs = np.exp(np.random.default_rng(0).normal(0, 0.1, (60, 90)))
    chosen = winners(training_set(costs, "v0"), loss=0.1, gain=0.0)
    share = costs.min(axis=1, keepdims=True) / costs
    assert (share[:, [int(name[1:]) for name in chosen]].max(axis=1) >= 0.9).all()
    assert winners(training_set(costs, "v0"), loss=0.1, gain=0.0) == chosen
    assert len(chosen) < 60


def test_nonsense_is_refused() -> None:
    with pytest.raises(FettleError, match=r"loss must be in \[0, 1\), got 1"):
        winners(training_set(np.ones((1, 1))), loss=1.0)
    with pytest.raises(FettleError, match="no variant is both right and measured"):
        winners(training_set(np.ones((1, 1))), never={"v0"})
