"""`fettle search simulate`, `fettle search compare`: search strategies against measured tables."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fettle.cli.carried_options import add_carried_options, carried_options

if TYPE_CHECKING:
    from fettle.search.base import Strategy
    from fettle.search.simulate import Simulation
    from fettle.search.table import MeasuredTable

_COMPARED = ("random", "latin_hypercube", "greedy", "genetic", "annealing", "auto")


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `fettle search` with its own commands."""
    top = commands.add_parser(
        "search",
        help="try search strategies on measured tables",
        description="Run search strategies against tables of measured points.",
    )
    inner = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    simulate = inner.add_parser(
        "simulate",
        help="what one strategy finds, over many repetitions",
        description="Run a strategy against a measured table as if each row were measured now, and "
        "print its slowdown against the table's optimum and the measurements it spent. Repetition "
        "r has the seed r.",
    )
    _add_table_options(simulate, many=False)
    simulate.add_argument(
        "--strategy",
        required=True,
        metavar="NAME",
        help="auto is what Fettle recommends; a wrong name lists all",
    )
    simulate.add_argument(
        "--option",
        type=_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the strategy, such as as_published=false; may be repeated",
    )
    add_carried_options(simulate)
    simulate.set_defaults(run=run_simulate)

    compare = inner.add_parser(
        "compare",
        help="strategies side by side: a table, and best-so-far curves",
        description="Run several strategies against measured tables. Prints a table for each space "
        "and, for several spaces, the mean of optimum / best found over all.",
    )
    _add_table_options(compare, many=True)
    compare.add_argument(
        "--strategies",
        type=_names,
        default=_COMPARED,
        metavar="A,B,...",
        help=f"default: {','.join(_COMPARED)}",
    )
    compare.add_argument(
        "--picture",
        type=Path,
        metavar="FILE.svg",
        help="also draw the median slowdown after each measurement, with a band from the 10th to "
        "the 90th percentile (.svg, .png, .pdf)",
    )
    compare.set_defaults(run=run_compare)


def run_simulate(options: argparse.Namespace) -> int:
    """Simulate one strategy on one table."""
    from fettle.report.search_comparison import comparison_text

    more = carried_options(options)
    one = _simulation(_table(options.space, options), options.strategy, options, more)
    if options.json:
        print(json.dumps(one.record()))
    else:
        print("\n".join(comparison_text([one])).rstrip())
    return 0


def run_compare(options: argparse.Namespace) -> int:
    """Simulate every strategy on every table."""
    from fettle.core.picture_file import check_picture
    from fettle.report.search_comparison import comparison_text

    if options.picture is not None:
        check_picture(options.picture)
    simulations = []
    for path in options.space:
        table = _table(path, options)
        for strategy in dict.fromkeys(options.strategies):
            simulations.append(_simulation(table, strategy, options))
            if options.json:
                record = {**simulations[-1].record(), "mean_share": simulations[-1].mean_share}
                print(json.dumps({"space": str(path), **record}), flush=True)
    if not options.json:
        print("\n".join(comparison_text(simulations)).rstrip())
    if options.picture is not None:
        from fettle.report.search_curves import draw_comparison

        draw_comparison(simulations, options.picture)
    return 0


def _add_table_options(parser: argparse.ArgumentParser, many: bool) -> None:
    parser.add_argument(
        "--space",
        type=Path,
        required=True,
        nargs="+" if many else None,
        metavar="T.csv[.xz]",
        help="a line each measured point; recognised without more options are tables with a column "
        "time_per_pixel, and with time_ms and valid",
    )
    parser.add_argument("--budget", type=int, default=60, metavar="N", help="measurements (60)")
    parser.add_argument("--repeat", type=int, default=100, metavar="N", help="repetitions (100)")
    parser.add_argument("--metric", metavar="COLUMN", help="what was measured, smaller is better")
    parser.add_argument("--valid", metavar="COLUMN", help="1 where the point worked, 0 elsewhere")
    parser.add_argument(
        "--ignore", type=_names, default=(), metavar="A,B", help="columns that are not parameters"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object a strategy")


def _table(path: Path, options: argparse.Namespace) -> MeasuredTable:
    from fettle.search.table import measured_table

    return measured_table(path, options.metric, options.valid, options.ignore)


def _simulation(
    table: MeasuredTable,
    strategy: str,
    options: argparse.Namespace,
    more: Mapping[str, object] | None = None,
) -> Simulation:
    from fettle.search.simulate import simulate

    given = dict(getattr(options, "option", ()))
    _check_kinds(strategy, given)
    given |= more or {}
    return simulate(
        table,
        strategy,
        partial(_made, strategy, options.budget, given),
        budget=options.budget,
        repeat=options.repeat,
        jobs=options.jobs,
    )


def _made(
    name: str, budget: int, options: dict[str, object], table: MeasuredTable, seed: int
) -> Strategy:
    from fettle.search.registry import make_strategy

    return make_strategy(name, table.space, seed, budget, **options)


def _check_kinds(strategy: str, options: dict[str, object]) -> None:
    """Raises FettleError for a value that the option cannot take; unknown names pass."""
    import inspect

    from fettle.core.errors import FettleError
    from fettle.search.registry import strategy_factory

    parameters = inspect.signature(strategy_factory(strategy)).parameters
    for name, value in options.items():
        if name not in parameters:
            continue
        taken = str(parameters[name].annotation)
        kinds = {bool: ("bool",), int: ("int", "float"), float: ("float",), str: ("str",)}
        if not any(kind in taken for kind in kinds[type(value)]):
            raise FettleError(f"--option {name}={value}: {name} of {strategy} takes {taken}")


def _option(text: str) -> tuple[str, object]:
    name, is_given, value = text.partition("=")
    if not is_given or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    if value.lower() in ("true", "false"):
        return name, value.lower() == "true"
    for number in (int, float):
        try:
            return name, number(value)
        except ValueError:
            continue
    return name, value


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"expected a list of names such as a,b,c, got {text!r}")
    return names
