"""The command `fettle`: each module in COMMAND_MODULES adds its commands to one parser.

A command module has `add_commands(commands)`, which adds argparse subparsers and sets on each the
default `run`, a function from the parsed arguments to the exit status.
"""

import argparse
import importlib
import sys
from collections.abc import Sequence

from fettle import __version__
from fettle.errors import FettleError

COMMAND_MODULES = (
    "fettle.cli.tune_commands",
    "fettle.cli.ndp_commands",
    "fettle.cli.table_commands",
    "fettle.cli.show_commands",
    "fettle.cli.search_commands",
    "fettle.cli.doctor",
)


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = argparse.ArgumentParser(prog="fettle", description="Tune C++ code variants.")
    top.add_argument("--version", action="version", version=f"fettle {__version__}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name in COMMAND_MODULES:
        importlib.import_module(name).add_commands(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what the user can mend is one line on stderr and status 2."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    options = parser().parse_args(words)
    options.words = words
    try:
        status: int = options.run(options)
        return status
    except FettleError as error:
        print(f"fettle: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("fettle: interrupted", file=sys.stderr)
        return 130
