"""What a tuner does with other machines' measurements: `tune_from_source` and device features."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from fettle.core.errors import FettleError
from fettle.core.progress import Display, default_display
from fettle.profiles.collect import Profiled, profile_functions
from fettle.training.code_variant import CodeVariant
from fettle.training.settings import OwnFeature, Settings
from fettle.transfer.from_source import tune_from_source
from fettle.transfer.outcome import FromSource
from fettle.transfer.own_features import check_positive

PathLike: TypeAlias = str | os.PathLike[str]


class SourceTuner:
    """The part of a tuner that is about other machines (docs/transfer.md)."""

    _settings: Settings
    _display: Display | None

    def set_device_features(self, features: Mapping[str, OwnFeature]) -> None:
        """Adds device features of your own, beside those that `fettle machine` measures.

        Each is a positive number, or a function without arguments that returns one: it is called on
        the machine where the script runs. Machines are compared by the features that all of them
        have. Raises FettleError for a negative one.
        """
        known = {**self._settings.device_features, **features}
        for name, one in features.items():
            if not callable(one) and not isinstance(one, int | float):
                raise FettleError(
                    f"the device feature {name!r} must be a number or a function, not {one!r}"
                )
            if not callable(one):
                check_positive(name, one)
        self._settings = self._settings.changed(device_features=known)

    def set_machines(self, path: PathLike) -> None:
        """A machines file, whose columns of numbers are added to what is known of each machine."""
        self._settings = self._settings.changed(machines=Path(path))

    def tune_from_source(
        self,
        functions: CodeVariant | Sequence[CodeVariant],
        *,
        method: str = "auto",
        measure: int = 0,
        portable: bool = False,
    ) -> list[FromSource]:
        """Makes models from what other machines measured, without a run here (dissertation 3.3).

        The database has to hold measurements of the functions on other machines, and the device
        features of these (`record`, or `fettle machine`). `method` is one of `fettle train
        --transfer`; a function's `profiling_based_dfs` and `search_based_dfs` name one, too. With
        `measure` the program is built and so many of the training inputs are measured here: those
        that stand for most others. A `portable` model is one for all machines, whose device
        features the program finds where it loads the model. On a machine too unlike the others the
        model is the default variant, or what was measured decides. Returns, for each function,
        where the model is and what to expect of it. Raises FettleError.
        """
        chosen = as_functions(functions, "tune_from_source")
        settings = self._settings.overridden()
        return tune_from_source(settings, chosen, self._shown(), method, measure, portable)

    def profile(
        self, functions: CodeVariant | Sequence[CodeVariant], *, profiler: str = "auto"
    ) -> list[Profiled]:
        """Collects profiles of the variants on the training inputs, for `profiling_based_dfs`.

        On at least one source machine (dissertation 3.2.3.3). Builds the program and runs each
        variant on each input once under a profiler, and once on each machine the application
        proxies: `ncu`, Nsight Compute, where there is a GPU, else `perf`. What the database has
        already is not profiled again. Raises FettleError where the profiler is missing or may not
        count, before anything is built, with what to do; what was profiled until then is kept.
        """
        chosen = as_functions(functions, "profile")
        return profile_functions(self._settings.overridden(), chosen, self._shown(), profiler)

    def _shown(self) -> Display:
        return self._display or default_display()


def as_functions(functions: CodeVariant | Sequence[CodeVariant], what: str) -> list[CodeVariant]:
    """One function or several as a list. Raises FettleError, which names `what` was called."""
    chosen = [functions] if isinstance(functions, CodeVariant) else list(functions)
    if not chosen or not all(isinstance(function, CodeVariant) for function in chosen):
        raise FettleError(f"{what}() needs a list of at least one CodeVariant")
    names = [function.name for function in chosen]
    for name in names:
        if names.count(name) > 1:
            raise FettleError(f"{what}(): the function {name!r} is given twice; give it once")
    return chosen
