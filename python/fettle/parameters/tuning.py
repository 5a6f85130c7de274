"""The four ways of dissertation 7.2.1 to tune variants and their parameters together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from fettle.parameters.deployed import (
    all_classes,
    table_of_points,
    table_of_variants,
    worth_deploying,
)
from fettle.parameters.explore import Explorer
from fettle.parameters.point_learning import PointLearning
from fettle.parameters.remote_explore import explore_all
from fettle.search.parameter_search import ParameterSearch
from fettle.search.variant_space import VariantSpace, offered_spaces
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.examples import Table
from fettle.training.failed import NONE_FAILED, FailedVariants
from fettle.training.measure import Measurer
from fettle.training.program import Input


@dataclass
class ParameterTuning:
    """Explores inputs, decides what is deployed, and trains the models that choose it."""

    function: str
    settings: ParameterSearch
    measurer: Measurer
    spaces: dict[str, VariantSpace]
    explorer: Explorer
    shared_features: tuple[frozenset[str], ...] = ()

    @staticmethod
    def of(
        function: str,
        settings: ParameterSearch,
        measurer: Measurer,
        seed: int,
        deadline: float | None,
        shared_features: tuple[frozenset[str], ...],
    ) -> ParameterTuning | None:
        """None where the program's variants have no parameters, or they stay at their defaults."""
        offer = measurer.offer
        spaces = offered_spaces(offer.parameters) if offer is not None else {}
        if not spaces or settings.way == "online":
            return None
        explorer = Explorer(measurer, settings, spaces, seed, deadline)
        tuning = ParameterTuning(function, settings, measurer, spaces, explorer, shared_features)
        if settings.way == "variants":
            all_classes(tuning.offer, spaces)  # complains before anything is measured
        return tuning

    @property
    def offer(self) -> Offer:
        """What the program offers."""
        assert self.measurer.offer is not None
        return self.measurer.offer

    def explore(self, inputs: Sequence[Input], *, quiet: bool = False) -> dict[str, str]:
        """Searches the parameters on inputs whose variants are measured; why some did not work."""
        display, failed = self.measurer.display, {}
        if not quiet:
            display.begin(f"{self.function} parameters", len(inputs))
        try:
            for given, error in explore_all(self.explorer, inputs):
                if error is not None:
                    failed[given.name] = str(error)
                    display.say(f"left out: {error}")
                if not quiet:
                    display.advance()
        finally:
            if not quiet:
                display.end()
        return failed

    def complete(
        self,
        inputs: Sequence[Input],
        test: Sequence[Input],
        failed: Callable[[], FailedVariants] = FailedVariants,
    ) -> tuple[str, ...]:
        """The classes to deploy, which are measured on all inputs then.

        `failed()` says what has failed by now.
        """
        every = self.settings.way == "variants"
        if every:
            candidates = all_classes(self.offer, self.spaces)
        else:
            found = [name for names in self.explorer.found.values() for name in names]
            withheld = failed().withheld
            if withheld & set(found):  # other points were not found because these looked better
                found += self._best_of_the_others(inputs, withheld)
            candidates = tuple(dict.fromkeys((*self.offer.variants, *found)))
        self._measure(inputs, candidates)
        data = self.table_of(inputs, candidates, failed(), level=True).data
        if not data.inputs:
            return self.offer.variants
        most = self.settings.most_points
        classes = worth_deploying(data, self.offer.variants, self.spaces, most)
        self._measure(test, candidates if every else classes)
        return classes

    def _best_of_the_others(self, inputs: Sequence[Input], withheld: Collection[str]) -> list[str]:
        """The points, without the withheld ones, that are the best on the most inputs."""
        count, most = Counter[str](), self.settings.most_points * len(self.spaces)
        for _, calls in self._examples(inputs):
            for example in calls:
                for space in self.spaces.values():
                    known = self.explorer.known(example, space)
                    left = {
                        name: cost
                        for name, cost in known.items()
                        if name not in withheld and math.isfinite(cost)
                    }
                    if left:
                        count[min(left, key=lambda name: left[name])] += 1
        return [name for name, _ in count.most_common(most)]

    def _measure(self, inputs: Sequence[Input], names: Sequence[str]) -> None:
        if not self.measurer.may_measure:
            return
        for _, error in explore_all(self.explorer, inputs, names):
            if error is not None:
                self.measurer.warn(f"not all points are measured: {error}")

    def table_of(
        self,
        inputs: Sequence[Input],
        classes: Sequence[str],
        failed: FailedVariants = NONE_FAILED,
        *,
        level: bool = False,
    ) -> Table:
        """The table of variants and points; with `level` the one to learn from."""
        return table_of_points(
            self.function,
            self.offer,
            self._examples(inputs),
            classes,
            self.shared_features,
            failed,
            level=level,
        )

    def variants_table(self, inputs: Sequence[Input], failed: FailedVariants) -> Table:
        """The table of variants, each at its best known point: for incremental tuning."""
        return table_of_variants(
            self.function,
            self.offer,
            self._examples(inputs),
            self.spaces,
            self.shared_features,
            failed,
        )

    @property
    def learning(self) -> PointLearning:
        """Trains the models that choose among the classes."""
        display = self.measurer.display
        return PointLearning(self.settings.way, self.spaces, display.say, self.measurer.warn)

    def _examples(self, inputs: Sequence[Input]) -> list[tuple[str, Sequence[Example]]]:
        return [(given.name, self.measurer.examples(given)) for given in inputs]
