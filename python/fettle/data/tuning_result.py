"""What one tuning run of one function gives back: the data, the model and how good it is.

The tuner makes a `TuningResult`; `fettle.report` turns it into text and pages.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fettle.data.approximation import Approximation
from fettle.data.model_comparison import ModelComparison
from fettle.data.training_set import TrainingSet
from fettle.model.model import Model


@dataclass(frozen=True)
class Failure:
    """Something that could not be measured; `variant` is None when the whole input was left out."""

    input: str
    variant: str | None
    reason: str


@dataclass(frozen=True)
class FailedVariant:
    """A variant, or a point of one, that crashed, hung, threw or was wrong where it ran.

    Also one whose output was not the default's, where the script wants it to be.
    """

    variant: str
    inputs: int  # on which it failed
    ran_on: int  # inputs; on the others a constraint excluded it, or its turn never came
    first: str  # the first input on which it failed
    reason: str  # on that input
    advice: str = ""  # what follows from it, and what to do
    what: str = "failed"  # or what it did instead, where that is why it is not chosen
    is_default: bool = False
    allowed: bool = False  # the script allows the failure: the model may choose the variant

    @staticmethod
    def of(
        variant: str,
        ran_on: Collection[str],
        reasons: Mapping[str, str],
        *,
        advice: str,
        what: str = "failed",
        is_default: bool = False,
        allowed: bool = False,
    ) -> FailedVariant:
        """A variant that ran on some inputs and failed, for a reason each, on at least one."""
        first, reason = next(iter(reasons.items()))
        inputs = len(reasons)
        return FailedVariant(
            variant, inputs, len(ran_on), first, reason, advice, what, is_default, allowed
        )


@dataclass(frozen=True)
class Effort:
    """What the training cost in this run; what the store already had costs nothing here."""

    seconds: float = 0.0  # wall clock of all program starts
    program_starts: int = 0
    variant_runs: int = 0  # measured runs of a variant (samples), warm-up runs not counted
    build_seconds: float = 0.0  # clean and build commands
    fit_seconds: float = 0.0  # classifier, cross-validation and feature selection
    measured_inputs: int = 0  # inputs for which the program was started to run variants
    reused_inputs: int = 0  # inputs that the store already held completely
    evaluated_inputs: int = 0  # inputs for which the program was started for features alone
    points: int = 0  # points of variants' parameters that were measured, each on one input


@dataclass(frozen=True)
class Evaluation:
    """Choices on inputs that the choosing model was not fitted on, and every variant's cost there.

    "held-out": the final model on the test inputs. "cross-validated": each training input chosen
    by a model fitted on the other folds.
    """

    how: Literal["held-out", "cross-validated"]
    data: TrainingSet
    chosen: NDArray[np.intp]  # (n,) index into data.variants


@dataclass(frozen=True)
class CurvePoint:
    """Cross-validated mean share of best with a set of features (dissertation figure 2.7)."""

    added: str  # the feature that this point has more than the point before
    features: tuple[str, ...]
    seconds: float  # summed median evaluation time of the features
    share_of_best: float  # evaluation time not counted
    net_share_of_best: float  # evaluation time added to the chosen variant's cost


@dataclass(frozen=True)
class FeatureCurve:
    """Features added in order of evaluation cost, and the set that feature selection kept."""

    points: tuple[CurvePoint, ...]
    kept: tuple[str, ...]
    kept_net_share_of_best: float


@dataclass(frozen=True)
class FeatureImportance:
    """Permutation importance of a feature, on inputs that the model was not fitted on."""

    feature: str
    loss: float  # of the mean share of best, where the feature's values are shuffled
    spread: float  # standard deviation over shuffles


@dataclass(frozen=True)
class LearningStep:
    """One iteration of incremental tuning (dissertation figure 2.6)."""

    inputs: int  # measured inputs that the model of this step was fitted on
    added: tuple[str, ...]  # the inputs that were measured for it
    share_of_best: float
    accuracy: float


@dataclass(frozen=True)
class Gain:
    """How many times as fast one way to run is as another on some inputs: geometric means.

    For a metric that is not a time: how many times as good.
    """

    mean: float
    least: float  # on one input
    greatest: float
    low: float  # 95 % confidence interval of the mean over inputs like these; NaN of a single one
    high: float
    measured_low: float  # lower end of that which the samples' own spread leaves on these inputs
    measured_high: float  # upper end; `mean` where the samples are too few to tell


@dataclass(frozen=True)
class Delivered:
    """What the deployed program gains over the untuned one, both run alternately; and what is
    deployed.

    "new": the model of this run. "kept": the one that was deployed before stays, because the new
    one is not surely better. "default": no model is worth having, the default variant runs always.
    """

    deployed: Literal["new", "kept", "default"]
    inputs: tuple[str, ...] = ()  # those compared; empty: nothing was, `reason` says why
    trained_on: bool = False  # what is deployed may have been trained on these inputs
    gain: Gain | None = None  # of the deployed model over untuned; "default": of the one refused
    over_former: Gain | None = None  # of the new model over the one deployed before
    reason: str = ""
    is_unclear: bool = False  # "default", but the samples disagree too much to say "no gain"
    seconds: float = 0.0  # wall clock of the program's starts
    program_starts: int = 0


@dataclass(frozen=True)
class TuningResult:
    """The outcome of tuning one function; a value, safe to keep and to pickle."""

    function: str
    training: TrainingSet
    model: Model
    evaluation: Evaluation | None  # None: too few inputs to judge the model
    effort: Effort
    failures: tuple[Failure, ...]
    feature_curve: FeatureCurve | None
    learning_curve: tuple[LearningStep, ...]  # empty unless tuned incrementally
    learning_judged_by: Literal["", "test inputs", "cross-validation"]
    machine: dict[str, str]
    unit: str  # of the metric, as the program states it; "s" for seconds
    started: datetime
    finished: datetime
    program: str
    model_directory: Path  # holds <function>/model.txt
    warnings: tuple[str, ...] = field(default=())
    measured: TrainingSet | None = None
    """The training inputs with every variant that was measured; `training` has those that the model
    was trained with, and `model` those of them that it can choose. None: they are the same."""
    held_out: TrainingSet | None = None
    """The test inputs, likewise; None too where there are no test inputs."""
    failed: tuple[FailedVariant, ...] = ()
    """Variants that failed on some input, training or test. Those that are not allowed cost
    infinity on every input of `training`: they are not chosen or compared with."""
    delivered: Delivered | None = None
    """The headline; None: of a result that no tuning run has made."""
    compared: ModelComparison | None = None
    """The models that were trained, and why one was taken; None: a classifier of the user's own."""
    importance: tuple[FeatureImportance, ...] = ()
    """Of the features that the new model uses, the largest first; empty where it is not known."""
    current_since: datetime | None = None
    """When an earlier run that trained the deployed model began, where nothing has changed since:
    nothing was fitted or compared, and the figures are of that run. None: this run did both."""
    unsteady: str = ""
    """Why the measurements are too noisy, so that `model` is not deployed and what was deployed
    before stays; empty where they are good enough."""

    objectives: tuple[str, ...] = ()
    """Lines for people: what each objective is, how good its model's choices are, and the trade-off
    between them on the training inputs. Empty: the function has one metric and no objective."""

    approximation: Approximation | None = None
    """What came of approximate variants; None: the function has none."""

    @property
    def used_features(self) -> tuple[str, ...]:
        """The features that the model evaluates in deployment, in the training set's order."""
        model = self.model
        inputs = (*model.inputs, *(model.errors.inputs if model.errors is not None else ()))
        used = {entry.feature for entry in inputs}
        used |= {entry.divisor for entry in inputs if entry.divisor is not None}
        return tuple(name for name in self.training.features if name in used)

    @property
    def features_cost(self) -> float:
        """Seconds that one evaluation of the features costs which the model uses: the median."""
        return float(np.median(self.training.evaluation_seconds(self.used_features)))
