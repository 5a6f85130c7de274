"""Tunes the computations of a program: what `fettle ndp tune` does, for scripts.

    tuner = NdpTuner("spmv.cpp", platform="openmp", inputs=glob("matrices/*.mtx"))
    print(tuner.tune().text())

Analyses the program, lists the candidates of each computation, builds them, measures them with the
expert layer's engine, keeps the winners, trains a model to choose among them, and writes the header
with which the program is then compiled. (Dissertation 5.2 to 5.4.)
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path

from fettle.core.progress import Display, default_display
from fettle.data.tuning_result import TuningResult
from fettle.ndp.base.computation import Computation
from fettle.ndp.build import build
from fettle.ndp.build_steps import Plan
from fettle.ndp.candidate import Candidate
from fettle.ndp.deployment import deploy, functions_to_deploy, undone_by_errors
from fettle.ndp.engine import functions_of, settings_of
from fettle.ndp.judged_outcome import outcome_of
from fettle.ndp.machine import remember_machine
from fettle.ndp.manifest import Manifest, read_manifest
from fettle.ndp.options import (
    BuildOptions,
    DeployOptions,
    MeasureOptions,
    PathLike,
    SpaceOptions,
)
from fettle.ndp.places import Places
from fettle.ndp.planning import plan_of
from fettle.ndp.result import RESULT, NdpResult
from fettle.ndp.selection import kept_candidates, selected_candidates
from fettle.store.place import open_store
from fettle.training.active import Goal, Query
from fettle.training.build import write_generated
from fettle.training.examples import Table
from fettle.training.measure import Measurer
from fettle.training.policy_header import existing_header
from fettle.training.renew import renew
from fettle.training.scratch import scratch_folder
from fettle.training.second_round import SecondRound, race_again
from fettle.training.session import Report, measure_session, run_session
from fettle.training.settings import Settings
from fettle.training.subject import open_measurer


@dataclass
class NdpTuner(BuildOptions, SpaceOptions, MeasureOptions, DeployOptions):
    """Tunes the named computations of a program on a platform.

    - `source`: the file with the calls `execute<"name">(...)`.
    - `platform`: "openmp", "tbb", "cuda", "openmp_nodes" or "cuda_devices".
    - `display`: shows progress. `report`: gets each function's result.
    - The options of each step are those of the dataclasses that it is made of.
    """

    source: PathLike
    _: KW_ONLY
    platform: str
    display: Display = field(default_factory=default_display)
    report: Report | None = None

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

    def tune(self, *, fresh: bool = False, goal: Goal | None = None) -> NdpResult:
        """Builds, measures and trains; what is up to date stays, unless `fresh` measures anew.

        With a `goal` only some of the training inputs are measured, as of `itune`. Raises
        FettleError; everything measured until then is kept.
        """
        self.parsed_inputs()  # nothing is built for a mistake in them
        self._check()
        return self.train(self.build(), fresh=fresh, goal=goal)

    def itune(
        self,
        *,
        iterations: int | None = None,
        accuracy: float | None = None,
        query: Query = "margin",
        fresh: bool = False,
    ) -> NdpResult:
        """`tune`, but races the candidates only on the training inputs that teach most.

        Of all inputs the features are evaluated. Initial ones, two a winner at most, are far from
        each other; what follows is the input on which the model of the winners so far is least
        certain, until `iterations` were added or the mean share of best reaches `accuracy`, on the
        test inputs or by cross-validation. With neither: 25 iterations. (Dissertation 5.5.1.1.)
        """
        return self.tune(fresh=fresh, goal=Goal.of(iterations, accuracy, query=query))

    def build(self) -> Manifest:
        """Analyses the program and brings the build directory up to date; measures nothing."""
        plan = self.plan()
        sizes = ", ".join(
            f"{name}: {'its fusions' if plan.computations[name].is_program else len(its)}"
            for name, its in plan.candidates.items()
        )
        self.display.say(f"candidates of {sizes}")
        return build(plan, self.display)

    def plan(self) -> Plan:
        """What `build` builds: the computations to tune, and their candidates."""
        return plan_of(self.source, self.platform, self.places, self, self, self.executor)

    def candidates(self, computation: Computation) -> list[Candidate]:
        """The candidates of a computation, restricted as the tuner is. Raises FettleError."""
        return selected_candidates(computation, self)

    def measure(self, manifest: Manifest | None = None, *, fresh: bool = False) -> None:
        """Measures what was built, and trains nothing. The manifest is that of the last build."""
        known = manifest or read_manifest(self.directory)
        known.check_files(self.directory)
        settings = self._settings(known, fresh=fresh)
        remember_machine(settings)
        measure_session(settings, functions_of(self.platform, self, self, known), self.display)

    def measure_again(self, how: SecondRound, manifest: Manifest | None = None) -> None:
        """Measures those candidates again that came near the best on an input, input by input."""
        inputs = [one for some in self.parsed_inputs() for one in some]
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
        settings = self._settings(known)
        remember_machine(settings)
        with open_store(settings.measurements) as store, scratch_folder() as logs:
            yield [
                open_measurer(settings, function, store, logs, self.display)
                for function in functions_of(self.platform, self, self, known)
            ]

    def train(
        self,
        manifest: Manifest | None = None,
        *,
        measure: bool = True,
        fresh: bool = False,
        goal: Goal | None = None,
    ) -> NdpResult:
        """Measures what is missing, chooses the winners, trains the models, writes the header.

        With `measure=False` the database says all, and neither program nor GPU are needed. With a
        `goal` only some inputs are measured, as of `itune`.
        """
        known = manifest or read_manifest(self.directory)
        settings = self._settings(known, measure=measure, fresh=fresh)
        self._check()
        if measure:
            known.check_files(self.directory)
            remember_machine(settings)
        functions = functions_of(self.platform, self, self, known)
        models = settings.place(settings.model_directory)
        with undone_by_errors(models, functions):
            results = run_session(
                settings, functions, goal, self.display, self._kept, report=self.report
            )
        before = existing_header(self.header)
        changed = functions_to_deploy(functions, results, known, before)
        for function in changed:
            function.check_every = self.check_every  # which the training program has no use for
        command = self.command or f"fettle ndp tune {self.source} --platform {self.platform}"
        deploy(self.header, models, known, changed, command, self.error_bound)
        return self._report(known, results)

    def _settings(
        self, manifest: Manifest, *, measure: bool = True, fresh: bool = False
    ) -> Settings:
        return settings_of(self.places, self.platform, self, manifest, measure=measure, fresh=fresh)

    def _check(self) -> None:
        """What can be known to be wrong before anything is built. Raises FettleError."""
        self.check_measuring()
        self.check_deployment()
        self.places.check()
        if self.store is not None:
            open_store(self.store).close()

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

    def _kept(self, table: Table) -> tuple[str, ...]:
        return kept_candidates(table, self.classifier, self.merge, exact=self.bound is None)
