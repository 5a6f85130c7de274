"""Measurements of a store as a table in CSV, which `fettle train` and `fettle evaluate` read.

Of a function with one metric a row is a call, of one with several it is a variant's run.
"""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from fettle.core.errors import FettleError
from fettle.core.wording import printable
from fettle.store.base import Store
from fettle.store.contents import Example
from fettle.store.subject import Offer, Subject
from fettle.training.costs import cost_of
from fettle.training.examples import distinct_calls

VARIANT = "variant"  # the column that names a run's


@dataclass(frozen=True)
class Exported:
    """A table: the input's name, a column a feature, and a column a variant's cost.

    With several metrics a row is a run: its variant, and a column a metric.
    """

    features: tuple[str, ...]
    variants: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int
    """Inputs that are not completely measured, or have a feature without a value."""
    approximate: tuple[str, ...] = ()
    """The approximate ones of the variants; their errors are not in the table."""
    metrics: tuple[str, ...] = ()
    """Several metrics, the function's own first."""
    larger_is_better: bool = False
    """Of the function's own metric."""

    @property
    def columns(self) -> tuple[str, ...]:
        """What comes behind the input's name."""
        return (*self.features, *((VARIANT, *self.metrics) if self.metrics else self.variants))

    @property
    def training_options(self) -> tuple[str, ...]:
        """The options of `fettle train` that say what the columns are."""
        exact = [name for name in self.variants if name not in self.approximate]
        features = ("--features", ",".join(self.features))
        if not self.metrics:
            return (*features, "--metrics", ",".join(exact))
        runs = ("--input-column", self.input_column, "--variant-column", VARIANT)
        metrics = ("--metrics", ",".join(self.metrics))
        objective = ("--maximize" if self.larger_is_better else "--minimize", self.metrics[0])
        return (*features, *runs, *metrics, *objective)

    @property
    def input_column(self) -> str:
        """The name of the column that names the inputs."""
        names = ("input", "input_name", "fettle_input")
        return next(one for one in names if one not in self.columns)

    def csv(self) -> str:
        """The table as text, with a header line."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([(self.input_column, *self.columns), *self.rows])
        return text.getvalue()


def measured_subjects(store: Store) -> list[Subject]:
    """The subjects that a store has measurements of."""
    return [one for one in store.subjects() if store.offer(one) is not None and store.inputs(one)]


def exported(store: Store, subject: Subject) -> Exported:
    """The table of a subject's inputs, a row a call.

    A cost is the median of a variant's samples, in the metric's unit (its reciprocal where larger
    is better); the cell is empty where a constraint excludes the variant, "failed" where it failed,
    "inf" where its metric is infinite. With several metrics, a row a run has the median of each as
    it was measured, and a variant that is excluded has no row. Variants with parameters are at
    their defaults. Raises FettleError where nothing is completely measured.
    """
    offer = store.offer(subject)
    assert offer is not None
    metrics = tuple(offer.metrics)
    other = {VARIANT, *metrics} if metrics else set(offer.variants)
    both = sorted(set(offer.features) & other)
    if both:
        what = "a metric, or the column of variants," if metrics else "a variant,"
        raise FettleError(
            f"{subject.function}: {both[0]!r} is a feature and {what} which cannot be two columns "
            "of one table; rename one"
        )
    inputs = store.inputs(subject)
    known = [(printable(one.arguments), store.examples(subject, one)) for one in inputs]
    rows = tuple(_runs(offer, known) if metrics else _rows(offer, known))
    if not rows:
        raise FettleError(
            f"{subject.function}: no input is completely measured; run the tuning script again"
        )
    used = {row[0].partition(" #")[0] for row in rows}
    left_out = len({name for name, _ in known} - used)
    return Exported(
        offer.features,
        offer.variants,
        rows,
        left_out,
        offer.approximate,
        metrics,
        offer.larger_is_better,
    )


def _rows(offer: Offer, known: list[tuple[str, list[Example]]]) -> Iterator[tuple[str, ...]]:
    for name, example in distinct_calls(offer, known):
        if not example.featureless:
            features = (repr(example.features[feature]) for feature in offer.features)
            costs = (_cell(example, variant, offer) for variant in offer.variants)
            yield (name, *features, *costs)


def _cell(example: Example, variant: str, offer: Offer) -> str:
    verdict = example.verdicts[variant][0]
    if verdict == "failed":
        return "failed"
    return repr(cost_of(example, variant, offer)) if verdict == "measured" else ""


def _runs(offer: Offer, known: list[tuple[str, list[Example]]]) -> Iterator[tuple[str, ...]]:
    for name, example in distinct_calls(offer, known):
        if example.featureless:
            continue
        features = tuple(repr(example.features[feature]) for feature in offer.features)
        for variant in offer.variants:
            verdict = example.verdicts[variant][0]
            if verdict == "measured":
                cells = _medians(example, variant, offer)
            elif verdict == "failed":
                cells = ("failed",) * len(offer.metrics)
            else:
                continue
            yield (name, *features, variant, *cells)


def _medians(example: Example, variant: str, offer: Offer) -> tuple[str, ...]:
    own, *others = offer.metrics
    samples = {own: example.samples[variant]} | example.others.get(variant, {})
    return tuple(
        repr(statistics.median(samples[one])) if samples.get(one) else "" for one in (own, *others)
    )
