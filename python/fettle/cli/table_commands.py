"""`fettle train`, `fettle evaluate`, `fettle predict`: models from tables of measurements.

They need no program: a table has a column a feature and a column a variant's cost
(fettle.data.table).
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fettle.cli.classifier_option import CLASSIFIERS, classifier_named
from fettle.cli.table_reports import (
    Evaluated,
    evaluated_record,
    evaluated_text,
    fit_record,
    fit_text,
)
from fettle.core.errors import FettleError
from fettle.core.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TABLE_HELP = "CSV file with a header line: a column a feature, a column a variant's cost"
LARGE = 2_000_000  # bytes of a table; reading and learning from more takes seconds
MODEL_HELP = "the directory that `fettle train` or `fettle tune` wrote"


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `fettle train`, `fettle evaluate` and `fettle predict`."""
    train = commands.add_parser(
        "train",
        help="train a model on a table of measurements",
        description="Train a model that chooses the column with the smallest metric from the "
        "features, on a CSV file (.gz, .bz2, .xz too) with one line an input. A metric that is "
        "empty says that a constraint excludes the input; the word failed, that the variant failed "
        "there, and is then never chosen. Reports cross-validated shares of best.",
    )
    train.add_argument("--table", type=Path, required=True, metavar="T.csv", help=TABLE_HELP)
    train.add_argument(
        "--features",
        type=_names,
        required=True,
        metavar="A,B,...",
        help="columns that are known before a variant is chosen",
    )
    train.add_argument(
        "--metrics",
        type=_names,
        required=True,
        metavar="X_ms,Y_ms,...",
        help="columns of times or other costs, one a variant, smaller is better; names that end "
        "with _s, _ms, _us or _ns say the unit",
    )
    train.add_argument(
        "--model", type=Path, required=True, metavar="DIR", help="the directory to write"
    )
    train.add_argument(
        "--classifier",
        choices=CLASSIFIERS,
        default="auto",
        help="what learns; auto (default) takes the best of the others",
    )
    train.add_argument(
        "--allow-failures",
        type=_names,
        default=(),
        metavar="X_ms,...",
        help="metrics whose variants may be chosen although they failed on some input",
    )
    train.add_argument(
        "--name",
        metavar="FUNCTION",
        help="what the program's policy calls the function (default: the name of DIR)",
    )
    train.add_argument(
        "--seed", type=_seed, default=0, metavar="N", help="of everything random (default 0)"
    )
    train.add_argument(
        "--calls",
        type=int,
        default=100,
        metavar="N",
        help="calls over which one selection is spread when auto weighs its time (default 100)",
    )
    train.add_argument(
        "--rows",
        type=int,
        default=20_000,
        metavar="N",
        help="learn from at most so many rows, chosen at random (default 20000)",
    )
    train.add_argument("--json", action="store_true", help="print JSON")
    train.set_defaults(run=run_train)

    evaluate = commands.add_parser(
        "evaluate",
        help="judge a model on a table of measurements",
        description="Choose for each line of a table with the deployed predictor and compare with "
        "the best of the measured variants. Columns that are points of a variant, such as "
        "'tiled tile=16', count as such. The last line is the share of best.",
    )
    evaluate.add_argument("--table", type=Path, required=True, metavar="T.csv", help=TABLE_HELP)
    evaluate.add_argument("--model", type=Path, required=True, metavar="DIR", help=MODEL_HELP)
    evaluate.add_argument("--json", action="store_true", help="print JSON")
    evaluate.set_defaults(run=run_evaluate)

    predict = commands.add_parser(
        "predict",
        help="the variant that a model selects for given feature values",
        description="Print the variant that a model selects, as a program would select it.",
    )
    predict.add_argument("--model", type=Path, required=True, metavar="DIR", help=MODEL_HELP)
    predict.add_argument(
        "--values",
        type=_values,
        required=True,
        metavar="rows=1138,nnz=4054",
        help="a value for each feature of the model; without names in the order of the features "
        "(write --values=-1,... where the first is negative)",
    )
    predict.add_argument(
        "--excluded",
        type=_names,
        default=(),
        metavar="A,B,...",
        help="variants that a constraint of the program excludes for this input",
    )
    predict.add_argument("--json", action="store_true", help="print JSON")
    predict.set_defaults(run=run_predict)


def run_train(options: argparse.Namespace) -> int:
    """Train, report, write the model directory."""
    from fettle.core.progress import Silence, default_display
    from fettle.data.failed_text import failed_lines
    from fettle.data.row_sample import row_sample
    from fettle.data.table import read_table
    from fettle.data.table_training_set import failed_columns, training_set
    from fettle.model.model_directory import check_model_directory, write_model
    from fettle.model.never_chosen import never_choosing

    if options.model.exists() and not options.model.is_dir():
        raise FettleError(f"{options.model} is a file; --model names a directory to write")
    check_model_directory(options.model)
    with _warnings_as_lines():
        is_large = options.table.is_file() and options.table.stat().st_size > LARGE
        display = default_display() if is_large else Silence()
        table = read_table(options.table, display)
        name = options.name or options.model.resolve().name or "model"
        failed = failed_columns(table, options.metrics, options.allow_failures)
        whole = training_set(table, name, options.features, options.metrics, failed)
        data = row_sample(whole, options.rows, options.seed)
        if len(data) < len(whole):
            print(
                f"learning from {len(data)} of {counted(len(whole), 'row')}, chosen at random with "
                "seed "
                f"{options.seed} (--rows N changes it)",
                file=sys.stderr,
                flush=True,
            )
        learner = classifier_named(options.classifier, calls=options.calls, seed=options.seed)
        learner.tell = display.say
        fit = learner.fit_and_judge(data)
    withheld = {one.variant for one in failed if not one.allowed}
    write_model(options.model, never_choosing(fit.model, withheld))
    if options.json:
        sizes = {"rows": len(whole), "learned_from": len(data)}
        print(json.dumps(fit_record(fit, options.model, failed) | sizes, indent=1))
    else:
        said = [*failed_lines(name, failed), *fit_text(fit, table, len(data), options.model)]
        print("\n".join(said))
    return 0


def run_evaluate(options: argparse.Namespace) -> int:
    """Choose for each row as a program would, and judge the choices."""
    import numpy as np

    from fettle.data.summary import summarise
    from fettle.data.table import read_table
    from fettle.data.table_training_set import costs, usable_rows, values
    from fettle.model.deployed import BY_MODEL, load
    from fettle.training.chosen import measured_names, needed_names

    deployed = load(options.model)
    model = deployed.model
    with _warnings_as_lines():
        table = read_table(options.table)
        for what, names in (("feature", model.features), ("variant", needed_names(model))):
            missing = [name for name in names if name not in table.columns]
            if missing:
                raise FettleError(
                    f"{options.model} is a model for other columns: its {what} {missing[0]!r} is "
                    f"not a column of {options.table}, which has {', '.join(table.columns)}"
                )
        variants = measured_names(model, table.columns)
        paid = costs(table, variants)
        excluded = np.column_stack([table.excluded(name) for name in variants])
        keep = usable_rows(table, paid, variants)
        known = values(table, model.features)[keep]
    chosen, reasons = deployed.names_of(known)
    lines = [f"line {line}" for line in table.lines[keep].tolist()]

    def places(names: Sequence[str]) -> NDArray[np.int64]:
        for line, name in zip(lines, names, strict=True):
            if name not in variants:
                raise FettleError(
                    f"for {line} of {options.table} the program runs {name} at its defaults; add a "
                    f"column {name!r} with what that costs"
                )
        return np.array([variants.index(name) for name in names], dtype=np.int64)

    choices = places(chosen)
    ruled_out = excluded[keep][np.arange(len(keep)), choices]
    run = [model.default if no else name for no, name in zip(ruled_out, chosen, strict=True)]
    judged = Evaluated(
        summary=summarise(paid[keep], choices, variants, lines),
        falling_back=summarise(paid[keep], places(run), variants, lines),
        excluded=int(ruled_out.sum()),
        outside=sum(reason != BY_MODEL for reason in reasons),
        default=model.default,
    )
    if options.json:
        print(json.dumps(evaluated_record(judged), indent=1))
    else:
        print("\n".join(evaluated_text(judged)))
    return 0


def run_predict(options: argparse.Namespace) -> int:
    """Select one variant."""
    from fettle.model.deployed import BY_MODEL, load

    model, values = load(options.model), options.values
    if not isinstance(values, dict):
        if len(values) != len(model.features):
            raise FettleError(
                f"--values has {counted(len(values), 'number')}, but {model.directory} wants "
                f"{len(model.features)}: {','.join(model.features)}"
            )
        values = dict(zip(model.features, values, strict=True))
    choice = model.choose(values, excluded=options.excluded)
    if options.json:
        record = {"variant": choice.variant, "reason": choice.reason, "scores": choice.scores}
        print(json.dumps(record, indent=1))
    else:
        if choice.reason != BY_MODEL:
            details = "; ".join(choice.details)
            print(f"{choice.reason}: the default variant ({details})", file=sys.stderr)
        print(choice.variant)
    return 0


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """Show each warning of Fettle as one line on standard error."""
    from fettle.data.training_set import TrainingWarning

    def show(message: Warning | str, category: type[Warning], *rest: object) -> None:
        print(f"fettle: warning: {message}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("default", TrainingWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"expected a list of columns such as a,b,c, got {text!r}")
    return names


def _values(text: str) -> Sequence[float] | dict[str, float]:
    """Numbers, or names with numbers."""
    words = text.split(",")
    try:
        if "=" not in text:
            return [float(word) for word in words]
        pairs = [word.rpartition("=") for word in words]
        named = {name.strip(): float(number) for name, _, number in pairs}
        if len(named) == len(words) and all(named):
            return named
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(
        f"expected numbers such as 1138,4054, or rows=1138,nnz=4054, got {text!r}"
    )


def _seed(text: str) -> int:
    try:
        seed = int(text)
    except ValueError:
        seed = -1
    if not 0 <= seed < 2**31:
        raise argparse.ArgumentTypeError(f"a seed is an integer of at least 0, got {text!r}")
    return seed
