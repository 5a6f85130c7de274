"""Tuning results made by hand, ordinary and degenerate, for the tests of the report."""

from __future__ import annotations

import math
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import (
    CurvePoint,
    Delivered,
    Effort,
    Evaluation,
    Failure,
    FeatureCurve,
    Gain,
    LearningStep,
    TuningResult,
)
from fettle.model.model import Model, ModelInput
from fettle.model.trees import Tree, TreePredictor


def training_set(
    inputs: int = 40, variants: int = 4, features: int = 3, *, failing: float = 0.1, seed: int = 1
) -> TrainingSet:
    """Random features; the cost of a variant grows with the distance from where it is at home."""
    random = np.random.default_rng(seed)
    values = 10 ** random.uniform(2, 6, (inputs, max(features, 1)))
    home = random.uniform(2, 6, variants)
    distance = np.abs(np.log10(values[:, :1]) - home)
    values = values[:, :features]
    costs = 1e-4 * np.exp(distance + random.normal(0, 0.1, distance.shape))
    costs[random.random(costs.shape) < failing] = math.inf
    costs[:, 0] = np.where(np.isfinite(costs[:, 0]), costs[:, 0], 1e-2)
    return TrainingSet(
        function="spmv",
        features=tuple(f"feature_{k}" for k in range(features)),
        variants=tuple(f"variant_{k}" for k in range(variants)),
        inputs=tuple(f"matrices/input_{k}.mtx" for k in range(inputs)),
        values=values,
        costs=costs,
        feature_seconds=np.array([1e-9 * 10.0**k for k in range(features)]),
    )


def leaf_model(data: TrainingSet, **changes: Any) -> Model:
    """A model whose one leaf always chooses the first variant."""
    leaf = (tuple(float(k) for k in range(len(data.variants))),)
    values: dict[str, Any] = {
        "function": data.function,
        "variants": data.variants,
        "features": data.features,
        "inputs": tuple(ModelInput("log", name, None, 4.6, 13.8) for name in data.features[:2]),
        "predictor": TreePredictor((Tree((-1,), (0.0,), (-1,), (-1,), leaf),)),
        "default": data.variants[0],
        "guard": 0.25,
        "provenance": {"share_of_best": "0.973", "tool": "fettle 0.1.0"},
    }
    return Model(**{**values, **changes})


def tuning_result(
    data: TrainingSet | None = None,
    chosen: NDArray[np.intp] | None = None,
    wrong: float = 0.2,
    **changes: Any,
) -> TuningResult:
    """A result that judges `data`; choices are the best ones but for the fraction `wrong`."""
    data = training_set() if data is None else data
    if chosen is None:
        random = np.random.default_rng(2)
        guess = random.integers(0, len(data.variants), len(data.inputs))
        astray = random.random(len(data.inputs)) < wrong
        chosen = np.where(astray, guess, data.costs.argmin(axis=1)).astype(np.intp)
    values: dict[str, Any] = {
        "function": data.function,
        "training": data,
        "model": leaf_model(data),
        "evaluation": Evaluation("cross-validated", data, chosen),
        "effort": Effort(12.5, 41, 960, 3.25, 0.75, 40, 0),
        "failures": (),
        "feature_curve": None,
        "learning_curve": (),
        "learning_judged_by": "",
        "machine": {"cpu": "a processor"},
        "unit": "s",
        "started": datetime(2026, 11, 21, 9, 0, tzinfo=timezone.utc),
        "finished": datetime(2026, 11, 21, 9, 1, tzinfo=timezone.utc),
        "program": "build/spmv",
        "model_directory": Path("models"),
    }
    return TuningResult(**{**values, **changes})


def feature_curve(data: TrainingSet) -> FeatureCurve:
    """A curve that rises with each feature and falls a little, once the last one is charged."""
    points = tuple(
        CurvePoint(
            added=name,
            features=data.features[: k + 1],
            seconds=float(data.feature_seconds[: k + 1].sum()),
            share_of_best=0.9 + 0.02 * k,
            net_share_of_best=0.9 + 0.02 * k - 0.003 * k * k,
        )
        for k, name in enumerate(data.features)
    )
    return FeatureCurve(points, data.features[:-1] or data.features, 0.917)


def learning_curve(steps: int = 25) -> tuple[LearningStep, ...]:
    """A curve that saturates, one input a step."""
    return tuple(
        LearningStep(5 + k, (f"input_{k}",), 1 - 0.4 * 0.85**k, 1 - 0.5 * 0.9**k)
        for k in range(steps)
    )


GAIN = Gain(
    mean=1.184,
    least=0.98,
    greatest=2.3,
    low=1.012,
    high=1.384,
    measured_low=1.15,
    measured_high=1.22,
)
DELIVERED = Delivered("new", ("a.mtx", "b.mtx"), gain=GAIN, seconds=2.5, program_starts=2)

FAILURES = (
    Failure("matrices/input_1.mtx", "variant_2", "crashed: signal 11 (segmentation fault)"),
    Failure("matrices/input_3.mtx", "variant_1", "wrong result: row 5 differs by 0.25"),
    Failure("matrices/broken.mtx", None, "the program ended with status 1 before the call"),
)
