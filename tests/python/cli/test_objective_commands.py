"""fettle train, evaluate and show --pareto on tables with a row a run, as a user types them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from fettle.cli import main
from fettle.model.deployed import load

LINE = r"share of best: mean [01]\.\d{4} p5 [01]\.\d{4} worst [01]\.\d{4} accuracy [01]\.\d{4} n 20"
COLUMNS = ["--input-column", "device,matrix", "--variant-column", "variant"]
METRICS = ["--metrics", "seconds,watts,joules", "--define", "throughput=1/seconds"]


def runs(path: Path, seed: int, count: int = 20) -> Path:
    """big is fastest for large inputs and draws twice the power; waste is dominated."""
    rows = ["device,matrix,size,variant,seconds,watts,joules"]
    for i, size in enumerate(10 ** np.random.default_rng(seed).uniform(1, 5, count)):
        for name, seconds, watts in (
            ("small", 1 + size / 1e3, 100.0),
            ("big", 2 + size / 4e3, 200.0),
            ("waste", 3 + size / 1e3, 250.0),
        ):
            rows.append(f"V,m{i},{size:.3f},{name},{seconds},{watts},{seconds * watts}")
            rows.append(f"W,m{i},{size:.3f},{name},1,1,1")
    path.write_text("\n".join(rows) + "\n")
    return path


def train(table: Path, model: Path, *more: str) -> int:
    head = ["train", "--table", str(table), *COLUMNS, *METRICS, "--features", "size"]
    return main(
        [*head, "--where", "device=V", "--classifier", "tree", "--model", str(model), *more]
    )


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("objectives")
    named = ["fast=seconds", "eco=throughput / watts**2", "capped=watts subject to seconds <= 10"]
    words = [word for one in named for word in ("--objective", one)]
    assert train(runs(folder / "t.csv", 0), folder / "m", *words) == 0
    return folder / "m"


def error_of(capsys: pytest.CaptureFixture[str]) -> str:
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


def test_each_objective_has_a_model_of_its_own(model: Path) -> None:
    fast, eco = load(model / "objective-fast"), load(model / "objective-eco")
    assert fast.choose(size=5e4).variant == "big"
    assert eco.choose(size=5e4).variant == "small"
    assert fast.choose(size=30.0).variant == "small"
    assert load(model).choose(size=5e4).variant == "big"  # the first objective's
    assert fast.provenance["objective"] == "minimize seconds"
    assert eco.provenance["objective"] == "maximize throughput / watts**2"


def test_predict_asks_the_model_of_an_objective(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["predict", "--model", str(model), "--values", "size=50000"]
    for more, variant in ((), "big"), (("--objective", "eco"), "small"):
        assert main([*words, *more]) == 0
        assert capsys.readouterr().out == f"{variant}\n"
    assert main([*words, "--objective", "ecco"]) == 2
    assert "has no objective 'ecco'" in error_of(capsys)
    assert main(
        ["predict", "--model", str(model / "objective-eco"), *words[3:], "--objective", "x"]
    )
    assert "has no objectives; it was not trained with" in error_of(capsys)


@pytest.mark.parametrize("name", ["fast", "eco", "capped"])
def test_evaluate_judges_by_the_objective(
    model: Path, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = runs(tmp_path / "u.csv", 1)
    words = ["evaluate", "--table", str(table), *COLUMNS, "--where", "device=V"]
    assert main([*words, "--model", str(model), "--objective", name]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"objective {name}: ")
    assert re.fullmatch(LINE, lines[-1])
    assert float(lines[-1].split()[4]) > (0.95 if name != "capped" else 0.85)


def test_inputs_without_the_models_variants_are_said(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = runs(tmp_path / "u.csv", 1)
    lines = (re.sub("(small|big|waste)", r"\1_w", x) if x[0] == "W" else x for x in table.open())
    table.write_text("".join(lines))
    words = ["evaluate", "--table", str(table), *COLUMNS, "--model", str(model)]
    assert main([*words, "--where", "device=V"]) == 0
    assert capsys.readouterr().err == ""
    assert main(words) == 0
    told = capsys.readouterr()
    assert "20 of 40 inputs are left out, with no variant of the model" in told.err
    assert "the first is W m0" in told.err
    assert told.out.splitlines()[-1].endswith(" n 20")


def test_one_variant_always_is_marked_where_it_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "t.csv"
    rows = ["device,matrix,size,variant,seconds,watts,joules"]
    for i in range(40):  # which of the two is best is chance
        for name, seconds in (("small", 1.0), ("big", 0.99 if i * 7919 % 13 == 0 else 1.01)):
            rows.append(f"V,m{i},{i * 17 % 40},{name},{seconds},1,1")
    table.write_text("\n".join(rows) + "\n")
    assert train(table, tmp_path / "m", "--minimize", "seconds") == 0
    told = capsys.readouterr().out
    assert re.search(r"one variant always +mean 0\.99.* <- chosen", told)
    assert "one variant always: taken: " in told


def test_an_objective_that_does_not_exist_is_named(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evaluate", "--table", str(runs(tmp_path / "u.csv", 1)), *COLUMNS]
    assert main([*words, "--model", str(model), "--objective", "ecco"]) == 2
    assert "did you mean 'eco'? its objectives are fast, eco, capped" in error_of(capsys)


def test_a_bound_that_no_variant_satisfies_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--minimize", "seconds", "--subject-to", "watts <= 50", "--default", "waste"]
    assert train(runs(tmp_path / "t.csv", 0), tmp_path / "m", *words) == 0
    told = capsys.readouterr().out
    assert "no variant satisfies watts <= 50 on 20 of 20 inputs, where the default, waste" in told
    assert "most nearly feasible is small on V m0, 100 % beyond" in told
    assert load(tmp_path / "m").choose(size=5e4).variant == "waste"


def test_pareto_names_dominated_variants_and_where_the_models_are(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = runs(tmp_path / "u.csv", 1)
    words = ["show", "--pareto", str(model), "--table", str(table), *COLUMNS]
    assert main([*words, "--where", "device=V"]) == 0
    told = capsys.readouterr().out
    assert "dominated on every input: waste" in told
    assert re.search(r"model fast +1\.0\d+ .* front", told)
    assert main([*words, "--where", "device=V", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["dominated"] == ["waste"]
    assert len(record["fronts"]) == 20


def test_pareto_needs_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = runs(tmp_path / "u.csv", 1)
    words = ["show", "--pareto", "--table", str(table), *COLUMNS, *METRICS]
    assert main([*words, "--where", "device=V", "--maximize", "throughput / joules"]) == 0
    told = capsys.readouterr().out
    assert "objective default: maximize throughput / joules" in told
    assert "best by default, each metric over that of a fixed variant" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--minimize", "wats"], "did you mean 'watts'"),
        (["--minimize", "watts", "--objective", "a=seconds"], "give several ones names"),
        (["--objective", "a=seconds", "--objective", "a=watts"], "given twice"),
        (["--objective", "a/b=seconds"], "cannot be the name of an objective"),
        (["--minimize", "seconds - watts"], "it has to be positive"),
        (["--objective", "a=seconds / watts"], "write 'minimize seconds / watts'"),
        ([], "no objective is given"),
        (["--minimize", "watts", "--define", "throughput=1"], "is given twice"),
        (["--minimize", "watts", "--machine-column", "device"], "cannot be used together"),
    ],
)
def test_what_is_refused(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(runs(tmp_path / "t.csv", 0), tmp_path / "m", *words) == 2
    assert said in error_of(capsys)
    assert not (tmp_path / "m").exists()


def test_options_of_objectives_need_a_variant_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = str(runs(tmp_path / "t.csv", 0))
    words = ["train", "--table", table, "--features", "size", "--metrics", "seconds,watts"]
    assert main([*words, "--minimize", "watts", "--model", str(tmp_path / "m")]) == 2
    assert "name the column of the variant, too: --variant-column" in error_of(capsys)
