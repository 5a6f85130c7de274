"""deterministic=True withholds variants whose output differs from the default's bit by bit."""

from __future__ import annotations

import pytest

from fettle.store.contents import Example, Verdict
from fettle.store.subject import Offer
from fettle.training.deterministic import check_is_compared, differing_variants
from fettle.training.program import ProgramError

OFFER = Offer(("plain", "fast", "other"), ("n",), "plain", "s", False, {})


def example(bitwise: dict[str, bool], **verdicts: Verdict) -> Example:
    known = {name: (verdict, "") for name, verdict in verdicts.items()}
    return Example(0, {"n": 1.0}, {}, verdicts=known, bitwise=bitwise)


def test_a_variant_that_differs_on_one_input_is_named_with_that_input() -> None:
    same = example(
        {"fast": True, "other": True}, plain="measured", fast="measured", other="measured"
    )
    differs = example(
        {"fast": False, "other": True}, plain="measured", fast="measured", other="measured"
    )
    (found,) = differing_variants("f", OFFER, [("a", [same]), ("b", [same, differs])])
    assert (found.variant, found.inputs, found.ran_on, found.first) == ("fast", 1, 2, "b")
    assert found.reason == "not the same bit by bit"
    assert found.what == "gave another output than the default"


def test_variants_that_agree_or_did_not_run_are_not_withheld() -> None:
    calls = [example({"fast": True}, plain="measured", fast="measured", other="excluded")]
    assert differing_variants("f", OFFER, [("a", calls)]) == ()


def test_where_the_default_did_not_run_nothing_is_known_to_agree() -> None:
    calls = [example({}, plain="failed", fast="measured")]
    (found,) = differing_variants("f", OFFER, [("a", calls)])
    assert (found.variant, found.reason) == ("fast", "the default did not run there")


def test_outputs_that_were_not_compared_are_an_error_with_the_remedy() -> None:
    calls = example({}, plain="measured", fast="measured")
    with pytest.raises(
        ProgramError, match=r"'f': .* that of 'fast' on in1 was not. Give .*set_ver"
    ):
        check_is_compared("f", "in1", OFFER, calls)
    check_is_compared("f", "in1", OFFER, example({}, plain="failed", fast="measured"))
    check_is_compared("f", "in1", OFFER, example({}, plain="measured", fast="unmeasured"))
