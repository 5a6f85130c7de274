"""The guide to nested computations: its C++ blocks compile and run, its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from programs_build import COMPILER

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs" / "ndp-guide.md").read_text("utf-8")
OPERATORS = ROOT / "include" / "fettle" / "ndp" / "operator"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("source", blocks("cpp"))
def test_cpp_compiles_and_runs(source: str, tmp_path: Path) -> None:
    file = tmp_path / "block.cpp"
    program = tmp_path / "block"
    file.write_text(source)
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}"]
    linked = (
        ["-o", str(program)] if "int main" in source else ["-fsyntax-only", "-DFETTLE_COMPILED"]
    )
    done = subprocess.run(
        [COMPILER, *flags, str(file), *linked], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    if "int main" in source:
        assert subprocess.run([program], check=False).returncode == 0


def test_the_first_program_is_the_example() -> None:
    assert blocks("cpp")[0] == (ROOT / "examples" / "ndp" / "hello.cpp").read_text("utf-8")


def test_every_operator_is_in_the_table() -> None:
    names = {path.stem for path in OPERATORS.glob("*.hpp")} - {"row_function"}
    assert len(names) >= 16
    assert "**Row programs.**" in GUIDE, "a row_function has no name to call"
    in_table = set(re.findall(r"^\| `(\w+)\(", GUIDE, flags=re.MULTILINE))
    assert names <= in_table


@pytest.mark.parametrize("page", ["docs/ndp-guide.md", "examples/ndp/README.md"])
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    prose = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^):#]+)\)", re.sub(r"`[^`]*`", "", prose))
    assert links
    assert [link for link in links if not (path.parent / link).exists()] == []
