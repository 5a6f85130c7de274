"""What `fettle train` and `fettle evaluate` print, as lines for people and as records for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fettle.core.wording import counted, counted_are

if TYPE_CHECKING:
    from fettle.classifiers import Fit
    from fettle.data.score import Score
    from fettle.data.table import Table
    from fettle.data.tuning_result import FailedVariant
from fettle.data.summary import Summary


@dataclass(frozen=True)
class Evaluated:
    """A model's choices on the inputs of a table."""

    summary: Summary
    """Judged as they are: a choice that a constraint excludes has a share of 0."""
    falling_back: Summary
    """Judged as the program runs: there, the default variant runs in place of such a choice."""
    excluded: int
    """How many choices a constraint excludes."""
    outside: int
    """How many inputs were outside the trained region."""
    bounded: int
    """On how many an exact variant was taken because an approximate one might miss the bound."""
    default: str


def fit_text(fit: Fit, table: Table, inputs: int, directory: Path) -> Iterator[str]:
    """The lines of `fettle train`."""
    model = fit.model
    yield (
        f"{table.path}: {counted(inputs, 'input')}, features {', '.join(model.features)}; "
        f"{counted(len(model.variants), 'variant')}"
    )
    yield from fit_lines(fit, inputs, directory)


def fit_lines(fit: Fit, inputs: int, directory: Path) -> Iterator[str]:
    """Which models were compared, which was taken and why, and where it is."""
    from fettle.classifiers.comparison import comparison_of
    from fettle.data.model_comparison import RULE

    yield f"best fixed variant: {_scored(fit.fixed)}"
    if fit.chosen.score is None:
        yield (
            f"{counted_are(inputs, 'input')} too few to judge a model on inputs that it was not "
            "trained on"
        )
    else:
        judged_by = len(fit.chosen.nets)
        what = (
            "cross-validated share of best"
            if judged_by == inputs
            else f"share of best on {judged_by} of them, held out"
        )
        yield f"{what} (net: with the selection's time, spread over {counted(fit.calls, 'call')}):"
        compared = comparison_of(fit)
        width = max(len(model.kind) for model in compared.models)
        for model in compared.models:
            mark = "  <- chosen" if model.is_taken else ""
            yield (
                f"  {model.kind:<{width}}  mean {model.mean:.4f} p5 {model.p5:.4f} "
                f"worst {model.worst:.4f}  net {model.net:.4f}  "
                f"about {model.seconds * 1e9:.0f} ns a selection{mark}"
            )
        if len(compared.models) > 1:
            yield from (f"  {line}" for line in compared.reasons())
            yield f"  rule: {RULE}"
    yield f"model: {directory} ({fit.model.provenance['parameters']})"


def _scored(score: Score) -> str:
    return f"{score.name}  mean {score.mean:.4f} p5 {score.p5:.4f} worst {score.worst:.4f}"


def fit_record(fit: Fit, directory: Path, failed: Sequence[FailedVariant]) -> dict[str, object]:
    """The record of `fettle train --json`."""
    return {
        "model": str(directory),
        "function": fit.model.function,
        "classifier": fit.chosen.classifier,
        "parameters": str(fit.chosen.recipe),
        "best_fixed": _score_record(fit.fixed),
        "calls": fit.calls,
        "failed": [asdict(one) for one in failed],
        "compared": [
            {
                "classifier": judged.classifier,
                "parameters": str(judged.recipe),
                "selection_seconds": judged.seconds,
                "net_share_of_best": judged.net if judged.score else None,
                "share_of_best": _score_record(judged.score) if judged.score else None,
            }
            for judged in fit.compared
        ],
    }


def evaluated_text(judged: Evaluated) -> Iterator[str]:
    """The lines of `fettle evaluate`."""
    summary, outside = judged.summary, judged.outside
    rows = [*summary.fixed, summary.tuned]
    width = max(len(score.name) for score in rows)
    yield f"{'':<{width}}    mean      p5   worst  accuracy"
    for score in rows:
        yield (
            f"{score.name:<{width}}  {score.mean:.4f}  {score.p5:.4f}  {score.worst:.4f}"
            f"    {score.accuracy:.4f}"
        )
    if outside:
        yield (
            f"{outside} of {counted(summary.count, 'input')} are outside the trained region: the "
            "default "
            "variant was taken"
        )
    if judged.bounded:
        yield (
            f"on {judged.bounded} of {counted(summary.count, 'input')} an approximate variant "
            "might miss the bound on the error: the best exact variant was taken"
        )
    yield (
        f"{judged.excluded} of {counted(summary.count, 'choice')} are variants that a constraint "
        "excludes "
        f"there (empty cells); with {judged.default} running in their place, as in the program:"
    )
    yield judged.falling_back.line()
    yield "with such a choice counted 0:"
    yield summary.line()


def evaluated_record(judged: Evaluated) -> dict[str, object]:
    """The record of `fettle evaluate --json`."""
    summary, outside = judged.summary, judged.outside
    return {
        "inputs": summary.count,
        "outside_trained_region": outside,
        "kept_to_error_bound": judged.bounded,
        "tuned": _score_record(summary.tuned),
        "excluded_choices": judged.excluded,
        "tuned_falling_back": _score_record(judged.falling_back.tuned),
        "fixed": [_score_record(score) for score in summary.fixed],
    }


def _score_record(score: Score) -> dict[str, object]:
    return {
        "name": score.name,
        "mean": score.mean,
        "p5": score.p5,
        "worst": score.worst,
        "accuracy": score.accuracy,
    }
