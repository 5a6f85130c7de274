"""The platforms are the files of their folder, and the folders of the library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from programs_build import INCLUDE

from fettle.core.errors import FettleError
from fettle.ndp import platforms
from fettle.ndp.base.field import Field
from fettle.ndp.platforms import platform_named, platform_names


def test_a_platform_is_named_like_its_file_and_its_folder() -> None:
    folders = {path.parent.parent.name for path in INCLUDE.glob("fettle/ndp/*/policy/policy.hpp")}
    assert set(platform_names()) == folders
    for name in platform_names():
        assert platform_named(name).name == name


def test_a_file_is_all_that_a_platform_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "abacus.py").write_text(
        "from dataclasses import replace\n"
        "from fettle.ndp.platforms.openmp import PLATFORM as openmp\n"
        "PLATFORM = replace(openmp, name='abacus')\n"
    )
    (tmp_path / "_beads.py").write_text("")
    monkeypatch.setattr(platforms, "__path__", [*platforms.__path__, str(tmp_path)])
    platform_names.cache_clear()
    try:
        assert "abacus" in platform_names()
        assert "_beads" not in platform_names()
        assert platform_named("abacus").name == "abacus"
    finally:
        platform_names.cache_clear()
        platform_named.cache_clear()
        sys.modules.pop("fettle.ndp.platforms.abacus", None)


def test_an_unknown_platform() -> None:
    with pytest.raises(
        FettleError, match="there is no platform 'opencl'; use cuda or cuda_devices"
    ):
        platform_named("opencl")


def test_the_names_cost_no_import() -> None:
    program = (
        "import sys\n"
        "from fettle.ndp.platforms import platform_names\n"
        "assert 'openmp' in platform_names()\n"
        "assert 'fettle.ndp.platforms.openmp' not in sys.modules and 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_fields_have_names_at_every_level() -> None:
    openmp = platform_named("openmp")
    assert list(openmp.fields)[:3] == ["num_threads", "enable_nesting", "sample"]
    assert list(openmp.fields)[5] == "1.schedule"
    assert openmp.fields["3.chunk_size"] == Field("chunk_size", 0)
    assert openmp.field_of_parameter("omp_schedule_2") == "2.schedule"
    with pytest.raises(FettleError, match="openmp has no parameter 'omp_schedule'"):
        openmp.field_of_parameter("omp_schedule")
