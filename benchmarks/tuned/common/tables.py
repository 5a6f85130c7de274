"""Tables 5.7 and 5.8 of the dissertation, as Markdown, from the recorded results.

python benchmarks/tuned/common/tables.py           writes results/tuned.md
python benchmarks/tuned/common/tables.py --print   prints it
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from definitions import ALL
from suite import BENCHMARKS

sys.path.append(str(BENCHMARKS / "common" / "pages"))
from ndp_lines import rests_on_one

NAMES = {"openmp": "CPU", "cuda": "GPU"}
# Records of a benchmark: of few cores, of many where it was measured there too, and of a GPU.
KINDS = ("openmp", "openmp_many_cores", "cuda")
Record = Mapping[str, Any]


def records(results: Path) -> dict[tuple[str, str], Record]:
    """The results that are there, by benchmark and kind."""
    found = {}
    for name in ALL:
        for kind in KINDS:
            path = results / f"{name}_{kind}.json"
            if path.exists():
                found[name, kind] = json.loads(path.read_text(encoding="utf-8"))
    return found


def device_of(record: Record) -> str:
    """What the record is of: a GPU, or so many cores of a CPU."""
    name = NAMES[summary_of(record)["platform"]]
    return name if name == "GPU" else f"{name}, {record['machine']['cores']} cores"


def rows_of(record: Record, kind: str) -> list[Mapping[str, Any]]:
    """The record's rows of a kind."""
    return [row for row in record["rows"] if row.get("row") == kind]


def summary_of(record: Record) -> Mapping[str, Any]:
    """The record's line of table 5.8."""
    [summary] = rows_of(record, "summary")
    return summary


def table_5_7(all_records: Mapping[tuple[str, str], Record]) -> str:
    """Features, numbers of inputs, size of the search space and variants, a line a function."""
    lines = [
        "| function | on | features | trained on | tested on | space | variants | share of best |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for record in all_records.values():
        for row in rows_of(record, "function"):
            features = ", ".join(row["features"]) or "none"
            lines.append(
                f"| {row['function'].rsplit('.', 1)[0]} | {device_of(record)} | {features} | "
                f"{row['training_inputs']} | "
                f"{row['judged_inputs']} | {_space(row)} | {len(row['variants'])} | "
                f"{row['share_of_best']} |"
            )
    return "\n".join(lines)


def _space(row: Mapping[str, Any]) -> str:
    fewer = [row[name] for name in ("raced", "judged_among") if name in row]
    if all(number == row["space"] for number in fewer):
        return str(row["space"])
    return f"{row['space']} ({', '.join(map(str, fewer))})"


# What the numbers in brackets are.
NARROWED = (
    "those that came near the best on one of the few training inputs that all were raced on, and "
    "those that were not hopeless there; the other training inputs were raced by the former alone, "
    "the test inputs by the latter"
)


def table_5_8(all_records: Mapping[tuple[str, str], Record]) -> str:
    """Speed-ups over the references and lines of code, a line a benchmark and platform."""
    lines = [
        "| benchmark | on | reference | speed-up: geomean (least; the papers' mean) | "
        "of one call | over the default rule | of exhaustive | lines | reference's |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for record in all_records.values():
        row = summary_of(record)
        ups, of_one_call = row["speed_ups"], row["speed_ups_of_one_call"]
        over = ups[row["reference"]]
        default = f"{ups['default']['geomean']:.2f}" if "default" in ups else "-"
        lines.append(
            f"| {row['title']} | {device_of(record)} | {row['reference']} | "
            f"{over['geomean']:.2f} ({over['least']:.2f}; {over['mean']:.2f}){_odd(record)} | "
            f"{of_one_call[row['reference']]['geomean']:.2f} | {default} | "
            f"{of_exhaustive(record)} | {row['lines']['ours']} | "
            f"{row['lines']['reference'] or 'a library'} |"
        )
    return "\n".join(lines)


def _odd(record: Record) -> str:
    told = rests_on_one(record["rows"], summary_of(record))
    return told and f": {told}"


def of_exhaustive(record: Record) -> str:
    """The best candidates' time over the chosen ones', and on how many inputs if not on all."""
    share = summary_of(record)["share_of_exhaustive"]
    if share is None:
        return "-"
    inputs = rows_of(record, "input")
    known = sum(row["share_of_best"] is not None for row in inputs)
    return f"{share:.3f}" + (f" ({known} of {len(inputs)} inputs)" if known < len(inputs) else "")


def _but_once(all_records: Mapping[tuple[str, str], Record]) -> str:
    """Of which records that is not true."""
    summaries = map(summary_of, all_records.values())
    once = {NAMES[its["platform"]] for its in summaries if its["races"] < 2}
    return f" (not in these records of {' and '.join(sorted(once))})" if once else ""


def page(results: Path) -> str:
    """Both tables, the figures that there are, and what one has to know to read them."""
    found = records(results)
    if not found:
        raise SystemExit("no results: run run.py under record.py first")
    figures = sorted((results / "figures").glob("figure_5_*.png"))
    return "\n\n".join(
        [
            "# The five benchmarks of the Surge papers, tuned",
            "Written by `python benchmarks/tuned/common/tables.py` from the records beside it; the "
            "figures by `figures.py`. Test inputs are the papers' sizes; none is trained on. "
            "Throughput is that of many calls in a row, features and model included.",
            "## Table 5.7: what was tuned",
            table_5_7(found),
            f"Space: the candidates (in brackets: {NARROWED}); variants: those kept, "
            "the default rule among them; share of best: the best candidate's time on a test input "
            "over that of the chosen one, features charged, mean. The best candidate is chosen by "
            "one half of its samples and timed by the other, so luck counts for nothing. Tested "
            "on: test inputs that were raced.",
            "## Table 5.8: against the papers' references",
            table_5_8(found),
            "Speed-up: the reference's time over ours, of many calls in a row, geometric mean over "
            "the test inputs, in brackets the least and the arithmetic mean that the papers give; "
            "also without the input that a mean rests on, where there is one; of exhaustive: the "
            "best candidates' time over that of those chosen, arithmetic mean, in the tuner's "
            "races, a run's computations together, which noise may take above 1; on each test "
            "input those within 15 % of the best were raced a "
            f"second time{_but_once(found)}; lines: source lines of code, without comments, "
            "ours of all forms together.",
            *(f"![{one.stem.replace('_', ' ')}](figures/{one.name})" for one in figures),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page, or print it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--results", type=Path, default=BENCHMARKS / "results")
    parser.add_argument("--print", action="store_true", help="write no file")
    options = parser.parse_args(arguments)
    text = page(options.results)
    if options.print:
        print(text)
    else:
        (options.results / "tuned.md").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
