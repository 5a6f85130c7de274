"""`fettle show --pareto`: the trade-off between the metrics of a table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fettle.cli.objective_options import declared, is_of_runs, objectives_of, read_runs
from fettle.cli.table_arguments import warnings_as_lines
from fettle.core.errors import FettleError
from fettle.core.wording import counted, printable, shortened

if TYPE_CHECKING:
    from fettle.objectives.trade_off import TradeOff, Way

SHOWN = 20
"""How many inputs are shown one by one; --json has all."""


def run_pareto(options: argparse.Namespace) -> int:
    """Compare variants, objectives and the models of a directory on a table."""
    from fettle.cli.objective_evaluation import chosen, described
    from fettle.model.deployed import load
    from fettle.objectives.trade_off import trade_off

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
        print("\n".join(map(printable, _text(found, [f"{one.name}: {one}" for one in objectives]))))
    return 0


def _text(found: TradeOff, objectives: list[str]) -> Iterator[str]:
    table = found.table
    count = len(table.inputs)
    yield f"{counted(count, 'input')}, {counted(len(table.variants), 'variant')}"
    for line in objectives:
        yield f"objective {line}"
    yield f"on the Pareto front of {', '.join(found.names)} (not dominated):"
    for name, fronts in zip(table.variants, found.front.sum(axis=0), strict=True):
        yield f"  {name:<24} on {fronts} of {counted(count, 'input')}"
    if found.dominated:
        yield f"dominated on every input: {', '.join(found.dominated)}"
    yield "each metric over the best of it by any variant (geometric mean over the inputs):"
    shown = list(found.ways[0].relative)
    arrows = [
        f"{name} {'v' if table.metrics.directions[name] == 'larger' else '^'}" for name in shown
    ]
    yield f"  {'':<28} {' '.join(f'{name:>14}' for name in arrows)}   (^ the smaller is better)"
    for way in found.ways:
        figures = " ".join(f"{way.relative[name]:>14.4f}" for name in shown)
        mark = "front" if way.on_front else ""
        part = f" on {way.inputs} of {count}" if way.inputs < count else ""
        yield f"  {_called(way):<28} {figures}   {mark}{part}".rstrip()
    yield from _against(found, shown)
    yield from _by_input(found)


def _against(found: TradeOff, shown: list[str]) -> Iterator[str]:
    """The layout of table 4.1."""
    for way in found.ways:
        if way.kind == "variant":
            continue
        yield f"{_called(way)}, each metric over that of a fixed variant (mean over the inputs):"
        width = max(map(len, way.against))
        yield f"  {'':<{width}} {' '.join(f'{name:>12}' for name in shown)}"
        for variant, ratios in way.against.items():
            figures = " ".join(f"{ratios[name]:>12.4f}" for name in shown)
            yield f"  {variant:<{width}} {figures}"


def _by_input(found: TradeOff) -> Iterator[str]:
    table = found.table
    yield "the front of each input:"
    for name, front in list(zip(table.inputs, found.front, strict=True))[:SHOWN]:
        members = [variant for variant, there in zip(table.variants, front, strict=True) if there]
        yield f"  {shortened(name):<28} {', '.join(members)}"
    if len(table.inputs) > SHOWN:
        yield f"  and {counted(len(table.inputs) - SHOWN, 'input')} more (--json has all)"


def _called(way: Way) -> str:
    return {"variant": way.name, "optimum": f"best by {way.name}", "model": f"model {way.name}"}[
        way.kind
    ]


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
