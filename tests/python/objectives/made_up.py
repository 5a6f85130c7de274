"""A table of two metrics, made up: three inputs by three variants."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fettle.objectives.metrics import Metrics, declare_metrics
from fettle.objectives.objective import MetricTable

NAN = float("nan")


def metrics(**define: str) -> Metrics:
    """seconds and watts, and what is defined by them."""
    return declare_metrics(["seconds", "watts"], define)


def table(of: Metrics | None = None, seconds: object = None, watts: object = None) -> MetricTable:
    """quick is the fastest, cool draws the least; middling is dominated by quick on all inputs."""
    of = of or metrics()
    values: Mapping[str, object] = {
        "seconds": seconds or [[1.0, 2.0, 4.0], [1.0, 1.5, 3.0], [2.0, 3.0, 2.5]],
        "watts": watts or [[300.0, 310.0, 50.0], [200.0, 250.0, 100.0], [100.0, 120.0, 90.0]],
    }
    return MetricTable(
        ("a", "b", "c"),
        ("quick", "middling", "cool"),
        of,
        {name: np.array(one, dtype=float) for name, one in values.items()},
    )
