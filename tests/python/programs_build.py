"""Builds and runs the test programs of programs/ with the C++ library."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
COMPILER = os.environ.get("FETTLE_CXX") or shutil.which("c++") or "c++"
# fettle::compiled of the build tree: programs that link it compile in a third of the time.
LIBRARY = Path(os.environ.get("FETTLE_BUILD_DIR", os.devnull)) / "libfettle_compiled.a"
WITH_LIBRARY = ["-DFETTLE_COMPILED", str(LIBRARY)] if LIBRARY.exists() else []


def build_command(name: str, *libraries: str) -> list[str]:
    """For the tuner: compiles programs/NAME.cpp in the working directory."""
    source = HERE / "programs" / f"{name}.cpp"
    compile_it = [COMPILER, "-std=c++20", "-O0", f"-I{INCLUDE}", "-I.", str(source), "-o", name]
    return [*compile_it, *libraries, *WITH_LIBRARY, "-pthread"]


def has_header(name: str) -> bool:
    """Whether the compiler finds a header."""
    command = [COMPILER, "-x", "c++", "-E", "-o", os.devnull, "-"]
    text = f"#include <{name}>\n"
    return subprocess.run(command, input=text, text=True, capture_output=True).returncode == 0


def run(folder: Path, *command: str) -> str:
    """What a command prints, run in a folder; it must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout
