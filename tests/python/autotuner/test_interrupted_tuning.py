"""Tuning that is killed or interrupted: what is kept, what is said, what is left behind."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from stand_in import StandIn
from tuned_stand_in import tune_args
from waiting import PATIENCE, wait_for

SCRIPT = """
import signal, sys
from pathlib import Path
from fettle import Autotuner, CodeVariant, TreeClassifier
from fettle.autotuner import Comparing
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
tuner = Autotuner("app", report_directory=None, comparing=Comparing(inputs=3))
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


def finish(tuner: subprocess.Popen[str]) -> str:
    """What the script says until its end."""
    return tuner.communicate(timeout=PATIENCE)[1]


def test_kill_9_and_resume(tmp_path: Path, app: StandIn) -> None:
    tune_args(tmp_path, 3)
    tune_args(tmp_path, 9, start=3, until="gate")
    with start_script(tmp_path) as tuner:
        wait_for(lambda: len(app.runs()) == 7)  # two of each of three inputs; the next one waits
        tuner.kill()
    wait_for(lambda: not app.running)
    assert list((tmp_path / "temporary").iterdir()), "it had no time to tidy up"
    before = app.runs()
    assert len(before) == 7
    database = sqlite3.connect(tmp_path / "fettle.sqlite")
    complete = {name for (name,) in database.execute("SELECT arguments FROM input WHERE calls")}
    database.close()
    assert complete == {"in00", "in01", "in02"}
    (tmp_path / "gate").touch()
    with start_script(tmp_path) as tuner:
        said = finish(tuner)
        assert tuner.returncode == 0, said
    after = app.runs()[len(before) :]
    assert "3 of 12 inputs are known already" in said
    assert not {line.split()[1] for line in after} & complete
    assert len(after) == 18, "nothing but the variant under way is measured again"
    assert not list((tmp_path / "temporary").iterdir()), "tidied up by the second run"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, -2), (signal.SIGTERM, 143)])
def test_an_interrupt_says_how_to_go_on(
    tmp_path: Path, app: StandIn, number: int, status: int
) -> None:
    tune_args(tmp_path, 1)
    tune_args(tmp_path, 11, start=1, until="gate")
    with start_script(tmp_path) as tuner:
        wait_for(lambda: len(app.runs()) == 3)
        os.kill(tuner.pid, number)
        said = finish(tuner)
    assert "Run the same script again to go on from there" in said
    assert tuner.returncode == status
    wait_for(lambda: not app.running)
    assert not list((tmp_path / "temporary").iterdir())
