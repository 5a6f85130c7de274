"""The reader of training logs: growing, cut, garbage and foreign files."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

from fettle.training.log import LogError, LogReader, read_log
from fettle.training.record import (
    Call,
    End,
    Excluded,
    Failed,
    Header,
    Metered,
    Misuse,
    Sample,
    Start,
)

HEADER = (
    '{"fettle_log":1,"function":"f","variants":["a","b"],"features":["n"],"default":"a",'
    '"unit":"s","larger_is_better":false,"machine":{"cores":2},"program":"/p"}\n'
)


def write(path: Path, *lines: str) -> Path:
    log = path / "log"
    log.write_text("".join(lines))
    return log


def test_every_kind_of_record(tmp_path: Path) -> None:
    log = write(
        tmp_path,
        HEADER,
        '{"call":0,"input":"x","features":{"n":"inf"},"feature_ns":{"n":35}}\n',
        '{"call":0,"variant":"a","event":"start","limit_s":12.5}\n',
        '{"call":0,"variant":"a","event":"sample","metric":[1,"nan"]}\n',
        '{"call":0,"variant":"a","event":"sample","metric":["inf"],"lost_s":0.5}\n',
        '{"call":0,"variant":"b","event":"excluded","reason":"constraint failed"}\n',
        '{"call":0,"variant":"b","event":"failed","reason":"exception: e"}\n',
        '{"call":0,"event":"end","outcome":"settled","best":"a"}\n',
        '{"event":"error","reason":"move-only"}\n',
    )
    header, call, start, sample, lost, excluded, failed, end, misuse = read_log(log)
    assert isinstance(header, Header)
    assert header.variants == ("a", "b")
    assert header.machine == {"cores": "2"}
    assert call == Call(0, "x", {"n": math.inf}, {"n": 35e-9})
    assert start == Start(0, "a", 12.5)
    assert isinstance(sample, Sample)
    assert sample.metric[0] == 1.0
    assert math.isnan(sample.metric[1])
    assert sample.lost_seconds is None
    assert lost == Sample(0, "a", (math.inf,), 0.5)
    assert excluded == Excluded(0, "b", "constraint failed")
    assert failed == Failed(0, "b", "exception: e")
    assert end == End(0, "settled", "a")
    assert misuse == Misuse("move-only")


def test_a_line_that_grows_is_read_once_it_is_whole(tmp_path: Path) -> None:
    log = write(tmp_path, HEADER, '{"call":0,"variant":"a","ev')
    reader = LogReader(log)
    assert len(list(reader.read())) == 1
    assert reader.truncated
    with log.open("a") as file:
        file.write('ent":"start","limit_s":1}\n')
    assert list(reader.read()) == [Start(0, "a", 1.0)]
    assert not reader.truncated
    assert list(reader.read()) == []


def test_a_cut_last_line_is_left_out(tmp_path: Path) -> None:
    log = write(tmp_path, HEADER, '{"call":0,"variant":"a","event":"start","lim')
    assert len(read_log(log)) == 1


def test_a_file_that_does_not_exist_yet_has_no_records(tmp_path: Path) -> None:
    assert read_log(tmp_path / "none") == []


def test_a_pipe_is_no_log(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log")
    with pytest.raises(LogError, match="it is not a regular file but a pipe; name the file that"):
        read_log(tmp_path / "log")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Iteration 1 of 100", "no JSON"),
        ("[1, 2]", "no JSON object"),
        ('{"call":0,"event":"sample","metric":[1]}', "without 'variant'"),
        ('{"call":-1,"variant":"a","event":"start"}', "call number"),
        ('{"call":0,"variant":"a","event":"sample","metric":["fast"]}', "expected a number"),
        ('{"call":0,"variant":3,"event":"start"}', "expected a text"),
        ('{"call":0,"variant":"a","event":"danced"}', "unknown kind 'danced'"),
        ("[" * 100_000, "no JSON"),
        ('{"call":1e23,"variant":"a","event":"start"}', "expected a call number, found 1e.23"),
        ('{"call":9223372036854775808,"variant":"a","event":"start"}', "call number"),
        ('{"call":0,"variant":"a","event":"sample","metric":[' + "9" * 400 + "]}", "too large"),
        ('{"call":0,"variant":"a","event":"sample","metric":[' + "9" * 5000 + "]}", "digits"),
        ('{"call":0,"variant":"b\\udcff","event":"start"}', "no name has"),
        (HEADER.replace('["n"]', '["m"]').strip(), "second header"),
    ],
)
def test_garbage_is_refused_with_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    log = write(tmp_path, HEADER, line + "\n")
    with pytest.raises(LogError, match=message) as error:
        read_log(log)
    assert f"{log}:2:" in str(error.value)


def test_reasons_are_shown_whatever_their_bytes(tmp_path: Path) -> None:
    texts = [r"caf\udce9 \ud800", r"two\nlines", r"\u001b[2J\u0000", "x" * 5000]
    lines = [f'{{"call":0,"variant":"b","event":"failed","reason":"{text}"}}\n' for text in texts]
    _, *failed = read_log(write(tmp_path, HEADER, *lines))
    assert [record.reason for record in failed if isinstance(record, Failed)] == [
        r"caf\xe9 \ud800",
        "two\nlines",
        r"\x1b[2J\x00",
        "x" * 1000 + "...",
    ]


def test_bytes_that_are_not_utf_8_are_no_end(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(
        HEADER.encode() + b'{"call":0,"variant":"b","event":"failed","reason":"caf\xe9"}\n'
    )
    assert read_log(log)[1] == Failed(0, "b", r"caf\xe9")


def test_a_header_again_is_fine(tmp_path: Path) -> None:
    assert len(read_log(write(tmp_path, HEADER, HEADER))) == 2


def test_another_version_is_refused(tmp_path: Path) -> None:
    log = write(tmp_path, HEADER.replace('"fettle_log":1', '"fettle_log":4'))
    with pytest.raises(LogError, match="version 4, this tuner reads versions 1 to 3"):
        read_log(log)


def test_a_log_without_header_is_refused(tmp_path: Path) -> None:
    log = write(tmp_path, '{"call":0,"variant":"a","event":"start","limit_s":1}\n')
    with pytest.raises(LogError, match="does not begin with a header"):
        read_log(log)


def test_two_variants_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="two variants have the same name"):
        read_log(write(tmp_path, HEADER.replace('["a","b"]', '["a","a"]')))


def test_a_function_with_several_metrics_has_a_log_of_version_2(tmp_path: Path) -> None:
    header = HEADER.replace('"fettle_log":1', '"fettle_log":2')
    header = header.replace(
        '"program":"/p"', '"program":"/p","metrics":{"seconds":"s","joules":"J"}'
    )
    sample = (
        '{"call":0,"variant":"a","event":"sample","metric":[1,2],"others":{"joules":[3,"nan"]}}\n'
    )
    first, found = read_log(write(tmp_path, header, sample))
    assert isinstance(first, Header)
    assert first.metrics == {"seconds": "s", "joules": "J"}
    assert isinstance(found, Sample)
    assert found.metric == (1.0, 2.0)
    assert found.others["joules"][0] == 3.0
    assert math.isnan(found.others["joules"][1])
    short = sample.replace('[3,"nan"]', "[3]")
    with pytest.raises(LogError, match="not as many values of each metric"):
        read_log(write(tmp_path, header, short))


def test_meters_say_how_they_know(tmp_path: Path) -> None:
    log = write(
        tmp_path,
        HEADER,
        '{"call":0,"variant":"a","event":"metered","readings":{"joules":{"value":0.5,'
        '"sensor":"NVML 0 V100","method":"energy counter","window_s":1.5,"resolution":0.02},'
        '"bytes":{"value":"nan","sensor":"","method":"","window_s":0,"resolution":0,'
        '"refused":"no /proc"}}}\n',
    )
    _, found = read_log(log)
    assert isinstance(found, Metered)
    joules, unknown = found.readings["joules"], found.readings["bytes"]
    assert (joules.value, joules.window_seconds, joules.resolution) == (0.5, 1.5, 0.02)
    assert joules.how("joules") == "joules by NVML 0 V100: energy counter"
    assert math.isnan(unknown.value)
    assert unknown.how("bytes") == "bytes by no sensor: refused: no /proc"
    bad = write(tmp_path, HEADER, '{"call":0,"variant":"a","event":"metered","readings":{"j":1}}\n')
    with pytest.raises(LogError):
        read_log(bad)
