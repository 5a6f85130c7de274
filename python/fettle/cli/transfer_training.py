"""`fettle train` on a table of several machines."""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fettle.cli.table_arguments import warnings_as_lines
from fettle.core.errors import FettleError
from fettle.core.wording import counted

if TYPE_CHECKING:
    from fettle.transfer.methods import Compared
    from fettle.transfer.sources import Measured


def run_transfer(options: argparse.Namespace) -> int:
    """Judge the methods between the source machines, report, write the model directory."""
    from fettle.core.blas import OneBlasThread
    from fettle.core.progress import default_display
    from fettle.core.scikit_learn import without_checks
    from fettle.data.table import read_table
    from fettle.transfer.directory import Described, check_transfer_directory, write_transfer
    from fettle.transfer.machines import read_machines
    from fettle.transfer.methods import compare
    from fettle.transfer.repeated_rows import medians_of_repeats, warn_of_features
    from fettle.transfer.sources import measured

    for option, why in (
        ("allow_failures", "a failed variant has the share 0 there, and may be chosen elsewhere"),
        ("classifier", "methods of transfer have models of their own, see --transfer"),
    ):
        if getattr(options, option):
            name = f"--{option.replace('_', '-')}"
            raise FettleError(f"{name} is not for tables of several machines: {why}; leave it out")
    if options.model.exists() and not options.model.is_dir():
        raise FettleError(f"{options.model} is a file; --model names a directory to write")
    check_transfer_directory(options.model)
    with warnings_as_lines(), OneBlasThread()(), without_checks():
        table = read_table(options.table)
        data, rows = measured(
            table,
            options.machine_column,
            options.input_column or (),
            options.features,
            options.metrics,
            options.absent,
        )
        warn_of_features(table, data, rows)
        data = medians_of_repeats(table, data, rows)
        _warn_of_empty(data, options)
        machines = read_machines(options.machines, options.machine_column, data.machines)
        found = compare(
            options.transfer or "auto", data, machines, options.seed, default_display().say
        )
        described = Described(
            options.name or options.model.resolve().name or "model",
            found.name,
            options.seed,
            data.features,
            data.variants,
            {name: expected.shares for name, expected in found.expected.items()},
        )
        write_transfer(options.model, described, data, machines)
    if options.json:
        record = {
            "model": str(options.model),
            **vars(described),
            "expected_mean": {name: one.mean for name, one in found.expected.items()},
            "rows": len(data),
            "machines": list(data.machines),
        }
        print(json.dumps(record, indent=1))
    else:
        print("\n".join(_text(found, data, options.model)))
    return 0


def _warn_of_empty(data: Measured, options: argparse.Namespace) -> None:
    """Warn of variants that work on no machine, where that was not asked for."""
    import numpy as np

    from fettle.data.training_set import TrainingWarning

    for name, costs in zip(data.variants, data.costs.T, strict=True):
        if not np.isfinite(costs).any() and ("", name) not in options.absent:
            warnings.warn(
                f"{options.table}: {name} has no number on any machine, so that it is never "
                "chosen; correct the table, or leave it out of --metrics",
                TrainingWarning,
                stacklevel=2,
            )


def _text(found: Compared, data: Measured, directory: Path) -> Iterator[str]:
    yield (
        f"{counted(len(data), 'row')} of {counted(len(data.machines), 'source machine')}: "
        f"{', '.join(data.machines)}"
    )
    if len(data.machines) < 2:
        yield (
            "one source machine: its own model is taken, and what to expect on another machine "
            "cannot be judged; add measurements of other machines"
        )
    else:
        yield "expected share of best on an unseen machine (each source in turn, inputs held out):"
        for name, expected in found.expected.items():
            mark = "  <- chosen" if name == found.name and len(found.expected) > 1 else ""
            each = "  ".join(f"{machine} {share:.3f}" for machine, share in expected.shares.items())
            yield f"  {name:<12} mean {expected.mean:.4f}  ({each}){mark}"
    yield f"model: {directory} ({found.name})"
