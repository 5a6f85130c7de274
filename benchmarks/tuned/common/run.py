"""Tunes one of the papers' five benchmarks and measures it beside its references.

    python benchmarks/common/record.py reduction_cuda -- \\
        python benchmarks/tuned/common/run.py reduction --platform cuda

tunes on the training inputs, compiles the program with the winners, and measures it on the test
inputs: tuned (features and model included), by the default rule, and the references, all in one
process an input. Where a program has several forms, the choice among them is tuned too. record.py
writes the figures to results/; tables.py and figures.py show them. Without record.py they are
printed only.

    --no-tuning     measures the untuned program beside the references
    --quick         every third input, and less time on each
    --steps         some of: build (the candidates), measure (them), again (those near the best on
                    an input, with more samples), train, compile (the program with the winners),
                    compare (its forms, it and its references); each goes on with
                    what those before left in --folder, which may be carried to another machine:
                    only measure, again and compare need the one that is tuned for
"""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from building import compile_program
from definitions import ALL
from measuring import Measured, measure
from suite import PLATFORMS, ROOT, Benchmark, Input
from summary import Row, function_rows, input_rows, print_summary, summary_row
from tuning import (
    Options,
    Tuned,
    measure_again,
    measure_candidates,
    train,
    trained,
    tune_forms,
    tuner_of,
)

from fettle.core.cores import core_count

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

# On processors each start of a program makes other contenders fast, by where its memory lies.
STARTS = {"openmp": 5, "cuda": 1}
STEPS = ("build", "measure", "again", "train", "compile", "compare")


def some(inputs: Sequence[Input], options: argparse.Namespace) -> list[Input]:
    """The inputs that this run takes."""
    fitting = [one for one in inputs if not options.only or one.label in options.only]
    return list(fitting[::3] if options.quick else fitting)


def environment_of(platform: str, patterns: Path | None) -> dict[str, str]:
    """The variables that all measured programs get; here they would bind all child processes."""
    found = {"FETTLE_PATTERNS": str(patterns)} if patterns else {}
    if platform == "openmp":
        found["OMP_PROC_BIND"] = "true"  # two threads of a team on one core wait for milliseconds
    return found


def run(benchmark: Benchmark, options: argparse.Namespace) -> list[Row]:
    """The steps asked for; the rows of the record where the last one is among them."""
    platform, folder = options.platform, options.folder.resolve() / benchmark.name
    patterns = options.patterns.resolve() if options.patterns else None
    if patterns and not patterns.exists():
        print(f"no real matrices: {options.patterns} is not there (matrix_cache writes it)")
        patterns = None
    training = some(benchmark.training(platform, patterns), options)
    test = some(benchmark.test(platform, patterns), options)
    if shared := {one.text for one in training} & {one.text for one in test}:
        raise SystemExit(f"inputs that are trained on and tested with: {', '.join(shared)}")
    how = Options(
        folder=folder / platform,
        architecture=options.arch,
        size=options.size,
        jobs=options.jobs,
        time_budget=options.time_budget,
        environment=environment_of(platform, patterns),
    )
    steps = {"compile", "compare"} & {*options.steps} if options.no_tuning else {*options.steps}
    if "build" in steps:
        tuner_of(benchmark, platform, training, test, how).build()
    if "measure" in steps:
        measure_candidates(benchmark, platform, training, test, how)
    if "again" in steps:
        measure_again(benchmark, platform, training, test, how)
    if "train" in steps:
        print(train(benchmark, platform, training, test, how).text(), flush=True)
    program = folder / platform / f"measured_{platform}"
    if "compile" in steps:
        compile_program(
            benchmark,
            platform,
            program,
            header=None if options.no_tuning else how.header,
            architecture=options.arch,
            mkl=options.mkl.resolve() if options.mkl else None,
        )
    if "compare" not in steps:
        return []
    tuned = Tuned(platform) if options.no_tuning else trained(platform, how)
    if platform in benchmark.forms and not options.no_tuning:
        forms, count = tune_forms(benchmark, platform, program, training, test, how)
        tuned = replace(tuned, forms=forms, form_inputs=count)
    return compare(benchmark, program, test, tuned, how, options)


def compare(
    benchmark: Benchmark,
    program: Path,
    test: Sequence[Input],
    tuned: Tuned,
    how: Options,
    options: argparse.Namespace,
) -> list[Row]:
    """Measures the program beside its references on the test inputs; the rows of the record."""
    environment = {**how.environment, "FETTLE_MODEL_DIR": str(how.models)}
    seconds = options.seconds or (0.1 if options.quick else 0.4)
    starts = options.starts or STARTS[options.platform]

    def measured_by(program: Path) -> list[Measured]:
        return measure(
            benchmark, program, test, seconds=seconds, environment=environment, starts=starts
        )

    measured = measured_by(program)
    if options.reference_program:
        others = measured_by(options.reference_program.resolve())
        measured = [one.with_more(other) for one, other in zip(measured, others, strict=True)]
    return [
        *input_rows(benchmark, measured, tuned),
        *function_rows(tuned),
        summary_row(benchmark, tuned.platform, measured, tuned),
    ]


def main() -> None:
    """Run one benchmark on one platform."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("benchmark", choices=sorted(ALL))
    parser.add_argument("--platform", choices=PLATFORMS, default="openmp")
    parser.add_argument("--folder", type=Path, default=Path("build/ndp_tuned"), help="for builds")
    parser.add_argument("--patterns", type=Path, help="the file that matrix_cache wrote, for SpMV")
    parser.add_argument("--mkl", type=Path, help="a folder with MKL's include/ and lib/, for SpMV")
    parser.add_argument(
        "--reference-program",
        type=Path,
        help="the untuned program, built elsewhere with references that cannot be built here",
    )
    parser.add_argument("--arch", help="what to compile for: sm_90, x86-64-v3")
    parser.add_argument("--size", choices=("small", "full"), default="full", help="of the space")
    parser.add_argument("--jobs", type=int, default=core_count())
    parser.add_argument("--seconds", type=float, help="for an input's measurement, about")
    parser.add_argument("--starts", type=int, help="processes an input, of which the medians count")
    parser.add_argument(
        "--time-budget", type=float, help="seconds after which no input's candidates are raced"
    )
    parser.add_argument("--only", nargs="+", metavar="LABEL", help="inputs with these labels")
    parser.add_argument("--quick", action="store_true", help="every third input, less time")
    parser.add_argument("--no-tuning", action="store_true", help="measure the untuned program")
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS, help="those to take")
    options = parser.parse_args()
    os.environ.setdefault("FETTLE_INCLUDE", str(ROOT / "include"))
    rows = run(ALL[options.benchmark], options)
    if not rows:
        return
    print_summary(rows)
    append_rows(rows)


if __name__ == "__main__":
    main()
