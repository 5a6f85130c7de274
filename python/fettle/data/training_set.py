"""What classifiers learn from: feature values and the cost of every variant, one row an input."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.data.preference import preference

Floats = NDArray[np.float64]


class TrainingWarning(UserWarning):
    """Something in the training data was left out or cannot be learned from; the text says what."""


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """n inputs of a function with d features and k variants; a value, checked when it is made.

    Raises FettleError, naming the variant, the feature or the input, for shapes that do not fit,
    names given twice and costs that are not positive.
    """

    function: str
    features: tuple[str, ...]
    variants: tuple[str, ...]
    inputs: tuple[str, ...]
    """Names of the inputs. Rows named "x", "x #1", "x #2" are calls of one input: they stay
    together in cross-validation."""
    values: Floats
    """Feature values, (n, d)."""
    costs: Floats
    """(n, k); positive, smaller is better, infinite where a variant was excluded, failed or came
    to an infinite metric."""
    feature_seconds: Floats
    """Median evaluation time of each feature, (d,); 0 if unknown."""
    default: str | None = None
    """The variant to fall back on; None: the best fixed one."""
    cost_seconds: float | None = 1.0
    """What one unit of cost is in seconds; None if costs are not times."""
    feature_times: Floats | None = None
    """Evaluation time of each feature on each input, (n, d); None: `feature_seconds` everywhere."""
    shared_features: tuple[frozenset[str], ...] = ()
    """Features that find their values together: several of a set cost what its dearest does."""
    spread: Floats | None = None
    """The standard error of each cost as a fraction of it, (n, k), by `training/spread.py`; not a
    number without a cost, or with too few samples. None: not known, as of tables."""
    exhaustive: Floats | None = None
    """What an exhaustive search comes to on each input, (n,): the cost of the best of all variants,
    including those that are not in this set, chosen and timed by different samples; None: not
    known."""
    failed_on: tuple[int, ...] = ()
    """On how many inputs each variant crashed, hung, threw or was wrong, (k,); empty: on none."""
    lost_seconds: Floats | None = None
    """Where the next best variant runs after one that returned an infinite metric: what the run of
    the first one took, (n, k); 0 where it has a result or does not run. Its cost is then that time
    and the best variant's cost. None: its cost is infinite."""
    failure_regret: float = 1.0
    """What it loses to choose a variant that runs without a result, as `lost_seconds` tells, in
    shares of best: 1 is as much as a variant of infinite cost."""
    errors: Floats | None = None
    """How wrong each variant's output is, (n, k): 0 of exact ones, not a number where it is not
    known. None: no variant is approximate."""
    measured: Floats | None = None
    """Where there are approximate variants: their costs where their errors are beyond the bound,
    too, (n, k); `costs` are infinite there."""
    device: tuple[str, ...] = ()
    """Features that are the machine's, of a set of several machines: no model input reads one of
    them beside one of an input's, so that a model can be specialised for a machine."""

    def __post_init__(self) -> None:
        n, d, k = len(self.inputs), len(self.features), len(self.variants)
        shapes = {"values": (n, d), "costs": (n, k), "feature_seconds": (d,)}
        if self.feature_times is not None:
            shapes["feature_times"] = (n, d)
        if self.exhaustive is not None:
            shapes["exhaustive"] = (n,)
        for name in ("lost_seconds", "spread", "errors", "measured"):
            if getattr(self, name) is not None:
                shapes[name] = (n, k)
        for name, shape in shapes.items():
            array = np.asarray(getattr(self, name), dtype=np.float64)
            if array.shape != shape:
                raise FettleError(
                    f"training set of {self.function}: {name} have shape {array.shape}, but "
                    f"{counted(n, 'input')}, {counted(d, 'feature')} and {counted(k, 'variant')} "
                    f"need {shape}"
                )
            object.__setattr__(self, name, array)
        if not self.variants:
            raise FettleError(f"training set of {self.function}: it has no variants")
        if len(self.failed_on) not in (0, k):
            raise FettleError(
                f"training set of {self.function}: failed_on has {len(self.failed_on)} numbers, "
                f"but there are {counted(k, 'variant')}"
            )
        for kind, names in (("feature", self.features), ("variant", self.variants)):
            twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
            if twice is not None:
                raise FettleError(
                    f"training set of {self.function}: {kind} {twice!r} is given twice"
                )
        if self.default is not None and self.default not in self.variants:
            raise FettleError(
                f"training set of {self.function}: the default {self.default!r} is none of the "
                f"variants {', '.join(self.variants)}"
            )
        bad = np.argwhere(~(self.costs > 0))
        if len(bad):
            i, j = bad[0]
            raise FettleError(
                f"training set of {self.function}: variant {self.variants[j]!r} costs "
                f"{self.costs[i, j]} on input {self.inputs[i]!r}; a cost is a positive number, "
                "infinite where the variant failed"
            )

    def __len__(self) -> int:
        """The number of inputs."""
        return len(self.inputs)

    @property
    def preference(self) -> tuple[int, ...]:
        """The indices of the variants in the order in which equals are taken."""
        return preference(self.variants, self.default, self.failed_on)

    def rows(self, chosen: Sequence[int] | NDArray[np.intp]) -> TrainingSet:
        """Some of the inputs, in the given order."""
        indices = np.asarray(chosen, dtype=np.intp)
        return replace(
            self,
            inputs=tuple(self.inputs[i] for i in indices),
            values=self.values[indices],
            costs=self.costs[indices],
            feature_times=None if self.feature_times is None else self.feature_times[indices],
            exhaustive=None if self.exhaustive is None else self.exhaustive[indices],
            lost_seconds=None if self.lost_seconds is None else self.lost_seconds[indices],
            spread=None if self.spread is None else self.spread[indices],
            errors=None if self.errors is None else self.errors[indices],
            measured=None if self.measured is None else self.measured[indices],
        )

    def evaluation_seconds(self, features: Iterable[str]) -> Floats:
        """What evaluating these features takes on each input, (n,)."""
        known = self.feature_times
        if known is None:
            known = np.tile(self.feature_seconds, (len(self), 1))
        left = set(features)
        seconds = np.zeros(len(self))
        for shared in self.shared_features:
            indices = [self.features.index(name) for name in left & shared]
            if indices:
                seconds += known[:, indices].max(axis=1)
            left -= shared
        for name in sorted(left):
            seconds += known[:, self.features.index(name)]
        return seconds

    def only(self, variants: Sequence[str]) -> TrainingSet:
        """The same inputs with some of the variants, in the given order."""
        indices = [self.variants.index(name) for name in variants]
        return replace(
            self,
            variants=tuple(variants),
            costs=self.costs[:, indices],
            lost_seconds=None if self.lost_seconds is None else self.lost_seconds[:, indices],
            spread=None if self.spread is None else self.spread[:, indices],
            errors=None if self.errors is None else self.errors[:, indices],
            measured=None if self.measured is None else self.measured[:, indices],
            default=self.default if self.default in variants else None,
            failed_on=tuple(self.failed_on[index] for index in indices) if self.failed_on else (),
        )  # `exhaustive` stays: it is of all variants that there were

    def narrowed(self, variants: Sequence[str]) -> TrainingSet:
        """`only` these variants, without the inputs on which none of them works."""
        return self if tuple(variants) == self.variants else self.only(variants).usable()

    def usable(self) -> TrainingSet:
        """Without the inputs on which no variant works, of which a TrainingWarning tells.

        Raises FettleError if no input is left.
        """
        works = np.isfinite(self.costs).any(axis=1)
        if not works.any():
            raise FettleError(
                f"training set of {self.function}: no variant works on any of its {len(self)} "
                "inputs; there is nothing to learn"
            )
        if works.all():
            return self
        lost = np.flatnonzero(~works)
        warnings.warn(
            f"{self.function}: {len(lost)} of {counted(len(self), 'input')} are left out because "
            "no variant "
            f"works there, the first is {self.inputs[lost[0]]!r}",
            TrainingWarning,
            stacklevel=3,
        )
        return self.rows(np.flatnonzero(works))
