"""The tuner with programs that are built with the C++ library: from header to deployed choice."""

from __future__ import annotations

import json
import math
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from programs_build import build_command, has_header, run
from quick_classifier import QuickClassifier
from waiting import wait_for

from fettle.autotuner import Autotuner, Measuring
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.data.tuning_result import TuningResult

pytestmark = pytest.mark.skipif(not has_header("vector"), reason="needs a C++ compiler")

HERE = Path(__file__).resolve().parent
QUICK = Measuring(maximum_samples=3, limit_floor_s=3.0)


def tuner_of(folder: Path, inputs: list[str], database: str = "fettle.sqlite") -> Autotuner:
    tuner = Autotuner(
        "moody",
        working_directory=folder,
        database=database,
        measuring=QUICK,
        timeout=8,  # what is waited for a run past its limit, too
        display=Silence(),
        report_directory=None,
    )
    tuner.set_training_args(inputs)
    return tuner


MOODS = {2: "crash", 4: "hang", 6: "throw", 8: "wrong", 12: "exit", 18: "blind"}
INPUTS = [f"{n} {MOODS.get(n, 'good')}" for n in range(2, 21, 2)] + ["3 good"]


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TuningResult]:
    """A folder with the built program, tuned once: building takes most of the time here."""
    folder = tmp_path_factory.mktemp("moody")
    tuner = tuner_of(folder, INPUTS)
    tuner.set_build_command(build_command("moody"))
    [result] = tuner.tune([CodeVariant("work", 4, classifier=QuickClassifier())])
    return folder, result


def test_bad_variants_cost_themselves_only(tuned: tuple[Path, TuningResult]) -> None:
    _, result = tuned
    assert {(f.input, f.variant): f.reason for f in result.failures} == {
        ("2 crash", "moody"): "crashed with SIGSEGV",
        ("4 hang", "moody"): "ran longer than its limit of 8 s and was killed",
        ("6 throw", "moody"): r"exception: in a \xff mood",
        ("8 wrong", "moody"): "wrong result: differs from that of grows",
        ("12 exit", "moody"): "exited with code 3",
        ("18 blind", None): r"feature n threw: no \xff sight",
    }
    assert "18 blind" not in result.training.inputs
    costs = dict(zip(result.training.inputs, result.training.costs.tolist(), strict=True))
    assert costs["14 good"] == [14e-3, 10.5e-3, math.inf, 2.0], "what failed is not chosen"
    assert costs["2 crash"] == [2e-3, 10.5e-3, math.inf, 2.0]
    assert costs["3 good"] == [3e-3, 10.5e-3, math.inf, math.inf], "a constraint failed"
    [failed] = result.failed
    assert (failed.variant, failed.inputs, failed.first) == ("moody", 5, "2 crash")
    assert result.effort.program_starts == len(INPUTS) + 3


def test_the_deployed_program_chooses_as_trained(tuned: tuple[Path, TuningResult]) -> None:
    folder, _ = tuned
    assert run(folder, "./moody", "5", "good") == "grows 5\n"
    assert run(folder, "./moody", "16", "good") == "fixed 16\n"


def test_nothing_is_measured_again(tuned: tuple[Path, TuningResult]) -> None:
    [again] = tuner_of(tuned[0], INPUTS).tune(
        [CodeVariant("work", 4, classifier=QuickClassifier())]
    )
    assert again.effort.variant_runs == 0


def test_the_program_compares_outputs_bit_by_bit(tuned: tuple[Path, TuningResult]) -> None:
    function = CodeVariant("work", 4, classifier=QuickClassifier(), deterministic=True)
    [strict] = tuner_of(tuned[0], INPUTS).tune([function])
    assert strict.effort.variant_runs == 0
    assert [one.variant for one in strict.failed] == ["moody"], "all others gave the same"


def test_the_script_is_checked_against_the_program(tuned: tuple[Path, TuningResult]) -> None:
    folder, _ = tuned
    with pytest.raises(FettleError, match="has 5 variants, the program registers 4: grows, fixed"):
        tuner_of(folder, ["3 good"]).tune([CodeVariant("work", 5)])
    with pytest.raises(FettleError, match="without calling a tuned function named 'play'"):
        tuner_of(folder, ["3 good"]).tune([CodeVariant("play")])


SCRIPT = """
import json, sys
sys.path.insert(0, {tests!r})
from test_end_to_end import CodeVariant, Path, QuickClassifier, tuner_of
inputs = [f"{{n}} {{'wait' if n == 4 else 'good'}}" for n in range(1, 16)]
tuner = tuner_of(Path({folder!r}), inputs, database={database!r})
[result] = tuner.tune([CodeVariant("work", 4, classifier=QuickClassifier())])
print(json.dumps([result.effort.measured_inputs, result.effort.reused_inputs]))
"""


def test_kill_9_in_the_middle_and_resume(tmp_path: Path, tuned: tuple[Path, TuningResult]) -> None:
    database = tmp_path / "killed.sqlite"
    script = tmp_path / "tune.py"
    script.write_text(SCRIPT.format(tests=str(HERE), folder=str(tuned[0]), database=str(database)))
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, cwd=tmp_path) as tuner:
        wait_for(lambda: _complete_inputs(database) >= 3)
        tuner.kill()
    assert _complete_inputs(database) == 3, "the next one waits"
    (tuned[0] / "gate").touch()
    said = run(tmp_path, *command)
    assert json.loads(said.splitlines()[-1]) == [12, 3]


def _complete_inputs(path: Path) -> int:
    if not path.exists():
        return 0
    database = sqlite3.connect(path)
    try:
        return int(database.execute("SELECT count(calls) FROM input").fetchone()[0])
    except sqlite3.Error:
        return 0
    finally:
        database.close()
