"""What a tuning run asks of the stage that tunes parameters, which is passed in.

`fettle.parameters.stage` implements it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from fettle.core.progress import Display
from fettle.data.training_set import TrainingSet
from fettle.search.variant_space import VariantSpace
from fettle.store.base import Store
from fettle.training.code_variant import CodeVariant
from fettle.training.examples import Table
from fettle.training.failed import NONE_FAILED, FailedVariants
from fettle.training.measure import Measurer
from fettle.training.program import Input
from fettle.training.settings import Settings
from fettle.training.train import Trained
from fettle.training.trainer import Trainer


class ClassLearning(Protocol):
    """Trains the models that choose among classes."""

    def train(
        self,
        trainer: Trainer,
        data: TrainingSet,
        test: TrainingSet | None,
        *,
        feature_selection: bool,
        standing: Mapping[str, float] | None = None,
    ) -> Trained:
        """A model of the classes of `data`; `standing`: how many inputs each one stands for."""


class VariantParameters(Protocol):
    """Tunes the parameters of one function's variants. A class is a variant or a point of one."""

    spaces: dict[str, VariantSpace]

    def explore(self, inputs: Sequence[Input], *, quiet: bool = False) -> dict[str, str]:
        """Searches on inputs whose variants are measured; says why it failed on some of them."""

    def complete(
        self,
        inputs: Sequence[Input],
        test: Sequence[Input],
        failed: Callable[[], FailedVariants],
    ) -> tuple[str, ...]:
        """The classes to deploy, measured on all inputs; `failed()` says what has failed by now."""

    def table_of(
        self,
        inputs: Sequence[Input],
        classes: Sequence[str],
        failed: FailedVariants = NONE_FAILED,
        *,
        level: bool = False,
    ) -> Table:
        """The table of some classes; with `level` the one to learn from."""

    def variants_table(self, inputs: Sequence[Input], failed: FailedVariants) -> Table:
        """The table of the variants, each at its best known point."""

    @property
    def learning(self) -> ClassLearning:
        """Trains the models that choose among the classes."""


class ParameterStage(Protocol):
    """Tunes compile-time parameters of a program, and parameters of variants."""

    def check(self, functions: Sequence[CodeVariant], settings: Settings) -> None:
        """Raises FettleError where compile-time parameters cannot be tuned as the script says."""

    def first_macros(self, functions: Sequence[CodeVariant]) -> dict[str, int]:
        """The macros of the first build; empty where there are no compile-time parameters."""

    def best_macros(
        self,
        function: CodeVariant,
        settings: Settings,
        store: Store,
        logs: Path,
        display: Display,
        rebuild: Callable[[Mapping[str, int]], None],
    ) -> dict[str, int]:
        """The macros of the best build; `rebuild` builds the program with macros."""

    def of_variants(
        self,
        function: CodeVariant,
        settings: Settings,
        measurer: Measurer,
        deadline: float | None,
    ) -> VariantParameters | None:
        """None where the variants have no parameters, or these stay at their defaults."""
