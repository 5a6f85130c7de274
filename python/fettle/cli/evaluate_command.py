"""`fettle evaluate`: a model judged on a table of measurements."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fettle.cli.objective_options import add_column_options, is_of_runs
from fettle.cli.table_arguments import (
    MODEL_HELP,
    TABLE_HELP,
    non_negative,
    warnings_as_lines,
)
from fettle.cli.table_reports import Evaluated, evaluated_record, evaluated_text
from fettle.cli.transfer_options import add_machine_options, is_of_machines, refuse_transfer
from fettle.core.errors import FettleError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `fettle evaluate`."""
    parser = commands.add_parser(
        "evaluate",
        help="judge a model on a table of measurements",
        description="Choose for each line of a table with the deployed predictor and compare with "
        "the best of the measured variants. Columns that are points of a variant, such as "
        "'tiled tile=16', count as such. The last line is the share of best.",
    )
    parser.add_argument("--table", type=Path, required=True, metavar="T.csv", help=TABLE_HELP)
    parser.add_argument("--model", type=Path, required=True, metavar="DIR", help=MODEL_HELP)
    add_machine_options(parser)
    add_column_options(parser, inputs=True)
    parser.add_argument(
        "--objective",
        metavar="NAME",
        help="with --variant-column: which of the model's objectives (default: the first)",
    )
    parser.add_argument(
        "--measured-here",
        type=non_negative,
        metavar="N",
        help="so many inputs of each machine, drawn by --seed, are known to be measured there; "
        "they are not judged",
    )
    parser.add_argument(
        "--seed", type=non_negative, default=0, metavar="S", help="of the draw (default 0)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Choose for each row as a program would, and judge the choices."""
    if is_of_runs(options):
        from fettle.cli.objective_evaluation import run_objective

        return run_objective(options)
    if is_of_machines(options):
        from fettle.cli.transfer_evaluation import run_transfer

        return run_transfer(options)
    refuse_transfer(options.model)
    import numpy as np

    from fettle.data.summary import summarise
    from fettle.data.table import read_table
    from fettle.data.table_training_set import costs, usable_rows, values
    from fettle.model.deployed import BY_BOUND, OUTSIDE, load
    from fettle.training.chosen import measured_names, needed_names

    deployed = load(options.model)
    model = deployed.model
    with warnings_as_lines():
        table = read_table(options.table)
        for what, names in (("feature", model.features), ("variant", needed_names(model))):
            missing = [name for name in names if name not in table.columns]
            if missing:
                raise FettleError(
                    f"{options.model} is a model for other columns: its {what} {missing[0]!r} is "
                    f"not a column of {options.table}, which has {', '.join(table.columns)}"
                )
        variants = measured_names(model, table.columns)
        paid = costs(table, variants)
        excluded = np.column_stack([table.excluded(name) for name in variants])
        keep = usable_rows(table, paid, variants)
        known = values(table, model.features)[keep]
    chosen, reasons = deployed.names_of(known)
    lines = [f"line {line}" for line in table.lines[keep].tolist()]

    def indices(names: Sequence[str]) -> NDArray[np.int64]:
        for line, name in zip(lines, names, strict=True):
            if name not in variants:
                raise FettleError(
                    f"for {line} of {options.table} the program runs {name} at its defaults; add a "
                    f"column {name!r} with what that costs"
                )
        return np.array([variants.index(name) for name in names], dtype=np.int64)

    choices = indices(chosen)
    ruled_out = excluded[keep][np.arange(len(keep)), choices]
    run = [model.default if no else name for no, name in zip(ruled_out, chosen, strict=True)]
    judged = Evaluated(
        summary=summarise(paid[keep], choices, variants, lines),
        falling_back=summarise(paid[keep], indices(run), variants, lines),
        excluded=int(ruled_out.sum()),
        outside=reasons.count(OUTSIDE),
        bounded=reasons.count(BY_BOUND),
        default=model.default,
    )
    if options.json:
        print(json.dumps(evaluated_record(judged), indent=1))
    else:
        print("\n".join(evaluated_text(judged)))
    return 0
