"""README.md's code is the sorting example's, its numbers are the benchmarks', its links lead."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(os.environ.get("FETTLE_SOURCE_DIR", Path(__file__).parents[3]))
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples" / "first"


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    assert found, language
    return found[1]


def test_the_program_is_the_examples() -> None:
    assert block("cpp") in (EXAMPLE / "sort.cpp").read_text(encoding="utf-8")


def test_parameters_and_the_nested_computation_are_the_examples() -> None:
    blocks = re.findall(r"^```cpp\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    hello = (ROOT / "examples" / "ndp" / "hello.cpp").read_text(encoding="utf-8")
    multiply = (ROOT / "examples" / "parameters" / "multiply.cpp").read_text(encoding="utf-8")
    assert len(blocks) == 3
    assert blocks[1] in multiply
    assert blocks[2] in hello


def test_the_program_is_short() -> None:
    assert len(block("cpp").splitlines()) <= 15


def test_the_tuning_script_is_the_examples() -> None:
    assert block("python") in (EXAMPLE / "tune.py").read_text(encoding="utf-8")
    assert len(block("python").split("\n")) <= 10


def test_the_commands_are_presets() -> None:
    presets = subprocess.run(
        ["cmake", "--list-presets=workflow"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = re.findall(r"cmake --workflow --preset (\w+)", README)
    assert {"demo", "test"} <= set(names)
    for name in names:
        assert f'"{name}"' in presets


def test_links_lead_somewhere() -> None:
    prose = re.sub(r"^```.*?^```", "", README, flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^):#]+)\)", prose)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_it_is_short() -> None:
    assert len(README.split()) <= 1000
    numbers = README[README.index("## Numbers") : README.index("## Variants with parameters")]
    sentences = [line for line in numbers.splitlines() if line[:2] in ("- ", "  ")]
    assert len(sentences) <= 12


def test_four_pictures_are_shown_on_light_and_dark_pages() -> None:
    light = re.findall(r'<img [^>]*src="([^"]+)-light.svg"', README)
    dark = re.findall(
        r'<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)-dark.svg"', README
    )
    assert len(light) == 4
    assert light == dark
    for name in light:
        for theme in ("light", "dark"):
            picture = ElementTree.parse(ROOT / f"{name}-{theme}.svg").getroot()
            assert picture.attrib["width"] == "380"


def test_numbers_are_the_recorded_ones() -> None:
    script = ROOT / "benchmarks" / "common" / "pages"
    run = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout


class Pages:
    """The pages' scripts with a folder of records of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script = folder / "benchmarks" / "common" / "pages"
        self.results = folder / "benchmarks" / "results"
        shutil.copytree(ROOT / "benchmarks" / "common" / "pages", self.script)
        for page in (
            "README.md",
            "benchmarks/results/README.md",
            "benchmarks/results/transfer.md",
            "docs/parameters.md",
            "docs/search.md",
            "docs/ndp-schedules.md",
            "docs/objectives.md",
            "benchmarks/suite/halves.json",
        ):
            (folder / page).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / page, folder / page)

    def run(self, *options: str) -> int:
        return subprocess.run([sys.executable, self.script, *options], check=False).returncode


def test_the_tables_are_written_from_the_results(tmp_path: Path) -> None:
    pages = Pages(tmp_path)
    seconds = {"<vector> + <functional>": 0.25, "fettle/variant.hpp": 1.0}
    seconds |= {f"two variants, {form}": 1.5 for form in ("headers alone", "fettle::compiled")}
    record = {
        "commit": "0123456789",
        "machine": {"processor": "Abacus", "cores": 3},
        "date": "2026-11-21T10:00:00+00:00",
        "rows": [
            {"program": name, "median_s": value, "stripped_bytes": 123456}
            for name, value in seconds.items()
        ],
    }
    (pages.results / "compile_time.json").write_text(json.dumps(record))
    tables = pages.results / "README.md"
    assert pages.run("--check") == 1
    assert pages.run() == 0
    assert "| 0.75 s | Abacus, 3 cores, 2026-11-21 |" in tables.read_text()
    assert "<picture>" not in (tmp_path / "README.md").read_text(), "nothing to draw is recorded"
    assert pages.run("--check") == 0

    for commit, mark in (("0123456789+", "\\*"), ("", "†")):
        (pages.results / "compile_time.json").write_text(json.dumps({**record, "commit": commit}))
        assert pages.run() == 0
        text = tables.read_text(encoding="utf-8")
        assert f"| 0.75 s | Abacus, 3 cores, 2026-11-21{mark} |" in text
        assert "| 123 kB | Abacus" in text
        assert text.count(mark) == 4, "three rows with the mark, and what it means"


def test_the_pictures_are_drawn_from_the_results(tmp_path: Path) -> None:
    pages = Pages(tmp_path)
    for path in (ROOT / "benchmarks" / "results").glob("*.json"):
        shutil.copy(path, pages.results)
    assert pages.run() == 0
    picture = pages.results / "pictures" / "selection_cost-light.svg"
    before = picture.read_text()
    assert before == (ROOT / picture.relative_to(tmp_path)).read_text()
    path = pages.results / "selection_cost.json"
    record = json.loads(path.read_text())
    for row in record["rows"]:
        row["median_ns"] *= 2
    path.write_text(json.dumps(record))
    assert pages.run("--check") == 1
    assert pages.run() == 0
    assert picture.read_text() != before


def test_a_sentence_is_of_one_search_and_the_best_is_the_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks" / "common" / "pages"))
    lines = importlib.import_module("search_lines")
    rows = [
        {"strategy": name, "budget": 9, "spaces": 2, "mean_share": share}
        for name, share in (("auto", 0.9), ("tpe", 0.6), ("dlmt", 0.7), ("random", 0.1))
    ]
    rows.append({**rows[0], "strategy": "kernel_tuner:pso", "mean_share": 0.5})
    [(_, figure)] = lines.search_spaces(rows)
    assert "best of the other methods here 0.700 (dlmt)" in figure
    searches = [
        {
            "search": name,
            "kernels": 4,
            **{
                f"{kind}_{other}": value
                for other in ("expert", "random")
                for kind, value in (("speedup", speed), ("cost_share", cost))
            },
        }
        for name, speed, cost in (
            ("blocks predicted", 2, 0.1),
            ("refined predicted two", 3, 0.4),
        )
    ]
    loading = [
        {"kernel": number, "microseconds": {"refined vector": best, "refined global": 10.0}}
        for number, best in enumerate((8.0, 9.0))
    ]
    (_, blocks), (_, refined), (always, gap) = lines.stencil([*searches, *loading])
    assert "always by vector" in always
    assert gap == "1.0000 (1.000): nothing to predict; global 0.850 (0.800)"
    assert blocks.count("2.00 ") == blocks.count("10.0%") == 2
    assert refined.count("3.00 ") == refined.count("40.0%") == 2


def test_the_example_is_tuned_and_then_chooses(tmp_path: Path) -> None:
    folder = tmp_path / "sort"
    shutil.copytree(EXAMPLE, folder)
    script = (folder / "tune.py").read_text(encoding="utf-8")
    assert "range(24)" in script
    (folder / "tune.py").write_text(script.replace("range(24)", "range(0, 24, 4)"))
    environment = {**os.environ, "FETTLE": str(ROOT / "include")}
    environment["CXX"] = environment.get("FETTLE_CXX", "c++")
    tuning = subprocess.run(
        [sys.executable, "tune.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert tuning.returncode == 0, tuning.stdout + tuning.stderr
    for size, kind in (("50000", "random"), ("50000", "ascending"), ("10", "random")):
        sorting = subprocess.run(
            ["./sort", size, kind],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
        assert sorting.stdout.endswith(", sorted\n")
        assert sorting.stderr == "", "a tuned program has nothing to warn of"
