"""Computations over several GPUs: the lines of the table, and pictures of how they scale."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from computation_pictures import Read
from records import Line, Rows
from svg import SERIES, WIDTH, Chart, linear, logarithmic

RECORD = "devices"
ALL = "2 GPUs"
RULE = "default rule of 2"
BY_SIZE = ("map", "reduce", "stencil", "spmv")


def measured(rows: Rows) -> list[Mapping[str, Any]]:
    """The computations, without what was measured of solvers."""
    return [row for row in rows if "computation" in row]


def largest_size(rows: Rows) -> int:
    """The bytes of the largest sequences that two GPUs have worked on."""
    return max(int(row["bytes"]) for row in measured(rows) if row["on"] == ALL)


def lines(rows: Rows) -> list[Line]:
    """How computations scale over two GPUs, and what dividing costs on one taken for several."""
    found = []
    largest = largest_size(rows)
    scaling = [f"{row['computation']} {row['speed_up']:.2f}" for row in _on(rows, ALL, largest)]
    size = f"{largest / 2**30:.0f} GiB"
    found.append((f"CUDA: two GPUs over one, {size}, arrays divided already", ", ".join(scaling)))
    if solvers := [row for row in rows if row.get("on") == ALL and "solver" in row]:
        figures = [f"{row['solver']} {row['speed_up']:.2f}" for row in solvers]
        found.append(("CUDA: an iteration on two GPUs over one on one", ", ".join(figures)))
    if by_rule := [row for row in measured(rows) if row["on"] == RULE]:
        least = min(by_rule, key=lambda row: float(row["speed_up"]))
        worst = f"{least['speed_up']:.2f} ({least['computation']}, {_bytes(least['bytes'])})"
        sizes = [int(row["bytes"]) for row in by_rule]
        what = f"CUDA: the default rule's choice among two GPUs over one, {_bytes(min(sizes))} to "
        found.append((what + f"{_bytes(max(sizes))}: the least", worst))
    small = min(int(row["bytes"]) for row in measured(rows) if row["on"] == "emulated 4")
    one = {row["computation"]: row["us"] for row in _on(rows, "cuda", small)}
    for parts in (2, 4):
        costs = [
            f"{row['computation']} {row['us'] - one[row['computation']]:.0f}"
            for row in _on(rows, f"emulated {parts}", small)
        ]
        what = f"CUDA: one GPU taken for {parts}, {small} bytes, more us a call"
        found.append((what, ", ".join(costs)))
    return found


def tuning(rows: Rows) -> list[Line]:
    """The throughput of measuring on all GPUs."""
    row = rows[-1]
    what = f"Tuning six functions on {row['gpus']} GPUs over one: starts a second"
    same = f"{row['equal_choices']:.0%} of the choices are equal"
    return [(what, f"{row['throughput_of_one']:.2f} ({same})")]


def devices_large(read: Read) -> tuple[Chart, float] | None:
    """Every computation on two GPUs over one, for the two largest sizes."""
    record = read(RECORD)
    if not record:
        return None
    rows = [row for row in measured(record.rows) if row["on"] == ALL]
    sizes = sorted({int(row["bytes"]) for row in rows})[-2:]
    chart = Chart("Two GPUs over one", "how many times as fast, arrays divided already")
    chart.legend(10, 60, list(zip(map(_bytes, sizes), SERIES, strict=False)))
    names = list(dict.fromkeys(str(row["computation"]) for row in rows))
    top, step = 72, 25
    scale = linear(1, 2, 110, WIDTH - 30)
    bottom = top + step * len(names) + 2
    chart.grid(scale, (1, 1.25, 1.5, 1.75, 2), top, bottom)
    for index, name in enumerate(names):
        middle = top + step * index + 14
        chart.label(10, middle + 4, name)
        for size, color in zip(sizes, SERIES, strict=False):
            for row in rows:
                if row["computation"] == name and row["bytes"] == size:
                    chart.mark(scale(max(1.0, float(row["speed_up"]))), middle, color)
    return chart, bottom + 24


def devices_by_size(read: Read) -> tuple[Chart, float] | None:
    """What the default rule makes of two GPUs, over one, by size."""
    record = read(RECORD)
    if not record:
        return None
    rows = [row for row in measured(record.rows) if row["on"] in (RULE, ALL)]
    chart = Chart("By size", "two GPUs by the default rule over one")
    shown = [name for name in BY_SIZE if any(row["computation"] == name for row in rows)]
    chart.legend(10, 60, list(zip(shown, SERIES, strict=False)))
    sizes = sorted({int(row["bytes"]) for row in rows})
    left, right, top, bottom = 38.0, WIDTH - 14.0, 80.0, 250.0
    across = logarithmic(sizes[0], sizes[-1], left, right)
    up = linear(0, 2, bottom, top)
    for tick in (0, 0.5, 1, 1.5, 2):
        chart.line([(left, up(tick)), (right, up(tick))])
        chart.label(left - 5, up(tick) + 4, f"{tick:g}", color="muted", size=10, anchor="end")
    for size in sizes:
        if size in (2**10, 2**19, 2**28, sizes[-1]):
            chart.label(
                across(size),
                bottom + 15,
                _bytes(size),
                color="muted",
                size=10,
                anchor="middle",
            )
    for name, color in zip(shown, SERIES, strict=False):
        of_name = sorted(
            (row for row in rows if row["computation"] == name),
            key=lambda row: (int(row["bytes"]), row["on"] != RULE),
        )
        # The rule's own where both were measured; at the largest sizes it takes all.
        firsts = [next(group) for _, group in groupby(of_name, key=lambda row: row["bytes"])]
        points = [(across(row["bytes"]), up(float(row["speed_up"]))) for row in firsts]
        chart.line(points, color, 1.8)
    return chart, bottom + 30


PICTURES = (devices_large, devices_by_size)


def _on(rows: Rows, platform: str, size: int) -> list[Mapping[str, Any]]:
    return [row for row in measured(rows) if row["on"] == platform and row["bytes"] == size]


def _bytes(count: float) -> str:
    for unit, name in ((2**30, "GiB"), (2**20, "MiB")):
        if count >= unit:
            return f"{count / unit:.0f} {name}"
    return f"{count / 1024:.0f} KiB"
