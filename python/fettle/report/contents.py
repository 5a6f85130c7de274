"""What a report shows: a tuning result judged once, for text, page and JSON file alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fettle.core.wording import counted, printable
from fettle.data.delivered_text import delivered_sentence
from fettle.data.failed_text import failed_lines
from fettle.data.judged_table import Floats
from fettle.data.score import Score
from fettle.data.summary import Summary, fixed_scores, summarise
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import TuningResult

CALLS = (1, 100)
"""Over how many calls one evaluation of the features is spread: none shared, and many."""


@dataclass(frozen=True)
class Report:
    """A tuning result and what it is worth."""

    result: TuningResult
    summary: Summary | None
    """The tuned function on inputs that its model was not fitted on; None: too few to judge it."""
    charged: tuple[tuple[int, Score], ...]
    """The tuned function with its features charged: over how many calls, and the score."""
    fixed: tuple[Score, ...]
    """Always the same variant, dearest last, of those that may be chosen; empty only if no variant
    worked on any input."""

    @property
    def data(self) -> TrainingSet:
        """The inputs that the judgement rests on."""
        evaluation = self.result.evaluation
        return self.result.training if evaluation is None else evaluation.data

    @property
    def judged_values(self) -> Floats:
        """The feature values of the inputs that `summary` judges, (input, feature)."""
        usable = np.isfinite(self.data.costs.min(axis=1, initial=np.inf))
        values: Floats = self.data.values[usable]
        return values

    def headlines(self) -> tuple[str, ...]:
        """The result in a sentence or two: the delivered gain, then the share of best."""
        delivered = delivered_sentence(self.result)
        return (self._nearness(),) if delivered is None else (delivered, self._nearness())

    def _nearness(self) -> str:
        name = printable(self.result.function)
        if self.summary is None:
            return f"{name}: too few inputs to judge the model"
        score, fixed = self.summary.tuned, self.best_fixed(self.summary)
        better = ", which is better; more training inputs tell for sure"
        better = better if fixed.mean > score.mean else ""
        if self.judges_another:
            name = f"{name}, trained anew,"
        return (
            f"{name} reaches {score.mean:.3f} of the best variant on {self.judged_on()} "
            f"(always {printable(fixed.name)}: {fixed.mean:.3f}{better})"
        )

    def best_fixed(self, summary: Summary) -> Score:
        """The best of the variants that could always run: approximate ones break the bound."""
        found = self.result.approximation
        rough = {one.variant for one in (found.variants if found else ()) if not one.is_exact}
        could = [score for score in summary.fixed if score.name not in rough]
        return max(could or summary.fixed, key=lambda score: score.mean)

    @property
    def judges_another(self) -> bool:
        """Whether it is the new model that is judged, and the one deployed before stays."""
        delivered, evaluation = self.result.delivered, self.result.evaluation
        stays = delivered is not None and delivered.deployed == "kept"
        return stays and evaluation is not None and evaluation.how == "cross-validated"

    def alarms(self) -> list[str]:
        """What has to be known first: variants that failed; that the machine was too busy."""
        unsteady, name = self.result.unsteady, printable(self.result.function)
        failed = failed_lines(self.result.function, self.result.failed)
        return [*([f"{name}: {printable(unsteady)}"] if unsteady else []), *failed]

    @staticmethod
    def charge_label(calls: int) -> str:
        """How a charged score is called."""
        return "features charged " + (
            "on every call" if calls == 1 else f"over {counted(calls, 'call')}"
        )

    def judged_on(self) -> str:
        """Which inputs the judgement rests on, for example "54 cross-validated inputs"."""
        count = len(self.data.inputs) if self.summary is None else self.summary.count
        how = "training" if self.result.evaluation is None else self.result.evaluation.how
        return counted(count, f"{how} input")


def report_of(result: TuningResult) -> Report:
    """Judge `result`. Feature evaluation is charged where costs are times."""
    evaluation = result.evaluation
    data = result.training if evaluation is None else evaluation.data
    works = bool(np.isfinite(data.costs).any())
    summaries = []
    if evaluation is not None and works:
        overhead = None
        if data.cost_seconds:
            overhead = data.evaluation_seconds(result.used_features) / data.cost_seconds
        names = data.variants, data.inputs
        summaries = [
            summarise(
                data.costs,
                evaluation.chosen,
                *names,
                overhead=overhead,
                spread=data.spread,
                calls=calls,
            )
            for calls in CALLS
        ]
    charged = tuple((s.calls, s.net) for s in summaries if s.net is not None)
    fixed = fixed_scores(data.costs, data.variants) if works else ()
    withheld = {one.variant for one in result.failed if not one.allowed}
    shown = (score for score in fixed if score.name not in withheld)
    ranked = tuple(sorted(shown, key=lambda score: -score.mean))
    return Report(result, summaries[0] if summaries else None, charged, ranked)
