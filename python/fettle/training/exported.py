"""Measurements of a store as a table in CSV, which `fettle train` and `fettle evaluate` read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from fettle.core.errors import FettleError
from fettle.core.wording import printable
from fettle.store.base import Store
from fettle.store.contents import Example
from fettle.store.subject import Offer, Subject
from fettle.training.costs import cost_of
from fettle.training.examples import distinct_calls


@dataclass(frozen=True)
class Exported:
    """A table: the input's name, a column a feature, a column a variant's cost."""

    features: tuple[str, ...]
    variants: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int
    """Inputs that are not completely measured, or have a feature without a value."""
    approximate: tuple[str, ...] = ()
    """The approximate ones of the variants; their errors are not in the table."""

    def csv(self) -> str:
        """The table as text, with a header line."""
        taken = {*self.features, *self.variants}
        name = next(one for one in ("input", "input_name", "fettle_input") if one not in taken)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([(name, *self.features, *self.variants), *self.rows])
        return text.getvalue()


def measured_subjects(store: Store) -> list[Subject]:
    """The subjects that a store has measurements of."""
    return [one for one in store.subjects() if store.offer(one) is not None and store.inputs(one)]


def exported(store: Store, subject: Subject) -> Exported:
    """The table of a subject's inputs, a row a call.

    A cost is the median of a variant's samples, in the metric's unit (its reciprocal where larger
    is better); the cell is empty where a constraint excludes the variant, "failed" where it failed,
    "inf" where its metric is infinite. Variants with parameters are at their defaults. Raises
    FettleError where nothing is completely measured.
    """
    offer = store.offer(subject)
    assert offer is not None
    both = sorted(set(offer.features) & set(offer.variants))
    if both:
        raise FettleError(
            f"{subject.function}: {both[0]!r} is a feature and a variant, which cannot be two "
            "columns of one table; rename one"
        )
    inputs = store.inputs(subject)
    known = [(printable(one.arguments), store.examples(subject, one)) for one in inputs]
    rows = tuple(_rows(offer, known))
    if not rows:
        raise FettleError(
            f"{subject.function}: no input is completely measured; run the tuning script again"
        )
    used = {row[0].partition(" #")[0] for row in rows}
    left_out = len({name for name, _ in known} - used)
    return Exported(offer.features, offer.variants, rows, left_out, offer.approximate)


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
