"""A graph of files in folders, against a drawing of layers: arrows that run up, and cycles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

Graph = Mapping[str, Iterable[str]]

_DRAWING = re.compile(r"^```layers (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def layers_of(page: str) -> dict[str, dict[str, int]]:
    """The level of each folder, 0 on top; by the root of each drawing on the page."""
    return {
        root: {
            folder: level
            for level, line in enumerate(drawing.splitlines())
            for folder in line.partition("|")[0].split()
        }
        for root, drawing in _DRAWING.findall(page)
    }


def folder_of(file: str) -> str:
    """The folder of a file, "." at the root."""
    return file.rpartition("/")[0] or "."


def upward(graph: Graph, levels: Mapping[str, int]) -> list[str]:
    """Arrows between folders that do not run down, "from -> to"."""
    return [
        f"{file} -> {other}"
        for file, others in graph.items()
        for other in others
        if folder_of(file) != folder_of(other)
        and levels[folder_of(file)] >= levels[folder_of(other)]
    ]


def folders_of(graph: Graph) -> dict[str, list[str]]:
    """The graph of the files' folders."""
    found: dict[str, set[str]] = {}
    for file, others in graph.items():
        its = found.setdefault(folder_of(file), set())
        its |= {folder_of(other) for other in others} - {folder_of(file)}
    return {folder: sorted(others) for folder, others in found.items()}


def a_cycle(graph: Graph) -> list[str]:
    """The nodes of one cycle, the first one again at its end; empty where there is none."""
    done: set[str] = set()
    for start in graph:
        if start in done:
            continue
        path = [start]
        stack = [iter(graph[start])]
        while stack:
            other = next(stack[-1], None)
            if other is None:
                done.add(path.pop())
                stack.pop()
            elif other in path:
                return [*path[path.index(other) :], other]
            elif other not in done:
                path.append(other)
                stack.append(iter(graph[other]))
    return []
