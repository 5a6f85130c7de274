"""Figures in the running text of docs/ are those of benchmarks/results, as its tables are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(os.environ.get("FETTLE_SOURCE_DIR", Path(__file__).parents[3]))


def test_the_papers_page_is_what_the_records_say() -> None:
    script = ROOT / "benchmarks" / "papers.py"
    printed = subprocess.run(
        [sys.executable, str(script)], check=False, capture_output=True, text=True
    )
    page = ROOT / "benchmarks" / "results" / "papers.md"
    assert printed.stderr == ""
    assert printed.stdout == page.read_text(encoding="utf-8")
    assert printed.returncode == int("## Not run" in printed.stdout)


def rows_of(record: str) -> list[dict[str, Any]]:
    text = (ROOT / "benchmarks" / "results" / f"{record}.json").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = json.loads(text)["rows"]
    return rows


def text_of(page: str) -> str:
    return " ".join((ROOT / "docs" / page).read_text(encoding="utf-8").split())


def test_the_published_table_of_strategies() -> None:
    text = text_of("search.md")
    cases = {row["case"]: row for row in rows_of("search_laplacian")}

    def slowdown(case: str) -> str:
        return f"{cases[case]['mean_slowdown']:.2f}"

    for title, name, options in (
        ("Latin hypercube", "latin_hypercube", " with `samples=441`"),
        ("genetic", "genetic", ""),
    ):
        published, ours = slowdown(f"{title}, as published"), slowdown(title)
        paper = f"{cases[f'{title}, as published']['published_mean']:.2f}"
        assert f"| `{name}` | {paper} | {published}{options} | {ours} |" in text
    greedy = cases["greedy"]
    assert f"local optimum: {slowdown('greedy')} with {greedy['mean_budget']:.0f}." in text
    auto = cases["auto"]
    assert (
        f"come to {auto['mean_slowdown']:.3f} of the optimum with {auto['mean_budget']:.1f} "
        f"measurements on average, and the worst of them to {auto['max_slowdown']:.3f}." in text
    )


def test_more_inputs_improve_the_choice() -> None:
    [spmv] = [row for row in rows_of("ndp_spmv_cuda") if row.get("function") == "spmv.cuda"]
    assert (
        f"on {spmv['judged_inputs']} matrices that the model had not seen, reached "
        f"{spmv['share_of_best']:.2f} of the best candidates with {spmv['training_inputs']} "
        "training inputs" in text_of("ndp-tuning.md")
    )
