"""`fettle machine`: the device features of this machine; how alike the known machines are."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fettle.core.errors import FettleError


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `fettle machine`."""
    parser = commands.add_parser(
        "machine",
        help="this machine's device features; how alike machines are",
        description="Show the device features of this machine and its GPU. They are measured once, "
        "in a few seconds, and kept in the database. `fettle machine compare` shows the cosine "
        "similarities of all machines that the database knows.",
    )
    parser.add_argument(
        "what", nargs="?", choices=("show", "compare"), default="show", help="show (default)"
    )
    parser.add_argument(
        "--database",
        "--store",
        default="fettle.sqlite",
        metavar="PLACE",
        help="the tuner's store: a file, or redis://HOST/0 (default fettle.sqlite)",
    )
    parser.add_argument("--fresh", action="store_true", help="measure again")
    parser.add_argument(
        "--set",
        type=_feature,
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="a device feature of your own, kept in the database",
    )
    parser.add_argument(
        "--machines",
        type=Path,
        metavar="M.csv",
        help="compare: a machines file, in place of the database",
    )
    parser.add_argument(
        "--recorded",
        action="store_true",
        help="compare: with the GPUs of the dissertation's table 3.1",
    )
    parser.add_argument(
        "--write",
        nargs="?",
        type=Path,
        const=Path(),
        metavar="FILE",
        help="write them to the file by which programs with a portable model know this machine",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Shows or compares."""
    from fettle.store.address import is_address
    from fettle.store.place import open_store
    from fettle.transfer.own_features import features_of_file
    from fettle.transfer.recorded import recorded_machines
    from fettle.transfer.similarity import similarity
    from fettle.transfer.this_machine import known_machines, this_machine, write_machine_file

    if options.what == "show":
        with open_store(options.database) as store:
            found = this_machine(store, fresh=options.fresh, own=dict(options.set))
        if options.write is not None:
            write_machine_file(options.write, found, dict(options.set))
        lines = "\n".join(_shown(found))
        print(json.dumps(found, indent=1) if options.json else lines)
        return 0
    machines: dict[str, dict[str, float]] = {}
    if options.machines is not None:
        machines = features_of_file(options.machines)
    elif is_address(options.database) or Path(options.database).exists():
        with open_store(options.database) as store:
            machines = known_machines(store)
    elif not options.recorded:
        raise FettleError(
            f"the database {options.database} does not exist; run `fettle machine` first, or give "
            "--machines or --recorded"
        )
    if options.recorded:
        machines |= recorded_machines()
    names, table = similarity(machines)
    if options.json:
        print(json.dumps({"machines": names, "similarity": table}, indent=1))
    else:
        print("\n".join(_compared(names, table)))
    return 0


def _feature(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not name.strip() or not math.isfinite(value) or value < 0:
        raise argparse.ArgumentTypeError(
            f"expected a feature such as launch_us=4.3, a positive number, got {text!r}"
        )
    return name.strip(), value


def _shown(machines: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    for name, features in machines.items():
        yield f"{name}:"
        width = max(map(len, features))
        yield from (f"  {one:<{width}}  {value:.4g}" for one, value in features.items())


def _compared(names: Sequence[str], table: Sequence[Sequence[float | None]]) -> Iterator[str]:
    width = max(map(len, names))
    for number, name in enumerate(names, 1):
        cells = "  ".join("    -" if cell is None else f"{cell:5.2f}" for cell in table[number - 1])
        yield f"{number:2d} {name:<{width}}  {cells}"
