"""`fettle doctor`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import argparse
import dataclasses
import json

from fettle.cli.installation import installation
from fettle.core.check import Check


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `fettle doctor`."""
    parser = commands.add_parser(
        "doctor",
        help="what is installed, what is missing",
        description="Look for everything that Fettle uses on this machine. The exit status is 0 if "
        "all that is needed is there, 1 if not.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what was found; 1 if something needed is missing."""
    checks = installation()
    sound = all(check.found for check in checks if check.needed)
    if options.json:
        record = {"sound": sound, "checks": [dataclasses.asdict(check) for check in checks]}
        print(json.dumps(record, indent=1))
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            print(line(check, width))
        print("all that is needed is there" if sound else "something that is needed is missing")
    return 0 if sound else 1


def line(check: Check, width: int) -> str:
    """One check as one line, its name padded to `width`."""
    name = check.name.ljust(width)
    if check.found:
        return f"ok       {name}  {check.version}"
    word = "MISSING " if check.needed else "optional"
    return f"{word} {name}  for {check.purpose}: {check.remedy}"
