"""The documentation's site: each page has a section, public names are found, links fit the site.

What needs Doxygen and Sphinx is checked where the site is built: `cmake --workflow --preset docs`.
"""

from __future__ import annotations

import importlib
import os
import re
from pathlib import Path
from types import ModuleType

import pytest

import fettle

ROOT = Path(os.environ.get("FETTLE_SOURCE_DIR", Path(__file__).parents[3]))


def module(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "site"))
    return importlib.import_module(name)


def host_headers() -> list[str]:
    """What OpenMP and oneTBB share, all of it internal."""
    folder = ROOT / "include" / "fettle" / "ndp" / "host"
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*.hpp")]


def test_every_page_has_a_section(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = module("stage", monkeypatch)
    pages = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    assert pages - set(stage.PAGES) == set()
    names = [stage.staged(page) for page in stage.PAGES]
    assert len(names) == len(set(names))


def test_public_names_are_those_of_the_tables_of_contents(monkeypatch: pytest.MonkeyPatch) -> None:
    headers = module("public_headers", monkeypatch)
    named = {header: headers.public_names(header) for header in headers.public_headers()}
    assert named["fettle/ndp/operator/map.hpp"] == [
        "fettle::ndp::transformed_sequence",
        "fettle::ndp::map",
    ]
    assert "fettle::ndp::platform::cuda" in named["fettle/ndp/cuda/runtime/platform.hpp"]
    assert headers.concepts("fettle/ndp/schedule/schedule.hpp") == [
        "fettle::ndp::schedule::schedule_like",
        "fettle::ndp::schedule::inner_schedule",
    ]
    for entry in headers.ENTRIES:
        text = (ROOT / "include" / entry).read_text("utf-8")
        for header in re.findall(r"^#include <(fettle/[^>]*)>", text, flags=re.MULTILINE):
            assert header in named or not headers.public_names(header)
    every = [name for names in named.values() for name in names]
    assert {"fettle::code_variant", "fettle::tuned", "fettle::ndp::execute"} <= set(every)
    assert not [name for name in every if "detail" in name]


@pytest.mark.parametrize(
    "folder", ["cuda", "cuda_devices", "devices", "openmp", "openmp_nodes", "tbb"]
)
def test_a_folder_lists_its_public_names(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = module("public_headers", monkeypatch)
    include = ROOT / "include"
    table = include / "fettle" / "ndp" / f"{folder}.hpp"
    listed = {
        headers.DECLARED_IN.get(name, name)
        for name in re.findall(r"<(fettle/[^>]+)> +//", table.read_text("utf-8"))
    }
    rooms = [path for path in (table.parent / folder).rglob("*") if path.is_file()]
    declaring = {path.relative_to(include).as_posix() for path in rooms}
    declaring = {name for name in declaring if headers.public_names(name)}
    assert declaring - set(headers.DECLARED_IN) == listed
    assert not any(headers.public_names(f"fettle/ndp/host/{name}") for name in host_headers())


def test_links_of_staged_pages_lead_somewhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stage = module("stage", monkeypatch)
    for page in stage.PAGES:
        stage.stage_page(page, tmp_path)
    broken = []
    for path in tmp_path.glob("*.md"):
        prose = stage.FENCE.sub("", path.read_text("utf-8"))
        for _, _, target in stage.LINK.findall(re.sub(r"`[^`]*`", "", prose)):
            there = (path.parent / target.partition("#")[0]).resolve()
            if not target.startswith("http") and not there.exists():
                broken.append(f"{path.name}: {target}")
    assert broken == []


def test_python_names_have_pages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stage = module("stage", monkeypatch)
    (tmp_path / "reference").mkdir()
    stage.stage_python(tmp_path)
    for name in dir(fettle):
        if not name.startswith("_"):
            text = (tmp_path / "reference" / f"python-{name}.md").read_text("utf-8")
            assert f":: fettle.{name}\n" in text


def test_the_picture_of_schedules_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = module("schedule_picture", monkeypatch)
    assert drawing.PICTURE.read_text("utf-8") == drawing.picture()
