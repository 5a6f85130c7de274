"""Pictures of README.md about computations: their speed-ups, and the shares of the best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from records import TUNED_RECORDS, UNTUNED, Record, Rows, row_of
from svg import SERIES, WIDTH, Chart, linear, logarithmic

Read = Callable[[str], Record | None]

# What others are called in a picture, by the beginning of their recorded names.
OTHERS = {
    "cub": "CUB",
    "thrust": "Thrust",
    "tbb": "oneTBB",
    "mkl": "MKL",
    "MKL": "MKL",
    "better of cuSPARSE": "cuSPARSE",
    "cusparse": "cuSPARSE",
    "warp_per_row": "warp per row",
    "cusp": "CUSP",
    "catanzaro": "Catanzaro",
    "exmatex": "ExMatEx",
    "loop": "OpenMP loop",
}
COMPUTATIONS = {
    "reduce": "Reduction",
    "scan": "Scan",
    "segmented sum": "Row sums",
    "SpMV": "SpMV",
}


def called(name: str) -> str:
    """What a contender is called in a picture."""
    return next((short for start, short in OTHERS.items() if name.startswith(start)), name)


@dataclass(frozen=True)
class SpeedUp:
    """The fastest alternative's time over Fettle's, for one computation on one machine."""

    computation: str
    machine: str
    over: str
    geomean: float
    least: float
    tuned: bool


def speed_ups(read: Read) -> list[SpeedUp]:
    """Of all records, untuned ones first; of several alternatives the fastest one."""
    found: list[SpeedUp] = []
    for record in filter(None, map(read, UNTUNED)):
        for recorded, computation in COMPUTATIONS.items():
            pairs = [
                (row["summary"].removeprefix(f"{recorded} / "), row)
                for row in record.rows
                if row.get("summary", "").startswith(f"{recorded} / ")
                and not row["summary"].endswith("best of these")
            ]
            if pairs:
                over, row = min(pairs, key=lambda pair: pair[1]["call_geomean"])
                figures = (row["call_geomean"], row["call_least"], False)
                found.append(SpeedUp(computation, record.machine, called(over), *figures))
    for record in filter(None, map(read, TUNED_RECORDS)):
        summary = row_of(record.rows, row="summary")
        others = [
            pair for pair in summary["speed_ups"].items() if not pair[0].startswith("default")
        ]
        over, row = min(others, key=lambda pair: pair[1]["geomean"])
        figures = (row["geomean"], row["least"], True)
        found.append(SpeedUp(summary["title"], record.machine, called(over), *figures))
    return found


def machines_of(found: Iterable[Any]) -> dict[str, str]:
    """A colour for each machine, GPUs first."""
    names = sorted({one.machine for one in found}, key=lambda name: (" cores" in name, name))
    return dict(zip(names, SERIES, strict=False))


def speed_up(read: Read) -> tuple[Chart, float] | None:
    """Speed-ups as marks, with a whisker down to the least of the inputs."""
    found = speed_ups(read)
    if not found:
        return None
    colors = machines_of(found)
    chart = Chart(
        "Speed-up over the fastest alternative", "geometric mean; whisker: the least input"
    )
    chart.legend(10, 60, list(colors.items()))
    top = y = 60.0 + (len(colors) + 1) // 2 * 16
    lowest = min(one.least for one in found)
    scale = logarithmic(min(0.4, lowest), max(max(o.geomean for o in found), 8) * 1.1, 170, 330)
    for title, tuned in (("by the default rule, untuned", False), ("tuned", True)):
        y += 8
        chart.label(10, y, title, color="muted")
        y += 5
        group = [one for one in found if one.tuned == tuned]
        for computation in dict.fromkeys(one.computation for one in group):
            y += 4
            for index, one in enumerate(o for o in group if o.computation == computation):
                y += 15
                _speed_up_row(chart, scale, y - 4, one, colors[one.machine], first=index == 0)
        y += 12

    def name(tick: float) -> str:
        return f"{tick:g}\N{MULTIPLICATION SIGN}"

    chart.grid(scale, (0.5, 1, 2, 4, 8), top, y, names=name, at_one=True)
    return chart, y + 24


def _speed_up_row(
    chart: Chart, scale: Callable[[float], float], y: float, one: SpeedUp, color: str, first: bool
) -> None:
    if first:
        chart.label(10, y + 4, one.computation, weight=600)
    chart.label(160, y + 4, one.over, anchor="end", color="muted")
    least, middle = scale(one.least), scale(one.geomean)
    chart.line([(least, y), (middle, y)], color, 1.6)
    chart.line([(least, y - 3), (least, y + 3)], color, 1.6)
    chart.mark(middle, y, color)
    chart.label(WIDTH - 10, y + 4, f"{one.geomean:.2f}", anchor="end")


@dataclass(frozen=True)
class Choices:
    """How good the choices of one model are on inputs that it was not trained on."""

    what: str
    mean: float
    p5: float
    worst: float
    fixed: float
    """Mean share of the one variant, or point, that is best when it is always taken."""


def choices(read: Read) -> list[Choices]:
    """Of the records that judge the choice of variants and of parameters."""
    found: list[Choices] = []
    if record := read("spmv"):
        tuned = row_of(record.rows, case="tuned")
        fixed = max(r["mean"] for r in record.rows if not r["case"].startswith("tuned"))
        found.append(_choices(f"SpMV formats, {tuned['held_out']} matrices", tuned, "", fixed))
    if record := read("schedules"):
        fewest = min(row["variants"] for row in record.rows)
        rows = [row for row in record.rows if row["variants"] == fewest]
        fixed = max(row["mean"] for row in rows if row["case"].endswith("_ms"))
        auto = row_of(rows, case="auto")
        found.append(_choices("SpMV schedules on a GPU", auto, "", fixed))
    if record := read("parameters"):
        for function, what in (("multiply", "Tiles of a product"), ("sort", "Digits of a sort")):
            rows = [row for row in record.rows if row["function"] == function]
            fixed = row_of(rows, way="best fixed point")["share_of_best"]
            way = row_of(rows, way="restricted")
            found.append(_choices(what, way, "share_of_best", fixed))
    return found


def _choices(what: str, row: Mapping[str, Any], prefix: str, fixed: float) -> Choices:
    p5, worst = (row[f"{prefix}_{key}" if prefix else key] for key in ("p5", "worst"))
    return Choices(what, row[prefix or "mean"], p5, worst, fixed)


def share_of_best(read: Read) -> tuple[Chart, float] | None:
    """The shares of choices: of variants as intervals, of tuned computations an input a dot."""
    chosen = choices(read)
    records = [record for record in map(read, TUNED_RECORDS) if record]
    if not chosen and not records:
        return None
    chart = Chart("Share of best", "the best one's time / the chosen one's, on new inputs")
    y = 60.0
    if chosen:
        y = _intervals(chart, chosen, y)
    if records:
        y = _dots(chart, records, y + 14)
    return chart, y


def _intervals(chart: Chart, chosen: Sequence[Choices], y: float) -> float:
    chart.mark(14, y - 4, "first")
    chart.label(22, y, "mean", color="muted")
    chart.line([(64, y - 4), (84, y - 4)], "first", 5, opacity=0.45)
    chart.label(91, y, "95 % of inputs", color="muted")
    chart.line([(184, y - 4), (204, y - 4)], "first", 1.6)
    chart.label(211, y, "all", color="muted")
    chart.mark(243, y - 4, "second", hollow=True)
    chart.label(252, y, "best fixed choice", color="muted")
    top = y + 8
    scale = linear(0, 1, 190, WIDTH - 50)
    bottom = top + 25 * len(chosen) + 2
    chart.grid(scale, (0, 0.25, 0.5, 0.75, 1), top, bottom, at_one=True)
    for index, one in enumerate(chosen):
        middle = top + 25 * index + 14
        chart.label(10, middle + 4, one.what)
        chart.line([(scale(one.worst), middle), (scale(1), middle)], "first", 1.6)
        chart.line([(scale(one.p5), middle), (scale(1), middle)], "first", 6, opacity=0.45)
        chart.mark(scale(one.fixed), middle, "second", hollow=True)
        chart.mark(scale(one.mean), middle, "first")
        chart.label(WIDTH - 10, middle + 4, f"{one.mean:.3f}", anchor="end")
    return bottom + 18


def _dots(chart: Chart, records: Sequence[Record], y: float) -> float:
    colors = machines_of(records)
    chart.label(
        10, y + 8, "tuned computations: a dot is an input, the bar their mean", color="muted"
    )
    chart.legend(10, y + 28, list(colors.items()))
    top = y + 28 + (len(colors) + 1) // 2 * 16 - 8
    titles = {record.name: row_of(record.rows, row="summary")["title"] for record in records}
    order = list(dict.fromkeys(titles.values()))
    low, high = 0.6, 1.2
    scale = linear(low, high, 100, WIDTH - 50)
    step = 22
    bottom = top + step * len(records) + 2
    chart.grid(scale, (0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2), top, bottom, at_one=True)
    last = ""
    for index, record in enumerate(sorted(records, key=lambda r: order.index(titles[r.name]))):
        middle = top + step * index + 13
        if titles[record.name] != last:
            chart.label(10, middle + 4, titles[record.name], weight=600)
        last = titles[record.name]
        shares = _shares(record.rows)
        color = colors[record.machine]
        for number, share in enumerate(shares):
            # Neighbours are drawn at three heights, so that equal shares are seen as several.
            height = middle + (number % 3 - 1) * 3.2
            chart.dot(scale(min(max(share, low), high)), height, color)
        average = scale(mean(shares))
        chart.line([(average, middle - 7), (average, middle + 7)], color, 2.4)
        chart.label(WIDTH - 10, middle + 4, f"{mean(shares):.3f}", anchor="end")
    return bottom + 24


def _shares(rows: Rows) -> list[float]:
    found = [row["share_of_best"] for row in rows if row.get("row") == "input"]
    return [share for share in found if share is not None]
