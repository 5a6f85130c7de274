"""Support vector machines as predictors: libsvm's model file.

docs/formats.md section 3 defines it; the C++ side is include/fettle/model/svm_predictor.hpp.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import numpy as np

from fettle.model.predictor import Floats, Predictor, Tables

SECONDS = 250e-9
SUPPORT_VECTOR_SECONDS = 5e-9


@dataclass(frozen=True)
class SvmPredictor(Predictor):
    """A support vector machine: `text` is its libsvm model file, labels are variant indices."""

    classifiers: ClassVar = ("svm",)
    file_ending: ClassVar = ".svm"

    text: str

    @classmethod
    def of_file(cls, text: str, tables: Tables) -> SvmPredictor:
        """From the text of its file."""
        return cls(text)

    def file_text(self, inputs: int, variants: int) -> str:
        """The text of its file."""
        return self.text

    def seconds(self) -> float:
        """Proportional to the support vectors, after a start."""
        return SECONDS + SUPPORT_VECTOR_SECONDS * self.support_vectors

    def size(self) -> dict[str, int]:
        """Its support vectors."""
        return {"support_vectors": self.support_vectors}

    def choosable(self, variants: int) -> set[int]:
        """The variants that are a class of the machine."""
        return set(self.labels)

    def restricted(self, kept: Sequence[int]) -> SvmPredictor:
        """With other labels."""
        line = "label " + " ".join(str(kept.index(label)) for label in self.labels)
        lines = self.text.split("\n")
        return SvmPredictor("\n".join(line if _is(old, "label") else old for old in lines))

    def never_choosing(self, excluded: Collection[int]) -> SvmPredictor | None:
        """Itself, if it has no class for them."""
        return None if set(excluded) & set(self.labels) else self

    def margins(self, scores: Floats, inputs: Floats) -> Floats:
        """The decision value between the two classes with most votes.

        Of several second ones, the one nearest to the best counts.
        """
        from libsvm.svmutil import svm_load_model, svm_predict  # measuring alone goes without

        with TemporaryDirectory() as folder:
            file = Path(folder) / "model.svm"
            file.write_text(self.text)
            machine = svm_load_model(str(file))
        rows = [dict(enumerate(row, 1)) for row in inputs.tolist()]
        _, _, decisions = svm_predict([], rows, machine, "-q")
        return np.array([_margin(len(self.labels), row) for row in decisions])

    @property
    def support_vectors(self) -> int:
        """Their number, as the file states it."""
        return self._numbers("total_sv")[0]

    @property
    def labels(self) -> list[int]:
        """The variant of each class."""
        return self._numbers("label")

    def _numbers(self, key: str) -> list[int]:
        head = self.text.partition("\nSV\n")[0]
        [line] = [line for line in head.split("\n") if _is(line, key)]
        return [int(word) for word in line.split()[1:]]


def _is(line: str, key: str) -> bool:
    return line.startswith(f"{key} ")


def _margin(classes: int, decisions: list[float]) -> float:
    """From the decision values of all pairs (0, 1), (0, 2), ... as libsvm orders them."""
    votes = [0] * classes
    between: dict[frozenset[int], float] = {}
    for (first, second), value in zip(combinations(range(classes), 2), decisions, strict=True):
        votes[first if value > 0 else second] += 1
        between[frozenset((first, second))] = abs(value)
    best = max(range(classes), key=lambda c: votes[c])
    rivals = [c for c in range(classes) if c != best]
    most = max(votes[c] for c in rivals)
    return min(between[frozenset((best, c))] for c in rivals if votes[c] == most)
