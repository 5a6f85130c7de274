"""`fettle show --pareto`: the trade-off between the metrics of a table."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from fettle.cli.objective_options import declared, is_of_runs, objectives_of, read_runs
from fettle.cli.table_arguments import warnings_as_lines
from fettle.core.errors import FettleError
from fettle.core.wording import counted, printable

if TYPE_CHECKING:
    from fettle.objectives.trade_off import TradeOff


def run_pareto(options: argparse.Namespace) -> int:
    """Compare variants, objectives and the models of a directory on a table."""
    from fettle.cli.objective_evaluation import chosen, described
    from fettle.model.deployed import load
    from fettle.objectives.trade_off import trade_off
    from fettle.objectives.trade_off_text import front_lines, trade_off_lines

    if not options.table or not is_of_runs(options):
        raise FettleError(
            "--pareto needs a table: --table T.csv --input-column A,B --variant-column COLUMN"
        )
    of = None if options.directory is None else described(options.directory)
    if of is not None and (options.metrics or options.define):
        raise FettleError(
            f"{options.directory} says which metrics there are; leave --metrics and --define out"
        )
    metrics = declared(options) if of is None else of.metrics
    objectives = list(objectives_of(options, metrics))
    known = {one.name for one in objectives}
    objectives += [one for one in (of.objectives if of else ()) if one.name not in known]
    with warnings_as_lines():
        models = {}
        table = read_runs(options, metrics, ())
        for one in of.objectives if of else ():
            assert of is not None
            deployed = load(of.model_of(one, options.directory))
            with_features = read_runs(options, metrics, deployed.features)
            models[one.name] = chosen(deployed, with_features)[0]
        found = trade_off(table.runs, [one for one in objectives if one.function is None], models)
    if options.json:
        print(json.dumps(_record(found), indent=1))
    else:
        count, variants = len(table.runs.inputs), len(table.runs.variants)
        lines = [f"{counted(count, 'input')}, {counted(variants, 'variant')}"]
        lines += [f"objective {one.name}: {one}" for one in objectives]
        lines += [*trade_off_lines(found), *front_lines(found)]
        print("\n".join(map(printable, lines)))
    return 0


def _record(found: TradeOff) -> dict[str, object]:
    table = found.table
    return {
        "metrics": list(found.names),
        "variants": list(table.variants),
        "dominated": list(found.dominated),
        "fronts": {
            name: [v for v, there in zip(table.variants, front, strict=True) if there]
            for name, front in zip(table.inputs, found.front, strict=True)
        },
        "ways": [vars(way) for way in found.ways],
    }
