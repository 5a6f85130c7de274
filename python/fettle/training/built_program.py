"""The program of a tuning session, built with the headers that the tuner writes for it.

Headers change what is compiled: policies before anything is measured, macros with the best values
of compile-time parameters, and models that are compiled in after training.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fettle.core.progress import Display
from fettle.store.base import Store
from fettle.training.build import Build
from fettle.training.code_variant import CodeVariant
from fettle.training.generated_headers import write_model_header, write_policy_header
from fettle.training.settings import Settings


class BuiltProgram:
    """Builds the program of some functions by the settings' commands, at first with `macros`."""

    def __init__(
        self,
        settings: Settings,
        functions: Sequence[CodeVariant],
        display: Display,
        store: Store,
        macros: Mapping[str, int],
    ) -> None:
        self._settings = settings
        self._functions = functions
        self._display = display
        self._program = settings.full_program()
        self._build = Build(
            directory=settings.directory,
            environment=self._program.full_environment(),
            store=store,
            build_command=settings.build_command,
            clean_command=settings.clean_command,
            defines=macros,
        )

    def prepare(self) -> None:
        """Writes the policies and builds. Raises FettleError, also where there is no program."""
        self._write_header()
        self._bring_up_to_date(clean=self._settings.clean)
        self._program.path()  # a missing program is reported before anything else

    def try_macros(self, macros: Mapping[str, int]) -> None:
        """Builds with other values of compile-time parameters."""
        self._build.defines = macros
        self._bring_up_to_date()

    def settle(self, settings: Settings) -> None:
        """Builds with the values of compile-time parameters that the settings have now."""
        self._settings = settings
        self._build.defines = settings.built_with
        self._write_header()
        self._bring_up_to_date()

    def embed(self, function: CodeVariant) -> None:
        """Compiles the model of a function into the program."""
        write_model_header(self._settings, function, self._build)
        self._write_header()
        if self._build.is_pending:
            self._bring_up_to_date()

    def take_seconds(self) -> float:
        """How long was built since this was last asked."""
        seconds, self._build.seconds = self._build.seconds, 0.0
        return seconds

    def _bring_up_to_date(self, *, clean: bool = False) -> None:
        header = self._settings.config_header
        if self._build.build_command:
            self._display.say("building")
        elif header is not None and self._build.is_pending:
            self._display.say(
                f"warning: {self._settings.place(header)} has changed and "
                "there is no build command; where the program includes it, build it and run this "
                "again"
            )
        self._build.bring_up_to_date(clean=clean)

    def _write_header(self) -> None:
        if self._settings.config_header is not None:
            write_policy_header(self._settings, self._functions, self._build)
