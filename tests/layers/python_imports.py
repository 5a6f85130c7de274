"""Which files of a Python package import which, read from their syntax trees.

Counted are imports anywhere in a file: at its top, inside functions, for type checkers only; and
module names in strings, as `importlib.import_module` takes them, whole or up to a placeholder
(f"fettle.search.{name}" counts as importing the package fettle.search).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path


def python_imports(package: Path) -> dict[str, list[str]]:
    """The files of a package, each with those that it imports, relative to the package."""
    names = [path.relative_to(package).as_posix() for path in sorted(package.rglob("*.py"))]
    files = {module_of(package.name, name): name for name in names}
    return {
        name: imports_of((package / name).read_text(encoding="utf-8"), name, files)
        for name in names
    }


def module_of(package: str, file: str) -> str:
    """The dotted name of a file of a package."""
    name = ".".join([package, *file.removesuffix(".py").split("/")])
    return name.removesuffix(".__init__")


def imports_of(source: str, file: str, files: Mapping[str, str]) -> list[str]:
    """The files that a source imports; `files` has those of the package by their modules' names."""
    package = next(iter(files)).partition(".")[0]
    own = module_of(package, file)
    folder = own if file.endswith("__init__.py") else own.rpartition(".")[0]
    modules = dict.fromkeys(_modules(ast.parse(source, file), folder, files))
    return [files[name] for name in modules if name in files and name != own]


def _modules(tree: ast.AST, folder: str, files: Mapping[str, str]) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from (one.name for one in names)
            case ast.ImportFrom(module, names, level):
                up = folder.split(".")[: len(folder.split(".")) + 1 - level] if level else []
                base = ".".join([*up, *([module] if module else [])])
                for one in names:  # a module of the package, or a name in its __init__
                    inner = f"{base}.{one.name}"
                    yield inner if inner in files else base
            case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]) if text.endswith("."):
                yield text[:-1]
            case ast.Constant(value=str(text)) if "." in text:
                yield text
