"""`fettle doctor` on this machine, and on machines where things are missing or too old."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import sys
from pathlib import Path

import pytest

from fettle.cli import doctor, installation
from fettle.core.asked_tools import AskedTools
from fettle.core.check import Check
from fettle.ndp.platforms import platform_named

ROOT = Path(os.environ.get("FETTLE_SOURCE_DIR", Path(__file__).parents[3]))


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    doctor.add_commands(parser.add_subparsers())
    options = parser.parse_args(["doctor", *arguments])
    status: int = options.run(options)
    return status


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def checks_of(name: str, tools: AskedTools, compiler: str | None = None) -> list[Check]:
    return platform_named(name).checks(tools, compiler)


def check(**changes: object) -> Check:
    usual = Check("thing", True, True, "1.2", "working", "get it")
    return dataclasses.replace(usual, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("checks", "status"),
    [
        ([check()], 0),
        ([check(found=False)], 1),
        ([check(), check(found=False, needed=False)], 0),
    ],
)
def test_only_what_is_needed_decides(
    checks: list[Check], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "installation", lambda: checks)
    assert run() == status
    assert run("--json") == status


def test_a_line_says_what_for_and_what_to_do() -> None:
    assert doctor.line(check(), 6) == "ok       thing   1.2"
    assert doctor.line(check(found=False), 6) == "MISSING  thing   for working: get it"
    optional = doctor.line(check(found=False, needed=False), 6)
    assert optional == "optional thing   for working: get it"


def test_this_machine(capsys: pytest.CaptureFixture[str]) -> None:
    status = run("--json")
    record = json.loads(capsys.readouterr().out)
    assert record["sound"] == (status == 0)
    by_name = {entry["name"]: entry for entry in record["checks"]}
    assert by_name["Python"]["found"]
    assert by_name["Python package numpy"]["found"]
    assert sys.executable in by_name["Python"]["version"]
    assert all(entry["remedy"] and entry["purpose"] for entry in record["checks"])


def test_nothing_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    found = {entry.name: entry.found for entry in installation.installation()}
    assert found["Python"]
    missing = ("C++20 compiler", "CMake", "Ninja or make", "OpenMP", "oneTBB", "CUDA compiler")
    assert not any(found[name] for name in missing)
    assert run() == 1


def test_old_tools_are_named_with_their_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "cmake", "echo 'cmake version 3.18.4'")
    program(tmp_path, "c++", 'case "$1" in --version) echo "old c++ 4.8";; *) exit 1;; esac')
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    cmake = installation.cmake_check(AskedTools())
    assert not cmake.found
    assert "version 3.18.4 is too old" in cmake.remedy
    compiler = installation.compiler_check(AskedTools(), installation.find_compiler())
    assert not compiler.found
    assert "old c++ 4.8" in compiler.remedy


def test_new_tools_are_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "cmake", "echo 'cmake version 4.0.1'")
    program(tmp_path, "make", "echo 'GNU Make 4.3'")
    program(tmp_path, "nvcc", "echo 'Cuda compilation tools, release 13.0, V13.0.48'")
    program(tmp_path, "nvidia-smi", "echo 'NVIDIA X, 580.1'")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installation.cmake_check(AskedTools()).found
    assert installation.build_tool_check(AskedTools()).version == "make 4.3"
    nvcc, gpu = checks_of("cuda", AskedTools())
    assert nvcc.version.startswith("13.0.48")
    assert gpu.version == "NVIDIA X, 580.1"


def test_versions_are_read_off_macros(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (
        "TBB_VERSION_MAJOR 2021",
        "TBB_VERSION_MINOR 8",
        "LIBSVM_VERSION 330",
        "_OPENMP 201511",
    )
    program(tmp_path, "c++", "\n".join(f"echo '#define {line}'" for line in lines))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CXX", "c++")
    compiler = installation.find_compiler()
    [onetbb] = checks_of("tbb", AskedTools(), compiler)
    assert onetbb.version == "2021.8"
    assert installation.libsvm_check(AskedTools(), compiler).version == "3.30"
    [openmp] = checks_of("openmp", AskedTools(), compiler)
    assert openmp.version == "201511"
    assert not installation.compiler_check(AskedTools(), compiler).found


def test_a_package_that_is_missing_says_how_to_get_it() -> None:
    missing = installation.package_check("surely-not-a-package-of-this-name")
    assert not missing.found
    assert "pip install surely-not-a-package-of-this-name" in missing.remedy


def test_the_packages_are_those_that_the_tuner_requires() -> None:
    project = (ROOT / "python" / "pyproject.toml").read_text("utf-8")
    listed = project.partition("dependencies = [\n")[2].partition("]")[0]
    assert tuple(re.findall(r'"([\w-]+)>=', listed)) == installation.PACKAGES


def test_a_program_that_fails_counts_as_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "nvidia-smi", "echo 'no driver'; exit 9")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not any(one.found for one in checks_of("cuda", AskedTools()))


def test_a_program_that_does_not_answer_is_named_and_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "c++", f"echo asked >> {tmp_path}/log; exec /bin/sleep 60")
    program(tmp_path, "nvidia-smi", "exec /bin/sleep 60")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    tools = AskedTools(0.5)
    compiler = installation.find_compiler()
    checks = [
        installation.compiler_check(tools, compiler),
        *checks_of("tbb", tools, compiler),
        installation.libsvm_check(tools, compiler),
        *checks_of("openmp", tools, compiler),
        *checks_of("cuda", tools),
    ]
    assert not any(one.found for one in checks)
    silent = f"{tmp_path}/c++ is there but did not answer within 0.5 s; start it by hand to see why"
    assert all(one.remedy.startswith(silent) for one in checks[:4])
    assert checks[4].remedy.startswith("install the CUDA toolkit")
    assert checks[5].remedy.startswith(f"{tmp_path}/nvidia-smi is there but did not answer")
    assert (tmp_path / "log").read_text() == "asked\n"


def test_a_compiler_in_cxx_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "c++", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CXX", "g++-99")
    assert installation.find_compiler() is None
    told = installation.compiler_check(AskedTools(), None).remedy
    assert told.startswith("CXX=g++-99 names no program; unset it or name a C++20 compiler")
    monkeypatch.setenv("CXX", "ccache g++")
    assert installation.find_compiler() == str(tmp_path / "c++")
