"""Tunes a benchmark's computations, and keeps of that what the driver needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from suite import Benchmark, Input

from fettle.autotuner import Autotuner
from fettle.code_variant import CodeVariant
from fettle.ndp.result import NdpResult, Outcome
from fettle.ndp.tuner import NdpTuner


@dataclass(frozen=True)
class Options:
    """Where and how to tune."""

    folder: Path
    architecture: str | None = None
    size: str = "full"
    jobs: int | None = None
    time_budget: float | None = None
    build: bool = True  # False: the candidates lie in the folder, built before or elsewhere

    @property
    def header(self) -> Path:
        """What the tuned program is compiled with."""
        return self.folder / "fettle_config.hpp"

    @property
    def models(self) -> Path:
        """What the tuned program selects by."""
        return self.folder / "fettle_models"


def tune(
    benchmark: Benchmark,
    platform: str,
    training: Sequence[Input],
    test: Sequence[Input],
    options: Options,
) -> NdpResult:
    """Tunes all computations of a benchmark; its header and models then lie in the folder."""
    tuner = tuner_of(benchmark, platform, training, test, options)
    result = tuner.train(tuner.build() if options.build else None)
    print(result.text(), flush=True)
    return result


def share_of_exhaustive(outcomes: Sequence[Outcome], one: Input) -> float | None:
    """Time of the best candidates over that of the chosen ones, all computations of a run together.

    Both are of the tuner's race of all candidates on this input; the chosen ones' holds what
    features cost. None where an input was not measured.
    """
    best = chosen = 0.0
    for outcome in outcomes:
        # A computation that a run executes several times is judged several times: "x", "x #1".
        calls = [each for each in outcome.inputs if each.name.split(" #")[0] == one.text]
        if not calls:
            return None
        best += sum(call.exhaustive for call in calls)
        chosen += sum(call.tuned for call in calls)
    return best / chosen if outcomes else None


def tuner_of(
    benchmark: Benchmark,
    platform: str,
    training: Sequence[Input],
    test: Sequence[Input],
    options: Options,
) -> NdpTuner:
    """The tuner of a benchmark's computations."""
    return NdpTuner(
        benchmark.source(platform),
        platform=platform,
        inputs={one.text: [one.text] for one in training},
        test_inputs={one.text: [one.text] for one in test},
        flags=benchmark.flags.get(platform, ()),
        architecture=options.architecture,
        build_directory=options.folder / "build",
        output=options.header,
        model_directory=options.models,
        size=options.size,
        computations=benchmark.functions,
        jobs=options.jobs,
        time_budget=options.time_budget,
    )


def tune_outer(
    benchmark: Benchmark,
    platform: str,
    program: Path,
    training: Sequence[Input],
    test: Sequence[Input],
    options: Options,
) -> None:
    """The second level: the tuned function that chooses among forms of tuned computations.

    Its model lies with those of the computations, which select while the forms are measured.
    """
    tuner = Autotuner(
        program,
        config_header=options.folder / "outer_config.hpp",
        model_directory=options.models,
        database=options.folder / "outer.sqlite",
        working_directory=options.folder,
        report_directory=None,
    )
    tuner.set_environment({"FETTLE_MODEL_DIR": str(options.models)})
    tuner.set_training_args({one.text: [one.text] for one in training})
    tuner.set_test_args({one.text: [one.text] for one in test})
    tuner.tune([CodeVariant(f"{benchmark.outer}.{platform}", 2)])
