"""Options of `fettle search simulate --strategy carried`: other machines and their features."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fettle.core.errors import FettleError

CARRIED = "carried"


def add_carried_options(parser: argparse.ArgumentParser) -> None:
    """Add --sources, --machines and --machine."""
    parser.add_argument(
        "--sources",
        nargs="+",
        default=(),
        metavar="[NAME=]T.csv[.xz]",
        help="strategy carried: tables of the same space on other machines; NAME is that of the "
        "machine in --machines (default: what follows __ in the file's name)",
    )
    parser.add_argument(
        "--machines",
        type=Path,
        metavar="M.csv",
        help="strategy carried: a machines file, whose numbers are device features",
    )
    parser.add_argument(
        "--machine",
        metavar="NAME",
        help="strategy carried: the machine of --space in --machines (default: as for sources)",
    )


def carried_options(options: argparse.Namespace) -> dict[str, Any]:
    """What the strategy is made with. Raises FettleError for options that do not fit it."""
    from fettle.search.table import measured_table

    if options.strategy != CARRIED:
        for name in ("sources", "machines", "machine"):
            if getattr(options, name):
                raise FettleError(f"--{name} is for --strategy {CARRIED}; leave it out")
        return {}
    named = [_named(text) for text in options.sources]
    tables = [
        measured_table(path, options.metric, options.valid, options.ignore) for _, path in named
    ]
    if options.machines is None:
        return {"sources": tables}
    known = _features(options.machines)
    target = options.machine or _machine_of(options.space)
    return {
        "sources": tables,
        "devices": [_known(known, name, options.machines) for name, _ in named],
        "device": _known(known, target, options.machines),
    }


def _named(text: str) -> tuple[str, Path]:
    name, is_given, path = text.partition("=")
    return (name, Path(path)) if is_given else (_machine_of(Path(text)), Path(text))


def _machine_of(path: Path) -> str:
    """What follows __ in the name of a file: gemm__A100.csv.xz is of A100."""
    stem = path.name.partition(".")[0]
    return stem.rpartition("__")[2]


def _features(path: Path) -> Mapping[str, Mapping[str, float]]:
    from fettle.transfer.own_features import features_of_file

    return features_of_file(path)


def _known(known: Mapping[str, Mapping[str, float]], name: str, path: Path) -> Mapping[str, float]:
    if name not in known:
        raise FettleError(
            f"{path} has no line for the machine {name!r}; add it, or name another one: "
            f"--sources NAME=FILE, --machine NAME; it has {', '.join(known)}"
        )
    return known[name]
