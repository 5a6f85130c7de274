"""Where a model comes from: the key/value lines that `fettle show` prints."""

from __future__ import annotations

import platform
from datetime import datetime, timezone
from pathlib import Path

from fettle.classifiers.judging import MANY
from fettle.core.version import __version__
from fettle.data.score import Score


def provenance_of(
    inputs: int, classifier: str, recipe: str, score: Score | None, fixed: Score
) -> dict[str, str]:
    """The facts of one training; `score` is that of unseen inputs, None with too few inputs."""
    facts = {
        "trained": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "machine": processor(),
        "tool": f"fettle {__version__}",
        "inputs": str(inputs),
        "parameters": recipe if recipe.startswith(classifier) else f"{classifier} {recipe}",
        "best_fixed": f"{fixed.name} {fixed.mean:.4f}",
    }
    if score is not None:
        facts |= {
            "judged": "held-out" if inputs > MANY else "cross-validated",
            "share_of_best": f"{score.mean:.4f}",
            "share_of_best_p5": f"{score.p5:.4f}",
            "share_of_best_worst": f"{score.worst:.4f}",
            "accuracy": f"{score.accuracy:.4f}",
        }
    return facts


def processor() -> str:
    """The name of this machine's processor."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    names = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.processor() or platform.machine()
