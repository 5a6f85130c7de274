"""Pictures of the examples on a GPU, after the dissertation's figures 2.4 to 2.7."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from computation_pictures import Read
from records import Line, Rows
from svg import SERIES, WIDTH, Chart, linear

RECORD = "examples_gpu"
TITLES = {
    "spmv": "SpMV",
    "solvers": "Solvers",
    "bfs": "BFS",
    "histogram": "Histogram",
    "sort": "Sort",
    "transpose": "Transpose",
    "sort_anywhere": "Sort, either",
    "spmv_anywhere": "SpMV, either",
}


def rows_with(read: Read, key: str) -> Rows:
    """The functions of which this was recorded: the dissertation's, then those on a processor or
    a GPU, whichever is faster."""
    record = read(RECORD)
    by_name = {row["function"]: row for row in record.rows} if record else {}
    return [by_name[name] for name in TITLES if by_name.get(name, {}).get(key)]


def example_variants(read: Read) -> tuple[Chart, float] | None:
    """Figure 2.4: every variant as if it were always taken, and the choice."""
    rows = rows_with(read, "variants")
    if not rows:
        return None
    chart = Chart("Variants", "mean share of best on held-out inputs, choice not charged")
    entries = [("chosen by input", "first"), ("a variant always", "second")]
    chart.legend(10, 60, entries, hollow="second")
    top, step = 72, 25
    scale = linear(0, 1, 90, WIDTH - 50)
    bottom = top + step * len(rows) + 2
    chart.grid(scale, (0, 0.25, 0.5, 0.75, 1), top, bottom, at_one=True)
    for index, row in enumerate(rows):
        middle = top + step * index + 14
        chart.label(10, middle + 4, TITLES[row["function"]])
        for share in row["variants"].values():
            chart.mark(scale(share), middle, "second", size=3, hollow=True)
        chart.mark(scale(row["selection_free"]), middle, "first")
        chart.label(WIDTH - 10, middle + 4, f"{row['selection_free']:.3f}", anchor="end")
    return chart, bottom + 24


def example_bands(read: Read) -> tuple[Chart, float] | None:
    """Figure 2.5: on how many of the inputs the choice reaches a share."""
    rows = rows_with(read, "bands")
    if not rows:
        return None
    bands = sorted(rows[0]["bands"], key=float, reverse=True)
    chart = Chart("Bands", "part of the held-out inputs, by the share of best of the choice")
    colors = (*SERIES, "muted")
    chart.legend(
        10, 60, list(zip([f"{band} or more" for band in bands] + ["less"], colors, strict=True))
    )
    top, step = 60 + (len(bands) + 2) // 2 * 16 - 8, 25
    scale = linear(0, 1, 90, WIDTH - 50)
    bottom = top + step * len(rows) + 2
    chart.grid(scale, (0, 0.25, 0.5, 0.75, 1), top, bottom)
    for index, row in enumerate(rows):
        middle = top + step * index + 14
        chart.label(10, middle + 4, TITLES[row["function"]])
        begin = 0.0
        for end, color in zip([*(row["bands"][band] for band in bands), 1.0], colors, strict=True):
            if end > begin:
                chart.bar(scale(begin), scale(end), middle - 7, middle + 7, color)
            begin = max(begin, end)
        chart.label(WIDTH - 10, middle + 4, f"{row['bands'][bands[0]]:.0%}", anchor="end")
    return chart, bottom + 24


def example_features(read: Read) -> tuple[Chart, float] | None:
    """Figure 2.7: features added in order of their cost."""
    rows = rows_with(read, "features")
    if not rows:
        return None
    chart = Chart("Features by cost", "cross-validated share of best, cheap features first")
    chart.legend(10, 60, [("cost not counted", "first"), ("counted", "second")])
    bottom = 64.0
    for index, row in enumerate(rows):
        points = row["features"]
        curves = [
            ([(n + 1, point[key]) for n, point in enumerate(points)], color)
            for key, color in (("net", "second"), ("share", "first"))
        ]
        bottom = _panel(chart, index, TITLES[row["function"]], curves, len(points))
    chart.label(WIDTH - 14, bottom + 14, "features", color="muted", anchor="end")
    return chart, bottom + 22


def example_incremental(read: Read) -> tuple[Chart, float] | None:
    """Figure 2.6: the tuner's order of inputs beside a random one."""
    rows = rows_with(read, "incremental")
    if not rows:
        return None
    counts = sorted({row["incremental"]["repetitions"] for row in rows})
    repetitions = " to ".join(str(count) for count in dict.fromkeys((counts[0], counts[-1])))
    chart = Chart(
        "Incremental tuning",
        f"share of best over measured inputs, mean of {repetitions} repetitions",
    )
    chart.legend(10, 60, [("itune", "first"), ("in random order", "second")])
    bottom = 64.0
    for index, row in enumerate(rows):
        found = row["incremental"]
        curves = [
            (found["curves"][key], c) for key, c in (("random", "second"), ("itune", "first"))
        ]
        bottom = _panel(
            chart, index, TITLES[row["function"]], curves, found["inputs"], level=found["full"]
        )
    chart.label(WIDTH - 14, bottom + 14, "inputs; line: all measured", color="muted", anchor="end")
    return chart, bottom + 22


def _panel(
    chart: Chart,
    index: int,
    title: str,
    curves: Sequence[tuple[Sequence[Sequence[float]], str]],
    most: int,
    level: float | None = None,
) -> float:
    """One of several small charts, two in a line; returns where it ends."""
    left = 38.0 + index % 2 * (WIDTH / 2)
    right = left + WIDTH / 2 - 52
    top = 92.0 + index // 2 * 104
    bottom = top + 66
    chart.label(left, top - 8, title, weight=600)
    lowest = min(share for curve, _ in curves for _, share in curve)
    low = min(0.9, int(lowest * 10) / 10)
    up = linear(low, 1, bottom, top)
    across = linear(1, max(most, 2), left, right)
    for tick in (low, (low + 1) / 2, 1.0):
        chart.line([(left, up(tick)), (right, up(tick))])
        chart.label(left - 5, up(tick) + 4, f"{tick:.2g}", color="muted", size=10, anchor="end")
    for tick in (1, most):
        chart.label(across(tick), bottom + 13, str(tick), color="muted", size=10, anchor="middle")
    if level is not None:
        chart.line([(left, up(level)), (right, up(level))], "ink", 1, dashes="3 3")
    for curve, color in curves:
        chart.line([(across(x), up(share)) for x, share in curve], color, 1.8)
    return bottom + 16


def lines(rows: Rows) -> list[Line]:
    """A line of the table for each function."""
    by_name = {row["function"]: row for row in rows}
    found = []
    for name, title in TITLES.items():
        if row := by_name.get(name):
            fixed = f"{row['best_fixed']} for all: {row['best_fixed_share']:.3f}"
            parts = [f"without the cost of the choice {row['selection_free']:.3f}", fixed]
            if over := row.get("over_library"):
                call = min(over, key=lambda one: over[one]["free"])
                parts.append(f"{over[call]['free']:.2f} times as fast as {call}")
            on = f"; {row['gpu']}" if "gpu" in row else ""
            on += f", {row['date'][:10]}" if "date" in row else ""
            what = f"{title} on a GPU, {row['judged_inputs']} inputs: share of best"
            found.append((what, f"{row['share_of_best']:.3f} ({', '.join(parts)}{on})"))
    return found


def sentences(read: Read) -> list[str]:
    """What the pictures say, with their figures."""
    found = []
    if rows := rows_with(read, "bands"):
        part = mean(row["bands"]["0.9"] for row in rows)
        found.append(f"{part:.0%} of the inputs, a mean of the functions, get 0.9 of the best.")
    for row in rows_with(read, "convergence"):
        if mixed := row["convergence"]["mixed"]:
            found.append(
                f"{TITLES[row['function']]}: of {mixed} systems on which some do not converge, one "
                f"that does is chosen on {row['convergence']['chosen']}, and the call has a result "
                f"on {row['convergence']['solved']}."
            )
    for row in rows_with(read, "large"):
        found.append(
            f"{TITLES[row['function']]}: {row['large']['inputs']} of {row['judged_inputs']} inputs "
            f"have a million nonzeros or edges or more; share of best there "
            f"{row['large']['share_of_best']:.3f}."
        )
    for row in rows_with(read, "throughput"):
        rate = row["throughput"]
        found.append(
            f"{TITLES[row['function']]}: {rate['mean'] / 1e9:,.1f} billion {rate['unit']} "
            f"(geometric mean), {rate['most'] / 1e9:,.1f} at most."
        )
    for row in rows_with(read, "of_references"):
        for name, share in row["of_references"].items():
            worst = min(share["families"], key=share["families"].__getitem__)
            found.append(
                f"{TITLES[row['function']]}: a {name} of the same data takes "
                f"{share['mean']:.2f} of the time (geometric mean; {worst} "
                f"{share['families'][worst]:.2f}, the least {share['least']:.3f})."
            )
    for row in rows_with(read, "over_peers"):
        for name, peer in row["over_peers"].items():
            alone = (
                f"; on {peer['choice_alone']} more the choice alone has one, on "
                f"{peer['peer_alone']} the other"
                if peer["choice_alone"] or peer["peer_alone"]
                else ""
            )
            found.append(
                f"{TITLES[row['function']]}: {peer['free']:.2f} times as fast as {name} on the "
                f"{peer['both']} inputs on which both have a result{alone}."
            )
    for row in rows_with(read, "repeated"):
        found.append(
            f"{TITLES[row['function']]}: the best variant by a second measurement of "
            f"{row['repeated']['inputs']} inputs has a share of best of "
            f"{row['repeated']['share_of_best']:.3f} by the first, which bounds what a choice can "
            "be seen to reach."
        )
    for row in rows_with(read, "incremental"):
        needed, inputs = row["incremental"]["needed"], row["incremental"]["inputs"]
        itune, others = (str(needed[key] or "more than half") for key in ("itune", "random"))
        found.append(
            f"{TITLES[row['function']]}: within 0.01 of what all {inputs} inputs teach after "
            f"{itune} of them, in random order after {others}."
        )
    return found


PICTURES = (example_variants, example_bands, example_features, example_incremental)
