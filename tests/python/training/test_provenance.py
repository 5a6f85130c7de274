"""The facts that a model's description says about where the model comes from."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import numpy as np

from fettle.classifiers import TreeClassifier
from fettle.core.version import __version__
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import Delivered, FailedVariant, Gain
from fettle.store.subject import Offer
from fettle.training.failed import NONE_FAILED
from fettle.training.provenance import gain_facts, provenance_of
from fettle.training.settings import Settings
from fettle.training.train import train
from fettle.training.trainer import Trainer

STARTED = datetime(2026, 11, 24, 9, 30, tzinfo=timezone.utc)
OFFER = Offer(("a", "b"), ("n",), "a", "s", False, {"compiler": "gcc 12"})
GAIN = Gain(1.5, 0.9, 2.0, 1.2, 1.8, 1.4, 1.6)


def data(count: int) -> TrainingSet:
    """The first variant is the better one below the middle."""
    size = np.arange(count, dtype=float)
    costs = np.column_stack([size + 1, np.full(count, count / 2)])
    return TrainingSet(
        "f",
        ("n",),
        ("a", "b"),
        tuple(map(str, range(count))),
        size[:, None],
        costs,
        np.zeros(1),
        spread=np.full((count, 2), 0.0123),
    )


def facts(count: int, failed: tuple[FailedVariant, ...] = (), **settings: object) -> dict[str, str]:
    given = data(count)
    silent = lambda _: None  # noqa: E731
    trained = train(
        Trainer(TreeClassifier()), given, None, feature_selection=False, say=silent, warn=silent
    )
    return provenance_of(
        trained,
        trained.judged,
        given,
        replace(NONE_FAILED, variants=failed),
        Settings("app").changed(**settings),
        OFFER,
        machine="a machine",
        started=STARTED,
    )


def test_what_a_model_was_made_of() -> None:
    found = facts(20, built_with={"TILE": 8, "UNROLL": 2})
    assert found["judged"] == "cross-validated"
    assert float(found["share_of_best"]) > 0.9
    assert found.items() >= {
        ("spread_of_costs", "0.0123"),
        ("compiled_with", "TILE=8 UNROLL=2"),
        ("trained", "2026-11-24T09:30:00Z"),
        ("machine", "a machine"),
        ("compiler", "gcc 12"),
        ("inputs", "20"),
        ("tool", f"fettle {__version__}"),
    }
    assert "never_chosen" not in found


def test_too_few_inputs_have_no_score() -> None:
    assert not {"judged", "share_of_best", "accuracy"} & facts(4).keys()


def test_variants_that_are_never_chosen_are_named_or_counted() -> None:
    failed = tuple(
        FailedVariant.of(f"v{k}", ["x"], {"x": "crashed"}, advice="", allowed=k == 0)
        for k in range(9)
    )
    assert facts(4, failed)["never_chosen"] == "v1, v2, v3, v4, v5 and 3 more"
    assert facts(4, failed[:3])["never_chosen"] == "v1, v2"


def test_the_gain_and_what_is_deployed_in_place_of_the_model() -> None:
    new = gain_facts(Delivered("new", ("x", "y"), gain=GAIN))
    assert new == {"gain": "1.5000", "gain_least": "0.9000", "gain_inputs": "2"}
    refused = gain_facts(Delivered("default", ("x",), gain=GAIN))
    assert refused["deployed"] == "the default variant always: no gain worth having"
    assert refused["gain_refused"] == "1.5000"
    busy = gain_facts(Delivered("default", is_unclear=True))
    assert busy == {"deployed": "the default variant always: the machine was too busy to tell"}
