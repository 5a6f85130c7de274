"""Computations are read as the library describes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from ndp_samples import SAMPLES, ask, build, sample

from fettle.core.errors import FettleError
from fettle.ndp.base.computation import read_computation


def test_the_samples_are_what_the_library_says(tmp_path: Path) -> None:
    # Where this fails, the library's descriptions have changed: samples.jsonl is what
    # programs/samples.cpp prints.
    assert ask(build("samples", tmp_path)) == SAMPLES.read_text("utf-8").splitlines()


def test_every_field() -> None:
    found = read_computation(
        '{"name":"spmv","function":"spmv.cuda","expression":"map>reduce","input":"irregular",'
        '"elements":["double","int32"],"result":"double","platform":"cuda",'
        '"schedules":[{"schedule":"flattened","parameters":["block_size_x","grain_size_1"]}],'
        '"pruned":[{"schedule":"independent>cooperative","reason":"no"}],'
        '"signature":"map>reduce irregular double,int32 double","form":"destination",'
        '"features":["rows","elements"],"value_bytes":16,"limits":{"shared_bytes":1024}}'
    )
    assert found.name == "spmv"
    assert found.function == "spmv.cuda"
    assert found.title == "spmv.cuda (map>reduce)"
    assert found.platform == "cuda"
    assert found.input == "irregular"
    assert found.elements == ("double", "int32")
    assert found.result == "double"
    assert found.schedules == {"flattened": ("block_size_x", "grain_size_1")}
    assert found.pruned == (("independent>cooperative", "no"),)
    assert found.signature == "map>reduce irregular double,int32 double"
    assert found.form == "destination"
    assert found.features == ("rows", "elements")
    assert found.value_bytes == 16
    assert found.limits == {"shared_bytes": 1024}


def test_levels() -> None:
    spmv = sample("map>reduce", "openmp")
    levels = spmv.levels("independent>cooperative")
    assert [(each.number, each.operator, each.kind) for each in levels] == [
        (1, "map", "independent"),
        (2, "reduce", "cooperative"),
    ]
    assert [each.kind for each in spmv.levels("independent")] == ["independent", "sequential"]
    assert [(each.number, each.kind) for each in spmv.levels("flattened")] == [(1, "flattened")]
    assert sample("split", "cuda").operators == ("split", "split")


@pytest.mark.parametrize(
    ("schedule", "message"),
    [("parallel", "there is no 'parallel'"), ("flattened>sequential", "has fewer levels")],
)
def test_what_is_no_schedule(schedule: str, message: str) -> None:
    with pytest.raises(FettleError, match=message):
        sample("map>reduce", "openmp").levels(schedule)


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"platform":"cuda"}', "not json", "3"])
def test_what_is_no_description(line: str) -> None:
    with pytest.raises(FettleError, match="not a description of a computation"):
        read_computation(line)
