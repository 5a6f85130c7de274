"""Runs compile commands side by side, by Ninja: only those whose inputs have changed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.core.progress import Display
from fettle.processes import SupervisedProcess

LINES_KEPT = 20
_STATUS = re.compile(r"\[fettle \d+ \d+\]")
_FAILED = re.compile(r"FAILED: (?:\[code=\d+\] )?(.*)")


@dataclass(frozen=True)
class Step:
    """One command and the file that it makes; its output goes to `output`.log."""

    output: Path
    command: Sequence[str]
    inputs: Sequence[Path]
    what: str  # for people
    lists_files: bool = False  # in `output`.d, the files that it has read
    but: str = ""  # files of this name count only where they are among `inputs`

    @property
    def log(self) -> Path:
        """What the command printed when it last ran."""
        return Path(f"{self.output}.log")


def run_steps(
    folder: Path, steps: Sequence[Step], *, jobs: int, what: str, display: Display
) -> dict[Path, str]:
    """Brings all outputs up to date, `jobs` at a time, and goes on behind those that fail.

    Returns what the failing commands printed, by output; a step whose input failed is not run.
    `folder` gets build.ninja and Ninja's own records. Raises FettleError where Ninja cannot work.
    """
    for step in steps:
        step.output.parent.mkdir(parents=True, exist_ok=True)
    _write(folder / "build.ninja", steps)
    logs = {str(step.output): step.log for step in steps}
    failed: dict[Path, str] = {}
    said: deque[str] = deque(maxlen=LINES_KEPT)
    command = [_ninja(), "-C", str(folder), "-k", "0", "-j", str(jobs)]
    environment = {**os.environ, "NINJA_STATUS": "[fettle %f %t] "}
    if outdated := _outdated([*command, "-n"], environment):
        display.begin(what, outdated, "step")
    with SupervisedProcess(command, environment=environment, piped=True) as process:
        try:
            for line in _lines(process.popen):
                if _STATUS.match(line):
                    display.advance()
                elif failure := _FAILED.match(line):
                    output = failure[1].strip()
                    log = logs.get(output)
                    there = log is not None and log.is_file()  # not where the disk is full
                    failed[Path(output)] = log.read_text(errors="replace") if log and there else ""
                else:
                    said.append(line)
        finally:
            process.popen.terminate()  # ninja removes what is half made, where this is interrupted
            status = process.popen.wait()
            display.end()
    last = "\n".join(said)
    if status != 0 and not failed:
        raise FettleError(f"ninja failed:\n{last}")
    return {output: problem or last for output, problem in failed.items()}


def _outdated(dry_run: Sequence[str], environment: Mapping[str, str]) -> int:
    done = subprocess.run(dry_run, capture_output=True, text=True, env=environment, check=False)
    return sum(1 for line in done.stdout.splitlines() if _STATUS.match(line))


def _lines(process: subprocess.Popen[bytes]) -> Iterator[str]:
    assert process.stdout is not None
    for line in process.stdout:
        yield line.decode("utf-8", "replace").rstrip("\n")
    process.wait()


def _write(path: Path, steps: Sequence[Step]) -> None:
    text = ["rule run", "  command = $command", "  description = $what", "  depfile = $listed", ""]
    for step in steps:
        command = f"{shlex.join(step.command)} > {shlex.quote(str(step.log))} 2>&1"
        if step.but:
            name = rf"s/(\\ |[^ ])*{re.escape(step.but)}( |$)//g"
            command += " && " + shlex.join(["sed", "-i", "-E", name, f"{step.output}.d"])
        inputs = " ".join(_path(given) for given in step.inputs)
        text += [
            f"build {_path(step.output)}: run {inputs}",
            f"  command = {_escaped(command)}",
            f"  what = {_escaped(step.what)}",
        ]
        if step.lists_files:
            text.append(f"  listed = {_escaped(f'{step.output}.d')}")
    content = "\n".join([*text, ""])
    if not path.exists() or path.read_text() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def _escaped(text: str) -> str:
    return text.replace("$", "$$")


def _path(path: Path) -> str:
    return _escaped(str(path)).replace(" ", "$ ").replace(":", "$:")


def _ninja() -> str:
    """The program of the Python package, else that of the PATH. Raises FettleError."""
    try:
        import ninja

        ours = Path(ninja.BIN_DIR) / "ninja"
    except ModuleNotFoundError:
        ours = Path("no such program")
    found = str(ours) if ours.exists() else shutil.which("ninja")
    if found is None:
        raise FettleError(
            "building the candidates needs ninja (pip install ninja); on a machine that only "
            "measures, give --no-build"
        )
    return found
