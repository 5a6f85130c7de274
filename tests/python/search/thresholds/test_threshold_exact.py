"""The exact threshold tuner: the best thresholds, one measurement per (version, data set)."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from threshold_cases import Recording, random_recording, random_tree

from fettle.core.errors import FettleError
from fettle.search.thresholds import NEVER, Guard, Split, Version, chain, tune_exact
from fettle.search.thresholds.tree import guards, versions

PAIR = chain(("t", "yes"), otherwise="no")


def test_random_trees_are_tuned_to_the_best_with_one_measurement_a_version_and_data_set() -> None:
    agreed = 0
    for seed in range(300):
        rng = random.Random(seed)
        case = random_recording(rng, random_tree(rng, rng.randint(1, 3)), rng.randint(1, 4))
        tuned = tune_exact(case.tree, case.parallelism, case.one)
        once = {(v, d): 1 for v in versions(case.tree) for d in case.parallelism}
        assert Counter(case.measured) == once
        assert tuned.measurements == len(once)
        assert tuned.proven
        assert tuned.seconds == pytest.approx(case.optimum(), rel=1e-12), seed
        real = sum(case.step(tuned.thresholds, name) for name in case.parallelism)
        assert tuned.seconds == pytest.approx(real, rel=1e-12)
        agreed += not tuned.conflicts
    assert 50 < agreed < 250  # both ways were taken


def test_where_all_data_sets_can_have_their_best_the_ranges_find_it() -> None:
    for seed in range(100):
        rng = random.Random(seed)
        case = random_recording(rng, random_tree(rng, 3), 6)
        secret = {g.threshold: float(rng.randint(0, 7)) for g in guards(case.tree)}
        # What the secret thresholds decide is the best at every guard, also where none arrives.
        order = _preference(case, secret)
        for name, rank in order.items():
            case.seconds[name] = {v: 1.0 + place for place, v in enumerate(rank)}
        tuned = tune_exact(case.tree, case.parallelism, case.one, conflicts="tie_break")
        assert tuned.conflicts == ()
        assert tuned.proven
        assert tuned.seconds == len(case.parallelism)


def _preference(case: Recording, secret: dict[str, float]) -> dict[str, list[str]]:
    def ranked(tree: object, known: dict[str, float]) -> list[str]:
        if isinstance(tree, Version):
            return [tree.name]
        assert isinstance(tree, Guard)
        sides = [ranked(tree.then, known), ranked(tree.otherwise, known)]
        if secret[tree.threshold] > known[tree.threshold]:
            sides.reverse()
        return sides[0] + sides[1]

    return {name: ranked(case.tree, known) for name, known in case.parallelism.items()}


def test_parts_of_a_split_are_measured_together_and_tuned_apart() -> None:
    for seed in range(150):
        rng = random.Random(seed)
        case = random_recording(rng, random_tree(rng, 3, splits=True), 3)
        tuned = tune_exact(case.tree, case.parallelism, case.one)
        assert max(Counter(case.measured).values()) == 1
        assert len(case.measured) <= len(list(versions(case.tree))) * 3
        assert tuned.seconds == pytest.approx(case.optimum(), rel=1e-9), seed
    two = Split((PAIR, Guard("u", Version("a"), Version("b"))))
    case = random_recording(random.Random(1), two, 1)
    assert tune_exact(two, case.parallelism, case.one).measurements == 3


def test_the_example_of_the_thesis() -> None:
    # Section 2.1: A compares with 400 and wants no, B with 800 and wants yes: [401, 800].
    case = Recording(
        PAIR,
        {"A": {"t": 400}, "B": {"t": 800}},
        {"A": {"yes": 2, "no": 1}, "B": {"yes": 1, "no": 2}},
    )
    tuned = tune_exact(PAIR, case.parallelism, case.one)
    assert tuned.thresholds == {"t": 800}
    assert tuned.ranges is not None
    assert (tuned.ranges["t"].above, tuned.ranges["t"].upto) == (400, 800)


def test_a_conflict_goes_to_the_better_end_and_a_long_run_weighs_as_the_objective_says() -> None:
    parallelism = {"long": {"t": 10.0}, "short": {"t": 20.0}}
    seconds = {"long": {"yes": 10.0, "no": 11.0}, "short": {"yes": 0.3, "no": 0.1}}
    case = Recording(PAIR, parallelism, seconds)
    for conflicts in ("tie_break", "joint"):
        total = tune_exact(PAIR, parallelism, case.one, conflicts=conflicts)
        assert total.conflicts == ("t",)
        assert total.thresholds == {"t": 10}
        relative = tune_exact(
            PAIR, parallelism, case.one, conflicts=conflicts, objective="relative"
        )  # fmt: skip
        assert relative.thresholds == {"t": NEVER}
        assert relative.seconds == pytest.approx(11.1)


def test_joint_is_never_worse_than_the_tie_break_and_serves_all_where_that_cannot() -> None:
    # At the lower guard x wants no and y wants yes with less parallelism: they exclude each other.
    # But the upper guard takes x.
    tree = chain(("top", "a"), ("middle", "b"), otherwise="c")
    parallelism = {"x": {"top": 9.0, "middle": 9.0}, "y": {"top": 1.0, "middle": 1.0}}
    seconds = {"x": {"a": 1.0, "b": 9.0, "c": 2.0}, "y": {"a": 9.0, "b": 1.0, "c": 2.0}}
    case = Recording(tree, parallelism, seconds)
    assert tune_exact(tree, parallelism, case.one).seconds == 2
    assert tune_exact(tree, parallelism, case.one).conflicts == ("middle",)
    worse = 0
    for seed in range(100):
        rng = random.Random(seed)
        case = random_recording(rng, random_tree(rng, 3), 5)
        joint = tune_exact(case.tree, case.parallelism, case.one).seconds
        thesis = tune_exact(case.tree, case.parallelism, case.one, conflicts="tie_break").seconds
        assert joint <= thesis * (1 + 1e-12)
        worse += thesis > joint * 1.0001
    assert worse > 10


def test_without_effort_the_result_is_a_local_optimum_and_not_called_proven() -> None:
    rng = random.Random(3)
    case = random_recording(rng, random_tree(rng, 3), 6)
    tuned = tune_exact(case.tree, case.parallelism, case.one, effort=1)
    assert tuned.conflicts
    assert not tuned.proven
    for name, values in case.values().items():
        for value in (*values, NEVER):
            changed = {**tuned.thresholds, name: value}
            assert sum(case.step(changed, d) for d in case.parallelism) >= tuned.seconds - 1e-9


def test_a_version_that_fails_is_avoided_where_thresholds_can() -> None:
    parallelism = {"small": {"t": 1.0}, "large": {"t": 5.0}}
    seconds = {"small": {"yes": math.inf, "no": 1.0}, "large": {"yes": 9.0, "no": 1.0}}
    tuned = tune_exact(PAIR, parallelism, Recording(PAIR, parallelism, seconds).one)
    assert tuned.thresholds == {"t": NEVER}
    crossed = {
        "small": {"yes": 1.0, "no": math.inf},
        "large": {"yes": math.inf, "no": 1.0},
    }
    tuned = tune_exact(PAIR, parallelism, Recording(PAIR, parallelism, crossed).one)
    assert tuned.seconds == math.inf


def test_bad_input_is_named() -> None:
    good = {"d": {"t": 1.0}}

    def one(thresholds: object, name: str) -> float:
        return 1.0

    for tree, parallelism, measure, message in (
        (PAIR, {}, one, "no data sets"),
        (PAIR, {"d": {}}, one, "'d' has no parallelism for threshold 't'"),
        (
            PAIR,
            {"d": {"t": 1.0, "T": 1.0}},
            one,
            "for 'T', which is not a threshold of the tree",
        ),
        (PAIR, {"d": {"t": math.nan}}, one, "'t' is compared with is nan on 'd'"),
        (PAIR, {"d": {"t": math.inf}}, one, "'t' is compared with is inf on 'd'"),
        (PAIR, {"d": {"t": -1.0}}, one, "'t' is compared with is -1"),
        (PAIR, good, lambda t, d: math.nan, "version no took nan seconds on 'd'"),
        (PAIR, good, lambda t, d: -1.0, "version no took -1.0 seconds on 'd'"),
        (PAIR, good, lambda t, d: math.inf, "every version fails on 'd'"),
        (chain(("t", "a"), otherwise="a"), good, one, "the version 'a' is twice"),
        (
            chain(("t", "a"), ("t", "b"), otherwise="c"),
            good,
            one,
            "the threshold 't' is twice",
        ),
        (Split(()), good, one, "a split of the tree has no parts"),
    ):
        with pytest.raises(FettleError, match=message):
            tune_exact(tree, parallelism, measure)
    with pytest.raises(FettleError, match="unknown objective 'mean'; take 'total' or 'relative'"):
        tune_exact(PAIR, good, one, objective="mean")  # type: ignore[arg-type]
    with pytest.raises(FettleError, match="not settled by 'luck'"):
        tune_exact(PAIR, good, one, conflicts="luck")  # type: ignore[arg-type]
    two = Split((PAIR, Guard("u", Version("a"), Version("b"))))
    fails = {"d": {"yes": 1.0, "no": math.inf, "a": 1.0, "b": 1.0}}
    case = Recording(two, {"d": {"t": 1.0, "u": 1.0}}, fails)
    with pytest.raises(FettleError, match="version 'no' fails on 'd', where 'a' can be measured"):
        tune_exact(two, case.parallelism, case.one)
