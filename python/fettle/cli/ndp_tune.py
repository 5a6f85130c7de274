"""`fettle ndp tune`: builds, measures and trains the computations of a program."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fettle.cli.classifier_option import CLASSIFIERS, classifier_named
from fettle.cli.given_inputs import given_inputs
from fettle.core.errors import FettleError
from fettle.ndp.header import QUALITIES

if TYPE_CHECKING:
    from fettle.ndp.tuner import NdpTuner
    from fettle.training.active import Goal

STEPS = ("--build-only", "--no-build", "--measure-only", "--train-only", "--fresh", "--json")
COMMAND_LENGTH = 300


def add_tune(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    parents: list[argparse.ArgumentParser],
) -> None:
    """Adds the command; `parents` have the options of the program and of the space."""
    parser = commands.add_parser(
        "tune",
        help="build, measure and train; write the header with the winners",
        description="Tune a program: the header and the models that are written make it choose the "
        "best implementation of each computation for its input. What is built and measured already "
        "is neither built nor measured again.",
        epilog="An input is a file pattern, the arguments of a start of the program as one text, "
        "or @FILE with one input a line.",
        parents=parents,
    )
    add = parser.add_argument
    add("--inputs", nargs="+", default=[], metavar="INPUT", help="to learn from")
    add("--test-inputs", nargs="+", default=[], metavar="INPUT", help="to judge the models by")
    add("--output", type=Path, metavar="FILE", help="fettle_config.hpp beside the source")
    add("--model-directory", type=Path, metavar="DIR", help="fettle_models beside the header")
    add("--build-directory", type=Path, metavar="DIR", help="fettle_build/SOURCE.PLATFORM")
    add("--database", type=Path, metavar="FILE", help="in the build directory")
    add("--store", metavar="PLACE", help="in place of it: a file, or redis://HOST/0")
    add("--executor", metavar="NAME", help="build and measure on others: dask://HOST:PORT, or mpi")
    add("--more-sources", nargs="+", type=Path, default=[], metavar="FILE", help="to link with")
    add("--computations", nargs="+", default=[], metavar="NAME", help="tune these only")
    add("--schedules", nargs="+", default=[], metavar="PATTERN", help="try these only")
    add("--only", nargs="+", default=[], metavar="PATTERN", help="try these candidates only")
    add("--merge", type=float, default=0.01, metavar="SHARE", help="what fewer kernels may cost")
    add("--classifier", choices=CLASSIFIERS, default="auto", help="what learns to choose")
    add("--calls", type=int, default=1, metavar="N", help="that share one selection")
    add("--no-feature-selection", action="store_true", help="use all features")
    add("--bound", type=float, metavar="ERROR", help="try approximate candidates within this error")
    add("--quality", choices=QUALITIES, default=QUALITIES[0], help="how an error is measured")
    add("--coverage", type=float, default=0.99, help="of inputs on which the bound is kept")
    add("--confidence", type=float, default=0.95, help="with which that is proven")
    add("--check-every", type=int, default=1000, metavar="N", help="calls; 0: never")
    add("--embed-model", action="store_true", help="compile the models into the program")
    add("--fresh", action="store_true", help="measure everything anew")
    add("--plain", action="store_true", help="plain lines instead of a live bar")
    add("--json", action="store_true", help="print the result as JSON")
    add("--timeout", type=float, default=300.0, metavar="S", help="seconds of silence allowed")
    add("--time-budget", type=float, metavar="S", help="begin no input after that")
    add("--seed", type=int, default=0, help="of everything random")
    add("--machine", help="a name to keep measurements apart by")
    add("--launch-prefix", default="", metavar="COMMAND", help="starts the program: taskset -c 2")
    add("--jobs", type=int, metavar="N", help="compilers at a time")
    add("--iterations", type=int, metavar="N", help="race on few inputs: initial ones and N more")
    add("--accuracy", type=float, metavar="SHARE", help="the same, until this mean share of best")
    steps = parser.add_mutually_exclusive_group()
    steps.add_argument("--build-only", action="store_true", help="measure and train elsewhere")
    steps.add_argument("--no-build", action="store_true", help="the build directory has it all")
    steps.add_argument(
        "--measure-only", action="store_true", help="neither build nor train: on a bare machine"
    )
    steps.add_argument("--train-only", action="store_true", help="neither build nor measure")
    parser.set_defaults(run=run_tune)


def run_tune(options: argparse.Namespace) -> int:
    """Tunes, or takes the steps asked for. Raises FettleError.

    The status is 1 where the machine was too busy for a computation: what was deployed stays.
    """
    builds = not (options.no_build or options.measure_only or options.train_only)
    if builds and not options.source.is_file():
        raise FettleError(f"the source file {options.source} does not exist")
    if not options.build_only and not options.inputs:
        raise FettleError("there is nothing to learn from; name inputs of the program by --inputs")
    goal = _goal(options)
    from fettle.training.executors import opened_executor

    with opened_executor(options.executor) as (executor, tunes):
        return _run_steps(options, _tuner(options, executor), goal) if tunes else 0


def _goal(options: argparse.Namespace) -> Goal | None:
    """When enough inputs are measured; None: when all are. Raises FettleError."""
    from fettle.training.active import Goal

    if options.iterations is None and options.accuracy is None:
        return None
    for step in ("build_only", "measure_only", "train_only"):
        if getattr(options, step):
            raise FettleError(
                f"--{step.replace('_', '-')} goes without --iterations and --accuracy: which input "
                "is measured next depends on a model of those before it; say --no-build to measure "
                "and train where the build directory is"
            )
    return Goal.of(options.iterations, options.accuracy)


def _run_steps(options: argparse.Namespace, tuner: NdpTuner, goal: Goal | None) -> int:
    if options.build_only:
        tuner.build()
    elif options.measure_only:
        tuner.measure(fresh=options.fresh)
    else:
        # Standard output is for the JSON alone, where it was asked for.
        with contextlib.redirect_stdout(sys.stderr if options.json else sys.stdout):
            if options.no_build or options.train_only:
                measure = not options.train_only
                result = tuner.train(measure=measure, fresh=options.fresh, goal=goal)
            else:
                result = tuner.tune(fresh=options.fresh, goal=goal)
        print(result.json() if options.json else result.text())
        return 1 if result.unsteady else 0
    return 0


def _tuner(options: argparse.Namespace, executor: Any) -> NdpTuner:
    from fettle.core.progress import PlainDisplay, default_display
    from fettle.ndp.tuner import NdpTuner
    from fettle.report import show_result

    return NdpTuner(
        options.source,
        platform=options.platform,
        inputs=given_inputs(options.inputs),
        test_inputs=given_inputs(options.test_inputs),
        more_sources=options.more_sources,
        flags=options.flags,
        compiler=options.compiler,
        architecture=options.arch,
        build_directory=options.build_directory,
        output=options.output,
        model_directory=options.model_directory,
        database=options.database,
        store=options.store,
        executor=executor,
        size=options.size,
        schedules=options.schedules,
        only=options.only,
        computations=options.computations,
        merge=options.merge,
        classifier=classifier_named(options.classifier, calls=options.calls),
        feature_selection=not options.no_feature_selection,
        embed_model=options.embed_model,
        bound=options.bound,
        quality=options.quality,
        coverage=options.coverage,
        confidence=options.confidence,
        check_every=options.check_every,
        timeout=options.timeout,
        time_budget=options.time_budget,
        seed=options.seed,
        machine=options.machine,
        launch_prefix=options.launch_prefix,
        jobs=options.jobs,
        command=_command(options),
        display=PlainDisplay() if options.plain else default_display(),
        report=show_result,
    )


def _command(options: argparse.Namespace) -> str | None:
    """What tunes the program again; None where it is too long to be shown."""
    command = shlex.join(["fettle", *(word for word in options.words if word not in STEPS)])
    return command if len(command) <= COMMAND_LENGTH else None
