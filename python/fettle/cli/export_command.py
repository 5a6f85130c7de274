"""`fettle export STORE`: the measurements of a tuner as a table."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fettle.core.errors import FettleError
from fettle.core.wording import counted, counted_are
from fettle.store.address import without_password

if TYPE_CHECKING:
    from fettle.store.subject import Subject

STANDARD_OUTPUT = Path("-")


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `fettle export`."""
    parser = commands.add_parser(
        "export",
        help="the measurements of a tuner as a table",
        description="List what a tuner's database has measurements of, or write those of one "
        "function as a table for `fettle train` and `fettle evaluate`: the input's name, a column "
        "a feature, a column a variant's median cost. A cell is empty where a constraint excludes "
        "the variant, and says failed where it failed. With several metrics a row is a run: its "
        "variant and the median of each metric.",
    )
    parser.add_argument("store", metavar="STORE", help="such as fettle.sqlite, or redis://HOST/0")
    parser.add_argument(
        "--csv",
        type=Path,
        nargs="?",
        const=STANDARD_OUTPUT,
        metavar="FILE",
        help="write the table to FILE, or to the standard output",
    )
    for name, what in (("function", "name"), ("machine", "part of it"), ("program", "part of it")):
        parser.add_argument(
            f"--{name}", metavar="TEXT", help=f"the {name}'s {what}, where the store has several"
        )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Lists, or writes a table. Raises FettleError."""
    from fettle.core.written_file import check_writable, write_whole
    from fettle.store.place import open_store
    from fettle.training.exported import exported, measured_subjects

    to_file = options.csv is not None and options.csv != STANDARD_OUTPUT
    if to_file:
        check_writable(options.csv, "the table")
    with open_store(options.store, must_exist=True) as store:
        found = _wanted(measured_subjects(store), options)
        if options.csv is None:
            for one in found:
                print(_line(one, len(store.inputs(one))))
            return 0
        if len(found) > 1:
            lines = "".join(f"\n  {_line(one, len(store.inputs(one)))}" for one in found)
            raise FettleError(
                f"{store.place} has measurements of several; name one by --function, --machine "
                f"or --program:{lines}"
            )
        table = exported(store, found[0])
    if table.left_out:
        print(
            f"{counted_are(table.left_out, 'input')} left out: not completely measured",
            file=sys.stderr,
        )
    if table.approximate:
        print(
            f"{', '.join(table.approximate)}: approximate, and a table has no errors to keep a "
            "bound by; learn from it without them",
            file=sys.stderr,
        )
    if not to_file:
        sys.stdout.write(table.csv())
        return 0
    write_whole(options.csv, table.csv().encode())
    rows = counted(len(table.rows), "row")
    if not table.features or len(set(table.variants) - set(table.approximate)) < 2:
        print(f"{rows}; to learn from them takes a feature and two exact variants at least")
    else:
        command = ["fettle", "train", "--table", str(options.csv), *table.training_options]
        print(f"{rows}; train on them by: {shlex.join([*command, '--model', 'DIR'])}")
    return 0


def _wanted(subjects: list[Subject], options: argparse.Namespace) -> list[Subject]:
    found = [
        one
        for one in subjects
        if options.function in (None, one.function)
        and (options.machine or "") in one.machine
        and (options.program or "") in one.program
    ]
    if not found:
        names = ", ".join(dict.fromkeys(one.function for one in subjects))
        has = f"such measurements; it has those of {names}" if names else "measurements"
        raise FettleError(f"{without_password(options.store)} has no {has}")
    return found


def _line(subject: Subject, inputs: int) -> str:
    where = f"of {subject.program} on {subject.machine}"
    return f"{subject.function}: {counted(inputs, 'input')} {where}, {subject.conditions}"
