"""The page results/transfer.md: the figures and tables of the dissertation's chapter 3."""

from collections.abc import Iterator
from statistics import mean

from records import Rows, names_of, row_of

METHODS = ("Orig. Nitro", "Full Set", "P-DFS", "CV-DFS", "blend", "auto")
SIMPLE = ("Random", "Majority")


def page(rows: Rows) -> str:
    """All tables, each under its heading."""
    parts = (
        ("How alike the devices are (table 3.2)", _similarity(rows)),
        ("Inputs whose best variant differs (figures 3.2 and 3.3)", _sensitivity(rows)),
        ("Which variant is best (table 3.5)", _winners(rows)),
        ("Device features (table 3.6)", _features(rows)),
        ("Methods side by side (figure 3.4)", _methods(rows)),
        ("One of the sources removed (figure 3.5)", _removed(rows)),
        ("Seconds (table 3.7)", _seconds(rows)),
    )
    return "\n".join(f"## {heading}\n\n" + "\n".join(lines) + "\n" for heading, lines in parts)


def profiles(rows: Rows) -> str:
    """The third column of table 3.6, by profiles of the examples' variants on a GPU."""
    own = [row for row in rows if "winners" in row]
    lines = [
        [row["function"], ", ".join(row["winners"]), str(row["starts"]), f"{row['seconds']:.0f}"]
        for row in own
    ]
    head = ["", "winning proxies", "starts under `ncu`", "seconds"]
    taken = row_of(rows, function="proxies")["seconds"]
    heading = "## Proxies by profiles of the examples (table 3.6, third column)\n\n"
    text = f"The application proxies took {taken:.0f} s, once for all functions.\n\n"
    return heading + text + "\n".join(table(head, lines)) + "\n"


def mean_of(rows: Rows, method: str, **wanted: object) -> float:
    """The mean share of a method over the rows of a figure."""
    own = [
        row["mean"]
        for row in rows
        if row.get("method") == method
        and all(row.get(key) == value for key, value in wanted.items())
    ]
    return float(mean(own))


def table(head: list[str], lines: list[list[str]]) -> Iterator[str]:
    """A table in Markdown."""
    for cells in (head, ["---"] * len(head), *lines):
        yield f"| {' | '.join(cells)} |"


def _similarity(rows: Rows) -> Iterator[str]:
    pairs = [row for row in rows if row.get("table") == "3.2"]
    names = sorted({name for row in pairs for name in row["devices"]})
    known = {(row["by"], frozenset(row["devices"])): row["similarity"] for row in pairs}
    best = row_of(rows, table="3.6", method="best in hindsight")["features"]
    yield f"By all device features, and by {', '.join(f'`{name}`' for name in best)} alone:"
    yield ""
    lines = []
    for name in names:
        cells = [
            "1"
            if name == other
            else " / ".join(f"{known[by, frozenset((name, other))]:.1f}" for by in ("all", "best"))
            for other in names
        ]
        lines.append([name, *cells])
    yield from table(["", *names], lines)


def _sensitivity(rows: Rows) -> Iterator[str]:
    yield "On how many matrices no format is the best, or within the tolerance of it, everywhere:"
    yield ""
    lines = []
    for row in rows:
        if row.get("figure") in ("3.2", "3.3") and not row["tolerance"]:
            wanted = {"figure": row["figure"], "architecture": row.get("architecture")}
            own = [one for one in rows if all(one.get(k) == v for k, v in wanted.items())]
            cells = [f"{100 * one['mismatch']:.0f} %" for one in own]
            where = row.get("architecture", "all six devices")
            lines.append([str(where), *cells, str(row["inputs"])])
    yield from table(["", "exactly", "within 5 %", "matrices"], lines)


def _winners(rows: Rows) -> Iterator[str]:
    own = [row for row in rows if row.get("table") == "3.5"]
    variants = names_of(own, "variant")
    lines = [
        [
            device,
            *(f"{100 * row_of(own, device=device, variant=v)['fraction']:.1f}" for v in variants),
        ]
        for device in names_of(own, "device")
    ]
    yield from table(["%", *(name.removesuffix("_ns") for name in variants)], lines)


def _features(rows: Rows) -> Iterator[str]:
    own = [row for row in rows if row.get("table") == "3.6"]
    lines = [[row["method"], ", ".join(f"`{name}`" for name in row["features"])] for row in own]
    yield from table(["", "selected"], lines)


def _methods(rows: Rows) -> Iterator[str]:
    yield "Mean share of best (5th percentile), each device the target and five the sources:"
    yield ""
    own = [row for row in rows if row.get("figure") == "3.4"]
    ways = (*METHODS, *SIMPLE)
    lines = []
    for device in names_of(own, "device"):
        each = [row_of(own, device=device, method=way) for way in ways]
        lines.append([device, *(f"{one['mean']:.3f} ({one['p5']:.2f})" for one in each)])
    lines.append(["mean", *(f"{mean_of(own, way):.3f}" for way in ways)])
    yield from table(["", *ways], lines)


def _removed(rows: Rows) -> Iterator[str]:
    yield "Mean share of best over the five other devices as targets, four sources each:"
    yield ""
    own = [row for row in rows if row.get("figure") == "3.5"]
    ways = (*METHODS, *SIMPLE)
    lines = [
        [gone, *(f"{mean_of(own, way, removed=gone):.3f}" for way in ways)]
        for gone in names_of(own, "removed")
    ]
    yield from table(["removed", *ways], lines)


def _seconds(rows: Rows) -> Iterator[str]:
    own = [row for row in rows if row.get("table") == "3.7"]
    yield from table(["", "CPU seconds"], [[row["method"], f"{row['seconds']:.1f}"] for row in own])
