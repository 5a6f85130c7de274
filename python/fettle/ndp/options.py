"""The options of an `NdpTuner`, by the step that they belong to."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from fettle.classifiers.base import Classifier
from fettle.classifiers.winners import LOSS
from fettle.core.errors import FettleError
from fettle.ndp.header import QUALITIES, ErrorBound
from fettle.training.code_variant import CodeVariant, OutsideRegion
from fettle.training.comparing import Comparing
from fettle.training.program import Input, parse_inputs
from fettle.training.remote_jobs import Executor
from fettle.training.request import Measuring
from fettle.training.second_round import SecondRound
from fettle.training.settings import Settings, words

PathLike: TypeAlias = str | os.PathLike[str]
Arguments: TypeAlias = str | os.PathLike[str] | Sequence[str]
Inputs: TypeAlias = Iterable[Arguments] | Mapping[str, Arguments]

# A hundred candidates need more than the second per call that suits a handful of variants, and some
# of them are hopelessly slow.
MEASURING = Measuring(budget_s=5.0, limit_floor_s=1.0)


@dataclass(kw_only=True)
class BuildOptions:
    """How the training program and its candidates are compiled.

    - `more_sources`: source files that are compiled once and linked to the program.
    - `flags`, `compiler`, `architecture`: as of `toolchain_of`.
    - `build_directory`: gets the training program, the candidates in shards, measurements, reports.
      It may be moved to another machine between building, measuring and training.
    - `jobs`: the number of compilers at a time; where not given, that of the executor's workers, or
      of processors.
    """

    more_sources: Sequence[PathLike] = ()
    flags: str | Sequence[str] = ()
    compiler: str | Sequence[str] | None = None
    architecture: str | None = None
    build_directory: PathLike | None = None
    jobs: int | None = None

    def check_build(self) -> None:
        """Raises FettleError for a number of jobs below 1 and for a source that does not exist."""
        if self.jobs is not None and self.jobs < 1:
            raise FettleError(f"jobs must be at least 1, not {self.jobs!r}")
        for more in self.more_sources:
            if not Path(more).is_file():
                raise FettleError(f"the source file {more} to link with does not exist")


@dataclass(kw_only=True)
class SpaceOptions:
    """Which candidates of which computations are tried.

    - `size`: how many policies are tried: "full" or "small".
    - `schedules`, `only`: patterns of schedules, and of candidates, to restrict the space to:
      "independent>*", "* block_size_x=128*".
    - `computations`: names of those to tune; where empty, all that have names.
    - `bound`: the largest error that a result may have. With it, candidates whose policies set
      knobs are tried, too; without it none is.
    - `quality`: how an error is measured: "relative_norm", "largest_relative", "mean_relative", or
      "own", by the program's specialisation of fettle::ndp::quality_of.
    """

    size: str = "full"
    schedules: Sequence[str] = ()
    only: Sequence[str] = ()
    computations: Sequence[str] = ()
    bound: float | None = None
    quality: str = "relative_norm"

    @property
    def error_bound(self) -> ErrorBound | None:
        """The bound on errors, and how these are measured; None: no candidate is approximate."""
        return None if self.bound is None else ErrorBound(self.bound, self.quality)

    def check_space(self) -> None:
        """Raises FettleError for a bound that is negative or no number, and for no measure."""
        if self.bound is not None and not 0 <= self.bound < math.inf:
            raise FettleError(
                f"bound must be the largest relative error allowed, such as 0.05, not "
                f"{self.bound!r}; without one no approximate candidate is tried"
            )
        if self.quality not in QUALITIES:
            raise FettleError(
                f"there is no measure of errors {self.quality!r}: use {', '.join(QUALITIES)}"
            )


@dataclass(kw_only=True)
class MeasureOptions:
    """On which inputs candidates are measured, and how carefully.

    - `inputs`, `test_inputs`: as of `Autotuner.set_training_args` and `set_test_args`.
    - `database`: the measurements; by default in the build directory. `store`, `executor`:
      as of `Autotuner`.
    - `measuring`, `second_round`, `comparing`, `timeout`, `time_budget`, `seed`, `machine`,
      `launch_prefix`, `environment`: as of `Autotuner`.
    """

    inputs: Inputs = ()
    test_inputs: Inputs = ()
    database: PathLike | None = None
    store: str | None = field(default=None, repr=False)
    executor: Executor | None = field(default=None, repr=False)
    measuring: Measuring = MEASURING
    second_round: SecondRound | None = None
    comparing: Comparing | None = field(default_factory=Comparing)
    timeout: float = 300.0
    time_budget: float | None = None
    seed: int = 0
    machine: str | None = None
    launch_prefix: str | Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def check_measuring(self) -> None:
        """Raises FettleError for what can be recognised as wrong before anything is built."""
        Settings("", timeout=self.timeout, time_budget=self.time_budget, seed=self.seed)
        words(self.launch_prefix, "the launch prefix")

    def parsed_inputs(self) -> tuple[tuple[Input, ...], tuple[Input, ...]]:
        """The training and the test inputs. Raises FettleError."""
        here = Path.cwd()
        training = parse_inputs(self.inputs, what="inputs", directory=here)
        if not self.test_inputs:
            return training, ()
        return training, parse_inputs(self.test_inputs, what="test_inputs", directory=here)


@dataclass(kw_only=True)
class DeployOptions:
    """What the tuned program gets, and what chooses in it.

    - `output`: the header to write, by default fettle_config.hpp beside the source.
    - `model_directory`: named in the header; by default fettle_models beside it.
    - `merge`: by how much the share of best may fall on an input for the sake of fewer kernels.
    - `calls`: how many calls of the function use one selection and its features; each is charged
      its part of their time (by the classifier that is used where none is given).
    - `classifier`, `feature_selection`, `outside_region`, `embed_model`, `coverage`, `confidence`,
      `check_every`: as of `CodeVariant`.
    - `command`: what tunes the program again; stands in the header.
    """

    output: PathLike | None = None
    model_directory: PathLike | None = None
    merge: float = LOSS
    calls: int = 1
    classifier: Classifier | None = None
    feature_selection: bool = True
    outside_region: OutsideRegion = "default"
    embed_model: bool = False
    coverage: float = 0.99
    confidence: float = 0.95
    check_every: int = 1000
    command: str | None = None

    def check_deployment(self) -> None:
        """Raises FettleError for a `merge` that is not in [0, 1), and as `CodeVariant` does."""
        if not 0 <= self.merge < 1:
            raise FettleError(f"merge must be in [0, 1), got {self.merge!r}")
        CodeVariant(  # which refuses what they cannot be
            "any",
            coverage=self.coverage,
            confidence=self.confidence,
            check_every=self.check_every,
        )
