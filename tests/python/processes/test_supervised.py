"""What the tuner starts ends with it, whatever it starts in turn and however the tuner ends."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import wait_for

from fettle.processes import SupervisedProcess
from fettle.processes.kept_output import KEPT, LARGEST, KeptOutput
from fettle.training.build import BuildError, run_command
from fettle.training.run import run_program

# A process that holds a lock on a file for as long as it lives, and one in a group of its own
# (as ninja's, and those of timeout, are) that does.
LIVES = 'exec 9>>"$PWD/alive"; flock -s 9; touch locked; sleep 600'
IN_A_GROUP = "import os, sys; os.setpgid(0, 0); os.execv('/bin/sh', ['sh', '-c', sys.argv[1]])"


def is_alive(folder: Path) -> bool:
    with (folder / "alive").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def script(folder: Path, *, in_a_group: bool, then: str) -> Path:
    """A program that leaves a child behind; `then` is what it does itself."""
    child = f"""'{sys.executable}' -c "{IN_A_GROUP}" '{LIVES}'""" if in_a_group else f"( {LIVES} )"
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{child} &\nwhile [ ! -e locked ]; do sleep 0.01; done\n{then}\n")
    path.chmod(0o755)
    return path


def test_children_of_a_build_that_ends_well_end_too(tmp_path: Path) -> None:
    program = script(tmp_path, in_a_group=False, then="exit 0")
    run_command("build", [str(program)], directory=tmp_path, environment=os.environ)
    assert (tmp_path / "locked").exists()
    wait_for(lambda: not is_alive(tmp_path))


def test_children_of_a_program_that_ends_well_end_too(tmp_path: Path) -> None:
    program = script(tmp_path, in_a_group=False, then="exit 0")
    ending = run_program(
        [str(program)],
        directory=tmp_path,
        environment=os.environ,
        log=tmp_path / "log",
        handle=lambda _: None,
        silence_seconds=300,
    )
    assert (ending.kind, ending.code) == ("exit", 0)
    wait_for(lambda: not is_alive(tmp_path))


def test_other_groups_end_where_the_program_is_killed(tmp_path: Path) -> None:
    program = script(tmp_path, in_a_group=True, then="sleep 600")
    with SupervisedProcess([program], environment=os.environ, directory=tmp_path) as process:
        wait_for(lambda: (tmp_path / "locked").exists())
        assert process.wait(0) is None
        assert process.end() == -signal.SIGKILL
        wait_for(lambda: not is_alive(tmp_path))


BUILDER = """
import os, sys
from pathlib import Path
from fettle.training.build import run_command
run_command("build", "./program; true", directory=Path(), environment=os.environ)
"""
# Killed between the start of the program and all that follows on it.
KILLED_AT_ONCE = (
    """
import os, signal, subprocess
start = subprocess.Popen
def start_and_die(*words, **options):
    started = start(*words, **options)
    if "FETTLE_START" in options["env"]:
        os.kill(os.getpid(), signal.SIGKILL)
    return started
subprocess.Popen = start_and_die
"""
    + BUILDER
)


@pytest.mark.parametrize("kill_at_once", [False, True])
def test_kill_9_of_the_tuner_ends_what_a_build_has_started(
    tmp_path: Path, kill_at_once: bool
) -> None:
    script(tmp_path, in_a_group=True, then="sleep 600")
    tuner = [sys.executable, "-c", KILLED_AT_ONCE if kill_at_once else BUILDER]
    with subprocess.Popen(tuner, cwd=tmp_path) as process:
        if not kill_at_once:
            wait_for(lambda: (tmp_path / "locked").exists())
            process.kill()
    assert process.returncode == -signal.SIGKILL
    wait_for(lambda: not processes_in(tmp_path))


def processes_in(folder: Path) -> list[str]:
    """The processes whose current directory is a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and (entry / "cwd").readlink() == folder:
                found.append((entry / "cmdline").read_text())
        except OSError:
            continue
    return found


def test_a_forked_process_keeps_no_guardian_waiting(tmp_path: Path) -> None:
    script(tmp_path, in_a_group=False, then="sleep 600")
    forks = (
        "import os, time\nfrom fettle.processes.guardian import guardian\nguardian()\n"
        "if os.fork() == 0:\n    os.chdir('/')\n    time.sleep(600)\n"
    )
    group = subprocess.Popen(
        [sys.executable, "-c", forks + BUILDER], cwd=tmp_path, start_new_session=True
    )
    with group as process:
        wait_for(lambda: (tmp_path / "locked").exists())
        process.kill()
    try:
        wait_for(lambda: not processes_in(tmp_path))
    finally:
        os.killpg(group.pid, signal.SIGKILL)


def test_long_output_is_kept_by_its_ends(tmp_path: Path) -> None:
    lines = 8 * LARGEST // 10
    command = f"seq -w 1 {lines}; echo last; exit 3"
    with pytest.raises(BuildError, match="failed with exit code 3") as error:
        run_command("build", command, directory=tmp_path, environment=os.environ)
    assert "last" in str(error.value)
    with SupervisedProcess(command, environment=os.environ) as process:
        assert process.wait() == 3
        text = process.output.text()
        size = os.fstat(process.output.fileno()).st_size
    assert size <= LARGEST
    first, *_, last = text.splitlines()
    assert (int(first), last) == (1, "last")
    [left_out] = [line for line in text.splitlines() if "bytes left out" in line]
    assert int(left_out.split()[1]) > 5 * lines
    assert len(text) < 3 * KEPT


@pytest.mark.parametrize("size", [0, 1, KEPT, 2 * KEPT, 2 * KEPT + 1, LARGEST, LARGEST + 1])
@pytest.mark.parametrize("trims", [0, 1, 2])
def test_what_is_kept(size: int, trims: int) -> None:
    output = KeptOutput()
    data = bytes(65 + place % 26 for place in range(size))
    os.write(output.fileno(), data)
    for _ in range(trims):
        output.trim()
    os.write(output.fileno(), b"end")
    text, whole = output.text(), (data + b"end").decode()
    if len(whole) <= 2 * KEPT:
        assert text == whole
    else:
        left_out = f"\n[... {len(whole) - 2 * KEPT} bytes left out ...]\n"
        assert text == whole[:KEPT] + left_out + whole[-KEPT:]
    output.close()


@pytest.mark.parametrize("has_descriptors", [True, False])
def test_waiting_ends_with_the_program_or_with_the_time(
    monkeypatch: pytest.MonkeyPatch, has_descriptors: bool
) -> None:
    if not has_descriptors:

        def refuse(_: int) -> int:
            raise OSError("too many open files")

        monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)
    with SupervisedProcess("read line; exit 3", environment=os.environ) as process:
        assert process.wait() == 3
        assert process.wait(0) == 3, "asked again"
    with SupervisedProcess("sleep 600", environment=os.environ) as process:
        assert process.wait(0) is None
        assert process.wait(0.05) is None
        assert process.end() == -signal.SIGKILL


def test_no_descriptor_of_a_process_stays_open() -> None:
    descriptors = Path("/proc/self/fd")
    before = len(list(descriptors.iterdir()))
    for _ in range(3):
        with SupervisedProcess("true", environment=os.environ) as process:
            process.wait()
    assert len(list(descriptors.iterdir())) <= before + 1  # the guardian's, where it is the first
