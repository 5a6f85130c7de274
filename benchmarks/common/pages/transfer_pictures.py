"""Pictures of results/transfer.md: figures 3.4 and 3.5 of the dissertation, on other devices."""

from __future__ import annotations

from collections.abc import Sequence

from computation_pictures import Read
from records import Rows, names_of
from svg import WIDTH, Chart, linear
from transfer_tables import METHODS as ALL_METHODS
from transfer_tables import mean_of

RECORD = "transfer_dissertation"
METHODS = tuple(name for name in ALL_METHODS if name != "auto")  # it is one of the others
LEFT, RIGHT, TOP, STEP = 92, WIDTH - 14, 66, 30
FROM, TO = 0.6, 1.0
COLORS = dict(zip(METHODS, ("first", "second", "third", "fourth", "fifth"), strict=True))
WITHOUT_TRAINING = tuple(name for name in METHODS if name != "Orig. Nitro")


def transfer_methods(read: Read) -> tuple[Chart, float] | None:
    """Figure 3.4: methods side by side on each device."""
    record = read(RECORD)
    if not record:
        return None
    own = [row for row in record.rows if row.get("figure") == "3.4"]
    chart = Chart("Devices never trained on", "mean share of best, SpMV formats; five sources")
    return _drawn(chart, own, "device", METHODS)


def transfer_removed(read: Read) -> tuple[Chart, float] | None:
    """Figure 3.5: one of the sources removed."""
    record = read(RECORD)
    if not record:
        return None
    own = [row for row in record.rows if row.get("figure") == "3.5"]
    chart = Chart("One source removed", "mean share of best over the other five devices")
    return _drawn(chart, own, "removed", WITHOUT_TRAINING)


def transfer_machines(read: Read) -> tuple[Chart, float] | None:
    """Figure 3.4 for six functions on real machines: the mean over the targets."""
    record = read("transfer_machines")
    if not record:
        return None
    own = [row for row in record.rows if row.get("figure") == "3.4"]
    chart = Chart("Six functions, machines never trained on", "mean share of best, each in turn")
    return _drawn(chart, own, "function", METHODS)


def transfer_machines_removed(read: Read) -> tuple[Chart, float] | None:
    """Figure 3.5 for the same: one of the sources removed, the mean over removals and targets."""
    record = read("transfer_machines")
    if not record:
        return None
    own = [row for row in record.rows if row.get("figure") == "3.5"]
    chart = Chart("The same, one source removed", "mean share of best over removals and targets")
    return _drawn(chart, own, "function", WITHOUT_TRAINING) if own else None


def _drawn(chart: Chart, rows: Rows, key: str, methods: Sequence[str]) -> tuple[Chart, float]:
    """A line a value of `key`, with a mark a method."""
    names = names_of(rows, key)
    scale = linear(FROM, TO, LEFT, RIGHT)
    bottom = TOP + STEP * len(names)
    chart.grid(scale, (0.6, 0.7, 0.8, 0.9, 1.0), TOP - 6, bottom)
    for index, name in enumerate(names):
        y = TOP + STEP * (index + 0.5)
        chart.label(10, y + 4, name)
        for place, method in enumerate(methods):
            share = mean_of(rows, method, **{key: name})
            offset = 4.5 * (place - (len(methods) - 1) / 2)
            chart.mark(scale(max(share, FROM)), y + offset, COLORS[method])
    chart.legend(10, bottom + 34, [(name, COLORS[name]) for name in methods])
    return chart, bottom + 34 + 16 * ((len(methods) + 1) // 2)
