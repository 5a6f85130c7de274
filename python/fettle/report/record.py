"""The report as JSON: every number, for programs."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

from fettle.data.delivered_text import delivered_record
from fettle.data.score import Score
from fettle.data.summary import Summary
from fettle.report.contents import Report
from fettle.report.variant_times import variant_times


def report_json(report: Report) -> str:
    """`report` as a JSON document; a number that is not finite is a string ("inf", "nan")."""
    record = plain(report_record(report))
    return json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def report_record(report: Report) -> dict[str, Any]:
    """The content of report.json as dictionaries and lists."""
    result = report.result
    return {
        "fettle_report": 1,
        "function": result.function,
        "variants": result.training.variants,
        "features": [
            {"name": name, "seconds": seconds, "used": name in result.used_features}
            for name, seconds in zip(
                result.training.features, result.training.feature_seconds.tolist(), strict=True
            )
        ],
        "delivered": delivered_record(result),
        "judged_by": None if result.evaluation is None else result.evaluation.how,
        "tuned": None if report.summary is None else summary_record(report.summary),
        "charged": [{"calls": calls, **score_record(score)} for calls, score in report.charged],
        "fixed": [score_record(score) for score in report.fixed],
        "feature_curve": None
        if result.feature_curve is None
        else dataclasses.asdict(result.feature_curve),
        "learning_curve": [dataclasses.asdict(step) for step in result.learning_curve],
        "learning_judged_by": result.learning_judged_by,
        "models": None if result.compared is None else dataclasses.asdict(result.compared),
        "importance": [dataclasses.asdict(one) for one in result.importance],
        "variant_times": [dataclasses.asdict(one) for one in variant_times(result.training)],
        "current_since": result.current_since and result.current_since.isoformat(),
        "effort": dataclasses.asdict(result.effort),
        "failed": [dataclasses.asdict(one) for one in result.failed],
        "failures": [dataclasses.asdict(failure) for failure in result.failures],
        "unit": result.unit,
        "machine": result.machine,
        "program": result.program,
        "model": str(result.model_directory / result.function),
        "provenance": result.model.provenance,
        "started": result.started.isoformat(),
        "finished": result.finished.isoformat(),
        "warnings": result.warnings,
        "unsteady": result.unsteady,
        "objectives": list(result.objectives),
        "approximation": result.approximation and dataclasses.asdict(result.approximation),
    }


def score_record(score: Score) -> dict[str, Any]:
    """One score: name, mean, p5, worst, accuracy."""
    return dataclasses.asdict(score)


def summary_record(summary: Summary) -> dict[str, Any]:
    """What one set of choices is worth, input by input."""
    rows = zip(
        summary.inputs,
        summary.chosen.tolist(),
        summary.best.tolist(),
        summary.shares.tolist(),
        strict=True,
    )
    return {
        **score_record(summary.tuned),
        "net": None if summary.net is None else score_record(summary.net),
        "calls": summary.calls,
        "n": summary.count,
        "left_out": summary.left_out,
        "choices": [
            {
                "input": name,
                "chosen": summary.variants[chosen],
                "best": summary.variants[best],
                "share": share,
            }
            for name, chosen, best, share in rows
        ],
        "confusion": summary.confusion.count.tolist(),
    }


def plain(value: Any) -> Any:
    """`value` with tuples as lists and numbers that are not finite as strings, as JSON needs it."""
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value
