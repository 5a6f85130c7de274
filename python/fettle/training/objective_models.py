"""Models of all objectives of a function, from one set of measurements (dissertation 4.1.1).

The first objective's model is trained and deployed as any other. Those of the others keep what its
search has found, so that one more takes a fraction of its time, and no run.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fettle.classifiers.base import Fit, SearchingClassifier
from fettle.data.score import Score
from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.model.model import ErrorModel, Model
from fettle.model.model_directory import write_model
from fettle.model.never_chosen import never_choosing
from fettle.objectives.costs import ObjectiveCosts
from fettle.objectives.description import FILE, objective_directory, write_description
from fettle.objectives.objective import DEFAULT, Objective
from fettle.objectives.trade_off import TradeOff, trade_off
from fettle.objectives.trade_off_text import front_lines, trade_off_lines
from fettle.training.objectives import ByObjective, FunctionObjectives
from fettle.training.trainer import Trainer


@dataclass(frozen=True)
class ObjectiveModel:
    """What came of one objective."""

    objective: Objective
    model: Model | None
    """None: its metrics are not known on any input."""
    score: Score | None
    """Cross-validated share of the best value; None with too few inputs."""
    costs: ObjectiveCosts | None


@dataclass(frozen=True)
class ObjectiveModels:
    """All objectives of a function, and the trade-off between them on the training inputs."""

    models: tuple[ObjectiveModel, ...]
    trade_off: TradeOff

    def lines(self) -> list[str]:
        """What each objective is, how good its choices are, and what they cost by the others."""
        found = []
        for one in self.models:
            if one.model is None:
                found.append(
                    f"objective {one.objective.name}: {one.objective}: its metrics are not known "
                    "on any input, so that nothing is learned and there is no model"
                )
                continue
            how = "" if one.score is None else f": share of best {one.score.mean:.4f}"
            found.append(f"objective {one.objective.name}: {one.objective}{how}")
            found += [] if one.costs is None else one.costs.lines()
        return [*found, *trade_off_lines(self.trade_off), *front_lines(self.trade_off)]


def train_objectives(
    trainer: Trainer,
    wanted: FunctionObjectives,
    tables: Sequence[ByObjective],
    first: tuple[Model, Fit | None, Score | None],
    withheld: Collection[str],
) -> ObjectiveModels:
    """The models of all objectives; `tables` are theirs, `first` is what came of the first one.

    Cost: for each further one, of some hundred inputs, less than a second.
    """
    model, fit, score = first
    found = [ObjectiveModel(wanted.first, marked(model, wanted.first), score, tables[0].costs)]
    for objective, by in zip(wanted.objectives[1:], tables[1:], strict=True):
        if not len(by.table.data):
            found.append(ObjectiveModel(objective, None, None, by.costs))
            continue
        made, its_score = _learned(trainer, by.table.data, fit)
        # What is proven of approximate variants is proven of the first objective's choices.
        exact = None if model.errors is None else ErrorModel(model.errors.approximate)
        made = replace(marked(never_choosing(made, withheld), objective), errors=exact)
        found.append(ObjectiveModel(objective, made, its_score, by.costs))
    names = {name: k for k, name in enumerate(tables[0].runs.variants)}
    values = tables[0].table.data.values
    rows = [tables[0].runs.inputs.index(name) for name in tables[0].table.data.inputs]
    runs = tables[0].runs.rows(rows)
    chosen = {
        one.objective.name: np.array(
            [names[one.model.variants[k]] for k in trainer.choose(one.model, values)], dtype=np.intp
        )
        for one in found
        if one.model is not None
    }
    objectives = [one for one in wanted.objectives if one.function is None]
    return ObjectiveModels(tuple(found), trade_off(runs, objectives, chosen))


def _learned(trainer: Trainer, data: TrainingSet, like: Fit | None) -> tuple[Model, Score | None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)  # the first objective has raised them
        if isinstance(trainer.classifier, SearchingClassifier):
            fit = trainer.classifier.fit_and_judge(data, like)
            return replace(fit.model, features=data.features), fit.chosen.score
        learned = trainer.learn(data)
    return learned.model, learned.score


def marked(model: Model, objective: Objective) -> Model:
    """The model with the objective in its provenance."""
    about = {"objective_name": objective.name, "objective": str(objective)}
    return replace(model, provenance=model.provenance | about)


def write_objectives(
    directory: Path, wanted: FunctionObjectives | None, models: ObjectiveModels | None
) -> None:
    """Writes the models of named objectives beside the function's, and removes those of others."""
    kept = set()
    for one in models.models if models else ():
        if one.objective.name != DEFAULT and one.model is not None:
            folder = objective_directory(directory, one.objective)
            write_model(folder, one.model)
            kept.add(folder.name)
    for folder in directory.glob("objective-*"):
        if folder.name not in kept:
            shutil.rmtree(folder, ignore_errors=True)
    if wanted is None:
        (directory / FILE).unlink(missing_ok=True)
    else:
        write_description(directory, wanted.metrics, wanted.objectives)
