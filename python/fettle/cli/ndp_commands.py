"""`fettle ndp`: nested data-parallel computations of a program, their schedules and candidates.

`fettle ndp tune` is in ndp_tune.py.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fettle.cli.ndp_tune import add_tune
from fettle.ndp.platforms import platform_names

if TYPE_CHECKING:
    from fettle.ndp.base.computation import Computation


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `fettle ndp` with its own commands."""
    top = commands.add_parser(
        "ndp",
        help="tune nested data-parallel computations",
        description='Tune the computations execute<"name">(...) of a C++ or CUDA program.',
    )
    below = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    add_tune(below, [_program(), _space()])
    _add_schedules(below)
    _add_space(below)


def _program() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("source", type=Path, help="the program's source file")
    parser.add_argument("--platform", choices=platform_names(), default="openmp")
    parser.add_argument("--flags", default="", help="compiler flags, as one text")
    parser.add_argument("--compiler", help="$CXX or c++ where not given; nvcc for CUDA")
    parser.add_argument("--arch", help="compile for this, not for the machine here: sm_90")
    return parser


def _space() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--size", choices=("small", "full"), default="full", help="of the space")
    return parser


def _start() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--start",
        default="",
        metavar="ARGUMENTS",
        help="with which the program reaches p.execute<...>() of a program of computations",
    )
    return parser


def _add_schedules(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "schedules",
        help="show the lattice of schedules",
        description="Show the schedules of each computation: the strongest on top, what the "
        "platform cannot run in brackets, with the reason. Of a program of computations, what "
        "may be fused.",
        parents=[_program(), _start()],
    )
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="also draw them: .png, .svg, .pdf"
    )
    parser.set_defaults(run=run_schedules)


def _add_space(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "space",
        help="show what would be tried",
        description="Show how many candidates each schedule has, and what was cut from the space "
        "and why.",
        parents=[_program(), _space(), _start()],
    )
    parser.add_argument("--list", action="store_true", help="name every candidate")
    parser.set_defaults(run=run_space)


def run_schedules(options: argparse.Namespace) -> int:
    """Prints the lattices. Raises FettleError."""
    from fettle.core.picture_file import check_picture
    from fettle.ndp.program_text import program_text
    from fettle.ndp.schedules import draw_lattice, lattice_text

    if options.picture is not None:
        check_picture(options.picture)
    found = _computations(options)
    print("\n".join((program_text if one.is_program else lattice_text)(one) for one in found))
    if options.picture is not None:
        drawn = [one for one in found if not one.is_program]
        for one in drawn:
            target = _picture(options.picture, one, several=len(drawn) > 1)
            draw_lattice(one, target)
            print(target)
    return 0


def _picture(path: Path, one: Computation, *, several: bool) -> Path:
    """With several computations each gets a separate file."""
    name = one.name or one.expression.replace(">", "_")
    return path.with_name(f"{path.stem}_{name}{path.suffix}") if several else path


def run_space(options: argparse.Namespace) -> int:
    """Prints the spaces. Raises FettleError."""
    from fettle.ndp.policies import candidates
    from fettle.ndp.program_text import program_text
    from fettle.ndp.space_text import space_text

    for one in _computations(options):
        if one.is_program:
            print(program_text(one))
            continue
        print(space_text(one, options.size))
        if options.list:
            print("\n".join(f"  {candidate.text}" for candidate in candidates(one, options.size)))
    return 0


def _computations(options: argparse.Namespace) -> Sequence[Computation]:
    from fettle.ndp.analyze import analyze
    from fettle.ndp.toolchain import toolchain_of

    toolchain = toolchain_of(
        options.platform,
        flags=options.flags,
        compiler=options.compiler,
        architecture=options.arch,
    )
    return analyze(options.source, toolchain, arguments=shlex.split(options.start))
