"""What a tuner is set up with: program, inputs, commands, places and limits."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeAlias

from fettle.core.errors import FettleError
from fettle.core.numbers import is_number, is_whole
from fettle.store.address import is_address
from fettle.training.comparing import Comparing
from fettle.training.measure import Workers
from fettle.training.program import Input, Program
from fettle.training.record_parser import is_name
from fettle.training.request import Measuring
from fettle.training.second_round import SecondRound

# A device feature of the user's: a number, or what finds it on this machine.
OwnFeature: TypeAlias = float | Callable[[], float]

# The settings on the command line of `fettle tune`; they hold for every tuner of the script.
_overrides: dict[str, Any] = {}
_asked: list[bool] = []  # not empty: a tuner has asked for them


@dataclass(frozen=True)
class Settings:
    """All settings of an `Autotuner`; relative paths are relative to `working_directory`."""

    program: str
    working_directory: Path = Path()
    config_header: Path | None = Path("fettle_config.hpp")  # None: it is somebody else's
    model_directory: Path = Path("fettle_models")
    database: Path = Path("fettle.sqlite")
    store: str | None = field(default=None, repr=False)  # in place of the database; see open_store
    report_directory: Path | None = Path("fettle_report")
    timeout: float = 300.0
    time_budget: float | None = None
    seed: int = 0
    machine: str | None = None
    measuring: Measuring = field(default_factory=Measuring)
    second_round: SecondRound | None = None
    comparing: Comparing | None = field(default_factory=Comparing)
    launch_prefix: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    build_command: str | Sequence[str] | None = None
    clean_command: str | Sequence[str] | None = None
    training_inputs: tuple[Input, ...] = ()
    test_inputs: tuple[Input, ...] = ()
    built_with: Mapping[str, int] = field(default_factory=dict)  # compile-time parameters
    filed_under: str | None = None  # what measurements are known by; None: the program's path
    schedules: bool = False  # variants differ in nothing else: past the limit is slow, no hang
    measure: bool = True  # False: what the store holds is all there is; the program need not exist
    executor: Any = field(default=None, repr=False, compare=False)  # see remote_jobs.py
    workers: Workers | None = field(default=None, repr=False, compare=False)  # of it, in a session
    fresh: bool = False
    fresh_variants: tuple[str, ...] = ()  # what is measured anew where not all is
    clean: bool = False
    device_features: Mapping[str, OwnFeature] = field(default_factory=dict)  # the user's
    machines: Path | None = None  # a machines file, beside what the database knows of machines
    from_source: bool = False  # models from other machines' measurements in place of tuning
    measured_here: int = 0  # with from_source: inputs that are measured here
    portable: bool = False  # with from_source: one model for all machines

    def __post_init__(self) -> None:
        for name in ("timeout", "time_budget"):
            value = getattr(self, name)
            if value is not None and not (is_number(value) and value > 0):
                raise FettleError(f"{name} must be a number of seconds above 0, not {value!r}")
        if not (is_whole(self.seed, 0) and self.seed < 2**31):
            raise FettleError(f"seed must be a whole number from 0 on, not {self.seed!r}")
        kinds = {"measuring": Measuring, "second_round": SecondRound, "comparing": Comparing}
        for name, kind in kinds.items():
            value = getattr(self, name)
            if value is not None and not isinstance(value, kind):
                raise FettleError(f"{name} must be a fettle.{kind.__name__}, not {value!r}")
        if isinstance(self.executor, type):
            raise FettleError(
                f"executor must be an executor, not the class of some; write "
                f"{self.executor.__name__}()"
            )
        if self.executor is not None and not callable(getattr(self.executor, "submit", None)):
            raise FettleError(
                f"executor must be a concurrent.futures.Executor, such as client.get_executor() "
                f"of Dask, not {self.executor!r}; names such as dask://HOST:PORT are for "
                "`fettle tune --executor`"
            )
        if self.machine is not None and not (
            isinstance(self.machine, str) and self.machine.strip() and is_name(self.machine)
        ):
            raise FettleError(
                "machine must be a name to keep measurements apart by, without control characters, "
                f"or None, not {self.machine!r}"
            )
        for name, value in self.environment.items():
            is_text = isinstance(name, str) and isinstance(value, str)
            if not is_text or not name or "=" in name or "\0" in name + value:
                raise FettleError(
                    f"the environment variable {name!r} cannot be {value!r}: names and values are "
                    "texts, such as {'OMP_NUM_THREADS': '4'}, a name without '='"
                )

    def changed(self, **values: Any) -> Settings:
        """These settings with some of them changed. Raises FettleError for an unknown name."""
        known = [field.name for field in fields(self)]
        for name in values:
            if name not in known:
                raise FettleError(f"a tuner has no setting {name!r}; it has {', '.join(known)}")
        return replace(self, **values)

    def overridden(self) -> Settings:
        """These settings with those of the command line in place of the script's."""
        _asked.append(True)
        known = {field.name for field in fields(self)}
        return self.changed(**{name: _overrides[name] for name in known & _overrides.keys()})

    def full_program(self) -> Program:
        """How the program is started."""
        return Program(
            name=self.program,
            directory=self.directory,
            prefix=self.launch_prefix,
            environment=self.environment,
        )

    @property
    def directory(self) -> Path:
        """The working directory, absolute."""
        return self.working_directory.resolve()

    @property
    def measurements(self) -> str | Path:
        """Where measurements are kept, for `open_store`: an address, or an absolute path."""
        if self.store is None:
            return self.place(self.database)
        return self.store if is_address(self.store) else self.place(Path(self.store))

    def place(self, path: Path) -> Path:
        """A path of these settings, absolute."""
        return (self.directory / path.expanduser()).resolve()


def override_settings(values: Mapping[str, Any]) -> None:
    """Makes these settings hold over the script's for every tuner of this process."""
    _overrides.clear()
    _asked.clear()
    _overrides.update(values)


def override_of(name: str) -> Any:
    """What the command line says in place of a script's setting; None where it says nothing."""
    _asked.append(True)
    return _overrides.get(name)


def were_asked_for() -> bool:
    """Whether a tuner has asked for the settings since `override_settings`."""
    return bool(_asked)


def words(command: str | Sequence[str] | os.PathLike[str], what: str) -> tuple[str, ...]:
    """A command given as a text or as a list, as a list.

    Raises FettleError, which says `what` the command is, where a quotation has no end.
    """
    if isinstance(command, os.PathLike):
        return (os.fspath(command),)
    if not isinstance(command, str):
        return tuple(command)
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise FettleError(
            f"{what} {command!r} cannot be split into words: {error}; write it as for a shell"
        ) from None
