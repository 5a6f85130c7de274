"""Measures the training and test inputs of one function, as far as the store lacks results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fettle.core.wording import counted_are
from fettle.objectives.objective import Objective
from fettle.training.code_variant import CodeVariant
from fettle.training.collect import Collection, collect
from fettle.training.measure import Measurer
from fettle.training.objective_view import objective_view
from fettle.training.objectives import objectives_of
from fettle.training.parameter_stage import ParameterStage, VariantParameters
from fettle.training.program import Input, ProgramError
from fettle.training.renew import renew
from fettle.training.second_round import race_again
from fettle.training.settings import Settings


@dataclass
class Measurements:
    """Measures the inputs of one function; no further input is begun after `deadline`.

    `found` says which inputs were measured, which were reused and which were left out, and why.
    """

    settings: Settings
    function: CodeVariant
    measurer: Measurer
    deadline: float | None  # of time.monotonic
    stage: ParameterStage | None = None
    found: Collection = field(default_factory=Collection)
    _parameters: VariantParameters | None = None

    def renew(self) -> None:
        """Deletes the stored results that no longer hold for the program as it is now."""
        renew(self.measurer, [*self.settings.training_inputs, *self.settings.test_inputs])

    def measure(self, inputs: Sequence[Input], *, quiet: bool = False) -> list[Input]:
        """Measures what is missing of some inputs; returns the inputs that have results then.

        Raises ProgramError when none could be measured, unless `quiet`.
        """
        found = collect(self.measurer, inputs, deadline=self.deadline, quiet=quiet)
        self.found.add(found)
        known = found.complete(inputs)
        again = self.settings.second_round
        if again is not None and self.settings.measure:
            race_again(self.measurer, known, again, deadline=self.deadline, quiet=quiet)
        return known

    @property
    def parameters(self) -> VariantParameters | None:
        """How variants' parameters are tuned; None where there are none, or nothing is measured."""
        if self._parameters is None and self.stage is not None:
            self._parameters = self.stage.of_variants(
                self.function, self.settings, self.measurer, self.deadline
            )
            if self._parameters is not None:
                self.go_by(None)
        return self._parameters

    def go_by(self, objective: Objective | None) -> None:
        """Lets the search of parameters go by an objective; None: by the first, if there is one."""
        offer = self.measurer.offer
        wanted = None if offer is None else objectives_of(self.function, offer)
        if wanted is None or offer is None:
            return
        own = objective is None and wanted.is_own_metric
        chosen = objective or wanted.first
        self.measurer.view = None if own else objective_view(chosen, wanted.metrics, offer)

    def explore(self, inputs: list[Input], *, quiet: bool = False) -> list[Input]:
        """Searches the variants' parameters on measured inputs; returns those where it worked."""
        if self.parameters is None:
            return inputs
        failed = self.parameters.explore(inputs, quiet=quiet)
        self.found.left_out |= failed
        return [given for given in inputs if given.name not in failed]

    def measured_test_inputs(self) -> list[Input]:
        """The test inputs that have results and are not training inputs; measures nothing."""
        return [one for one in self._held_out() if self.measurer.is_complete(one)]

    def measure_test_inputs(self) -> list[Input]:
        """Measures the test inputs that are not training inputs; returns those with results.

        Warns, instead of raising ProgramError, where they cannot be measured.
        """
        held_out = self._held_out()
        repeated = len(self.settings.test_inputs) - len(held_out)
        if repeated:
            self.measurer.warn(
                f"{counted_are(repeated, 'test input')} among the training inputs, too, and not "
                "held "
                "out"
            )
        if not held_out:
            return []
        try:
            return self.measure(held_out)
        except ProgramError as error:  # the training inputs are measured: that counts
            self.measurer.warn(f"the test inputs cannot be used: {error}")
            return []

    def _held_out(self) -> list[Input]:
        trained_on = {given.arguments for given in self.settings.training_inputs}
        return [one for one in self.settings.test_inputs if one.arguments not in trained_on]
