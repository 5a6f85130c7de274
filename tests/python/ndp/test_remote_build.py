"""Building shards on the workers of an executor: the same as here, and what is said of failures."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from stand_in_library import BAD, plan_of

from fettle.core.progress import Silence
from fettle.ndp.build import build
from fettle.ndp.remote_build import _job, build_job

pytestmark = pytest.mark.skipif(
    shutil.which(os.environ.get("CXX", "c++")) is None, reason="needs a C++ compiler"
)


def test_workers_build_the_same(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [1, 2, BAD, 4, 5])
    with ProcessPoolExecutor(2) as executor:
        found = build(replace(plan, executor=executor), Silence())
    assert [one.unit[1].policy["num_threads"] for one in found.dropped] == [BAD]
    for shard in found.shards:
        assert (plan.directory / shard.file).stat().st_size == shard.size
    assert (plan.directory / found.program).exists()


def test_a_worker_without_the_compiler_refuses(tmp_path: Path) -> None:
    from fettle.ndp.ninja_run import Step

    source = tmp_path / "a.cpp"
    step = Step(tmp_path / "a.o", ["no-such-compiler"], [source], "a")
    answer = build_job(_job("a", [step]))
    assert answer["status"] == "refused"
    assert "lacks the compiler no-such-compiler; install it there" in answer["message"]
    source.write_text("1")
    job = _job("a", [replace(step, command=["sh"])])
    source.unlink()
    answer = build_job(job)
    assert answer["status"] == "refused"
    assert f"the worker lacks {source}, or has another one" in answer["message"]
