"""Includes and imports run down the layers of docs/layers.md, and in no circle."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(os.environ["FETTLE_SOURCE_DIR"])
TREE = re.compile(r"^```layers (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include [<"]fettle/([^>"]+)[>"]', re.MULTILINE)

Graph = Mapping[str, list[str]]


def layers_of(page: str) -> dict[str, dict[str, int]]:
    """The level of each room, from the top; by the folder that a picture is of."""
    return {
        folder: {
            room: level
            for level, line in enumerate(picture.splitlines())
            for room in line.partition("|")[0].split()
        }
        for folder, picture in TREE.findall(page)
    }


def room_of(file: str) -> str:
    return file.rpartition("/")[0] or "."


def upward(graph: Graph, levels: Mapping[str, int]) -> list[str]:
    """Arrows that do not run down, "from -> to"."""
    return [
        f"{file} -> {other}"
        for file, others in graph.items()
        for other in others
        if room_of(file) != room_of(other) and levels[room_of(file)] >= levels[room_of(other)]
    ]


def a_cycle(graph: Graph) -> list[str]:
    """The files of some circle; empty where there is none."""
    done: set[str] = set()
    for start in graph:
        path: list[str] = []
        stack = [(start, iter(graph[start]))] if start not in done else []
        path = [start] if stack else []
        while stack:
            file, others = stack[-1]
            other = next(others, None)
            if other is None:
                done.add(file)
                stack.pop()
                path.pop()
            elif other in path:
                return [*path[path.index(other) :], other]
            elif other not in done:
                stack.append((other, iter(graph[other])))
                path.append(other)
    return []


def headers() -> dict[str, list[str]]:
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


def test_every_folder_of_headers_is_in_the_picture_and_no_other() -> None:
    assert {room_of(file) for file in headers()} == LAYERS["include/fettle"].keys()


def test_includes_run_down() -> None:
    assert upward(headers(), LAYERS["include/fettle"]) == []


def test_includes_run_in_no_circle() -> None:
    assert a_cycle(headers()) == []


@pytest.mark.parametrize(
    ("graph", "up", "circle"),
    [
        ({"a/x": ["b/y"], "b/y": []}, [], []),
        ({"a/x": [], "b/y": ["a/x"]}, ["b/y -> a/x"], []),
        ({"a/x": ["c/z"], "c/z": []}, ["a/x -> c/z"], []),
        ({"a/x": ["a/y"], "a/y": ["a/z"], "a/z": ["a/y"]}, [], ["a/y", "a/z", "a/y"]),
    ],
)
def test_what_runs_up_or_in_a_circle_is_named(
    graph: dict[str, list[str]], up: list[str], circle: list[str]
) -> None:
    levels = layers_of("```layers x\na  c | the top\nb    | * below\n```")["x"]
    assert levels == {"a": 0, "c": 0, "b": 1}
    assert upward(graph, levels) == up
    assert a_cycle(graph) == circle
