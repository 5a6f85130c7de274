"""A measurer of a stand-in program in a folder, and the input files that tell it what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fettle.core.progress import Silence
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import Subject
from fettle.training.measure import Measurer
from fettle.training.program import Input, Program


class Said(Silence):
    """A display that keeps the lines it is told, and the stages that begin."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.stages: list[tuple[str, int]] = []

    def say(self, text: str) -> None:
        """Keeps the line."""
        self.lines.append(text)

    def begin(self, what: str, total: int, unit: str = "input") -> None:
        """Keeps the stage."""
        self.stages.append((what, total))


def measurer_in(folder: Path, **options: Any) -> Measurer:
    """A measurer of the program `app` in `folder`, with its database there."""
    (folder / "logs").mkdir(exist_ok=True)
    return Measurer(
        program=Program("app", folder),
        subject=options.pop("subject", Subject("app", "f", "here", "")),
        store=SqliteStore(folder / "db.sqlite"),
        logs=folder / "logs",
        display=options.pop("display", Silence()),
        **options,
    )


def call(n: float | str = 1.0, **variants: Any) -> dict[str, Any]:
    """A call with the feature n, and what each variant does."""
    return {"features": {"n": n}, "variants": variants}


def tell(folder: Path, name: str, *calls: dict[str, Any], **more: Any) -> Input:
    """Writes an input file that makes the stand-in do these calls."""
    (folder / name).write_text(json.dumps({"calls": list(calls), **more}))
    return Input(name, (name,))
