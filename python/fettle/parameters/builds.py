"""Compile-time parameters: the build of the program that is best over all training inputs.

Each point is a build. Its value is the geometric mean over the inputs of what the best variant
costs there, so that no input counts for more because it takes longer. Builds that were measured
before are not built again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.core.progress import Display
from fettle.search.registry import make_strategy
from fettle.search.run import search
from fettle.search.variant_space import VariantSpace
from fettle.store.base import Store
from fettle.training.build import BuildError, defines_text, takes_defines
from fettle.training.code_variant import CodeVariant
from fettle.training.collect import collect
from fettle.training.costs import cost_of
from fettle.training.examples import is_settled
from fettle.training.failed import not_chosen
from fettle.training.measure import Measurer
from fettle.training.program import Input, ProgramError
from fettle.training.renew import renew
from fettle.training.settings import Settings
from fettle.training.subject import open_measurer


def build_space(function: CodeVariant) -> VariantSpace:
    """The space of a function's compile-time parameters. Raises FettleError."""
    values = {one.name: tuple(map(_whole, one.values)) for one in function.parameters}
    if len(values) < len(function.parameters):
        raise FettleError(f"{function.name!r}: a compile-time parameter is given twice")
    space = VariantSpace(
        function.name,
        values,
        {name: of[0] for name, of in values.items()},
        function.parameter_constraints,
    )
    if reason := space.space.violation(space.defaults):
        raise FettleError(
            f"{function.name!r}: the first values of the compile-time parameters, which are their "
            f"defaults, do not fulfil the constraint {reason!r}"
        )
    return space


def check_builds(functions: Sequence[CodeVariant], settings: Settings) -> None:
    """Raises FettleError where compile-time parameters cannot be tuned as the script says."""
    for function in functions:
        if function.parameter_constraints and not function.parameters:
            raise FettleError(f"{function.name!r} has parameter_constraints, but no parameters")
        if not function.parameters:
            continue
        build_space(function)
        if len(functions) > 1:
            raise FettleError(
                f"{function.name!r} has compile-time parameters, which change the whole program; "
                "tune it alone, and the other functions after it"
            )
        if not takes_defines(settings.build_command):
            raise FettleError(
                f"{function.name!r} has compile-time parameters, but the build command does not "
                "hand them on: put {defines} where the compiler's options are"
            )


@dataclass
class BuildSearch:
    """Finds the best build. `rebuild` builds the program with macros."""

    settings: Settings
    function: CodeVariant
    store: Store
    logs: Path
    display: Display
    rebuild: Callable[[Mapping[str, int]], None]

    def best(self) -> dict[str, int]:
        """The values of the best build; the program is not left built with them."""
        space, how = build_space(self.function), self.function.parameter_search
        default = {name: _whole(value) for name, value in space.defaults.items()}
        self._begin_anew(default)
        begun = self.value(default)  # an error if the defaults do not work
        result = search(
            space.space,
            self.value,
            make_strategy(
                how.strategy,
                space.space,
                self.settings.seed,
                how.measurements,
                **dict(how.options),
            ),
            measurements=how.measurements,
            seconds=how.seconds,
            known={tuple(default.values()): begun},
        )
        self.store.set_note(self._stale_note, None)
        best = {name: _whole(value) for name, value in result.best_point.items()}
        self.display.say(
            f"built with {defines_text(best)}: {result.best_value / begun:.3f} of the cost with "
            f"{defines_text(default)}"
        )
        return best

    def value(self, point: Mapping[str, Hashable]) -> float:
        """What a build costs; infinite where it cannot be built, or nothing works with it."""
        values = {name: _whole(value) for name, value in point.items()}
        settings = self.settings.changed(built_with=values)
        anew = settings.fresh or self.store.note(self._stale_note) is not None
        settings = settings.changed(fresh=anew)
        inputs = settings.training_inputs
        known = self._measurer(settings.changed(measure=False, fresh=False))
        is_known = known.offer is not None and all(map(known.is_complete, inputs))
        if anew or settings.fresh_variants or not is_known:
            try:
                self.rebuild(values)
                known = self._measurer(settings)
                renew(known, inputs)
                collect(known, inputs)
            except (BuildError, ProgramError) as error:
                self.display.say(f"{defines_text(values)} does not work: {error}")
                return math.inf
        return _geometric_mean(known, inputs, self.function)

    def _begin_anew(self, default: Mapping[str, int]) -> None:
        """Where variants of the default build have changed, no other build's times hold either."""
        measurer = self._measurer(self.settings.changed(built_with=default, fresh_variants=()))
        if measurer.has_changed and self.store.note(self._stale_note) is None:
            self.store.set_note(self._stale_note, "yes")
            if not renew(measurer, self.settings.training_inputs):
                self.store.set_note(self._stale_note, None)

    @property
    def _stale_note(self) -> str:
        return f"builds that are measured anew: {self.settings.program} {self.function.name}"

    def _measurer(self, settings: Settings) -> Measurer:
        return open_measurer(settings, self.function, self.store, self.logs, self.display)


def _geometric_mean(measurer: Measurer, inputs: Sequence[Input], function: CodeVariant) -> float:
    offer = measurer.offer
    assert offer is not None
    examples = [(given.name, measurer.examples(given)) for given in inputs]
    withheld = not_chosen(function, offer, examples).withheld
    usable = [name for name in offer.variants if name not in withheld]
    costs = []
    for _, calls in examples:
        for example in calls:
            if is_settled(example, offer):
                known = (cost_of(example, name, offer) for name in usable)
                costs.append(min(known, default=math.inf))
    if not costs or not all(map(math.isfinite, costs)):
        return math.inf
    return math.exp(sum(map(math.log, costs)) / len(costs))


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value
