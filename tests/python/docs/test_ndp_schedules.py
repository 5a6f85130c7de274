"""The page on schedules: its code compiles and runs, and its tables name what there is."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from programs_build import COMPILER

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "ndp-schedules.md").read_text("utf-8")
NDP = ROOT / "include" / "fettle" / "ndp"


def test_cpp_compiles_and_runs(tmp_path: Path) -> None:
    (source,) = re.findall(r"^```cpp\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
    file = tmp_path / "block.cpp"
    file.write_text(source)
    program = tmp_path / "block"
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}"]
    done = subprocess.run(
        [COMPILER, *flags, str(file), "-o", str(program)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    ran = subprocess.run([program], capture_output=True, text=True, check=True)
    schedules = [line.split()[0] for line in ran.stdout.splitlines()[:-1]]
    assert schedules[0] == "independent>cooperative"
    assert set(schedules) == {
        "independent>cooperative",
        "independent>sequential",
        "sequential>cooperative",
        "flattened",
        "sequential>sequential",
    }
    text = re.search(r"std::puts\(to_string\(small_warps\).*// (.*)", source)
    assert text
    assert ran.stdout.splitlines()[-1] == text[1]


def test_tables_name_every_field() -> None:
    for platform in ("cuda", "openmp"):
        header = (NDP / platform / "policy" / "policy.hpp").read_text("utf-8")
        fields = set(re.findall(r'visit\([^"]*"(\w+)", "\w+"', header))
        assert len(fields) >= 6
        start = PAGE.index(f"| `{platform}::policy` |")
        table = PAGE[start : PAGE.index("\n\n", start)]
        named = {
            name
            for row in table.splitlines()[2:]
            for name in re.findall(r"`(\w+)`", row.split("|")[1])
        }
        assert fields - named == set()


def test_the_lookup_table_names_every_operator() -> None:
    operators = set(
        re.findall(r"struct (\w+)\s*{ static", (NDP / "base" / "op.hpp").read_text("utf-8"))
    )
    start = PAGE.index("| operators | strongest schedule |")
    table = PAGE[start : PAGE.index("\n\n", start)]
    assert len(operators) == 28
    # Where the page names what users write.
    operators = operators - {"grid", "row_program"} | {"make_grid", "a row program"}
    assert operators == {
        name.strip() for row in table.splitlines()[2:] for name in row.split("|")[1].split(",")
    }
