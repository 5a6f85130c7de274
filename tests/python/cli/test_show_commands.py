"""`fettle show`: what it says of models of each kind, and of directories that hold none."""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from fettle.cli import show_commands
from fettle.core.errors import FettleError
from fettle.model.model import Admission, ErrorModel, Model, ModelInput
from fettle.model.model_directory import write_model
from fettle.model.predictor import Predictor
from fettle.model.svm import SvmPredictor
from fettle.model.trees import Tree, TreePredictor

SVM = """svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 2
total_sv 3
rho 0.25
label 0 1
nr_sv 2 1
SV
1 1:-1 2:0.5
0.5 1:0.25 2:1
-1.5 1:1 2:-0.25
"""


def model(predictor: Predictor, function: str = "spmv") -> Model:
    return Model(
        function=function,
        variants=("csr serial", "dia"),
        features=("nnz", "rows", "skew"),
        inputs=(
            ModelInput("log", "nnz", None, math.log(10), math.log(1e6)),
            ModelInput("ratio", "nnz", "rows", 0.5, 64.0),
        ),
        predictor=predictor,
        default="csr serial",
        guard=0.25,
        provenance={"trained": "2026-11-21T10:00:00Z", "share_of_best": "0.973"},
    )


def forest(count: int) -> TreePredictor:
    tree = Tree(
        (0, -1, -1), (7.5, 0.0, 0.0), (1, -1, -1), (2, -1, -1), ((), (0.0, 1.0), (1.0, 0.0))
    )
    return TreePredictor((tree,) * count)


def show(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    show_commands.add_commands(parser.add_subparsers())
    options = parser.parse_args(["show", *arguments])
    status: int = options.run(options)
    return status


def test_a_model_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_model(tmp_path / "spmv", model(SvmPredictor(SVM)))
    assert show(str(tmp_path / "spmv")) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "spmv"
    assert lines[2].startswith("classifier svm: 3 support vectors, ")
    assert lines[2].endswith(" bytes, checksums ok")
    assert lines[3:] == [
        "variants csr serial, dia",
        "default csr serial",
        "features nnz, rows",
        "not used skew",
        "trained on nnz: 10 to 1e+06, by its logarithm",
        "trained on nnz / rows: 0.5 to 64",
        "chooses for inputs up to 25 % of a range beyond it",
        "trained 2026-11-21T10:00:00Z",
        "share_of_best 0.973",
    ]


@pytest.mark.parametrize("admits", [True, False])
def test_approximate_variants_and_where_they_are_chosen(
    admits: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skew = (ModelInput("linear", "skew", None, 0.0, 1.0),)
    where = {"dia": Admission(-1.0, (0.5,))} if admits else {}
    errors = ErrorModel(("dia",), 0.02, skew if admits else (), where)
    write_model(tmp_path / "spmv", replace(model(forest(1)), errors=errors))
    assert show(str(tmp_path)) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "approximate dia" in lines
    if admits:
        assert "admitted dia, where an error of at most 0.02 is predicted" in lines
        assert any(line.startswith("features") and "skew" in line for line in lines)
    else:
        assert "admitted none" in lines
        assert "not used skew" in lines


@pytest.mark.parametrize(("trees", "kind", "nodes"), [(1, "tree", 3), (4, "forest", 12)])
def test_trees_as_json(
    trees: int, kind: str, nodes: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_model(tmp_path / "spmv", model(forest(trees)))
    assert show("--json", str(tmp_path)) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert record["classifier"] == kind
    assert record["size"] == {"trees": trees, "nodes": nodes}
    assert record["inputs"][0]["greatest"] == pytest.approx(1e6)
    assert record["features"][2] == {"name": "skew", "used": False}
    files = [path for path in (tmp_path / "spmv").iterdir() if path.is_file()]
    assert record["bytes"] == sum(path.stat().st_size for path in files)


def test_a_directory_of_models_shows_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("sort", "spmv"):
        write_model(tmp_path / name, model(forest(1), name))
    assert show(str(tmp_path)) == 0
    out = capsys.readouterr().out
    assert out.startswith("sort\n")
    assert "\nspmv\n" in out


def test_a_damaged_model_is_named_and_does_not_hide_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("sort", "spmv"):
        write_model(tmp_path / name, model(forest(1), name))
    file = tmp_path / "sort" / "model.txt"
    file.write_text(file.read_text().replace("dia", "die"))
    assert show(str(tmp_path)) == 2
    captured = capsys.readouterr()
    assert str(file) in captured.err
    assert captured.out.startswith("spmv\n")


def test_no_model_there(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match=r"holds no model\.txt"):
        show(str(tmp_path))
    with pytest.raises(FettleError, match="is not a directory"):
        show(str(tmp_path / "absent"))
