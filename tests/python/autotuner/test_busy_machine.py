"""A machine that is too busy: nothing is deployed, what was deployed stays, and it is said."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn
from tuned_stand_in import function

from fettle.autotuner import Autotuner
from fettle.cli import main
from fettle.code_variant import CodeVariant

Maker = Callable[..., Autotuner]
BUSY = "this machine is too busy to tell these apart"


def disturb(store: Path) -> None:
    """Each sample of a store as of a busy machine: every variant takes 1 to 3 ms, by chance."""
    times = [1.0e-3, 3.0e-3, 1.2e-3, 2.7e-3, 1.1e-3, 2.9e-3, 1.4e-3, 3.3e-3]
    with closing(sqlite3.connect(store)) as database, database:
        rows = database.execute("SELECT run, number FROM sample ORDER BY run, number").fetchall()
        for index, row in enumerate(rows):
            value = json.dumps(times[index % 5 :] + times[: index % 5])
            database.execute(
                "UPDATE sample SET value = ? WHERE run = ? AND number = ?", (value, *row)
            )


def test_what_was_deployed_stays(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    [before] = tuner().tune([function()])
    assert before.unsteady == ""
    model = (tmp_path / "fettle_models" / "f" / "model.txt").read_bytes()
    disturb(tmp_path / "fettle.sqlite")
    [result] = tuner(report_directory="reports").tune([function()])
    assert result.unsteady.startswith(BUSY)
    assert "The model of before stays in" in result.unsteady
    assert any(BUSY in warning for warning in result.warnings)
    assert (tmp_path / "fettle_models" / "f" / "model.txt").read_bytes() == model
    report = tmp_path / "reports" / "f"
    assert (report / "report.txt").read_text().startswith(f"f: {BUSY}: on ")
    page = (report / "report.html").read_text()
    assert page.index('<div class="bad"><p>f: ' + BUSY) < page.index("<h1>")
    assert json.loads((report / "report.json").read_text())["unsteady"] == result.unsteady


def test_where_nothing_was_deployed_the_default_runs(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    tuner().tune([function()])
    disturb(tmp_path / "fettle.sqlite")
    for file in (tmp_path / "fettle_models" / "f").iterdir():
        file.unlink()
    embedding = CodeVariant("f", 2, classifier=QuickClassifier(), embed_model=True)
    [result] = tuner().tune([embedding])
    assert "No model is written, so the default runs always" in result.unsteady
    assert not list((tmp_path / "fettle_models" / "f").iterdir())


def test_the_command_fails(
    tmp_path: Path, app: StandIn, tuner: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tuner().tune([function()])
    inputs = sorted(path.name for path in tmp_path.glob("in??"))
    script = tmp_path / "tune.py"
    script.write_text(
        "from quick_classifier import QuickClassifier\n"
        "from fettle import Autotuner, CodeVariant\n"
        f"tuner = Autotuner({str(app.path)!r})\n"
        f"tuner.set_training_args({inputs!r})\n"
        "tuner.tune([CodeVariant('f', 2, classifier=QuickClassifier())])\n"
    )
    assert main(["tune", "--plain", "--no-report", str(script)]) == 0
    disturb(tmp_path / "fettle.sqlite")
    assert main(["tune", "--plain", "--no-report", str(script)]) == 1
    assert main(["tune", "--plain", "--no-report", "--allow-busy", str(script)]) == 0
