"""Which points of a call are measured again, and which count as equal."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

import pytest

from fettle.parameters.racing import Standing, levelled, race
from fettle.store.contents import Example
from fettle.store.subject import Offer

OFFER = Offer(("a", "b"), (), "a", "returned", False, {})


def example(samples: Mapping[str, Sequence[float]]) -> Example:
    """A call on which all of this was measured."""
    return Example(
        0,
        {},
        {},
        {name: list(values) for name, values in samples.items()},
        dict.fromkeys(samples, ("measured", "")),
    )


def standing(samples: Mapping[str, Sequence[float]], offer: Offer = OFFER) -> Standing:
    return Standing.of(example(samples), list(samples), offer)


class Runs:
    """A session in which each run of a point gives three samples around its cost."""

    def __init__(self, costs: Mapping[str, float], noise: float, broken: str = "") -> None:
        self.costs, self.noise, self.broken = costs, noise, broken
        self.dice = random.Random(7)
        self.known = example({})
        self.rounds: list[list[str]] = []
        for name in costs:
            self.known.verdicts[name] = ("measured", "")
            self.known.samples[name] = [self.sample(name) for _ in range(3)]

    def sample(self, name: str) -> float:
        return self.costs[name] * math.exp(self.noise * self.dice.gauss(0, 1))

    def example(self) -> Example:
        return self.known

    def again(self, names: Sequence[str]) -> None:
        self.rounds.append(list(names))
        for name in names:
            if name != self.broken:
                self.known.samples[name] += [self.sample(name) for _ in range(3)]

    def asked(self, name: str) -> int:
        return sum(name in names for names in self.rounds)


def test_noise_is_that_of_medians_near_the_best() -> None:
    dice = random.Random(3)
    near = {str(i): [math.exp(0.1 * dice.gauss(0, 1)) for _ in range(30)] for i in range(20)}
    far = {"far": [100 * math.exp(dice.gauss(0, 1)) for _ in range(30)]}
    assert standing(near | far).noise == pytest.approx(0.125, rel=0.2)
    assert standing({"a": [1.0, 1.01], "b": [1.1]}).noise == 0.1, "little is known of it"
    assert standing({"a": [1.0, 1.0], "b": [1.1]}).noise == 1e-4, "nothing is exact"


def test_samples_that_were_taken_together_say_little_of_noise() -> None:
    disturbed = {"a": [1.0] * 4 + [1.5] * 4, "b": [1.51] * 4 + [1.01] * 4}
    assert standing(disturbed).noise > 0.5
    assert standing({"a": [1.0, 1.001, 1.0, 1.001], "b": [1.6, 1.601, 1.6, 1.601]}).undecided() == [
        "a"
    ], "it may have been lucky four times"


def test_points_are_distinguished_as_far_as_their_samples_allow() -> None:
    dice = random.Random(2)
    many = [math.exp(0.03 * dice.gauss(0, 1)) for _ in range(29)]
    few = many[:4]
    above = [[1.1 * x for x in samples] for samples in (few, many)]
    assert standing({"a": few, "b": above[0]}).undecided() == ["a", "b"]
    assert standing({"a": many, "b": above[1]}).undecided() == []
    assert standing({"a": few, "b": [2.0]}).undecided() == ["a"], "b is far behind"
    assert standing({"a": many[:8], "b": [2.0]}).undecided() == []
    assert standing({"a": many[:8], "b": many[:8]}).undecided() == [], "equal, and well known"
    assert standing({"a": few}).undecided() == []
    assert standing({}).undecided() == []


def test_long_runs_need_few_samples() -> None:
    seconds = Offer(("a", "b"), (), "a", "s", False, {})
    known = {"a": [1.0, 1.01, 1.0], "b": [1.2, 1.21, 1.2]}
    assert standing(known, seconds).undecided() == []
    short = {name: [1e-5 * x for x in samples] for name, samples in known.items()}
    assert standing(short, seconds).undecided() == ["a", "b"]


def test_constant_metrics_need_no_second_run() -> None:
    runs = Runs({"a": 1.0, "b": 1.02, "c": 1.5, "d": 9.0}, noise=0.0)
    race(runs, list(runs.costs), OFFER, 40)
    assert runs.rounds == []


def test_the_field_gets_smaller_and_the_budget_holds() -> None:
    costs = {f"p{i}": 1.0 + 0.03 * i for i in range(20)}
    runs = Runs(costs, noise=0.1)
    race(runs, list(costs), OFFER, 60)
    assert sum(map(len, runs.rounds)) <= 60
    sizes = [len(names) for names in runs.rounds]
    assert sizes[0] >= 4 > sizes[-1]
    assert runs.asked("p0") > 3 * runs.asked("p10")
    now = Standing.of(runs.example(), costs, OFFER)
    assert now.best in ("p0", "p1", "p2")


def test_nothing_is_begun_when_it_is_late() -> None:
    runs = Runs({"a": 1.0, "b": 1.01}, noise=0.1)
    race(runs, ["a", "b"], OFFER, 40, lambda: True)
    assert runs.rounds == []


def test_a_point_that_no_longer_works_is_asked_for_once() -> None:
    runs = Runs(dict.fromkeys("abcdef", 1.0), noise=0.1, broken="b")
    race(runs, list("abcdef"), OFFER, 40)
    assert runs.asked("b") == 1
    assert len(runs.rounds) > 2


def test_what_ties_with_the_best_costs_nearly_the_same() -> None:
    dice = random.Random(5)
    few = [1.0, 1.1, 0.9, 1.0]
    many = [1.4 * math.exp(0.1 * dice.gauss(0, 1)) for _ in range(32)]
    known = example({"a": few, "b": [1.03 * x for x in few], "c": many})
    known.verdicts["d"] = ("failed", "it crashed")
    shown = levelled(known, ["a", "b", "c", "d"], OFFER)
    assert shown.samples["a"] == few
    assert shown.samples["b"] == [pytest.approx(1.0)]
    assert 1.3 < shown.samples["c"][0] < 1.45
    assert shown.verdicts == known.verdicts
    exact = example({"a": [1.0] * 4, "b": [1.03] * 4})
    assert levelled(exact, ["a", "b"], OFFER).samples["b"] == [pytest.approx(1.03, rel=1e-4)]


def test_where_more_is_better_the_largest_is_the_best() -> None:
    offer = Offer(("a", "b"), (), "a", "GB/s", True, {})
    shown = standing({"a": [10.0] * 6, "b": [20.0] * 6}, offer)
    assert shown.best == "b"
    assert levelled(example({"a": [10.0] * 6, "b": [20.0] * 6}), ["a", "b"], offer).samples[
        "a"
    ] == [pytest.approx(10.0, rel=1e-3)]


def test_failed_points_are_no_rivals() -> None:
    known = example({"a": [1.0] * 3, "b": [math.inf] * 3, "c": [1.0] * 3})
    known.verdicts["c"] = ("failed", "wrong result")
    assert list(Standing.of(known, ["a", "b", "c", "never heard of"], OFFER).samples) == ["a"]
