"""The examples that choose by the input, end to end: tune.py and judge.py on small inputs.

They run the programs that the build tree holds, because compiling them takes longest.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
BUILT = Path(os.environ.get("FETTLE_BUILD_DIR", os.devnull)) / "examples"
HEADLINE = (
    r"share of best [01]\.\d{3} \(best fixed variant [a-z0-9_]+ [01]\.\d{3}\) "
    r"on (\d+) held-out inputs"
)

# Of each example: inputs to train on, inputs to judge by, inputs on which variants must agree, and
# inputs that are refused with what the message says.
CASES: dict[str, tuple[list[str], list[str], list[str], list[tuple[str, str]]]] = {
    "transpose": (
        [
            "square:400:double",
            "skinny_tall:600:float",
            "skinny_wide:500:double",
            "general:900:double",
        ],
        ["coprime:500:double", "tall:700:float:columns=1"],
        [
            *("general:1:double", "general:0x5:float", "general:1x40:double", "wide:40x1:double"),
            *(
                f"{family}:5000:double:columns=1"
                for family in ("general", "square", "tall", "wide")
            ),
            *(f"{family}:70000:float" for family in ("skinny_tall", "skinny_wide", "near_square")),
            *(f"{family}:3000:double" for family in ("power_of_two", "coprime", "common_factor")),
        ],
        [
            ("round:5:double", "'round' is not a family"),
            ("square:-5:double", "the size must be a number from 0"),
            ("square:5:int", "'int' is not a type"),
        ],
    ),
    "histogram": (
        ["uniform:3000:u8:bins=16", "flat:9000:u8", "text:2000:u16", "gradient:5000:u32:bins=4096"],
        ["blobs:3000:u8", "salt:4000:u32:bins=100"],
        [
            *("uniform:0:u8", "uniform:1:u16", "noise:7:u32:bins=1", "zero.pgm", "zero.ppm"),
            *(f"{family}:3001:u8:bins=7" for family in ("uniform", "noise", "gradient", "flat")),
            *(f"{family}:3001:u32:bins=5000" for family in ("text", "blobs", "waves", "salt")),
        ],
        [
            ("uniform:x:u8", "the size must be a number"),
            ("uniform:5:u8:bins=0", "the bins must be a number from 1"),
            ("nothing.pgm", "nothing.pgm: cannot be opened"),
        ],
    ),
    "bfs": (
        ["rmat:300:undirected:degree=8", "grid:900:undirected", "uniform:500:directed:degree=3"],
        ["small_world:400:undirected:degree=4", "empty.mtx", "multiple.mtx"],
        [
            *("rmat:0:directed", "rmat:1:undirected", "uniform:300:directed:degree=1"),
            *(f"{family}:2000:undirected:degree=9" for family in ("rmat", "uniform", "geometric")),
            *(f"{family}:2000:undirected:degree=9" for family in ("small_world", "hubs")),
            *("grid:2000:undirected", "ladder:100:undirected", "empty.mtx", "multiple.mtx"),
        ],
        [
            ("rmat:300:double", "'double' is not a type: directed or undirected"),
            ("rmat:x:directed", "the number of vertices must be a number"),
            ("outside.mtx", "outside.mtx:3: entry (3, 1) is outside the matrix"),
        ],
    ),
    "solvers": (
        [
            "laplace:100:double",
            "blocks:150:double",
            "shifted:200:double:shift=0.5",
            "stiff:90:double",
        ],
        ["waves:100:double:shift=0.1", "network:150:double", "turning.mtx"],
        [
            *("laplace:0:double", "laplace:1:double", "laplace:300:double:points=27"),
            *(
                f"{family}:300:double"
                for family in ("anisotropic", "jumping", "shifted", "network")
            ),
            *(f"{family}:300:double" for family in ("stiff", "plates", "biharmonic", "waves")),
            *(f"{family}:300:double" for family in ("contrast", "mesh", "elastic", "banded")),
            *(f"{family}:300:double" for family in ("scaled", "periodic", "twofold", "layers")),
            *(f"{family}:300:double" for family in ("chain", "tree", "fields", "cracked")),
            *("blocks:300:double:indefinite=1", "turning.mtx", "empty.mtx"),
        ],
        [
            ("laplace:300:float", "'float' is not a type: double"),
            ("laplace:300:double:points=6", "points must be 5, 7, 9 or 27"),
            ("multiple.mtx", "multiple.mtx:2: a system of equations needs a square matrix"),
            ("outside.mtx", "outside.mtx:3: entry (3, 1) is outside the matrix"),
        ],
    ),
    "sort": (
        ["uniform:500:float", "sorted:900:double", "reverse:700:float", "few_unique:800:double"],
        ["runs:600:float", "exponential:900:double:nan=0.1"],
        [
            *("uniform:0:float", "uniform:1:double", "reverse:2:float", "few_unique:33:float"),
            *(f"{family}:5000:float:nan=0.05" for family in ("uniform", "normal", "exponential")),
            *(f"{family}:9000:double" for family in ("few_unique", "sorted", "reverse")),
            *(f"{family}:9000:float" for family in ("swapped", "nearly", "runs")),
            *("uniform:2:double", "uniform:65:double:nan=0.1", "normal:1025:float"),
            *("uniform:4095:double", "uniform:65535:float", "uniform:131073:double:nan=0.01"),
            *(f"{family}:200000:float" for family in ("few_unique", "sorted", "reverse")),
        ],
        [
            ("uniform:5:int", "'int' is not a type: float or double"),
            ("heap:5:float", "'heap' is not a family"),
        ],
    ),
    "spmv": (
        [f"generate:stencil:points={p},side=9,seed=1" for p in (5, 7, 9)],
        ["generate:banded:rows=90,width=5,density=0.5,seed=1", "multiple.mtx", "empty.mtx"],
        [],  # tests/examples/spmv_variants_test.cpp
        [("outside.mtx", "outside.mtx:3: entry (3, 1) is outside the matrix")],
    ),
}
MATRICES = {
    "empty.mtx": "pattern general\n5 5 0\n",  # isolated sources only
    # Two edges to a neighbour, edges to oneself, and a shape that is no square.
    "multiple.mtx": "pattern general\n4 5 5\n1 1\n1 2\n1 2\n2 2\n4 5\n",
    # (0 I; -I 0) of 20 rows: no solver converges.
    "turning.mtx": "real general\n20 20 20\n"
    + "".join(f"{i} {i + 10} 1\n{i + 10} {i} -1\n" for i in range(1, 11)),
    "outside.mtx": "pattern general\n2 2 1\n3 1\n",
}
EMPTY_IMAGES = {"zero.pgm": "P5\n0 0\n255\n", "zero.ppm": "P6\n0 7\n65535\n"}
WRONG_FILES = {
    "histogram": {
        "short.pgm": (b"P5 # grey\n4 4\n255\nabc", "short.pgm:3: the image announces 4 x 4 pixels"),
        "word.ppm": (b"P6\n4 four\n255\n", "word.ppm:2: the image's height is not a number"),
        "high.pgm": (b"P2\n2 1\n7\n3\n9\n", "high.pgm:5: a value of 9 is above"),
        "none.pgm": (b"P7\n", "none.pgm:1: not an image that this example reads"),
    },
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in MATRICES.items():
        (tmp_path / name).write_text(f"%%MatrixMarket matrix coordinate {text}")
    for name, text in EMPTY_IMAGES.items():
        (tmp_path / name).write_text(text)


def program(name: str) -> Path:
    built = BUILT / ("spmv/spmv" if name == "spmv" else f"support/example_{name}")
    if not built.exists():
        pytest.skip(f"{built} is not built")
    return built


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    return subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, env=environment
    )


@pytest.mark.parametrize("name", CASES)
def test_tuned_and_judged(name: str, tmp_path: Path) -> None:
    training, held_out, _, _ = CASES[name]
    options = ["--cpu", "--program", program(name)]
    script = EXAMPLES / name / "tune.py"
    tuned = run(
        *(sys.executable, script, *options, "--budget", "0.05", "--inputs", *training),
        folder=tmp_path,
    )
    assert tuned.returncode == 0, tuned.stdout + tuned.stderr
    assert "failed on" not in tuned.stdout
    said = run(
        *(sys.executable, EXAMPLES / name / "judge.py", *options, "--json", tmp_path / "j.json"),
        *("--inputs", *held_out),
        folder=tmp_path,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    last = re.fullmatch(HEADLINE, said.stdout.splitlines()[-1])
    solved = len(held_out) - (1 if "turning.mtx" in held_out else 0)
    assert last and int(last[1]) == solved
    judged = json.loads((tmp_path / "j.json").read_text())
    assert [Path(row["name"]).name for row in judged["inputs"]] == held_out
    assert 0 < judged["share"] <= 1


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[2]])
def test_variants_agree_on_every_family(name: str, tmp_path: Path) -> None:
    inputs = CASES[name][2]
    said = run(program(name), "--check", *inputs, folder=tmp_path)
    assert said.returncode == 0, said.stdout + said.stderr
    agreeing = re.findall(r": (\d+) variants agree", said.stdout)
    assert len(agreeing) == len(inputs) and all(int(count) > 1 for count in agreeing)


@pytest.mark.parametrize("name", CASES)
def test_wrong_inputs_are_refused(name: str, tmp_path: Path) -> None:
    wrong = list(CASES[name][3])
    for file, (content, message) in WRONG_FILES.get(name, {}).items():
        (tmp_path / file).write_bytes(content)
        wrong.append((file, message))
    said = run(program(name), "--judge", *(text for text, _ in wrong), folder=tmp_path)
    assert said.returncode == 2 and not said.stdout
    lines = [line for line in said.stderr.splitlines() if line.startswith(f"{name}: ")]
    assert len(lines) == len(wrong)
    for line, (_, message) in zip(lines, wrong, strict=True):
        assert message in line
