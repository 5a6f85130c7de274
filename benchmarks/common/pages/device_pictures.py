"""Computations over several GPUs: the lines of the table, and pictures of how they scale."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from computation_pictures import Read
from records import Line, Rows
from svg import SERIES, WIDTH, Chart, linear, logarithmic

RECORD = "devices"
TUNED = "tuned_devices"
BY_SIZE = ("map", "reduce", "stencil", "spmv")


def measured(rows: Rows) -> list[Mapping[str, Any]]:
    """The computations, without what was measured of solvers."""
    return [row for row in rows if "computation" in row]


def counts_of(rows: Rows) -> list[int]:
    """The numbers of GPUs that were measured: 2, 4, ..."""
    found = {str(row["on"]) for row in rows if str(row.get("on")).endswith(" GPUs")}
    return sorted(int(name.split()[0]) for name in found)


def largest(rows: Rows, count: int) -> list[Mapping[str, Any]]:
    """The computations on so many GPUs, of the largest sequences that they have worked on."""
    of_all = [row for row in measured(rows) if row["on"] == f"{count} GPUs"]
    size = max(int(row["bytes"]) for row in of_all)
    return [row for row in of_all if row["bytes"] == size]


def lines(rows: Rows) -> list[Line]:
    """How computations scale over GPUs, and what dividing costs on one taken for several."""
    found = []
    for count in counts_of(rows):
        on_all = largest(rows, count)
        scaling = [f"{row['computation']} {row['speed_up']:.2f}" for row in on_all]
        size = _bytes(on_all[0]["bytes"])
        what = f"CUDA: {count} GPUs over one, {size}, arrays divided already"
        found.append((what, ", ".join(scaling)))
        solvers = [row for row in rows if "solver" in row and row["on"] == f"{count} GPUs"]
        if solvers:
            figures = [f"{row['solver']} {row['speed_up']:.2f}" for row in solvers]
            found.append((f"CUDA: an iteration on {count} GPUs over one", ", ".join(figures)))
        if by_rule := [row for row in measured(rows) if row["on"] == _rule(count)]:
            least = min(by_rule, key=lambda row: float(row["speed_up"]))
            worst = f"{least['speed_up']:.2f} ({least['computation']}, {_bytes(least['bytes'])})"
            sizes = [int(row["bytes"]) for row in by_rule]
            what = f"CUDA: the default rule's choice among {count} GPUs over one, "
            found.append((f"{what}{_bytes(min(sizes))} to {_bytes(max(sizes))}: the least", worst))
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


def tuned(rows: Rows) -> list[Line]:
    """The tuned number of GPUs over one: the least and the most of all sizes."""
    of_tuned = [row for row in rows if row["on"] == "tuned"]
    least = min(of_tuned, key=lambda row: float(row["speed_up"]))
    most = max(of_tuned, key=lambda row: float(row["speed_up"]))
    sizes = [int(row["bytes"]) for row in of_tuned]
    what = (
        f"CUDA: the tuned choice among {least['gpus']} GPUs over one, {_bytes(min(sizes))} to "
        f"{_bytes(max(sizes))}: the least, the most"
    )
    figures = [
        f"{row['speed_up']:.2f} ({row['computation']}, {_bytes(row['bytes'])})"
        for row in (least, most)
    ]
    return [(what, ", ".join(figures))]


def tuning(rows: Rows) -> list[Line]:
    """The throughput of measuring on all GPUs, by how long inputs are measured."""
    what = f"Tuning six functions on {rows[-1]['gpus']} GPUs over one: starts a second"
    figures = [
        f"{row['measured']} {row['throughput_of_one']:.2f}"
        + (
            f" (what is chosen is at {row['speed_of_choices']:.2f} of the speed)"
            if "speed_of_choices" in row
            else ""
        )
        for row in rows
    ]
    return [(what, ", ".join(figures))]


def devices_large(read: Read) -> tuple[Chart, float] | None:
    """Every computation on all numbers of GPUs over one, for the largest size, and as modelled."""
    record = read(RECORD)
    if not record:
        return None
    counts = counts_of(record.rows)
    chart = Chart("GPUs over one", "how many times as fast, arrays divided; hollow: as modelled")
    named = [f"{n} GPUs, {_bytes(largest(record.rows, n)[0]['bytes'])}" for n in counts]
    chart.legend(10, 60, list(zip(named, SERIES, strict=False)))
    names = [str(row["computation"]) for row in largest(record.rows, counts[0])]
    top, step = 72, 25
    scale = linear(1, counts[-1], 110, WIDTH - 30)
    bottom = top + step * len(names) + 2
    ticks = range(1, counts[-1] + 1) if counts[-1] > 2 else (1, 1.25, 1.5, 1.75, 2)
    chart.grid(scale, ticks, top, bottom)
    for index, name in enumerate(names):
        middle = top + step * index + 14
        chart.label(10, middle + 4, name)
        for count, color in zip(counts, SERIES, strict=False):
            for row in largest(record.rows, count):
                if row["computation"] != name:
                    continue
                if "modelled_speed_up" in row:
                    at = scale(max(1.0, float(row["modelled_speed_up"])))
                    chart.mark(at, middle, color, hollow=True)
                chart.mark(scale(max(1.0, float(row["speed_up"]))), middle, color)
    return chart, bottom + 24


def devices_by_size(read: Read) -> tuple[Chart, float] | None:
    """What the default rule makes of all GPUs, over one, by size."""
    record = read(RECORD)
    if not record:
        return None
    count = counts_of(record.rows)[-1]
    rule = _rule(count)
    rows = [row for row in measured(record.rows) if row["on"] in (rule, f"{count} GPUs")]
    chart = Chart("By size", f"{count} GPUs by the default rule over one")
    shown = [name for name in BY_SIZE if any(row["computation"] == name for row in rows)]
    chart.legend(10, 60, list(zip(shown, SERIES, strict=False)))
    sizes = sorted({int(row["bytes"]) for row in rows})
    left, right, top, bottom = 38.0, WIDTH - 14.0, 80.0, 250.0
    across = logarithmic(sizes[0], sizes[-1], left, right)
    up = linear(0, count, bottom, top)
    for tick in (count * k / 4 for k in range(5)):
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
            key=lambda row: (int(row["bytes"]), row["on"] != rule),
        )
        # The rule's own where both were measured; at the largest sizes it takes all.
        firsts = [next(group) for _, group in groupby(of_name, key=lambda row: row["bytes"])]
        points = [(across(row["bytes"]), up(float(row["speed_up"]))) for row in firsts]
        chart.line(points, color, 1.8)
    return chart, bottom + 30


PICTURES = (devices_large, devices_by_size)


def _rule(count: int) -> str:
    return f"default rule of {count}"


def _on(rows: Rows, platform: str, size: int) -> list[Mapping[str, Any]]:
    return [row for row in measured(rows) if row["on"] == platform and row["bytes"] == size]


def _bytes(count: float) -> str:
    for unit, name in ((2**30, "GiB"), (2**20, "MiB")):
        if count >= unit:
            return f"{count / unit:.0f} {name}"
    return f"{count / 1024:.0f} KiB"
