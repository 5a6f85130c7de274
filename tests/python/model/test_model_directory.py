"""Model directories: what is written reads back, and everything else is refused with a reason."""

from __future__ import annotations

import math
import os
import pickle
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from model_samples import SVM

from fettle.core.errors import FettleError
from fettle.core.native import native
from fettle.model.model import Model, ModelInput
from fettle.model.model_directory import named_in, read_model, write_model
from fettle.model.model_text import ModelError
from fettle.model.svm import SvmPredictor
from fettle.model.trees import Tree, TreePredictor

GOLDEN = Path(__file__).parents[2] / "model" / "golden"  # in the form of earlier releases
STUMP = Tree(
    (0, -1, -1), (3.75, 0.0, 0.0), (1, -1, -1), (2, -1, -1), ((), (0.1, 0.5, 0), (2, 1, 3))
)
LEAF = Tree((-1,), (0.0,), (-1,), (-1,), ((0.0, 1.0, 2.0),))


@pytest.fixture
def svm() -> Model:
    return Model(
        function="spmv",
        variants=("csr", "dia", "ell, the padded one"),
        features=("nnz", "rows", "100% = all"),
        inputs=(
            ModelInput("log", "nnz", None, 4.6, 16.2),
            ModelInput("ratio", "100% = all", "rows", -2.0, 1e300),
        ),
        predictor=SVM,
        default="csr",
        guard=0.25,
        provenance={"share_of_best": "0.973", "machine": "größer, 2 cores", "empty": ""},
    )


@pytest.fixture
def tree(svm: Model) -> Model:
    return replace(svm, predictor=TreePredictor((STUMP,)))


@pytest.mark.parametrize("guard", [None, 0.0, 0.25])
def test_a_machine_reads_back(svm: Model, tmp_path: Path, guard: float | None) -> None:
    model = replace(svm, guard=guard)
    path = write_model(tmp_path / "new" / "spmv", model)
    assert path == tmp_path / "new" / "spmv" / "model.txt"
    assert read_model(path.parent) == model


@pytest.mark.parametrize("trees", [(STUMP,), (LEAF,), (STUMP, LEAF, STUMP)])
def test_trees_read_back(svm: Model, tmp_path: Path, trees: tuple[Tree, ...]) -> None:
    model = replace(svm, predictor=TreePredictor(trees))
    write_model(tmp_path, model)
    read = read_model(tmp_path)
    assert read == model
    assert read.classifier == ("tree" if len(trees) == 1 else "forest")


def test_one_variant_always_wins_without_any_input(svm: Model, tmp_path: Path) -> None:
    model = replace(svm, inputs=(), predictor=TreePredictor((LEAF,)), features=())
    write_model(tmp_path, model)
    assert read_model(tmp_path) == model


def test_the_text_is_the_documented_one(svm: Model, tmp_path: Path) -> None:
    lines = write_model(tmp_path, svm).read_text().splitlines()
    data = SVM.text.encode()
    assert lines[:-1] == [
        "fettle-model 1",
        "function spmv",
        "classifier svm",
        "variants csr dia ell%2C%20the%20padded%20one",
        "default csr",
        "features nnz rows 100%25%20%3D%20all",
        "input log nnz 4.6 16.2",
        "input ratio 100%25%20%3D%20all rows -2 1e+300",
        "guard 0.25",
        f"predictor model-{zlib.crc32(data):08x}.svm {zlib.crc32(data):08x} {len(data)}",
        "provenance share_of_best 0.973",
        "provenance machine größer%2C%202%20cores",
        "provenance empty ",
    ]
    assert lines[-1].startswith("end ")


def test_a_new_model_leaves_the_last_ones_predictor(
    svm: Model, tree: Model, tmp_path: Path
) -> None:
    """For a program that has read the last description and not yet the predictor."""
    forest = replace(tree, predictor=TreePredictor((STUMP, LEAF)))
    last: set[str] = set()
    for model in (svm, tree, forest, svm, svm):
        write_model(tmp_path, model)
        assert read_model(tmp_path) == model
        named = set(named_in(tmp_path, "predictor"))
        assert {path.name for path in tmp_path.iterdir()} == {"model.txt"} | named | last
        last = named


def test_a_directory_of_an_earlier_release_is_read_and_replaced(
    tree: Model, tmp_path: Path
) -> None:
    shutil.copytree(GOLDEN / "tree" / "spmv", tmp_path / "spmv")
    old = read_model(tmp_path / "spmv")
    assert named_in(tmp_path / "spmv", "predictor") == ["model.tree"]
    write_model(tmp_path / "spmv", tree)
    assert (tmp_path / "spmv" / "model.tree").exists()
    write_model(tmp_path / "spmv", old)
    assert read_model(tmp_path / "spmv") == old
    assert not (tmp_path / "spmv" / "model.tree").exists()


WRITING = """
import pickle, sys
from pathlib import Path
from fettle.model.model_directory import write_model
models = pickle.loads(sys.stdin.buffer.read())
print("ready", flush=True)
while True:
    for model in models:
        write_model(Path(sys.argv[1]), model)
"""


def test_loading_never_fails_while_the_model_is_replaced(svm: Model, tmp_path: Path) -> None:
    """Two models that replace each other in a tight loop, and the reader of deployed programs."""
    other = replace(svm, predictor=SvmPredictor(SVM.text.replace("gamma 0.5", "gamma 0.25")))
    described = replace(other, provenance={"name": "other"})
    write_model(tmp_path, svm)
    with subprocess.Popen(
        [sys.executable, "-c", WRITING, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as writer:
        assert writer.stdin is not None and writer.stdout is not None
        try:
            writer.stdin.write(pickle.dumps([described, svm]))
            writer.stdin.close()
            assert writer.stdout.readline() == b"ready\n"
            loaded = [len(native().Model(tmp_path).provenance) for _ in range(4000)]
            assert writer.poll() is None
        finally:
            writer.kill()
    assert set(loaded) == {1, 3}, "it was replaced meanwhile"


def test_a_full_disk_leaves_the_old_model(
    svm: Model, tmp_path: Path, fill_disk: Callable[[str], None]
) -> None:
    """The predictor's file fits, the description does not any more."""
    write_model(tmp_path, svm)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    fill_disk("model.txt")
    changed = SvmPredictor(SVM.text.replace("gamma 0.5", "gamma 0.25"))
    with pytest.raises(ModelError, match=r"cannot write the model '.*model\.txt': No space left"):
        write_model(tmp_path, replace(svm, predictor=changed))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert read_model(tmp_path) == svm


def with_checksum(text: str) -> str:
    """model.txt with a new end line."""
    head = text[: text.rindex("end ")]
    return f"{head}end {zlib.crc32(head.encode()):08x}\n"


def changed(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return with_checksum(text.replace(old, new, 1))

    return change


# The C++ reader refuses all of these, and more in tests/model: Python passes on what it says.
BROKEN_DESCRIPTIONS: dict[str, tuple[Callable[[str], str], str]] = {
    "empty": (lambda text: "", "line 1: the file ends"),
    "garbage": (lambda text: "\x00\x01\x02", "truncated"),
    "other file": (lambda text: "hello world\n", "line 1: this is not a model description"),
    "version": (changed("fettle-model 1", "fettle-model 5"), "line 1: the model is of version 5"),
    "cut in a line": (lambda text: text[:40], "line 3: the file ends in the middle of a line"),
    "edited": (lambda text: text.replace("csr", "coo"), "the checksum does not match"),
    "more": (lambda text: text + "x\n", "there is more after the end"),
    "unknown key": (changed("guard 0.25", "guards 0.25"), "line 9: 'guards' is not a key"),
    "twice": (changed("default csr", "default csr\ndefault csr"), "line 6: there are two lines"),
    "missing": (changed("function spmv\n", ""), "there is no line 'function'"),
    "classifier": (changed("classifier svm", "classifier knn"), "'knn' is none of tree"),
    "transform": (
        changed("input log nnz", "input exp nnz"),
        "line 7: 'exp' is none of linear, log",
    ),
    "no transform": (changed("input log nnz 4.6 16.2", "input"), "line 7: a transform is missing"),
    "feature": (changed("input log nnz", "input log nz"), "'nz' is none of the features"),
    "words": (changed("input log nnz", "input log nnz rows"), "line 7"),
    "number": (changed("4.6", "4,6"), "'4,6' is not a finite number"),
    "nan": (changed("4.6", "nan"), "'nan' is not a finite number"),
    "infinity": (changed("16.2", "1e999"), "'1e999' is not a finite number"),
    "arabic digits": (changed("4.6", "٤.٦"), "is not a finite number"),
    "range": (changed("4.6 16.2", "16.2 4.6"), "is not from low to high"),
    "guard": (changed("guard 0.25", "guard -1"), "the guard is -1"),
    "default": (changed("default csr", "default coo"), "the default 'coo'"),
    "names": (changed("csr dia", "csr csr"), "'csr' is twice among the variants"),
    "escape": (changed("%2C", "%2"), "is a broken escape in variants"),
    "elsewhere": (changed("predictor model-", "predictor ../model-"), "not a name of a file"),
    "other kind": (changed(".svm", ".tree"), "that ends in .svm"),
    "size": (changed(f" {len(SVM.text)}\n", f" {len(SVM.text) - 1}\n"), "bytes, but"),
}


@pytest.mark.parametrize("case", BROKEN_DESCRIPTIONS)
def test_a_broken_description_is_refused(svm: Model, tmp_path: Path, case: str) -> None:
    path = write_model(tmp_path, svm)
    breaks, message = BROKEN_DESCRIPTIONS[case]
    path.write_text(breaks(path.read_text()))
    with pytest.raises(ModelError) as caught:
        read_model(tmp_path)
    assert message in str(caught.value)
    assert str(tmp_path) in str(caught.value)
    assert str(caught.value).endswith("run the tuning script again")


BROKEN_MACHINES = {
    "empty": ("", "ends where 'SV'"),
    "nu_svc": (SVM.text.replace("c_svc", "nu_svc"), "svm_type is 'nu_svc'"),
    "linear": (SVM.text.replace("rbf", "linear"), "kernel_type is 'linear'"),
    "unknown key": (SVM.text.replace("gamma 0.5", "gamma 0.5\ndegree 3"), "'degree' is not a key"),
    "twice": (SVM.text.replace("gamma 0.5", "gamma 0.5\ngamma 0.5"), "gamma is there twice"),
    "negative gamma": (SVM.text.replace("gamma 0.5", "gamma -0.5"), "gamma is -0.5"),
    "classes lie": (SVM.text.replace("nr_class 3", "nr_class 4"), "nr_class 4 wants 6"),
    "total lies": (SVM.text.replace("total_sv 4", "total_sv 5"), "total_sv is 5"),
    "absurd total": (SVM.text.replace("total_sv 4", "total_sv 4000000000"), "total_sv is 4"),
    "label": (SVM.text.replace("label 2 0 1", "label 2 0 3"), "label is 3"),
    "index": (SVM.text.replace("2:0.25", "3:0.25"), "line 10: an index is 3"),
    "order": (SVM.text.replace("1:-1 2:0.25", "2:0.25 1:-1"), "line 10: the indices"),
    "no index": (SVM.text.replace("2:0.25", "0.25"), "line 10: '0.25' is not an index:value"),
    "nan": (SVM.text.replace("2:0.25", "2:nan"), "line 10: 'nan' is not a finite number"),
    "truncated": (SVM.text[:-6], "truncated"),
    "missing vector": (SVM.text.rsplit("\n", 2)[0] + "\n", "line 13: the file ends"),
    "more": (SVM.text + "1 2\n", "there is more after the end"),
}


@pytest.mark.parametrize("case", BROKEN_MACHINES)
def test_a_broken_machine_is_refused_on_both_ways(svm: Model, tmp_path: Path, case: str) -> None:
    text, message = BROKEN_MACHINES[case]
    with pytest.raises(ModelError, match=r"model\.svm"):
        write_model(tmp_path, replace(svm, predictor=SvmPredictor(text)))
    assert not any(tmp_path.iterdir())
    path = write_model(tmp_path, svm)
    data = SVM.text.encode()
    [name] = named_in(tmp_path, "predictor")
    good = f"predictor {name} {zlib.crc32(data):08x} {len(data)}"
    broken = text.encode(errors="surrogateescape")
    bad = f"predictor {name} {zlib.crc32(broken):08x} {len(broken)}"
    path.write_text(changed(good, bad)(path.read_text()))
    (tmp_path / name).write_bytes(broken)
    with pytest.raises(ModelError) as caught:
        read_model(tmp_path)
    assert message in str(caught.value)


BROKEN_TREES = {
    "cycle": (replace(STUMP, left=(0, -1, -1)), "the left child is 0"),
    "out of range": (replace(STUMP, right=(3, -1, -1)), "the right child is 3"),
    "same child twice": (replace(STUMP, right=(1, -1, -1)), "two parents"),
    "input": (replace(STUMP, feature=(2, -1, -1)), "an input is 2"),
    "nan": (replace(STUMP, threshold=(math.nan, 0.0, 0.0)), "'nan' is not a finite number"),
    "costs": (replace(STUMP, cost=((), (1.0, 2.0), (1.0, 2.0, 3.0))), "a cost is missing"),
    "infinite cost": (
        replace(STUMP, cost=((), (1.0, 2.0, math.inf), (1.0, 2.0, 3.0))),
        "'inf' is not a finite number",
    ),
    "empty": (Tree((), (), (), (), ()), "the number of nodes is 0"),
    "uneven": (replace(STUMP, threshold=(1.0,)), "differ in number"),
}


@pytest.mark.parametrize("case", BROKEN_TREES)
def test_a_broken_tree_is_not_written(tree: Model, tmp_path: Path, case: str) -> None:
    broken, message = BROKEN_TREES[case]
    with pytest.raises(ModelError) as caught:
        write_model(tmp_path, replace(tree, predictor=TreePredictor((broken,))))
    assert message in str(caught.value)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"function": ""}, "the function's name is missing"),
        ({"variants": ("a", "a")}, "'a' is twice among the variants"),
        ({"variants": ()}, "there is no line 'variants'"),
        ({"variants": ("a", "b", "")}, "not all named"),
        ({"default": "none"}, "the default 'none'"),
        ({"features": ("nnz",)}, "none of the features"),
        ({"guard": math.nan}, "the guard is nan"),
        ({"guard": -0.1}, "the guard is -0.1"),
        ({"inputs": ()}, "a support vector machine needs an input"),
        ({"inputs": (ModelInput("log", "nnz", "rows", 0, 1),)}, "'rows' is no"),
        ({"inputs": (ModelInput("ratio", "nnz", None, 0, 1),)}, "'0' is none"),
        ({"inputs": (ModelInput("log", "nnz", None, 0, math.inf),)}, "'inf' is no"),
    ],
)
def test_a_model_that_contradicts_itself_is_not_written(
    svm: Model, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    with pytest.raises(ModelError) as caught:
        write_model(tmp_path, replace(svm, **change))  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert not any(tmp_path.iterdir())


def test_missing_and_unreadable_files_are_named(svm: Model, tmp_path: Path) -> None:
    with pytest.raises(FettleError, match=r"cannot open '.*nowhere/model\.txt': No such file"):
        read_model(tmp_path / "nowhere")
    (tmp_path / "folder" / "model.txt").mkdir(parents=True)
    with pytest.raises(FettleError, match="Is a directory"):
        read_model(tmp_path / "folder")
    write_model(tmp_path, svm)
    (tmp_path / named_in(tmp_path, "predictor")[0]).unlink()
    with pytest.raises(FettleError, match=r"cannot open '.*model-.*\.svm'"):
        read_model(tmp_path)


def written_file(model: Model, folder: Path, name: str) -> Path:
    """Writes the model; its "model.txt", or the file of its "predictor"."""
    write_model(folder, model)
    return folder / (name if name == "model.txt" else named_in(folder, name)[0])


@pytest.mark.parametrize("name", ["model.txt", "predictor"])
def test_what_is_no_regular_file_is_refused_at_once(svm: Model, tmp_path: Path, name: str) -> None:
    path = written_file(svm, tmp_path, name)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(
        ModelError, match=rf"{path.name}': it is not a regular file but a pipe; run"
    ):
        read_model(tmp_path)
    path.unlink()
    path.symlink_to(path.name)
    with pytest.raises(ModelError, match=rf"{path.name}': Too many levels of symbolic links; run"):
        read_model(tmp_path)


@pytest.mark.parametrize("name", ["model.txt", "predictor"])
def test_a_huge_file_is_not_read(svm: Model, tmp_path: Path, name: str) -> None:
    path = written_file(svm, tmp_path, name)
    os.truncate(path, 1 << 41)  # takes no room
    with pytest.raises(ModelError, match=rf"{path.name}' is larger than the \d+ bytes"):
        read_model(tmp_path)
