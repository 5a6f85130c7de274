"""Chains of thresholds as a tuned computation deploys them, beside trees and SVMs.

Each nest of a program is a function whose variants are its versions, with the features that a
computation's model has: the rows, the elements and the mean row length. Classifiers learn from the
data sets to tune on and are judged on the others, by the share of the best version's time.
"""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from statistics import fmean

import numpy as np
from table import LAST, Nest, Program, parallelism

from fettle import _native
from fettle.classifiers import SvmClassifier, ThresholdClassifier, TreeClassifier
from fettle.core.errors import FettleError
from fettle.data.score import share_of_best
from fettle.data.training_set import TrainingSet
from fettle.model.model_directory import write_model

FEATURES = ("rows", "elements", "row_length")


def training_set(program: Program, nest: str, *, tunes: bool) -> TrainingSet:
    """One nest on the data sets to tune on, or on the others; each step of a loop is an input."""
    of = [
        (f"{name} #{one.step}", one)
        for name in program.data(tunes=tunes)
        for one in program.nests[name]
        if one.name == nest
    ]
    variants = tuple(of[0][1].us)
    return TrainingSet(
        function=f"{program.name} {nest}",
        features=FEATURES,
        variants=variants,
        inputs=tuple(name for name, _ in of),
        values=np.array([[one.rows, one.rows * one.length, one.length] for _, one in of], float),
        costs=np.array([[1e-6 * one.us[name] for name in variants] for _, one in of]),
        feature_seconds=np.zeros(len(FEATURES)),
        default=of[0][1].moderate,
    )


def by_parallelism(program: Program, data: TrainingSet) -> TrainingSet:
    """The same with what the tree's guards compare as features."""
    names = [name for name in data.variants if name != LAST]
    values = [
        [parallelism(name, int(rows), int(length), program.group) for name in names]
        for rows, _, length in data.values
    ]
    return TrainingSet(
        function=data.function,
        features=tuple(names),
        variants=data.variants,
        inputs=data.inputs,
        values=np.array(values),
        costs=data.costs,
        feature_seconds=np.zeros(len(names)),
        default=data.default,
    )


def share(classifier: object, known: TrainingSet, unseen: TrainingSet) -> float:
    """The mean share of best on unseen inputs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few inputs: that is what is compared
        model = classifier.fit(known)  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder:
        write_model(Path(folder), model)
        chosen, _ = _native.Model(folder).select_many(unseen.values)
    best = share_of_best(unseen.costs)
    return float(np.mean(best[np.arange(len(unseen)), np.asarray(chosen)]))


def shares(program: Program) -> dict[str, float]:
    """Of each classifier, the mean over the program's nests."""
    found: dict[str, list[float]] = {}
    nests = list(dict.fromkeys(one.name for one in _first(program)))
    for nest in nests:
        known = training_set(program, nest, tunes=True)
        unseen = training_set(program, nest, tunes=False)
        guarded = [(name, name) for name in known.variants if name != LAST]
        ways = {
            "thresholds of the tree": (
                ThresholdClassifier(guarded, LAST, guard=None),
                True,
            ),
            "thresholds": (ThresholdClassifier(guard=None), False),
            "tree": (TreeClassifier(guard=None), False),
            "svm": (SvmClassifier(guard=None), False),
        }
        for name, (classifier, guards) in ways.items():
            one, other = known, unseen
            if guards:
                one, other = (
                    by_parallelism(program, known),
                    by_parallelism(program, unseen),
                )
            try:
                found.setdefault(name, []).append(share(classifier, one, other))
            except FettleError as error:
                raise SystemExit(f"{program.name}, {nest}, {name}: {error}") from None
        fixed = share_of_best(unseen.costs)[:, known.variants.index(known.default or LAST)]
        found.setdefault("moderate", []).append(float(np.mean(fixed)))
    return {name: fmean(values) for name, values in found.items()}


def _first(program: Program) -> list[Nest]:
    return next(iter(program.nests.values()))
