"""All pages: links and anchors lead somewhere, files that they name exist, so do Python's names."""

from __future__ import annotations

import ast
import importlib
import os
import re
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("FETTLE_SOURCE_DIR", Path(__file__).parents[3]))
DOCS = sorted(path.name for path in (ROOT / "docs").glob("*.md"))
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    *(f"docs/{name}" for name in DOCS),
    "benchmarks/README.md",
    "benchmarks/results/README.md",
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "examples").rglob("README.md")),
]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def prose_of(page: str) -> str:
    """Without blocks of code."""
    return FENCE.sub("", text_of(page))


def anchors_of(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = FENCE.sub("", path.read_text("utf-8"))
    titles = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", prose_of(page)))
    broken = []
    for link in links:
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = folder / name if name else ROOT / page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES)
def test_files_of_the_repository_that_a_page_names_exist(page: str) -> None:
    rooms = "include|python|tests|benchmarks|examples|cmake|docs"
    named = re.findall(rf"`((?:{rooms})/[\w./-]+)`", prose_of(page))
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", ["README.md", "docs/README.md"])
def test_every_page_is_on_the_map(page: str) -> None:
    linked = {Path(link).name for link in re.findall(r"\]\(([^)#]+\.md)\)", text_of(page))}
    assert set(DOCS) - linked - {"README.md"} == set()


@pytest.mark.parametrize("room", ["benchmarks", "examples"])
def test_every_folder_is_on_its_rooms_page(room: str) -> None:
    linked = set(re.findall(r"\]\((\w[\w/]*)\)", text_of(f"{room}/README.md")))
    depth = "*/*" if room == "benchmarks" else "*"
    folders = {path for path in (ROOT / room).glob(depth) if path.is_dir()}
    named = {str(path.relative_to(ROOT / room)) for path in folders if path.name != "__pycache__"}
    covered = {name for name in named if name in linked or name.partition("/")[0] in linked}
    assert named - covered - {"results/figures", "results/pictures"} == set()


@pytest.mark.parametrize("page", PAGES)
def test_what_python_blocks_import_exists(page: str) -> None:
    for language, source in FENCE.findall(text_of(page)):
        if language != "python":
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fettle"):
                module = importlib.import_module(str(node.module))
                missing = [name.name for name in node.names if not hasattr(module, name.name)]
                assert missing == [], f"{node.module} in {page}"
