"""The tuning script's tuner: builds the program, measures its variants, trains and reports.

    tuner = Autotuner("spmv")
    tuner.set_training_args(glob("inputs/training/*.mtx"))
    tuner.set_build_command("make")
    tuner.set_clean_command("make clean")
    tuner.tune([spmv])

(Dissertation 2.1.3 and 2.2; the papers' lower-case names are aliases.)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.paper_name import call_as
from fettle.core.progress import Display
from fettle.data.tuning_result import TuningResult
from fettle.parameters.stage import Parameters
from fettle.report import show_result
from fettle.training.active import Goal, Query
from fettle.training.comparing import Comparing
from fettle.training.program import Input, parse_inputs
from fettle.training.record_parser import is_name
from fettle.training.remote_jobs import Executor
from fettle.training.request import Measuring
from fettle.training.second_round import SecondRound
from fettle.training.session import run_session
from fettle.training.settings import Settings, words
from fettle.transfer.from_source import tune_from_source
from fettle.transfer.outcome import FromSource
from fettle.transfer.target_machine import record_machine
from fettle.transfer.tuner import SourceTuner, as_functions

__all__ = ["Autotuner", "Comparing", "FromSource", "Measuring", "SecondRound", "autotuner"]

PathLike: TypeAlias = str | os.PathLike[str]
Its = TypeVar("Its", int, float)
Arguments: TypeAlias = str | os.PathLike[str] | Sequence[str]
Fresh: TypeAlias = bool | str | Sequence[str]


class Autotuner(SourceTuner):
    """Tunes the functions of one program.

    - `program`: a path, or a name that is looked up in the working directory and on the PATH.
    - `config_header`: the generated policy header that the program includes.
    - `model_directory`: gets <function>/model.txt and the model; compiled into the policy header.
    - `database`: the measurements; several programs and tuners may share one.
    - `store`: in place of `database`, for a team: `redis://host:port/number`, or a file. A password
      is taken from the environment variable FETTLE_STORE_PASSWORD.
    - `executor`: measures on other processes or machines: any `concurrent.futures.Executor`, such
      as `client.get_executor()` of Dask. These need the program and the inputs at the same paths.
    - `working_directory`: where commands and the program run, and what paths are relative to.
    - `timeout`: seconds that the program may be silent, and that the first run of the first variant
      of an input may take. Later variants get a multiple of the best so far (see `Measuring`).
    - `time_budget`: seconds of measuring after which no further input is begun; None: no limit.
    - `seed`: of everything random; equal measurements and seed give equal models.
    - `report_directory`: gets <function>/ with the report's page; None: no page.
    - `machine`: a name to keep measurements apart by, in place of processor and core count.
    - `measuring`: how carefully variants are measured.
    - `second_round`: how those that came near the best on an input are measured there again, in
      further starts of the program; None: they are not.
    - `comparing`: how the tuned program is compared with the untuned one at the end, which decides
      whether the model is deployed; None: it is not, and the model is deployed in any case.
    """

    def __init__(
        self,
        program: PathLike,
        *,
        config_header: PathLike = "fettle_config.hpp",
        model_directory: PathLike = "fettle_models",
        database: PathLike = "fettle.sqlite",
        store: PathLike | None = None,
        executor: Executor | None = None,
        working_directory: PathLike = ".",
        timeout: float = 300.0,
        time_budget: float | None = None,
        seed: int = 0,
        report_directory: PathLike | None = "fettle_report",
        machine: str | None = None,
        measuring: Measuring | None = None,
        second_round: SecondRound | None = None,
        comparing: Comparing | None = Comparing(),  # noqa: B008  # a constant
        display: Display | None = None,
    ) -> None:
        if store is not None and os.fspath(database) != "fettle.sqlite":
            raise FettleError(
                f"store={os.fspath(store)!r} is in place of database={os.fspath(database)!r}; give "
                "one of them"
            )
        self._settings = Settings(
            program=_text_of_path("program", program),
            working_directory=_path("working_directory", working_directory),
            config_header=_path("config_header", config_header),
            model_directory=_path("model_directory", model_directory),
            database=_path("database", database),
            store=None if store is None else os.fspath(store),
            report_directory=None
            if report_directory is None
            else _path("report_directory", report_directory),
            executor=executor,
            timeout=timeout,
            time_budget=time_budget,
            seed=seed,
            machine=machine,
            measuring=measuring or Measuring(),
            second_round=second_round,
            comparing=comparing,
        )
        self._display = display

    @property
    def settings(self) -> Settings:
        """Everything that the tuner is set up with."""
        return self._settings

    def set_program(self, program: PathLike, *, name: str | None = None) -> None:
        """Tunes another program. `name` is what its measurements are known by, in place of its
        path: for a store of people who have the program in different folders."""
        if name is not None and not (name and is_name(name)):
            raise FettleError(
                f"set_program: expected a name, text without control characters, not {name!r}"
            )
        self._change(program=os.fspath(program), filed_under=name)

    def set_launch_prefix(self, prefix: str | Sequence[str]) -> None:
        """Starts the program by a launcher: `taskset -c 2`, `mpirun -n 1`."""
        self._change(launch_prefix=words(prefix, "the launch prefix"))

    def set_environment(self, variables: Mapping[str, str]) -> None:
        """Adds variables to the environment of the program and of the build."""
        if not isinstance(variables, Mapping):
            raise FettleError(f"set_environment: expected names and values, not {variables!r}")
        self._change(environment=dict(variables))

    def set_build_command(self, command: str | Sequence[str]) -> None:
        """How the program is built: a text for the shell, or a list."""
        self._change(build_command=command)

    def set_clean_command(self, command: str | Sequence[str]) -> None:
        """Runs before the build when a generated header has changed."""
        self._change(clean_command=command)

    def set_training_args(self, inputs: Iterable[Arguments] | Mapping[str, Arguments]) -> None:
        """The inputs to learn from; each is one start of the program with these arguments.

        A text is one argument where it names an existing file, else it is split as by a shell; a
        list is taken as it is; a mapping gives the inputs names.
        """
        self._change(training_inputs=self._inputs(inputs, "set_training_args"))

    def set_test_args(self, inputs: Iterable[Arguments] | Mapping[str, Arguments]) -> None:
        """Inputs to judge the model by; they are measured but not learned from."""
        self._change(test_inputs=self._inputs(inputs, "set_test_args"))

    def tune(
        self,
        functions: CodeVariant | Sequence[CodeVariant],
        *,
        fresh: Fresh = False,
        clean: bool = False,
    ) -> list[TuningResult]:
        """Measures all training inputs, trains a model for each function and reports.

        What an earlier run measured is not measured again, unless `fresh` is set, or names variants
        of which that holds; where the program has changed, a few inputs are, and the variants anew
        that take other times there. `clean` runs the clean command in any case. Functions are tuned
        in the order given. Returns one result a function, none with `fettle tune --from-source`.
        Raises FettleError; everything measured until then is kept.
        """
        return self._run(functions, None, fresh, clean)

    def itune(
        self,
        functions: CodeVariant | Sequence[CodeVariant],
        *,
        iterations: int | None = None,
        accuracy: float | None = None,
        iter: int | None = None,
        acc: float | None = None,
        every_label: bool = False,
        query: Query = "margin",
        fresh: Fresh = False,
        clean: bool = False,
    ) -> list[TuningResult]:
        """Incremental tuning (dissertation 2.2.2): measures only the inputs that teach most.

        Features of all inputs are evaluated first; then the model asks for one input after the
        other, until `iterations` inputs were added to the initial ones or the mean share of best
        reaches `accuracy`: on the test inputs, or where there are none by cross-validation. With
        neither, 25 iterations. Inputs that are measured already are learned from at once. `iter`
        and `acc` are the paper's names. `every_label` and `query`: see `Goal`.
        """
        goal = Goal.of(
            _either("iterations", iterations, iter),
            _either("accuracy", accuracy, acc),
            every_label,
            query,
        )
        return self._run(functions, goal, fresh, clean)

    def _run(
        self,
        functions: CodeVariant | Sequence[CodeVariant],
        goal: Goal | None,
        fresh: Fresh,
        clean: bool,
    ) -> list[TuningResult]:
        chosen = as_functions(functions, "tune")
        settings = self._settings
        if fresh or clean:
            named = (fresh,) if isinstance(fresh, str) else fresh
            names = () if isinstance(named, bool) else tuple(named)
            settings = settings.changed(fresh=fresh is True, fresh_variants=names, clean=clean)
        settings = settings.overridden()
        if settings.from_source:
            here, portable = settings.measured_here, settings.portable
            tune_from_source(settings, chosen, self._shown(), "auto", here, portable)
            return []
        results = run_session(
            settings,
            chosen,
            goal,
            self._shown(),
            parameters=Parameters(),
            report=show_result,
        )
        record_machine(settings, chosen)
        return results

    def _change(self, **values: object) -> None:
        self._settings = self._settings.changed(**values)

    def _inputs(
        self, inputs: Iterable[Arguments] | Mapping[str, Arguments], what: str
    ) -> tuple[Input, ...]:
        return parse_inputs(inputs, what=what, directory=self._settings.directory)


def _either(name: str, value: Its | None, alias: Its | None) -> Its | None:
    if value is not None and alias is not None:
        raise FettleError(f"itune(): give {name} once")
    return value if value is not None else alias


def _text_of_path(name: str, value: object) -> str:
    if not isinstance(value, str | os.PathLike):
        raise FettleError(f"{name} must be a path, not {value!r}")
    return os.fspath(value)


def _path(name: str, value: object) -> Path:
    return Path(_text_of_path(name, value))


# The paper's name.
autotuner = Autotuner
call_as(__name__, Autotuner)
