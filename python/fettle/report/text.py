"""The report as text: on a terminal with colours, anywhere else plain."""

from __future__ import annotations

import io
import re
import sys
from typing import TextIO

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from fettle.core.wording import counted, printable, seconds_text, shortened
from fettle.data.model_comparison import RULE, ModelComparison, rows_of
from fettle.data.score import Score
from fettle.data.summary import Summary
from fettle.data.tuning_result import FeatureImportance
from fettle.report.confusion import confusion_table
from fettle.report.contents import Report
from fettle.report.training_facts import training_facts
from fettle.report.variant_times import HEAD, variant_times

SHOWN = 15
"""How many variants and how many wrong choices the text shows; the JSON file has all of them."""


def report_text(report: Report) -> str:
    """`report` as plain text, 100 columns wide, ending with a newline."""
    buffer = io.StringIO()
    _print(report, Console(file=buffer, width=100, color_system=None))
    text = "\n".join(line.rstrip() for line in buffer.getvalue().split("\n"))
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"


def print_to(report: Report, stream: TextIO | None = None) -> None:
    """Print `report` to `stream` (standard output): coloured on a terminal, otherwise plain."""
    stream = stream or sys.stdout
    if stream.isatty():
        _print(report, Console(file=stream))
    else:
        stream.write(report_text(report))


def _print(report: Report, console: Console) -> None:
    for line in report.alarms():
        console.print(Text(line, style="bold red"), soft_wrap=True)
    for sentence in report.headlines():
        console.print(Text(sentence, style="bold"), soft_wrap=True)
    for title, part in _parts(report):
        console.print()
        console.print(Text(title, style="bold cyan"))
        console.print(part)


def _parts(report: Report) -> list[tuple[str, RenderableType]]:
    parts: list[tuple[str, RenderableType]] = []
    parts.append((f"Share of best, {report.judged_on()}", _scores(report)))
    if report.summary is not None:
        if report.summary.wrong:
            parts.append(("Best (row) against chosen (column)", _confusion(report.summary)))
        parts.append(("Wrong choices", _wrong(report.summary)))
    if report.result.approximation is not None:
        lines = map(printable, report.result.approximation.lines())
        parts.append(("Approximate variants", Text("\n".join(lines))))
    if report.result.objectives:
        parts.append(("Objectives", Text("\n".join(map(printable, report.result.objectives)))))
    if report.result.compared is not None:
        comparison = report.result.compared
        parts.append((f"Models compared ({comparison.head()})", _models(comparison)))
    parts.append(("Features", _features(report)))
    parts.append(("Times of the variants over the training inputs", _times(report)))
    if report.result.feature_curve is not None:
        parts.append(("Share of best as dearer features are added", _feature_curve(report)))
    if report.result.learning_curve:
        judge = report.result.learning_judged_by
        parts.append((f"Incremental tuning, judged by {judge}", _learning(report)))
    if report.result.failures:
        parts.append(("Not measured", _failures(report)))
    parts.append(("Training", _training(report)))
    return parts


def _table(*columns: str, first_left: int = 1) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    for index, column in enumerate(columns):
        left = index < first_left
        table.add_column(Text(column), justify="left" if left else "right", no_wrap=not left)
    return table


def _scores(report: Report) -> RenderableType:
    table = _table("", "mean", "5th pct", "worst", "best on")

    def row(score: Score, name: str, style: str = "") -> None:
        numbers = [f"{score.mean:.3f}", f"{score.p5:.3f}", f"{score.worst:.3f}"]
        cells = [name, *numbers, f"{100 * score.accuracy:.0f} %"]
        table.add_row(*(Text(cell, style=style) for cell in cells))

    if report.summary is not None:
        row(report.summary.tuned, "tuned", "bold")
        for calls, score in report.charged:
            row(score, f"tuned, {report.charge_label(calls)}")
    for score in report.fixed[:SHOWN]:
        row(score, shortened(score.name, 40))
    notes = []
    if len(report.fixed) > SHOWN:
        notes.append(f"and {counted(len(report.fixed) - SHOWN, 'more variant')}, none better")
    left_out = report.summary.left_out if report.summary is not None else ()
    if left_out:
        some = ", ".join(shortened(name) for name in left_out[:3])
        more = ", ..." if len(left_out) > 3 else ""
        notes.append(f"left out, as no variant works there: {len(left_out)} ({some}{more})")
    return Group(table, *(Text(note) for note in notes))


def _confusion(summary: Summary) -> RenderableType:
    # Columns are headed by the numbers of the rows: names would not fit side by side.
    confusion = confusion_table(summary)
    numbers = [str(index) for index in range(1, len(confusion.names) + 1)]
    table = _table("", *numbers)
    for number, name, counts in zip(
        numbers, confusion.names, confusion.count.tolist(), strict=True
    ):
        row = f"{number:>2} {shortened(name, 24)}"
        table.add_row(*map(Text, [row, *(str(count) if count else "·" for count in counts)]))
    return table


def _wrong(summary: Summary) -> RenderableType:
    if not summary.wrong:
        return Text("none: the best variant was chosen everywhere")
    table = _table("input", "chosen", "best", "slower", first_left=3)
    for wrong in summary.wrong[:SHOWN]:
        cells = [shortened(wrong.input, 36), shortened(wrong.chosen, 24), shortened(wrong.best, 24)]
        table.add_row(*map(Text, [*cells, wrong.times()]))
    rest = summary.wrong[SHOWN:]
    if not rest:
        return table
    note = f"and {len(rest)} more, at most {rest[0].slowdown:.2f}x slower"
    return Group(table, Text(note))


def _models(comparison: ModelComparison) -> RenderableType:
    table = _table("", "mean", "5th pct", "worst", "net", "a selection")
    for cells in rows_of(comparison):
        table.add_row(*map(Text, cells))
    reasons = [Text(line) for line in comparison.reasons()]
    return Group(table, *reasons, *([Text(f"Rule: {RULE}.")] if len(reasons) > 1 else []))


def _times(report: Report) -> RenderableType:
    table = _table(*HEAD)
    training = report.result.training
    times = variant_times(training)
    for one in times[:SHOWN]:
        cells = one.cells(is_time=training.cost_seconds is not None)
        table.add_row(*map(Text, (shortened(one.variant, 28), *cells)))
    rest = len(times) - SHOWN
    return Group(table, Text(f"and {counted(rest, 'more variant')}")) if rest > 0 else table


def _features(report: Report) -> RenderableType:
    table = _table("feature", "used", "importance", "evaluation", first_left=2)
    importance = {one.feature: one for one in report.result.importance}
    used = report.result.used_features
    training = report.result.training
    for name, seconds in zip(training.features, training.feature_seconds.tolist(), strict=True):
        cost = seconds_text(seconds) if seconds > 0 else "not known"
        loss = importance_text(importance.get(name))
        cells = (shortened(name, 40), "yes" if name in used else "", loss, cost)
        table.add_row(*map(Text, cells))
    if not importance:
        return table
    return Group(table, Text("importance: the share of best that shuffling the feature loses"))


def importance_text(importance: FeatureImportance | None) -> str:
    """A loss of share with its standard deviation; empty where it is not known."""
    return "" if importance is None else f"{importance.loss:.4f} ±{importance.spread:.4f}"


def _feature_curve(report: Report) -> RenderableType:
    curve = report.result.feature_curve
    assert curve is not None
    table = _table("features", "kept", "evaluation", "share", "charged", first_left=2)
    for point in curve.points:
        cells = [f"+ {shortened(point.added, 40)}", "yes" if point.added in curve.kept else ""]
        shares = [f"{point.share_of_best:.3f}", f"{point.net_share_of_best:.3f}"]
        table.add_row(*map(Text, [*cells, seconds_text(point.seconds), *shares]))
    return table


def _learning(report: Report) -> RenderableType:
    table = _table("inputs measured", "share of best", "accuracy", first_left=0)
    steps = report.result.learning_curve
    stride = -(-len(steps) // SHOWN)
    for index, step in enumerate(steps):
        if index % stride == 0 or index == len(steps) - 1:
            cells = [str(step.inputs), f"{step.share_of_best:.3f}", f"{step.accuracy:.3f}"]
            table.add_row(*map(Text, cells))
    return table


def _failures(report: Report) -> RenderableType:
    table = _table("input", "variant", "reason", first_left=3)
    for failure in report.result.failures[:SHOWN]:
        variant = "(all)" if failure.variant is None else shortened(failure.variant, 24)
        table.add_row(
            *map(Text, (shortened(failure.input, 36), variant, printable(failure.reason)))
        )
    rest = len(report.result.failures) - SHOWN
    return Group(table, Text(f"and {rest} more")) if rest > 0 else table


def _training(report: Report) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for name, value in training_facts(report):
        table.add_row(Text(name), Text(value))
    return table
