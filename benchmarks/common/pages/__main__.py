"""Writes the numbers of all pages from the recorded results, as tables and pictures: none is typed.

    python benchmarks/common/pages            rewrites the pages and pictures
    python benchmarks/common/pages --check    fails where one is not what it would write

A benchmark without a recorded result has no line; a table or picture without a line is left out.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import fill

import computation_pictures
import cost_pictures
import device_pictures
import docs_tables
import example_pictures
import machines_tables
import ndp_lines
import search_lines
import transfer_pictures
import transfer_tables
import variant_lines
from captions import readme_text, section
from records import FOOTNOTES, TUNED, TUNED_RECORDS, Line, Rows, read
from svg import THEMES

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "benchmarks" / "results"
PICTURES = "benchmarks/results/pictures"
BEGIN = "<!-- numbers: python benchmarks/common/pages -->\n"
END = "<!-- end of numbers -->"

recorded = partial(read, RESULTS)


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
            "spmv": variant_lines.spmv,
            "schedules": variant_lines.schedules,
            "schedules_kcca": variant_lines.schedules_kcca,
            "transfer": variant_lines.transfer,
            "objectives": variant_lines.objectives,
            "examples_gpu": example_pictures.lines,
            "gpu_sort": variant_lines.gpu_sort,
            "parameters": variant_lines.parameters,
            "approximate": variant_lines.approximate,
            "approximate_ndp": variant_lines.approximate,
            "approximate_gpu": variant_lines.approximate,
            "approximate_ndp_gpu": variant_lines.approximate,
        },
    ),
    Table(
        "What it costs",
        "",
        {
            "selection_cost": variant_lines.selection_cost,
            "check_cost": variant_lines.check_cost,
            "training_cost": variant_lines.training_cost,
            "store": variant_lines.store,
            "store_build": variant_lines.store_build,
            "several_gpus": device_pictures.tuning,
            "compile_time": variant_lines.compile_time,
            "ndp_compile_time": ndp_lines.compile_time,
            "launch_cost": ndp_lines.launch_cost,
        },
    ),
    Table(
        "Nested computations, untuned",
        "The other's time over Fettle's, above 1 where Fettle is faster: geometric mean over the "
        "inputs, in brackets the least. Timed call by call, launches included.",
        {
            "ndp_gpu": ndp_lines.untuned_gpu,
            "operators_cuda": ndp_lines.operators,
            "suite_cuda": ndp_lines.suite_cuda,
            "suite_tuned_cuda": ndp_lines.suite_tuned_cuda,
            "devices": device_pictures.lines,
            device_pictures.TUNED: device_pictures.tuned,
            "row_programs": ndp_lines.row_programs,
            "programs_cuda": ndp_lines.programs,
            "programs_openmp": ndp_lines.programs,
            "suite_openmp": ndp_lines.suite_openmp,
            "suite_tuned_openmp": ndp_lines.suite_tuned_openmp,
            "operators_openmp": ndp_lines.operators,
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
        dict.fromkeys(TUNED_RECORDS, ndp_lines.tuned),
    ),
    Table(
        "Searching parameters",
        "",
        {
            "search_laplacian": search_lines.search_laplacian,
            "search_spaces": search_lines.search_spaces,
            "search_spapt": search_lines.search_spapt,
            "search_carried": search_lines.search_carried,
            "search_construction": search_lines.search_construction,
            "stencil": search_lines.stencil,
            "thresholds_cuda": search_lines.thresholds,
            "thresholds_openmp": search_lines.thresholds,
        },
    ),
)


def footnotes(numbers: str) -> str:
    """What the marks in some tables mean."""
    used = [f"{mark} {meaning}." for mark, meaning in FOOTNOTES.items() if f"{mark} |" in numbers]
    return "\n" + "\\\n".join(used) + "\n" if used else ""


def markdown(table: Table) -> str:
    """A table in Markdown; empty where nothing of it is recorded."""
    found: list[str] = []
    for name, lines_of in table.lines.items():
        if record := recorded(name):
            on = record.measured_on + record.mark
            found += [f"| {what} | {figure} | {on} |" for what, figure in lines_of(record.rows)]
    if not found:
        return ""
    head = [
        f"## {table.heading}",
        "",
        *([fill(table.caption, 100), ""] if table.caption else []),
    ]
    return "\n".join([*head, "| what | measured | on |", "|---|---|---|", *found]) + "\n"


def with_numbers(page: str, text: str, numbers: str) -> str:
    """The text of a page with these numbers between the two marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{page} lacks the line {BEGIN.strip()} or the line {END}")
    return before + begin + numbers + end + after


def all_tables() -> str:
    """The tables of benchmarks/results/README.md."""
    numbers = "\n".join(filter(None, map(markdown, TABLES)))
    said = example_pictures.sentences(recorded)
    examples = section("The examples on a GPU", example_pictures.PICTURES, said, recorded)
    devices = section("Several GPUs", device_pictures.PICTURES, (), recorded)
    return numbers + footnotes(numbers) + examples + devices


def docs_numbers(name: str, table: Callable[[Rows], str]) -> str:
    """The table of a page of docs/, of one record; empty where there is none."""
    record = recorded(name)
    if not record:
        return ""
    on = record.measured_on + (f", {FOOTNOTES[record.mark]}" if record.mark else "")
    return table(record.rows) + f"\nMeasured on {on}.\n"


def default_rule_numbers() -> str:
    """The table of docs/ndp-schedules.md: one record a line or two, with its own machine."""
    found = []
    for record in filter(None, (recorded(f"{name}_cuda") for name in TUNED)):
        on = f" {record.measured_on}{record.mark} |\n"
        found.append(docs_tables.default_rule(record.rows).replace("\n", on))
    head = "| | share of the best candidates | inputs | on |\n|---|---|---|---|\n"
    return head + "".join(found) if found else ""


def transfer_numbers() -> str:
    """The tables of results/transfer.md: published timings, real machines, profiles on a GPU."""
    figures = docs_numbers("transfer_dissertation", transfer_tables.page)
    machines = docs_numbers("transfer_machines", machines_tables.page)
    gpus = docs_numbers("transfer_gpus", machines_tables.gpus)
    profiles = docs_numbers("profiles", transfer_tables.profiles)
    return "\n".join(filter(None, (figures, machines, gpus, profiles)))


def search_numbers() -> str:
    """The tables of docs/search.md: the strategies, and what each component of `auto` gives."""
    strategies = docs_numbers("search_spaces", docs_tables.search_spaces)
    ablation = docs_numbers("search_ablation", docs_tables.search_ablation)
    return "\n".join(filter(None, (strategies, ablation)))


def objective_numbers() -> str:
    """The tables of docs/objectives.md: a published table, and sorting with clocks."""
    published = docs_numbers("objectives", docs_tables.objectives)
    return "\n".join(filter(None, (published, docs_numbers("gpu_sort", docs_tables.gpu_sort))))


def pictures() -> dict[str, str]:
    """The files of all pictures, by their paths; two that stand side by side are equally high."""
    pairs = (
        (computation_pictures.speed_up, computation_pictures.share_of_best),
        (cost_pictures.selection_cost, cost_pictures.search_convergence),
        (transfer_pictures.transfer_methods, transfer_pictures.transfer_removed),
        (transfer_pictures.transfer_machines, transfer_pictures.transfer_machines_removed),
        example_pictures.PICTURES[:2],
        example_pictures.PICTURES[2:],
        device_pictures.PICTURES,
    )
    files = {}
    for pair in pairs:
        drawn = {draw.__name__: found for draw in pair if (found := draw(recorded))}
        height = max((height for _, height in drawn.values()), default=0)
        for name, (chart, _) in drawn.items():
            for theme in THEMES:
                files[f"{PICTURES}/{name}-{theme}.svg"] = chart.text(theme, height)
    return files


PAGES: Mapping[str, Callable[[], str]] = {
    "README.md": lambda: readme_text(recorded, PICTURES),
    "benchmarks/results/README.md": all_tables,
    "benchmarks/results/transfer.md": transfer_numbers,
    "docs/parameters.md": partial(docs_numbers, "parameters", docs_tables.parameters),
    "docs/ndp-schedules.md": default_rule_numbers,
    "docs/search.md": search_numbers,
    "docs/objectives.md": objective_numbers,
}


def main(arguments: Sequence[str]) -> int:
    """Write the pages and pictures, or check them."""
    fresh = pictures()
    for page, numbers in PAGES.items():
        fresh[page] = with_numbers(page, (ROOT / page).read_text(encoding="utf-8"), numbers())
    stale = 0
    for name, text in fresh.items():
        path = ROOT / name
        if arguments != ["--check"]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(
                f"{name} is not what benchmarks/results give; run",
                Path(__file__).parent,
            )
            stale = 1
    return stale


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
