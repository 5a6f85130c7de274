"""Checks that misuse of the library fails to compile, with the message that the user needs.

Usage: check.py INCLUDE_FOLDER FILE -- COMPILER... FILE holds cases:

    // expect: regular expression, matched against the lines of the compiler's messages
    #ifdef CASE_name  // with -fsome -fflags
    misuse
    #endif

The flags, if there are any, are the case's alone. The line that matches has to be the first error,
with at most 10 lines after it, but for those that say which file includes which (not counted with
clang, whose context comes after the message);
`// expect within 25 lines:` allows more of them, and `// expect somewhere:` asks only that a line
matches, for messages that are the compiler's own.
Without any CASE_ the file is the passing twin and has to compile; with one, it has to fail with the
expected message. A file without cases, a case without expectation, and a case that no expectation
names are errors too, so that a broken file can't pass silently.

To save time, cases are compiled with MISUSE, which leaves out what the file puts below
`#ifndef MISUSE` for the twin alone; what it includes before its first other line is precompiled
once for all cases in C++; and Fettle's functions that are not templates are only declared. The
cases whose line may be anywhere are compiled together: each expects another one, and their names do
not clash. One that the others' errors hide is `// expect somewhere alone:`.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

EXPECTATION = re.compile(r"\s*// expect(?: within (\d+) lines| (somewhere( alone)?))?: (.+?)\s*$")
INCLUDE = re.compile(r"\s*#\s*include\s*<")
LINES_AFTER = 10
ERROR = re.compile(r"\berror\b(?!s)")
SOURCE = re.compile(r"\s*\d* \|")  # a line of the source, as GCC shows it below a message
INCLUDED = re.compile(r"(In file included|\s+) ?from ")  # who includes whom, as GCC lists it
CASE = re.compile(r"\s*#\s*if.*\b(CASE_\w+)(?:\s*// with (.+))?")


class CheckError(Exception):
    """What is wrong with the file, its twin or one of its cases."""


class Case(NamedTuple):
    """The message that a case expects, and the flags that it is compiled with."""

    expected: str
    lines_after: int | None  # None: the message may be anywhere
    flags: Sequence[str] = ()
    alone: bool = False


def cases_of(source: str) -> dict[str, Case]:
    """The cases of a file."""
    cases: dict[str, Case] = {}
    expected: tuple[str, int | None] | None = None
    alone = False
    for number, line in enumerate(source.splitlines(), start=1):
        if match := EXPECTATION.match(line):
            lines_after = None if match[2] else int(match[1] or LINES_AFTER)
            expected = match[4], lines_after
            alone = match[3] is not None
        elif match := CASE.match(line):
            if not expected:
                raise CheckError(f"line {number}: {match[1]} has no `// expect:` line above it")
            if match[1] in cases:
                raise CheckError(f"line {number}: {match[1]} is there twice")
            cases[match[1]] = Case(*expected, (match[2] or "").split(), alone)
            expected = None
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


def is_clang(compiler: Sequence[str]) -> bool:
    """Whether the compiler is clang, by its own account."""
    command = [*compiler[:1], "--version"]
    return "clang" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check_message(name: str, case: Case, text: str, count_lines: bool) -> None:
    """Look for the expected message, and for what a user has to read beside it."""
    lines = text.splitlines()
    # Lines of the source do not count as the message: they could hold the expectation itself.
    shown = [None if SOURCE.match(line) else line for line in lines]
    at = next((i for i, line in enumerate(shown) if line and re.search(case.expected, line)), None)
    if at is None:
        raise CheckError(f"{name} fails without the message\n  {case.expected}\nbut with\n{text}")
    if case.lines_after is None:
        return
    first_error = next((i for i, line in enumerate(shown) if line and ERROR.search(line)), at)
    if first_error < at:
        raise CheckError(f"{name}: another error comes before the message:\n{text}")
    follow = sum(not INCLUDED.match(line) for line in lines[at + 1 :])
    if count_lines and follow > case.lines_after:
        raise CheckError(
            f"{name}: {follow} lines follow the message, which should be at most "
            f"{case.lines_after}:\n{text}"
        )


def check(file: Path, include: Path, compiler: Sequence[str]) -> list[str]:
    """Compile the twin and every case of a file; returns the cases if all of them are right."""
    with tempfile.TemporaryDirectory() as folder:
        return _check(file, include, compiler, Path(folder))


def _check(file: Path, include: Path, compiler: Sequence[str], folder: Path) -> list[str]:
    source = file.read_text(encoding="utf-8")
    cases = cases_of(source)
    clang = is_clang(compiler)
    common = [*compiler, "-std=c++20", "-DFETTLE_COMPILED", f"-I{include}"]
    if file.suffix != ".cu":
        header = folder / "included.hpp"
        header.write_text(leading_includes(source), encoding="utf-8")
        precompile = [*common, "-x", "c++-header", str(header), "-o", f"{header}.gch"]
        subprocess.run(precompile, capture_output=True, check=False)  # the twin reports errors
        common += ["-include", str(header)]

    def messages(*options: str, whole: bool = False) -> tuple[int, str]:
        command = [*common, *options, str(file)]
        if file.suffix == ".cu":  # the pass over device code sees most, in a third of the time
            command += ["-c" if whole else "-ptx", "-o", os.devnull]
        else:
            command += ["-fsyntax-only", *(["-fno-caret-diagnostics"] if clang else [])]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        return run.returncode, run.stderr + run.stdout

    status, text = messages(whole=True)
    if status != 0:
        raise CheckError(f"the passing twin does not compile:\n{text}")
    for names in groups_of(cases):
        options = ["-DMISUSE", *(f"-D{name}" for name in names), *cases[names[0]].flags]
        status, text = messages(*options)
        if status == 0 and file.suffix == ".cu":
            status, text = messages(*options, whole=True)
        if status == 0:
            raise CheckError(f"{', '.join(names)}: compiles, though it is misuse")
        for name in names:
            check_message(name, cases[name], text, count_lines=not clang)
    return list(cases)


def groups_of(cases: Mapping[str, Case]) -> list[list[str]]:
    """The cases of one compilation each: alone, or those together whose line may be anywhere."""
    anywhere = [
        name
        for name, case in cases.items()
        if case.lines_after is None and not case.alone and not case.flags
    ]
    if not anywhere:
        return [[name] for name in cases]
    expected = [cases[name].expected for name in anywhere]
    for name, text in zip(anywhere, expected, strict=True):
        if expected.count(text) > 1:
            raise CheckError(f"{name}: another case, compiled with it, expects the same: {text}")
    return [anywhere, *([name] for name in cases if name not in anywhere)]


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
