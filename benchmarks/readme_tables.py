"""Writes the tables of numbers in README.md from the recorded results, so that none is typed.

    python benchmarks/readme_tables.py            rewrites README.md
    python benchmarks/readme_tables.py --check    fails where README.md is not what it would write

A benchmark without a recorded result has no line, a table without a line is left out.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

import readme_lines as lines
import readme_ndp_lines as ndp_lines
from readme_lines import Line, Rows

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
BEGIN = "<!-- numbers: python benchmarks/readme_tables.py -->\n"
END = "<!-- end of numbers -->"

TUNED = ("reduction", "scan", "ndp_spmv", "kmeans", "comd")

# What is measured on a GPU names it rather than the processor.
ON_GPU = ("ndp_gpu", "stencil", *(f"{name}_cuda" for name in TUNED))


@dataclass(frozen=True)
class Table:
    """A heading, what its figures are, and where its lines come from."""

    heading: str
    caption: str
    lines: Mapping[str, Callable[[Rows], list[Line]]]
    """By the name of the record."""


TABLES = (
    Table(
        "Choosing a variant",
        "On inputs not trained on. A *share of best* is the time of the best variant over the time "
        "of the chosen one, so 1 is perfect.",
        {"spmv": lines.spmv, "schedules": lines.schedules, "parameters": lines.parameters},
    ),
    Table(
        "What it costs",
        "",
        {
            "selection_cost": lines.selection_cost,
            "training_cost": lines.training_cost,
            "compile_time": lines.compile_time,
            "ndp_compile_time": ndp_lines.compile_time,
        },
    ),
    Table(
        "Nested computations, untuned",
        "The other's time over Fettle's, above 1 where Fettle is faster: geometric mean over the "
        "inputs, in brackets the least. Timed call by call, launches included.",
        {
            "ndp_gpu": ndp_lines.untuned_gpu,
            "ndp_cpu": ndp_lines.untuned_cpu,
            "ndp_cpu_many_cores": ndp_lines.untuned_cpu,
        },
    ),
    Table(
        "Nested computations, tuned",
        "The other's time over Fettle's on inputs not tuned on, geometric mean: of calls in a row, "
        "in brackets of one call.",
        {
            f"{name}_{platform}": ndp_lines.tuned
            for platform in ("cuda", "openmp", "openmp_many_cores")
            for name in TUNED
        },
    ),
    Table(
        "Searching parameters",
        "",
        {
            "search_laplacian": lines.search_laplacian,
            "search_spaces": lines.search_spaces,
            "search_construction": lines.search_construction,
            "stencil": lines.stencil,
        },
    ),
)


def measured_on(name: str, record: Mapping[str, object]) -> str:
    """The machine and the day of a record."""
    machine = record["machine"]
    assert isinstance(machine, dict)
    where = f"{machine['processor']}, {machine['cores']} cores"
    if name in ON_GPU:
        where = ", ".join(dict.fromkeys(machine["gpus"]))
    return f"{where}, {str(record['date'])[:10]}"


def markdown(table: Table, results: Path = RESULTS) -> str:
    """A table in Markdown; empty where nothing of it is recorded."""
    found: list[str] = []
    for name, lines_of in table.lines.items():
        path = results / f"{name}.json"
        if path.exists():
            record = json.loads(path.read_text(encoding="utf-8"))
            on = measured_on(name, record)
            found += [f"| {what} | {figure} | {on} |" for what, figure in lines_of(record["rows"])]
    if not found:
        return ""
    head = [f"### {table.heading}", "", *([fill(table.caption, 100), ""] if table.caption else [])]
    return "\n".join([*head, "| what | measured | on |", "|---|---|---|", *found]) + "\n"


def with_tables(readme: str, numbers: str) -> str:
    """The text of README.md with these tables between the two marks."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"README.md lacks the line {BEGIN.strip()} or the line {END}")
    return before + begin + numbers + end + after


def main(arguments: Sequence[str]) -> int:
    """Write README.md or check it."""
    path = ROOT / "README.md"
    readme = path.read_text(encoding="utf-8")
    fresh = with_tables(readme, "\n".join(filter(None, map(markdown, TABLES))))
    if arguments == ["--check"]:
        if fresh != readme:
            print("README.md's numbers are not those of benchmarks/results; run", __file__)
        return int(fresh != readme)
    path.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
