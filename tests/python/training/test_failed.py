"""Which failures withhold a variant, in what order they are named, and with what advice."""

from __future__ import annotations

import pytest

from fettle.core.errors import FettleError
from fettle.store.contents import Example, Verdict
from fettle.store.subject import Offer
from fettle.training.code_variant import CodeVariant
from fettle.training.failed import NONE_FAILED, failed_variants, not_chosen
from fettle.training.run import RAN_TOO_LONG, TOO_SLOW

OFFER = Offer(("plain", "fast", "other"), ("n",), "plain", "s", False, {})


def call(**reasons: str | None) -> Example:
    """A call in which variants failed for a reason, or ran where it is None."""
    verdicts: dict[str, tuple[Verdict, str]] = {
        name: ("measured", "") if reason is None else ("failed", reason)
        for name, reason in reasons.items()
    }
    return Example(0, {"n": 1.0}, {}, verdicts=verdicts)


def test_the_default_comes_first_then_what_failed_most() -> None:
    examples = [
        ("a", [call(plain=None, fast=None, other="threw")]),
        ("b", [call(plain="crashed", fast="threw", other="threw")]),
    ]
    found = failed_variants(OFFER, examples)
    assert [(one.variant, one.inputs, one.ran_on) for one in found.variants] == [
        ("plain", 1, 2),
        ("other", 2, 2),
        ("fast", 1, 2),
    ]
    assert "make another variant the default" in found.variants[0].advice
    assert "allow_failures=['other'] in the tuning script" in found.variants[1].advice
    assert found.withheld == {"plain", "fast", "other"}
    assert found.counts(("fast", "other", "unheard of")) == (1, 2, 0)


def test_allowed_failures_are_counted_but_not_withheld() -> None:
    found = failed_variants(OFFER, [("a", [call(plain=None, fast="threw")])], allowed=["fast"])
    assert found.withheld == frozenset()
    assert found.counts(("fast",)) == (1,)
    assert "may be chosen all the same" in found.variants[0].advice


def test_a_slow_run_is_a_failure_only_of_a_variant_that_hangs_elsewhere() -> None:
    slow = ("a", [call(fast=f"{TOO_SLOW} 3 s")])
    hangs = ("b", [call(fast=f"{RAN_TOO_LONG} 3 s")])
    assert failed_variants(OFFER, [slow]) == NONE_FAILED
    assert failed_variants(OFFER, [slow, hangs]).counts(("fast",)) == (2,)
    assert failed_variants(OFFER, [slow, hangs], schedules=True) == NONE_FAILED


def test_a_classifier_that_names_a_withheld_variant_is_refused() -> None:
    found = failed_variants(OFFER, [("a", [call(fast="threw")])])
    found.refuse(["plain"], "f")
    with pytest.raises(FettleError, match="f: the classifier names the variant 'fast'"):
        found.refuse(["plain", "fast"], "f")


def test_differing_outputs_count_where_the_script_asks_for_determinism() -> None:
    one = call(plain=None, fast=None)
    one.bitwise["fast"] = False
    examples = [("a", [one])]
    assert not_chosen(CodeVariant("f"), OFFER, examples).withheld == frozenset()
    strict = not_chosen(CodeVariant("f", deterministic=True), OFFER, examples)
    assert strict.withheld == {"fast"}
    assert strict.counts(("fast",)) == (0,), "it did not fail, it differs"
