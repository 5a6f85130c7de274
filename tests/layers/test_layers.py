"""Includes and imports run down the layers of docs/layers.md, and in no cycle."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from layered_graph import Graph, a_cycle, folder_of, folders_of, layers_of, upward
from python_imports import python_imports

ROOT = Path(os.environ["FETTLE_SOURCE_DIR"])
INCLUDE = re.compile(r'^\s*#\s*include [<"]fettle/([^>"]+)[>"]', re.MULTILINE)


def includes() -> dict[str, list[str]]:
    """What each header of include/fettle includes of them, its definitions (*.ipp) among it."""
    top = ROOT / "include" / "fettle"
    graph: dict[str, list[str]] = {}
    for path in top.rglob("*"):
        if not path.is_file():
            continue
        file = path.relative_to(top).with_suffix(".hpp" if path.suffix == ".ipp" else path.suffix)
        others = [
            re.sub(r"[.]ipp$", ".hpp", other)
            for other in INCLUDE.findall(path.read_text(encoding="utf-8"))
        ]
        name = file.as_posix()
        graph.setdefault(name, []).extend(other for other in others if other != name)
    return graph


LAYERS = layers_of((ROOT / "docs" / "layers.md").read_text(encoding="utf-8"))
GRAPHS: dict[str, Graph] = {
    "include/fettle": includes(),
    "python/fettle": python_imports(ROOT / "python" / "fettle"),
}
every_tree = pytest.mark.parametrize("root", GRAPHS)


def test_both_trees_are_drawn() -> None:
    assert LAYERS.keys() == GRAPHS.keys()


@every_tree
def test_every_folder_is_in_the_drawing_and_no_other(root: str) -> None:
    assert {folder_of(file) for file in GRAPHS[root]} == LAYERS[root].keys()


@every_tree
def test_arrows_run_down(root: str) -> None:
    assert upward(GRAPHS[root], LAYERS[root]) == []


@every_tree
def test_no_cycle_of_files(root: str) -> None:
    assert a_cycle(GRAPHS[root]) == []


@every_tree
def test_no_cycle_of_folders(root: str) -> None:
    assert a_cycle(folders_of(GRAPHS[root])) == []


@every_tree
def test_an_upward_arrow_is_found_in_the_real_tree(root: str) -> None:
    levels = LAYERS[root]
    low = max(GRAPHS[root], key=lambda file: levels[folder_of(file)])
    top = min(GRAPHS[root], key=lambda file: levels[folder_of(file)])
    changed = {**GRAPHS[root], low: [*GRAPHS[root][low], top]}
    assert upward(changed, levels) == [f"{low} -> {top}"]


@pytest.mark.parametrize(
    ("graph", "up", "cycle", "folders"),
    [
        ({"a/x": ["b/y"], "b/y": []}, [], [], []),
        ({"a/x": [], "b/y": ["a/x"]}, ["b/y -> a/x"], [], []),
        ({"a/x": ["c/z"], "c/z": []}, ["a/x -> c/z"], [], []),
        ({"a/x": ["a/y"], "a/y": ["a/z"], "a/z": ["a/y"]}, [], ["a/y", "a/z", "a/y"], []),
        (
            {"a/x": ["b/y"], "a/w": [], "b/y": [], "b/v": ["a/w"]},
            ["b/v -> a/w"],
            [],
            ["a", "b", "a"],
        ),
    ],
)
def test_upward_arrows_and_cycles_are_named(
    graph: dict[str, list[str]], up: list[str], cycle: list[str], folders: list[str]
) -> None:
    levels = layers_of("```layers x\na  c | the top\nb    | * below\n```")["x"]
    assert levels == {"a": 0, "c": 0, "b": 1}
    assert upward(graph, levels) == up
    assert a_cycle(graph) == cycle
    assert a_cycle(folders_of(graph)) == folders
