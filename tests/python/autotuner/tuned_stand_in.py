"""What the tests of the tuner share: inputs of the stand-in, and the function that it tunes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quick_classifier import QuickClassifier

from fettle.code_variant import CodeVariant


def tune_args(folder: Path, count: int = 12, start: int = 0, **more: Any) -> list[str]:
    """Input files of growing size; the first half is best done by "small"."""
    names = []
    for size in range(start, start + count):
        variants = {"small": 1e-3 * (size + 1), "large": 6.5e-3}
        call = {"features": {"n": size, "m": 1}, "variants": variants, **more}
        names.append(f"in{size:02}")
        (folder / names[-1]).write_text(json.dumps({"calls": [call]}))
    return names


def function(**options: Any) -> CodeVariant:
    return CodeVariant("f", 2, classifier=QuickClassifier(), **options)
