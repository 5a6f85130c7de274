"""The command line: what it makes of its words."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from stand_in_library import plan_of

from fettle.cli import main
from fettle.cli.given_inputs import given_inputs
from fettle.cli.ndp_tune import COMMAND_LENGTH
from fettle.core.errors import FettleError
from fettle.ndp.build_steps import Plan


def test_inputs_are_files_lines_or_arguments(here: Path) -> None:
    for name in ("b.mtx", "a.mtx"):
        (here / name).write_text("")
    (here / "list").write_text("100 2\n# not this\n\n200 3\n")
    given = given_inputs(["*.mtx", "@list", "7 even"])
    assert [os.fspath(one) for one in given] == ["a.mtx", "b.mtx", "100 2", "200 3", "7 even"]
    with pytest.raises(FettleError, match="no file matches"):
        given_inputs(["*.csv"])
    with pytest.raises(FettleError, match=r"inputs in nowhere: No such file.*one input a line"):
        given_inputs(["@nowhere"])


def test_mistakes_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(tmp_path / "none.cpp")
    assert main(["ndp", "schedules", source]) == 2
    assert "does not exist" in capsys.readouterr().err
    build = ["--build-directory", str(tmp_path)]
    assert main(["ndp", "tune", source, "--no-build", "--inputs", "1", *build]) == 2
    assert "holds no build (no manifest.json)" in capsys.readouterr().err
    assert main(["ndp", "tune", source, "--inputs", "1"]) == 2
    assert "does not exist" in capsys.readouterr().err
    Path(source).write_text("int main() {}")
    assert main(["ndp", "tune", source]) == 2
    assert "name inputs of the program by --inputs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("places", "message"),
    [
        (
            ["--output", "x.cpp/h.hpp"],
            "cannot write the header {}/x.cpp/h.hpp: {}/x.cpp is no",
        ),
        (["--output", "x.cpp"], "{}/x.cpp is there and no header that Fettle wrote"),
        (["--output", "."], "cannot write the header {}: it is a folder; name a file"),
        (
            ["--build-directory", "x.cpp"],
            "the build's {}/x.cpp/manifest.json: {}/x.cpp is not a fold",
        ),
        (["--database", "nowhere/db"], "{}/nowhere/db: cannot be opened for writing (unable to o"),
        (
            ["--database", "x.cpp"],
            "{}/x.cpp: is not a Fettle database or is damaged (file is not a d",
        ),
        (["--merge", "1"], "merge must be in [0, 1), got 1.0"),
        (["--timeout", "-1"], "timeout must be a number of seconds above 0, not -1.0"),
        (["--time-budget", "nan"], "time_budget must be a number of seconds above 0, not nan"),
        (["--seed", "-1"], "seed must be a whole number from 0 on, not -1"),
        (["--jobs", "0"], "jobs must be at least 1, not 0"),
        (["--more-sources", "y.cpp"], "the source file y.cpp to link with does not exist"),
        (
            ["--launch-prefix", "a '"],
            'the launch prefix "a \'" cannot be split into words: No clos',
        ),
        (["--flags", "'"], 'the flags (--flags) "\'" cannot be split into words: No closing quot'),
        (["--model-directory", "x.cpp"], "cannot write a model {}/x.cpp/model.txt: {}/x.cpp is no"),
    ],
)
def test_impossible_places_and_settings_are_reported_before_anything_is_built(
    places: list[str],
    message: str,
    here: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("x.cpp").write_text("int main() {}\n")
    assert main(["ndp", "tune", "x.cpp", "--inputs", "1", *places]) == 2
    assert message.replace("{}", str(here)) in capsys.readouterr().err
    assert [path.name for path in here.iterdir()] == ["x.cpp"]
    assert Path("x.cpp").read_text() == "int main() {}\n"


def test_a_picture_is_refused_before_anything_is_compiled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["ndp", "schedules", str(tmp_path / "none.cpp"), "--picture"]
    assert main([*words, "lattice.doc"]) == 2
    assert "lattice.doc ends with none of .svg, .png, .pdf" in capsys.readouterr().err
    assert main([*words, str(tmp_path / "missing" / "lattice.svg")]) == 2
    assert "missing is not a folder" in capsys.readouterr().err


def test_steps_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["ndp", "tune", "x.cpp", "--build-only", "--train-only"])
    assert "not allowed with" in capsys.readouterr().err


def test_candidates_are_built_on_the_workers_of_the_executor(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("x.cpp").touch()
    workers = object()
    plans: list[Plan] = []

    @contextlib.contextmanager
    def opened(name: str | None) -> Iterator[tuple[object, bool]]:
        assert name == "dask://lab:8786"
        yield workers, True

    computations = plan_of(here, [1]).computations
    monkeypatch.setattr("fettle.training.executors.opened_executor", opened)
    monkeypatch.setattr("fettle.ndp.planning.analyze", lambda *_: list(computations.values()))
    monkeypatch.setattr("fettle.ndp.tuner.build", lambda plan, _: plans.append(plan))
    words = ["--size", "small", "--build-only", "--plain"]
    assert main(["ndp", "tune", "x.cpp", "--executor", "dask://lab:8786", *words]) == 0
    [plan] = plans
    assert plan.executor is workers
    assert len(plan.units()) > 1


def test_the_command_that_tunes_again(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("x.cpp").touch()
    made: list[str | None] = []

    class Recorder:
        def __init__(self, *_: object, command: str | None, **__: object) -> None:
            made.append(command)

        def build(self) -> None:
            pass

    monkeypatch.setattr("fettle.ndp.tuner.NdpTuner", Recorder)
    main(["ndp", "tune", "x.cpp", "--inputs", "1 2", "--build-only"])
    main(["ndp", "tune", "x.cpp", "--build-only", "--inputs", "y" * COMMAND_LENGTH])
    assert made == ["fettle ndp tune x.cpp --inputs '1 2'", None]
