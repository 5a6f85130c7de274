"""`fettle evaluate` of a model that was trained on several machines."""

from __future__ import annotations

import argparse
import json
import warnings
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from fettle.cli.table_arguments import warnings_as_lines
from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.data.score import Score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fettle.data.training_set import Floats
    from fettle.transfer.machines import Machines
    from fettle.transfer.sources import Measured
    from fettle.transfer.target import Transferred


@dataclass(frozen=True)
class OnMachine:
    """The choices on one machine of the table."""

    machine: str
    masked: Score
    """Among the variants that work on each input, as with constraints."""
    unmasked: Score
    """Among all variants of the machine: one that fails has a share of 0."""
    inputs: int
    measured_here: int
    how: str
    unlike: str

    def line(self) -> str:
        """For people."""
        guard = f"; unlike the sources: {self.unlike}" if self.unlike else ""
        return (
            f"{self.machine}: masked mean {self.masked.mean:.4f} p5 {self.masked.p5:.4f} worst "
            f"{self.masked.worst:.4f} accuracy {self.masked.accuracy:.4f}, unmasked mean "
            f"{self.unmasked.mean:.4f} p5 {self.unmasked.p5:.4f} worst {self.unmasked.worst:.4f}, "
            f"n {self.inputs} ({self.how}{guard})"
        )


def run_transfer(options: argparse.Namespace) -> int:
    """Choose on each machine of the table by its device features alone, or with a few inputs."""
    from fettle.core.blas import OneBlasThread
    from fettle.core.scikit_learn import without_checks
    from fettle.data.table import read_table
    from fettle.data.training_set import TrainingWarning
    from fettle.transfer.directory import is_transfer, read_transfer
    from fettle.transfer.machines import read_machines
    from fettle.transfer.sources import measured

    if not is_transfer(options.model):
        raise FettleError(
            f"{options.model} is not a model of several machines; make one with `fettle train "
            "--machine-column ... --machines ...`, or leave out --machine-column and --machines"
        )
    with warnings_as_lines(), OneBlasThread()(), without_checks():
        described, transferred = read_transfer(options.model)
        table = read_table(options.table)
        for what, names in (("feature", described.features), ("variant", described.variants)):
            missing = [name for name in names if name not in table.columns]
            if what == "feature" and missing:
                raise FettleError(
                    f"{options.model} is a model for other columns: its {what} {missing[0]!r} is "
                    f"not a column of {options.table}, which has {', '.join(table.columns)}"
                )
        there = tuple(name for name in described.variants if name in table.columns)
        for name in (name for name in described.variants if name not in there):
            warnings.warn(
                f"{options.table} has no column {name!r}, a variant of {options.model}; its "
                "machines count as without it",
                TrainingWarning,
                stacklevel=2,
            )
        data, _ = measured(
            table, options.machine_column, (), described.features, there, options.absent
        )
        data = _with_all_variants(data, described.variants)
        machines = read_machines(options.machines, options.machine_column, data.machines)
        alike = machines.like(transferred.machines, str(options.machines))
        found = [
            _judge(transferred, data, alike, place, options.measured_here or 0, options.seed)
            for place in range(len(data.machines))
        ]
    masked, unmasked = _mean([one.masked for one in found]), _mean([one.unmasked for one in found])
    inputs = sum(one.inputs for one in found)
    if options.json:
        record = {
            "machines": [asdict(one) for one in found],
            "masked": asdict(masked),
            "unmasked": asdict(unmasked),
            "inputs": inputs,
            "method": transferred.method,
        }
        print(json.dumps(record, indent=1))
        return 0
    print("\n".join(one.line() for one in found))
    print(
        f"unmasked share of best: mean {unmasked.mean:.4f} p5 {unmasked.p5:.4f} worst "
        f"{unmasked.worst:.4f} accuracy {unmasked.accuracy:.4f} n {inputs}"
    )
    print(
        f"share of best: mean {masked.mean:.4f} p5 {masked.p5:.4f} worst {masked.worst:.4f} "
        f"accuracy {masked.accuracy:.4f} n {inputs}"
    )
    return 0


def _judge(
    transferred: Transferred,
    data: Measured,
    machines: Machines,
    place: int,
    measured_here: int,
    seed: int,
) -> OnMachine:
    import numpy as np

    rows = data.of_machine(place)
    if measured_here >= len(rows):
        raise FettleError(
            f"--measured-here {measured_here}: of {data.machines[place]} there are "
            f"{counted(len(rows), 'row')}, and at least one has to be left to judge; give fewer"
        )
    lacking = data.absent(place)
    order = np.random.default_rng([seed, place]).permutation(rows)
    here, judged = order[:measured_here], np.sort(order[measured_here:])
    given: Measured | None = data.rows(here) if measured_here else None
    choice = transferred.on(machines.of([data.machines[place]]), lacking, given)
    scores = choice.scores(data.values[judged])
    costs = data.costs[judged]
    return OnMachine(
        data.machines[place],
        _score("masked", np.where(np.isfinite(costs), scores, -np.inf), costs),
        _score("unmasked", np.where(lacking, -np.inf, scores), costs),
        len(judged),
        measured_here,
        choice.how,
        choice.is_unlike,
    )


def _score(name: str, scores: Floats, costs: Floats) -> Score:
    import numpy as np

    rows = np.arange(len(costs))
    chosen: NDArray[np.intp] = scores.argmax(axis=1)
    best, paid = costs.min(axis=1), costs[rows, chosen]
    return Score.of(name, best / paid, paid == best)


def _with_all_variants(data: Measured, variants: tuple[str, ...]) -> Measured:
    """The rows with the model's variants; those that the table has no column of are absent."""
    from dataclasses import replace

    import numpy as np

    costs = np.full((len(data), len(variants)), np.inf)
    for k, name in enumerate(data.variants):
        costs[:, variants.index(name)] = data.costs[:, k]
    return replace(data, variants=variants, costs=costs)


def _mean(scores: list[Score]) -> Score:
    import numpy as np

    return Score(
        scores[0].name,
        float(np.mean([one.mean for one in scores])),
        float(np.mean([one.p5 for one in scores])),
        min(one.worst for one in scores),
        float(np.mean([one.accuracy for one in scores])),
    )
