"""The example with tunable parameters: every point multiplies right, and the search ends well."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from programs_build import COMPILER, INCLUDE, WITH_LIBRARY, has_header

pytestmark = pytest.mark.skipif(not has_header("vector"), reason="needs a C++ compiler")

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "parameters"
POINTS = [
    "plain",
    "tiled",
    "packed",
    *(f"tiled tile_i=4 tile_k={k} tile_j={j}" for k, j in ((16, 512), (256, 32))),
    *(f"packed rows={r} columns=8 depth=32" for r in (1, 2, 4, 8)),
    *(f"packed rows=2 columns={c} depth=512" for c in (16, 32)),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("multiply") / "multiply"
    command = [COMPILER, "-std=c++20", "-O0", f"-I{INCLUDE}", str(EXAMPLE / "multiply.cpp")]
    subprocess.run([*command, *WITH_LIBRARY, "-o", str(made)], check=True)
    return made


def said_by(program: Path, *words: str, **environment: str) -> str:
    done = subprocess.run(
        [program, *words],
        cwd=program.parent,
        env={**os.environ, "FETTLE_MODEL_DIR": "/nowhere", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("point", POINTS)
def test_points_multiply_right(program: Path, point: str) -> None:
    said = said_by(program, "19", "37", "41", FETTLE_FORCE=f"multiply={point}")
    assert re.fullmatch(rf"19 x 37 x 41 by {point}.*, right\n", said)


def test_it_searches_while_it_works(program: Path) -> None:
    said = said_by(program, "30", "30", "30", "12")
    assert re.fullmatch(r"30 x 30 x 30 by packed rows=\d columns=\d+ depth=\d+, right\n", said)
    kept = (program.parent / "multiply.points").read_text().splitlines()
    assert len(kept) == 2 and kept[1].startswith("packed ")
