"""`fettle evaluate` on a table with a row a run: a model judged by its objective."""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fettle.cli.objective_options import read_runs
from fettle.cli.table_arguments import warnings_as_lines
from fettle.cli.table_reports import Evaluated, evaluated_record, evaluated_text
from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.data.training_set import TrainingWarning

if TYPE_CHECKING:
    from fettle.model.deployed import DeployedModel
    from fettle.objectives.description import Described
    from fettle.objectives.measured_table import MeasuredTable


def described(directory: Path) -> Described:
    """The objectives of a model directory. Raises FettleError where it has none."""
    from fettle.objectives.description import read_description

    found = read_description(directory)
    if found is None:
        raise FettleError(
            f"{directory} has no objectives; it was not trained with --variant-column"
        )
    return found


def run_objective(options: argparse.Namespace) -> int:
    """Choose for each input as a program would, and judge the choices by the objective."""
    from fettle.data.summary import summarise
    from fettle.model.deployed import BY_BOUND, OUTSIDE, load
    from fettle.objectives.costs import costs_by

    of = described(options.model)
    objective = of.named(options.objective, options.model)
    deployed = load(of.model_of(objective, options.model))
    default = deployed.default
    with warnings_as_lines():
        table = read_runs(options, of.metrics, deployed.features)
        runs = table.runs
        missing = [name for name in deployed.variants if name not in runs.variants]
        if missing:
            raise FettleError(
                f"{options.model} is a model for other variants: its variant {missing[0]!r} is in "
                f"no row of {options.table}, which has {', '.join(runs.variants)}"
            )
        costs = costs_by(objective, runs, default).costs
    choices, reasons = chosen(deployed, table)
    costs[:, [k for k, name in enumerate(runs.variants) if name not in deployed.variants]] = np.inf
    keep = np.flatnonzero(np.isfinite(costs).any(axis=1))
    if not len(keep):
        raise FettleError(f"{options.table}: no variant has a value of the objective {objective}")
    _tell_left_out(runs.inputs, keep, options.table)
    excluded = ~(runs.ran() | table.failed)
    ruled_out = excluded[np.arange(len(choices)), choices]
    run = np.where(ruled_out, runs.variants.index(default), choices)
    named = [runs.inputs[i] for i in keep]
    judged = Evaluated(
        summary=summarise(costs[keep], choices[keep], runs.variants, named),
        falling_back=summarise(costs[keep], run[keep], runs.variants, named),
        excluded=int(ruled_out[keep].sum()),
        outside=sum(reasons[i] == OUTSIDE for i in keep),
        bounded=sum(reasons[i] == BY_BOUND for i in keep),
        default=default,
    )
    if options.json:
        about = {"objective": objective.name, "meaning": str(objective)}
        print(json.dumps(about | evaluated_record(judged), indent=1))
    else:
        print(f"objective {objective.name}: {objective}")
        print("\n".join(evaluated_text(judged)))
    return 0


def _tell_left_out(inputs: Sequence[str], keep: NDArray[np.intp], table: Path) -> None:
    """Warn of inputs that are not judged."""
    lost = np.setdiff1d(np.arange(len(inputs)), keep)
    if len(lost):
        with warnings_as_lines():
            warnings.warn(
                f"{table}: {len(lost)} of {counted(len(inputs), 'input')} are left out, with no "
                "variant of the model that has a value of the objective; the first is "
                f"{inputs[lost[0]]} (--where COLUMN=CELL selects rows)",
                TrainingWarning,
                stacklevel=2,
            )


def chosen(
    deployed: DeployedModel, table: MeasuredTable
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], list[str]]:
    """What a model chooses for each input, as the index among the table's variants, and why."""
    names, reasons = deployed.names_of(table.values)
    variants = table.runs.variants
    return np.array([variants.index(name) for name in names], dtype=np.int64), reasons
