"""Tunes a benchmark's computations, and keeps of that what the driver needs."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path

import numpy as np
from narrowing import Narrowed, narrowed, race_narrowed, write_narrowed
from suite import Benchmark, Input

from fettle.autotuner import Autotuner
from fettle.classifiers import AutoClassifier
from fettle.code_variant import CodeVariant
from fettle.ndp import options as ndp_options
from fettle.ndp.manifest import read_manifest
from fettle.ndp.result import RESULT, NdpResult, Outcome, read_outcomes
from fettle.ndp_tuner import NdpTuner
from fettle.training import program
from fettle.training.request import Measuring
from fettle.training.second_round import SecondRound

# A sample of 200 us is 5 % off where a call takes 4 us. On processors, where a thread may lose its
# core for a while, no variant leaves after one slow sample; one cold run of several does no harm,
# and of calls that take a second there is time for one.
MEASURING = {
    "openmp": replace(
        ndp_options.MEASURING, race=False, maximum_samples=6, sample_s=200e-6, warm_up=0
    ),
    "cuda": replace(ndp_options.MEASURING, minimum_samples=20, maximum_samples=40),
}
# What came near the best on an input gets as many samples there that the best of them is not just
# the luckiest. They are for that input alone: tests have no part in what is learned. On
# processors each start of the program makes other candidates fast, by where its memory lies, and in
# one start alone a good one may be a fifth too slow: who took twice the best's time is out.
SECOND_ROUND = {
    "openmp": SecondRound(
        replace(
            ndp_options.MEASURING, race=False, maximum_samples=6, sample_s=200e-6, budget_s=1.0
        ),
        near=0.5,
        starts=5,
    ),
    "cuda": SecondRound(
        replace(ndp_options.MEASURING, race=False, maximum_samples=40, budget_s=0.5)
    ),
}
RACED_AGAIN = "raced_again.json"
NARROWED = ("cuda",)  # with a hundred candidates and more
# Two or three forms, in which noise adds up over all of their computations.
MEASURING_FORMS = {
    "openmp": Measuring(race=False, maximum_samples=7, sample_s=200e-6, budget_s=1.0),
    "cuda": Measuring(minimum_samples=20, maximum_samples=40),
}
SECOND_ROUND_OF_FORMS = {"openmp": SecondRound(MEASURING_FORMS["openmp"], near=0.5, starts=5)}


@dataclass(frozen=True)
class Options:
    """Where and how to tune."""

    folder: Path
    architecture: str | None = None
    size: str = "full"
    jobs: int | None = None
    time_budget: float | None = None
    environment: Mapping[str, str] = field(default_factory=dict)  # of the program

    @property
    def build(self) -> Path:
        """Where the candidates are, what they took, and what the tuner made of it."""
        return self.folder / "build"

    @property
    def header(self) -> Path:
        """What the tuned program is compiled with."""
        return self.folder / "fettle_config.hpp"

    @property
    def models(self) -> Path:
        """What the tuned program selects by."""
        return self.folder / "fettle_models"


@dataclass(frozen=True)
class Form:
    """On a test input, the form that is chosen among those of a program."""

    name: str
    share_of_best: float  # time of the best form over that of this one


@dataclass(frozen=True)
class Tuned:
    """What tuning a benchmark gave."""

    platform: str
    outcomes: tuple[Outcome, ...] = ()  # a computation each
    forms: Mapping[str, Form] = field(default_factory=dict)  # by the input's text; empty: one form
    form_inputs: int = 0  # that the choice among forms was trained on
    narrowed: Mapping[str, Narrowed] = field(default_factory=dict)  # by function, where it was
    raced_again: frozenset[str] = frozenset()  # computations that had the second round

    @property
    def races(self) -> int:
        """How many rounds of races all that was tuned had."""
        computations = {one.function.rsplit(".", 1)[0] for one in self.outcomes}
        return 2 if computations and computations <= self.raced_again else 1

    def share_of_exhaustive(self, benchmark: Benchmark, one: Input) -> float | None:
        """Time of the best candidates over that of the chosen ones, a run's computations together.

        Both are of the tuner's races on this input: of all candidates, or all possible ones, and
        once more of those that came near the best; the chosen ones' holds what features cost.
        None where an input was not measured.
        """
        share = 1.0
        outcomes = list(self.outcomes)
        if forms := benchmark.forms.get(self.platform):
            form = self.forms.get(one.text)
            if form is None:
                return None
            share = form.share_of_best
            run = forms[form.name]
            outcomes = [each for each in outcomes if each.function.rsplit(".", 1)[0] in run]
        best = chosen = 0.0
        for outcome in outcomes:
            # A computation that is executed several times is judged several times: "x", "x #1".
            calls = [each for each in outcome.inputs if each.name.split(" #")[0] == one.text]
            if not calls:
                return None
            best += sum(call.exhaustive for call in calls)
            chosen += sum(call.tuned for call in calls)
        return share * best / chosen if outcomes else None


def measure_candidates(
    benchmark: Benchmark,
    platform: str,
    training: Sequence[Input],
    test: Sequence[Input],
    options: Options,
) -> None:
    """Races the candidates of all computations on the inputs, as many as the time budget allows.

    Inputs of both kinds in turn, so that where it does not allow all, there are some of each. On a
    GPU most candidates are raced on some inputs only (see narrowing.py).
    """
    order = np.random.default_rng(0).permutation(len(training))
    mixed = zip_longest(test, [training[index] for index in order])
    inputs = [one for both in mixed for one in both if one is not None]
    for name, how in _each_with_its_time(options):
        if platform not in NARROWED:
            tuner_of(benchmark, platform, inputs, (), how, (name,)).measure()
            continue
        with tuner_of(benchmark, platform, inputs, (), how, (name,)).measurers() as [measurer]:
            found = race_narrowed(measurer, _given(training), _given(test), how.time_budget)
        if found is not None:
            write_narrowed(options.folder, {measurer.subject.function: found})


def measure_again(
    benchmark: Benchmark,
    platform: str,
    training: Sequence[Input],
    test: Sequence[Input],
    options: Options,
) -> None:
    """The second round of the race, on all inputs that had the first."""
    for name, how in _each_with_its_time(options):
        tuner = tuner_of(benchmark, platform, [*test, *training], (), how, (name,))
        tuner.measure_again(SECOND_ROUND[platform])
        known = raced_again(options.folder) | {name}
        (options.folder / RACED_AGAIN).write_text(json.dumps(sorted(known)), encoding="utf-8")


def raced_again(folder: Path) -> frozenset[str]:
    """The computations that had the second round of races."""
    path = folder / RACED_AGAIN
    return frozenset(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else frozenset()


def _given(inputs: Sequence[Input]) -> list[program.Input]:
    """The inputs as the expert layer's engine has them."""
    return [program.Input(one.text, (one.text,)) for one in inputs]


def _each_with_its_time(options: Options) -> Iterator[tuple[str, Options]]:
    """The computations; each may take its share of the time that those before it left."""
    names = [str(one.name) for one in read_manifest(options.build).computations.values()]
    deadline = None if options.time_budget is None else time.monotonic() + options.time_budget
    for done, name in enumerate(names):
        left = None
        if deadline is not None:
            left = max(1.0, (deadline - time.monotonic()) / (len(names) - done))
        yield name, replace(options, time_budget=left)


def train(
    benchmark: Benchmark,
    platform: str,
    training: Sequence[Input],
    test: Sequence[Input],
    options: Options,
) -> NdpResult:
    """Learns from what was measured; header, models and result then lie in the folder."""
    return tuner_of(benchmark, platform, training, test, options).train(measure=False)


def trained(platform: str, options: Options) -> Tuned:
    """What training gave."""
    outcomes = read_outcomes(options.build / RESULT)
    return Tuned(
        platform,
        outcomes,
        narrowed=narrowed(options.folder),
        raced_again=raced_again(options.folder),
    )


def tuner_of(
    benchmark: Benchmark,
    platform: str,
    training: Sequence[Input],
    test: Sequence[Input],
    options: Options,
    computations: Sequence[str] = (),
) -> NdpTuner:
    """The tuner of a benchmark's computations, or of some of them."""
    return NdpTuner(
        benchmark.source(platform),
        platform=platform,
        inputs={one.text: [one.text] for one in training},
        test_inputs={one.text: [one.text] for one in test},
        flags=benchmark.flags.get(platform, ()),
        architecture=options.architecture,
        build_directory=options.build,
        output=options.header,
        model_directory=options.models,
        size=options.size,
        computations=computations or benchmark.tuned_on(platform),
        jobs=options.jobs,
        time_budget=options.time_budget,
        environment=options.environment,
        measuring=MEASURING[platform],
    )


def tune_forms(
    benchmark: Benchmark,
    platform: str,
    program: Path,
    training: Sequence[Input],
    test: Sequence[Input],
    options: Options,
) -> tuple[dict[str, Form], int]:
    """The second level: the tuned function that chooses among forms of tuned computations.

    Its model lies with those of the computations, which select while the forms are measured. The
    form chosen on each test input, and the number of inputs trained on.
    """
    tuner = Autotuner(
        program,
        config_header=options.folder / "forms_config.hpp",
        model_directory=options.models,
        database=options.folder / "forms.sqlite",
        working_directory=options.folder,
        report_directory=None,
        time_budget=options.time_budget,
        measuring=MEASURING_FORMS[platform],
        second_round=SECOND_ROUND_OF_FORMS.get(platform),
    )
    tuner.set_environment({**options.environment, "FETTLE_MODEL_DIR": str(options.models)})
    tuner.set_training_args({one.text: [one.text] for one in training})
    tuner.set_test_args({one.text: [one.text] for one in test})
    function = CodeVariant(
        f"{benchmark.name}.{platform}",
        len(benchmark.forms[platform]),
        classifier=AutoClassifier(calls=1),  # forms are chosen anew for every call
    )
    # The program was compiled anew: what its forms took before says nothing of it.
    [result] = tuner.tune(function, fresh=True)
    if result.evaluation is None:
        return {}, len(result.training)
    data, chosen = result.evaluation.data, result.evaluation.chosen
    best = data.costs.min(axis=1) if data.exhaustive is None else data.exhaustive
    shares = best / data.costs[range(len(chosen)), chosen]
    forms = {
        text: Form(data.variants[choice], float(share))
        for text, choice, share in zip(data.inputs, chosen, shares, strict=True)
    }
    return forms, len(result.training)
