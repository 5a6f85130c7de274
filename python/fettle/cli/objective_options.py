"""The options of `fettle train`, `evaluate` and `show` for tables with a row a run."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fettle.cli.table_arguments import names
from fettle.core.errors import FettleError

if TYPE_CHECKING:
    from fettle.objectives.measured_table import MeasuredTable
    from fettle.objectives.metrics import Metrics
    from fettle.objectives.objective import Objective

_NEED_VARIANTS = ("define", "minimize", "maximize", "objective", "subject_to", "where", "default")


def add_column_options(parser: argparse.ArgumentParser, *, inputs: bool) -> None:
    """What says how to read such a table; `inputs`: --input-column, too."""
    if inputs:
        parser.add_argument(
            "--input-column", type=names, metavar="A,B,...", help="the columns that name an input"
        )
    parser.add_argument(
        "--variant-column",
        metavar="COLUMN",
        help="the table has a row a run, and this column names its variant: several metrics and "
        "objectives (docs/objectives.md)",
    )
    parser.add_argument(
        "--where",
        type=_pair,
        action="append",
        default=[],
        metavar="COLUMN=CELL",
        help="only the rows with this cell",
    )


def add_objective_options(parser: argparse.ArgumentParser) -> None:
    """What says which metrics there are, and what is to be optimised."""
    parser.add_argument(
        "--define",
        type=_pair,
        action="append",
        default=[],
        metavar="NAME=EXPR",
        help="a metric made of others: throughput=1/seconds",
    )
    parser.add_argument(
        "--larger-is-better",
        type=names,
        default=(),
        metavar="A,B,...",
        help="metrics of which the larger is better",
    )
    parser.add_argument("--minimize", metavar="EXPR", help="the objective: joules")
    parser.add_argument("--maximize", metavar="EXPR", help="the objective: 'throughput / watts**2'")
    parser.add_argument(
        "--objective",
        type=_pair,
        action="append",
        default=[],
        metavar="NAME=EXPR",
        help="one of several objectives, each with its model: 'eco=minimize joules', or eco=joules",
    )
    parser.add_argument(
        "--subject-to",
        action="append",
        default=[],
        metavar="BOUND",
        help="what a variant must keep to be chosen: 'seconds <= 1.1 * best(seconds)'",
    )


def is_of_runs(options: argparse.Namespace) -> bool:
    """Whether the table has a row a run. Raises FettleError for options that need that."""
    if options.variant_column:
        if not options.input_column:
            raise FettleError(
                "--variant-column needs --input-column: the columns that name the input of a row"
            )
        if getattr(options, "machine_column", None) or getattr(options, "machines", None):
            raise FettleError(
                "--variant-column and --machine-column cannot be used together; train one machine "
                "after the other, with --where"
            )
        return True
    for option in _NEED_VARIANTS:
        if getattr(options, option, None):
            raise FettleError(
                f"--{option.replace('_', '-')} is for tables with a row a run; name the column of "
                "the variant, too: --variant-column"
            )
    return False


def declared(options: argparse.Namespace) -> Metrics:
    """The metrics that the options name. Raises FettleError."""
    from fettle.objectives.metrics import declare_metrics

    if not options.metrics:
        raise FettleError("--metrics is needed: the columns of what was measured, as seconds,watts")
    return declare_metrics(options.metrics, _once(options.define), options.larger_is_better)


def objectives_of(options: argparse.Namespace, metrics: Metrics) -> list[Objective]:
    """The objectives that the options name, in their order. Raises FettleError."""
    from fettle.objectives.objective import DEFAULT, parse_objective

    given: list[tuple[str, str]] = []
    for verb in ("minimize", "maximize"):
        if getattr(options, verb):
            given.append((DEFAULT, f"{verb} {getattr(options, verb)}"))
    given += [(name, text) for name, text in options.objective]
    if len(given) > 1 and DEFAULT in [name for name, _ in given]:
        raise FettleError(
            "--minimize and --maximize are for a single objective; give several ones names: "
            "--objective fast=seconds --objective eco=joules"
        )
    return [parse_objective(name, text, metrics, options.subject_to) for name, text in given]


def read_runs(options: argparse.Namespace, metrics: Metrics, features: object) -> MeasuredTable:
    """The table that the options name. Raises FettleError."""
    from fettle.data.table import read_table
    from fettle.objectives.measured_table import Columns, read_measured

    assert isinstance(features, tuple)
    columns = Columns(options.input_column, options.variant_column, features)
    return read_measured(read_table(options.table), columns, metrics, _once(options.where))


def said_of(objective: Objective, metrics: Metrics) -> Iterator[str]:
    """The objective, and a warning where it goes the wrong way."""
    yield f"objective {objective.name}: {objective}"
    against = objective.against(metrics)
    if against:
        yield f"warning: {against}"


def _once(pairs: list[tuple[str, str]]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise FettleError(f"{name!r} is given twice: as {found[name]!r} and as {value!r}")
        found[name] = value
    return found


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    return name, value
