"""What every kind of predictor provides; predictor_kinds.py lists the kinds.

Each has a counterpart in C++ (include/fettle/model/predictor_kinds.hpp) that reads its file and
chooses by it. Python writes that file, and reads it through the C++ reader.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fettle.core.native import native
from fettle.model.model_text import model_errors

Floats = NDArray[np.float64]
Tables = Mapping[str, Any]
"""The tables of a predictor's file: numbers, arrays, or lists of tuples; and "constants", what an
embedded model calls the type that has them as members."""


class Predictor(ABC):
    """What a model chooses with. Immutable; variants are indices in the model's list."""

    classifiers: ClassVar[tuple[str, ...]]
    """What model.txt calls this kind, as in C++."""
    file_ending: ClassVar[str]
    """As in C++."""

    @property
    def classifier(self) -> str:
        """What model.txt calls this one."""
        return self.classifiers[0]

    @classmethod
    @abstractmethod
    def of_file(cls, text: str, tables: Tables) -> Predictor:
        """From the text of its file, and the tables that the C++ reader found in it."""

    @abstractmethod
    def file_text(self, inputs: int, variants: int) -> str:
        """The text of its file. Raises ModelError where there is none."""

    def tables(self, inputs: int, variants: int) -> Tables:
        """What the C++ reader finds in its file.

        Raises ModelError where it refuses the file, or so many inputs and variants.
        """
        text = self.file_text(inputs, variants).encode(errors="surrogateescape")
        read = native().read_predictor
        with model_errors():
            found: Tables = read(
                os.fsencode(f"model{self.file_ending}"), text, self.classifier, inputs, variants
            )
        return found

    @abstractmethod
    def seconds(self) -> float:
        """The estimated time of a prediction that finds its tables in the last level of caches."""

    @abstractmethod
    def size(self) -> dict[str, int]:
        """How large it is: what `fettle show` prints."""

    @abstractmethod
    def choosable(self, variants: int) -> set[int]:
        """The variants that it may choose for some input."""

    @abstractmethod
    def restricted(self, kept: Sequence[int]) -> Predictor:
        """The same choices among these variants, which are all that it may choose, renumbered."""

    @abstractmethod
    def never_choosing(self, excluded: Collection[int]) -> Predictor | None:
        """One that chooses none of these variants, nor ranks them before others.

        None: it has to be trained without them.
        """

    def margins(self, scores: Floats, inputs: Floats) -> Floats:
        """How sure each choice is, at least 0 and 0 where it is undecided; only the order counts.

        `scores` are those of the variants, a row an input, and `inputs` the scaled model inputs.
        """
        if scores.shape[1] < 2:
            return np.zeros(len(scores))
        ranked = np.sort(scores, axis=1)
        margin: Floats = ranked[:, -1] - ranked[:, -2]
        return margin
