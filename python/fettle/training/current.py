"""The outcome of an earlier tuning run, taken again where nothing has changed since.

Fitting, judging and comparing a model takes seconds. A tuning run keeps what came of them in the
store, with a digest of all that they depend on: training data, options, Fettle's version. While the
digest and the files of the deployed model stay the same, a later run has nothing to do.

Users' classifiers are fitted in each run: a change of their code would not be noticed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from fettle.core.version import __version__
from fettle.data.approximation import Approximation
from fettle.data.model_comparison import ModelComparison
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import (
    CurvePoint,
    Delivered,
    Evaluation,
    FeatureCurve,
    FeatureImportance,
    Gain,
    LearningStep,
    TuningResult,
)
from fettle.store.base import Store
from fettle.store.subject import Subject
from fettle.training.code_variant import CodeVariant
from fettle.training.delivered import NOT_COMPARED

FORMAT = 2  # of the record


@dataclass(frozen=True)
class Outcome:
    """What `recall` has found of an earlier run."""

    started: datetime
    learned_from: tuple[str, ...]
    """Names of the training inputs that were learned from, in order."""
    digest: str
    record: Mapping[str, Any]

    def restored(
        self, result: TuningResult, data: TrainingSet, test: TrainingSet | None
    ) -> TuningResult:
        """A result of this run with what came of the earlier one; `data` and `test` are equal."""
        record = self.record
        approximation = record.get("approximation")
        curve, delivered = record["feature_curve"], dict(record["delivered"])
        for name in ("gain", "over_former"):
            delivered[name] = delivered[name] and Gain(**delivered[name])
        return replace(
            result,
            evaluation=_evaluation(record["evaluation"], data, test),
            feature_curve=curve
            and FeatureCurve(
                tuple(
                    CurvePoint(**{**point, "features": tuple(point["features"])})
                    for point in curve["points"]
                ),
                tuple(curve["kept"]),
                curve["kept_net_share_of_best"],
            ),
            learning_curve=tuple(
                LearningStep(**{**step, "added": tuple(step["added"])})
                for step in record["learning_curve"]
            ),
            learning_judged_by=record["learning_judged_by"],
            delivered=Delivered(**{**delivered, "inputs": tuple(delivered["inputs"])}),
            compared=record["compared"] and ModelComparison.restored(record["compared"]),
            importance=tuple(FeatureImportance(**one) for one in record["importance"]),
            objectives=tuple(record.get("objectives", ())),
            approximation=approximation and Approximation.restored(approximation),
            warnings=tuple(dict.fromkeys((*record["warnings"], *result.warnings))),
            current_since=self.started,
        )


def digest_of(*parts: object) -> str:
    """A digest of values: the same for equal ones, in every process, with this Fettle version."""
    found = hashlib.sha256(f"{FORMAT} {__version__}".encode())
    _add(found, parts)
    return found.hexdigest()


def model_options(function: CodeVariant) -> dict[str, object] | None:
    """The options that a model depends on; None where the classifier is not one of Fettle's."""
    kind = type(function.classifier)
    if not kind.__module__.startswith("fettle.classifiers."):
        return None
    state = vars(function.classifier).items()
    settings = {name: of for name, of in state if not name.startswith("_") and not callable(of)}
    return {**vars(function), "classifier": [kind.__qualname__, settings]}


def remember(
    store: Store,
    subject: Subject,
    at: Path,
    digest: str,
    learned_from: Sequence[str],
    result: TuningResult,
    bases: tuple[TrainingSet, TrainingSet | None],
) -> None:
    """Keeps the outcome of a run whose model is at `at`, unless another run could change it.

    `bases` are the training and test sets, which a later run makes of the store again.
    """
    delivered = result.delivered
    is_final = delivered is not None and not (
        delivered.is_unclear or delivered.reason == NOT_COMPARED
    )
    evaluation = _evaluation_record(result.evaluation, *bases)
    if not is_final or evaluation is None:
        store.set_note(_key(subject, at), None)
        return
    record = {
        "format": FORMAT,
        "digest": digest,
        "model": _files_digest(at),
        "started": result.started.isoformat(),
        "learned_from": list(learned_from),
        "evaluation": evaluation,
        "feature_curve": result.feature_curve and asdict(result.feature_curve),
        "learning_curve": [asdict(step) for step in result.learning_curve],
        "learning_judged_by": result.learning_judged_by,
        "delivered": delivered and asdict(delivered),
        "compared": result.compared and asdict(result.compared),
        "importance": [asdict(one) for one in result.importance],
        "warnings": result.warnings,
        "objectives": result.objectives,
        "approximation": result.approximation and asdict(result.approximation),
    }
    store.set_note(_key(subject, at), json.dumps(record))


def recall(store: Store, subject: Subject, at: Path) -> Outcome | None:
    """What `remember` kept of the model at `at`; None where its files have changed since."""
    text = store.note(_key(subject, at))
    record = {} if text is None else json.loads(text)
    if record.get("format") != FORMAT or record["model"] != _files_digest(at):
        return None
    started = datetime.fromisoformat(record["started"])
    return Outcome(started, tuple(record["learned_from"]), record["digest"], record)


def remember_inputs(store: Store, subject: Subject, at: Path, names: Sequence[str]) -> None:
    """Keeps the names of the inputs that the model at `at` was trained on."""
    record = {"model": _files_digest(at), "inputs": list(names)}
    store.set_note(_inputs_key(subject, at), json.dumps(record))


def trained_on(store: Store, subject: Subject, at: Path) -> frozenset[str]:
    """The names of the inputs that the model at `at` was trained on; empty where unknown."""
    text = store.note(_inputs_key(subject, at))
    record = {} if text is None else json.loads(text)
    if record.get("model") != _files_digest(at):
        return frozenset()
    return frozenset(record["inputs"])


def _key(subject: Subject, at: Path) -> str:
    return f"outcome in {at} of {subject}"


def _inputs_key(subject: Subject, at: Path) -> str:
    return f"inputs of the model in {at} of {subject}"


def _files_digest(directory: Path) -> str:
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    return digest_of([(str(path.relative_to(directory)), path.read_bytes()) for path in files])


def _evaluation_record(
    evaluation: Evaluation | None, data: TrainingSet, test: TrainingSet | None
) -> dict[str, Any] | None:
    """As `_evaluation` reads it; None where it is of other inputs or variants than the bases."""
    if evaluation is None:
        return {}
    base = test if evaluation.how == "held-out" else data
    its = evaluation.data
    if base is None or (its.inputs, its.variants) != (base.inputs, base.variants):
        return None
    same = np.array_equal(its.costs, base.costs)
    chosen = evaluation.chosen.tolist()
    return {"how": evaluation.how, "chosen": chosen, "costs": None if same else its.costs.tolist()}


def _evaluation(
    record: Mapping[str, Any], data: TrainingSet, test: TrainingSet | None
) -> Evaluation | None:
    if not record:
        return None
    base = test if record["how"] == "held-out" else data
    assert base is not None
    if record["costs"] is not None:
        base = replace(base, costs=np.array(record["costs"]))
    return Evaluation(record["how"], base, np.array(record["chosen"], dtype=np.intp))


def _add(digest: Any, value: object) -> None:
    """Adds a value to a digest, with its type; sets in an order that is the same everywhere."""
    digest.update(f"{type(value).__qualname__}(".encode())
    if isinstance(value, np.ndarray):
        digest.update(f"{value.dtype} {value.shape}".encode() + value.tobytes())
    elif is_dataclass(value) and not isinstance(value, type):
        _add(digest, {field.name: getattr(value, field.name) for field in fields(value)})
    elif isinstance(value, Mapping):
        _add(digest, sorted(value.items(), key=lambda item: repr(item[0])))
    elif isinstance(value, frozenset | set):
        _add(digest, sorted(value, key=lambda one: digest_of(one)))
    elif isinstance(value, tuple | list):
        for one in value:
            _add(digest, one)
    else:
        digest.update(value if isinstance(value, bytes) else repr(value).encode())
    digest.update(b")")
