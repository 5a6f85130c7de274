"""What is deployed at the end of tuning: the new model, the one before, or the default variant."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import Delivered, Evaluation
from fettle.model.choices import always_default, choosable
from fettle.model.model import Model
from fettle.model.model_directory import read_model, write_model
from fettle.model.model_text import ModelError
from fettle.model.reachable_variants import without_unreachable
from fettle.search.variant_space import family_of, offered_spaces
from fettle.store.subject import Offer
from fettle.training.delivered import Delivery
from fettle.training.examples import Table
from fettle.training.judged_points import judge_points
from fettle.training.measure import Measurer
from fettle.training.settings import Settings
from fettle.training.train import Trained
from fettle.training.trainer import Judged, Trainer


@dataclass(frozen=True)
class Deployer:
    """Decides what is deployed in place of `directory`'s model.

    With `narrowed` the program is compiled afterwards, with what the model may choose only.
    """

    settings: Settings
    measurer: Measurer
    trainer: Trainer
    directory: Path
    deadline: float | None
    narrowed: bool
    incomparable: str = ""
    """Why the program's own metric does not say whether a model is better; empty: it does."""
    seen: frozenset[str] = frozenset()
    """Inputs that `directory`'s model was trained on, as far as known."""
    unmeasured: Sequence[str] = ()
    """Training inputs that the new model was not trained on."""

    def settle(
        self, trained: Trained, table: Table, test: TrainingSet | None
    ) -> tuple[Trained, Delivered]:
        """What is deployed, with how good its choices are, and what it gains.

        Raises ProgramError where the new model must not be deployed.
        """
        former = self._former(trained.model, table)
        delivered = self._delivered(trained, table, former)
        if delivered.deployed == "default":
            return self._default(trained), delivered
        if delivered.deployed == "kept":
            assert former is not None
            return self._kept(replace(trained, model=former), test), delivered
        return trained, delivered

    def withdraw(self, model: Model, table: Table) -> None:
        """Deploys the default variant in place of a model that may choose what failed, and says so.

        For where nothing new is deployed: `model` is what would be.
        """
        if self.directory.exists() and self._former(model, table) is None:
            with contextlib.suppress(ModelError):
                if choosable(read_model(self.directory)) & set(table.failed.withheld):
                    write_model(self.directory, always_default(model))

    def _delivered(self, trained: Trained, table: Table, former: Model | None) -> Delivered:
        settings, comparing, data = self.settings, self.settings.comparing, table.data
        if not settings.measure:
            return Delivered("new", reason="the program was not to be started")
        if self.incomparable:
            return Delivered("new", reason=self.incomparable)
        if comparing is None:
            return Delivered("new", reason="the tuner was set up without a comparison")
        if self.measurer.workers is not None and self.measurer.workers.are_elsewhere:
            return Delivered(
                "new",
                reason="this machine is not the one that was tuned for: run the same script there "
                "without an executor to compare",
            )
        if data.default in table.failed.withheld:
            return Delivered("new", reason="the default variant failed in training")
        judged = trained.judged
        known = settings.training_inputs if judged and judged.folds else settings.test_inputs
        delivery = Delivery(
            self.measurer,
            comparing,
            {given.name: given for given in known},
            self.deadline,
            self.seen,
            self.unmeasured,
        )
        before = None if former is None else (former, self.directory)
        return delivery.decide(trained.model, judged, data, before)

    def _former(self, model: Model, table: Table) -> Model | None:
        """The model that is deployed, where this program can use it and it may stay."""
        if self.settings.fresh:
            return None
        try:
            known = read_model(self.directory)
        except ModelError:
            return None
        offer = self.measurer.offer
        if offer is None or not self._fits(known, model, offer):
            return None
        whats = {one.variant: one.what for one in table.failed.variants if not one.allowed}
        bad = sorted(choosable(known) & whats.keys())
        if bad:
            self.measurer.warn(
                f"the model that was deployed is replaced, because it may choose {bad[0]}, which "
                f"{whats[bad[0]]} in training"
            )
            return None
        return known

    def _fits(self, known: Model, model: Model, offer: Offer) -> bool:
        facts = [(one.function, one.default, set(one.features)) for one in (known, model)]
        if facts[0] != facts[1]:
            return False
        if self.narrowed:
            return set(known.variants) <= set(offer.variants)
        spaces = offered_spaces(offer.parameters)
        families = [{family_of(name, spaces) for name in one.variants} for one in (known, model)]
        return families[0] == families[1] and _plain(known) == _plain(model)

    def _default(self, trained: Trained) -> Trained:
        model = always_default(trained.model)
        if self.narrowed:
            model = without_unreachable(model)
        data = None if trained.judged is None else trained.judged.data
        if data is None or trained.evaluation is None or data.default not in data.variants:
            return replace(trained, model=model)
        chosen = np.full(len(data), data.variants.index(data.default), dtype=np.intp)
        return replace(
            trained,
            model=model,
            judged=Judged(data, chosen, np.zeros(len(data))),
            evaluation=Evaluation(trained.evaluation.how, data, chosen),
        )

    def _kept(self, trained: Trained, test: TrainingSet | None) -> Trained:
        """Judged anew by the test inputs; what is cross-validated is a model trained anew."""
        if test is None or trained.evaluation is None or trained.evaluation.how != "held-out":
            return trained
        spaces = offered_spaces({} if (of := self.measurer.offer) is None else of.parameters)
        try:
            judged = judge_points(self.trainer, trained.model, test, spaces)
        except ValueError:  # it chooses points that are not measured now
            return trained
        evaluation = Evaluation("held-out", test, judged.chosen)
        return replace(trained, judged=judged, evaluation=evaluation)


def _plain(model: Model) -> Mapping[str, dict[str, tuple[int, ...]]]:
    return {name: dict(values) for name, values in model.parameters.items()}
