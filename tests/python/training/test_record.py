"""The records of a training log: one of each kind, as the reader makes them of a line."""

from __future__ import annotations

import dataclasses
import typing
from pathlib import Path

import pytest

from fettle.training import record
from fettle.training.log import read_log
from fettle.training.record import Call, Excluded, Failed, Header, Sample

LINES = """\
{"fettle_log": 1, "function": "f", "variants": ["a", "b"], "features": ["n"], "default": "a"}
{"call": 0, "input": "x", "features": {"n": 3}, "feature_ns": {"n": 2e3}}
{"call": 0, "variant": "a", "event": "start", "limit_s": 2}
{"call": 0, "variant": "a", "event": "sample", "metric": [1, 2]}
{"call": 0, "variant": "a", "event": "metered", "readings": {"joules": {"value": 0.5, \
"sensor": "nvml", "method": "counter", "window_s": 1, "resolution": 0.001}}}
{"call": 0, "variant": "a", "event": "measured"}
{"call": 0, "variant": "b", "event": "excluded", "reason": "too large"}
{"call": 0, "variant": "b", "event": "failed", "reason": "wrong result"}
{"call": 0, "event": "end", "outcome": "settled", "best": "a"}
{"event": "error", "reason": "move-only argument"}
"""


def records(tmp_path: Path) -> list[record.Record]:
    log = tmp_path / "log.jsonl"
    log.write_text(LINES)
    return read_log(log)


def test_the_reader_makes_a_record_of_every_kind(tmp_path: Path) -> None:
    kinds = typing.get_args(record.Record)
    assert {type(one) for one in records(tmp_path)} == set(kinds)


def test_what_an_earlier_program_does_not_say_is_empty(tmp_path: Path) -> None:
    header, call, _, sample, *_ = records(tmp_path)
    assert isinstance(header, Header)
    assert isinstance(call, Call)
    assert isinstance(sample, Sample)
    assert (header.unit, header.larger_is_better) == ("s", False)
    assert not any(
        [header.parameters, header.versions, header.policy, header.metrics, call.feature_problems]
    )
    assert call.feature_seconds == {"n": pytest.approx(2e-6)}
    assert (sample.lost_seconds, sample.bitwise, sample.others) == (None, None, {})


def test_records_are_values_that_do_not_change(tmp_path: Path) -> None:
    assert records(tmp_path) == records(tmp_path)
    excluded: record.Record = Excluded(0, "a", "why")
    assert excluded != Failed(0, "a", "why")
    for one in records(tmp_path):
        with pytest.raises(dataclasses.FrozenInstanceError):
            one.call = 7  # type: ignore[union-attr,misc]


def test_a_sample_has_its_metric_alone_unless_it_is_given_more(tmp_path: Path) -> None:
    assert Sample(0, "a", (1.0, 2.0)) == records(tmp_path)[3]
    assert Sample(0, "a", (1.0, 2.0), lost_seconds=0.0) != records(tmp_path)[3]


def test_two_headers_do_not_share_what_is_empty() -> None:
    one, other = (Header("f", ("a",), (), "a", "s", False, {}, "") for _ in range(2))
    one.parameters["a"] = {}
    assert other.parameters == {}
