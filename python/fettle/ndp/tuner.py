"""Tunes the computations of a program: what `fettle ndp tune` does, for scripts.

    tuner = NdpTuner("spmv.cpp", platform="openmp", inputs=glob("matrices/*.mtx"))
    print(tuner.tune().text())

Analyses the program, lists the candidates of each computation, builds them, measures them with the
expert layer's engine, keeps the winners, trains a model to choose among them, and writes the header
with which the program is then compiled. (Dissertation 5.2 to 5.4.)
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from fettle.classifiers import ThresholdClassifier
from fettle.classifiers.base import Classifier
from fettle.classifiers.winners import LOSS, winners
from fettle.code_variant import OutsideRegion
from fettle.core.cores import core_count
from fettle.core.errors import FettleError
from fettle.data.tuning_result import TuningResult
from fettle.ndp.analyze import analyze
from fettle.ndp.build import Plan, build
from fettle.ndp.candidate import Candidate
from fettle.ndp.computation import Computation
from fettle.ndp.deployment import deploy, functions_to_deploy, undone_by_errors
from fettle.ndp.engine import functions_of, inputs_of, settings_of
from fettle.ndp.machine import remember_machine
from fettle.ndp.manifest import Manifest, read_manifest
from fettle.ndp.places import PathLike, Places
from fettle.ndp.result import RESULT, NdpResult, outcome_of
from fettle.ndp.selection import selected_candidates, selected_computations
from fettle.ndp.toolchain import toolchain_of
from fettle.ndp.wrong_results import refuse_default_alone
from fettle.policy_header import existing_header
from fettle.store.sqlite import SqliteStore
from fettle.training.build import write_generated
from fettle.training.comparing import Comparing
from fettle.training.examples import Table
from fettle.training.measure import Measurer
from fettle.training.progress import Display, default_display
from fettle.training.renew import renew
from fettle.training.request import Measuring
from fettle.training.scratch import scratch_folder
from fettle.training.second_round import SecondRound, race_again
from fettle.training.session import measure_session, run_session
from fettle.training.settings import Settings, words
from fettle.training.subject import open_measurer

Arguments: TypeAlias = str | os.PathLike[str] | Sequence[str]
Inputs: TypeAlias = Iterable[Arguments] | Mapping[str, Arguments]

# A hundred candidates want more than the second a call that suits a handful of variants, and of
# those some are hopeless.
MEASURING = Measuring(budget_s=5.0, limit_floor_s=1.0)


@dataclass
class NdpTuner:
    """Tunes the named computations of a program on a platform.

    - `source`: the file with the calls `execute<"name">(...)`; `more_sources` are compiled once.
    - `inputs`, `test_inputs`: as of `Autotuner.set_training_args` and `set_test_args`.
    - `flags`, `compiler`, `architecture`: as of `toolchain_of`.
    - `build_directory`: gets the training program, the candidates in shards, measurements, reports.
      It may be moved to another machine between building, measuring and training.
    - `output`: the header to write, by default fettle_config.hpp beside the source.
    - `model_directory`: named in the header; by default fettle_models beside it.
    - `database`: the measurements; by default in the build directory.
    - `size`: how many policies are tried: "full" or "small".
    - `schedules`, `only`: patterns of schedules, and of candidates, to restrict the space to:
      "independent>*", "* block_size_x=128*".
    - `computations`: names of those to tune; where empty, all that have names.
    - `merge`: the share of the best that may be lost on an input for the sake of fewer kernels.
    - `calls`: how many calls share one selection and its features; each is charged that share of
      their time (by the classifier that is used where none is given).
    - `classifier`, `feature_selection`, `outside_region`, `embed_model`: as of `CodeVariant`.
    - `measuring`, `second_round`, `comparing`, `timeout`, `time_budget`, `seed`, `machine`,
      `launch_prefix`, `environment`: of `Autotuner`, too.
    - `jobs`: compilers at a time; where not given, as many as there are processors.
    - `command`: what tunes the program again; stands in the header.
    """

    source: PathLike
    _: KW_ONLY
    platform: str
    inputs: Inputs = ()
    test_inputs: Inputs = ()
    more_sources: Sequence[PathLike] = ()
    flags: str | Sequence[str] = ()
    compiler: str | Sequence[str] | None = None
    architecture: str | None = None
    build_directory: PathLike | None = None
    output: PathLike | None = None
    model_directory: PathLike | None = None
    database: PathLike | None = None
    size: str = "full"
    schedules: Sequence[str] = ()
    only: Sequence[str] = ()
    computations: Sequence[str] = ()
    merge: float = LOSS
    calls: int = 1
    classifier: Classifier | None = None
    feature_selection: bool = True
    outside_region: OutsideRegion = "default"
    embed_model: bool = False
    measuring: Measuring = MEASURING
    second_round: SecondRound | None = None
    comparing: Comparing | None = field(default_factory=Comparing)
    timeout: float = 300.0
    time_budget: float | None = None
    seed: int = 0
    machine: str | None = None
    launch_prefix: str | Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    jobs: int | None = None
    command: str | None = None
    display: Display = field(default_factory=default_display)

    @property
    def places(self) -> Places:
        """Where tuning puts its files."""
        return Places.of(
            self.source,
            self.platform,
            directory=self.build_directory,
            header=self.output,
            models=self.model_directory,
            database=self.database,
        )

    @property
    def directory(self) -> Path:
        """The build directory."""
        return self.places.directory

    @property
    def header(self) -> Path:
        """The header that tuning writes."""
        return self.places.header

    def tune(self, *, fresh: bool = False) -> NdpResult:
        """Builds, measures and trains; what is up to date stays, unless `fresh` measures anew.

        Raises FettleError; everything measured until then is kept.
        """
        inputs_of(self)  # nothing is built for a mistake in them
        self._check()
        return self.train(self.build(), fresh=fresh)

    def build(self) -> Manifest:
        """Analyses the program and brings the build directory up to date; measures nothing."""
        plan = self.plan()
        sizes = ", ".join(f"{name}: {len(its)}" for name, its in plan.candidates.items())
        self.display.say(f"candidates of {sizes}")
        return build(plan, self.display)

    def plan(self) -> Plan:
        """What `build` builds: the computations to tune, and their candidates."""
        if self.jobs is not None and self.jobs < 1:
            raise FettleError(f"jobs must be at least 1, not {self.jobs!r}")
        for more in self.more_sources:
            if not Path(more).is_file():
                raise FettleError(f"there is no source file {more} to link with")
        toolchain = toolchain_of(
            self.platform,
            flags=self.flags,
            compiler=self.compiler,
            architecture=self.architecture,
        )
        near = f"-I{self.header.parent}"  # where the headers of embedded models are
        toolchain = replace(toolchain, compile_flags=(*toolchain.compile_flags, near))
        source = Path(self.source).resolve()
        found = selected_computations(
            analyze(source, toolchain), self.computations, str(self.source), self.platform
        )
        return Plan(
            source=source,
            toolchain=toolchain,
            directory=self.directory,
            computations=found,
            candidates={name: self.candidates(its) for name, its in found.items()},
            jobs=self.jobs or core_count(),
            header=self.header,
            more_sources=[Path(more).resolve() for more in self.more_sources],
        )

    def candidates(self, computation: Computation) -> list[Candidate]:
        """The candidates of a computation, restricted as the tuner is. Raises FettleError."""
        return selected_candidates(computation, self.size, self.schedules, self.only)

    def measure(self, manifest: Manifest | None = None, *, fresh: bool = False) -> None:
        """Measures what was built, and trains nothing. The manifest is that of the last build."""
        known = manifest or read_manifest(self.directory)
        known.check_files(self.directory)
        settings = settings_of(self, known, fresh=fresh)
        remember_machine(settings)
        measure_session(settings, functions_of(self, known), self.display)

    def measure_again(self, how: SecondRound, manifest: Manifest | None = None) -> None:
        """Measures those candidates again that came near the best on an input, input by input."""
        inputs = [one for some in inputs_of(self) for one in some]
        deadline = None if self.time_budget is None else time.monotonic() + self.time_budget
        with self.measurers(manifest) as measurers:
            for measurer in measurers:
                renew(measurer, inputs)
                race_again(measurer, inputs, how, deadline=deadline)

    @contextlib.contextmanager
    def measurers(self, manifest: Manifest | None = None) -> Iterator[list[Measurer]]:
        """A measurer a function, for those who decide by themselves what is run on which input."""
        known = manifest or read_manifest(self.directory)
        known.check_files(self.directory)
        settings = settings_of(self, known)
        remember_machine(settings)
        with SqliteStore(settings.place(settings.database)) as store, scratch_folder() as logs:
            yield [
                open_measurer(settings, function, store, logs, self.display)
                for function in functions_of(self, known)
            ]

    def train(
        self, manifest: Manifest | None = None, *, measure: bool = True, fresh: bool = False
    ) -> NdpResult:
        """Measures what is missing, chooses the winners, trains the models, writes the header.

        With `measure=False` the database says all, and neither program nor GPU are needed.
        """
        known = manifest or read_manifest(self.directory)
        settings = settings_of(self, known, measure=measure, fresh=fresh)
        self._check()
        if measure:
            known.check_files(self.directory)
            remember_machine(settings)
        functions = functions_of(self, known)
        models = settings.place(settings.model_directory)
        with undone_by_errors(models, functions):
            results = run_session(settings, functions, None, self.display, self._winners)
        before = existing_header(self.header)
        changed = functions_to_deploy(functions, results, known, before)
        command = self.command or f"fettle ndp tune {self.source} --platform {self.platform}"
        deploy(self.header, models, known, changed, command)
        return self._report(known, results)

    def _check(self) -> None:
        """What can be known to be wrong before anything is built. Raises FettleError."""
        Settings("", timeout=self.timeout, time_budget=self.time_budget, seed=self.seed)
        if not 0 <= self.merge < 1:
            raise FettleError(f"merge must be a share from 0 to below 1, not {self.merge!r}")
        words(self.launch_prefix, "the launch prefix")
        self.places.check()

    def _report(self, manifest: Manifest, results: Sequence[TuningResult]) -> NdpResult:
        result = NdpResult(
            platform=self.platform,
            header=self.header,
            build_seconds=manifest.seconds,
            outcomes=tuple(outcome_of(manifest, result) for result in results),
            results=tuple(results),
        )
        write_generated(self.directory / RESULT, result.json() + "\n")
        write_generated(self.directory / "result.txt", result.text())
        return result

    def _winners(self, table: Table) -> tuple[str, ...]:
        refuse_default_alone(table)
        given = self.classifier if isinstance(self.classifier, ThresholdClassifier) else None
        always = given.named if given else frozenset()
        kept = winners(table.data, loss=self.merge, always=always)
        self.display.say(
            f"{table.data.function}: {len(kept)} of {len(table.data.variants)} variants are kept"
        )
        return kept
