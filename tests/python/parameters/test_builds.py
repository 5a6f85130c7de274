"""Compile-time parameters: the best build is found with a stand-in for program and compiler."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from fettle import Parameter
from fettle.autotuner import Autotuner
from fettle.classifiers import TreeClassifier
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.model.model_directory import read_model
from fettle.search.parameter_search import ParameterSearch
from fettle.training.build import with_defines
from fettle.training.policy_header import policy_header

# "slow" costs 9; "quick" is best at TILE 16 and UNROLL 2. Its last line has the macros. It starts
# hundreds of times, which the package json would take half of.
PROGRAM = f"""#!{sys.executable}
import os, sys
macros = dict(w[2:].split("=") for w in open(__file__).readlines()[-1].split()[1:])
tile, unroll, n = int(macros["TILE"]), int(macros["UNROLL"]), int(sys.argv[1])
if tile == 64:
    sys.exit(3)
print(tile, unroll)
if "FETTLE_TRAINING_LOG" in os.environ:
    request = dict(part.split("=", 1) for part in os.environ["FETTLE_TRAINING"].split())
    variants = {{"slow": "slow", "quick": "quick"}}
    if request["mode"] == "compare":  # models choose "quick"
        variants = {{"default": "slow", "candidate": "quick"}}
        variants |= {{"deployed": "quick"}} if "deployed" in request else {{}}
    with open(os.environ["FETTLE_TRAINING_LOG"], "a") as log:
        def say(**fields):
            text = str(fields).replace("'", '"').replace("False", "false")
            log.write(text + "\\n")
        say(fettle_log=1, function="f", variants=[*variants], features=["n"],
            default=[*variants][0], unit="s", larger_is_better=False, machine={{}}, program="app")
        say(call=0, input=sys.argv[1], features={{"n": n}}, feature_ns={{"n": 1}})
        for variant, what in variants.items():
            metric = 9.0 if what == "slow" else 1 + abs(tile - 16) / 8 + abs(unroll - 2) + n / 10
            say(call=0, variant=variant, event="start", limit_s=5)
            if variant == "quick" and [tile, n] == [16, 3] and os.path.exists("bad"):
                say(call=0, variant=variant, event="failed", reason="wrong result")
                continue
            say(call=0, variant=variant, event="sample", metric=[metric])
        say(call=0, event="end", outcome="settled", best="quick")
    with open("runs.txt" if request["mode"] != "compare" else "compared.txt", "a") as runs:
        runs.write(f"{{tile}} {{unroll}} {{n}}\\n")
"""
BUILD = (
    'case "{defines}" in *TILE=32*) echo "32 does not compile"; exit 1;; esac; '
    '{ cat app.py; echo "# {defines}"; } > app && chmod +x app && echo "{defines}" >> builds.txt'
)
PARAMETERS = [Parameter("TILE", (4, 8, 16, 32, 64)), Parameter("UNROLL", (1, 2, 4))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "app.py").write_text(PROGRAM)
    (tmp_path / "app.py").chmod(stat.S_IRWXU)
    return tmp_path


def function(**options: object) -> CodeVariant:
    settings: dict[str, object] = {
        "classifier": TreeClassifier(),
        "parameters": PARAMETERS,
        "parameter_search": ParameterSearch(strategy="greedy_restart", measurements=12),
        **options,
    }
    return CodeVariant("f", 2, **settings)  # type: ignore[arg-type]


def tuner(folder: Path, build: str | list[str] | None = BUILD) -> Autotuner:
    made = Autotuner("app", working_directory=folder, display=Silence(), report_directory=None)
    made.set_training_args([str(n) for n in range(8)])
    if build is not None:
        made.set_build_command(build)
    return made


def built(folder: Path) -> str:
    """What the program on the disk was built with."""
    return (folder / "app").read_text().splitlines()[-1]


def test_the_best_build_is_found_and_left(folder: Path) -> None:
    [result] = tuner(folder).tune([function()])
    assert built(folder) == "# -DTILE=16 -DUNROLL=2"
    assert result.training.costs[:, 1].tolist() == [1 + n / 10 for n in range(8)]
    assert result.model.provenance["compiled_with"] == "TILE=16 UNROLL=2"
    assert float(result.model.provenance["gain"]) > 5, "by that build"
    header = (folder / "fettle_config.hpp").read_text()
    assert "#ifndef TILE\n#define TILE 16\n#endif\n#ifndef UNROLL\n#define UNROLL 2\n" in header
    assert read_model(folder / "fettle_models" / "f").variants == ("slow", "quick")


def test_a_build_is_not_judged_by_a_variant_that_failed_in_it(folder: Path) -> None:
    (folder / "bad").touch()  # "quick" is wrong on one input at TILE 16
    [result] = tuner(folder).tune([function()])
    assert built(folder) == "# -DTILE=8 -DUNROLL=2"
    assert result.failed == ()


def test_what_was_measured_is_not_built_again(folder: Path) -> None:
    tuner(folder).tune([function()])
    runs = (folder / "runs.txt").read_text().splitlines()
    builds = (folder / "builds.txt").read_text().splitlines()
    assert len(set(builds)) >= len(builds) - 2, "the first and the best twice"
    tuner(folder).tune([function()])
    again = (folder / "runs.txt").read_text().splitlines()[len(runs) :]
    assert len(again) <= 1, "to see what the program offers"
    assert built(folder) == "# -DTILE=16 -DUNROLL=2"


def test_what_the_source_changed_is_searched_again(folder: Path) -> None:
    tuner(folder).tune([function()])
    begun = len((folder / "runs.txt").read_text().splitlines())
    source = folder / "app.py"
    source.write_text(source.read_text().replace("tile, unroll, n =", "tile, unroll, n = "))
    tuner(folder).tune([function()])
    again = (folder / "runs.txt").read_text().splitlines()[begun:]
    assert len(again) == 2 * 3, "three inputs of the first build and of the best one"
    source.write_text(source.read_text().replace("abs(tile - 16)", "abs(tile - 8)"))
    [result] = tuner(folder).tune([function()])
    assert built(folder) == "# -DTILE=8 -DUNROLL=2"
    assert result.training.costs[:, 1].tolist() == [1 + n / 10 for n in range(8)]


def test_constraints_hold(folder: Path) -> None:
    tuner(folder).tune([function(parameter_constraints=["TILE * UNROLL <= 16"])])
    assert built(folder) in ("# -DTILE=8 -DUNROLL=2", "# -DTILE=16 -DUNROLL=1")
    assert not any(
        int(t) * int(u) > 16
        for t, u, _ in map(str.split, (folder / "runs.txt").read_text().splitlines())
    )


@pytest.mark.parametrize(
    ("options", "build", "message"),
    [
        ({}, "make", "does not hand them on: put {defines} where the compiler's options are"),
        ({}, None, "does not hand them on"),
        ({"parameter_constraints": ["TILE > 4"]}, BUILD, "do not fulfil the constraint 'TILE > 4'"),
        ({"parameter_constraints": ["TIL > 4"]}, BUILD, "is about TIL, which"),
        ({"parameter_constraints": ["TILE >"]}, BUILD, "cannot be read"),
        ({"parameters": [], "parameter_constraints": ["1"]}, BUILD, "but no parameters"),
        ({"parameters": [PARAMETERS[0]] * 2}, BUILD, "a compile-time parameter is given twice"),
    ],
)
def test_misuse_is_refused_before_anything_is_built(
    folder: Path, options: dict[str, object], build: str | None, message: str
) -> None:
    with pytest.raises(FettleError) as refused:
        tuner(folder, build).tune([function(**options)])
    assert message in str(refused.value)
    assert not (folder / "app").exists()


def test_functions_with_parameters_are_tuned_alone(folder: Path) -> None:
    with pytest.raises(FettleError, match="tune it alone"):
        tuner(folder).tune([function(), CodeVariant("g")])


@pytest.mark.parametrize(
    "wrong", [[Parameter("A B", (1,))], [Parameter("A", ("x",))], [Parameter("A", ())], ["A"], 3]
)
def test_what_is_no_macro_is_refused(wrong: object) -> None:
    with pytest.raises(FettleError, match="parameters must be a list such as"):
        CodeVariant("f", parameters=wrong)  # type: ignore[arg-type]


def test_defines_in_commands() -> None:
    macros = {"A": 1, "B": -2}
    assert with_defines("cc {defines} x.c", macros) == "cc -DA=1 -DB=-2 x.c"
    assert with_defines(["cc", "{defines}", "x{defines}"], {"A": 1}) == ["cc", "-DA=1", "x-DA=1"]
    assert with_defines(["cc", "{defines}"], {}) == ["cc"]


def test_the_header_keeps_macros() -> None:
    one = policy_header([CodeVariant("f")], Path("m"), macros={"TILE": 16, "OFFSET": -1})
    two = policy_header([CodeVariant("g")], Path("m"), existing=one)
    assert "#ifndef TILE\n#define TILE 16\n#endif\n#ifndef OFFSET\n#define OFFSET -1\n#endif" in two
    three = policy_header([CodeVariant("f")], Path("m"), existing=two, macros={"TILE": 8})
    assert "#define TILE 8\n" in three and "#define TILE 16" not in three and "OFFSET -1" in three
