"""Pictures of README.md about costs: of a selection, and of a search."""

from __future__ import annotations

from dataclasses import dataclass

from computation_pictures import Read
from records import Rows, best_others
from svg import WIDTH, Chart, linear, logarithmic

KERNEL_TUNER = "kernel_tuner:"
WHOLE_CALLS = "whole calls"


@dataclass(frozen=True)
class Cost:
    """A median in nanoseconds, with libsvm's where there is one."""

    what: str
    ns: float
    libsvm: float | None = None


def costs(rows: Rows) -> dict[str, list[Cost]]:
    """The costs of whole calls, and of models alone."""
    calls = [
        Cost(_short(row["contender"].removeprefix("fettle: ")), row["median_ns"])
        for row in rows
        if row["case"].startswith(WHOLE_CALLS)
    ]
    models: list[Cost] = []
    for case in dict.fromkeys(row["case"] for row in rows):
        own = {row["contender"]: row["median_ns"] for row in rows if row["case"] == case}
        kind, _, described = case.partition(": ")
        described = described.partition(",")[0]
        if kind in ("tree", "forest"):
            ours = own["fettle: decide, 1024 inputs in turn"]
            models.append(Cost(_short(f"{kind} of {described}"), ours))
        elif kind == "svm":
            ours, libsvm = own["fettle: decide, model directory"], own["libsvm: svm_predict alone"]
            models.append(Cost(_short(f"svm of {described}"), ours, libsvm))
    once = {cost.what: cost for cost in models}
    return {"a whole call, six features evaluated": calls, "a model alone": list(once.values())}


def _short(case: str) -> str:
    """A case's name without what would not fit."""
    case = case.removesuffix(", log features").partition(" trees of depth")[0]
    case += " trees" if case.startswith("forest") else ""
    return case.replace("svm", "SVM").replace("support vectors", "vectors")


def selection_cost(read: Read) -> tuple[Chart, float] | None:
    """Nanoseconds of a selection, on a logarithmic scale."""
    record = read("selection_cost")
    if not record:
        return None
    groups = costs(record.rows)
    chart = Chart("Cost of a selection", f"median, nanoseconds; {record.machine}")
    every = [cost for group in groups.values() for cost in group]
    most = max(max(cost.ns, cost.libsvm or 0) for cost in every)
    scale = logarithmic(1.5, most * 1.15, 160, WIDTH - 62)
    chart.legend(10, 60, [("Fettle", "first"), ("libsvm's svm_predict", "second")])
    top, y = 68.0, 72.0
    for title, group in groups.items():
        y += 14
        chart.label(10, y, title, color="muted")
        for cost in group:
            y += 19
            chart.label(10, y, cost.what)
            chart.line([(scale(1.5), y - 4), (scale(cost.ns), y - 4)], "first", 1.6)
            if cost.libsvm:
                chart.mark(scale(cost.libsvm), y - 4, "second", hollow=True)
            chart.mark(scale(cost.ns), y - 4, "first")
            text = f"{cost.ns:.0f} ns" if cost.ns >= 10 else f"{cost.ns:.1f} ns"
            chart.label(WIDTH - 10, y, text, anchor="end")
        y += 8
    chart.grid(scale, (2, 10, 100, 1000), top, y)
    return chart, y + 24


def search_convergence(read: Read) -> tuple[Chart, float] | None:
    """Mean share of the optimum that strategies have found after so many measurements."""
    record = read("search_spaces")
    if not record:
        return None
    rows = [row for row in record.rows if "mean_share" in row]
    budgets = sorted({row["budget"] for row in rows})
    curves = {
        name: {row["budget"]: row["mean_share"] for row in rows if row["strategy"] == name}
        for name in dict.fromkeys(row["strategy"] for row in rows)
    }
    spaces = max(row["spaces"] for row in rows)
    chart = Chart("Search", f"optimum / best found so far, mean of {spaces} measured GPU kernels")
    left, right, top, bottom = 44, WIDTH - 14, 112, 402
    low = 0.5
    across = logarithmic(budgets[0], budgets[-1], left, right)
    up = linear(low, 1, bottom, top)
    for tenth in range(5, 11):
        y = up(tenth / 10)
        one = tenth == 10
        chart.line([(left, y), (right, y)], "ink" if one else "grid", 1.4 if one else 1)
        chart.label(left - 8, y + 4, f"{tenth / 10:.1f}", anchor="end", color="muted", size=11)
    for budget in budgets:
        chart.label(
            across(budget), bottom + 16, str(budget), color="muted", size=11, anchor="middle"
        )
    chart.label(right, bottom + 32, "measurements", color="muted", anchor="end")
    for name, curve in curves.items():
        if name.startswith(KERNEL_TUNER):
            points = [(across(b), up(max(share, low))) for b, share in sorted(curve.items())]
            chart.line(points, "second", 1.2, opacity=0.3)
    best = {budget: best_others(rows, budget)[1][1] for budget in budgets}
    for values, color in ((best, "second"), (curves["random"], "third"), (curves["auto"], "first")):
        points = [(across(budget), up(max(share, low))) for budget, share in sorted(values.items())]
        chart.line(points, color, 2.2)
        for x, y in points:
            chart.mark(x, y, color)
    number_of = sum(name.startswith(KERNEL_TUNER) for name in curves)
    for index, (name, color) in enumerate(
        (
            ("Fettle's auto", "first"),
            (f"the best of Kernel Tuner's {number_of} strategies (thin: each)", "second"),
            ("random sampling", "third"),
        )
    ):
        chart.mark(14, 56 + 16 * index, color)
        chart.label(24, 60 + 16 * index, name)
    return chart, bottom + 42
