"""`fettle predict`: the variant that a model selects for given values of its features."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from fettle.cli.table_arguments import MODEL_HELP, names
from fettle.cli.transfer_options import refuse_transfer
from fettle.core.errors import FettleError
from fettle.core.wording import counted


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `fettle predict`."""
    parser = commands.add_parser(
        "predict",
        help="the variant that a model selects for given feature values",
        description="Print the variant that a model selects, as a program would select it.",
    )
    parser.add_argument("--model", type=Path, required=True, metavar="DIR", help=MODEL_HELP)
    parser.add_argument(
        "--values",
        type=_values,
        required=True,
        metavar="rows=1138,nnz=4054",
        help="a value for each feature of the model; without names in the order of the features "
        "(write --values=-1,... where the first is negative)",
    )
    parser.add_argument(
        "--excluded",
        type=names,
        default=(),
        metavar="A,B,...",
        help="variants that a constraint of the program excludes for this input",
    )
    parser.add_argument(
        "--objective",
        metavar="NAME",
        help="which of the model's objectives, where it has several (default: the first)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Select one variant."""
    from fettle.cli.objective_evaluation import described
    from fettle.model.deployed import BY_MODEL, load

    refuse_transfer(options.model)
    directory = options.model
    if options.objective is not None:
        of = described(directory)
        directory = of.model_of(of.named(options.objective, directory), directory)
    model, values = load(directory), options.values
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
            whose = "the default variant" if choice.variant == model.default else "an exact variant"
            print(f"{choice.reason}: {whose} ({details})", file=sys.stderr)
        print(choice.variant)
    return 0


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
