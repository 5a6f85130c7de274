"""Every form of import is seen, in a package that is made up here."""

from __future__ import annotations

from pathlib import Path

import pytest
from layered_graph import a_cycle, upward
from python_imports import python_imports

LEVELS = {".": 0, "high": 1, "low": 2}
FORMS = {
    "import": "import house.high.roof",
    "import as": "import house.high.roof as roof",
    "from": "from house.high.roof import tile",
    "from its package": "from house.high import roof",
    "relative": "from ..high.roof import tile",
    "relative package": "from ..high import roof",
    "in a function": "def build():\n    from house.high.roof import tile\n    return tile",
    "in a condition": "if 1 + 1 == 2:\n    from house.high.roof import tile",
    "for type checkers": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house.high.roof import tile"
    ),
    "by its name": "import importlib\nroof = importlib.import_module('house.high.roof')",
    "in a table of names": "HOMES = {'tile': 'house.high.roof'}",
}


def house(folder: Path, **sources: str) -> Path:
    """A package with a roof above a cellar, and more sources."""
    files = {
        "__init__.py": "",
        "high/__init__.py": "slate = 2",
        "high/roof.py": "tile = 1",
        "low/__init__.py": "",
        "low/cellar.py": "",
        **{f"{name.replace('__', '/')}.py": text for name, text in sources.items()},
    }
    for name, text in files.items():
        path = folder / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "house"


@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_an_upward_import_is_found(form: str, tmp_path: Path) -> None:
    graph = python_imports(house(tmp_path, low__cellar=FORMS[form]))
    assert upward(graph, LEVELS) == ["low/cellar.py -> high/roof.py"]


@pytest.mark.parametrize(
    "source",
    [
        "from house.high import slate",
        "import importlib\ndef of(name):\n    importlib.import_module(f'house.high.{name}')",
    ],
)
def test_a_package_is_found_where_no_module_is_named(source: str, tmp_path: Path) -> None:
    graph = python_imports(house(tmp_path, low__cellar=source))
    assert upward(graph, LEVELS) == ["low/cellar.py -> high/__init__.py"]


def test_what_is_not_of_the_package_is_left_out(tmp_path: Path) -> None:
    source = "import os.path\nfrom pathlib import Path\nfrom house import _native\nNOTE = 'a.b'"
    graph = python_imports(house(tmp_path, low__cellar=source))
    assert graph["low/cellar.py"] == ["__init__.py"]


def test_a_cycle_that_a_function_closes_is_found(tmp_path: Path) -> None:
    late = "def dig():\n    from house.low.cellar import depth"
    graph = python_imports(
        house(tmp_path, low__cellar="from house.low import well", low__well=late)
    )
    assert a_cycle(graph) == ["low/cellar.py", "low/well.py", "low/cellar.py"]
