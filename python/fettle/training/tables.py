"""The tables that the model of one function learns from, made of the measurements in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.classifiers.threshold import ThresholdClassifier
from fettle.core.wording import counted
from fettle.objectives.objective import Objective
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.code_variant import CodeVariant
from fettle.training.examples import Table, make_table
from fettle.training.failed import FailedVariants, not_chosen
from fettle.training.measure import Measurer
from fettle.training.objectives import (
    ByObjective,
    FunctionObjectives,
    by_objective,
    objectives_of,
)
from fettle.training.program import Input, ProgramError
from fettle.training.settings import Settings

SAME = 1e-6  # relative difference of what two variants compute
FEWEST = 3  # calls in which they agree


@dataclass(frozen=True)
class Tables:
    """Makes tables of a function's inputs. Measures nothing."""

    settings: Settings
    function: CodeVariant
    measurer: Measurer

    @property
    def offer(self) -> Offer:
        """What the program offers. At least one input must have been measured."""
        assert self.measurer.offer is not None
        return self.measurer.offer

    @property
    def objectives(self) -> FunctionObjectives | None:
        """What the script wants; None: the function's own metric. Raises FettleError."""
        return objectives_of(self.function, self.offer)

    def table(self, inputs: Sequence[Input], failed: FailedVariants) -> Table:
        """The features and costs of some inputs, by the first objective where there are any."""
        wanted = self.objectives
        if wanted is None:
            return self._own_table(inputs, failed)
        return self.by_objective(wanted.first, inputs, failed).table

    def by_objective(
        self, objective: Objective, inputs: Sequence[Input], failed: FailedVariants
    ) -> ByObjective:
        """The features of some inputs, with their costs by one of several objectives."""
        wanted = self.objectives
        assert wanted is not None
        own = self._own_table(inputs, failed)
        return by_objective(objective, wanted.metrics, own, self.offer, self.known(inputs))

    def _own_table(self, inputs: Sequence[Input], failed: FailedVariants) -> Table:
        function = self.function
        return make_table(
            function.name,
            self.offer,
            self.known(inputs),
            function.shared_features,
            failed,
            runs_next_best=function.on_infinite_metric == "next_best",
        )

    def failed(self, inputs: Sequence[Input] | None = None) -> FailedVariants:
        """The variants that failed on some inputs, by default on any training or test input."""
        settings = self.settings
        asked = (*settings.training_inputs, *settings.test_inputs) if inputs is None else inputs
        examples = self.known(asked)
        return not_chosen(self.function, self.offer, examples, schedules=settings.schedules)

    def points(self, given: Input) -> NDArray[np.float64]:
        """The feature values of an input, (calls with features, features)."""
        names = self.offer.features
        examples = self.measurer.examples(given)
        known = [example.features for example in examples if not example.featureless]
        rows = [[point[name] for name in names] for point in known if point.keys() >= set(names)]
        return np.array(rows, dtype=float).reshape(len(rows), len(names))

    def check_usable(self, table: Table, left_out: Mapping[str, str]) -> None:
        """Raises FettleError where nothing can be learned from a table.

        `left_out` has the reasons why inputs are not in it, by their names.
        """
        if not table.data.inputs:
            raise ProgramError(self._nothing_works(table, left_out))
        if isinstance(self.function.classifier, ThresholdClassifier):
            table.failed.refuse(self.function.classifier.named, self.function.name)

    def warn_of_objectives(self) -> None:
        """Names the objectives that go the wrong way."""
        wanted = self.objectives
        if wanted is None:
            return
        for one in wanted.objectives:
            if against := one.against(wanted.metrics):
                self.measurer.warn(f"{self.function.name}: {against}")

    def warn_of_results(self, inputs: Sequence[Input]) -> None:
        """Says so where the numbers that variants return may be their results, not their costs."""
        if self.offer.unit != "returned":
            return
        same = 0
        for _, calls in self.known(inputs):
            for one in calls:
                found = np.array([max(its) for its in one.samples.values() if its])
                if len(found) < 2:
                    continue
                if not np.allclose(found, found[0], rtol=SAME, atol=0):
                    return
                same += 1
        if same >= FEWEST:
            self.measurer.warn(
                f"{self.function.name}: all variants return the same number in each of "
                f"{counted(same, 'call')}; if it is what they compute and not what they cost, "
                'set metric="elapsed"'
            )

    def warn_of_constraints(self, inputs: Sequence[Input]) -> None:
        """Names the variants that constraints exclude on all inputs, or whose constraints throw."""
        thrown: dict[str, list[str]] = {}
        for name, calls in self.known(inputs):
            for one in calls:
                for variant, (verdict, reason) in one.verdicts.items():
                    if verdict == "excluded" and reason.startswith("constraint threw"):
                        thrown.setdefault(variant, []).append(f"{name}: {reason}")
        for variant, cases in thrown.items():
            self.measurer.warn(
                f"{self.function.name}: a constraint of {variant} threw in "
                f"{counted(len(cases), 'call')}, where it counts as false; first on {cases[0]}"
            )
        examples = [one for _, calls in self.known(inputs) for one in calls if one.verdicts]
        excluded = [
            variant
            for variant in self.offer.variants
            if examples
            and (self.offer.bound is not None or variant not in self.offer.approximate)
            and all(one.verdicts.get(variant, (None,))[0] == "excluded" for one in examples)
        ]
        if excluded and not self.settings.schedules:
            them = "it" if len(excluded) == 1 else "them"
            self.measurer.warn(
                f"{self.function.name}: constraints exclude {', '.join(excluded)} on all "
                f"{counted(len(inputs), 'input')}, so the model cannot choose {them}: a constraint "
                "has to return true where its variant may run"
            )

    def known(self, inputs: Sequence[Input]) -> list[tuple[str, list[Example]]]:
        """What is known of some inputs, by their names."""
        return [(given.name, self.measurer.examples(given)) for given in inputs]

    def _nothing_works(self, table: Table, left_out: Mapping[str, str]) -> str:
        reasons = [
            f"{one.variant!r} failed on {one.inputs} of {counted(one.ran_on, 'input')}, first on "
            f"{one.first!r}: {one.reason}"
            for one in table.failed.variants
        ]
        reasons += [
            f"{one.input}: {f'{one.variant}: ' if one.variant else ''}{one.reason}"
            for one in table.failures
        ]
        reasons += [f"{name}: {reason}" for name, reason in left_out.items()]
        shown = "\n".join(f"  {reason}" for reason in reasons[:5])
        if len(reasons) > 5:
            shown += f"\n  and {len(reasons) - 5} more"
        said = f"{self.function.name!r}: there is no input to learn from\n{shown}"
        if not table.failed.withheld:
            return said
        return (
            f"{said}\nVariants that failed are not chosen; what was deployed before stays. Mend "
            "them, add constraints that exclude the inputs on which they fail, or say "
            "allow_failures=[...] in the tuning script"
        )
