"""Models of several objectives whose variants have parameters, of measurements that are there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from quick_classifier import QuickClassifier

from fettle.core.progress import Silence
from fettle.model.model import Model
from fettle.parameters import explore
from fettle.parameters.stage import Parameters
from fettle.search.parameter_search import ParameterSearch
from fettle.search.variant_space import offered_spaces
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.code_variant import CodeVariant
from fettle.training.failed import NONE_FAILED
from fettle.training.judged_points import choose_points
from fettle.training.measure import Measurer
from fettle.training.measurements import Measurements
from fettle.training.objective_models import ObjectiveModels
from fettle.training.objectives import objectives_of
from fettle.training.point_objectives import PointObjectives
from fettle.training.program import Input
from fettle.training.settings import Settings
from fettle.training.tables import Tables
from fettle.training.trainer import Trainer

METRICS = {"seconds": "s", "joules": "J"}
LANES = (2, 4, 16)
OFFER = Offer(
    ("plain", "wide lanes=4"),
    ("n",),
    "plain",
    "s",
    False,
    {},
    parameters={
        "wide": {"values": {"lanes": list(LANES)}, "defaults": {"lanes": 4}, "constraints": []}
    },
    metrics=METRICS,
)
SPACES = offered_spaces(OFFER.parameters)
INPUTS = [Input(f"i{n}", (f"i{n}",)) for n in range(12)]
NAMES = ("plain", *(f"wide lanes={lanes}" for lanes in LANES))


def measured(n: int, *, sensor: bool) -> Example:
    """More lanes are faster and draw more power; the variant without any takes most of both."""
    found = Example(0, {"n": float(n)}, {"n": 1e-9})
    for name, seconds, watts in zip(
        NAMES, (9.0, 4.0, 2.0, 1.0), (9.0, 1.0, 4.0, 16.0), strict=True
    ):
        found.samples[name] = [seconds * (1 + n)]
        joules = seconds * watts * (1 + n) if sensor else float("nan")
        found.others[name] = {"joules": [joules]}
        found.verdicts[name] = ("measured", "")
    return found


class Measured:
    """What a Measurer is asked for, where all points are known."""

    offer, subject, workers = OFFER, "f", None

    def __init__(self, *, sensor: bool = True) -> None:
        self.may_measure = False
        self.view: Callable[[Example], Example] | None = None
        self.display, self.warnings = Silence(), []
        self.store = SimpleNamespace(note=lambda _: None, set_note=lambda *_: None)
        self.known = {given.name: measured(n, sensor=sensor) for n, given in enumerate(INPUTS)}

    def examples(self, given: Input) -> list[Example]:
        """The call of an input, as the view shows it."""
        known = self.known[given.name]
        return [known if self.view is None else self.view(known)]

    def warn(self, text: str) -> None:
        """Keeps a warning."""
        self.warnings.append(text)


class Session:
    """What a PointSession is asked for; it must not be asked to measure."""

    def __init__(self, measurer: Measured, given: Input, call: int) -> None:
        self.measurer, self.given = measurer, given

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def example(self) -> Example:
        """The only call."""
        return self.measurer.examples(self.given)[0]

    def measure(self, name: str) -> float:
        """Fails the test."""
        raise AssertionError(f"{name} is measured")

    def again(self, names: object) -> None:
        """Fails the test."""
        raise AssertionError(f"{names} are measured")


Trained = Callable[..., tuple[Measured, ObjectiveModels]]


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trained:
    """Trains the models of a fast and an eco objective."""
    monkeypatch.setattr(explore, "PointSession", Session)

    def train(
        *, sensor: bool = True, withheld: tuple[str, ...] = ()
    ) -> tuple[Measured, ObjectiveModels]:
        measurer = Measured(sensor=sensor)
        function = CodeVariant(
            "f",
            metrics=METRICS,
            objectives={"fast": "seconds", "eco": "joules"},
            parameter_search=ParameterSearch("multilevel", measurements=3),
        )
        settings = Settings("app", tmp_path, training_inputs=tuple(INPUTS))
        measurements = Measurements(settings, function, measurer, None, Parameters())  # type: ignore[arg-type]
        tables = Tables(settings, function, measurer)  # type: ignore[arg-type]
        wanted = objectives_of(function, OFFER)
        parameters = measurements.parameters
        assert wanted is not None and parameters is not None
        parameters.explore(INPUTS)
        data = parameters.table_of(INPUTS, parameters.complete(INPUTS, [], tables.failed)).data
        trainer = Trainer(QuickClassifier())
        first = parameters.learning.train(trainer, data, None, feature_selection=False).model
        measurer.may_measure = True
        points = PointObjectives(measurements, tables, trainer, INPUTS, withheld)
        return measurer, points.trained(wanted, first, None, NONE_FAILED)

    return train


def chosen(model: Model | None) -> set[str]:
    """What a model chooses on all inputs."""
    assert model is not None
    values = np.array([[float(n)] for n in range(len(INPUTS))])
    return set(choose_points(Trainer(QuickClassifier()), model, values, SPACES))


def test_each_objective_chooses_its_points_and_nothing_is_measured(trained: Trained) -> None:
    measurer, found = trained()
    fast, eco = found.models
    assert (fast.objective.name, eco.objective.name) == ("fast", "eco")
    assert chosen(fast.model) == {"wide lanes=16"}
    assert chosen(eco.model) == {"wide lanes=2"}
    assert eco.model is not None
    assert eco.model.provenance["objective"] == "minimize joules"
    assert measurer.may_measure  # as before
    assert measurer.view is None  # by the function's own metric, the first objective


def test_the_trade_off_compares_the_chosen_points(trained: Trained) -> None:
    _, found = trained()
    said = "\n".join(found.lines())
    assert "wide lanes=16" in said
    assert "wide lanes=2" in said


def test_an_objective_without_a_metric_has_no_model(trained: Trained) -> None:
    measurer, found = trained(sensor=False)
    assert found.models[0].model is not None
    assert found.models[1].model is None
    assert measurer.may_measure


def test_a_withheld_point_is_not_chosen(trained: Trained) -> None:
    _, found = trained(withheld=("wide lanes=2",))
    assert chosen(found.models[1].model) == {"wide lanes=4"}  # the next best


def test_an_error_leaves_the_measurer_as_it_was(
    trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[Measurer, bool]] = []

    def fails(self: PointObjectives, _: object) -> None:
        measurer = self.measurements.measurer
        seen.append((measurer, measurer.may_measure))
        raise RuntimeError("no model")

    monkeypatch.setattr(PointObjectives, "_learned", fails)
    with pytest.raises(RuntimeError, match="no model"):
        trained()
    [(measurer, could_measure)] = seen
    assert not could_measure
    assert measurer.may_measure
    assert measurer.view is None
