"""Draws the inputs of an example from the families that its inputs.json fixes.

A family is a text with fields in braces, and for each field the values that it takes: two numbers
are the ends of a range, drawn log-uniformly; a list of texts is a choice. Families with
"only": "test" are never trained on. Training and test inputs have different seeds.

"further" is a list of the same, with seeds of their own, whose inputs follow: an added family then
leaves those that have been measured as they are.

"files" are published inputs, named by their place in the folder that FETTLE_DATA names, or in
shared/data beside the project; those that are not there are left out.
"""

from __future__ import annotations

import json
import math
import os
import random
from pathlib import Path
from typing import Any

TRAINING, TEST = 1000, 500_000  # what their inputs' seeds start from
PROJECT = Path(__file__).resolve().parents[2]


def data_file(name: str) -> Path:
    """Where a published file is, or would be."""
    given = os.environ.get("FETTLE_DATA")
    return (Path(given) if given else PROJECT.parent / "shared" / "data") / name


def _drawn(values: Any, numbers: random.Random) -> str:
    if all(isinstance(value, int | float) for value in values) and len(values) == 2:
        low, high = values
        value = math.exp(numbers.uniform(math.log(low), math.log(high)))
        whole = isinstance(low, int) and isinstance(high, int)
        return str(round(value)) if whole else f"{value:.3g}"
    return str(numbers.choice(values))


def draw(
    file: Path, test: bool, count: int | None = None, seed: int = 0, gpu: bool = False
) -> list[str]:
    """`count` inputs (None: as many as the file says, and its published ones), families in turn.

    On a GPU they are those of the file's "gpu", whose sizes suit it."""
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    known = known["gpu"] if gpu else known
    which = "test" if test else "training"
    files: list[str] = []
    if count is None:
        files = [file for file in known.get("files", {}).get(which, ()) if data_file(file).exists()]
    sets = [known, *known.get("further", ())]
    of_all = [_texts(one, which, one[which] if count is None else count, seed) for one in sets]
    if count is None:
        return files + [text for texts in of_all for text in texts]
    every = [text for texts in zip(*of_all, strict=True) for text in texts]
    return every[:count]


def _texts(known: dict[str, Any], which: str, count: int, seed: int) -> list[str]:
    """`count` inputs of the families of one set."""
    families = [f for f in known["families"] if which == "test" or f.get("only") != "test"]
    numbers = random.Random(f"{known['seed']} {which} {seed}")
    drawn = []
    for n in range(count):
        family = families[n % len(families)]
        fields = {key: _drawn(values, numbers) for key, values in family["fields"].items()}
        text = family["text"].format(**fields)
        number = (TEST + 10_000 * seed if which == "test" else TRAINING) + n
        separator = "," if "=" in text.rsplit(":", 1)[-1] else ":"
        drawn.append(f"{text}{separator}seed={number}")
    return drawn


def family_of(name: str) -> str:
    """The family of an input, or "files" for a file."""
    return name.split("generate:")[-1].split(":")[0] if ":" in name else "files"
