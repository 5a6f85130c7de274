"""The tuning guide's code is code: each C++ block compiles, each Python block's names exist."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import subprocess
from pathlib import Path
from typing import get_type_hints

import pytest
from programs_build import COMPILER

import fettle
from fettle.training.request import Measuring

ROOT = Path(__file__).resolve().parents[3]
GUIDE = "\n".join(
    (ROOT / "docs" / name).read_text("utf-8")
    for name in ("tuning-guide.md", "parameters.md", "approximate.md")
)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("source", blocks("cpp"))
def test_cpp_compiles(source: str, tmp_path: Path) -> None:
    file = tmp_path / "block.cpp"
    file.write_text(source)
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}"]
    flags += ["-fsyntax-only", "-DFETTLE_COMPILED"]
    done = subprocess.run(
        [COMPILER, *flags, str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("source", blocks("python"))
def test_python_uses_what_there_is(source: str) -> None:
    tree = ast.parse(source)
    imported: dict[str, object] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "fettle":
            imported.update({name.name: getattr(fettle, name.name) for name in node.names})
    assert imported
    made: dict[str, object] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            function, target = node.value.func, node.targets[0]
            if isinstance(function, ast.Name) and isinstance(target, ast.Name):
                made[target.id] = imported.get(function.id)
                if inspect.isfunction(made[target.id]):
                    made[target.id] = get_type_hints(made[target.id])["return"]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = made.get(node.value.id)
            if owner is not None:
                assert hasattr(owner, node.attr), f"{node.value.id}.{node.attr}"


def test_every_option_is_explained() -> None:
    options = [*inspect.signature(fettle.CodeVariant).parameters]
    options += [*inspect.signature(fettle.Autotuner).parameters]
    options += [field.name for field in dataclasses.fields(Measuring)]
    explained = set(re.findall(r"`(\w+)(?:=\w+)?`", GUIDE))
    assert sorted(set(options) - explained - {"display", "program"}) == []


def test_every_environment_variable_of_the_library_is_explained() -> None:
    sources = (ROOT / "include" / "fettle").rglob("*.hpp")
    named = {
        name for path in sources for name in re.findall(r'"(FETTLE_[A-Z_]+)"', path.read_text())
    }
    assert named
    assert sorted(name for name in named if name not in GUIDE) == []
