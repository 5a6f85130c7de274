"""The tables of the report's page about models, features and times."""

from __future__ import annotations

from fettle.core.wording import seconds_text
from fettle.data.model_comparison import RULE, rows_of
from fettle.report.contents import Report
from fettle.report.html import html_table, section, text_of
from fettle.report.text import importance_text
from fettle.report.variant_times import HEAD, variant_times


def models(report: Report) -> str:
    """The models that were compared, and why one was taken."""
    comparison = report.result.compared
    if comparison is None:
        return ""
    head = ("", "mean", "5th percentile", "worst", "net", "a selection")
    reasons = "".join(f"<li>{text_of(line)}</li>" for line in comparison.reasons())
    table = html_table(head, rows_of(comparison), numbers=5)
    notes = f"<p>{text_of(comparison.head())}.</p><ul>{reasons}</ul>"
    if len(comparison.models) > 1:
        notes += f'<p class="soft">Rule: {text_of(RULE)}.</p>'
    return section("Models compared", table, notes)


def times(report: Report) -> str:
    """How long the variants take, and how their repetitions differ."""
    training = report.result.training
    is_time = training.cost_seconds is not None
    rows = [(one.variant, *one.cells(is_time=is_time)) for one in variant_times(training)]
    note = "<p>Spread: the standard error of a variant&#x27;s cost on an input.</p>"
    return section(
        "Times of the variants over the training inputs", html_table(HEAD, rows, numbers=6), note
    )


def features(report: Report) -> str:
    """What each feature costs, and what it is worth."""
    importance = {one.feature: one for one in report.result.importance}
    used = report.result.used_features
    training = report.result.training
    kept = report.result.feature_curve
    rows = []
    for name, seconds in zip(training.features, training.feature_seconds.tolist(), strict=True):
        cost = seconds_text(seconds) if seconds > 0 else "not known"
        loss = importance_text(importance.get(name))
        rows.append((name, "yes" if name in used else "no", loss, cost))
    head = ("feature", "used by the model", "importance", "evaluation")
    table = html_table(head, rows, numbers=2)
    if importance:
        table += "<p>Importance: the share of best that shuffling the feature loses.</p>"
    if kept is not None:
        table += f"<p>Feature selection kept {text_of(', '.join(kept.kept) or 'none')}.</p>"
    return section("Features", table)
