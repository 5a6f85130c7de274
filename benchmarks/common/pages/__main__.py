"""Writes the tables of numbers in README.md and docs/ from the recorded results: none is typed.

    python benchmarks/common/pages            rewrites the pages
    python benchmarks/common/pages --check    fails where a page is not what it would write

A benchmark without a recorded result has no line, a table without a line is left out.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import fill

import docs_tables
import readme_lines as lines
import readme_ndp_lines as ndp_lines
from readme_lines import Line, Rows

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "benchmarks" / "results"
BEGIN = "<!-- numbers: python benchmarks/common/pages -->\n"
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
        {
            "spmv": lines.spmv,
            "schedules": lines.schedules,
            "parameters": lines.parameters,
        },
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
        "The other's time over Fettle's on inputs not tuned on, geometric mean of calls in a row; "
        "in brackets the least, and the geometric mean of one call. Share of the best candidates: "
        "their time over that of the chosen ones, arithmetic mean; both are measured, so noise may "
        "take it above 1.",
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
    return f"{where}, {str(record['date'])[:10]}{mark_of(record)}"


# What is said behind the date of a record that no commit gives anew.
CHANGED, UNKNOWN = "\\*", "†"
FOOTNOTES = {
    CHANGED: "measured of a tree with uncommitted changes",
    UNKNOWN: "which commit was measured is not recorded",
}


def mark_of(record: Mapping[str, object]) -> str:
    """The mark of a record; empty where its commit is known and was all that was measured."""
    commit = str(record.get("commit", ""))
    if not commit:
        return UNKNOWN
    return CHANGED if commit.endswith("+") else ""


def footnotes(numbers: str) -> str:
    """What the marks in some tables mean."""
    told = [f"{mark} {what}." for mark, what in FOOTNOTES.items() if f"{mark} |" in numbers]
    return "\n" + "\\\n".join(told) + "\n" if told else ""


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
    head = [
        f"### {table.heading}",
        "",
        *([fill(table.caption, 100), ""] if table.caption else []),
    ]
    return "\n".join([*head, "| what | measured | on |", "|---|---|---|", *found]) + "\n"


def with_tables(page: str, text: str, numbers: str) -> str:
    """The text of a page with these tables between the two marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{page} lacks the line {BEGIN.strip()} or the line {END}")
    return before + begin + numbers + end + after


def readme_numbers() -> str:
    """All tables of README.md."""
    numbers = "\n".join(filter(None, map(markdown, TABLES)))
    return numbers + footnotes(numbers)


def docs_numbers(name: str, table: Callable[[Rows], str]) -> str:
    """The table of a page of docs/, of one record; empty where there is none."""
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return ""
    record = json.loads(path.read_text(encoding="utf-8"))
    on, mark = measured_on(name, record), mark_of(record)
    on = on.removesuffix(mark) + (f", {FOOTNOTES[mark]}" if mark else "")
    return table(record["rows"]) + f"\nMeasured on {on}.\n"


def default_rule_numbers() -> str:
    """The table of docs/ndp-schedules.md: one record a line or two, with its own machine."""
    found = []
    for name in TUNED:
        path = RESULTS / f"{name}_cuda.json"
        if path.exists():
            record = json.loads(path.read_text(encoding="utf-8"))
            on = f" {measured_on(path.stem, record)} |\n"
            found.append(docs_tables.default_rule(record["rows"]).replace("\n", on))
    head = "| | share of the best candidates | inputs | on |\n|---|---|---|---|\n"
    return head + "".join(found) if found else ""


def search_numbers() -> str:
    """The tables of docs/search.md: the strategies, and what each component of `auto` gives."""
    strategies = docs_numbers("search_spaces", docs_tables.search_spaces)
    ablation = docs_numbers("search_ablation", docs_tables.search_ablation)
    return "\n".join(filter(None, (strategies, ablation)))


PAGES: Mapping[str, Callable[[], str]] = {
    "README.md": readme_numbers,
    "docs/parameters.md": partial(docs_numbers, "parameters", docs_tables.parameters),
    "docs/ndp-schedules.md": default_rule_numbers,
    "docs/search.md": search_numbers,
}


def main(arguments: Sequence[str]) -> int:
    """Write the pages or check them."""
    stale = 0
    for page, numbers in PAGES.items():
        path = ROOT / page
        text = path.read_text(encoding="utf-8")
        fresh = with_tables(page, text, numbers())
        if arguments != ["--check"]:
            path.write_text(fresh, encoding="utf-8")
        elif fresh != text:
            print(f"{page}'s numbers are not those of benchmarks/results; run", __file__)
            stale = 1
    return stale


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
