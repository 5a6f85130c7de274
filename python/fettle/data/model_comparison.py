"""Which models were trained for a function, how good they are, and why one of them was taken."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fettle.core.wording import counted, seconds_text

RULE = (
    "the best is the forest, or without one the tree, unless another's net share is larger by two "
    "standard errors over the inputs, and 0.002; taken is the model whose selections are fastest, "
    "of those that the best is not surely better than (by one standard error or 0.01, and 0.002), "
    "or the best itself where that spares less than 0.001"
)


@dataclass(frozen=True)
class ComparedModel:
    """A model of one kind: shares of best on inputs that it was not trained on."""

    kind: str
    parameters: str
    mean: float  # NaN with too few inputs to judge, as the shares that follow
    p5: float
    worst: float
    net: float  # mean share with the time of a selection charged
    seconds: float  # of a selection, features included
    is_taken: bool
    why: str  # it was taken, or was not


@dataclass(frozen=True)
class ModelComparison:
    """The models that were trained, and those that were not worth training."""

    models: tuple[ComparedModel, ...]
    calls: int  # that one selection is spread over in the net share
    left_out: tuple[tuple[str, str], ...] = ()  # kinds, and why they were not trained

    @staticmethod
    def restored(record: Mapping[str, Any]) -> ModelComparison:
        """From what `dataclasses.asdict` has made of it."""
        return ModelComparison(
            tuple(ComparedModel(**one) for one in record["models"]),
            record["calls"],
            tuple((kind, why) for kind, why in record["left_out"]),
        )

    def reasons(self) -> Iterator[str]:
        """A line a model: why it was taken, was not, or was not trained."""
        for one in self.models:
            yield f"{one.kind}: {one.why}"
        for kind, why in self.left_out:
            yield f"{kind}: not trained: {why}"

    def head(self) -> str:
        """What the figures are."""
        return f"net: with a selection's time, spread over {counted(self.calls, 'call')}"


def rows_of(comparison: ModelComparison) -> list[tuple[str, ...]]:
    """The models as rows of a table: kind, mean, 5th percentile, worst, net, a selection's time."""
    return [
        (
            f"{one.kind}{' (taken)' if one.is_taken else ''}",
            *(_share(value) for value in (one.mean, one.p5, one.worst, one.net)),
            seconds_text(one.seconds),
        )
        for one in comparison.models
    ]


def _share(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4f}"
