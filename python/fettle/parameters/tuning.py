"""The four ways of dissertation 7.2.1 to tune variants and their parameters together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fettle.model import Model
from fettle.parameters.deployed import (
    all_classes,
    table_of_points,
    table_of_variants,
    worth_deploying,
)
from fettle.parameters.explore import Explorer
from fettle.parameters.fixed_point import model_or_fixed
from fettle.parameters.levels import train_levels
from fettle.parameters.settings import ParameterSearch
from fettle.parameters.space import VariantSpace, offered_spaces
from fettle.store.base import Example, Offer
from fettle.training.examples import Table
from fettle.training.measure import InputError, Measurer
from fettle.training.program import Input
from fettle.training.train import Trained, train
from fettle.training.trainer import Trainer
from fettle.training_set import TrainingSet
from fettle.tuning_result import Evaluation

Say = Callable[[str], None]


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
            for given in inputs:
                try:
                    self.explorer.explore(given)
                except InputError as error:
                    failed[given.name] = str(error)
                    display.say(f"left out: {error}")
                if not quiet:
                    display.advance()
        finally:
            if not quiet:
                display.end()
        return failed

    def complete(self, inputs: Sequence[Input], test: Sequence[Input]) -> tuple[str, ...]:
        """The classes to deploy, which are measured on all inputs then."""
        self._tell_failures(inputs)
        every = self.settings.way == "variants"
        if every:
            candidates = all_classes(self.offer, self.spaces)
        else:
            found = [name for names in self.explorer.found.values() for name in names]
            candidates = tuple(dict.fromkeys((*self.offer.variants, *found)))
        self._measure(inputs, candidates)
        data = self.table_of(inputs, candidates, level=True).data
        if not data.inputs:
            return self.offer.variants
        most = self.settings.most_points
        classes = worth_deploying(data, self.offer.variants, self.spaces, most)
        self._measure(test, candidates if every else classes)
        return classes

    def _tell_failures(self, inputs: Sequence[Input]) -> None:
        """Names a point of each variant that failed: a wrong result is a mistake in the variant."""
        for space in self.spaces.values():
            failed = {
                name: f"{name} on {given}: {reason}"
                for given, examples in self._examples(inputs)
                for example in examples
                for name, (verdict, reason) in example.verdicts.items()
                if verdict == "failed" and space.parse(name) is not None
            }
            if failed:
                self.measurer.warn(
                    f"{space.variant}: {len(failed)} of its points failed on some input, such as "
                    f"{next(iter(failed.values()))}"
                )

    def _measure(self, inputs: Sequence[Input], names: Sequence[str]) -> None:
        if not self.measurer.may_measure:
            return
        for given in inputs:
            try:
                self.explorer.measure(given, names)
            except InputError as error:
                self.measurer.warn(f"not all points are measured: {error}")

    def table_of(
        self, inputs: Sequence[Input], classes: Sequence[str], *, level: bool = False
    ) -> Table:
        """The table of variants and points; with `level` the one to learn from."""
        return table_of_points(
            self.function,
            self.offer,
            self._examples(inputs),
            classes,
            self.shared_features,
            level=level,
        )

    def variants_table(self, inputs: Sequence[Input]) -> Table:
        """The table of variants, each at its best known point: for incremental tuning."""
        return table_of_variants(
            self.function, self.offer, self._examples(inputs), self.spaces, self.shared_features
        )

    def train(
        self,
        trainer: Trainer,
        data: TrainingSet,
        test: TrainingSet | None,
        *,
        feature_selection: bool,
    ) -> Trained:
        """Models of the classes of `data`, or one of them always where none is better."""
        say, warn = self.measurer.display.say, self.measurer.warn
        if self.settings.way != "variants":
            return train_levels(
                trainer,
                data,
                test,
                self.spaces,
                feature_selection=feature_selection,
                say=say,
                warn=warn,
            )
        trained = train(
            trainer, data, test, feature_selection=feature_selection, say=say, warn=warn
        )
        held_out = trained.judged is not None and trained.judged.data is not data
        own = trained.judged
        if held_out:
            kept = None if trained.curve is None else trained.curve.kept
            own = trainer.cross_validate(data, kept, trained.learned)
        model, own = model_or_fixed(trainer, trained.model, data, own, self.spaces)
        judged = trainer.judge(model, test) if test is not None and held_out else own
        trained = replace(trained, model=self._with_parameters(model), judged=judged)
        if judged is None or trained.evaluation is None:
            return trained
        evaluation = Evaluation(trained.evaluation.how, judged.data, judged.chosen)
        return replace(trained, evaluation=evaluation)

    def _with_parameters(self, model: Model) -> Model:
        values = {variant: space.values for variant, space in self.spaces.items()}
        return replace(model, parameters=values)

    def _examples(self, inputs: Sequence[Input]) -> list[tuple[str, Sequence[Example]]]:
        return [(given.name, self.measurer.examples(given)) for given in inputs]
