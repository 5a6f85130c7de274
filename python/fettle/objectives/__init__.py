"""Objectives: what several metrics of a run are worth, and which variant is best by it.

`declare_metrics` names the metrics, `minimize`, `maximize` and `aggregate` make objectives of them,
`costs_by` says what each variant costs by one, for a classifier to learn from; `trade_off` compares
variants and the choices of several objectives. (Dissertation, chapter 4.)
"""

from fettle.objectives.costs import ObjectiveCosts, costs_by
from fettle.objectives.metrics import Metrics, declare_metrics
from fettle.objectives.objective import MetricTable, Objective, aggregate, maximize, minimize
from fettle.objectives.trade_off import TradeOff, trade_off

__all__ = [
    "MetricTable",
    "Metrics",
    "Objective",
    "ObjectiveCosts",
    "TradeOff",
    "aggregate",
    "costs_by",
    "declare_metrics",
    "maximize",
    "minimize",
    "trade_off",
]
