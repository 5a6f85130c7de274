"""The papers' figures beside ours, recomputed from the records: one table a paper.

    python benchmarks/papers.py [--write]

Prints the tables, then what was not run, and ends with status 1 where there is such a figure; what
cannot be run is listed apart, with the reason. `--write` puts the tables into results/papers.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent / "common"))
sys.path.append(str(Path(__file__).resolve().parent / "common" / "pages"))
from published.figure import SOURCES, Figure, Paper
from published.nitro import ENERGY, MACHINES, PARAMETERS, VARIANTS
from published.search import DESIGNS
from published.stencils import STENCILS
from published.surge import SURGE
from published.thresholds import THRESHOLDS
from records import read

PAPERS = (VARIANTS, MACHINES, ENERGY, PARAMETERS, SURGE, DESIGNS, STENCILS, THRESHOLDS)
RESULTS = Path(__file__).resolve().parent / "results"
HEAD = """# The papers' figures, and ours

Written by `python benchmarks/papers.py --write` from the records beside it. Bold: at least as good
as the paper's. Devices differ from the papers', so times are compared as ratios only.
"""


def line(figure: Figure) -> str | None:
    """The table's line of a figure; None where it was not run."""
    record = None if figure.record == SOURCES else read(RESULTS, figure.record)
    if record is None and figure.record != SOURCES:
        return None
    rows = record.rows if record else ()
    try:
        value = figure.ours(rows)
    except (LookupError, KeyError):
        return None
    ours = f"**{value:.3f}**" if figure.is_matched(value) else f"{value:.3f}"
    less = ", less is better" if figure.lower else ""
    said = figure.note if isinstance(figure.note, str) else figure.note(rows)
    note = f" ({said})" if said else ""
    on = record.measured_on + record.mark if record else "any"
    return (
        f"| {figure.where} | {figure.what}{less}{note} | {figure.paper:.3f} | {ours} "
        f"| {on} | {figure.record} |"
    )


def table(paper: Paper) -> tuple[str, list[str]]:
    """A paper's table, and what was not run of it."""
    lines = [line(figure) for figure in paper.figures]
    missing = [
        f"{paper.title}, {figure.where}: {figure.what} (no figure in the record {figure.record})"
        for figure, text in zip(paper.figures, lines, strict=True)
        if text is None
    ]
    found = [text for text in lines if text is not None]
    if found:
        found[:0] = ["| in the paper | what | paper | ours | on | record |", "|" + "---|" * 6]
    blocked = [f"- {one.where}, {one.what}: not measured, {one.reason}." for one in paper.blocked]
    pictures = [
        f"![{shows}](figures/{name}.png)"
        for name, shows in paper.pictures
        if (RESULTS / "figures" / f"{name}.png").exists()
    ]
    parts = ["\n".join(part) for part in (found, blocked, pictures) if part]
    return "\n\n".join([f"## {paper.title}", *parts]) + "\n", missing


def main(arguments: Sequence[str]) -> int:
    """Print or write all tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write results/papers.md")
    options = parser.parse_args(arguments)
    tables = [table(paper) for paper in PAPERS]
    text = "\n".join([HEAD, *(one for one, _ in tables)])
    missing = [each for _, found in tables for each in found]
    if missing:
        text += "\n## Not run\n\n" + "".join(f"- {each}\n" for each in missing)
    if options.write:
        (RESULTS / "papers.md").write_text(text, encoding="utf-8")
    print(text, end="")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
