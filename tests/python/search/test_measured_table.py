from __future__ import annotations

import lzma
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from fettle.core.errors import FettleError
from fettle.search.table import measured_table

KERNEL = (
    "block,tile,width,time_ms,min_ms,std_ms,n,valid,error\n"
    "32,1,15,2.5,2.4,0.1,32,1,\n"
    "64,1,15,2.0,1.9,0.1,32,1,\n"
    "128,1,15,,,,,0,RuntimeFailedConfig\n"
    "32,2,15,3.0,2.9,0.1,32,1,\n"
)


def written(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    data = text.encode()
    path.write_bytes(lzma.compress(data) if name.endswith(".xz") else data)
    return path


@pytest.mark.parametrize("name", ["t.csv", "t.csv.xz"])
def test_the_kernel_layout_needs_no_options(tmp_path: Path, name: str) -> None:
    table = measured_table(written(tmp_path, KERNEL, name))
    assert table.metric == "time_ms"
    assert [(p.name, p.values) for p in table.space.parameters] == [
        ("block", (32, 64, 128)),
        ("tile", (1, 2)),
    ]
    assert table.constant == ("width",)
    assert table.best == 2.0
    assert len(table.space) == 4
    assert table.measure({"block": 64, "tile": 1}) == 2.0
    assert table.measure({"tile": 1, "block": 128}) == math.inf


def test_the_laplacian_layout_needs_no_options(tmp_path: Path) -> None:
    text = "size,overlap,time_per_pixel\n2,true,1e-10\n10,true,2e-10\n2,false,3e-10\n"
    table = measured_table(written(tmp_path, text))
    assert table.metric == "time_per_pixel"
    values = [p.values for p in table.space.parameters]
    assert values == [(2, 10), ("false", "true")], "numbers by value, text sorted"


def test_other_layouts_are_described(tmp_path: Path) -> None:
    text = "id,a,ok,cost,note\n7,1,true,5,x\n8,2,false,,y\n9,3,True,4,z\n"
    path = written(tmp_path, text)
    with pytest.raises(FettleError, match=r"no known layout .*--metric, one of id, a, ok, cost"):
        measured_table(path)
    table = measured_table(path, "cost", "ok", ("id", "note"))
    assert [table.measure({"a": a}) for a in (1, 2, 3)] == [5, math.inf, 4]


def test_a_metric_that_is_given_goes_before_the_layout(tmp_path: Path) -> None:
    table = measured_table(
        written(tmp_path, KERNEL),
        "min_ms",
        "valid",
        ("time_ms", "std_ms", "n", "error"),
    )
    assert table.best == 1.9


def test_one_number_written_in_two_ways_is_one_level(tmp_path: Path) -> None:
    table = measured_table(written(tmp_path, "a,b,t\n1,1,3\n1.0,2,4\n2,1,5\n"), "t")
    assert table.space.parameters[0].values == (1, 2)
    assert table.measure({"a": 1, "b": 2}) == 4


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "a,t\n1,2\n1,3\n2,1\n",
            {},
            r"lines 2 and 3 measure the same point, a=1; remove one",
        ),
        (
            "a,t\n1,2\n",
            {},
            r"no column with two levels or more beside t.*other columns are a",
        ),
        ("a,t\n1,x\n2,1\n", {}, r"line 2: t is 'x', which is not a number"),
        ("a,t\n1,-1\n2,1\n", {}, r"line 2: t is -1; a metric is a positive number"),
        ("a,t\n1,\n2,nan\n", {}, r"no row worked: t is nowhere a finite number"),
        ("a,v,t\n1,0,3\n2,0,4\n", {"valid": "v"}, r"no row worked: .* where v says"),
        (
            "a,v,t\n1,maybe,3\n2,0,4\n",
            {"valid": "v"},
            r"line 2: v is 'maybe'; .* holds 1 or 0",
        ),
        (
            "a,t\n1,2\n2,3\n",
            {"valid": "w"},
            r"--valid names 'w', which is not a column .*its columns are a, t",
        ),
        (
            "a,t\n1,2\n2,3\n",
            {"ignore": ("b",)},
            r"--ignore names 'b', which is not a column",
        ),
        ("a,t\n1,2\n2,3\n", {"ignore": ("t",)}, r"name the same column twice"),
    ],
)
def test_refuses(tmp_path: Path, text: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(FettleError, match=message):
        measured_table(written(tmp_path, text), "t", **options)  # type: ignore[arg-type]


def test_a_metric_that_is_no_column(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match="--metric names 'time', which is not a column"):
        measured_table(written(tmp_path, KERNEL), "time")


def test_a_point_that_has_no_row(tmp_path: Path) -> None:
    table = measured_table(written(tmp_path, KERNEL))
    with pytest.raises(FettleError, match="no row for the point"):
        table.measure({"block": 64, "tile": 2})


def test_the_published_tables_read_whole(published: Callable[..., Path]) -> None:
    laplacian = measured_table(published("laplacian_k40c", "search_space.csv.xz"))
    assert len(laplacian.space) == 23120
    assert laplacian.constant == ("vector_recompute",)
    assert laplacian.best == 1.165013212480614e-10
    assert math.prod(len(p.values) for p in laplacian.space.parameters) == 118800
    kernel = measured_table(published("search_spaces", "convolution_b__TITAN_RTX.csv.xz"))
    assert len(kernel.space) == 6768
    assert sum(math.isfinite(value) for value in kernel.values.values()) == 5256
    assert kernel.best == 0.8782528
