"""The directory of a transfer model: which method, and the measurements that it learns from.

`transfer.json` says what was chosen and what is expected, `sources.csv.xz` holds the rows of the
source machines and `machines.csv` their features, so that a model is fitted anew where it is used:
with inputs measured there, and with any release's methods (docs/formats.md, section 6).
"""

from __future__ import annotations

import csv
import io
import json
import lzma
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fettle.core.errors import FettleError
from fettle.core.written_file import check_writable, write_together
from fettle.data.table import read_table
from fettle.transfer.machines import Machines, read_machines
from fettle.transfer.methods import METHODS
from fettle.transfer.sources import Measured, measured
from fettle.transfer.target import Transferred

VERSION = 1
DESCRIPTION = "transfer.json"
ROWS = "sources.csv.xz"
MACHINES = "machines.csv"
REMEDY = "run `fettle train --table ... --machines ...` again"


@dataclass(frozen=True)
class Described:
    """What transfer.json says."""

    function: str
    method: str
    seed: int
    features: tuple[str, ...]
    variants: tuple[str, ...]
    expected: dict[str, dict[str, float]]
    """For each method that was judged the share on each source machine, the others its sources."""


def check_transfer_directory(directory: Path) -> None:
    """Raises FettleError where `write_transfer` could not write: to be known before training."""
    for name in (ROWS, MACHINES, DESCRIPTION):
        check_writable(directory / name, "the model")


def write_transfer(
    directory: Path, described: Described, data: Measured, machines: Machines
) -> None:
    """Writes the directory; what was there stays whole until all is written."""
    text = json.dumps({"fettle_transfer": VERSION, **vars(described)}, indent=1) + "\n"
    write_together(
        [
            (directory / MACHINES, _machines_text(machines).encode()),
            (directory / ROWS, lzma.compress(_rows_text(data).encode(), preset=1)),
            (directory / DESCRIPTION, text.encode()),
        ]
    )


def is_transfer(directory: Path) -> bool:
    """Whether a directory holds a transfer model."""
    return (directory / DESCRIPTION).is_file()


def read_transfer(directory: Path) -> tuple[Described, Transferred]:
    """The model, fitted to its sources. Raises FettleError for a damaged directory."""
    described = _description(directory / DESCRIPTION)
    table = read_table(directory / ROWS)
    columns = [f"feature {name}" for name in described.features]
    metrics = [f"cost {name}" for name in described.variants]
    rows, _ = measured(table, "machine", ["input"], columns, metrics)
    data = Measured(
        described.variants,
        described.features,
        rows.machines,
        rows.machine,
        rows.input,
        rows.values,
        rows.costs,
    )
    machines = read_machines(
        directory / MACHINES,
        "machine",
        data.machines,
        may_be_negative=True,  # of earlier releases
    )
    chooser = METHODS[described.method]().fit(data, machines, described.seed)
    return described, Transferred(data, machines, chooser, described.method, described.seed)


def _description(path: Path) -> Described:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["fettle_transfer"] != VERSION:
            raise FettleError(
                f"{path} is of version {record['fettle_transfer']}, this Fettle reads version "
                f"{VERSION}; {REMEDY}"
            )
        found = Described(
            str(record["function"]),
            str(record["method"]),
            int(record["seed"]),
            tuple(map(str, record["features"])),
            tuple(map(str, record["variants"])),
            record["expected"],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FettleError(f"{path} cannot be used ({error}); {REMEDY}") from None
    if found.method not in METHODS:
        raise FettleError(f"{path} names the method {found.method!r}, which is unknown; {REMEDY}")
    return found


def _rows_text(data: Measured) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    features = [f"feature {name}" for name in data.features]
    writer.writerow(["machine", "input", *features, *(f"cost {name}" for name in data.variants)])
    for i in range(len(data)):
        numbers = [*data.values[i].tolist(), *data.costs[i].tolist()]
        cells = [repr(one) if math.isfinite(one) else "" for one in numbers]
        writer.writerow([data.machines[data.machine[i]], int(data.input[i]), *cells])
    return out.getvalue()


def _machines_text(machines: Machines) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["machine", *machines.features, *machines.words])
    for i, name in enumerate(machines.names):
        numbers = ["" if np.isnan(one) else repr(one) for one in machines.values[i].tolist()]
        writer.writerow([name, *numbers, *(words[i] for words in machines.words.values())])
    return out.getvalue()
