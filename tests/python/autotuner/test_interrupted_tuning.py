"""Tuning that is killed or interrupted: what is kept, what is said, what is left behind."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from stand_in import StandIn
from tuned_stand_in import tune_args

SCRIPT = """
import sys
from pathlib import Path
from fettle import Autotuner, CodeVariant, TreeClassifier
tuner = Autotuner("app", report_directory=None)
tuner.set_training_args(sorted(path.name for path in Path().glob("in*")))
tuner.tune([CodeVariant("f", 2, classifier=TreeClassifier())])
"""


def start_script(folder: Path) -> subprocess.Popen[str]:
    (folder / "tune.py").write_text(SCRIPT)
    (folder / "temporary").mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "tune.py"],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "temporary")},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not what():
        assert time.monotonic() < end, "it did not come to that within 30 s"
        time.sleep(0.01)


def finish(tuner: subprocess.Popen[str]) -> str:
    """What the script says until its end."""
    return tuner.communicate(timeout=60)[1]


def processes_of(folder: Path) -> list[str]:
    """Command lines of running stand-ins."""
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return [line for line in found.stdout.splitlines() if str(folder / "app") in line]


def test_kill_9_and_resume(tmp_path: Path, app: StandIn) -> None:
    tune_args(tmp_path, seconds=0.05)
    with start_script(tmp_path) as tuner:
        wait_for(lambda: len(app.runs()) >= 7)
        tuner.kill()
    wait_for(lambda: not processes_of(tmp_path))
    assert list((tmp_path / "temporary").iterdir()), "it had no time to tidy up"
    before = app.runs()
    database = sqlite3.connect(tmp_path / "fettle.sqlite")
    complete = {name for (name,) in database.execute("SELECT arguments FROM input WHERE calls")}
    database.close()
    assert 3 <= len(complete) < 12
    with start_script(tmp_path) as tuner:
        said = finish(tuner)
        assert tuner.returncode == 0, said
    after = app.runs()[len(before) :]
    assert f"{len(complete)} of 12 inputs are known already" in said
    assert not {line.split()[1] for line in after} & complete
    assert len(app.runs()) <= 26, "at most the variant under way is measured again"
    assert not list((tmp_path / "temporary").iterdir()), "tidied up by the second run"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, -2), (signal.SIGTERM, 143)])
def test_an_interrupt_says_how_to_go_on(
    tmp_path: Path, app: StandIn, number: int, status: int
) -> None:
    tune_args(tmp_path, seconds=0.05)
    with start_script(tmp_path) as tuner:
        wait_for(lambda: len(app.runs()) >= 3)
        os.kill(tuner.pid, number)
        said = finish(tuner)
    assert "Run the same script again to go on from there" in said
    assert tuner.returncode == status
    wait_for(lambda: not processes_of(tmp_path))
    assert not list((tmp_path / "temporary").iterdir())
