"""Which searches workers get at a time, what goes with them, and what is taken from answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from noisy_program import SPACES, NoisyProgram, NoisySession, drawn_inputs, one_point_for_all

from fettle.parameters import explore
from fettle.parameters.explore import Explorer
from fettle.parameters.remote_explore import explore_all, explore_job
from fettle.search.parameter_search import ParameterSearch
from fettle.store.plain import is_plain
from fettle.training.program import Input, InputError
from fettle.training.remote_pool import Pool

SIZES = drawn_inputs(7, 1)
INPUTS = [Input(name, (name,)) for name in SIZES]
FOUND = {"tiled": ["tiled tile=4 unroll=1"], "packed": []}


class Workers(Pool):
    """Answers as a worker would that finds a point named after the input."""

    def __init__(self, workers: int, failing: str = "") -> None:
        super().__init__(executor=None, say=print)  # type: ignore[arg-type]
        self.workers, self.failing = workers, failing
        self.batches: list[dict[str, Mapping[str, Any]]] = []

    @property
    def count(self) -> int:
        """As many have answered as there are, after the first batch."""
        return self.workers if self.batches else 0

    def answers(
        self,
        measurer: Any,
        function: Callable[[dict[str, Any]], dict[str, Any]],
        jobs: Mapping[Input, Mapping[str, Any]],
        deadline: float | None = None,
    ) -> Iterator[tuple[Input, dict[str, Any]]]:
        """The answers, in the order of the jobs."""
        assert function is explore_job
        self.batches.append({given.name: job for given, job in jobs.items()})
        for given in jobs:
            failed = given.name == self.failing
            yield (
                given,
                {
                    "status": "input" if failed else "done",
                    "message": "it crashed" if failed else "",
                    "notes": {f"parameters: f {given.name} 0 tiled": "asked"},
                    **({} if failed else {"found": {"tiled": [f"tiled {given.name}"]}}),
                },
            )


def explorer_with(workers: Workers | None) -> Explorer:
    program = NoisyProgram(one_point_for_all, SIZES, 0.0, seed=1)
    program.workers = workers  # type: ignore[assignment]
    search = ParameterSearch("variants", strategy="greedy", measurements=8)
    found = {variant: list(points) for variant, points in FOUND.items()}
    return Explorer(program, search, SPACES, 0, found=found)  # type: ignore[arg-type]


def test_as_many_searches_at_a_time_as_there_are_workers() -> None:
    workers = Workers(3)
    done = list(explore_all(explorer_with(workers), INPUTS))
    assert [given for given, _ in done] == INPUTS
    assert [len(batch) for batch in workers.batches] == [2, 3, 2]


def test_a_batch_begins_with_the_points_that_were_found_before() -> None:
    workers = Workers(3)
    explorer = explorer_with(workers)
    list(explore_all(explorer, INPUTS))
    first, second, _ = workers.batches
    assert all(job["found"] == FOUND for job in first.values())
    known = [*FOUND["tiled"], *(f"tiled {name}" for name in first)]
    assert all(job["found"]["tiled"] == known for job in second.values())
    assert explorer.found["tiled"] == [*FOUND["tiled"], *(f"tiled {name}" for name in SIZES)]


def test_jobs_are_plain_data_with_the_notes_of_their_input() -> None:
    workers = Workers(8)
    explorer = explorer_with(workers)
    explorer.measurer.store.notes = lambda: {  # type: ignore[method-assign]
        f"parameters: f {INPUTS[0].name} 0 tiled": "before",
        "parameters: f another 0 tiled": "not this",
    }
    list(explore_all(explorer, INPUTS[:1], iter(["tiled tile=4 unroll=1"])))
    [[job]] = [list(batch.values()) for batch in workers.batches]
    assert is_plain(job)
    assert job["notes"] == {f"parameters: f {INPUTS[0].name} 0 tiled": "before"}
    assert job["names"] == ["tiled tile=4 unroll=1"]
    assert ParameterSearch(**job["search"]) == explorer.settings
    assert explorer.measurer.store.note(f"parameters: f {INPUTS[0].name} 0 tiled") == "asked"


def test_an_input_that_fails_at_a_worker_is_yielded_with_its_error() -> None:
    workers = Workers(2, failing=INPUTS[1].name)
    done = dict(explore_all(explorer_with(workers), INPUTS))
    assert isinstance(done[INPUTS[1]], InputError) and str(done[INPUTS[1]]) == "it crashed"
    assert [error for given, error in done.items() if given != INPUTS[1]] == [None] * 6


def test_without_workers_this_process_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "PointSession", NoisySession)
    explorer = explorer_with(None)
    done = list(explore_all(explorer, INPUTS[:2]))
    assert done == [(given, None) for given in INPUTS[:2]]
    assert explorer.measurer.spent.points > 8
