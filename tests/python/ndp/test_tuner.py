"""Tuning on OpenMP, end to end: from a program to one that chooses by a model."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from known_times import replace_times
from programs_build import WITH_LIBRARY
from quick_classifier import QuickClassifier
from tuned_program import (
    COMPILER,
    INPUTS,
    TEST_INPUTS,
    has_openmp,
    run_program,
    tuner_of,
)
from waiting import wait_for

from fettle.autotuner import Comparing
from fettle.cli import main
from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet
from fettle.model.model import Model
from fettle.model.model_directory import read_model
from fettle.ndp.manifest import read_manifest
from fettle.ndp.result import NdpResult
from fettle.ndp.toolchain import include_directory
from fettle.report import show_result
from fettle.training.trainer import columns

pytestmark = pytest.mark.skipif(not has_openmp(), reason="needs a compiler with OpenMP")


# What the program has, and another computation of the same name.
ANOTHER_TOTAL = (
    'execute<"total">(ndp::reduce(ndp::plus{}, result, 0.0',
    'execute<"total">(ndp::reduce(ndp::plus{}, offsets, 0',
)


@dataclass(frozen=True)
class Tuned:
    """A folder with the program, what tuning left there, and what it gave back."""

    folder: Path
    result: NdpResult


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Tuned:
    folder = tmp_path_factory.mktemp("tuned")
    return Tuned(folder, tuner_of(folder, command="python tune.py").tune())


def compile_program(folder: Path, source: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    include = f"-I{include_directory()}"
    words = [COMPILER, "-std=c++20", "-O0", "-fopenmp", include, *flags, str(source)]
    return subprocess.run(
        [*words, *WITH_LIBRARY], cwd=folder, capture_output=True, text=True, check=False
    )


def samples(database: Path) -> dict[str, int]:
    """How many batches of samples there are of the first function on each input."""
    with sqlite3.connect(database) as connection:
        rows = connection.execute(
            "SELECT input.arguments, count(*) FROM sample JOIN example ON example.id = example "
            "JOIN input ON input.id = example.input JOIN subject ON subject.id = input.subject "
            "WHERE subject.function = 'spmv.openmp' GROUP BY input.arguments"
        )
        return dict(rows.fetchall())


def test_named_computations_are_tuned(tuned: Tuned) -> None:
    spmv, total = tuned.result.outcomes
    assert (spmv.function, spmv.expression) == ("spmv.openmp", "map>reduce")
    assert (total.function, total.expression) == ("total.openmp", "reduce")
    for outcome in (spmv, total):
        manifest = read_manifest(tuned.folder / "build")
        texts = [candidate.text for candidate in manifest.candidates(outcome.function)]
        assert outcome.candidates == len(texts) >= 2
        assert outcome.winners[0] == "default"
        assert set(outcome.winners[1:]) <= set(texts)
        assert outcome.training_inputs >= 2
        assert outcome.judged_by == "held-out"
        assert {one.name for one in outcome.inputs} <= set(TEST_INPUTS)
        # An exhaustive search is timed by other samples than it chose by, so 1 is not a limit.
        assert 0 < outcome.share_of_best.worst <= outcome.share_of_best.mean
        assert outcome.charged_share_of_best.mean <= outcome.share_of_best.mean
        model = read_model(tuned.folder / "fettle_models" / outcome.function)
        assert model.variants == outcome.winners
        assert model.default == "default"


def test_the_result_is_written_for_people_and_programs(tuned: Tuned) -> None:
    text = (tuned.folder / "build" / "result.txt").read_text()
    assert "spmv.openmp (map>reduce): " in text
    assert "tuned / exhaustive: mean " in text
    record = json.loads((tuned.folder / "build" / "result.json").read_text())
    assert [one["function"] for one in record["computations"]] == ["spmv.openmp", "total.openmp"]
    first = record["computations"][0]["inputs"][0]
    assert min(first["tuned"], first["exhaustive"]) > 0


def test_the_tuned_program_computes_what_the_serial_loop_does(tuned: Tuned) -> None:
    done = compile_program(tuned.folder, tuned.folder / "two_computations.cpp", "-o", "deployed")
    assert done.returncode == 0, done.stderr
    for given in [*INPUTS, *TEST_INPUTS]:
        ran = run_program(tuned.folder / "deployed", given)
        assert ran.returncode == 0, ran.stderr
        assert ran.stderr == "", "the models are found and fit"


def test_a_second_run_neither_builds_nor_measures(tuned: Tuned) -> None:
    made = [path for path in (tuned.folder / "build").rglob("*") if path.suffix in (".o", ".so")]
    before = {path: path.stat().st_mtime_ns for path in made}
    header = (tuned.folder / "fettle_config.hpp").stat().st_mtime_ns
    again = tuner_of(tuned.folder, command="python tune.py").tune()
    assert {path: path.stat().st_mtime_ns for path in made} == before
    assert [result.effort.measured_inputs for result in again.results] == [0, 0]
    assert (tuned.folder / "fettle_config.hpp").stat().st_mtime_ns == header


def test_a_program_that_has_changed_since_does_not_compile(tuned: Tuned) -> None:
    text = (tuned.folder / "two_computations.cpp").read_text()
    changed = tuned.folder / "changed.cpp"
    assert ANOTHER_TOTAL[0] in text
    changed.write_text(text.replace(*ANOTHER_TOTAL))
    done = compile_program(tuned.folder, changed, "-fsyntax-only")
    assert done.returncode != 0
    message = "total is no longer the computation that was tuned; tune it again: python tune.py"
    assert message in done.stderr


def test_the_command_line_goes_on_from_a_build(
    tuned: Tuned, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = ["--build-directory", tuned.folder / "build", "--output", tmp_path / "config.hpp"]
    how = ["--no-build", "--plain", "--json", "--classifier", "tree", "--no-feature-selection"]
    source = tuned.folder / "two_computations.cpp"
    words = ["ndp", "tune", source, *how, *places, "--inputs", *INPUTS]
    assert main([str(word) for word in words]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [one["function"] for one in record["computations"]] == ["spmv.openmp", "total.openmp"]
    assert record["computations"][0]["judged_by"] == "cross-validated"
    assert "tune it again: fettle ndp tune " in (tmp_path / "config.hpp").read_text()


def test_incremental_tuning_races_on_few_inputs(
    tuned: Tuned, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(tuned.folder / "build", tmp_path / "build")
    (tmp_path / "build" / "fettle.sqlite").unlink()
    inputs = [f"{rows} 3 short 1" for rows in range(10, 34)]
    result = tuner_of(tmp_path, inputs=inputs, test_inputs=()).itune(iterations=1)
    for one in result.results:
        assert one.effort.evaluated_inputs == len(inputs)
        assert one.learning_curve[-1].inputs == one.effort.measured_inputs < len(inputs)
        assert one.learning_judged_by == "cross-validation"
        assert set(one.training.variants) <= set(one.measured.variants if one.measured else ())
    source = tmp_path / "two_computations.cpp"
    words = ["ndp", "tune", source, "--inputs", *inputs, "--iterations", "1", "--measure-only"]
    assert main([str(word) for word in words]) == 2
    assert "--measure-only goes without --iterations and --accuracy" in capsys.readouterr().err
    with pytest.raises(FettleError, match="iterations must be a whole number from 0 on, not 'two'"):
        tuner_of(tmp_path).itune(iterations="two")  # type: ignore[arg-type]


def test_models_can_be_compiled_in(tuned: Tuned, tmp_path: Path) -> None:
    header = tmp_path / "fettle_config.hpp"
    tuner_of(
        tmp_path, build_directory=tuned.folder / "build", output=header, embed_model=True
    ).train()
    assert (tmp_path / "spmv_openmp_model.hpp").exists()
    done = compile_program(tmp_path, tmp_path / "two_computations.cpp", "-o", "deployed")
    assert done.returncode == 0, done.stderr
    shutil.rmtree(tmp_path / "fettle_models")
    ran = run_program(tmp_path / "deployed", TEST_INPUTS[0])
    assert (ran.returncode, ran.stderr) == (0, "")


class BlindClassifier(QuickClassifier):
    """Looks at no feature: one variant always."""

    def fit(self, data: TrainingSet) -> Model:
        return super().fit(columns(data, ()))


def test_what_the_model_never_chooses_is_not_in_the_program(tuned: Tuned, tmp_path: Path) -> None:
    """Others are best on one input, so that they are kept, but the model takes the default."""
    shutil.copytree(tuned.folder / "build", tmp_path / "build")
    replace_times(
        tmp_path / "build" / "fettle.sqlite",
        lambda variant, given, _: 1e-5 if (variant == "default") == (given != INPUTS[0]) else 3e-5,
    )
    classifier = BlindClassifier()
    tuner = tuner_of(tmp_path, command="python tune.py", classifier=classifier, test_inputs=())
    result = tuner.train(measure=False)
    assert all(len(one.training.variants) > 1 for one in result.results)
    assert [outcome.winners for outcome in result.outcomes] == [("default",), ("default",)]
    assert "the default rule runs always" in result.text()
    assert (tmp_path / "fettle_config.hpp").read_text().count("candidate_list<>;") == 2
    source = tmp_path / "two_computations.cpp"
    done = compile_program(tmp_path, source, "-o", "deployed")
    assert done.returncode == 0, done.stderr
    shutil.rmtree(tmp_path / "fettle_models")
    ran = run_program(tmp_path / "deployed", TEST_INPUTS[0])
    assert (ran.returncode, ran.stderr) == (0, ""), "no model is looked for"
    source.write_text(source.read_text().replace(*ANOTHER_TOTAL))
    done = compile_program(tmp_path, source, "-fsyntax-only")
    assert done.returncode != 0
    assert "total is no longer the computation that was tuned" in done.stderr


WRONG = "cooperative 1.schedule=static"  # a candidate of "total"


def make_wrong(database: Path, which: str) -> None:
    """Makes candidates wrong on the first input of a store; `which` is a condition on them."""
    said = "'wrong result: differs from that of default'"
    with sqlite3.connect(database) as connection:
        connection.execute(
            f"UPDATE verdict SET verdict = 'failed', reason = {said} WHERE {which} "
            "AND variant != 'default' AND example IN (SELECT example.id FROM example "
            "JOIN input ON input.id = example.input JOIN subject ON subject.id = input.subject "
            "WHERE arguments = ? AND function = 'total.openmp')",
            (INPUTS[0],),
        )


def test_candidates_that_were_wrong_are_listed_and_not_chosen(tuned: Tuned, tmp_path: Path) -> None:
    shutil.copytree(tuned.folder / "build", tmp_path / "build")
    database = tmp_path / "build" / "fettle.sqlite"
    # By far the best, and wrong on one input.
    replace_times(database, lambda variant, *_: 1e-6 if variant == WRONG else 1e-3)
    make_wrong(database, f"variant = {WRONG!r}")
    result = tuner_of(tmp_path, report=show_result).train(measure=False)
    _, total = result.outcomes
    assert [one.variant for one in total.failed] == [WRONG]
    assert WRONG not in total.winners
    # Where there are too few elements for a team it does not run.
    said = re.search(
        rf"total\.openmp: {WRONG!r} (failed on 1 of \d+ inputs?, )first on {INPUTS[0]!r}: wrong",
        result.text(),
    )
    assert said and said[1] in (
        tmp_path / "build" / "report" / "total.openmp" / "report.html"
    ).read_text().replace("&#x27;", "'")


def test_where_all_candidates_are_wrong_nothing_is_deployed(
    tuned: Tuned, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(tuned.folder / "build", tmp_path / "build")
    make_wrong(tmp_path / "build" / "fettle.sqlite", "1")
    places = ["--build-directory", tmp_path / "build", "--output", tmp_path / "config.hpp"]
    words = ["ndp", "tune", tuned.folder / "two_computations.cpp", "--train-only", *places]
    models = tmp_path / "fettle_models" / "spmv.openmp"
    models.mkdir(parents=True)
    (models / "model.txt").write_text("deployed before")
    assert main([*map(str, words), "--plain", "--inputs", *INPUTS]) == 2
    error = capsys.readouterr().err
    assert "total.openmp: no candidate but the default rule may be chosen" in error
    assert (
        "a global variable or other state, an operator that is not associative, and a race" in error
    )
    assert not (tmp_path / "config.hpp").exists()
    kept = [path for path in (tmp_path / "fettle_models").rglob("*") if path.is_file()]
    assert kept == [models / "model.txt"], "spmv was tuned before total failed"
    assert kept[0].read_text() == "deployed before"


def test_the_training_program_compares_what_is_deployed(tuned: Tuned, tmp_path: Path) -> None:
    """By models of the winners alone, though it has all candidates."""
    shutil.copytree(tuned.folder / "build", tmp_path / "build")
    replace_times(
        tmp_path / "build" / "fettle.sqlite",
        lambda variant, given, _: 3e-5 if variant == "default" else 1e-5,
    )
    result = tuner_of(tmp_path, comparing=Comparing(inputs=2, worth=0.0)).train()
    for one in result.results:
        assert one.delivered is not None
        assert (one.delivered.deployed, len(one.delivered.inputs)) == ("new", 2)
        assert one.delivered.gain is not None and one.delivered.gain.least > 0
    assert result.text().count("times as fast as untuned on 2 inputs not trained on") == 2


def test_building_measuring_and_training_on_three_machines(tuned: Tuned, tmp_path: Path) -> None:
    """The build directory is carried from one to the next; the second has no more than it needs."""
    carried = tmp_path / "second" / "build"
    shutil.copytree(tuned.folder / "build", carried)
    (carried / "fettle.sqlite").unlink()
    measure = (
        "import sys\n"
        "for name in ('rich', 'libsvm', 'ninja', 'fettle._native'): sys.modules[name] = None\n"
        "from pathlib import Path\n"
        "from tuned_program import tuner_of\n"
        "tuner_of(Path('.'), inputs=['30 2 short 1', '900 20 skewed 1'], test_inputs=(),"
        " machine='the second').measure()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", measure],
        cwd=carried.parent,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    home = tmp_path / "third" / "build"
    shutil.copytree(carried, home)
    shutil.rmtree(home / "training")
    shutil.rmtree(home / "shards")
    tuner = tuner_of(home.parent, inputs=["30 2 short 1", "900 20 skewed 1"], test_inputs=())
    result = tuner.train(measure=False)
    assert [one.training_inputs for one in result.outcomes] == [2, 2]
    assert (home.parent / "fettle_config.hpp").exists()
    with pytest.raises(FettleError, match="nothing is known of the only input"):
        tuner_of(home.parent, inputs=["40 2 short 1"], test_inputs=()).train(measure=False)


# Holds the program back before one of its inputs, until there is a file "gate".
LAUNCHER = """#!/bin/sh
case "$*" in
*" 103 3 short 1") touch {folder}/waiting; until [ -e {folder}/gate ]; do sleep 0.1; done ;;
esac
exec "$@"
"""


def test_a_killed_run_goes_on_where_it_was(tuned: Tuned, tmp_path: Path) -> None:
    shutil.copytree(tuned.folder / "build", tmp_path / "build")
    database = tmp_path / "build" / "fettle.sqlite"
    database.unlink()
    launcher = tmp_path / "launcher"
    launcher.write_text(LAUNCHER.format(folder=tmp_path))
    launcher.chmod(0o755)
    inputs = [f"{rows} 3 short 1" for rows in range(100, 108)]
    options = {"inputs": inputs, "test_inputs": (), "launch_prefix": [str(launcher)]}
    script = (
        "from pathlib import Path\n"
        "from tuned_program import tuner_of\n"
        f"tuner_of(Path('.'), **{options}).measure()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
    ) as run:
        wait_for(lambda: (tmp_path / "waiting").exists() or run.poll() is not None)
        run.kill()
    before = samples(database)
    assert before.keys() == set(inputs[:3])
    (tmp_path / "gate").touch()
    tuner_of(tmp_path, **options).measure()
    after = samples(database)
    assert after.keys() == set(inputs)
    assert {name: after[name] for name in before} == before


def test_mistakes_are_said(tuned: Tuned, tmp_path: Path) -> None:
    with pytest.raises(FettleError, match="no computation 'product' on openmp; it has"):
        tuner_of(tuned.folder, computations=["product"]).build()
    with pytest.raises(FettleError, match="there are no candidates left; its schedules are"):
        tuner_of(tuned.folder, only=["nothing*"]).build()
    with pytest.raises(FettleError, match="inputs: the list of inputs is empty"):
        tuner_of(tmp_path / "a", inputs=[]).tune()
    with pytest.raises(FettleError, match="holds no build"):
        tuner_of(tmp_path / "a", build_directory=tmp_path / "none").train()
    with pytest.raises(FettleError, match="holds a build for openmp, not for cuda"):
        tuner_of(tmp_path / "a", platform="cuda", build_directory=tuned.folder / "build").train()
