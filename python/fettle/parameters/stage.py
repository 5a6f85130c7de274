"""The stage of a tuning run that tunes parameters, as fettle.training asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fettle.core.progress import Display
from fettle.parameters.builds import BuildSearch, build_space, check_builds
from fettle.parameters.tuning import ParameterTuning
from fettle.store.base import Store
from fettle.training.code_variant import CodeVariant
from fettle.training.measure import Measurer
from fettle.training.settings import Settings


class Parameters:
    """Searches builds by macros, and points of variants' parameters (a `ParameterStage`)."""

    def check(self, functions: Sequence[CodeVariant], settings: Settings) -> None:
        """Raises FettleError where compile-time parameters cannot be tuned as the script says."""
        check_builds(functions, settings)

    def first_macros(self, functions: Sequence[CodeVariant]) -> dict[str, int]:
        """The macros of the first build; the search for the best one begins with it."""
        with_parameters = [one for one in functions if one.parameters]
        return dict(build_space(with_parameters[0]).defaults) if with_parameters else {}

    def best_macros(
        self,
        function: CodeVariant,
        settings: Settings,
        store: Store,
        logs: Path,
        display: Display,
        rebuild: Callable[[Mapping[str, int]], None],
    ) -> dict[str, int]:
        """The macros of the best build; the program is not left built with them."""
        return BuildSearch(settings, function, store, logs, display, rebuild).best()

    def of_variants(
        self,
        function: CodeVariant,
        settings: Settings,
        measurer: Measurer,
        deadline: float | None,
    ) -> ParameterTuning | None:
        """None where the variants have no parameters, or these stay at their defaults."""
        return ParameterTuning.of(
            function.name,
            function.parameter_search,
            measurer,
            settings.seed,
            deadline,
            function.shared_features,
        )
