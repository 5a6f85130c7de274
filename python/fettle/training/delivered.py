"""What tuning delivers: the deployed program against the untuned one, on inputs not trained on.

The figures of a training run are of its variants, timed one by one. What a user gets is a call that
evaluates features, asks the model and then runs a variant, in a process that runs nothing else. So
at the end of tuning the program runs both ways, alternately, and that decides what is deployed
(decision.py).
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import Delivered
from fettle.model.choices import is_always_default, is_same
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.training.compare import FORMER, NEW, UNTUNED, Compared, compare
from fettle.training.comparing import Comparing, spread
from fettle.training.decision import decide
from fettle.training.gain import Ratio
from fettle.training.measure import Measurer
from fettle.training.program import Input, InputError, ProgramError
from fettle.training.request import Measuring
from fettle.training.scratch import scratch_folder
from fettle.training.trainer import Judged

NOT_COMPARED = "none of the inputs could be compared"
FEWEST = 3  # inputs that are compared, if it takes long; a time budget may end it earlier
LEAST_SECONDS = 20.0  # that comparing may take, if measuring took less than four times that
SAMPLES = 54  # of each contender at most; a multiple of those of all orders of three contenders


@dataclass
class Delivery:
    """Compares a new model with the untuned program, and with the model that is deployed.

    `inputs` are all inputs that may be run, by name; `deadline` is of `time.monotonic`.
    """

    measurer: Measurer
    comparing: Comparing
    inputs: Mapping[str, Input]
    deadline: float | None = None
    _ratios: dict[str, list[Ratio]] = field(default_factory=dict)
    _seconds: float = 0.0
    _starts: int = 0

    def decide(
        self,
        model: Model,
        judged: Judged | None,
        data: TrainingSet,
        former: tuple[Model, Path] | None,
    ) -> Delivered:
        """What is to be deployed, and what it gains.

        `judged` says which model, not trained on it, is compared on an input; `data` is all that
        was measured. Raises ProgramError where a choice of the new model fails.
        """
        if former is not None and is_same(former[0], model):
            former = None
        if former is None and is_always_default(model):
            return Delivered("default", reason="the model chooses the default variant always")
        if judged is None:
            return Delivered("new", reason="there are too few inputs to hold any out")
        former = self._compare(model, judged, data, former)
        if not self._ratios:
            return Delivered("new", reason=NOT_COMPARED)
        found = decide(
            self._ratios,
            None if former is None else former[0],
            self.comparing.worth,
            default_works=default_works(data),
            held_out=not judged.folds,
        )
        return replace(found, seconds=self._seconds, program_starts=self._starts)

    def _compare(
        self,
        model: Model,
        judged: Judged,
        data: TrainingSet,
        former: tuple[Model, Path] | None,
    ) -> tuple[Model, Path] | None:
        """Fills in the ratios; returns the former model, unless it does not work."""
        rows = self._rows(judged)
        names = spread(list(rows), self.comparing.inputs)
        end = time.monotonic() + max(LEAST_SECONDS, self.measurer.spent.seconds / 4, _once(data))
        display = self.measurer.display
        display.begin(f"{data.function}, tuned against untuned", len(names))
        try:
            with scratch_folder() as folder:
                directories = self._written(folder, model, judged)
                for number, name in enumerate(names):
                    now = time.monotonic()
                    if (number >= FEWEST and now > end) or now > (self.deadline or math.inf):
                        break
                    display.input(name)
                    if not self._on(name, rows[name], judged, directories[rows[name][0]], former):
                        former = None  # once more without it
                        self._ratios.clear()
                        return self._compare(model, judged, data, None)
                    display.advance()
        finally:
            display.end()
        return former

    def _rows(self, judged: Judged) -> dict[str, list[int]]:
        """The rows of each input that can be compared, in their order."""
        rows: dict[str, list[int]] = {}
        for row, name in enumerate(judged.data.inputs):
            whose = name if name in self.inputs else name.rpartition(" #")[0]
            rows.setdefault(whose, []).append(row)
        return {
            name: its
            for name, its in rows.items()
            if name in self.inputs and all(self._runs(name, row, judged) for row in its)
        }

    def _runs(self, name: str, row: int, judged: Judged) -> bool:
        """Whether what was chosen for a row has a cost; where a constraint excludes it, the default
        runs instead, as in a user's call."""
        choice = int(judged.chosen[row])
        if math.isfinite(judged.data.costs[row, choice]):
            return True
        call = judged.data.inputs[row].removeprefix(name).removeprefix(" #")  # the first has none
        variant = judged.data.variants[choice]
        return any(
            call in ("", str(example.call))
            and variant in example.verdicts
            and example.verdicts[variant][0] == "excluded"
            for example in self.measurer.examples(self.inputs[name])
        )

    def _written(self, folder: Path, model: Model, judged: Judged) -> list[Path]:
        """The directory of the model to be compared on each row."""
        directories = [folder / "all"] * len(judged.data)
        if not judged.folds:
            write_model(folder / "all", model)
        for number, (fold, fitted) in enumerate(judged.folds):
            write_model(folder / str(number), replace(fitted, parameters=model.parameters))
            for row in fold:
                directories[row] = folder / str(number)
        return directories

    def _on(
        self,
        name: str,
        rows: list[int],
        judged: Judged,
        directory: Path,
        former: tuple[Model, Path] | None,
    ) -> bool:
        """Compares on one input; False: the former model does not work there."""
        contenders = 2 if former is None else 3
        measuring = self._measuring(judged.data, rows, contenders)
        try:
            found = compare(
                self.measurer, self.inputs[name], directory, former and former[1], measuring
            )
        except InputError as error:
            self.measurer.warn(f"not compared: {error}")
            return True
        self._seconds += found.seconds
        self._starts += 1
        if NEW in found.failed:
            chosen = {judged.data.variants[judged.chosen[row]] for row in rows}
            raise ProgramError(
                f"{judged.data.function!r}: the new model is not deployed, because what it chooses "
                f"for {name}, {' or '.join(sorted(chosen))}, failed there: {found.failed[NEW]}; "
                "what was deployed before stays. Mend the variant, or give it a constraint"
            )
        if FORMER in found.failed:
            self.measurer.warn(
                f"the model that is deployed fails on {name}: {found.failed[FORMER]}"
            )
            return False
        if UNTUNED in found.failed:
            self.measurer.warn(f"not compared: {name}: {UNTUNED}: {found.failed[UNTUNED]}")
            return True
        self._take(name, found, contenders)
        return True

    def _take(self, name: str, found: Compared, contenders: int) -> None:
        offer = self.measurer.offer
        assert offer is not None  # the inputs are measured
        whose = [UNTUNED, NEW, FORMER][:contenders]
        calls = [of for of in found.samples.values() if all(one in of for one in whose)]
        pairs = [(UNTUNED, NEW), (UNTUNED, FORMER), (FORMER, NEW)][: 1 if contenders == 2 else 3]
        ratios = [Ratio.of([(of[a], of[b]) for of in calls], offer) for a, b in pairs if calls]
        if ratios and all(math.isfinite(ratio.log) for ratio in ratios):
            self._ratios[name] = ratios

    def _measuring(self, data: TrainingSet, rows: list[int], contenders: int) -> Measuring:
        seconds = self.comparing.seconds / len(rows)
        if data.cost_seconds is not None:  # a few runs of each, however long they take
            costs = data.costs[rows]
            slowest = costs[:, data.variants.index(data.default)] if default_works(data) else costs
            finite = slowest[np.isfinite(slowest)]
            seconds = max(seconds, 4 * contenders * float(finite.max()) * data.cost_seconds)
        return replace(
            self.measurer.measuring, race=False, maximum_samples=SAMPLES, budget_s=seconds
        )


def default_works(data: TrainingSet) -> bool:
    """Whether the default variant did, on all inputs."""
    if data.default not in data.variants:
        return False
    return bool(np.isfinite(data.costs[:, data.variants.index(data.default)]).all())


def _once(data: TrainingSet) -> float:
    """About a quarter of what measuring these inputs takes: seconds of one run of each variant."""
    if data.cost_seconds is None:
        return 0.0
    return float(data.costs[np.isfinite(data.costs)].sum()) * data.cost_seconds
