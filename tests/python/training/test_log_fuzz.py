"""Random damage to training logs: the tuner raises FettleError or reads on, and never crashes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.search.variant_space import offered_spaces
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import Subject
from fettle.training.examples import make_table
from fettle.training.log import LogReader
from fettle.training.measure import Measurer
from fettle.training.plan import next_request
from fettle.training.program import Input, Program
from fettle.training.recorder import Recorder
from fettle.training.request import Measuring, Request

GOOD: list[dict[str, Any]] = [
    {
        "fettle_log": 1,
        "function": "f",
        "variants": ["a", "t"],
        "features": ["n"],
        "default": "a",
        "unit": "s",
        "larger_is_better": False,
        "machine": {"cores": 2},
        "program": "/p",
        "parameters": {
            "t": {"values": {"u": [1, 2]}, "defaults": {"u": 1}, "constraints": ["u * u <= 4"]}
        },
    },
    {"call": 0, "input": "x", "features": {"n": 3.5}, "feature_ns": {"n": 35}},
    {"call": 0, "variant": "a", "event": "start", "limit_s": 12.5},
    {"call": 0, "variant": "a", "event": "sample", "metric": [1e-3, "nan"]},
    {"call": 0, "variant": "t", "event": "failed", "reason": "exception: e"},
    {"call": 0, "event": "end", "outcome": "settled", "best": "a"},
    {"call": 1, "input": "x", "features": {"n": "nan"}, "feature_problems": {"n": "threw: x"}},
    {"event": "error", "reason": "move-only"},
]
WEIRD: list[Any] = [
    None, True, -1, 0, 1.5, 10**23, 10**400, -(10**400), 2**63, 1e308, "", "inf", "nan", "\udcff",
    "\ud800", "\x1b[2J", "a\0b", "x" * 5000, [], {}, [[]], ["a"], {"n": {}}, {"u": "x"},
    ["a", "a"], {"": 1}, ["u", 5], {"t": {"values": {"u": ["9**9**9"]}, "defaults": {}}},
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values within a JSON value, its own included."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


def with_weird_value(record: dict[str, Any], random_: random.Random) -> dict[str, Any]:
    """A copy of which one value is another, or gone."""
    copy: dict[str, Any] = json.loads(json.dumps(record))
    *path, last = random_.choice([place for place in places(copy) if place])
    inner: Any = copy
    for key in path:
        inner = inner[key]
    if random_.random() < 0.2:
        del inner[last]
    else:
        inner[last] = random_.choice(WEIRD)
    return copy


def with_wrong_bytes(line: bytes, random_: random.Random) -> bytes:
    """A copy with bytes changed, gone, or there twice."""
    found = bytearray(line)
    for _ in range(random_.randint(1, 4)):
        place = random_.randrange(len(found))
        what = random_.randrange(3)
        if what == 0:
            found[place] = random_.randrange(256)
        else:
            end = min(len(found), place + random_.randint(1, 8))
            found[place:end] = b"" if what == 1 else found[place:end] * 2
    return bytes(found) or b"0"


def hostile_logs(count: int, seed: int) -> Iterator[bytes]:
    random_ = random.Random(seed)
    lines = [json.dumps(record).encode() for record in GOOD]
    for number in range(count):
        place = random_.randrange(len(lines))
        log = lines[: max(place + 1, len(lines) - 1)]  # the last one is an error when it is whole
        log[place] = (
            json.dumps(with_weird_value(GOOD[place], random_)).encode()
            if number % 2
            else with_wrong_bytes(log[place], random_)
        )
        yield b"\n".join(log) + b"\n"


def test_hostile_logs_are_refused_or_read(tmp_path: Path) -> None:
    """Through all that follows on a record: the store, the plan, the table."""
    log, given = tmp_path / "log", Input("x", ("x",))
    refused = 0
    for number, content in enumerate(hostile_logs(600, 7)):
        log.write_bytes(content)
        with SqliteStore(Path(":memory:")) as store:
            measurer = Measurer(
                program=Program("app", tmp_path),
                subject=Subject("app", "f", "here", str(number)),
                store=store,
                logs=tmp_path,
                display=Silence(),
            )
            key = measurer.key(given)
            recorder = Recorder(measurer, key, Request("f", "x"))
            try:
                for record in LogReader(log).read():
                    recorder.handle(record)
            except FettleError as error:
                refused += 1
                str(error).encode()
            offer = measurer.offer
            if offer is None:
                continue
            try:
                examples = measurer.examples(given)
                next_request("f", "x", "measure", offer, examples, 2, Measuring(), {})
                offered_spaces(offer.parameters)
                make_table("f", offer, [("x", examples)])
            except FettleError as error:
                str(error).encode()
    assert 100 < refused < 590, "some logs are refused, others are read"
