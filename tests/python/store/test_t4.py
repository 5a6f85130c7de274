"""T4, the results format of the auto-tuning community: written, read back, and of other tuners."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from test_merge import INPUT, SUBJECT, everything, measure

from fettle.store.base import StoreError
from fettle.store.contents import Run
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import InputKey, Offer, Subject
from fettle.store.t4 import configuration_of, invalidity_of, t4_document
from fettle.store.t4_check import faults_of
from fettle.store.t4_import import Foreign, import_t4

# results-schema.json is that of the package kernel_tuner 1.5.0 (T4/1.0.0; odgaard/TuningSchema).
SCHEMA = Path(__file__).parent / "t4" / "results-schema.json"
MEMORY = Path(":memory:")
TILED = {"tiled": {"values": {"tile": [16, 32]}, "defaults": {"tile": 16}, "constraints": []}}


def validate(document: object) -> None:
    """By the schema itself."""
    jsonschema = pytest.importorskip("jsonschema", reason="the package jsonschema is not installed")
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))


def filled() -> SqliteStore:
    store = SqliteStore(MEMORY)
    measure(store, 1 / 3)
    run = measure(store, 2.0)
    store.add_samples(SUBJECT, INPUT, 0, "b", [math.inf, 1e-300], run)
    store.add_call(SUBJECT, InputKey("b", ""), 3, {"n": math.nan, "m": -math.inf}, {})
    store.add_verdict(SUBJECT, InputKey("b", ""), 3, "a", "excluded", "too large")
    store.add_verdict(SUBJECT, InputKey("b", ""), 3, "b", "unmeasured", "not run")
    store.set_note("k", "v")
    return store


def exported(store: SqliteStore, path: Path) -> Any:
    path.write_text(json.dumps(t4_document(store), allow_nan=False))
    return json.loads(path.read_text())


def test_what_is_written_keeps_to_the_schema(tmp_path: Path) -> None:
    with filled() as store:
        document = exported(store, tmp_path / "t4.json")
    assert list(faults_of(document)) == []
    validate(document)
    assert document["schema_version"] == "1.0.0"
    assert document["metadata"]["timeunit"] == "seconds"
    assert len(document["results"]) == 4
    first, second, mixed, excluded = document["results"]
    assert first["configuration"] == {"variant": "a"}
    assert first["times"]["runtimes"] == [1 / 3, 1 / 3]
    assert first["measurements"] == [
        {"name": "time", "value": [1 / 3, 1 / 3], "unit": "s"},
        {"name": "joules", "value": [4.0, "inf"], "unit": ""},
    ]
    assert [r["invalidity"] for r in (first, second, mixed)] == ["correct", "correct", "runtime"]
    assert (excluded["invalidity"], excluded["times"]) == ("constraints", {"runtimes": []})


def test_what_was_exported_is_read_back_and_twice_is_once(tmp_path: Path) -> None:
    with filled() as store, SqliteStore(MEMORY) as back:
        exported(store, tmp_path / "t4.json")
        assert import_t4(tmp_path / "t4.json", back, Foreign()).runs == 2
        # NaN is unequal to itself, so as texts; the input without a run has only its features
        ours, theirs = everything(back), everything(store)
        assert repr(ours.pop((SUBJECT, INPUT))) == repr(theirs.pop((SUBJECT, INPUT)))
        [held], [other] = ours.values(), theirs.values()
        assert repr(held.features) == repr(other.features)
        assert back.offer(SUBJECT) == store.offer(SUBJECT)
        assert back.notes() == store.notes()
        for _ in range(2):
            again = import_t4(tmp_path / "t4.json", back, Foreign())
            assert (again.runs, again.notes) == (0, 0)


def test_points_are_configurations() -> None:
    offer = Offer(("tiled tile=16",), (), "tiled tile=16", "s", False, {}, TILED)
    assert configuration_of("tiled tile=16", offer) == {"variant": "tiled", "tile": 16}
    assert configuration_of("plain", offer) == {"variant": "plain"}


def test_outcomes() -> None:
    for verdict, reason, expected in (
        ("measured", "", "correct"),
        ("excluded", "x < 3", "constraints"),
        ("failed", "crashed with SIGSEGV", "runtime"),
        ("failed", "ran longer than its limit of 2 s and was killed", "timeout"),
        ("failed", "slow: killed at its limit of 2 s", "timeout"),
        ("failed", "wrong result: differs from that of a", "correctness"),
    ):
        assert invalidity_of(verdict, reason) == expected  # type: ignore[arg-type]


def kernel_tuner_file(path: Path) -> None:
    """As kernel_tuner 1.5.0 writes it (get_t4_results): times in milliseconds."""
    results = [
        {
            "timestamp": "2026-01-01 10:00:00+00:00",
            "configuration": {"block_size_x": size},
            "times": {
                "compilation": 400.0,
                "benchmark": 1.0,
                "framework": 2.0,
                "search_algorithm": 0.0,
                "validation": 0.0,
                "runtimes": runtimes,
            },
            "invalidity": invalidity,
            "correctness": 1,
            "measurements": [{"name": "time", "value": time, "unit": "ms"}],
            "objectives": ["time"],
        }
        for size, runtimes, invalidity, time in (
            (32, [2.0, 4.0], "correct", 3.0),
            (64, [], "correct", 5.0),
            (2048, [], "runtime", "RuntimeFailedConfig"),
            (4096, [], "constraints", "InvalidConfig"),
        )
    ]
    whole = {
        "results": results,
        "schema_version": "1.0.0",
        "metadata": {"timeunit": "milliseconds"},
    }
    path.write_text(json.dumps(whole))


def test_a_file_of_another_tuner(tmp_path: Path) -> None:
    file = tmp_path / "add.json"
    kernel_tuner_file(file)
    validate(json.loads(file.read_text()))
    with SqliteStore(MEMORY) as store:
        with pytest.raises(StoreError, match="does not say which function it is of; give --funct"):
            import_t4(file, store, Foreign())
        assert store.subjects() == []
        for runs in (4, 0):
            assert import_t4(file, store, Foreign("add", "A100")).runs == runs
        [subject] = store.subjects()
        assert subject == Subject("T4", "add", "A100", "")
        [given] = store.inputs(subject)
        assert given.arguments == "add.json"
        [example] = store.examples(subject, given)
        assert example.samples == {"block_size_x=32": [0.002, 0.004], "block_size_x=64": [0.005]}
        assert example.verdicts["block_size_x=2048"] == ("failed", "T4: runtime")
        assert example.verdicts["block_size_x=4096"] == ("excluded", "T4: constraints")


@pytest.mark.parametrize(
    ("unit", "seconds"), [("seconds", 1.0), ("ms", 1e-3), ("microseconds", 1e-6), ("ns", 1e-9)]
)
def test_times_are_in_the_unit_that_the_file_says(
    unit: str, seconds: float, tmp_path: Path
) -> None:
    """That of a measurement where it has one, else that of the file."""
    file = tmp_path / "add.json"
    kernel_tuner_file(file)
    document = json.loads(file.read_text())
    document["metadata"]["timeunit"] = unit
    document["results"][1]["measurements"][0]["unit"] = ""
    file.write_text(json.dumps(document))
    with SqliteStore(MEMORY) as store:
        import_t4(file, store, Foreign("add"))
        [subject] = store.subjects()
        [example] = store.examples(subject, store.inputs(subject)[0])
    found = [example.samples[f"block_size_x={size}"] for size in (32, 64)]
    assert found[0] == pytest.approx([2 * seconds, 4 * seconds])
    assert found[1] == pytest.approx([5 * seconds])


def test_times_in_an_unknown_unit_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "add.json"
    kernel_tuner_file(file)
    file.write_text(file.read_text().replace('"milliseconds"', '"parsecs"'))
    with SqliteStore(MEMORY) as store:
        with pytest.raises(StoreError, match="times in 'parsecs', which is no unit of time that"):
            import_t4(file, store, Foreign("add"))
        assert store.subjects() == []


def broken(**changes: object) -> dict[str, Any]:
    good = {"configuration": {}, "times": {}, "invalidity": "correct", "correctness": 1}
    return {"results": [good, {k: v for k, v in {**good, **changes}.items() if v is not ...}]}


BROKEN: dict[str, tuple[Any, str]] = {
    "array": ([], r"expected an object, found \[\]"),
    "no results": ({"schema_version": "1.0.0"}, "results: missing"),
    "results": ({"results": {}}, "results: expected an array"),
    "version": ({"schema_version": 1, "results": []}, "schema_version: expected a text such as"),
    "newer": ({"schema_version": "2.0.0", "results": []}, "2.0.0 is another format than 1.x.y"),
    "result": ({"results": [3]}, r"results\[0\]: expected an object, found 3"),
    "no times": (broken(times=...), r"results\[1\]\.times: missing"),
    "invalidity": (broken(invalidity="ok"), r"\[1\]\.invalidity: expected one of timeout, .*'ok'"),
    "runtimes": (broken(times={"runtimes": 3}), r"\.times\.runtimes: expected an array, found 3"),
    "correctness": (broken(correctness="yes"), r"\.correctness: expected a number, found 'yes'"),
    "objectives": (broken(objectives="time"), r"\.objectives: expected an array, found 'time'"),
    "measurement": (broken(measurements=[{"name": 3}]), r"\.measurements\[0\]\.name: expected a s"),
    "value": (broken(measurements=[{"value": {}}]), r"measurements\[0\]\.value: expected a number"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_breaks_the_schema_is_refused(tmp_path: Path, case: str) -> None:
    document, expected = BROKEN[case]
    file = tmp_path / "t4.json"
    file.write_text(json.dumps(document))
    with SqliteStore(MEMORY) as store:
        with pytest.raises(StoreError, match=expected) as error:
            import_t4(file, store, Foreign("f"))
        assert "Nothing was imported" in str(error.value)
        assert store.subjects() == []
    if case not in ("no results", "newer"):  # these the schema allows
        jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document, json.loads(SCHEMA.read_text()))


def test_a_file_that_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "t4.json").write_text('{"results": [')
    with SqliteStore(MEMORY) as store:
        with pytest.raises(StoreError, match="it is not JSON"):
            import_t4(tmp_path / "t4.json", store, Foreign("f"))
        with pytest.raises(StoreError, match="No such file"):
            import_t4(tmp_path / "none", store, Foreign("f"))


@pytest.mark.parametrize("part", ["subjects", "version", "run", "rows"])
def test_fettles_own_members_may_be_damaged(tmp_path: Path, part: str) -> None:
    file = tmp_path / "t4.json"
    with filled() as store:
        document = exported(store, file)
    if part == "version":
        document["fettle"]["version"] = 9
    elif part == "subjects":
        document["fettle"]["subjects"] = [{"program": 3}]
    else:
        document["results"][0]["fettle"][part] = "unknown"
    file.write_text(json.dumps(document))
    expected = "is of a newer Fettle" if part == "version" else "cannot be understood"
    with SqliteStore(MEMORY) as store:
        with pytest.raises(StoreError, match=expected):
            import_t4(file, store, Foreign())
        assert store.subjects() == []


FEATURES = ("fettle", "subjects", 0, "inputs", 0, "features", 0)


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (
            ("results", 0, "measurements", 0, "value", 1),
            "fast",
            r'results\[0\]\.measurements\[0\]\.value\[1\]: expected a number, found "fast"',
        ),
        (
            ("results", 0, "measurements", 1, "value", 0),
            True,
            r"results\[0\]\.measurements\[1\]\.value\[0\]: expected a number, found true",
        ),
        (
            ("results", 0, "measurements", 0, "value"),
            [1.0],
            r"results\[0\]\.fettle\.rows\[0\]: 2 values of 'time', of which 1 are there",
        ),
        (
            ("results", 0, "fettle", "run"),
            "unknown",
            r"results\[0\]: 'unknown' is missing or unknown",
        ),
        (
            ("results", 0, "fettle", "subject"),
            -1,
            r"results\[0\]: expected a whole number, found -1",
        ),
        (
            (*FEATURES, 1),
            {"n": 10**400},
            r"fettle\.subjects\[0\]\.inputs\[0\]\.features\[0\]: expected a number, found 10",
        ),
        (
            ("fettle", "subjects", 0, "inputs", 0, "verdicts", 0, 2),
            "fine",
            r"\.verdicts\[0\]: expected one of measured, .*, found 'fine'",
        ),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(
    tmp_path: Path, path: tuple[str | int, ...], value: object, expected: str
) -> None:
    file = tmp_path / "t4.json"
    with filled() as store:
        document = exported(store, file)
    there: Any = document
    for step in path[:-1]:
        there = there[step]
    there[path[-1]] = value
    file.write_text(json.dumps(document))
    with SqliteStore(MEMORY) as store:
        with pytest.raises(StoreError, match=expected):
            import_t4(file, store, Foreign())
        assert store.subjects() == []


def test_a_run_without_a_subjects_offer(tmp_path: Path) -> None:
    with SqliteStore(MEMORY) as store, SqliteStore(MEMORY) as back:
        store.add_call(SUBJECT, INPUT, 0, {}, {})
        store.add_samples(SUBJECT, INPUT, 0, "a", [1.0], run := Run())
        store.add_samples(SUBJECT, INPUT, 0, "a", [2.0, 3.0], run)
        document = exported(store, tmp_path / "t4.json")
        assert document["results"][0]["objectives"] == ["metric"]
        import_t4(tmp_path / "t4.json", back, Foreign())
        assert everything(back) == everything(store)
