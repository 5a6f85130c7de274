"""One line of a training log as a record, and what is refused."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from fettle.training.record import (
    Call,
    End,
    Failed,
    Header,
    Measured,
    Metered,
    Misuse,
    Reading,
    Sample,
    Start,
)
from fettle.training.record_parser import LONGEST_REASON, VERSIONS, is_name, record_of

HEADER: dict[str, Any] = {
    "fettle_log": 3,
    "function": "f",
    "variants": ["a", "b"],
    "features": ["n"],
    "default": "a",
}


def parsed(*, is_first: bool = False, **fields: Any) -> Any:
    """The record of these members."""
    return record_of(json.dumps(fields).encode(), is_first=is_first)


def test_members_that_a_header_leaves_out_have_defaults() -> None:
    assert parsed(is_first=True, **HEADER) == Header(
        "f", ("a", "b"), ("n",), "a", "s", False, {}, ""
    )


def test_a_header_says_which_variants_are_approximate() -> None:
    found = parsed(**HEADER, quality={"approximate": ["b"], "bound": 0.5})
    assert found.quality == {"approximate": ["b"], "bound": 0.5}
    assert parsed(**HEADER, quality={"approximate": []}).quality == {"approximate": []}


@pytest.mark.parametrize("version", [0, VERSIONS[-1] + 1, "3"])
def test_a_header_of_an_unknown_version_is_refused(version: object) -> None:
    with pytest.raises(ValueError, match=f"log of version {version}, this tuner reads versions"):
        parsed(**{**HEADER, "fettle_log": version})


def test_the_first_line_is_a_header_or_a_misuse() -> None:
    with pytest.raises(ValueError, match="does not begin with a header"):
        parsed(is_first=True, event="end", call=0, outcome="settled")
    assert parsed(is_first=True, event="error", reason="no") == Misuse("no")


def test_a_line_without_an_event_is_a_call() -> None:
    assert parsed(call=2, features={"n": "-inf"}, feature_ns={"n": 5}) == Call(
        2, "", {"n": -math.inf}, {"n": 5e-9}
    )


def test_a_start_without_a_limit_may_take_forever() -> None:
    assert parsed(event="start", call=0, variant="a") == Start(0, "a", math.inf)


def test_samples_of_several_metrics_are_as_many_of_each() -> None:
    fields = {"event": "sample", "call": 0, "variant": "a", "metric": [1, 2]}
    found = parsed(**fields, others={"joules": [3, 4]}, bitwise=False, error=0.25)
    assert found == Sample(0, "a", (1.0, 2.0), None, False, {"joules": (3.0, 4.0)}, 0.25)
    with pytest.raises(ValueError, match="not as many values of each metric"):
        parsed(**fields, others={"joules": [3]})
    with pytest.raises(ValueError, match="expected true or false, found 'yes'"):
        parsed(**fields, bitwise="yes")


def test_a_meter_may_refuse() -> None:
    reading = {"value": 0, "sensor": "", "method": "", "window_s": 0, "resolution": 0}
    found = parsed(
        event="metered", call=1, variant="a", readings={"joules": {**reading, "refused": "no GPU"}}
    )
    assert found == Metered(1, "a", {"joules": Reading(0, "", "", 0, 0, refused="no GPU")})


def test_the_other_kinds() -> None:
    assert parsed(event="measured", call=0, variant="a") == Measured(0, "a")
    assert parsed(event="end", call=7, outcome="budget", best=None) == End(7, "budget", "")
    with pytest.raises(ValueError, match="a record of unknown kind 'begin'"):
        parsed(event="begin", call=0)


@pytest.mark.parametrize("line", [b"[]", b"1", b'"text"', b"null"])
def test_a_line_that_is_not_an_object_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match="not a record"):
        record_of(line, is_first=False)


@pytest.mark.parametrize("call", [-1, True, 1.0, "1", None, 2**63])
def test_call_numbers_are_whole_and_fit_a_database(call: object) -> None:
    with pytest.raises(ValueError, match="expected a call number"):
        parsed(event="measured", call=call, variant="a")


@pytest.mark.parametrize("value", [True, "1", "infinity", None, [1]])
def test_numbers_are_json_numbers_or_three_words(value: object) -> None:
    with pytest.raises(ValueError, match="expected a number"):
        parsed(call=0, features={"n": value})


@pytest.mark.parametrize(("text", "good"), [("spmv ü", True), ("a\nb", False), ("\udc80", False)])
def test_names_have_no_control_characters(text: str, good: bool) -> None:
    assert is_name(text) == good
    if not good:
        with pytest.raises(ValueError, match="characters that no name has"):
            parsed(event="measured", call=0, variant=text)


def test_a_reason_is_shortened() -> None:
    found = parsed(event="failed", call=0, variant="a", reason="x" * (LONGEST_REASON + 1))
    assert found == Failed(0, "a", "x" * LONGEST_REASON + "...")
    whole = parsed(event="failed", call=0, variant="a", reason="x" * LONGEST_REASON)
    assert whole.reason == "x" * LONGEST_REASON


def test_a_missing_member_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="reason"):
        parsed(event="failed", call=0, variant="a")
