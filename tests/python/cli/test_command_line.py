"""The command `fettle` itself: versions, errors that the user can mend, interruption."""

from __future__ import annotations

import argparse
import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import fettle
from fettle import cli
from fettle.core.errors import FettleError

ROOT = Path(os.environ.get("FETTLE_SOURCE_DIR", Path(__file__).parents[3]))


@pytest.fixture
def with_command(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], int]], None]:
    """Makes `fettle probe` the only command; it calls the given function."""

    def install(function: Callable[[], int]) -> None:
        module = ModuleType("fettle_probe_command")

        def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
            commands.add_parser("probe").set_defaults(run=lambda options: function())

        module.add_commands = add_commands  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setattr(cli, "COMMAND_MODULES", (module.__name__,))

    return install


def test_version_needs_no_heavy_package() -> None:
    program = (
        "import sys\nfrom fettle.cli import main\n"
        "try:\n    main(['--version'])\nexcept SystemExit as end:\n    assert not end.code\n"
        "assert 'sklearn' not in sys.modules and 'matplotlib' not in sys.modules\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout == f"fettle {fettle.__version__}\n"


def test_the_package_and_the_library_have_one_version() -> None:
    project = (ROOT / "python" / "pyproject.toml").read_text("utf-8")
    library = (ROOT / "include" / "fettle" / "core" / "version.hpp").read_text("utf-8")
    stated = re.findall(r'^version = "(.+)"$', project, re.MULTILINE)
    stated += re.findall(r'^#define FETTLE_VERSION "(.+)"$', library, re.MULTILINE)
    assert stated == [fettle.__version__] * 2


def test_status_is_the_commands(with_command: Callable[[Callable[[], int]], None]) -> None:
    with_command(lambda: 3)
    assert cli.main(["probe"]) == 3


def test_what_the_user_can_mend_is_one_line(
    with_command: Callable[[Callable[[], int]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> int:
        raise FettleError("no model in ./models: run `fettle tune` first")

    with_command(fail)
    assert cli.main(["probe"]) == 2
    assert capsys.readouterr().err == "fettle: no model in ./models: run `fettle tune` first\n"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            PermissionError(errno.EACCES, "Permission denied", "locked/model.txt"),
            "locked/model.txt: ",
        ),
        (OSError(errno.ENOSPC, "No space left on device", "m.txt"), "cannot write m.txt: No space"),
        (
            OSError(errno.EMFILE, "Too many open files"),
            "the machine cannot do more at present (Too",
        ),
    ],
)
def test_a_file_that_the_system_refuses_is_one_line(
    error: OSError,
    told: str,
    with_command: Callable[[Callable[[], int]], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail() -> int:
        raise error

    with_command(fail)
    assert cli.main(["probe"]) == 2
    assert capsys.readouterr().err.startswith(f"fettle: {told}")


def test_a_current_directory_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert cli.main(["tune", "tune.py"]) == 2
    told = "fettle: the current directory was removed; change into one that is there\n"
    assert capsys.readouterr().err == told


def test_a_defect_keeps_its_traceback(with_command: Callable[[Callable[[], int]], None]) -> None:
    def fail() -> int:
        raise ZeroDivisionError

    with_command(fail)
    with pytest.raises(ZeroDivisionError):
        cli.main(["probe"])


PRINTING = """
import sys
from types import ModuleType
from fettle import cli
probe = ModuleType("probe")
probe.add_commands = lambda commands: commands.add_parser("probe").set_defaults(
    run=lambda options: print("x" * int(sys.argv[1])) or 0
)
sys.modules["probe"] = probe
cli.COMMAND_MODULES = ("probe",)
sys.exit(cli.main(["probe"]))
"""


@pytest.mark.parametrize("length", [10, 1_000_000])  # within what is buffered, and beyond it
@pytest.mark.parametrize("buffered", [True, False])
class TestOutputThatCannotBeWritten:
    @staticmethod
    def start(length: int, buffered: bool, output: int) -> subprocess.CompletedProcess[str]:
        flags = [] if buffered else ["-u"]
        return subprocess.run(
            [sys.executable, *flags, "-c", PRINTING, str(length)],
            env={key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"},
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_a_full_disk_is_one_line(self, length: int, buffered: bool) -> None:
        with Path("/dev/full").open("w") as full:
            run = self.start(length, buffered, full.fileno())
        told = "fettle: cannot write the output: No space left on device; make room there\n"
        assert (run.returncode, run.stderr) == (2, told)

    def test_a_reader_that_has_gone_is_no_error(self, length: int, buffered: bool) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        run = self.start(length, buffered, writer)
        os.close(writer)
        assert (run.returncode, run.stderr) == (141, "")


def test_interruption(
    with_command: Callable[[Callable[[], int]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt() -> int:
        raise KeyboardInterrupt

    with_command(interrupt)
    assert cli.main(["probe"]) == 130
    assert capsys.readouterr().err == "fettle: interrupted\n"


@pytest.mark.parametrize("name", dir(fettle))
def test_public_name(name: str) -> None:
    assert getattr(fettle, name) is not None


def test_unknown_public_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Autotunr'"):
        _ = fettle.Autotunr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["tune", "--time-budgt", "3", "s.py"], "unknown option --time-budgt: did you mean --time"),
        (
            ["show", "--jsn", "DIR"],
            "fettle show: error: unknown option --jsn: did you mean --json?",
        ),
        (["show", "--xyzzy=3", "DIR"], "fettle show: error: unknown option --xyzzy\n"),
        (["tun", "s.py"], "did you mean tune?"),
        (["ndp", "schedule", "s.cpp"], "did you mean schedules?"),
        (["ndp", "space", "s.cpp", "--flags", "--list"], "--flags: expected one argument"),
    ],
)
def test_a_wrong_word_says_what_it_may_mean(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(words)
    assert left.value.code == 2
    assert told in capsys.readouterr().err


def test_an_error_is_not_behind_a_page_of_options(capsys: pytest.CaptureFixture[str]) -> None:
    """Two lines: what is wrong, and how to see the options."""
    with pytest.raises(SystemExit):
        cli.main(["ndp", "tune"])
    error = capsys.readouterr().err.splitlines()
    assert error[0] == "fettle ndp tune: error: the following arguments are required: source"
    assert error[1:] == ["fettle ndp tune --help shows its options"]


def test_a_value_may_begin_with_a_dash() -> None:
    parse = cli.parser().parse_args
    given = parse(["ndp", "space", "s.cpp", "--flags", "-Iinclude", "--size", "small"])
    assert (given.flags, given.size) == ("-Iinclude", "small")
    assert parse(["ndp", "space", "--flags", "-O2 -DX=1", "s.cpp"]).flags == "-O2 -DX=1"
    assert parse(["predict", "--model", "m", "--values", "-1,2"]).values == [-1, 2]
    named = parse(["predict", "--model", "m", "--values", "rows=-1,nnz=2"])
    assert named.values == {"rows": -1, "nnz": 2}
    script = ["s.py", "--flags", "-x"]
    assert parse(["tune", *script]).script == script
