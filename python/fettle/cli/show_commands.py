"""`fettle show DIR`: what a model chooses among, what it was trained on, how good it is."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fettle.cli.objective_options import (
    add_column_options,
    add_objective_options,
    is_of_runs,
)
from fettle.cli.table_arguments import names
from fettle.cli.transfer_options import refuse_transfer
from fettle.core.errors import FettleError

if TYPE_CHECKING:
    from fettle.model.model import Model, ModelInput


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `fettle show`."""
    parser = commands.add_parser(
        "show",
        help="what a model was trained on, how good it is",
        description="Show a model directory, or every model in a directory of them. Versions, "
        "names and checksums are verified; the exit status is 2 if a model cannot be used.",
    )
    parser.add_argument(
        "directory", type=Path, metavar="DIR", nargs="?", help="a folder that holds model.txt"
    )
    parser.add_argument(
        "--pareto",
        action="store_true",
        help="the trade-off between metrics, of a table with a row a run: fronts, dominated "
        "variants, where the models of DIR are, if it is given",
    )
    parser.add_argument("--table", type=Path, metavar="T.csv", help="with --pareto: the table")
    parser.add_argument(
        "--metrics",
        type=names,
        metavar="A,B,...",
        help="with --pareto: what was measured (default: as DIR says)",
    )
    add_column_options(parser, inputs=True)
    add_objective_options(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Show each model; a broken one does not hide the others."""
    if options.pareto:
        from fettle.cli.pareto_command import run_pareto

        return run_pareto(options)
    if is_of_runs(options) or options.table or options.metrics:
        raise FettleError("a table is shown with --pareto; give it, too")
    if options.directory is None:
        raise FettleError("name the directory of a model, or a table with --pareto --table T.csv")
    refuse_transfer(options.directory)
    from fettle.model.deployed import model_directories
    from fettle.model.model_directory import read_model

    records: list[dict[str, Any]] = []
    status = 0
    for directory in model_directories(options.directory):
        try:
            records.append(describe(read_model(directory), directory))
        except FettleError as error:
            status = 2
            print(f"fettle: {error}", file=sys.stderr)
    if options.json:
        print(json.dumps(records, indent=1, ensure_ascii=False))
    else:
        print("\n".join(text(record) for record in records), end="")
    return status


def describe(model: Model, directory: Path) -> dict[str, Any]:
    """What there is to say about `model`, for `--json` and for the text."""
    from fettle.model.model_directory import named_in

    looked_at = [model, *model.refinements.values()]
    inputs = [entry for one in looked_at for entry in one.inputs]
    used = {entry.feature for entry in inputs} | {entry.divisor for entry in inputs}
    errors = model.errors
    if errors is not None and errors.admissions:
        used |= {entry.feature for entry in errors.inputs}
        used |= {entry.divisor for entry in errors.inputs}
    files = [directory / name for name in ("model.txt", *named_in(directory, "predictor"))]
    return {
        "function": model.function,
        "directory": str(directory),
        "classifier": model.classifier,
        "size": model.predictor.size(),
        "bytes": sum(path.stat().st_size for path in files),
        "variants": list(model.variants),
        "default": model.default,
        "parameters": {
            variant: {name: list(values) for name, values in parameters.items()}
            for variant, parameters in model.parameters.items()
        },
        "points": {variant: list(one.variants) for variant, one in model.refinements.items()},
        "features": [{"name": name, "used": name in used} for name in model.features],
        "inputs": [
            {
                "input": quantity(entry),
                "transform": entry.transform,
                "least": plain_bound(entry, entry.low),
                "greatest": plain_bound(entry, entry.high),
            }
            for entry in model.inputs
        ],
        "guard": model.guard,
        "approximate": None
        if errors is None or not errors.approximate
        else {
            "variants": list(errors.approximate),
            "bound": errors.bound,
            "admitted": list(errors.admissions),
        },
        "provenance": dict(model.provenance),
        "checksums": "ok",  # read_model refuses a file whose checksum differs
    }


def quantity(entry: ModelInput) -> str:
    """What a model input looks at: nnz, nnz / rows, or what a quotient or a root leaves."""
    if entry.transform == "root_fraction":
        return f"fraction of sqrt {entry.feature}"
    if entry.divisor is None:
        return entry.feature
    fraction = "fraction of " if entry.transform == "fraction" else ""
    return f"{fraction}{entry.feature} / {entry.divisor}"


def plain_bound(entry: ModelInput, bound: float) -> float:
    """A bound of the trained region, which the model keeps in transformed space, untransformed."""
    if not entry.transform.startswith("log"):
        return bound
    return math.exp(min(bound, math.log(sys.float_info.max)))


def _approximate_facts(found: dict[str, Any] | None) -> list[tuple[str, str]]:
    """Which variants are approximate, and which of them are ever chosen."""
    if found is None:
        return []
    where = f"where an error of at most {found['bound']:g} is predicted"
    chosen = f"{', '.join(found['admitted'])}, {where}" if found["admitted"] else "none"
    return [("approximate", ", ".join(found["variants"])), ("admitted", chosen)]


def text(record: dict[str, Any]) -> str:
    """A record of `describe` for people: one fact a line, ending with a newline."""
    from fettle.core.wording import counted, printable

    size = ", ".join(
        counted(count, name.replace("_", " ").removesuffix("s"))
        for name, count in record["size"].items()
    )
    unused = [feature["name"] for feature in record["features"] if not feature["used"]]
    used = [feature["name"] for feature in record["features"] if feature["used"]]
    facts = [
        ("directory", record["directory"]),
        ("classifier", f"{record['classifier']}: {size}, {record['bytes']} bytes, checksums ok"),
        ("variants", ", ".join(record["variants"])),
        ("default", record["default"]),
        *_approximate_facts(record["approximate"]),
        *(
            (f"points of {variant}", ", ".join(name.removeprefix(f"{variant} ") for name in points))
            for variant, points in record["points"].items()
        ),
        ("features", ", ".join(used) or "none is used: the choice is always the same"),
    ]
    if unused:
        facts.append(("not used", ", ".join(unused)))
    guard = record["guard"]
    for entry in record["inputs"]:
        bounds = f"{entry['least']:.4g} to {entry['greatest']:.4g}"
        scale = ", by its logarithm" if entry["transform"].startswith("log") else ""
        facts.append(("trained on", f"{entry['input']}: {bounds}{scale}"))
    if record["inputs"]:
        beyond = (
            "any input" if guard is None else f"inputs up to {100 * guard:g} % of a range beyond it"
        )
        facts.append(("chooses for", beyond))
    facts += record["provenance"].items()
    width = max(len(name) for name, _ in facts)
    lines = [record["function"], *(f"  {name.ljust(width)}  {value}" for name, value in facts)]
    return "\n".join(map(printable, lines)) + "\n"
