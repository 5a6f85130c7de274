"""The parts of results/transfer.md on real machines: six functions, each machine the target once,
and one function's GPU variants, tuned on one GPU and judged on another.
"""

from collections.abc import Iterator
from statistics import mean

from records import Rows, names_of
from transfer_tables import METHODS, SIMPLE, mean_of, table

SELECTIONS = ("best in hindsight", "P-DFS", "CV-DFS")
TIMED = ("P-DFS, selection", "CV-DFS, selection", "blend", "auto")


def page(rows: Rows) -> str:
    """All tables, each under its heading."""
    functions = names_of(rows, "function")
    parts = (
        ("Real machines: methods side by side (figure 3.4)", _methods(rows, functions)),
        ("Real machines: one of the sources removed (figure 3.5)", _removed(rows, functions)),
        ("Real machines: sensitivity (figures 3.2 and 3.3)", _sensitivity(rows, functions)),
        ("Real machines: which variant is best (table 3.5)", _winners(rows)),
        ("Real machines: device features (table 3.6)", _features(rows, functions)),
        ("Real machines: CPU seconds (table 3.7)", _seconds(rows, functions)),
    )
    return "\n".join(f"## {heading}\n\n" + "\n".join(lines) + "\n" for heading, lines in parts)


def gpus(rows: Rows) -> str:
    """How a model of one GPU does on each."""
    names = names_of(rows, "source")
    lines = []
    for source in names:
        own = {row["target"]: row for row in rows if row["source"] == source}
        cells = (f"{own[name]['mean']:.3f} ({own[name]['p5']:.2f})" for name in names)
        lines.append([source, str(own[source]["training_inputs"]), *cells])
    counts = {row["target"]: row["judged_inputs"] for row in rows}
    said = (
        "Mean share of best (5th percentile) of SpMV's GPU variants, features and choice charged:"
    )
    judged = (f"judged on {name}, {counts[name]} inputs" for name in names)
    text = "\n".join(table(["tuned on", "inputs", *judged], lines))
    return f"## Real machines: one GPU's model on another\n\n{said}\n\n{text}\n"


def _methods(rows: Rows, functions: list[str]) -> Iterator[str]:
    yield "Mean share of best (5th percentile), each machine the target and the others the sources:"
    yield ""
    own = [row for row in rows if row.get("figure") == "3.4"]
    ways = (*METHODS, *SIMPLE)
    lines = []
    for function in functions:
        of_function = [row for row in own if row["function"] == function]
        for device in names_of(of_function, "device"):
            each = [
                next(r for r in of_function if (r["device"], r["method"]) == (device, way))
                for way in ways
            ]
            counts = f"{each[0]['training']}, {each[0]['test']}"
            cells = (f"{one['mean']:.3f} ({one['p5']:.2f})" for one in each)
            lines.append([function, device, counts, *cells])
    means = (f"{mean(mean_of(own, way, function=f) for f in functions):.3f}" for way in ways)
    lines.append(["mean", "", "", *means])
    yield from table(["", "target", "inputs to train, to judge", *ways], lines)


def _removed(rows: Rows, functions: list[str]) -> Iterator[str]:
    yield "Mean share of best over the machines that are left, each the target in turn:"
    yield ""
    own = [row for row in rows if row.get("figure") == "3.5"]
    ways = (*METHODS, *SIMPLE)
    lines = [
        [
            function,
            gone,
            *(f"{mean_of(own, way, function=function, removed=gone):.3f}" for way in ways),
        ]
        for function in functions
        for gone in names_of([row for row in own if row["function"] == function], "removed")
    ]
    yield from table(["", "removed", *ways], lines)


def _sensitivity(rows: Rows, functions: list[str]) -> Iterator[str]:
    yield "On how many test inputs no variant is the best, or within 5 % of it, on all machines:"
    yield ""
    lines = []
    for function in functions:
        own = [r for r in rows if r["function"] == function and r.get("figure") in ("3.2", "3.3")]
        for where in dict.fromkeys(row.get("architecture") for row in own):
            both = [row for row in own if row.get("architecture") == where]
            cells = [f"{100 * row['mismatch']:.0f} %" for row in both]
            named = "all" if where is None else f"with {where} cores"
            lines.append([function, named, *cells, str(both[0]["inputs"])])
    yield from table(["", "machines", "exactly", "within 5 %", "inputs"], lines)


def _winners(rows: Rows) -> Iterator[str]:
    own = [row for row in rows if row.get("table") == "3.5"]
    lines = []
    for function in names_of(own, "function"):
        of_function = [row for row in own if row["function"] == function]
        for device in names_of(of_function, "device"):
            its = [row for row in of_function if row["device"] == device and row["fraction"] > 0]
            its.sort(key=lambda row: -row["fraction"])
            text = ", ".join(f"{row['variant']} {100 * row['fraction']:.0f}" for row in its)
            lines.append([function, device, text])
    yield from table(["", "machine", "% of the test inputs"], lines)


def _features(rows: Rows, functions: list[str]) -> Iterator[str]:
    own = [row for row in rows if row.get("table") == "3.6"]
    lines = []
    for function in functions:
        cells = []
        for way in SELECTIONS:
            found = [r for r in own if (r["function"], r["method"]) == (function, way)]
            names = found[0]["features"] if found else []
            cells.append(", ".join(f"`{name}`" for name in names))
        lines.append([function, *cells])
    yield from table(["", *SELECTIONS], lines)


def _seconds(rows: Rows, functions: list[str]) -> Iterator[str]:
    own = [row for row in rows if row.get("table") == "3.7"]
    lines = []
    for function in functions:
        taken = {row["method"]: row["seconds"] for row in own if row["function"] == function}
        lines.append([function, *(f"{taken[way]:.1f}" for way in TIMED)])
    yield from table(["", *TIMED], lines)
