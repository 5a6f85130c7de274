"""Tunes a function's clock frequency beside its variants (dissertation 4.1.2).

Each variant is measured at each clock, in separate races. A model that chooses variant and clock is
written into the folder `frequency`, beside the model of the variants alone. A program uses the
latter where clocks cannot be set, or where it was not asked to set them.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fettle.classifiers.base import GUARD
from fettle.classifiers.clocked import ClockedTreesClassifier
from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.model.never_chosen import never_choosing
from fettle.objectives.clocked import device_clocks, plain_variants, variant_and_clock
from fettle.objectives.description import objective_directory
from fettle.objectives.objective import DEFAULT, Objective
from fettle.objectives.power_curve import FEWEST, fit_power, narrowed, spread
from fettle.training.code_variant import CodeVariant
from fettle.training.collect import Collection, collect
from fettle.training.measure import Measurer
from fettle.training.program import Input
from fettle.training.settings import Settings
from fettle.training.tables import Tables

FOLDER = "frequency"
SPREAD = 6
"""Clocks at which the power curve is measured."""
PROBES = 3
"""Inputs by which it is measured."""


@dataclass
class FrequencyStage:
    """Measures and learns; `measurer` files what it measures apart from the variants alone."""

    settings: Settings
    function: CodeVariant
    measurer: Measurer

    def run(self) -> list[str]:
        """Writes the models; says for people what came of it. Raises FettleError."""
        wanted = self.function.frequency
        if wanted is None:
            return []
        inputs = list(self.settings.training_inputs)
        said: list[str] = []
        clocks = wanted.clocks
        if clocks == "auto":
            try:
                offered = device_clocks(self.settings.environment)
            except FettleError as unknown:
                return [self._refused(str(unknown))]
            clocks, line = self._narrowed(inputs, offered)
            said.append(line)
        measured = self._measured(inputs, clocks)
        if not self._is_clocked():
            return [
                self._refused("the program could not set the device's clock, as it says itself")
            ]
        known = measured.complete(inputs)
        tables = Tables(self.settings, self.function, self.measurer)
        failed = tables.failed(known)
        objectives = tables.objectives
        wishes: Sequence[Objective | None] = [None] if objectives is None else objectives.objectives
        for k, one in enumerate(wishes):
            if one is None:
                data = tables.table(known, failed).data
            else:
                data = tables.by_objective(one, known, failed).table.data
            if not len(data):
                said.append(f"{self.function.name}: no metric of {one} is known at any clock")
                continue
            model, line = self._learned(data, failed.withheld, one)
            for place in self._places(one, is_first=k == 0):
                write_model(place, model)
            said.append(line)
        return said

    def _measured(self, inputs: Sequence[Input], clocks: Sequence[int]) -> Collection:
        self.measurer.clocks = tuple(clocks)
        self.measurer.offer_is_current = False
        found = collect(self.measurer, inputs)
        if not self.measurer.offer_is_current:
            self.measurer.probe(found.complete(inputs)[0])
            found = collect(self.measurer, inputs)
        return found

    def _is_clocked(self) -> bool:
        offer = self.measurer.offer
        return offer is not None and plain_variants(offer.variants) != offer.variants

    def _refused(self, why: str) -> str:
        said = f"{self.function.name}: {why}; the model of the variants alone stays"
        self.measurer.warn(said)
        return said

    def _narrowed(
        self, inputs: Sequence[Input], offered: Sequence[int]
    ) -> tuple[tuple[int, ...], str]:
        """The clocks offered that are worth measuring, by a power curve through some."""
        some = spread(offered, SPREAD)
        probes = inputs[:: max(1, len(inputs) // PROBES)][:PROBES]
        found = self._measured(probes, some)
        watts = self._watts(found.complete(probes))
        if len(watts) < FEWEST:
            kept = spread(offered, SPREAD)
            return kept, (
                f"{self.function.name}: no power is known at {FEWEST} clocks at least, so that "
                f"{counted(len(kept), 'clock')} of {len(offered)} are measured, evenly spread: "
                f"{_shown(kept)}"
            )
        curve = fit_power(list(watts), list(watts.values()))
        kept = narrowed(offered, curve)
        return kept, (
            f"{self.function.name}: of {len(offered)} clocks {len(kept)} are worth measuring by "
            f"the power curve {curve.idle:.4g} W + {curve.slope:.4g} W/MHz, rising from "
            f"{curve.ridge:.0f} MHz on: {_shown(kept)}"
        )

    def _watts(self, inputs: Sequence[Input]) -> dict[int, float]:
        """The median power at each clock, over inputs and variants; empty where it is unknown."""
        tables = Tables(self.settings, self.function, self.measurer)
        wanted = tables.objectives
        if wanted is None or not self._is_clocked():
            return {}
        runs = tables.by_objective(wanted.first, inputs, tables.failed(inputs)).runs
        values = runs.metrics.values(runs.measured)
        if "watts" in values:
            power = values["watts"]
        elif {"joules", "seconds"} <= values.keys():
            power = values["joules"] / values["seconds"]
        else:
            return {}
        at: dict[int, list[float]] = {}
        for k, name in enumerate(runs.variants):
            mhz = variant_and_clock(name)[1]
            if mhz:
                known = power[np.isfinite(power[:, k]), k]
                at.setdefault(mhz, []).extend(known.tolist())
        return {mhz: float(np.median(some)) for mhz, some in at.items() if some}

    def _learned(
        self, data: TrainingSet, withheld: Iterable[str], objective: Objective | None
    ) -> tuple[Model, str]:
        wanted = self.function.frequency
        assert wanted is not None
        guard = GUARD if self.function.outside_region == "default" else None
        classifier = ClockedTreesClassifier(wanted.models, guard=guard, seed=self.settings.seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TrainingWarning)
            fit = classifier.fit_and_judge(data)
        model = never_choosing(replace(fit.model, features=data.features), set(withheld))
        name = "" if objective is None else f" of the objective {objective.name}"
        how = "one model of both" if wanted.models == "joint" else "a model of each"
        score = "" if fit.chosen.score is None else f": share of best {fit.chosen.score.mean:.4f}"
        clocks = len({variant_and_clock(one)[1] for one in data.variants} - {0})
        return model, f"frequency{name}, {how}, of {counted(clocks, 'clock')}{score}"

    def _places(self, objective: Objective | None, *, is_first: bool) -> list[Path]:
        place = self.settings.place(self.settings.model_directory) / self.function.name
        found = [place / FOLDER] if is_first else []
        if objective is not None and objective.name != DEFAULT:
            found.append(objective_directory(place, objective) / FOLDER)
        return found


def forget_frequency(place: Path) -> None:
    """Removes the models that choose clocks from a function's folder."""
    for folder in (place / FOLDER, *place.glob(f"objective-*/{FOLDER}")):
        shutil.rmtree(folder, ignore_errors=True)


def _shown(clocks: Sequence[int]) -> str:
    return ", ".join(map(str, clocks)) + " MHz"
