"""One start of a program with its log followed live: how it ends, and that it is dead then."""

from __future__ import annotations

import math
import signal
import sys
from pathlib import Path

import pytest
from waiting import wait_for

from fettle.training.log import LogError
from fettle.training.patience import Patience
from fettle.training.program import ProgramError
from fettle.training.record import Header, Record, Start
from fettle.training.run import Ending, ProgramRun, run_program, signal_name

HEADER = '{"fettle_log": 1, "function": "f", "variants": ["a"], "features": [], "default": "a"}'
START = '{"call": 0, "variant": "a", "event": "start", "limit_s": 0.2}'
SAMPLE = '{"call": 0, "variant": "a", "event": "sample", "metric": [1.0]}'


def ended(
    folder: Path, script: str, *, silence: float = 60.0, patience: Patience | None = None
) -> tuple[Ending, list[Record]]:
    """How a shell script ends that writes to $LOG, and the records that it wrote."""
    records: list[Record] = []
    ending = run_program(
        ["/bin/sh", "-c", script],
        directory=folder,
        environment={"LOG": str(folder / "log"), "PATH": "/usr/bin:/bin"},
        log=folder / "log",
        handle=records.append,
        silence_seconds=silence,
        patience=patience,
    )
    return ending, records


def is_alive(process: int) -> bool:
    """Whether a process runs; one that is dead and was not waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def wrote(*lines: str) -> str:
    return "".join(f"echo '{line}' >> $LOG\n" for line in lines)


def test_an_exit_has_its_code_and_the_last_lines_printed(tmp_path: Path) -> None:
    ending, records = ended(tmp_path, wrote(HEADER) + "seq 1 20; exit 3")
    assert (ending.kind, ending.code, ending.running) == ("exit", 3, None)
    assert ending.output.splitlines() == [str(k) for k in range(9, 21)]
    assert ending.header is records[0]
    assert isinstance(records[0], Header)
    assert ending.describe() == "exited with code 3"


def test_a_signal_names_the_run_that_was_under_way(tmp_path: Path) -> None:
    ending, _ = ended(tmp_path, wrote(HEADER, START) + "kill -SEGV $$")
    assert (ending.kind, ending.code) == ("signal", signal.SIGSEGV)
    assert ending.running == Start(0, "a", 0.2)
    assert ending.describe() == "crashed with SIGSEGV"
    ending, _ = ended(tmp_path, wrote(HEADER, START, SAMPLE) + "kill -SEGV $$")
    assert ending.running is None, "its runs had ended"


def test_a_run_past_its_limit_is_killed_with_what_it_started(tmp_path: Path) -> None:
    ending, _ = ended(tmp_path, wrote(HEADER, START) + f"sleep 60 & echo $! > {tmp_path}/its; wait")
    assert (ending.kind, ending.limit_seconds, ending.is_slow) == ("hang", 0.2, False)
    assert ending.describe() == "ran longer than its limit of 0.2 s and was killed"
    wait_for(lambda: not is_alive(int((tmp_path / "its").read_text())))
    ending, _ = ended(tmp_path, wrote(HEADER, START) + "sleep 60", patience=Patience(0))
    assert ending.describe() == "slow: killed at its limit of 0.2 s"


def test_silence_is_ended_outside_of_runs(tmp_path: Path) -> None:
    ending, _ = ended(tmp_path, wrote(HEADER) + "sleep 60", silence=0.2)
    assert (ending.kind, ending.running) == ("silence", None)
    assert math.isnan(ending.limit_seconds)


def test_a_handler_s_error_ends_the_program(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"log:1: .*no JSON"):
        ended(tmp_path, wrote("not a record") + "sleep 60")


def test_a_program_that_cannot_be_started_says_what_it_has_to_be(tmp_path: Path) -> None:
    (tmp_path / "app").write_text("no program")
    (tmp_path / "app").chmod(0o755)
    with pytest.raises(ProgramError, match=r"app cannot be started: .*begins with #!"):
        run_program(
            [str(tmp_path / "app")],
            directory=tmp_path,
            environment={},
            log=tmp_path / "log",
            handle=lambda _: None,
            silence_seconds=1.0,
        )


def test_a_run_is_followed_piece_by_piece(tmp_path: Path) -> None:
    records: list[Record] = []
    with ProgramRun(
        [sys.executable, "-c", "import time; time.sleep(60)"],
        directory=tmp_path,
        environment={},
        log=tmp_path / "log",
        handle=records.append,
        silence_seconds=60.0,
        poll_seconds=0.001,
    ) as run:
        (tmp_path / "log").write_text(f"{HEADER}\n")
        assert run.follow(until=lambda: len(records) == 1) is None
        with (tmp_path / "log").open("a") as file:
            file.write(f"{START}\n")
        assert run.follow(until=lambda: len(records) == 2) is None
        assert run.seconds < 60


@pytest.mark.parametrize(
    ("ending", "described"),
    [
        (Ending("exit", 139, None, None, 1.0, ""), "exited with code 139 (SIGSEGV)"),
        (Ending("exit", 255, None, None, 1.0, ""), "exited with code 255 (signal 127)"),
        (Ending("silence", 300, None, None, 1.0, ""), "said nothing for 300 s and was killed"),
        (Ending("signal", 6, None, None, 1.0, ""), "crashed with SIGABRT"),
    ],
)
def test_endings_as_a_part_of_a_sentence(ending: Ending, described: str) -> None:
    assert ending.describe() == described
    assert signal_name(11) == "SIGSEGV"
