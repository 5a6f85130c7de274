"""Asks a program which computations it has: compiles it with FETTLE_INTROSPECT and runs it.

There is no parser of C++ here. The compiler instantiates what the program executes, and each of
these instantiations reports itself before main() (`include/fettle/ndp/introspect_program.hpp`), so
the program needs none of its inputs.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.ndp.base.computation import Computation, read_computation
from fettle.ndp.toolchain import Toolchain
from fettle.processes import SupervisedProcess

SECONDS = 30.0


def analyze(
    source: Path,
    toolchain: Toolchain,
    *,
    arguments: Sequence[str] = (),
    seconds: float = SECONDS,
) -> tuple[Computation, ...]:
    """The computations of a program on the toolchain's platform, by their names; unnamed ones last.

    Each once: a computation that the program executes in several places counts as one. The program
    is started with `arguments`, which only one that builds a `fettle::ndp::program` may need: what
    can be fused in it is known when it is reached. Raises
    FettleError where the program does not compile, crashes, takes longer than `seconds`, executes
    nothing on the platform, or gives two computations the same name.
    """
    if not source.is_file():
        raise FettleError(f"the source file {source} does not exist")
    with tempfile.TemporaryDirectory(prefix="fettle-analyze-") as folder:
        program = Path(folder) / "program"
        _compile(source, toolchain, program)
        file = Path(folder) / "computations.jsonl"
        lines = _reports(source, [str(program), *arguments], file, seconds)
    found = _read(lines)
    here = [each for each in found if each.platform == toolchain.platform]
    if not here:
        elsewhere = sorted({each.platform for each in found})
        raise FettleError(
            f"{source} executes no computation on {toolchain.platform}"
            + (f", but on {', '.join(elsewhere)}: use --platform" if elsewhere else "")
        )
    _check_names(source, here)
    # Reports come in the order of the instantiations, which is the compiler's business.
    named = sorted(
        _each_once(here), key=lambda each: (each.name is None, each.name or each.signature)
    )
    return tuple(named)


def _read(lines: Sequence[str]) -> list[Computation]:
    """The computations that a program reports; those that are parts of programs are marked."""
    reports = list(dict.fromkeys(lines))
    marks = [line for line in reports if line.startswith('{"part_of_program":')]
    parts = {(one["part_of_program"], one["platform"]) for one in map(json.loads, marks)}
    found = [read_computation(line) for line in reports if line not in marks]
    return [replace(each, of_program=(each.name, each.platform) in parts) for each in found]


def _compile(source: Path, toolchain: Toolchain, program: Path) -> None:
    # Not optimised: the program only reports.
    kept = [flag for flag in toolchain.compile_flags if not re.fullmatch(r"-O\w*", flag)]
    # A source may include the header that tuning will write.
    (program.parent / "fettle_config.hpp").touch()
    more = ("-O0", "-DFETTLE_INTROSPECT", f"-I{program.parent}")
    asking = replace(toolchain, compile_flags=(*kept, *more))
    compiled = program.with_suffix(".o")
    for command in (asking.compile(source, compiled), asking.link([compiled], program)):
        with SupervisedProcess(command, environment=os.environ) as process:
            if process.wait() != 0:
                raise FettleError(
                    f"{source} does not compile for analysis; the command was\n"
                    f"  {shlex.join(command)}\nand it said\n{process.output.text()}".rstrip()
                )


def _reports(source: Path, program: Sequence[str], file: Path, seconds: float) -> list[str]:
    environment = {**os.environ, "FETTLE_INTROSPECT": str(file)}
    with SupervisedProcess(program, environment=environment) as process:
        status = process.wait(seconds)
        output = process.output.text()
    if status is None:
        raise FettleError(
            f"{source}, compiled for analysis, ran for {seconds:g} s without reaching an "
            "execute(); does it wait for something? It is run without arguments and input"
        )
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    # A program that wants arguments may well say so and end: its reports are written by then.
    if not lines or status < 0:
        raise FettleError(
            f"{source}, compiled for analysis, {_ended(status)} and reported "
            f"{len(lines) or 'no'} computations, calls of fettle::ndp::execute; name the source of "
            "a program that has some and does not end before the first; it said\n"
            f"{_tail(output)}"
        )
    return lines


def _ended(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _tail(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines()[-20:]) or "  (nothing)"


def _check_names(source: Path, found: Sequence[Computation]) -> None:
    signatures: dict[str, str] = {}
    for each in found:
        if each.name is None:
            continue
        first = signatures.setdefault(each.name, each.signature)
        if first != each.signature:
            raise FettleError(
                f'{source} has two computations with the name "{each.name}": {first}, and '
                f"{each.signature}; give one of them another name"
            )


def _each_once(found: Sequence[Computation]) -> list[Computation]:
    """The same computation may be executed into another destination, by another instantiation.

    What the two can do differently is what only some of their schedules share. A program that was
    reached is described twice, and the second time with its parts.
    """
    merged: dict[tuple[str | None, str], Computation] = {}
    for each in found:
        key = (each.name, each.signature)
        merged[key] = _common(merged[key], each) if key in merged else each
    return list(merged.values())


def _common(first: Computation, second: Computation) -> Computation:
    schedules = {
        name: parameters for name, parameters in first.schedules.items() if name in second.schedules
    }
    pruned = dict((*first.pruned, *second.pruned))
    return replace(
        first,
        schedules=schedules,
        pruned=tuple(pruned.items()),
        value_bytes=max(first.value_bytes, second.value_bytes),
        commutative=first.commutative and second.commutative,
        parts=second.parts or first.parts,
        fusions=second.fusions or first.fusions,
    )
