"""What tuning delivers: the deployed program against the untuned one, on inputs not trained on.

The figures of a training run are of its variants, timed one by one. What a user gets is a call that
evaluates features, asks the model and then runs a variant, in a process that runs nothing else. So
at the end of tuning the program runs both ways, alternately, and that decides what is deployed
(decision.py).

The new model gains what models trained without an input gain there. Against the model that is
deployed it is fair only where neither or both were trained on the input.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
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
FEWEST_UNMEASURED = 6  # as many as cross-validation needs
LEAST_SECONDS = 20.0  # that comparing may take, if measuring took less than four times that
SAMPLES = 54  # of each contender at most; a multiple of those of all orders of three contenders


@dataclass
class Delivery:
    """Compares a new model with the untuned program, and with the model that is deployed.

    `inputs` are all inputs that may be run, by name; `deadline` is of `time.monotonic`. `seen` are
    those that the deployed model was trained on, as far as known. `unmeasured` are training inputs
    that the new model was not trained on, because it was trained incrementally. Those that were
    measured were chosen for being hard to decide, so enough others are compared in their place.
    """

    measurer: Measurer
    comparing: Comparing
    inputs: Mapping[str, Input]
    deadline: float | None = None
    seen: frozenset[str] = frozenset()
    unmeasured: Sequence[str] = ()
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
            few = "there are too few inputs to hold any out"
            if former is None or len(self.seen) <= len(data):
                return Delivered("new", reason=few)
            more = f"the deployed model was trained on {len(self.seen)}, the new one on {len(data)}"
            return Delivered("kept", reason=f"{few}, and {more}")
        former = self._compare(model, judged, data, former)
        if not self._ratios:
            return Delivered("new", reason=NOT_COMPARED)
        found = decide(
            self._ratios,
            None if former is None else former[0],
            self.comparing.worth,
            default_works=default_works(data),
            held_out=not judged.folds or bool(self._others(judged)),
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
        rows = {name: [] for name in self._others(judged)} or rows
        names = spread(list(rows), self.comparing.inputs)
        end = time.monotonic() + max(LEAST_SECONDS, self.measurer.spent.seconds / 4, _once(data))
        display = self.measurer.display
        display.begin(f"{data.function}, tuned against untuned", len(names))
        try:
            with scratch_folder() as folder:
                whole, directories = self._written(folder, model, judged)
                for number, name in enumerate(names):
                    now = time.monotonic()
                    if (number >= FEWEST and now > end) or now > (self.deadline or math.inf):
                        break
                    display.input(name)
                    its = rows[name]
                    held_out = directories[its[0]] if its else whole
                    if not self._on(name, its, judged, (held_out, whole), former):
                        former = None  # once more without it
                        self._ratios.clear()
                        return self._compare(model, judged, data, None)
                    display.advance()
        finally:
            display.end()
        return former

    def _others(self, judged: Judged) -> list[str]:
        """The inputs that are compared in place of the measured ones; none where those will do."""
        others = [name for name in self.unmeasured if name not in self.seen]
        return others if judged.folds and len(others) >= FEWEST_UNMEASURED else []

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

    def _written(self, folder: Path, model: Model, judged: Judged) -> tuple[Path, list[Path]]:
        """The directory of the new model, and of the one that was not trained on each row."""
        whole = folder / "all"
        directories = [whole] * len(judged.data)
        write_model(whole, model)
        for number, (fold, fitted) in enumerate(judged.folds):
            write_model(folder / str(number), replace(fitted, parameters=model.parameters))
            for row in fold:
                directories[row] = folder / str(number)
        return whole, directories

    def _on(
        self,
        name: str,
        rows: list[int],
        judged: Judged,
        new: tuple[Path, Path],
        former: tuple[Model, Path] | None,
    ) -> bool:
        """Compares on one input; False: the former model does not work there.

        `new` are the directories of the model that was not trained on it, and of the new one.
        """
        held_out, whole = new
        chosen = {judged.data.variants[judged.chosen[row]] for row in rows}
        measuring = self._measuring(judged.data, rows, 2 if former is None else 3)
        alike = former is None or name not in self.seen or held_out == whole
        gained = self._run(name, chosen, measuring, held_out, former if alike else None)
        contest = gained if alike else self._run(name, set(), measuring, whole, former)
        if gained is None or contest is None:
            return True
        if FORMER in contest.failed:
            self.measurer.warn(
                f"the model that is deployed fails on {name}: {contest.failed[FORMER]}"
            )
            return False
        for found in (gained, contest):
            if UNTUNED in found.failed:
                self.measurer.warn(f"not compared: {name}: {UNTUNED}: {found.failed[UNTUNED]}")
                return True
        pairs = [(gained, UNTUNED, NEW), (contest, UNTUNED, FORMER), (contest, FORMER, NEW)]
        self._take(name, pairs[: 1 if former is None else 3])
        return True

    def _run(
        self,
        name: str,
        chosen: set[str],
        measuring: Measuring,
        directory: Path,
        former: tuple[Model, Path] | None,
    ) -> Compared | None:
        """One start of the program; None: it could not compare, which is said in a warning.

        `chosen` is what the model in `directory` chooses, as far as known. Raises ProgramError
        where that fails.
        """
        try:
            found = compare(
                self.measurer, self.inputs[name], directory, former and former[1], measuring
            )
        except InputError as error:
            self.measurer.warn(f"not compared: {error}")
            return None
        self._seconds += found.seconds
        self._starts += 1
        if NEW in found.failed:
            what = f", {' or '.join(sorted(chosen))}," if chosen else ""
            raise ProgramError(
                f"{self.measurer.subject.function!r}: the new model is not deployed, because what "
                f"it chooses for {name}{what} failed there: {found.failed[NEW]}; "
                "what was deployed before stays. Mend the variant, or give it a constraint"
            )
        return found

    def _take(self, name: str, pairs: Sequence[tuple[Compared, str, str]]) -> None:
        offer = self.measurer.offer
        assert offer is not None  # the inputs are measured
        ratios = []
        for found, a, b in pairs:
            calls = [of for of in found.samples.values() if a in of and b in of]
            if not calls:
                return
            ratios.append(Ratio.of([(of[a], of[b]) for of in calls], offer))
        if all(math.isfinite(ratio.log) for ratio in ratios):
            self._ratios[name] = ratios

    def _measuring(self, data: TrainingSet, rows: list[int], contenders: int) -> Measuring:
        seconds = self.comparing.seconds / max(1, len(rows))
        if data.cost_seconds is not None:  # a few runs of each, however long they take
            costs = data.costs[rows] if rows else data.costs
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
