"""A store's measurements as a table: a row a call, a column a feature and a variant's cost."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from fettle.core.errors import FettleError
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import InputKey, Offer, Subject
from fettle.training.exported import exported, measured_subjects

SUBJECT = Subject("app", "f", "here", "")
OFFER = Offer(("plain", "fast", "other"), ("n",), "plain", "s", False, {})


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    found = SqliteStore(tmp_path / "db.sqlite")
    found.set_offer(SUBJECT, OFFER)
    return found


def measured(store: SqliteStore, name: str, n: float) -> InputKey:
    """An input with one call: plain takes 2 s (the median), fast failed, other is excluded."""
    given = InputKey(name, "")
    store.add_call(SUBJECT, given, 0, {"n": n}, {"n": 0.0})
    store.add_samples(SUBJECT, given, 0, "plain", [1.0, 2.0, 30.0])
    store.add_verdict(SUBJECT, given, 0, "plain", "measured")
    store.add_verdict(SUBJECT, given, 0, "fast", "failed", "threw")
    store.add_verdict(SUBJECT, given, 0, "other", "excluded", "too large")
    store.finish(SUBJECT, given, 1)
    return given


def test_each_verdict_has_its_cell(store: SqliteStore) -> None:
    measured(store, "a", 3.0)
    table = exported(store, SUBJECT)
    assert table.rows == (("a", "3.0", "2.0", "failed", ""),)
    assert table.csv() == "input,n,plain,fast,other\na,3.0,2.0,failed,\n"
    assert table.left_out == 0
    assert measured_subjects(store) == [SUBJECT]


def test_of_several_metrics_a_row_is_a_run(store: SqliteStore) -> None:
    store.set_offer(SUBJECT, replace(OFFER, metrics={"seconds": "s", "joules": "J"}))
    given = measured(store, "a", 3.0)
    store.add_samples(SUBJECT, given, 0, "plain", [7.0, 5.0, 6.0], metric="joules")
    table = exported(store, SUBJECT)
    assert table.csv() == (
        "input,n,variant,seconds,joules\na,3.0,plain,2.0,6.0\na,3.0,fast,failed,failed\n"
    )
    assert table.training_options == (
        *("--features", "n", "--input-column", "input", "--variant-column", "variant"),
        *("--metrics", "seconds,joules", "--minimize", "seconds"),
    )


def test_metrics_that_are_better_larger_are_as_measured(store: SqliteStore) -> None:
    offer = replace(
        OFFER, unit="returned", larger_is_better=True, metrics={"rate": "", "watts": ""}
    )
    store.set_offer(SUBJECT, offer)
    measured(store, "a", 3.0)
    table = exported(store, SUBJECT)
    assert table.rows[0] == ("a", "3.0", "plain", "2.0", "")
    assert table.training_options[-2:] == ("--maximize", "rate")


def test_a_feature_with_the_name_of_a_metric_is_refused(store: SqliteStore) -> None:
    offer = Offer(("plain", "fast"), ("n",), "plain", "s", False, {}, metrics={"s": "s", "n": "J"})
    store.set_offer(SUBJECT, offer)
    with pytest.raises(FettleError, match="f: 'n' is a feature and a metric, or the column"):
        exported(store, SUBJECT)


def test_an_infinite_metric_is_inf(store: SqliteStore) -> None:
    given = InputKey("a", "")
    store.add_call(SUBJECT, given, 0, {"n": 1.0}, {"n": 0.0})
    for variant in OFFER.variants:
        store.add_samples(SUBJECT, given, 0, variant, [1.0 if variant == "plain" else math.inf])
        store.add_verdict(SUBJECT, given, 0, variant, "measured")
    store.finish(SUBJECT, given, 1)
    assert exported(store, SUBJECT).rows == (("a", "1.0", "1.0", "inf", "inf"),)


def test_the_names_column_avoids_a_feature_called_input(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "db.sqlite")
    store.set_offer(SUBJECT, Offer(("plain",), ("input",), "plain", "s", False, {}))
    given = InputKey("a", "")
    store.add_call(SUBJECT, given, 0, {"input": 1.0}, {"input": 0.0})
    store.add_samples(SUBJECT, given, 0, "plain", [1.0])
    store.add_verdict(SUBJECT, given, 0, "plain", "measured")
    store.finish(SUBJECT, given, 1)
    assert exported(store, SUBJECT).csv().startswith("input_name,input,plain\n")


def test_a_name_that_is_a_feature_and_a_variant_is_refused(store: SqliteStore) -> None:
    store.set_offer(SUBJECT, Offer(("n",), ("n",), "n", "s", False, {}))
    with pytest.raises(FettleError, match="f: 'n' is a feature and a variant"):
        exported(store, SUBJECT)


def test_inputs_that_are_not_finished_are_counted(store: SqliteStore) -> None:
    with pytest.raises(FettleError, match="f: no input is completely measured"):
        exported(store, SUBJECT)
    measured(store, "a", 1.0)
    store.add_call(SUBJECT, InputKey("b", ""), 0, {"n": 1.0}, {"n": 0.0})
    assert exported(store, SUBJECT).left_out == 1


def test_the_approximate_variants_are_named(store: SqliteStore) -> None:
    measured(store, "a", 3.0)
    assert exported(store, SUBJECT).approximate == ()
    store.set_offer(SUBJECT, replace(OFFER, quality={"approximate": ["fast"], "bound": 0.1}))
    assert exported(store, SUBJECT).approximate == ("fast",)
