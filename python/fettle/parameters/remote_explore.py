"""Searches parameters on the workers of an executor, several inputs at the same time.

Each search begins with the points that were best on the inputs before, as far as these are done.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from fettle.parameters.explore import Explorer
from fettle.search.parameter_search import ParameterSearch
from fettle.search.variant_space import offered_spaces
from fettle.training.measure import Measurer
from fettle.training.program import Input, InputError
from fettle.training.remote_pool import Pool
from fettle.training.remote_worker import answer_to

FEWEST = 2  # inputs at a time, while it is not known how many workers there are


def explore_all(
    explorer: Explorer, inputs: Sequence[Input], names: Iterable[str] | None = None
) -> Iterator[tuple[Input, InputError | None]]:
    """Explores inputs, or measures the points `names` on them; yields each that is done.

    Where there are no workers, one after the other in this process.
    """
    pool = explorer.measurer.workers
    if not isinstance(pool, Pool):
        for given in inputs:
            try:
                if names is None:
                    explorer.explore(given)
                else:
                    explorer.measure(given, names)
            except InputError as error:
                yield given, error
            else:
                yield given, None
        return
    wanted = None if names is None else list(names)
    left = list(inputs)
    while left:
        size = max(FEWEST, pool.count)
        part, left = left[:size], left[size:]
        jobs = {given: _job(explorer, given, wanted) for given in part}
        for given, answer in pool.answers(explorer.measurer, explore_job, jobs):
            _take(explorer, answer)
            failed = answer["status"] == "input"
            yield given, InputError(answer["message"]) if failed else None


def _job(explorer: Explorer, given: Input, names: list[str] | None) -> dict[str, Any]:
    measurer = explorer.measurer
    begin = f"parameters: {measurer.subject} {measurer.key(given)} "
    notes = {key: value for key, value in measurer.store.notes().items() if key.startswith(begin)}
    deadline = explorer.deadline
    return {
        "names": names,
        "search": {**asdict(explorer.settings), "options": dict(explorer.settings.options)},
        "seed": explorer.seed,
        "seconds": None if deadline is None else max(0.0, deadline - time.monotonic()),
        "found": {variant: list(points) for variant, points in explorer.found.items()},
        "notes": notes,
    }


def explore_job(job: dict[str, Any]) -> dict[str, Any]:
    """What a worker does: searches on one input, or measures points on it."""

    def work(measurer: Measurer, given: Input) -> dict[str, Any]:
        assert measurer.offer is not None
        seconds = job["seconds"]
        explorer = Explorer(
            measurer,
            ParameterSearch(**job["search"]),
            offered_spaces(measurer.offer.parameters),
            job["seed"],
            None if seconds is None else time.monotonic() + seconds,
            {variant: list(points) for variant, points in job["found"].items()},
        )
        if job["names"] is None:
            explorer.explore(given)
        else:
            explorer.measure(given, job["names"])
        return {"found": explorer.found}

    return answer_to(job, work)


def _take(explorer: Explorer, answer: dict[str, Any]) -> None:
    for variant, points in answer.get("found", {}).items():
        known = explorer.found.setdefault(variant, [])
        known += [point for point in points if point not in known]
    store = explorer.measurer.store
    for key, value in answer["notes"].items():
        if store.note(key) != value:
            store.set_note(key, value)
