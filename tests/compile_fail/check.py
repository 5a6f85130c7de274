"""Checks that misuse of the library fails to compile, with the message that the user needs.

Usage: check.py INCLUDE_FOLDER FILE -- COMPILER... FILE holds cases:

    // expect: regular expression, matched against the compiler's messages
    #ifdef CASE_name  // with -fsome -fflags
    misuse
    #endif

The flags, if there are any, are the case's alone.
Without any CASE_ the file is the passing twin and has to compile; with one, it has to fail with the
expected message. A file without cases, a case without expectation, and a case that no expectation
names are errors too, so that a broken file can't pass silently.

To save time, what the file includes before its first other line is precompiled once for all cases
in C++, and Fettle's functions that are not templates are only declared.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

EXPECTATION = re.compile(r"\s*// expect: (.+?)\s*$")
INCLUDE = re.compile(r"\s*#\s*include\s*<")
CASE = re.compile(r"\s*#\s*if.*\b(CASE_\w+)(?:\s*// with (.+))?")


class CheckError(Exception):
    """What is wrong with the file, its twin or one of its cases."""


class Case(NamedTuple):
    """The message that a case expects, and the flags that it is compiled with."""

    expected: str
    flags: Sequence[str] = ()


def cases_of(source: str) -> dict[str, Case]:
    """The cases of a file."""
    cases: dict[str, Case] = {}
    expected = ""
    for number, line in enumerate(source.splitlines(), start=1):
        if match := EXPECTATION.match(line):
            expected = match[1]
        elif match := CASE.match(line):
            if not expected:
                raise CheckError(f"line {number}: {match[1]} has no `// expect:` line above it")
            if match[1] in cases:
                raise CheckError(f"line {number}: {match[1]} is there twice")
            cases[match[1]] = Case(expected, (match[2] or "").split())
            expected = ""
        elif expected:
            raise CheckError(f"line {number}: `// expect:` has to stand right above `#ifdef CASE_`")
    if not cases:
        raise CheckError("no case: nothing would be checked")
    return cases


def leading_includes(source: str) -> str:
    """The `#include <...>` lines before anything but comments and blank lines."""
    lines = []
    for line in source.splitlines():
        if INCLUDE.match(line):
            lines.append(line)
        elif line.strip() and not line.startswith("//"):
            break
    return "\n".join([*lines, ""])


def check(file: Path, include: Path, compiler: Sequence[str]) -> list[str]:
    """Compile the twin and every case of a file; returns the cases if all of them are right."""
    with tempfile.TemporaryDirectory() as folder:
        return _check(file, include, compiler, Path(folder))


def _check(file: Path, include: Path, compiler: Sequence[str], folder: Path) -> list[str]:
    source = file.read_text(encoding="utf-8")
    cases = cases_of(source)
    common = [*compiler, "-std=c++20", "-DFETTLE_COMPILED", f"-I{include}"]
    if file.suffix != ".cu":
        header = folder / "included.hpp"
        header.write_text(leading_includes(source), encoding="utf-8")
        precompile = [*common, "-x", "c++-header", str(header), "-o", f"{header}.gch"]
        subprocess.run(precompile, capture_output=True, check=False)  # the twin reports errors
        common += ["-include", str(header)]

    def messages(*options: str) -> tuple[int, str]:
        # Without source lines among them: those would hold the expectation itself.
        command = [*common, *options, str(file)]
        if file.suffix == ".cu":  # nvcc looks at a file twice, and says more on its standard output
            command += ["-c", "-o", os.devnull, "-Xcompiler", "-fno-diagnostics-show-caret"]
        else:
            command += ["-fsyntax-only", "-fno-diagnostics-show-caret"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        return run.returncode, run.stderr + run.stdout

    status, text = messages()
    if status != 0:
        raise CheckError(f"the passing twin does not compile:\n{text}")
    for name, (expected, flags) in cases.items():
        status, text = messages(f"-D{name}", *flags)
        if status == 0:
            raise CheckError(f"{name} compiles, though it is misuse")
        if not re.search(expected, text):
            raise CheckError(f"{name} fails without the message\n  {expected}\nbut with\n{text}")
    return list(cases)


def main(arguments: Sequence[str]) -> int:
    """Check one file; says which cases held, or what is wrong."""
    include, file, separator, *compiler = arguments
    if separator != "--" or not compiler:
        raise SystemExit(__doc__)
    try:
        names = check(Path(file), Path(include), compiler)
    except CheckError as problem:
        print(f"{file}: {problem}")
        return 1
    print(f"{file}: {len(names)} cases fail as they should: {', '.join(names)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
