"""Threshold tuners where sizes vary within a run, on recorded loops."""

from __future__ import annotations

import itertools
import math
import random
import sys
from collections.abc import Iterator

import pytest
from threshold_cases import (
    MATMUL,
    Recording,
    looped_matmul,
    random_recording,
    random_tree,
)

from fettle.core.errors import FettleError
from fettle.search.thresholds import (
    NEVER,
    Split,
    Step,
    Version,
    chain,
    tune_active,
    tune_binary,
    tune_cma_es,
    tune_exhaustive,
    tune_instrumented,
)
from fettle.search.thresholds.tree import versions

PAIR = chain(("t", "yes"), otherwise="no")


def curve(seconds: list[float]) -> Recording:
    """One threshold; the whole takes seconds[i] with the i-th candidate, the last is infinity."""
    case = Recording(PAIR, {}, {})
    for i, (here, above) in enumerate(itertools.pairwise(seconds)):
        # Raising the threshold past step i replaces its `yes` by its `no`.
        case.parallelism[f"#{i}"] = {"t": float(2**i)}
        case.seconds[f"#{i}"] = {"yes": 100.0, "no": 100.0 + above - here}
    return case


def test_instrumentation_equals_exhaustive_search_of_all_combinations() -> None:
    for seed in range(200):
        rng = random.Random(seed)
        case = random_recording(rng, random_tree(rng, rng.randint(1, 3)), rng.randint(1, 4))
        tuned = tune_instrumented(case.tree, case.instrumented)
        assert len(case.measured) == tuned.measurements == len(list(versions(case.tree)))
        assert tuned.proven
        assert tuned.seconds == pytest.approx(case.optimum(), rel=1e-12), seed


def test_algorithm_8_equals_exhaustive_search_guard_by_guard() -> None:
    for seed in range(100):
        rng = random.Random(seed)
        case = random_recording(rng, random_tree(rng, 3), 8)
        tuned = tune_instrumented(case.tree, case.instrumented, method="depth_first")
        assert len(case.measured) == len(list(versions(case.tree)))
        slow = tune_exhaustive(case.tree, case.values(), case.total)
        assert tuned.thresholds == slow.thresholds, seed
        assert tuned.seconds == pytest.approx(slow.seconds, rel=1e-12)


def test_the_loop_of_products() -> None:
    case = looped_matmul([64, 128, 256, 512, 1024])
    tuned = tune_instrumented(MATMUL, case.instrumented)
    assert tuned.measurements == 5
    assert tuned.proven
    slow = tune_exhaustive(MATMUL, case.values(), case.total)
    assert tuned.seconds <= slow.seconds * (1 + 1e-12)
    flat = case.total(dict.fromkeys(("t1", "t2", "t3", "t4"), NEVER))
    assert tuned.seconds < 0.8 * flat
    small = looped_matmul([16, 64])
    assert tune_instrumented(MATMUL, small.instrumented).seconds == pytest.approx(small.optimum())


def test_the_parts_of_a_split_in_a_loop() -> None:
    for seed in range(50):
        rng = random.Random(seed)
        case = random_recording(rng, random_tree(rng, 3, splits=True), 3)
        tuned = tune_instrumented(case.tree, case.instrumented)
        assert tuned.measurements == len(case.measured) <= len(list(versions(case.tree)))
        assert tuned.seconds == pytest.approx(case.optimum(), rel=1e-9), seed


@pytest.mark.parametrize("lowest", range(16))
def test_binary_search_and_active_learning_find_the_one_minimum(lowest: int) -> None:
    case = curve([1.0 + abs(i - lowest) ** 1.5 for i in range(16)])
    best = case.optimum()
    found = tune_binary(PAIR, case.values(), case.total)
    assert found.seconds == pytest.approx(best)
    assert found.measurements == len(case.measured) <= 2 * 4 + 2
    for seed in range(3):
        found = tune_active(PAIR, case.values(), case.total, seed=seed)
        assert found.seconds == pytest.approx(best)
        assert found.measurements <= 11


def test_algorithm_5_to_the_letter_misses_a_minimum_in_the_lower_half() -> None:
    rising = curve([float(i) for i in range(16)])
    found = tune_binary(PAIR, rising.values(), rising.total, as_printed=True)
    assert found.measurements <= 6
    assert found.seconds > rising.optimum() + 5
    falling = curve([float(16 - i) for i in range(16)])
    found = tune_binary(PAIR, falling.values(), falling.total, as_printed=True)
    assert found.thresholds == {"t": NEVER}


def test_end_point_sampling_leaves_no_better_neighbour() -> None:
    for seed in range(50):
        rng = random.Random(seed)
        seconds = [rng.uniform(1, 10) for _ in range(20)]
        case = curve(seconds)
        tuned = tune_active(PAIR, case.values(), case.total, seed=seed)
        steps = [*sorted(case.values()["t"]), NEVER]
        place = steps.index(tuned.thresholds["t"])
        near = seconds[max(place - 1, 0) : place + 2]
        assert seconds[place] == min(near)
    again = tune_active(PAIR, case.values(), case.total, seed=49)
    assert again == tuned


def test_algorithm_6_alone_ends_where_the_parabola_stays() -> None:
    runs = {True: 0, False: 0}
    for lowest in range(16):
        case = curve([1.0 + (i - lowest) ** 2 for i in range(16)])
        for seed in range(5):
            for end_points in runs:
                found = tune_active(
                    PAIR, case.values(), case.total, seed=seed, end_points=end_points
                )
                assert found.seconds == pytest.approx(case.optimum())
                runs[end_points] += found.measurements
    assert runs[False] < 0.8 * runs[True]
    # The thesis's example: where the parabola is wrong, the neighbour is never looked at.
    worse = 0
    for seed in range(20):
        case = curve([5.0, 4.0, 6.0, 7.0, 8.0])
        found = tune_active(PAIR, case.values(), case.total, seed=seed, end_points=False)
        worse += found.seconds > case.optimum() + 0.5
    assert worse > 0


def test_cma_es_on_values_repeats_itself_and_finds_no_more_than_on_indices() -> None:
    pytest.importorskip("cma")
    case = looped_matmul([64, 256, 1024])
    runs = {}
    for encoding in ("value", "index"):
        found = [
            tune_cma_es(
                MATMUL, case.values(), case.total, seed=seed, measurements=60, encoding=encoding
            )
            for seed in range(5)
        ]
        assert all(one.measurements <= 60 for one in found)
        runs[encoding] = sum(one.seconds for one in found)
    assert runs["index"] <= runs["value"]
    with pytest.raises(FettleError, match="unknown encoding 'bits'; take 'index' or 'value'"):
        tune_cma_es(MATMUL, case.values(), case.total, encoding="bits")  # type: ignore[arg-type]


def test_cma_es_searches_places_within_its_budget() -> None:
    pytest.importorskip("cma")
    case = looped_matmul([64, 256, 1024])
    flat = case.total(dict.fromkeys(("t1", "t2", "t3", "t4"), NEVER))
    case.measured.clear()
    tuned = tune_cma_es(MATMUL, case.values(), case.total, seed=1, measurements=60)
    assert tuned.measurements == len(case.measured) <= 60
    assert tuned.seconds < flat
    assert tune_cma_es(MATMUL, case.values(), case.total, seed=1, measurements=60) == tuned
    one = curve([1.0 + abs(i - 6) for i in range(16)])
    assert tune_cma_es(PAIR, one.values(), one.total).seconds == pytest.approx(one.optimum())


def test_cma_es_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(FettleError, match="pip install cma"):
        tune_cma_es(PAIR, {"t": [1.0]}, lambda thresholds: 1.0)
    with pytest.raises(FettleError, match="at least 1 measurement, not 0"):
        tune_cma_es(PAIR, {"t": [1.0]}, lambda thresholds: 1.0, measurements=0)


def test_one_version_needs_no_thresholds() -> None:
    alone = Version("only")
    assert tune_exhaustive(alone, {}, lambda thresholds: 2.0).seconds == 2.0
    found = tune_instrumented(alone, lambda thresholds: [Step("d", {}, 2.0)])
    assert (found.thresholds, found.seconds, found.measurements) == ({}, 2.0, 1)


@pytest.mark.parametrize("tune", [tune_exhaustive, tune_binary, tune_active])
def test_bad_input_of_whole_runs_is_named(tune: object) -> None:
    assert callable(tune)

    def one(thresholds: object) -> float:
        return 1.0

    for tree, values, measure, message in (
        (PAIR, {}, one, "threshold 't' has no values"),
        (PAIR, {"t": []}, one, "threshold 't' has no values"),
        (PAIR, {"t": [1], "T": [1]}, one, "values for 'T', which is not a threshold"),
        (PAIR, {"t": [math.nan]}, one, "'t' is compared with is nan"),
        (PAIR, {"t": [1]}, lambda t: math.nan, "t = .* took nan seconds"),
        (PAIR, {"t": [1]}, lambda t: -1.0, "took -1.0 seconds"),
        (PAIR, {"t": [1, 2, 3]}, lambda t: math.inf, "runs fails too"),
        (Split(()), {}, one, "no parts"),
    ):
        with pytest.raises(FettleError, match=message):
            tune(tree, values, measure)


def test_bad_instrumented_runs_are_named() -> None:
    def step(name: str = "d", at: float = 1.0, seconds: float = 1.0) -> Step:
        return Step(name, {"t": at}, seconds)

    def runs(*both: list[Step]) -> list[list[Step]]:
        return list(both)

    for reported, message in (
        (runs([], []), "version no reports no steps"),
        (runs([step(), step()], []), "version no reports step 'd' twice"),
        (
            runs([step()], [step("e")]),
            "version yes and the first one differ in step 'd'",
        ),
        (
            runs([step()], [step(at=2.0)]),
            "with 1 in one run and with 2 in another in step 'd'",
        ),
        (
            runs([Step("d", {}, 1.0)] * 1, [Step("d", {}, 1.0)]),
            "no run reports what thres",
        ),
        (runs([step(at=math.inf)], [step()]), "compared with is inf on 'd'"),
        (
            runs([step(seconds=math.nan)], [step()]),
            "version no took nan seconds on 'd'",
        ),
        (
            runs([step(seconds=math.inf)], [step(seconds=math.inf)]),
            "every version fails on 'd'",
        ),
    ):
        waiting = iter(reported)

        def measure(thresholds: object, waiting: Iterator[list[Step]] = waiting) -> list[Step]:
            return next(waiting)

        with pytest.raises(FettleError, match=message):
            tune_instrumented(PAIR, measure)
    with pytest.raises(FettleError, match="unknown method 'luck'"):
        tune_instrumented(PAIR, lambda thresholds: [step()], method="luck")  # type: ignore[arg-type]
    with pytest.raises(FettleError, match="at least one guess, not 0"):
        tune_active(PAIR, {"t": [1]}, lambda thresholds: 1.0, guesses=0)
