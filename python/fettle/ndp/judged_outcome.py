"""How good the choices of a computation's model are: each judged input against all candidates.

Made of what the expert layer's tuning result says of the computation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fettle.data.judged_table import Floats
from fettle.data.preference import first_best
from fettle.data.ties import ties_with_best
from fettle.data.tuning_result import TuningResult
from fettle.ndp.header import DEFAULT
from fettle.ndp.manifest import Manifest
from fettle.ndp.result import JudgedInput, Outcome


def outcome_of(manifest: Manifest, result: TuningResult) -> Outcome:
    """What a tuning result says of a computation."""
    its = manifest.computations[result.function]
    cost = result.features_cost
    return Outcome(
        function=result.function,
        expression=its.expression,
        candidates=_candidate_count(manifest, result),
        dropped=sum(one.unit[0] == result.function for one in manifest.dropped),
        winners=result.model.variants,
        features=result.used_features,
        features_known=result.training.features,
        feature_seconds=cost,
        training_inputs=len(result.training),
        judged_by="" if result.evaluation is None else result.evaluation.how,
        inputs=_judged(result),
        measuring_seconds=result.effort.seconds,
        failed=result.failed,
        unsteady=result.unsteady,
    )


def _candidate_count(manifest: Manifest, result: TuningResult) -> int:
    """Of a program the variants that were measured: they are compiled in, and nothing is built."""
    if not manifest.computations[result.function].is_program:
        return len(manifest.candidates(result.function))
    measured = result.training if result.measured is None else result.measured
    return len(measured.variants) - 1


def _judged(result: TuningResult) -> tuple[JudgedInput, ...]:
    if result.evaluation is None:
        return ()
    held_out = result.evaluation.how == "held-out"
    whole = result.held_out if held_out else result.measured
    data = result.evaluation.data
    whole = data if whole is None else whole
    its = whole.exhaustive
    evaluation = whole.evaluation_seconds(result.used_features)
    row_of = {name: row for row, name in enumerate(whole.inputs)}
    ties, best_of = ties_with_best(whole), first_best(-whole.costs, whole.preference)
    found = []
    for name, choice in zip(data.inputs, result.evaluation.chosen, strict=True):
        row = row_of[name]
        costs, seconds = whole.costs[row], float(evaluation[row])
        chosen = whole.variants.index(data.variants[choice])
        best = chosen if ties[row, chosen] else int(best_of[row])
        # In place of a candidate that its constraint excludes the call runs the default rule.
        runs = whole.variants[chosen] if np.isfinite(costs[chosen]) else DEFAULT
        spread = 0.0 if whole.spread is None else float(np.nan_to_num(whole.spread[row, chosen]))
        found.append(
            JudgedInput(
                name=name,
                default=_cost(costs, whole.variants, DEFAULT),
                tuned=_cost(costs, whole.variants, runs) + seconds,
                exhaustive=float(costs.min() if its is None else its[row]),
                features=seconds,
                chosen=whole.variants[chosen],
                best=whole.variants[best],
                spread=spread,
            )
        )
    return tuple(found)


def _cost(costs: Floats, variants: Sequence[str], name: str) -> float:
    return float(costs[variants.index(name)])
