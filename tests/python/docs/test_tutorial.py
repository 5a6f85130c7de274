"""The tutorial: its program prints what the page shows, its scripts use what there is.

The whole page, from a bare Debian on, is tried by hand before a release: tuning takes minutes.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
from pathlib import Path

from programs_build import COMPILER

import fettle

ROOT = Path(os.environ.get("FETTLE_SOURCE_DIR", Path(__file__).parents[3]))
PAGE = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


def test_the_untuned_program_prints_what_the_page_shows(tmp_path: Path) -> None:
    [program] = blocks("cpp")
    (tmp_path / "distinct.cpp").write_text(program)
    compiling, starting = next(
        text.splitlines() for text in blocks("sh") if text.startswith("g++ ")
    )
    command = compiling.split()
    assert command[0] == "g++"
    include = command.index("-I") + 1
    assert command[include] == "../fettle/include"
    command[include] = str(ROOT / "include")
    command[command.index("-O2")] = "-O0"
    subprocess.run([COMPILER, *command[1:], "-Wall", "-Werror"], cwd=tmp_path, check=True)
    ran = subprocess.run(starting.split(), cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stderr + ran.stdout in blocks("text")


def test_the_script_names_what_there_is() -> None:
    script, embedding = blocks("python")
    [imports, *_] = ast.parse(script).body
    assert isinstance(imports, ast.ImportFrom)
    for name in imports.names:
        assert hasattr(fettle, name.name)
    last = script.splitlines()[-1]
    assert embedding.strip() == last.removesuffix(")])") + ", embed_model=True)])"
    assert script.replace("../fettle/include", "").count("g++ -std=c++20 -O2") == 1
