"""`fettle train`: a model from a table of measurements."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from fettle.cli.classifier_option import CLASSIFIERS, classifier_named
from fettle.cli.objective_options import (
    add_column_options,
    add_objective_options,
    is_of_runs,
)
from fettle.cli.table_arguments import TABLE_HELP, names, warnings_as_lines
from fettle.cli.table_reports import fit_record, fit_text
from fettle.cli.transfer_options import METHOD_NAMES, add_machine_options, is_of_machines
from fettle.core.errors import FettleError
from fettle.core.wording import counted

LARGE = 2_000_000  # bytes of a table; reading and learning from more takes seconds


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `fettle train`."""
    parser = commands.add_parser(
        "train",
        help="train a model on a table of measurements",
        description="Train a model that chooses the column with the smallest metric from the "
        "features, on a CSV file (.gz, .bz2, .xz too) with one line an input. A metric that is "
        "empty says that a constraint excludes the input; the word failed, that the variant failed "
        "there, and is then never chosen. Reports cross-validated shares of best.",
    )
    parser.add_argument("--table", type=Path, required=True, metavar="T.csv", help=TABLE_HELP)
    parser.add_argument(
        "--features",
        type=names,
        required=True,
        metavar="A,B,...",
        help="columns that are known before a variant is chosen",
    )
    parser.add_argument(
        "--metrics",
        type=names,
        required=True,
        metavar="X_ms,Y_ms,...",
        help="columns of times or other costs, one a variant, smaller is better; names that end "
        "with _s, _ms, _us or _ns say the unit. With --variant-column: what was measured of a run, "
        "as seconds,watts,joules",
    )
    parser.add_argument(
        "--model", type=_directory, required=True, metavar="DIR", help="the directory to write"
    )
    parser.add_argument(
        "--classifier",
        choices=CLASSIFIERS,
        help="what learns; auto (default) takes the best of svm, tree and forest; with "
        "--variant-column the default is extra-trees",
    )
    parser.add_argument(
        "--allow-failures",
        type=names,
        default=(),
        metavar="X_ms,...",
        help="metrics whose variants may be chosen although they failed on some input",
    )
    parser.add_argument(
        "--name",
        metavar="FUNCTION",
        help="what the program's policy calls the function (default: the name of DIR)",
    )
    parser.add_argument(
        "--seed", type=_seed, default=0, metavar="N", help="of everything random (default 0)"
    )
    parser.add_argument(
        "--calls",
        type=int,
        default=100,
        metavar="N",
        help="calls over which one selection is spread when auto weighs its time (default 100)",
    )
    parser.add_argument(
        "--rows",
        type=int,
        default=20_000,
        metavar="N",
        help="learn from at most so many rows, chosen at random (default 20000)",
    )
    add_machine_options(parser)
    parser.add_argument(
        "--input-column",
        type=names,
        metavar="A,B,...",
        help="the columns that name an input: its rows on all machines stay together when methods "
        "are judged",
    )
    add_column_options(parser, inputs=False)
    add_objective_options(parser)
    parser.add_argument(
        "--default",
        metavar="VARIANT",
        help="with --variant-column: what runs outside the trained region, and where no variant "
        "satisfies the bounds (default: what is most often right)",
    )
    parser.add_argument(
        "--transfer",
        choices=METHOD_NAMES,
        help="how to carry over to other machines; auto (default) takes what is best between the "
        "machines of the table",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Train, report, write the model directory."""
    if is_of_runs(options):
        from fettle.cli.objective_training import run_objectives

        return run_objectives(options)
    if is_of_machines(options):
        from fettle.cli.transfer_training import run_transfer

        return run_transfer(options)
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
    with warnings_as_lines():
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
                f"seed {options.seed} (--rows N changes it)",
                file=sys.stderr,
                flush=True,
            )
        learner = classifier_named(
            options.classifier or "auto", calls=options.calls, seed=options.seed
        )
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


def _seed(text: str) -> int:
    try:
        seed = int(text)
    except ValueError:
        seed = -1
    if not 0 <= seed < 2**31:
        raise argparse.ArgumentTypeError(f"a seed is an integer of at least 0, got {text!r}")
    return seed


def _directory(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("expected the name of a directory, not an empty text")
    return Path(text)
