"""What a tuning run took, for people: its effort and times, its machine, its warnings."""

from __future__ import annotations

from fettle.core.wording import counted, printable, seconds_text
from fettle.data.tuning_result import Effort, TuningResult
from fettle.report.contents import Report


def training_facts(report: Report) -> list[tuple[str, str]]:
    """What the training took, what it made and where: names and values, for people."""
    result, effort = report.result, report.result.effort
    facts = [
        (
            "effort",
            f"{seconds_text(effort.seconds)}, {counted(effort.program_starts, 'program start')}, "
            f"{counted(effort.variant_runs, 'measured run')}",
        ),
        *_comparing(result),
        ("building", seconds_text(effort.build_seconds)),
        ("fitting", seconds_text(effort.fit_seconds)),
        ("inputs", _inputs(effort)),
        ("model", str(result.model_directory / result.function)),
        ("program", result.program),
        ("started", f"{result.started:%Y-%m-%d %H:%M:%S %Z}".strip()),
        ("finished", f"{result.finished:%Y-%m-%d %H:%M:%S %Z}".strip()),
        *result.machine.items(),
        *(("warning", warning) for warning in result.warnings),
    ]
    return [(printable(name), printable(value)) for name, value in facts]


def _comparing(result: TuningResult) -> list[tuple[str, str]]:
    of = result.delivered
    if of is None or not of.program_starts:
        return []
    return [
        ("comparing", f"{seconds_text(of.seconds)}, {counted(of.program_starts, 'program start')}")
    ]


def _inputs(effort: Effort) -> str:
    text = f"{effort.measured_inputs} measured, {effort.reused_inputs} known before"
    if effort.evaluated_inputs:
        text += f", features alone evaluated on {effort.evaluated_inputs}"
    return text
