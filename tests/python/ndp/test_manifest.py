"""The manifest of a build directory; one that is damaged or of another version is an error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fettle.core.errors import FettleError
from fettle.ndp.manifest import Manifest, Shard, read_manifest, write_manifest

UNREADABLE = r"/manifest\.json cannot be read \(.*\); build again"


def written(folder: Path) -> str:
    shard = Shard("shards/0/shard.so", ())
    write_manifest(folder, Manifest("a.cpp", "openmp", "training/a", {}, (shard,), (), "x", 1.5))
    return (folder / "manifest.json").read_text()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    written(tmp_path)
    found = read_manifest(tmp_path)
    assert (found.source, found.platform, found.seconds) == ("a.cpp", "openmp", 1.5)
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_wherever_it_is_cut_off_the_file_and_the_remedy_are_named(tmp_path: Path) -> None:
    text = written(tmp_path)
    for length in range(len(text) - 2):
        (tmp_path / "manifest.json").write_text(text[:length])
        with pytest.raises(FettleError, match=UNREADABLE):
            read_manifest(tmp_path)


@pytest.mark.parametrize(
    "changes",
    [
        {"computations": [{}]},
        {"computations": 7},
        {"platform": "x", "dropped": [{"candidate": ["f", "none a=1"], "reason": ""}]},
        {"shards": [{"file": "a.so", "candidates": [["f", 7]]}]},
        {"shards": [{"file": "a.so", "candidates": [["f", "independent block=1"]]}]},
        {"shards": None},
    ],
)
def test_contradictions_are_reported_with_the_file(
    changes: dict[str, object], tmp_path: Path
) -> None:
    record = json.loads(written(tmp_path))
    (tmp_path / "manifest.json").write_text(json.dumps(record | changes))
    with pytest.raises(FettleError, match=UNREADABLE):
        read_manifest(tmp_path)


def test_another_version_and_none(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match=r"holds no build \(no manifest\.json\); build first"):
        read_manifest(tmp_path)
    record = json.loads(written(tmp_path))
    (tmp_path / "manifest.json").write_text(json.dumps(record | {"fettle_ndp_build": 9}))
    with pytest.raises(FettleError, match=r"is of version 9, this Fettle reads 1; build again"):
        read_manifest(tmp_path)


def test_files_that_are_missing_or_cut_off(tmp_path: Path) -> None:
    shard = Shard("shards/0/shard.so", (), 5)
    built = Manifest("a.cpp", "openmp", "training/a", {}, (shard,), (), "x")
    for name, content in (("training/a", "program"), ("shards/0/shard.so", "12345")):
        with pytest.raises(FettleError, match=rf"build in .* has no {name} \(No such .*; build ag"):
            built.check_files(tmp_path)
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(content)
    built.check_files(tmp_path)
    write_manifest(tmp_path, built)
    (tmp_path / "shards/0/shard.so").write_text("123")
    with pytest.raises(FettleError, match=r"shard\.so has 3 bytes, but 5 were built: it is cut"):
        read_manifest(tmp_path).check_files(tmp_path)
