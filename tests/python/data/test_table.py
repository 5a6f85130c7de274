"""Tables read from files: formats, training sets made of them, and what is said of bad ones."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.data.table import read_table
from fettle.data.table_training_set import failed_columns, training_set, unit_of
from fettle.data.training_set import TrainingWarning

PLAIN = "name,n,m,a_ms,b_ms\nx,1,2,0.5,0.25\ny,3,4,1,2\n"


def table(folder: Path, text: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "\ufeff" + PLAIN,
        PLAIN.replace("\n", "\r\n"),
        "\n\n" + PLAIN.replace("\n", "\n\n"),
        PLAIN.replace("x,1", '"x, the first",1').replace("n,m", '"n","m"'),
        PLAIN.replace(",", " , "),
        PLAIN.rstrip("\n"),
    ],
    ids=["plain", "byte order mark", "CRLF", "blank lines", "quoted", "spaces", "no last newline"],
)
def test_reads_what_spreadsheets_write(tmp_path: Path, text: str) -> None:
    data = training_set(read_table(table(tmp_path, text)), "f", ("n", "m"), ("a_ms", "b_ms"))
    assert data.values.tolist() == [[1, 2], [3, 4]]
    assert data.costs.tolist() == [[0.5, 0.25], [1, 2]]
    assert (data.features, data.variants) == (("n", "m"), ("a_ms", "b_ms"))
    assert data.cost_seconds == 1e-3


@pytest.mark.parametrize(
    ("end", "compress"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_reads_compressed_tables(
    tmp_path: Path, end: str, compress: Callable[[bytes], bytes]
) -> None:
    path = table(tmp_path, compress(PLAIN.encode()), f"t.csv.{end}")
    assert read_table(path).columns == ("name", "n", "m", "a_ms", "b_ms")
    damaged = table(tmp_path, b"no archive", f"u.csv.{end}")
    with pytest.raises(FettleError, match=rf"u.csv.{end} is not a .{end} file"):
        read_table(damaged)


def test_failed_is_no_empty_cell(tmp_path: Path) -> None:
    text = "n,a,b,c\n1,1,failed,\n2,3,1,inf\n3,4,2,5\n"
    given = read_table(table(tmp_path, text))
    [failed] = failed_columns(given, ("a", "b", "c"))
    assert (failed.variant, failed.inputs, failed.ran_on, failed.first) == ("b", 1, 3, "line 2")
    data = training_set(given, "f", ("n",), ("a", "b", "c"), [failed])
    assert np.isinf(data.costs[:, 1]).all()
    assert data.failed_on == (0, 1, 0)
    [allowed] = failed_columns(given, ("a", "b", "c"), ["b"])
    data = training_set(given, "f", ("n",), ("a", "b", "c"), [allowed])
    assert data.costs[:, 1].tolist() == [np.inf, 1.0, 2.0]
    with pytest.raises(FettleError, match="--allow-failures names 'd', which is none of the"):
        failed_columns(given, ("a", "b", "c"), ["d"])
    with pytest.raises(FettleError, match="every variant failed on some input"):
        failed_columns(given, ("b",))


def test_an_empty_metric_is_a_variant_that_does_not_run(tmp_path: Path) -> None:
    text = "n,a,b,c\n1,1,,2\n2,nan,1,inf\n3,Inf,NaN,1\n"
    data = training_set(read_table(table(tmp_path, text)), "f", ("n",), ("a", "b", "c"))
    inf = np.inf
    assert data.costs.tolist() == [[1, inf, 2], [inf, 1, inf], [inf, inf, 1]]


def test_rows_without_a_finite_metric_are_counted_and_left_out(tmp_path: Path) -> None:
    text = "n,a,b\n1,1,2\n2,,nan\n3,2,1\n4,inf,\n"
    with pytest.warns(
        TrainingWarning, match="2 of 4 rows are left out, with no finite number in a"
    ):
        data = training_set(read_table(table(tmp_path, text)), "f", ("n",), ("a", "b"))
    assert data.inputs == ("line 2", "line 4")


def test_rows_with_a_feature_that_is_not_finite_are_counted_and_left_out(tmp_path: Path) -> None:
    text = "n,a,b\n1,1,2\nnan,2,1\n"
    with pytest.warns(TrainingWarning, match="1 of 2 rows .* not finite in n; the first is line 3"):
        data = training_set(read_table(table(tmp_path, text)), "f", ("n",), ("a", "b"))
    assert data.values.tolist() == [[1]]
    text = "m,n,a,b\n1,1,1,2\n1,nan,2,1\n"
    with pytest.warns(TrainingWarning, match="not finite in n; the first"):
        training_set(read_table(table(tmp_path, text)), "f", ("m", "n"), ("a", "b"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv is empty; a header line and at least one line"),
        ("n,a,b\n", "t.csv is empty"),
        ("n,a,a\n1,2,3\n", "two columns named 'a'; rename one"),
        ("n,a,b\n1,2\n", "line 2: there are 2 cells, but 3 columns; correct or remove"),
        (
            'n,a,b\n1,2,3\n1,"2,3\n1,2,3\n',
            "line 3: a quotation mark is not closed until line 4, so",
        ),
        ("n;a;b\n1;2,5;3,5\n", "but 1 column; its cells are separated by semicolons: separate"),
        ("# today\nn,a,b\n1,2,3\n", "the first line has to name the columns, and is '# today'"),
        ('n,"a\nc",b\n1,2,3\n', r"the name of the column 'a\\nc' has a control character"),
        ("n,a,b\n1,2,3\n1,x1,3\n", "line 3: a is 'x1', which is not a number"),
        ("n,a,b\nbig,2,3\n", "line 2: n is 'big', which is not a number"),
        ("n,a,b\n,2,3\n", "line 2: n is '', which is not a number"),
        ("n,a,b\n1,-2,3\n", "line 2: a is -2; a metric is a positive number"),
        ("n,a,b\n1,2,0\n", "line 2: b is 0; a metric is a positive number"),
        ("n,a\n1,2\n", "has no column 'b'; its columns are n, a$"),
        ("n;b\n1;2\n", "no column 'n'; .* are n;b; its cells are separated by semicolons: separ"),
        ("n,a,b\n1,,\n", "no row has a finite number in a, b"),
        ("n,a,b\nnan,1,2\n", "every row has a value that is not finite in n"),
        (b"n,a,b\n\xff\xfe,1,2\n", r"is not UTF-8 text \(byte 6\)"),
    ],
)
def test_bad_tables_are_refused_by_place_and_remedy(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    with pytest.raises(FettleError, match=message):
        training_set(read_table(table(tmp_path, text)), "f", ("n",), ("a", "b"))


@pytest.mark.parametrize(
    ("features", "metrics", "message"),
    [
        (("n",), ("a_ms",), "--metrics names 1 column; choosing needs at least two"),
        (("n", "n"), ("a_ms", "b_ms"), "--features names 'n' twice"),
        (("n",), ("a_ms", "a_ms"), "--metrics names 'a_ms' twice"),
        (("n", "a_ms"), ("a_ms", "b_ms"), "'a_ms' is both a feature and a metric"),
    ],
)
def test_columns_serve_once(
    tmp_path: Path, features: tuple[str, ...], metrics: tuple[str, ...], message: str
) -> None:
    with pytest.raises(FettleError, match=message):
        training_set(read_table(table(tmp_path, PLAIN)), "f", features, metrics)


def test_a_missing_file_and_a_folder_are_no_tables(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match=r"cannot read the table .*none\.csv: No such file"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(FettleError, match=r"cannot read the table .*: Is a directory"):
        read_table(tmp_path)


def test_a_pipe_and_a_huge_file_are_no_tables(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(
        FettleError, match=r"cannot read the table .*: it is not a regular file but a"
    ):
        read_table(tmp_path / "pipe.csv")
    (tmp_path / "huge.csv").touch()
    os.truncate(tmp_path / "huge.csv", 1 << 41)  # takes no room
    with pytest.raises(FettleError, match=r"cannot read the table .*: it is larger than the"):
        read_table(tmp_path / "huge.csv")


@pytest.mark.parametrize(
    ("metrics", "seconds"),
    [
        (("a_ms", "b_ms"), 1e-3),
        (("a_us", "b_us"), 1e-6),
        (("a_ns",), 1e-9),
        (("a_s", "b_s"), 1.0),
        (("a", "b"), 1.0),
        (("a_ms", "b"), 1.0),
    ],
)
def test_the_unit_is_what_all_names_end_with(metrics: tuple[str, ...], seconds: float) -> None:
    assert unit_of(metrics) == seconds


def test_times_in_different_units_are_refused() -> None:
    with pytest.raises(FettleError, match="'b_ms' and 'c_us' are times in different units"):
        unit_of(("a", "b_ms", "c_us"))


def test_tables_of_many_rows_are_read_piece_by_piece(tmp_path: Path) -> None:
    """Plain pieces at once, others cell by cell; lines and numbers stay together."""
    rows = [f"m{i},{i}.5,{i + 1}e-3,{'' if i % 1000 == 7 else 2}" for i in range(20_000)]
    rows[12_345] = 'm12345," 12345.5 ",12.5,nan'
    rows[9000] += "\n"
    found = read_table(table(tmp_path, "name,n,a,b\n" + "\n".join(rows)))
    assert len(found) == 20_000
    assert found.numbers("n").tolist() == [i + 0.5 for i in range(20_000)]
    assert found.metric("a")[12_345] == 12.5
    b = found.metric("b")
    assert np.flatnonzero(np.isinf(b)).tolist() == sorted([*range(7, 20_000, 1000), 12_345])
    assert found.cells("name")[19_999] == "m19999"
    assert (found.lines[9000], found.lines[9001]) == (9002, 9004)


def test_a_number_is_not_two(tmp_path: Path) -> None:
    for cell in ("1 2", '"1,2"', "1;2", "0x10", "1\t2", "1_000", "\u0663"):
        with pytest.raises(FettleError, match=r"line 3: n is .*, which is not a number"):
            found = read_table(table(tmp_path, f"n,a\n1,2\n{cell},2\n,3\n"))
            found.numbers("n")


def test_a_cell_with_the_unit_separator_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match=r"a cell has the control character \\x1f"):
        read_table(table(tmp_path, "n,a\n1\x1f2,2\n"))


def test_copies_of_rows_and_columns_without_a_value_are_said(tmp_path: Path) -> None:
    text = "n,a,b\n1,1,2\n2,2,1\n1,1,2\n"
    with pytest.warns(TrainingWarning, match="1 of 3 rows are the same as others .* first line 4"):
        training_set(read_table(table(tmp_path, text)), "f", ("n",), ("a", "b"))
    text = "n,a,b,c\n1,1,2,\n2,2,1,\n"
    with pytest.warns(TrainingWarning, match="c has no value on any line and is never chosen"):
        training_set(read_table(table(tmp_path, text)), "f", ("n",), ("a", "b", "c"))
