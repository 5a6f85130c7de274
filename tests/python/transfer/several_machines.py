"""A function on machines that differ in one feature: which variant is best follows from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

SPEEDS = {"A": 1.0, "B": 2.0, "C": 4.0, "D": 8.0, "E": 16.0, "F": 32.0}
UNITS = {"A": 1.0, "B": 1e3, "C": 1.0, "D": 1e-3, "E": 1.0, "F": 1.0}
FEATURES = "size,shape"
METRICS = "low_ns,high_ns,flat_ns"


def table(
    path: Path, machines: str, seed: int, inputs: int = 60, lacking: str = "", first: int = 0
) -> Path:
    """`low` is best below a size that grows with a machine's speed, `high` beyond; `flat` between.

    The machines of `lacking` do not have `flat`. One input in ten fails with `high`.
    """
    random = np.random.default_rng(seed)
    sizes = 10 ** random.uniform(0, 4, inputs)
    shapes = random.uniform(1, 2, inputs)
    lines = ["device,input,size,shape," + METRICS]
    for name in machines:
        for i in range(inputs):
            ratio = sizes[i] / (10 * SPEEDS[name] ** 1.5)
            unit = UNITS[name]
            low, high, flat = unit * (1 + ratio), unit * (1 + 1 / ratio), unit * 2.2
            cells = [f"{low:.6g}", "" if i % 10 == 9 else f"{high:.6g}", f"{flat:.6g}"]
            if name in lacking:
                cells[2] = ""
            words = [name, f"i{first + i}", f"{sizes[i]:.6g}", f"{shapes[i]:.6g}"]
            lines.append(",".join([*words, *cells]))
    path.write_text("\n".join(lines) + "\n")
    return path


def machines_file(path: Path, names: str = "ABCDEF", **columns: dict[str, str]) -> Path:
    """Speed, a second number that says nothing, and a kind; `columns` add or replace cells."""
    header = ["device", "speed", "colour", "kind"]
    rows = [
        [name, f"{SPEEDS[name]:g}", f"{(i * 5) % 7 + 1}", "gpu"] for i, name in enumerate(names)
    ]
    for column, cells in columns.items():
        if column not in header:
            header.append(column)
            for row in rows:
                row.append("")
        for row in rows:
            row[header.index(column)] = cells.get(row[0], row[header.index(column)])
    path.write_text("\n".join(",".join(row) for row in [header, *rows]) + "\n")
    return path
