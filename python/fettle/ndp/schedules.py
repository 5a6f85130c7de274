"""The lattice of a computation's schedules: as text, and as a picture.

The strongest schedule on top; an arrow is one rewrite rule at one place. What the platform cannot
implement is grey in the picture, in brackets in the text, and comes with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fettle.core.picture_file import check_picture, write_picture
from fettle.ndp.base.computation import Computation


@dataclass(frozen=True)
class Lattice:
    """Schedules by rank, the strongest first, and the arrows between them."""

    ranks: tuple[tuple[str, ...], ...]
    arrows: tuple[tuple[str, str], ...]
    pruned: dict[str, str]  # and why


def lattice_of(computation: Computation) -> Lattice:
    """The lattice of a computation. A schedule's rank is its longest way from the top."""
    pruned = dict(computation.pruned)
    known = [*computation.schedules, *pruned]
    arrows = [
        (schedule, weaker)
        for schedule in known
        for weaker in _rewritten(schedule)
        if weaker in known
    ]
    rank = dict.fromkeys(known, 0)
    for _ in known:
        for stronger, weaker in arrows:
            rank[weaker] = max(rank[weaker], rank[stronger] + 1)
    ranks = tuple(
        tuple(schedule for schedule in known if rank[schedule] == number)
        for number in range(max(rank.values(), default=-1) + 1)
    )
    order = {schedule: i for i, schedule in enumerate(s for row in ranks for s in row)}
    arrows.sort(key=lambda arrow: (order[arrow[0]], order[arrow[1]]))
    return Lattice(ranks, tuple(arrows), pruned)


def _rewritten(schedule: str) -> Iterator[str]:
    """What the rewrite rules make of a schedule, each at one place."""
    nodes = schedule.split(">")
    for i, node in enumerate(nodes):
        before, after = nodes[:i], nodes[i + 1 :]
        if node in ("independent", "cooperative"):
            yield ">".join([*before, "sequential", *after])
        if nodes[i : i + 2] == ["independent", "cooperative"]:
            yield ">".join([*before, "flattened", *after[1:]])
        if node == "flattened":
            yield ">".join([*before, "sequential", "sequential", *after])


def lattice_text(computation: Computation) -> str:
    """The lattice in levels, and each schedule's arrows; pruned schedules are in brackets."""
    lattice = lattice_of(computation)
    shown = {
        schedule: f"({schedule})" if schedule in lattice.pruned else schedule
        for row in lattice.ranks
        for schedule in row
    }
    rows = ["   ".join(shown[schedule] for schedule in row) for row in lattice.ranks]
    width = max((len(row) for row in rows), default=0)
    lines = [f"{computation.title} on {computation.platform}", ""]
    lines += [row.center(width).rstrip() for row in rows]
    lines.append("")
    for schedule in shown:
        weaker = [shown[end] for begin, end in lattice.arrows if begin == schedule]
        if weaker:
            lines.append(f"{shown[schedule]} -> {', '.join(weaker)}")
    if lattice.pruned:
        lines += ["", f"not on {computation.platform}:"]
        lines += [f"({schedule}): {reason}" for schedule, reason in lattice.pruned.items()]
    return "\n".join([*lines, ""])


def draw_lattice(computation: Computation, path: Path) -> None:
    """Draws the lattice into a file: SVG, PNG or PDF by its name. Raises FettleError."""
    check_picture(path)
    from matplotlib.figure import Figure

    lattice = lattice_of(computation)
    reasons = list(dict.fromkeys(lattice.pruned.values()))
    widest = max(len(row) * (max(map(len, row)) + 8) for row in lattice.ranks)
    height = len(lattice.ranks) + 0.25 * len(reasons)
    drawn = Figure(figsize=(max(0.09 * widest, 4.0), height + 0.4), layout="constrained")
    axes = drawn.add_subplot()
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(0.5 - height, 0.5)
    axes.set_title(f"{computation.title} on {computation.platform}", fontsize=10)
    _draw(axes, lattice, reasons)
    for i, reason in enumerate(reasons):
        below = 0.4 - len(lattice.ranks) - 0.25 * i
        axes.text(0.5, below, f"[{i + 1}] {reason}", ha="center", fontsize=7.5, color=_GREY)
    write_picture(drawn, path, dpi=150)


_GREY = "#8a8a8a"


def _draw(axes: Any, lattice: Lattice, reasons: Sequence[str]) -> None:
    positions = {
        schedule: ((i + 0.5) / len(row), -float(number))
        for number, row in enumerate(lattice.ranks)
        for i, schedule in enumerate(row)
    }
    for begin, end in lattice.arrows:
        (x, y), (to_x, to_y) = positions[begin], positions[end]
        is_pruned = begin in lattice.pruned or end in lattice.pruned
        arrow = {"arrowstyle": "->", "color": "#c0c0c0" if is_pruned else "#404040"}
        axes.annotate("", xy=(to_x, to_y + 0.15), xytext=(x, y - 0.15), arrowprops=arrow)
    for schedule, (x, y) in positions.items():
        reason = lattice.pruned.get(schedule)
        mark = "" if reason is None else f" [{reasons.index(reason) + 1}]"
        face, edge, text = (
            ("#e8f1fa", "#0b7fc4", "black") if reason is None else ("#f4f4f4", "#c8c8c8", _GREY)
        )
        box = {"boxstyle": "round,pad=0.4", "facecolor": face, "edgecolor": edge}
        axes.text(x, y, schedule + mark, ha="center", va="center", fontsize=9, color=text, bbox=box)
