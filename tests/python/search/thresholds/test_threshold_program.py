"""The tuner for trees with guards that compare once and guards in loops, on recorded programs."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from threshold_cases import MATMUL, Recording, looped_matmul, random_recording, random_tree

from fettle.core.errors import FettleError
from fettle.search.thresholds import (
    NEVER,
    Guard,
    Thresholds,
    Version,
    chain,
    tune_exact,
    tune_exhaustive,
    tune_program,
)
from fettle.search.thresholds.tree import guards, versions


class Program:
    """Data sets of several steps each, of which only the sum is known."""

    def __init__(self, case: Recording, steps: Mapping[str, Sequence[str]]) -> None:
        self.case, self.steps = case, steps
        self.runs: set[tuple[tuple[float, ...], str]] = set()

    def values(self) -> dict[str, dict[str, list[float]]]:
        """What each threshold is compared with on each data set."""
        return {
            data_set: {
                guard.threshold: [self.case.parallelism[name][guard.threshold] for name in names]
                for guard in guards(self.case.tree)
            }
            for data_set, names in self.steps.items()
        }

    def seconds(self, thresholds: Thresholds, data_set: str) -> float:
        """Run a data set."""
        self.runs.add((tuple(thresholds.values()), data_set))
        return sum(self.case.step(thresholds, name) for name in self.steps[data_set])


def test_simple_trees_are_tuned_as_by_the_exact_tuner_with_one_run_a_version() -> None:
    agreed = 0
    for seed in range(200):
        rng = random.Random(seed)
        case = random_recording(rng, random_tree(rng, 3), rng.randint(1, 3))
        program = Program(case, {name: [name] for name in case.parallelism})
        tuned = tune_program(case.tree, program.values(), program.seconds)
        exact = tune_exact(case.tree, case.parallelism, case.one, conflicts="tie_break")
        if exact.conflicts:
            continue
        agreed += 1
        assert tuned.thresholds == exact.thresholds, seed
        assert tuned.measurements == len(list(versions(case.tree))), seed
        assert len(program.runs) <= tuned.measurements * len(program.steps)
    assert agreed > 50


def test_a_conflict_goes_to_the_better_end() -> None:
    tree = chain(("t", "yes"), otherwise="no")
    parallelism = {"long": {"t": 10.0}, "short": {"t": 20.0}}
    seconds = {"long": {"yes": 10.0, "no": 11.0}, "short": {"yes": 0.3, "no": 0.1}}
    case = Recording(tree, parallelism, seconds)
    program = Program(case, {name: [name] for name in parallelism})
    assert tune_program(tree, program.values(), program.seconds).thresholds == {"t": 10}
    case.seconds["long"]["no"] = 10.1
    assert tune_program(tree, program.values(), program.seconds).thresholds == {"t": NEVER}


@pytest.mark.parametrize("loops", ["binary", "active", "exhaustive"])
def test_a_tree_with_both_kinds_of_guards(loops: str) -> None:
    # The guard on top compares once on each data set, those below it in every step.
    case = looped_matmul([64, 256, 1024])
    tree = Guard("whole", Version("serial"), MATMUL)
    steps: dict[str, list[str]] = {}
    for name, known in case.parallelism.items():
        size = name.partition(" ")[0]
        steps.setdefault(size, []).append(name)
        known["whole"] = float(size)
        case.seconds[name]["serial"] = 1e-7 if size == "1024" else 1.0
    mixed = Recording(tree, case.parallelism, case.seconds)
    program = Program(mixed, steps)
    tuned = tune_program(tree, program.values(), program.seconds, loops=loops)  # type: ignore[arg-type]
    assert tuned.thresholds["whole"] == 1024
    slow = tune_exhaustive(tree, mixed.values(), mixed.total)
    assert tuned.measurements < slow.measurements + 1
    assert tuned.seconds == pytest.approx(slow.seconds, rel=0.3)
    if loops == "exhaustive":
        assert tuned.seconds == pytest.approx(slow.seconds)
    else:
        assert tuned.measurements < 0.8 * slow.measurements
    assert tuned == tune_program(tree, program.values(), program.seconds, loops=loops)  # type: ignore[arg-type]


def test_bad_input_is_named() -> None:
    tree = chain(("t", "a"), otherwise="b")

    def one(thresholds: object, data_set: str) -> float:
        return 1.0

    with pytest.raises(FettleError, match="unknown strategy 'luck'; take one of binary, active"):
        tune_program(tree, {"d": {"t": [1.0]}}, one, loops="luck")  # type: ignore[arg-type]
    with pytest.raises(FettleError, match="there are no data sets"):
        tune_program(tree, {}, one)
    with pytest.raises(FettleError, match="threshold 't' has no values"):
        tune_program(tree, {"d": {}}, one)
    with pytest.raises(FettleError, match="values for 'T', which is not a threshold"):
        tune_program(tree, {"d": {"t": [1.0], "T": [1.0]}}, one)
