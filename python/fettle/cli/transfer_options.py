"""The options of `fettle train` and `fettle evaluate` for tables of several machines."""

from __future__ import annotations

import argparse
from pathlib import Path

from fettle.cli.table_arguments import names
from fettle.core.errors import FettleError

METHOD_NAMES = ("auto", "concatenate", "p-dfs", "cv-dfs", "blend", "majority", "fixed")


def add_machine_options(parser: argparse.ArgumentParser) -> None:
    """What both commands have."""
    parser.add_argument(
        "--machine-column",
        metavar="COLUMN",
        help="the table's column that names the machine of a row: transfer between machines "
        "(docs/transfer.md)",
    )
    parser.add_argument(
        "--machines",
        type=Path,
        metavar="M.csv",
        help="CSV file with a line a machine and a column a device feature",
    )
    parser.add_argument(
        "--absent",
        type=absent_variants,
        default=(),
        metavar="MACHINE:X_ms,...",
        help="variants that a machine does not have (X_ms alone: none has it), as if the cells "
        "were empty",
    )


def absent_variants(text: str) -> tuple[tuple[str, str], ...]:
    """The option --absent: pairs of a machine, "" for all, and a variant."""
    pairs = (name.rpartition(":") for name in names(text))
    return tuple((machine.strip(), variant.strip()) for machine, _, variant in pairs)


def is_of_machines(options: argparse.Namespace) -> bool:
    """Whether the table is one of several machines. Raises FettleError for half of the options."""
    if options.machine_column and options.machines:
        return True
    for option in ("machine_column", "machines"):
        if getattr(options, option):
            other = "--machines" if option == "machine_column" else "--machine-column"
            raise FettleError(
                f"--{option.replace('_', '-')} needs {other}: one says which machine a row is of, "
                "the other what the machines are like"
            )
    for option in ("absent", "transfer", "input_column", "measured_here"):
        if getattr(options, option, None):
            raise FettleError(
                f"--{option.replace('_', '-')} is for tables of several machines; give "
                "--machine-column and --machines too"
            )
    return False


def refuse_transfer(directory: Path) -> None:
    """Raises FettleError for a model of several machines where a plain one is needed."""
    if (directory / "model.txt").exists():
        return
    from fettle.transfer.directory import is_transfer

    if is_transfer(directory):
        raise FettleError(
            f"{directory} is a model of several machines; judge it by `fettle evaluate "
            "--machine-column COLUMN --machines M.csv`, where M.csv says what the machines are like"
        )
