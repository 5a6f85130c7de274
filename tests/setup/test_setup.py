"""cmake/setup.cmake on machines that lack something, played by stand-ins on the PATH.

Every test configures a project of two lines that includes setup.cmake. Its PATH holds links to the
programs of this machine but the missing ones, and an apt-get that writes down how it was called.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

SOURCES = Path(os.environ.get("FETTLE_SOURCE_DIR", Path(__file__).parents[2]))
PROGRAMS = ("cmake", "ninja", "xz", "sh", "env", "mkdir", "cp", "dirname", "basename")
HEADERS = (
    "oneapi/tbb/parallel_for.h",
    "eigen3/Eigen/Core",
    "lzma.h",
    "catch2/catch.hpp",
    "libsvm/svm.h",
    "thrust/tuple.h",
)
PROJECT = """cmake_minimum_required(VERSION 3.25)
set(FETTLE_INSTALL_MISSING ON)
include(cmake/setup.cmake)
project(probe LANGUAGES NONE)
"""
# Makes virtual environments whose Python, a stand-in too, succeeds at all and keeps a record.
PYTHON = """#!/bin/sh
echo "python $*" >> "{log}"
case "$*" in
*"-m venv"*) for last; do :; done; mkdir -p "$last/bin" && cp "$0" "$last/bin/python" ;;
*python_requirements.py*) echo "numpy>=1" ;;
*"import pip"*) [ "$(basename "$(dirname "$0")")" = bin ] && [ -e "$(dirname "$0")/../made" ] ;;
esac
"""


@dataclass
class Machine:
    """A folder with a project, a PATH of stand-ins, and the record of what they were asked."""

    folder: Path

    @property
    def log(self) -> Path:
        return self.folder / "log.txt"

    def write_program(self, name: str, text: str) -> None:
        file = self.folder / "path" / name
        file.unlink(missing_ok=True)
        file.write_text(text.replace("{log}", str(self.log)))
        file.chmod(0o755)

    def lose(self, name: str) -> None:
        (self.folder / "path" / name).unlink()

    def configure(self) -> subprocess.CompletedProcess[str]:
        cmake = shutil.which("cmake")
        assert cmake
        return subprocess.run(
            [cmake, "-S", self.folder, "-B", self.folder / "build", "-G", "Ninja"],
            env={
                "PATH": str(self.folder / "path"),
                "CMAKE_INCLUDE_PATH": str(self.folder / "include"),
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    def calls(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine that has everything but what a test takes away; its user is root."""
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    shutil.copytree(SOURCES / "cmake", tmp_path / "cmake")
    (tmp_path / "python").mkdir()
    shutil.copy(SOURCES / "python" / "pyproject.toml", tmp_path / "python")
    path = tmp_path / "path"
    path.mkdir()
    for name in ("cmake", "ninja"):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not on the PATH")
    for name in PROGRAMS:
        if program := shutil.which(name):
            (path / name).symlink_to(program)
    found = Machine(tmp_path)
    found.write_program("id", "#!/bin/sh\necho 0\n")
    found.write_program("python3", PYTHON)
    found.write_program("redis-server", "#!/bin/sh\n")
    found.write_program("apt-get", '#!/bin/sh\necho "apt-get $*" >> "{log}"\n')
    for name in HEADERS:
        header = tmp_path / "include" / name
        header.parent.mkdir(parents=True, exist_ok=True)
        header.touch()
    return found


def test_nothing_is_done_twice(machine: Machine) -> None:
    first = machine.configure()
    assert first.returncode == 0, first.stderr
    assert any("-m pip install" in call for call in machine.calls())
    machine.log.unlink()
    second = machine.configure()
    assert second.returncode == 0, second.stderr
    assert not any("-m " in call or "apt-get" in call for call in machine.calls())
    assert "Installing" not in second.stdout


def test_changed_requirements_are_installed(machine: Machine) -> None:
    assert machine.configure().returncode == 0
    machine.log.unlink()
    with (machine.folder / "python" / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    assert machine.configure().returncode == 0
    assert any("-m pip install" in call for call in machine.calls())


@pytest.mark.parametrize(
    ("program", "package", "why"),
    [
        ("ninja", "ninja-build", "the build tool that the presets use"),
        ("redis-server", "redis-server", "Redis: the tests start servers for stores"),
    ],
)
def test_missing_program_is_installed_and_explained(
    machine: Machine, program: str, package: str, why: str
) -> None:
    machine.lose(program)
    run = machine.configure()
    assert f"{package}: {why}" in run.stdout
    installs = [call for call in machine.calls() if "install" in call and "apt-get" in call]
    assert installs and package in installs[0].split()
    assert "-y" in installs[0].split()


def test_a_build_without_tests_installs_nothing_for_them(machine: Machine) -> None:
    machine.lose("redis-server")
    project = PROJECT.replace("include(", "set(FETTLE_BUILD_TESTS OFF)\ninclude(")
    (machine.folder / "CMakeLists.txt").write_text(project)
    machine.configure()
    assert not any("redis" in call for call in machine.calls())


def test_the_documentation_installs_its_tools(machine: Machine) -> None:
    project = PROJECT.replace("include(", "set(FETTLE_BUILD_DOCS ON)\ninclude(")
    (machine.folder / "CMakeLists.txt").write_text(project)
    run = machine.configure()
    assert "doxygen: Doxygen: the reference of the C++ names" in run.stdout
    assert any("install" in call and "doxygen" in call for call in machine.calls())
    extras = [call for call in machine.calls() if "python_requirements.py" in call]
    assert extras and extras[0].endswith(" docs")


def test_failing_installation_shows_what_apt_get_said(machine: Machine) -> None:
    machine.lose("ninja")
    offline = '#!/bin/sh\necho "apt-get $*" >> "{log}"\necho "E: no such network" >&2\nexit 100\n'
    machine.write_program("apt-get", offline)
    run = machine.configure()
    assert run.returncode != 0
    assert "apt-get could not install ninja-build" in " ".join(run.stderr.split())
    assert "E: no such network" in run.stderr
    assert any("update" in call for call in machine.calls())


def test_user_without_root_gets_the_line_to_run(machine: Machine) -> None:
    machine.lose("ninja")
    machine.write_program("id", "#!/bin/sh\necho 1000\n")
    run = machine.configure()
    assert run.returncode != 0
    line = "apt-get update && apt-get install -y --no-install-recommends ninja-build"
    assert line in run.stderr
    assert not any("apt-get" in call for call in machine.calls())


def test_user_with_sudo(machine: Machine) -> None:
    machine.lose("ninja")
    machine.write_program("id", "#!/bin/sh\necho 1000\n")
    sudo = '#!/bin/sh\necho "sudo $*" >> "{log}"\n[ "$1" = -n ] || exec "$@"\n'
    machine.write_program("sudo", sudo)
    machine.configure()
    assert any(call.startswith("sudo env") and "install" in call for call in machine.calls())


def test_machine_without_apt(machine: Machine) -> None:
    machine.lose("ninja")
    machine.lose("apt-get")
    run = machine.configure()
    assert run.returncode != 0
    assert "ninja-build" in run.stderr
    assert "does not have" in " ".join(run.stderr.split())


def test_pip_without_network(machine: Machine) -> None:
    failing = PYTHON.replace("esac", '*"-m pip install"*) echo "no route" >&2; exit 1 ;;\nesac')
    machine.write_program("python3", failing)
    run = machine.configure()
    assert run.returncode != 0
    assert "no route" in run.stderr
    assert "pip could not install" in " ".join(run.stderr.split())
    again = machine.configure()
    assert again.returncode != 0, "a failed installation must not count as done"
